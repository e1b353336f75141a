"""Colours: whether a terminal shows colours, and text in colours; players have the colours of the pictures.

All are colours of the palette of 256, from 37 to 68 of 100 in lightness, so that they can be read on dark and on light
screens. Those of players differ in lightness too, for whoever sees no hues.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import click

from brickphys.rules.report.ink import Ink, Tone, spans_of
from brickphys.text import cleaned

PLAYERS = {"red": 160, "blue": 39, "yellow": 100, "orange": 130, "white": 246, "black": 240}
"""The colours of players by the names that pictures give them."""
STYLES: Mapping[Ink, Mapping[str, Any]] = {
    Ink.MARK: {"fg": 172, "bold": True},
    Ink.HEAD: {"bold": True},
    Ink.QUIET: {"dim": True},
    Ink.FAULT: {"fg": 133},
    Ink.WATER: {"fg": 31},
    Ink.PLANTS: {"fg": 64},
    Ink.STONE: {"fg": 102},
}


def has_colours(screen: TextIO | None) -> bool:
    """Tell whether texts on a screen get colours.

    Not where NO_COLOR is set (https://no-color.org); where FORCE_COLOR is; else on terminals that are not dumb.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return screen is not None and screen.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, players: Sequence[str]) -> str:
    """Return a text with its tones as colours, its own control characters escaped.

    Parameters
    ----------
    text
        The text; see `brickphys.rules.report.ink.Inked`.
    players
        The colour of each player, by its name.
    """
    own = [PLAYERS[colour] for colour in players]
    parts, at = list[str](), 0
    for start, end, tone in spans_of(text):
        parts += [
            cleaned(text[at:start]),
            click.style(cleaned(text[start:end]), **_style(tone, own)),
        ]
        at = end
    return "".join([*parts, cleaned(text[at:])])


def _style(tone: Tone, players: Sequence[int]) -> Mapping[str, Any]:
    if isinstance(tone, Ink):
        return STYLES[tone]
    return {"fg": players[tone], "bold": True} if tone < len(players) else {}
