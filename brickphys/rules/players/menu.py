"""Menu: actions as numbered lines for people, those with the same first word together, and lines wrapped to a width."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from textwrap import fill

from brickphys.rules.report.ink import Ink, Inked, Span
from brickphys.text import columns

WIDTH = 100
_INDENT = "  "
_NUMBER = re.compile(r"(?<=  )\d+(?= )")
"""The number of an action in a line."""
_IS_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_IN_COLUMN = re.compile(r"  \S+ +(?=\S)")
_LEAST_COLUMNS = 20
"""Lines are not wrapped shorter than that."""


def menu(
    texts: Sequence[str],
    purposes: Sequence[str],
    width: int = WIDTH,
    form: Callable[[str], str] = lambda _: "",
    warnings: Collection[str] = (),
) -> Iterator[Inked]:
    """Yield lines that show actions, numbered from 1 on unless `is_numbered` says otherwise.

    Parameters
    ----------
    texts
        Their notations, in order.
    purposes
        What each is for; empty where nothing is to be said.
    width
        Characters in a line.
    form
        Returns what follows a first word, for its heading; empty if nothing is to be said.
    warnings
        What of the purposes is shown as a warning.
    """
    numbered = is_numbered(texts)
    warning = re.compile("|".join(map(re.escape, warnings)) or "(?!)")
    for line in _lines(texts, purposes, width, form, numbered=numbered):
        found = _NUMBER.finditer(line) if numbered else ()
        spans: list[Span] = [(*match.span(), Ink.MARK) for match in found]
        spans += [(*match.span(), Ink.FAULT) for match in warning.finditer(line)]
        yield Inked(line, sorted(spans, key=lambda span: span[:2]))


def _lines(
    texts: Sequence[str],
    purposes: Sequence[str],
    width: int,
    form: Callable[[str], str],
    *,
    numbered: bool,
) -> Iterator[str]:
    """Yield the lines of a menu."""
    entries = [
        (text.partition(" "), f"{number} " if numbered else "", f" - {purpose}" if purpose else "")
        for number, (text, purpose) in enumerate(zip(texts, purposes, strict=True), start=1)
    ]
    for word, group in groupby(entries, key=lambda entry: entry[0][0]):
        members = list(group)
        if len(members) == 1:
            (_, _, rest), label, purpose = members[0]
            yield f"{_INDENT}{label}{word} {rest}".rstrip() + purpose
            continue
        yield f"{_INDENT}{word}" + (f" ({form(word)})" if form(word) else "")
        yield from _side_by_side(
            [label + rest + purpose for (_, _, rest), label, purpose in members], width
        )


def is_numbered(texts: Sequence[str]) -> bool:
    """Tell whether a number can stand for an action: not if an action is one itself, with or without its first word."""
    return not any(
        _IS_NUMBER.fullmatch(text.rpartition(" ")[2]) and text.count(" ") <= 1 for text in texts
    )


def below_heading(texts: Sequence[str], words: str) -> list[str]:
    """Return the notations that the menu shows as these words, below their common first word."""
    return [text for text in texts if text.partition(" ")[2] == words]


def _side_by_side(entries: Sequence[str], width: int) -> Iterator[str]:
    """Yield entries side by side, in rows."""
    fitting = max(1, (width - 2 * len(_INDENT)) // (max(map(len, entries)) + 2))
    rows = (entries[start : start + fitting] for start in range(0, len(entries), fitting))
    yield from columns(rows, 2 * _INDENT)


def wrapped(line: str, columns: int) -> str:
    """Return a line as several that are at most so long, broken between words.

    What follows a word in a column of its own stays in the other column.
    """
    column = _IN_COLUMN.match(line)
    indent = len(column[0]) if column else len(_INDENT)
    return fill(
        line,
        max(columns, _LEAST_COLUMNS),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
