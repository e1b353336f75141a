"""Where units are, in words."""

from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACING_NAMES
from tests.blade_and_bow.battle import names_of, unit


def place(state: State, name: str) -> str:
    """Return the square and the facing of a unit, else its box."""
    now = state.units[unit(state, name)]
    if now.square is None:
        return now.box.value
    return f"{names_of(state, 1 << now.square)} {FACING_NAMES[now.facing]}"
