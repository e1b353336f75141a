"""Part: the part of a state on which a result depends; states that share it share the result."""

from dataclasses import dataclass
from typing import Any

from brickphys.blade_and_bow.state.state import State


@dataclass(slots=True, eq=False)
class Part:
    """A part of a state, equal to that of another state with the same key; an argument of functions that remember.

    Attributes
    ----------
    state
        The state; what is worked out of it depends on the key only.
    key
        Its values that count.
    number
        The hash of some of them.
    """

    state: State
    key: tuple[Any, ...]
    number: int

    def __hash__(self) -> int:
        """Return the number."""
        return self.number

    def __eq__(self, other: object) -> bool:
        """Whether another part has the same key."""
        return isinstance(other, Part) and self.key == other.key


def pieces(state: State) -> Part:
    """Return the part on which depends what units can do: all besides hands and the course of a turn."""
    places = state.setting, state.units, state.leaders, state.camps, state.sacked
    return Part(state, (*places, state.played, state.discovered), state.pieces_hash)
