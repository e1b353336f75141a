"""What to do: one sentence about the marks that are in the picture now."""

from collections.abc import Collection, Sequence
from typing import Any

from brickphys.rules.players.choices import Choice
from brickphys.text import spoken

_CHOOSE = "a yellow ring to choose what is in it"


def what_to_do(
    choices: Sequence[Choice[Any]],
    verbs: Sequence[str],
    reaches_mm: Sequence[float],
    here_mm: float | None,
    free_words: Collection[str] = (),
) -> str:
    """Return what one may click, by what is lit.

    Parameters
    ----------
    choices
        Those that have a place in the picture.
    verbs
        What each does; see `verb`.
    reaches_mm
        How far the piece at the place of each goes on the ground; 0 where none stands.
    here_mm
        The same of the place with the white ring, that of the piece that acts; None if there is no ring.
    free_words
        What leads to any place in reach, not only to those that are lit.
    """
    goes = [n for n, one in enumerate(choices) if not one.is_attack]
    words = list(dict.fromkeys(verbs[n] for n in goes if not reaches_mm[n] > 0))
    free, other = _or(words), ", or any other in reach," if {*words} & {*free_words} else ""
    clicks = [f"a yellow place{other} to {free} there"] if free else []
    if any(reaches_mm[n] > 0 for n in goes):
        clicks.append(f"a yellow ring to {free} to what is in it" if free else _CHOOSE)
    if len(goes) < len(choices):
        clicks.append("a red ring to attack")
    if not clicks:
        return f"Use the buttons: nothing is lit in the picture now.{_white(here_mm)}"
    return f"Click {_or(clicks)}; or use the buttons.{_white(here_mm)}"


def _white(here_mm: float | None) -> str:
    """Return what the white ring is; it is around a place where that was just chosen."""
    if here_mm is None:
        return ""
    return f" The white ring is {'around who acts' if here_mm > 0 else 'where the unit goes'}."


def verb(text: str, before: str) -> str:
    """Return what an action does, such as ``walk``: its first word.

    Where that is ``to``, it only completes the action `before`: ``throw knife``, ``to 3,4``.
    """
    word = text.partition(" ")[0]
    return spoken(before.partition(" ")[0] if word == "to" else word)


def _or(parts: Sequence[str]) -> str:
    """Write alternatives; empty if there are none."""
    *first, last = parts or [""]
    return f"{', '.join(first)} or {last}" if first else last
