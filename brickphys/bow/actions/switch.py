"""Switch: exchange a weapon in hand with a stowed one (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Self

from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.gear import Weapon
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError
from brickphys.rules.words import NAME


@dataclass(frozen=True, slots=True)
class Switch(TurnAction):
    """Exchange a weapon in hand with one on the back or in the bag."""

    word = "switch"
    arguments = (NAME, NAME)
    held: str
    stowed: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every pair that can be switched."""
        return (cls(held, stowed) for held, stowed in _switches(state.me.sheet))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why they cannot be switched."""
        held, stowed = (state.setting.gear.get(name) for name in (self.held, self.stowed))
        if not (isinstance(held, Weapon) and isinstance(stowed, Weapon)):
            yield f"{self.held} and {self.stowed} are not two weapons (BOW 2.3.2)"
            return
        try:
            state.me.sheet.switch(held, stowed)
        except InvalidValueError as error:
            yield f"{error} (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Switch them on the unit's sheet."""
        held, stowed = (state.setting.gear[name] for name in (self.held, self.stowed))
        assert isinstance(held, Weapon)
        assert isinstance(stowed, Weapon)
        sheet = state.me.sheet.switch(held, stowed)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))


@lru_cache(maxsize=4096)
def _switches(sheet: MinifigSheet) -> tuple[tuple[str, str], ...]:
    """Return the names of every pair that can be switched on a sheet."""
    gear = sheet.gear
    held, stowed = (
        [item for item in dict.fromkeys(items) if isinstance(item, Weapon)]
        for items in (gear.held, gear.back + gear.bag)
    )
    pairs = product(held, stowed)
    return tuple((one.name, other.name) for one, other in pairs if _fits(sheet, one, other))


def _fits(sheet: MinifigSheet, held: Weapon, stowed: Weapon) -> bool:
    try:
        sheet.switch(held, stowed)
    except InvalidValueError:
        return False
    return True
