"""Names: names of units and things, their owners, and what a person means by typed words.

`Readings` are what typed words may mean, given the grammar of actions and the names in play.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, groupby, islice
from string import digits
from typing import Any, NamedTuple, Protocol, TypeAlias
from unicodedata import combining, normalize

from brickphys.errors import InvalidValueError
from brickphys.grid.grid import SIDE_NAMES, nearest_facing
from brickphys.rules.words import ANGLE, NAME, Action, Argument, ChooseType, without_problems
from brickphys.text import nearest

MOST_NAMED = 8
"""Number of names that a message lists if there are more."""


class Naming(NamedTuple):
    """What goes with a name."""

    player: int | None = None
    """The player whose thing it is; None for a thing of nobody."""
    letter: str = ""
    """Its letter on the map; empty if it has none."""


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

    `owners` are the player of each, where it is not the one that it began with.
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


def names_text(names: Iterable[str]) -> str:
    """Write names, those that differ only by consecutive numbers as one: ``hind_sailor_2..5``."""
    return ", ".join(_grouped(names))


def compass(heading_deg: float) -> str:
    """Return the direction nearest to a heading in words: ``north-east``."""
    return SIDE_NAMES[nearest_facing(heading_deg)]


def degrees_text(angle_deg: float) -> str:
    """Return an angle in degrees as it can be typed: to a millionth, without zeros at the end."""
    return ANGLE.write(round(angle_deg, 6) + 0.0)


def heading_text(heading_deg: float) -> str:
    """Return a heading in degrees, at least 0 and below 360, as it can be typed."""
    return degrees_text(round(heading_deg, 6) % 360.0)


def facing_text(heading_deg: float) -> str:
    """Return a heading as it can be typed: in words if it is one of eight directions, else in degrees: ``38.6°``."""
    words, text = compass(heading_deg), heading_text(heading_deg)
    return words if text == ANGLE.tidy(words) else f"{text}°"


def _grouped(names: Iterable[str]) -> Iterator[str]:
    """Yield names, runs of consecutive numbers as one."""
    parts = [(name.rstrip(digits), name) for name in names]
    numbered = enumerate((stem, int(name[len(stem) :] or -1)) for stem, name in parts)
    for (stem, _), run in groupby(numbered, lambda entry: (entry[1][0], entry[1][1] - entry[0])):
        numbers = [number for _, (_, number) in run]
        if numbers[0] < 0:
            yield stem
        else:
            yield f"{stem}{numbers[0]}" + f"..{numbers[-1]}" * (len(numbers) > 1)


_MOST_WORDS = 12
_MOST_READINGS = 60
_Found = tuple[str | None, ...]
"""The text of each argument; None for one that is lacking."""


@dataclass(frozen=True)
class Readings:
    """What a text may mean."""

    meant: tuple[str, ...]
    """The notations of the actions that it may be."""
    guesses: tuple[str, ...] = ()
    """If arguments are missing and no legal action has the others: the notations of actions that have. They serve only
    to tell why there is none."""
    why: str = ""
    """Why no action of this type can be chosen now; empty if one can, or if the text is a whole action."""


def readings(
    types: Mapping[str, type[Action[Any]]],
    allowed: Mapping[str, type[Action[Any]]],
    names: Names,
    state: Any,
    text: str,
) -> Readings:
    """Return what a text may mean: ``go 8, 12 north`` is ``go 8 12 90``, ``attack Knight 2 sword`` names a knight.

    `types` are all types of actions, `allowed` those that may be chosen in the state, by their words.
    """
    word, _, rest = text.strip().partition(" ")
    kind = types.get(word) or types.get(word.lower())
    if kind is None or not kind.arguments:
        return Readings((text,))
    is_asked = kind.word in allowed
    if is_asked and _is_meant(kind, text.strip(), state):
        return Readings((text.strip(),))  # as it is listed, whatever else it may be like
    reader, arguments = _Reader(names), tuple(kind.arguments)
    found = reader.best(rest, arguments) if rest else []
    whole = [" ".join([kind.word, *filter(None, one)]) for one in found if None not in one]
    if whole:
        is_sense = not is_asked or any(_is_meant(kind, one, state) for one in whole)
        parts = [] if is_sense else reader.best(rest, arguments, lacking=1)
        some = _begun(kind, parts, state) if parts else None
        return some or Readings(tuple(dict.fromkeys(whole)))
    if not is_asked:
        return Readings((text,))
    some = _completed(kind, found, state) if found else None
    return some or Readings((text,), _nothing(kind, allowed, state))


def _is_meant(kind: type[Action[Any]], text: str, state: Any) -> bool:
    """Return whether a whole action is legal, or one of the illegal ones that may be meant."""
    try:
        action = kind.parse(text.split(" ")[1:])
    except InvalidValueError:
        return False
    return next(action.problems(state), None) is None or action in kind.candidates(state)


def _begun(kind: type[Action[Any]], found: Sequence[_Found], state: Any) -> Readings | None:
    """Return the actions that have the arguments that are there: legal ones, or else guesses; None if there is none."""
    if whole := _with(found, kind.legal(state)):
        return Readings(whole)
    guesses = _with(found, kind.candidates(state))
    return Readings((), guesses) if guesses else None


def _completed(kind: type[Action[Any]], found: Sequence[_Found], state: Any) -> Readings | None:
    """Return the legal actions that have the arguments that are there; or guesses that have them, or another's."""
    if some := _begun(kind, found, state):
        return some
    usual = filter(None, (kind.completed(state, words) for words in found))
    if whole := tuple(one.text() for one in without_problems(state, usual)):
        return Readings(whole)
    other = next(kind.candidates(state), None)
    if other is None:
        return None
    own = other.text().split(" ")[1:]
    filled = [word or instead for word, instead in zip(found[0], own, strict=True)]
    return Readings((), (" ".join([kind.word, *filled]),))


