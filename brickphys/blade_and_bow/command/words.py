"""Words: the arguments of actions that are not names, and the base of actions that are legal if they are listed."""

from collections.abc import Iterator
from typing import ClassVar

from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.grid.directions import FACING_NAMES
from brickphys.rules.words import Action, Argument

SQUARE = Argument("square such as S12", r"[A-Z][1-9]\d?", str, tidy=str.upper)
"""The name of a square."""
FACING = Argument(
    f"facing ({', '.join(FACING_NAMES)})",
    "|".join(FACING_NAMES),
    FACING_NAMES.index,
    FACING_NAMES.__getitem__,
    str.lower,
)
"""The number of a facing, written as a compass point."""
NUMBER = Argument("number", r"\d{1,2}", int)
"""A number of ranks, or a face of a die."""


class Listed(Action[State]):
    """An action that is legal wherever it is listed.

    Attributes
    ----------
    section
        The section of the rulebook on the choice, for messages.
    """

    __slots__ = ()

    section: ClassVar[str]

    def problems(self, state: State) -> Iterator[str]:
        """Yield that it is not listed, and what is near to it."""
        listed = tuple(self.legal(state))
        if self not in listed:
            known = [action.text() for action in listed]
            yield f"{unknown('choice', self.text(), known)} ({self.section})"
