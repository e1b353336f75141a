"""Unit words: units as people name them on the command line: ``2*archers``, ``soldier,sword``, ``mine.toml``."""

import re

_NAME = re.compile(r"(?:[0-9]+\*)?([^\W\d]\w*)")
"""A name, maybe after how many there are."""


def is_name(word: str) -> bool:
    """Tell whether a word begins with the name of a unit, of a game or of a file of units, and is not a number."""
    return _NAME.match(word) is not None or is_unit_file(word)


def is_unit_file(word: str) -> bool:
    """Tell whether a word begins with a file of units: ``mine.toml`` or ``mine.toml,gladiator``."""
    return word.partition(",")[0].endswith(".toml")


def unit_name(word: str) -> str:
    """Return the name with which a word begins; the whole word if it begins with none, or with a file."""
    found = None if is_unit_file(word) else _NAME.match(word)
    return found[1] if found else word
