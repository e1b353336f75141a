"""Roll words: what the text of a roll, written for the command line, says on a page."""

import re
from collections.abc import Iterable

from brickphys.text import spoken

_COMMAND = re.compile(r" \(brickphys [^)]*\)")
_OPTION = re.compile(r"--([a-z][a-z-]*)")
_ROLL = re.compile(r"``(\w+)``")
_FOR_A_TERMINAL = ("brickphys ", ".toml")


def page_words(text: str) -> str:
    """Return a sentence in which options are the fields of the page."""
    return _OPTION.sub(lambda found: f"'{spoken(found[1].replace('-', '_')).capitalize()}'", text)


def roll_words(documentation: str, rolls: Iterable[str]) -> str:
    """Return the documentation of a roll without its example, commands and files, which a page does not have.

    Parameters
    ----------
    documentation
        Of the function.
    rolls
        Names of all rolls of the game: one that is named is told as the page calls it.
    """
    known = set(rolls)
    text = documentation.partition("\n\nExample:")[0]
    text = _COMMAND.sub("", " ".join(text.split()))
    kept = (
        one
        for one in re.split(r"(?<=\.) (?=[A-Z])", text)
        if not any(word in one for word in _FOR_A_TERMINAL)
    )
    told = _ROLL.sub(
        lambda found: f"the roll '{spoken(found[1])}'" if found[1] in known else found[1],
        " ".join(kept),
    )
    return page_words(told).replace("`", "")
