"""Drives: what the pilot of a vehicle can make of its turn: speed, turns, the compulsory move and what that hits.

For bots; no rule. A drive is worked out exactly, by `way`, as the move itself is. Any angle is legal; what is tried are
some angles, and those at which the vehicle points at the given places.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, degrees, hypot

from brickphys.bow.actions.collision import CompulsoryMove, must_move, way
from brickphys.bow.actions.driving import Advance, ChangeDirection, ChangeSpeed
from brickphys.bow.sheets.rulebook import MOST_DEG
from brickphys.bow.state import State, VehicleState
from brickphys.geometry.polygon import Point
from brickphys.rules.moves import Move

TRIED_DEG = (-45.0, -34.0, -24.0, -15.0, -7.0, 7.0, 15.0, 24.0, 34.0, 45.0)
"""Turns that are tried everywhere."""
TWICE_DEG = (-90.0, -64.0, 64.0, 90.0)
"""Turns by two actions that are tried."""
_LEAST_DEG = 2.0
"""A smaller turn towards a place is not worth its action."""
_SAME_STUDS, _SAME_DEG = 1.0, 4.0
"""Ends that are no farther apart may count as one."""


@dataclass(frozen=True)
class Drive:
    """One way to use the pilot's actions, up to the end of the compulsory move.

    Attributes
    ----------
    cost
        Actions of the budget that it takes.
    """

    before: State
    """The battle once the pilot has steered, before the move."""
    vehicle: int
    """The number of the vehicle."""
    actions: tuple[Move[State], ...]
    """What the pilot does, in order; the last one may let the vehicle move by itself."""
    cost: int
    move: CompulsoryMove | None
    """The compulsory move; None if it stands still, or has already moved."""

    @cached_property
    def end(self) -> VehicleState:
        """The vehicle after it, unless a crash destroys it."""
        now, move = self.before.vehicles[self.vehicle], self.move
        if move is None:
            return now
        return replace(
            now,
            x_studs=move.end.x_studs,
            y_studs=move.end.y_studs,
            base_plates=now.base_plates if self.flies_on else move.end.bottom_plates,
            speed=0 if move.stops else now.speed,
            moved=True,
            gone=move.leaves_field,
        )

    @property
    def flies_on(self) -> bool:
        """Whether it is in the air at the end."""
        move = self.move
        return self.before.flies(self.vehicle) and not (move is not None and move.stops)

    @property
    def leaves_field(self) -> bool:
        """Whether it leaves the field with all in it."""
        return self.move is not None and self.move.leaves_field

    @property
    def stops(self) -> bool:
        """Whether something or a fall stops it."""
        return self.move is not None and self.move.stops

    @property
    def hits(self) -> tuple[str, ...]:
        """The names of what it runs over or into, in order; decor has its kind before its name."""
        return () if self.move is None else tuple(hit.id for hit in self.move.hits)

    @property
    def is_smooth(self) -> bool:
        """Whether nothing is rolled for: nothing is hit, and it neither falls nor leaves the field."""
        return not (self.hits or self.stops or self.leaves_field)

    @cached_property
    def following(self) -> CompulsoryMove | None:
        """The NEXT compulsory move from there, if nobody steers; None where it stands or is gone."""
        return next_move(self.before, self.vehicle, self.end)


def next_move(state: State, vehicle: int, end: VehicleState) -> CompulsoryMove | None:
    """Return the move that a vehicle makes in the next round from where it ends, if nobody steers it.

    Everybody else is where they are now.
    """
    if end.gone or not end.speed:
        return None
    return way(state.with_vehicle(vehicle, replace(end, moved=False)), vehicle)


def drives(
    state: State,
    vehicle: int,
    actions: int | None = None,
    towards: Sequence[Point] = (),
) -> list[Drive]:
    """Return the drives of the pilot who acts; the first one is to steer nowhere.

    Of drives that end alike and hit the same, the one with the fewest actions is kept.

    Parameters
    ----------
    state
        The battle, in the turn of the pilot.
    vehicle
        The vehicle that it pilots.
    actions
        How many actions to use at most; all that are left if None.
    towards
        Places, in studs, at which the vehicle should point: prey, gaps, aims.
    """
    left = state.actions_left if actions is None else min(actions, state.actions_left)
    found = dict[Hashable, Drive]()
    for steered, acts in _steered(state, vehicle, left, towards):
        move = way(steered, vehicle) if must_move(steered, vehicle) else None
        if move is not None and len(acts) < state.actions_left:
            drive = Drive(steered, vehicle, (*acts, Advance()), len(acts), move)
        else:
            drive = Drive(steered, vehicle, acts, len(acts), move)
        found.setdefault(_key(drive), drive)
    return list(found.values())


def _steered(
    state: State, vehicle: int, left: int, towards: Sequence[Point]
) -> Iterator[tuple[State, tuple[Move[State], ...]]]:
    """Yield the battle after turns and a change of speed, with these; those of few actions first."""
    turned = list(_turned(state, vehicle, left, towards))
    for count in range(left + 1):
        for after, turns in turned:
            if len(turns) == count:
                yield after, turns
            if len(turns) == count - 1:
                for change in ChangeSpeed.listed(after, vehicle):
                    yield _done(after, change), (*turns, change)


def _turned(
    state: State, vehicle: int, left: int, towards: Sequence[Point]
) -> Iterator[tuple[State, tuple[Move[State], ...]]]:
    yield state, ()
    if left < 1:
        return
    for angle_deg in (*_pointing(state, vehicle, towards), *TRIED_DEG):
        turn = ChangeDirection(angle_deg)
        if not any(turn.refusals(state, vehicle, angle_deg)):
            yield _done(state, turn), (turn,)
    if left < 2:
        return
    for angle_deg in TWICE_DEG:
        first = ChangeDirection(angle_deg / 2)
        if any(first.refusals(state, vehicle, angle_deg / 2)):
            continue
        half = _done(state, first)
        if not any(first.refusals(half, vehicle, angle_deg / 2)):
            yield _done(half, first), (first, first)


def _pointing(state: State, vehicle: int, towards: Sequence[Point]) -> Iterator[float]:
    """Yield the turns after which a vehicle points at some places, as far as one action turns it so far."""
    now = state.vehicles[vehicle]
    for x, y in towards:
        dx, dy = x - now.x_studs, y - now.y_studs
        if hypot(dx, dy) < 1.0:
            continue
        turn = round((degrees(atan2(dy, dx)) - now.heading_deg + 180.0) % 360.0 - 180.0, 1)
        if _LEAST_DEG <= abs(turn) <= MOST_DEG:
            yield turn


def _done(state: State, action: Move[State]) -> State:
    """Return the battle after an action of steering, which takes one action of the budget."""
    paid = state.replaced({"actions_left": state.actions_left - 1, "menu": ""})
    return action.apply(paid)


def _key(drive: Drive) -> Hashable:
    """Return what two drives have in common that come to the same."""
    end = drive.end
    place = (round(end.x_studs / _SAME_STUDS), round(end.y_studs / _SAME_STUDS))
    heading = round(end.heading_deg % 360.0 / _SAME_DEG)
    return place, heading, end.speed, drive.hits, drive.stops, drive.leaves_field
