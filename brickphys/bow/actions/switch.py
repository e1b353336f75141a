"""Switch: exchange weapons, or draw one (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.gear import BARE_HANDS, Weapon
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class Switch(TurnAction):
    """Exchange a weapon in hand with one on the back or in the bag, or draw one into a free hand."""

    word = "switch"
    arguments = (NAME, NAME)
    held: str
    stowed: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every pair that can be switched, then every weapon that can be drawn."""
        gear = state.me.sheet.gear
        stowed = [
            item for item in dict.fromkeys((*gear.back, *gear.bag)) if isinstance(item, Weapon)
        ]
        pairs = [(held.name, other.name) for held, other in gear.switches()] if stowed else []
        pairs += [(BARE_HANDS, item.name) for item in stowed]
        return without_problems(state, (cls(held, other) for held, other in pairs))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why they cannot be switched."""
        held, stowed = (_weapon(state, name) for name in (self.held, self.stowed))
        if stowed is None or (held is None and self.held != BARE_HANDS):
            yield f"{self.held} and {self.stowed} are not two weapons (BOW 2.3.2)"
        else:
            try:
                _switched(state.me.sheet, held, stowed)
            except InvalidValueError as error:
                yield f"{error} (BOW 2.3.2)"

    def apply(self, state: State) -> State:
        """Switch them on the unit's sheet."""
        stowed = _weapon(state, self.stowed)
        assert stowed is not None
        sheet = _switched(state.me.sheet, _weapon(state, self.held), stowed)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))


def _switched(sheet: MinifigSheet, held: Weapon | None, stowed: Weapon) -> MinifigSheet:
    return sheet.draw(stowed) if held is None else sheet.switch(held, stowed)


def _weapon(state: State, name: str) -> Weapon | None:
    item = state.setting.gear.get(name)
    return item if isinstance(item, Weapon) else None
