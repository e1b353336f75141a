"""Ink: text with tones that a terminal may show as colours; without colours the text is the same."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Self, TypeAlias

from brickphys.text import spoken


class Ink(Enum):
    """A tone that is not that of a player."""

    MARK = "mark"
    """What may be typed: a number of the list, on the map too."""
    HEAD = "head"
    """What is asked for, and headings."""
    QUIET = "quiet"
    """What is read last: sections of the rulebook, open ground."""
    FAULT = "fault"
    """Why something is not done."""
    WATER = "water"
    PLANTS = "plants"
    STONE = "stone"


Tone: TypeAlias = Ink | int
"""A kind of ink, or the number of the player whose thing it is."""
Span: TypeAlias = tuple[int, int, Tone]
"""From which character up to which other one a tone reaches."""
_SECTION = r"\([A-Z]{2,3} [^()]*\)"


class Inked(str):
    """A text with tones.

    Attributes
    ----------
    spans
        In order; they do not overlap.
    """

    spans: tuple[Span, ...]

    def __new__(cls, text: str = "", spans: Iterable[Span] = ()) -> Self:
        """Return the text with spans."""
        self = super().__new__(cls, text)
        self.spans = tuple(spans)
        return self

    def rstripped(self) -> Self:
        """Return the text without blanks at its end."""
        text = self.rstrip()
        last = len(text)
        kept = ((start, min(end, last), tone) for start, end, tone in self.spans if start < last)
        return type(self)(text, kept)


def inked(text: str, tone: Tone) -> Inked:
    """Return a text that is all in one tone."""
    return Inked(text, [(0, len(text), tone)] if text else [])


def spans_of(text: str) -> tuple[Span, ...]:
    """Return the spans of a text, none for a plain one."""
    return text.spans if isinstance(text, Inked) else ()


def joined(parts: Iterable[str], between: str = "") -> Inked:
    """Return texts as one, with a text between any two of them."""
    parts, spans, at = list(parts), list[Span](), 0
    for part in parts:
        spans += [(start + at, end + at, tone) for start, end, tone in spans_of(part)]
        at += len(part) + len(between)
    return Inked(between.join(parts), spans)


def highlighted(text: str, tones: Mapping[str, Tone]) -> Inked:
    """Return a text in which names have their tones, as written and as spoken, and sections of rulebooks are quiet.

    Parameters
    ----------
    text
        What it has tones for already keeps them.
    tones
        The tone of each name.
    """
    known = {form: tone for name, tone in tones.items() for form in _forms(name)}
    old = spans_of(text)
    return Inked(text, sorted([*old, *_found(text, known, old)], key=lambda span: span[:2]))


def _forms(name: str) -> tuple[str, ...]:
    """Return how a name stands in a text: as it is written, as it is spoken, and so at the beginning of a sentence."""
    said = spoken(name)
    return name, said, said[:1].upper() + said[1:]


def _found(text: str, known: Mapping[str, Tone], old: Iterable[Span]) -> Iterator[Span]:
    for match in _pattern(tuple(known)).finditer(text):
        start, end = match.span()
        if not any(start < other_end and other < end for other, other_end, _ in old):
            yield start, end, known.get(match[0], Ink.QUIET)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds sections and names, of several that begin alike the longest."""
    longest = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(
        rf"{_SECTION}|(?<![\w+])(?:{'|'.join(map(re.escape, longest)) or '(?!)'})(?![\w+])"
    )
