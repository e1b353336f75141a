"""Words: the arguments of actions that are not names."""

from brickphys.grid.directions import FACING_NAMES
from brickphys.rules.words import Argument

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