def _with(found: Sequence[_Found], actions: Iterable[Action[Any]]) -> tuple[str, ...]:
    """Return the notations of those actions that have the arguments that were found."""
    texts = [action.text() for action in actions]
    return tuple(text for text in texts if any(_agree(one, text.split(" ")[1:]) for one in found))


def _nothing(
    kind: type[Action[Any]], allowed: Mapping[str, type[Action[Any]]], state: Any
) -> tuple[str, ...]:
    """Return the choice of a type of which no action is legal, as a guess: the game says so; none for another type."""
    menus = (each for each in allowed.values() if issubclass(each, ChooseType))
    menu = next((each.word for each in menus if kind in each.types), None)
    return () if menu is None or kind.is_possible(state) else (f"{menu} {kind.word}",)


def _agree(found: _Found, own: Sequence[str]) -> bool:
    pairs = zip(found, own, strict=False)  # behind its arguments an action may have more words
    return len(found) == len(own) and all(word in (None, other) for word, other in pairs)


def _splits(rest: str) -> Iterable[tuple[str, ...]]:
    """Yield the words of a text: as they are; with ``12, 7`` and ``12 7`` as one word; with commas as blanks."""
    places = re.sub(r"\s*,\s*", ",", rest)
    bare = re.sub(r"\b(from|into|onto|facing) ", "", rest)  # words that only lists have
    forms = (rest, bare, places, re.sub(r"(?<=\d)\s+(?=\d)", ",", rest), bare.replace(",", " "))
    found = (tuple(form.split()) for form in dict.fromkeys(forms))
    return (words for words in found if len(words) <= _MOST_WORDS)


class _Reader:
    """Reads words as arguments; what words are as names is worked out once."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._meant = cache(lambda typed: meant(names, typed))

    def best(self, rest: str, arguments: tuple[Argument, ...], lacking: int = 0) -> list[_Found]:
        """Return the ways to read a text that lack the fewest arguments, and have the fewest unknown names.

        They lack as many arguments as `lacking` at least.
        """
        best, least = list[_Found](), (len(arguments), 0)
        for words in _splits(rest):
            for one in islice(self._assigned(words, arguments), _MOST_READINGS):
                unknown = sum(
                    argument is NAME and word is not None and word not in self._names
                    for argument, word in zip(arguments, one, strict=True)
                )
                rank = (one.count(None), unknown)
                if rank[0] < lacking:
                    continue
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
