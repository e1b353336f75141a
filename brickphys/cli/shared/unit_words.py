"""Unit words: units as people name them on the command line, such as ``2*archers`` and ``soldier,sword``."""

import re

_NAME = re.compile(r"(?:[0-9]+\*)?([^\W\d]\w*)")
"""A name, maybe after how many there are."""


def is_name(word: str) -> bool:
    """Tell whether a word begins with the name of a unit or a game, and is not a number."""
    return _NAME.match(word) is not None


def unit_name(word: str) -> str:
    """Return the name with which a word begins; the whole word if it begins with none."""
    found = _NAME.match(word)
    return found[1] if found else word
