"""Doors: open and close doors and windows (BOW 2.3.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.reach import body_studs, touches_over
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.field.terrain import terrain
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class Open(TurnAction):
    """Open a door or window within reach that is not locked."""

    word = "open"
    arguments = (NAME,)
    door: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every closed and unlocked door or window that the unit can touch."""
        near = (cls(name) for name in state.setting.field.doors if is_near_door(state, name))
        return without_problems(state, near)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be opened."""
        yield from _handling_problems(state, self.door)
        if self.door in state.open_ids:
            yield f"{self.door} is already open (BOW 2.3.3)"

    def apply(self, state: State) -> State:
        """Open it."""
        return state.replaced({"open_ids": state.open_ids | {self.door}})


@dataclass(frozen=True, slots=True)
class Close(TurnAction):
    """Close a door or window within reach; no unit or vehicle may be in it."""

    word = "close"
    arguments = (NAME,)
    door: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every open door and window that the unit can touch and that is clear."""
        near = (cls(name) for name in sorted(state.open_ids) if is_near_door(state, name))
        return without_problems(state, near)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be closed."""
        yield from _handling_problems(state, self.door)
        if self.door not in state.open_ids:
            yield f"{self.door} is already closed (BOW 2.3.3)"
        elif _is_blocked(state, self.door):
            yield f"something blocks {self.door} (BOW 2.3.3)"

    def apply(self, state: State) -> State:
        """Close it."""
        return state.replaced({"open_ids": state.open_ids - {self.door}})


def is_near_door(state: State, door: str) -> bool:
    """Tell whether the active unit can touch a door or window."""
    field = state.setting.field
    return touches_over(state, state.active, field.decor_studs[door], field.doors[door].span_plates)


def _handling_problems(state: State, door: str) -> Iterator[str]:
    known = state.setting.field.doors
    if door not in known:
        yield f"{unknown('door or window', door, known)} (BOW 2.3.3)"
        return
    if not is_near_door(state, door):
        yield f"{door} is not close to {state.my_name} (BOW 2.3.3)"
    if known[door].locked:
        yield f"{door} is locked, and locks belong to the Advanced Rules (BOW 2.3.3)"


def _is_blocked(state: State, door: str) -> bool:
    """Tell whether a unit or a vehicle is where the closed door would be."""
    field = state.setting.field
    shut = terrain(field, state.open_ids - {door})
    lost = state.board.terrain.standable & ~shut.standable
    standing = state.board.units & lost
    vehicles = (body_studs(state, vehicle) for vehicle in state.vehicles_left)
    return bool(standing) or any(studs & field.decor_studs[door] for studs in vehicles)
