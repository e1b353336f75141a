"""Readings: what a person may mean by typed words, given the grammar of actions and the names in play."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from brickphys.rules.names import Names, meant
from brickphys.rules.words import NAME, Action, Argument

_MOST_WORDS = 12
_MOST_READINGS = 60
_Found = tuple[str | None, ...]
"""The text of each argument; None for one that is lacking."""


@dataclass(frozen=True)
class Readings:
    """What a text may mean.

    Attributes
    ----------
    meant
        The notations of the actions that it may be.
    guess
        If arguments are missing and no legal action has the others: the notation of one that has. It serves only to
        tell why there is none; empty if there is nothing to tell.
    """

    meant: tuple[str, ...]
    guess: str = ""


def readings(
    types: Mapping[str, type[Action[Any]]],
    allowed: Mapping[str, type[Action[Any]]],
    names: Names,
    state: Any,
    text: str,
) -> Readings:
    """Return what a text may mean: ``go 8, 12 north`` is ``go 8 12 90``, ``attack Knight 2 sword`` names a knight.

    Parameters
    ----------
    types, allowed
        All types of actions, and those that may be chosen in the state, by their words.
    names
        The names in play.
    state, text
        The state, and what was typed.
    """
    word, _, rest = text.strip().partition(" ")
    kind = types.get(word) or types.get(word.lower())
    if kind is None or not rest:
        return Readings((text,))
    found = _Reader(names).best(rest, tuple(kind.arguments))
    whole = [" ".join([kind.word, *filter(None, one)]) for one in found if None not in one]
    if whole:
        return Readings(tuple(dict.fromkeys(whole)))
    pairs = zip(kind.arguments, found[0] if found else (), strict=False)
    is_new = any(argument is NAME and word not in (None, *names) for argument, word in pairs)
    completed = None if is_new or kind.word not in allowed else _completed(kind, found, state)
    return completed or Readings((text,))


def _completed(kind: type[Action[Any]], found: Sequence[_Found], state: Any) -> Readings | None:
    """Return the legal actions that have the arguments that are there; or a guess with those of another one."""
    if not found:
        return None
    legal = [one.text() for one in kind.legal(state)]
    arguments = [text.split(" ")[1:] for text in legal]
    whole = tuple(
        text
        for text, own in zip(legal, arguments, strict=True)
        if any(_agree(one, own) for one in found)
    )
    if whole or not legal:
        return Readings(whole) if whole else None
    filled = [word or own for word, own in zip(found[0], arguments[0], strict=True)]
    return Readings((), " ".join([kind.word, *filled]))


def _agree(found: _Found, own: Sequence[str]) -> bool:
    return all(word in (None, other) for word, other in zip(found, own, strict=True))


def _splits(rest: str) -> Iterable[tuple[str, ...]]:
    """Yield the words of a text: as they are; with ``12, 7`` and ``12 7`` as one word; with commas as blanks."""
    places = re.sub(r"\s*,\s*", ",", rest)
    forms = (rest, places, re.sub(r"(?<=\d)\s+(?=\d)", ",", rest), rest.replace(",", " "))
    found = (tuple(form.split()) for form in dict.fromkeys(forms))
    return (words for words in found if len(words) <= _MOST_WORDS)


class _Reader:
    """Reads words as arguments; what words are as names is worked out once."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._meant = cache(lambda typed: meant(names, typed))

    def best(self, rest: str, arguments: tuple[Argument, ...]) -> list[_Found]:
        """Return the ways to read a text that lack the fewest arguments, and have the fewest unknown names."""
        best, least = list[_Found](), (len(arguments), 0)
        for words in _splits(rest):
            for one in islice(self._assigned(words, arguments), _MOST_READINGS):
                unknown = sum(
                    argument is NAME and word is not None and word not in self._names
                    for argument, word in zip(arguments, one, strict=True)
                )
                rank = (one.count(None), unknown)
                if rank < least:
                    best, least = [], rank
                if rank == least and one.count(None) < len(arguments):
                    best.append(one)
        return list(dict.fromkeys(best))

    def _assigned(
        self, words: tuple[str, ...], arguments: tuple[Argument, ...]
    ) -> Iterator[_Found]:
        """Yield the ways to give all words to arguments in order; names may have several words."""
        if not arguments:
            if not words:
                yield ()
            return
        first, others = arguments[0], arguments[1:]
        most = min(len(words), _MOST_WORDS if first is NAME else 2)
        for count in range(most, 0, -1):
            for one in self._texts(first, words[:count]):
                yield from ((one, *more) for more in self._assigned(words[count:], others))
        yield from ((None, *more) for more in self._assigned(words, others))

    def _texts(self, argument: Argument, words: tuple[str, ...]) -> Sequence[str]:
        """Return how some words are written as an argument; a single word that is no known name may be one."""
        if argument is not NAME:
            if len(words) > 1 and not (words[0].isalpha() and words[1].isdecimal()):
                return []  # only gun 0 and S 12 are one word in two
            word = "".join(words)
            forms = map(argument.tidy, (word, word.lower()))
            return [form for form in forms if argument.fits(form)][:1]
        if known := self._meant(" ".join(words)):
            return known
        word = words[0].lower()
        return [word] if len(words) == 1 and argument.fits(word) else []
