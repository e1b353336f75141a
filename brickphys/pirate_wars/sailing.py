"""Sailing: wind, leaps, swings and drifts of ships, and what they run into (PW Movement).

Points of sail give the speed. A ship moves with those that are lashed to it, straight or turning, up to the first
obstacle, which it may ram. After the leaps its player chooses a swing; after all ships have moved it may fall off.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import acos, degrees, dist, hypot, sqrt
from typing import Annotated, ClassVar, NamedTuple, Self

from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE, Point, unit_vector
from brickphys.geometry.pose import Pose, bearing_deg, turn_deg
from brickphys.pirate_wars.damage import fighters, hit
from brickphys.pirate_wars.setting import Setting, ShipSpec
from brickphys.pirate_wars.sheets import Line, sailing_chart
from brickphys.pirate_wars.state import Fate, Life, MoraleCause, Phase, State, hull_prism
from brickphys.rules.moves import Move
from brickphys.rules.words import NAME, TURN, without_problems
from brickphys.vehicles.course import Mover, MoveResult, NamedObstacles, follow
from brickphys.vehicles.scene import Bounds, Fixture, Piece, PivotTurn, Straight


class PointOfSail(Enum):
    """How a ship lies to the wind."""

    FULL = "full"
    """The wind comes from aft to abeam: full speed."""
    TACK = "tack"
    """From abeam to the quarter, as the book says: half speed."""
    IN_IRONS = "in irons"
    """From ahead: adrift."""


def off_running_deg(heading_deg: float, wind_deg: float) -> float:
    """Return how far a ship is off running with the wind, 180 straight into it."""
    return abs(turn_deg(heading_deg, wind_deg))


def drift_turn_deg(heading_deg: float, wind_deg: float) -> float:
    """Return the turn of a ship that is adrift: as far towards running as it may."""
    most = sailing_chart().small_turn_deg
    return min(max(turn_deg(heading_deg, wind_deg), -most), most)


def point_of_sail(heading_deg: float, wind_deg: float) -> PointOfSail:
    """Return how a ship lies to the wind; limits belong to the faster point."""
    off_deg = off_running_deg(heading_deg, wind_deg)
    if off_deg <= sailing_chart().full_speed_deg + TOLERANCE:
        return PointOfSail.FULL
    is_tack = off_deg <= sailing_chart().half_speed_deg + TOLERANCE
    return PointOfSail.TACK if is_tack else PointOfSail.IN_IRONS


def is_in_irons(state: State, ship: int) -> bool:
    """Whether a ship lies too near the wind to sail."""
    heading_deg, wind_deg = state.ships[ship].heading_deg, state.setting.wind_deg
    return point_of_sail(heading_deg, wind_deg) is PointOfSail.IN_IRONS


def is_adrift(state: State, ship: int) -> bool:
    """Tell whether a ship is adrift if a turn begins now.

    It is in irons or lashed to another one, or has no crew, no sails or no rudder, or a mast was just sheared.
    """
    ship_state = state.ships[ship]
    return (
        ship_state.rudder_lost
        or ship_state.mast_turns > 0
        or not ship_state.sails
        or not state.crews[ship]
        or state.is_lashed(ship)
        or is_in_irons(state, ship)
    )


def set_adrift(state: State) -> State:
    """Return the state at the start of a turn: who is adrift is settled, and sheared masts are counted down."""
    for ship, ship_state in state.afloat:
        turns = max(ship_state.mast_turns - 1, 0)
        state = state.change_ship(ship, is_adrift=is_adrift(state, ship), mast_turns=turns)
    return state


def speed_studs(state: State, ship: int) -> float:
    """Return how far a ship moves in this turn: half speed is rounded up."""
    ship_state = state.ships[ship]
    if ship_state.is_adrift:
        return sailing_chart().drift_studs
    full = state.sheet(ship).chart.speed_studs(ship_state.damage)
    point = point_of_sail(ship_state.heading_deg, state.setting.wind_deg)
    return float(full if point is PointOfSail.FULL else -(-full // 2))


_TURNS, _FALLS = (0.0, 1.0, -1.0), (0.0, 1.0)
"""Turns that a ship tries after a leap and when it falls off, as shares of the largest turn."""


class Sailor(NamedTuple):
    """What of a ship and its sea matters for where it can go; it keeps its speed."""

    sea: Bounds
    wind_deg: float
    length_studs: float
    speed_studs: float  # 0 for a ship without sails or rudder, which is adrift for good


def stays_on_sea(state: State, number: int, turns: int) -> bool:
    """Tell whether a ship can stay on the sea from now on for some turns, if no other one is there."""
    setting, ship = state.setting, state.ships[number]
    sheet = setting.ships[number].sheet
    speed = 0.0 if ship.rudder_lost else float(sheet.chart.speed_studs(ship.damage))
    sailor = Sailor(setting.sea, setting.wind_deg, sheet.length_studs, speed)
    if state.active == number and state.phase is Phase.MOVEMENT:
        return can_turn(sailor, ship.pose, state.may_turn_deg, state.left_studs, turns)
    has_moved = number in state.done
    if (state.phase is Phase.MOVEMENT and has_moved) or (
        state.phase is Phase.FALLING_OFF and not has_moved
    ):
        return has_room_to_fall_off(sailor, ship.pose, turns)
    return has_room(sailor, ship.pose, turns)


@lru_cache(maxsize=65536)
def has_room(ship: Sailor, pose: Pose, turns: int) -> bool:
    """Tell whether a ship that begins a turn somewhere can be on the sea after some turns, if no other one is there."""
    if turns == 0:
        return True
    point = point_of_sail(pose.heading_deg, ship.wind_deg)
    if point is PointOfSail.IN_IRONS or not ship.speed_studs:
        drifted = _ahead(pose, ship.wind_deg, sailing_chart().drift_studs)
        turned = _swung(ship, drifted, drift_turn_deg(pose.heading_deg, ship.wind_deg))
        return _is_on(ship, drifted, turned) and has_room_to_fall_off(ship, turned, turns)
    studs = ship.speed_studs if point is PointOfSail.FULL else -(-ship.speed_studs // 2)
    return _leaps(ship, pose, studs, turns, is_first=True)


def has_room_to_fall_off(ship: Sailor, pose: Pose, turns: int) -> bool:
    """Tell whether a ship that may fall off now has room from then on, with one turn less to go."""
    most_deg = drift_turn_deg(pose.heading_deg, ship.wind_deg) if ship.speed_studs else 0.0
    ways = (_swung(ship, pose, share * most_deg) for share in _FALLS)
    return any(_is_on(ship, way) and has_room(ship, way, turns - 1) for way in ways)


def can_turn(ship: Sailor, pose: Pose, most_deg: float, left_studs: float, turns: int) -> bool:
    """Tell whether a ship that may turn now, with so much of its move left, has room from then on."""
    ways = (_swung(ship, pose, share * most_deg) for share in _TURNS)
    return any(_is_on(ship, way) and _leaps(ship, way, left_studs, turns) for way in ways)


def _leaps(
    ship: Sailor, pose: Pose, left_studs: float, turns: int, *, is_first: bool = False
) -> bool:
    """Tell whether a ship that is about to leap, if its move is not over, has room."""
    studs, chart = min(ship.length_studs, left_studs), sailing_chart()
    there = _ahead(pose, pose.heading_deg, studs)
    if not _is_on(ship, there):
        return False
    if 2 * studs > ship.length_studs:
        return can_turn(ship, there, chart.leap_turn_deg, left_studs - studs, turns)
    if is_first:
        return can_turn(ship, there, chart.small_turn_deg, 0.0, turns)
    return has_room_to_fall_off(ship, there, turns)


def _ahead(pose: Pose, way_deg: float, studs: float) -> Pose:
    c, s = unit_vector(way_deg)
    return Pose(pose.x_studs + studs * c, pose.y_studs + studs * s, pose.heading_deg)


def _swung(ship: Sailor, pose: Pose, angle_deg: float) -> Pose:
    """Return where a ship is after a swing about its rudder."""
    astern = _ahead(pose, pose.heading_deg, -ship.length_studs / 2)
    turned = Pose(astern.x_studs, astern.y_studs, pose.heading_deg + angle_deg)
    return _ahead(turned, turned.heading_deg, ship.length_studs / 2)


def _is_on(ship: Sailor, *poses: Pose) -> bool:
    return all(ship.sea.contains((pose.x_studs, pose.y_studs)) for pose in poses)


@lru_cache
def way_studs(wind_deg: float) -> Callable[[Point, Point], float]:
    """Return the distance from one point to another for a ship: way at half speed counts twice, and it sails no higher.

    Every zigzag at 45 degrees to the wind between two points is equally long.
    """
    c, s = unit_vector(wind_deg)

    def studs(here: Point, there: Point) -> float:
        x, y = there[0] - here[0], there[1] - here[1]
        up, across = -x * c - y * s, abs(y * c - x * s)
        if up <= 0.0:
            return hypot(x, y)
        return 2.0 * sqrt(2.0) * up + max(across - up, 0.0)

    return studs


_Place = tuple[int, Pose]
"""Number and pose of a ship."""


def lashed_to(state: State, ship: int) -> tuple[int, ...]:
    """Return a ship and all that are lashed to it, or to those; one that sinks holds no other (ours)."""
    body = [ship]
    for member in body:
        for pair in state.lashed:
            if member in pair:
                body += (one for one in pair if one not in body and state.ships[one].hull)
    return tuple(body)


def go(state: State, ship: int, piece: Piece) -> tuple[State, MoveResult]:
    """Move a ship and those lashed to it, until another ship stops them or its middle leaves the sea.

    A ship whose middle is beyond the sea then is out of the battle (ours).
    """
    setting, ships = state.setting, list(state.ships)
    body = lashed_to(state, ship)
    prisms = tuple([state.prism(part) for part in body])
    mover = Mover(setting.ships[ship].name, ships[ship].pose, prisms, frozenset())
    around = [(other, one.pose) for other, one in state.afloat if other not in body]
    move = follow(mover, (piece,), obstacles(setting, tuple(around)))
    (done,) = move.pieces
    for part in body:
        end = done.end if part == ship else done.motion.pose(ships[part].pose, done.at)
        ships[part] = ships[part].at(end)
    state = state.replaced({"ships": tuple(ships)})
    for part in body:
        is_at_border = part == ship and done.leaves_field
        if is_at_border or not setting.sea.contains(ships[part].centre_studs):
            state = leave(state, part)
    return state, move


def leave(state: State, ship: int, fate: Fate = Fate.LEFT) -> State:
    """Return the state after a ship has left the battle, with all aboard and those who have boarded another one."""
    for number in (*fighters(state, ship), *state.boarders(ship)):
        state = state.lost(number, Life.LEFT)
    return state.cast_off(ship).change_ship(ship, fate=fate)


@lru_cache(maxsize=1024)
def obstacles(setting: Setting, places: tuple[_Place, ...]) -> NamedObstacles:
    """Return ships as what others may run into; they stay the same all the time while another one moves."""
    return NamedObstacles.of(setting.sea, [_fixture(setting.ships[n], at) for n, at in places])


@lru_cache(maxsize=4096)
def _fixture(ship: ShipSpec, pose: Pose) -> Fixture:
    return Fixture.filling(ship.name, hull_prism(ship.sheet, pose))


def rammed(state: State, move: MoveResult) -> list[int]:
    """Return the ships that a leap rams: it has made way, and strikes their faces at a large enough angle."""
    return [
        state.setting.ship_numbers[hit.id]
        for hit in move.hits
        if hit.distance_studs > TOLERANCE
        and hit.parting_deg is not None
        and hit.parting_deg >= sailing_chart().ram_deg - TOLERANCE
    ]


def ram(state: State, rammer: int, others: Sequence[int]) -> State:
    """Return the state after a ram of one ship, or of several at once: they are hit, adrift and lashed together."""
    sheets = [ship.sheet for ship in state.setting.ships]
    damage = -(-state.ships[rammer].sails // 2)
    for ship in (rammer, *others):
        state = state.change_ship(ship, is_adrift=True).with_cause(ship, MoraleCause.ADRIFT)
    for other in others:
        state = state.lash(rammer, other)
        state = hit(state, rammer, 1 + (sheets[other].size > sheets[rammer].size), Line.HULL)
        state = hit(state, other, damage, Line.HULL)
    return state


SMALLEST_DEG = 0.1
"""Listed turns are multiples of this, rounded towards 0, so that no turn with the wind goes beyond running."""
_STEP_DEG = 15


@dataclass(frozen=True, slots=True)
class ChooseShip(Move[State]):
    """Move a ship next."""

    word = "ship"
    does = "move a ship"
    section = "PW Movement"
    chooses = "a ship"
    when = "choose a ship only between the moves of ships"
    ship: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(state.ship_name(ship)) for ship in due_ships(state))

    def refusals(self, state: State, name: str) -> Iterator[str]:
        number = state.setting.ship_numbers.get(name)
        if number is None:
            yield str(unknown("ship", name, map(state.ship_name, due_ships(state))))
        elif number not in due_ships(state):
            yield f"{name} is another player's, has already moved, sinks, or is out of the battle"

    def result(self, state: State, name: str) -> State:
        return begin_move(state, state.setting.ship_numbers[name])


@dataclass(frozen=True, slots=True)
class ShipTurn(Move[State]):
    """A turn of the ship on its move, counter-clockwise; 0 turns nothing. The listed angles stand for all."""

    section = "PW Movement"
    phase: ClassVar[Phase]  # that of such turns
    idle: ClassVar[str]  # that no ship makes one
    angle_deg: Annotated[float, TURN]

    @classmethod
    def actor(cls, state: State) -> tuple[int]:
        assert state.active is not None
        return (state.active,)

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        return cls.idle if state.active is None or state.phase is not cls.phase else None

    @classmethod
    def example(cls, state: State) -> Self:
        return cls(0.0)


class Swing(ShipTurn):
    """Swing the bow about the rudder, counter-clockwise, after a leap; 0 keeps the course."""

    __slots__ = ()
    word = "turn"
    form = "degrees: above 0 to port, which is left, below 0 to starboard; 0 keeps the course"
    phase, idle = Phase.MOVEMENT, "no ship is on its move"

    @classmethod
    def listed(cls, state: State, ship: int) -> Iterator[Self]:
        return map(cls, listed_deg(state, ship, state.may_turn_deg))

    def refusals(self, state: State, ship: int, angle_deg: float) -> Iterator[str]:
        if abs(angle_deg) > (most := state.may_turn_deg):
            yield f"{state.ship_name(ship)} can turn up to {most:g} degrees now, not {angle_deg:g}"

    def result(self, state: State, ship: int, angle_deg: float) -> State:
        state = swing(state, ship, angle_deg)
        goes_on = state.left_studs and state.ships[ship].is_afloat
        return _leap(state, ship) if goes_on else _end(state, ship)


class FallOff(ShipTurn):
    """Turn with the wind after all ships have moved, up to running with it; 0 keeps the heading."""

    __slots__ = ()
    word = "fall"
    does = "fall off"
    form = "degrees: above 0 to port, which is left, below 0 to starboard; 0 keeps the heading"
    phase, idle = Phase.FALLING_OFF, "no ship is falling off"

    @classmethod
    def listed(cls, state: State, ship: int) -> Iterator[Self]:
        angles = listed_deg(state, ship, sailing_chart().small_turn_deg)
        return without_problems(state, map(cls, angles))

    def refusals(self, state: State, ship: int, angle_deg: float) -> Iterator[str]:
        name, most = state.ship_name(ship), sailing_chart().small_turn_deg
        heading, wind = state.ships[ship].heading_deg, state.setting.wind_deg
        before, after = (off_running_deg(to, wind) for to in (heading, heading + angle_deg))
        if abs(angle_deg) > most:
            yield f"{name} can fall off by up to {most:g} degrees, not {angle_deg:g}"
        elif abs(before - after - abs(angle_deg)) > TOLERANCE:
            off = f"{name} is {before:.6g} degrees off running with the wind"
            yield f"{off}: it can fall off up to that, not by {angle_deg:g}"

    def result(self, state: State, ship: int, angle_deg: float) -> State:
        return _end(swing(state, ship, angle_deg), ship)


def newly_lashed(before: State, after: State, ship: int) -> str:
    """Return the names of those that a ship has rammed between two states; empty if nobody."""
    hit = {sum(pair) - ship for pair in {*after.lashed} - {*before.lashed} if ship in pair}
    return " and ".join(after.called(number) for number in sorted(hit))


def off_sea(state: State, ship: int) -> str:
    """Return when a ship that has just turned leaves the sea, whatever it does then; empty if it can stay."""
    if state.ships[ship].fate is Fate.LEFT:
        return "leaves the sea"
    return "" if stays_on_sea(state, ship, turns=1) else "leaves the sea next turn"


def on_course(state: State) -> State:
    """Return the state after the move of the active ship, if any, if it turns no more."""
    while state.active is not None:
        state = Swing(0.0).apply(state)
    return state


def due_ships(state: State) -> list[int]:
    """Return the ships of the player whose turn it is that have not moved, or not fallen off, in this phase.

    A ship without hull lines moves no more: it sinks where it is (ours).
    """
    return [
        number
        for number, ship in state.afloat
        if ship.owner == state.player and number not in state.done and ship.hull
    ]


def begin_move(state: State, ship: int) -> State:
    """Return the state after the first leap of a ship, or after its whole move if it is adrift."""
    if state.ships[ship].is_adrift:
        return _drift(state, ship)
    studs = speed_studs(state, ship)
    state = state.replaced({"active": ship, "move_studs": studs, "left_studs": studs})
    return _leap(state, ship)


def can_fall_off(state: State, ship: int) -> bool:
    """Tell whether a ship can fall off: it does not run with the wind yet, is steered, and lashed to no other one."""
    now = state.ships[ship]
    off_deg = off_running_deg(now.heading_deg, state.setting.wind_deg)
    is_steered = bool(state.crews[ship]) and not now.rudder_lost
    return is_steered and off_deg >= SMALLEST_DEG and lashed_to(state, ship) == (ship,)


def swing(state: State, ship: int, angle_deg: float) -> State:
    """Turn a ship about its rudder until it touches another one, which does no damage."""
    if not angle_deg:
        return state
    pivot = state.sheet(ship).rudder_studs
    return go(state, ship, PivotTurn(angle_deg, pivot))[0]


def _leap(state: State, ship: int) -> State:
    """Go ahead by a length, or what is left of the move, until a turn is to be chosen or the move ends."""
    half = state.sheet(ship).length_studs / 2
    studs, before = min(2 * half, state.left_studs), state.move_studs - state.left_studs
    state, move = go(state, ship, Straight(studs))
    struck = rammed(state, move)
    if struck:
        return _end(ram(state, ship, struck), ship)
    most_deg, left = 0.0, 0.0
    if before + move.travelled_studs <= half + TOLERANCE:
        most_deg = sailing_chart().small_turn_deg
    elif studs > half and not move.stopped_by:
        most_deg, left = sailing_chart().leap_turn_deg, state.left_studs - studs
    if move.leaves_field or not most_deg:
        return _end(state, ship)
    return state.replaced({"left_studs": left, "may_turn_deg": most_deg})


def _drift(state: State, ship: int) -> State:
    """Drift with the wind, then turn towards running; this rams nobody.

    Ships that are lashed together drift as one, once a turn. They turn about the rudder of the largest one (ours).
    """
    body, wind = lashed_to(state, ship), state.setting.wind_deg
    lead = max(body, key=lambda number: state.sheet(number).size)
    state, move = go(state, lead, Straight(sailing_chart().drift_studs, wind))
    if not move.leaves_field:
        state = swing(state, lead, drift_turn_deg(state.ships[lead].heading_deg, wind))
    return _end(state, *body)


def _end(state: State, *ships: int) -> State:
    nothing_left = {"move_studs": 0.0, "left_studs": 0.0, "may_turn_deg": 0.0}
    return state.replaced({**nothing_left, "active": None, "done": state.done.union(ships)})


def listed_deg(state: State, ship: int, most_deg: float) -> list[float]:
    """Return turns of a ship to either side: steps of 15 degrees, and those with a purpose.

    These are the turn to running with the wind, and for each enemy the turns after which the bow points at its middle,
    or that is abeam.
    """
    most = int(most_deg)
    steps = range(-most + most % _STEP_DEG, most + 1, _STEP_DEG)
    wished = wished_deg(state, ship)
    return sorted({*map(float, steps), *(angle for angle in wished if abs(angle) <= most_deg)})


def wished_deg(state: State, ship: int) -> dict[float, str]:
    """Return the turns of a ship that have a purpose, with what that is."""
    wished = dict[float, str]()
    for angle, purpose in _wished(state, ship):
        wished.setdefault(int(angle * 10) / 10, purpose)
    return wished


def _wished(state: State, ship: int) -> Iterator[tuple[float, str]]:
    mover, sheet = state.ships[ship], state.sheet(ship)
    yield turn_deg(mover.heading_deg, state.setting.wind_deg), "with the wind"
    pivot = mover.pose.on_field(sheet.rudder_studs)
    arm = sheet.length_studs / 2
    for number, enemy in state.enemies(mover.owner):
        name = state.called(number)
        aim = bearing_deg(pivot, mover.heading_deg, enemy.centre_studs)
        yield aim, f"towards {name}"
        far = dist(pivot, enemy.centre_studs)
        if far > arm:
            beside = degrees(acos(arm / far))
            yield aim - beside, f"{name} to port"
            yield aim + beside, f"{name} to starboard"
