"""What to do: one sentence about the marks that are in the picture now."""

from collections.abc import Sequence
from typing import Any

from brickphys.rules.players.choices import Choice

_CHOOSE = "a yellow ring to choose what is in it"
_LYING = "a yellow ring to go to what is in it"


def what_to_do(choices: Sequence[Choice[Any]], reaches_mm: Sequence[float], *, acts: bool) -> str:
    """Return what one may click, by what is lit.

    Parameters
    ----------
    choices
        Those that have a place in the picture.
    reaches_mm
        How far the piece or object at the place of each goes on the ground; 0 where none is.
    acts
        Whether a piece that acts has a ring.
    """
    goes = [one for one in choices if not one.is_attack]
    held = [reach > 0 for one, reach in zip(choices, reaches_mm, strict=True) if not one.is_attack]
    clicks = []
    if not all(held):
        clicks.append("a yellow place to go there")
    if any(held):
        clicks.append(_CHOOSE if all(held) else _LYING)
    if len(goes) < len(choices):
        clicks.append("a red ring to attack")
    white = " The white ring is around who acts." if acts else ""
    if not clicks:
        return f"Use the buttons: nothing in the picture can be clicked now.{white}"
    return f"Click {_or(clicks)}; or use the buttons.{white}"


def _or(parts: Sequence[str]) -> str:
    """Write alternatives."""
    *first, last = parts
    return f"{', '.join(first)} or {last}" if first else last
