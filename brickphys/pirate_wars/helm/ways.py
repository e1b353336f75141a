"""Courses: the leap, swing or drift of a ship, told before it is made (PW Movement)."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.pose import Pose, bearing_deg
from brickphys.pirate_wars.sailing import (
    ChooseShip,
    ShipTurn,
    drift_turn_deg,
    go,
    lashed_to,
    rammed,
    speed_studs,
)
from brickphys.pirate_wars.sheets import sailing_chart
from brickphys.pirate_wars.state import Phase, State
from brickphys.rules.scene import Met, Way, swept_by
from brickphys.rules.words import Action
from brickphys.vehicles.course import Hit, PieceResult
from brickphys.vehicles.scene import Piece, PivotTurn, Straight

_STEP_DEG = 5.0
_SIDES = ("bow", "port", "stern", "starboard")


def sailed(state: State, action: Action[State]) -> Iterator[Way]:
    """Yield the way of the ship that an action moves: how it swings, goes ahead or drifts, and what that meets.

    Of ships that are lashed together it is the way of the one that leads.
    """
    ship = state.active
    if isinstance(action, ChooseShip) and state.phase is Phase.MOVEMENT:
        ship = state.setting.ship_numbers[action.ship]
    if ship is None or not isinstance(action, ChooseShip | ShipTurn):
        return
    if isinstance(action, ChooseShip) and state.ships[ship].is_adrift:
        ship = max(lashed_to(state, ship), key=lambda one: state.sheet(one).size)
    poses, hits, endings, now = [state.ships[ship].pose], list[Met](), list[str](), state
    for piece in _pieces(state, ship, action):
        before, (now, move) = now, go(now, ship, piece)
        poses += _poses(poses[-1], *move.pieces)
        hits += (_met(before, hit, ship) for hit in move.hits)
        is_leap = isinstance(piece, Straight) and piece.direction_deg is None
        if is_leap and (struck := rammed(before, move)):
            endings.append(f"rams {' and '.join(map(state.called, struck))}")
        elif move.stopped_by and isinstance(piece, Straight):
            endings.append("is stopped")
        if move.leaves_field:
            endings.append("leaves the sea")
            break
    if len(poses) > 1:
        name, swept = state.ship_name(ship), swept_by(state.prism(ship).footprint, poses)
        yield Way(f"ship {name}", name, tuple(poses), tuple(hits), " and ".join(endings), swept)


def _pieces(state: State, ship: int, action: Action[State]) -> Sequence[Piece]:
    """Return what a ship does after an action, up to the next one."""
    sheet, now = state.sheet(ship), state.ships[ship]
    pivot = sheet.rudder_studs
    if isinstance(action, ShipTurn):
        swing = [PivotTurn(action.angle_deg, pivot)] if action.angle_deg else []
        studs = state.left_studs if state.phase is Phase.MOVEMENT else 0.0
    elif now.is_adrift:
        wind = state.setting.wind_deg
        turn = drift_turn_deg(now.heading_deg, wind)
        return [Straight(sailing_chart().drift_studs, wind), PivotTurn(turn, pivot)]
    else:
        swing, studs = [], speed_studs(state, ship)
    return [*swing, *([Straight(min(studs, sheet.length_studs))] if studs else [])]


def _poses(begin: Pose, piece: PieceResult) -> Iterator[Pose]:
    """Yield the poses of a piece of a move up to its end, of a turn several."""
    count = 1 if piece.turned_deg is None else max(1, round(piece.at / _STEP_DEG))
    yield from (piece.motion.pose(begin, piece.at * step / count) for step in range(1, count))
    yield piece.end


def _met(state: State, hit: Hit, ship: int) -> Met:
    other = state.setting.ship_numbers[hit.id]
    now, at = state.ships[other], hit.contact.point_studs
    side = _SIDES[round(bearing_deg(now.centre_studs, now.heading_deg, at) / 90) % 4]
    teams = state.setting.teams
    return Met(hit.id, at, side, teams[now.owner] == teams[state.ships[ship].owner])
