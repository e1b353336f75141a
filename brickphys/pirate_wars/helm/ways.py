"""Ways: where an order at the helm leads a ship, and where it fires, told before; no bot needs it."""

from collections.abc import Iterator, Sequence
from math import dist

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import bearing_deg
from brickphys.pirate_wars import sailing
from brickphys.pirate_wars.firing import Fire, GunRoll, enemy_aim
from brickphys.pirate_wars.sheets import Ammunition, sailing_chart
from brickphys.pirate_wars.state import LOADED, Phase, State
from brickphys.pirate_wars.story import flight
from brickphys.rules.scene import Threat, Way, swept_by
from brickphys.rules.words import Action
from brickphys.vehicles.scene import Piece, PivotTurn, Straight

_STEP_DEG = 10.0
_SIDES = ("bow", "port", "stern", "starboard")


def goes_on(state: State) -> sailing.Swing | None:
    """Return the turn that keeps the course, while a ship is on its move."""
    is_moving = state.active is not None and state.phase is Phase.MOVEMENT
    return sailing.Swing(0.0) if is_moving and not state.pending else None


def lane(state: State, action: Action[State]) -> tuple[Point, Point] | None:
    """Return the flight of a ball, along its bore."""
    return flight(state, GunRoll(**action.order(state).given)) if isinstance(action, Fire) else None


def sailed(state: State, action: Action[State]) -> Sequence[Way]:
    """Return the way of the ship that an action moves; of ships that are lashed together, of the one that leads."""
    ship, is_turn = state.active, isinstance(action, sailing.ShipTurn)
    if isinstance(action, sailing.ChooseShip) and state.phase is Phase.MOVEMENT:
        ship = state.setting.ship_numbers[action.ship]
        if state.ships[ship].is_adrift:
            ship = max(sailing.lashed_to(state, ship), key=lambda one: state.sheet(one).size)
    elif ship is None or not is_turn:
        return ()
    poses, hits, now = [state.ships[ship].pose], list[tuple[str, Point, str]](), state
    for piece in _pieces(state, ship, action):
        now, move = sailing.go(now, ship, piece)
        done = move.pieces[0]
        steps = 1 if done.turned_deg is None else max(1, round(done.at / _STEP_DEG))
        poses += [done.motion.pose(poses[-1], done.at * n / steps) for n in range(1, steps)]
        poses.append(done.end)
        for hit in move.hits:
            other, at = state.ships[state.setting.ship_numbers[hit.id]], hit.contact.point_studs
            quarter = round(bearing_deg(other.centre_studs, other.heading_deg, at) / 90) % 4
            hits.append((hit.id, at, _SIDES[quarter]))
        if move.leaves_field:
            break
    name = state.ship_name(ship)
    swept = swept_by(state.prism(ship).footprint, poses)
    return [Way(f"ship {name}", name, tuple(poses), tuple(hits), swept)] if len(poses) > 1 else ()


def _pieces(state: State, ship: int, action: Action[State]) -> Iterator[Piece]:
    sheet, now, studs = state.sheet(ship), state.ships[ship], sailing.speed_studs(state, ship)
    if isinstance(action, sailing.ShipTurn):
        studs = state.left_studs if state.phase is Phase.MOVEMENT else 0.0
        if action.angle_deg:
            yield PivotTurn(action.angle_deg, sheet.rudder_studs)
    elif now.is_adrift:
        wind = state.setting.wind_deg
        yield Straight(sailing_chart().drift_studs, wind)
        yield PivotTurn(sailing.drift_turn_deg(now.heading_deg, wind), sheet.rudder_studs)
        return
    if studs:
        yield Straight(min(studs, sheet.length_studs))


def threats(state: State, player: int) -> Iterator[Threat]:
    """Yield at whom the loaded guns of each enemy ship point as all ships lie, and their lanes, a stud wide."""
    for ship, now in state.enemies(player):
        loaded = [n for n, gun in enumerate(now.guns) if not gun.is_lost and gun.loads >= LOADED]
        aims = {state.ship_name(aim.ship) for n in loaded if (aim := enemy_aim(state, ship, n))}
        lanes = list[tuple[Point, ...]]()
        for gun in loaded:
            (x, y), (ex, ey) = flight(state, GunRoll(ship, gun, Ammunition.BALL, ship))
            far = 2 * max(dist((x, y), (ex, ey)), TOLERANCE)
            a, b = (y - ey) / far, (ex - x) / far
            lanes.append(((x + a, y + b), (x - a, y - b), (ex - a, ey - b), (ex + a, ey + b)))
        yield Threat(state.ship_name(ship), (), tuple(sorted(aims)), tuple(lanes))
