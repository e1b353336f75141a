"""Names: names of units and things, their owners, and which of them a person means."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, Protocol, TypeAlias
from unicodedata import combining, normalize

from brickphys.text import nearest

MOST_NAMED = 8
"""Number of names that a message lists if there are more."""


class Naming(NamedTuple):
    """What goes with a name.

    Attributes
    ----------
    player
        The player whose thing it is; None for a thing of nobody.
    letter
        Its letter on the map; empty if it has none.
    """

    player: int | None = None
    letter: str = ""


Names: TypeAlias = Mapping[str, Naming]


class Owned(Protocol):
    """A thing with a name and the player who begins with it."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def player(self) -> int:
        """The number of the player."""
        ...


def player_names(
    specs: Iterable[Owned], letters: Sequence[str] = (), owners: Sequence[int] | None = None
) -> dict[str, Naming]:
    """Return the names of things of players.

    Parameters
    ----------
    specs
        The things.
    letters
        The letter of each on the map.
    owners
        The player of each, where it is not the one that it began with.
    """
    found: dict[str, Naming] = {}
    for number, spec in enumerate(specs):
        player = owners[number] if owners else spec.player
        found[spec.name] = Naming(player, letters[number] if letters else "")
    return found


def meant(names: Names, typed: str) -> list[str]:
    """Return the names that a person may mean by some words, at best one.

    They are the name itself; or the one with this letter on the map; or those that differ in capitals, accents, and in
    what is between the words; or else those some of whose words begin so, in the same order.
    """
    if typed in names:
        return [typed]
    if len(typed) == 1 and (lettered := [one for one in names if names[one].letter == typed]):
        return lettered
    words = folded(typed)
    if not words:
        return []
    forms = {name: folded(name) for name in names}
    same = [name for name, form in forms.items() if form == words]
    return same or [name for name, form in forms.items() if _begins(words, form)]


def some(names: Sequence[str]) -> str:
    """Write names on one line; of more than `MOST_NAMED`, the first ones and the number of the rest."""
    more = f", and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def like(names: Iterable[str], typed: str) -> str | None:
    """Return the name that was probably meant by a mistyped one, or by a mistyped part of it; None if none is like it.

    The beginning of several names is returned itself.
    """
    ends, parts = dict[str, str](), dict[str, str]()
    for name in names:
        words = folded(name)
        for start, end in combinations(range(len(words) + 1), 2):
            form = " ".join(words[start:end])
            if end == len(words):
                ends[form] = name
            else:
                parts[form] = name if parts.get(form, name) == name else form
    forms = parts | ends
    found = nearest(" ".join(folded(typed)), forms)
    return None if found is None else forms[found]


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, ...]:
    """Return the words of a text, and the numbers in it, without capitals, accents and signs."""
    plain = "".join(
        letter for letter in normalize("NFKD", text.casefold()) if not combining(letter)
    )
    return tuple(re.findall(r"[a-z]+|\d+", plain))


def _begins(words: Sequence[str], form: Sequence[str]) -> bool:
    """Tell whether words are, in order, numbers of a name and beginnings of its words."""
    rest = iter(form)
    return all(
        any(part == word if word.isdecimal() else part.startswith(word) for part in rest)
        for word in words
    )
