"""Movement: leaps, swings and drifts, the choice of a ship and of its turns, and falling off (PW Movement)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import acos, degrees, dist
from typing import Self

from brickphys.errors import unknown
from brickphys.geometry.bearing import bearing_deg, turn_deg
from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars.sailing.collision import go, lashed_to
from brickphys.pirate_wars.sailing.ram import ram, rammed
from brickphys.pirate_wars.sailing.sea_room import stays_on_sea
from brickphys.pirate_wars.sailing.wind import drift_turn_deg, off_running_deg, speed_studs
from brickphys.pirate_wars.sheets.charts import sailing_chart
from brickphys.pirate_wars.state.ship import Fate
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.rules.words import ANGLE, NAME, Action, without_problems
from brickphys.text import spoken
from brickphys.vehicles.piece import PivotTurn, Straight

SMALLEST_DEG = 0.1
"""Listed turns are multiples of this, rounded towards 0, so that no turn with the wind goes beyond running."""
_STEP_DEG = 15


@dataclass(frozen=True, slots=True)
class ChooseShip(Action[State]):
    """Move a ship next."""

    word = "ship"
    arguments = (NAME,)
    chooses = "a ship"
    when = "choose a ship only between the moves of ships"
    ship: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the ships of the player that have not moved."""
        return (cls(state.setting.ships[ship].name) for ship in due_ships(state))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it does not move next."""
        numbers = state.setting.ship_numbers
        if self.ship not in numbers:
            due = [each.ship for each in self.legal(state)]
            yield f"{unknown('ship', self.ship, due)} (PW Movement)"
        elif numbers[self.ship] not in due_ships(state):
            yield f"{self.ship} is another player's, has already moved, sinks, or is out of the battle (PW Movement)"

    def apply(self, state: State) -> State:
        """Begin its move."""
        return begin_move(state, state.setting.ship_numbers[self.ship])


@dataclass(frozen=True, slots=True)
class ShipTurn(Action[State]):
    """A turn of the ship on its move, counter-clockwise; 0 turns nothing."""

    arguments = (ANGLE,)
    angle_deg: float

    @classmethod
    def example(cls, state: State) -> Self:
        """Return to turn nothing."""
        return cls(0.0)


class Swing(ShipTurn):
    """Swing the bow about the rudder, counter-clockwise, after a leap; 0 keeps the course."""

    __slots__ = ()
    word = "turn"
    form = "degrees: above 0 to port, which is left, below 0 to starboard; 0 keeps the course"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the listed angles; they stand for all."""
        if state.active is None or state.phase is not Phase.MOVEMENT:
            return iter(())
        return map(cls, listed_deg(state, state.active, state.may_turn_deg))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot turn so far."""
        if state.active is None or state.phase is not Phase.MOVEMENT:
            yield "no ship is on its move (PW Movement)"
        elif abs(self.angle_deg) > state.may_turn_deg:
            name = state.setting.ships[state.active].name
            yield f"{name} can turn up to {state.may_turn_deg:g} degrees now, not {self.angle_deg:g} (PW Movement)"

    def apply(self, state: State) -> State:
        """Swing it until it touches another ship, and leap on."""
        ship = _active(state)
        state = swing(state, ship, self.angle_deg)
        goes_on = state.left_studs and state.ships[ship].is_afloat
        return _leap(state, ship) if goes_on else _end(state, ship)


class FallOff(ShipTurn):
    """Turn with the wind after all ships have moved, up to running with it; 0 keeps the heading."""

    __slots__ = ()
    word = "fall"
    form = "degrees: above 0 to port, which is left, below 0 to starboard; 0 keeps the heading"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the listed angles that turn the ship with the wind; they stand for all."""
        if state.active is None:
            return iter(())
        angles = listed_deg(state, state.active, sailing_chart().small_turn_deg)
        return without_problems(state, map(cls, angles))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot turn so."""
        if state.active is None or state.phase is not Phase.FALLING_OFF:
            yield "no ship is falling off (PW Movement)"
            return
        name, most = state.setting.ships[state.active].name, sailing_chart().small_turn_deg
        heading, wind = state.ships[state.active].heading_deg, state.setting.wind_deg
        before, after = (off_running_deg(to, wind) for to in (heading, heading + self.angle_deg))
        if abs(self.angle_deg) > most:
            yield f"{name} can fall off by up to {most:g} degrees, not {self.angle_deg:g} (PW Movement)"
        elif abs(before - after - abs(self.angle_deg)) > TOLERANCE:
            yield (
                f"{name} is {before:.6g} degrees off running with the wind: it can fall off up to that, "
                f"not by {self.angle_deg:g} (PW Movement)"
            )

    def apply(self, state: State) -> State:
        """Turn it until it touches another ship."""
        ship = _active(state)
        return _end(swing(state, ship, self.angle_deg), ship)


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
        for number, ship in state.afloat()
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
    ship_state = state.ships[ship]
    off_deg = off_running_deg(ship_state.heading_deg, state.setting.wind_deg)
    is_steered = state.crews[ship] and not ship_state.rudder_lost
    return bool(is_steered) and off_deg >= SMALLEST_DEG and lashed_to(state, ship) == (ship,)


def swing(state: State, ship: int, angle_deg: float) -> State:
    """Turn a ship about its rudder until it touches another one, which does no damage."""
    if not angle_deg:
        return state
    pivot = state.setting.ships[ship].sheet.rudder_studs
    return go(state, ship, PivotTurn(angle_deg, pivot))[0]


def _leap(state: State, ship: int) -> State:
    """Go ahead by a length, or what is left of the move, until a turn is to be chosen or the move ends."""
    half = state.setting.ships[ship].sheet.length_studs / 2
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
    lead = max(body, key=lambda number: state.setting.ships[number].sheet.size)
    state, move = go(state, lead, Straight(sailing_chart().drift_studs, wind))
    if not move.leaves_field:
        state = swing(state, lead, drift_turn_deg(state.ships[lead].heading_deg, wind))
    return _end(state, *body)


def _end(state: State, *ships: int) -> State:
    """Return the state after the moves of some ships."""
    nothing_left = {"move_studs": 0.0, "left_studs": 0.0, "may_turn_deg": 0.0}
    return state.replaced({**nothing_left, "active": None, "done": state.done.union(ships)})


def _active(state: State) -> int:
    assert state.active is not None
    return state.active


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
    mover, sheet = state.ships[ship], state.setting.ships[ship].sheet
    yield turn_deg(mover.heading_deg, state.setting.wind_deg), "with the wind"
    pivot = mover.pose.on_field(sheet.rudder_studs)
    arm = sheet.length_studs / 2
    for number, enemy in state.enemies(mover.owner):
        name = spoken(state.setting.ships[number].name)
        aim = bearing_deg(pivot, mover.heading_deg, enemy.centre_studs)
        yield aim, f"towards {name}"
        far = dist(pivot, enemy.centre_studs)
        if far > arm:
            beside = degrees(acos(arm / far))
            yield aim - beside, f"{name} to port"
            yield aim + beside, f"{name} to starboard"
