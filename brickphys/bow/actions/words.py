"""Words of BOW: the arguments of its actions, and the actions that take from the Action Budget."""

import re

from brickphys.bow.state.state import State
from brickphys.grid.directions import FACING_NAMES
from brickphys.rules.words import Action, Argument

Cell = tuple[int, int]
"""Column and row of a stud."""


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


CELL = Argument(
    "stud such as 12,7",
    r"\d{1,4},\d{1,4}",
    _cell,
    lambda cell: f"{cell[0]},{cell[1]}",
    lambda text: re.sub(r"(?<=\d)[.;/:x](?=\d)", ",", text),
)
"""A stud; a person may type ``12.7``."""
FACING = Argument(
    f"facing ({', '.join(FACING_NAMES)})",
    "|".join(FACING_NAMES),
    FACING_NAMES.index,
    lambda facing: FACING_NAMES[facing],
)
SPEED = Argument("speed", r"\d{1,2}", int)


class TurnAction(Action[State]):
    """An action of a unit in its turn."""

    __slots__ = ()

    def cost(self, state: State) -> int:
        """Return how many actions it takes from the Action Budget (BOW 2.3)."""
        return 1
