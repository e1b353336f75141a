"""Pending: base classes of pending steps whose fields are numbers of ships and minifigs."""

from typing import ClassVar

from brickphys.pirate_wars.state.state import State
from brickphys.rules.pending import Pending, Question
from brickphys.text import spoken

_SHIPS = ("ship", "target", "attacker", "defender")
"""Fields with the number of a ship."""


def ship_names(state: State, pending: Pending[State]) -> dict[str, str]:
    """Return the names of the ships of something that is pending, by field, as people read them."""
    ships = state.setting.ships
    found = ((field, getattr(pending, field, None)) for field in _SHIPS)
    return {field: spoken(ships[number].name) for field, number in found if number is not None}


class OwnerQuestion(Question[State]):
    """A question to the owner of one of its ships."""

    __slots__ = ()

    owner_of: ClassVar[str] = "ship"  # the field of that ship
    asks: ClassVar[str]  # the prompt, with the fields of its ships in braces

    def player(self, state: State) -> int:
        """Return the owner."""
        number: int = getattr(self, self.owner_of)
        return state.ships[number].owner

    def prompt(self, state: State) -> str:
        """Return the prompt."""
        return self.asks.format(**ship_names(state, self))
