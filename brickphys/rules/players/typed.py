"""Typed: finds the action that a person types by number, words or parts of words, or tells why there is none.

The menu shows actions as numbered lines, those with the same first word together, and lines wrapped to a width.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from textwrap import fill
from typing import Generic

from brickphys.errors import InvalidValueError
from brickphys.grid.grid import FACING_NAMES, SIDE_NAMES
from brickphys.rules.game import Game
from brickphys.rules.names import MOST_NAMED, folded, like, meant, some
from brickphys.rules.record import Action, State, View
from brickphys.rules.report.char_map import Ink, Inked, Span
from brickphys.text import columns

WIDTH = 100
_INDENT = "  "
_LISTED_NUMBER = re.compile(r"(?<=  )\d+(?= )")
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

    `purposes` tell what each is for, and `form` what follows a first word, for its heading; empty where nothing is to
    be said. Of the purposes the `warnings` are shown as such.
    """
    numbered = is_numbered(texts)
    warning = re.compile("|".join(map(re.escape, warnings)) or "(?!)")
    for line in _lines(texts, purposes, width, form, numbered=numbered):
        found = _LISTED_NUMBER.finditer(line) if numbered else ()
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


_MOST_WHYS = 3
"""Actions of which each is told why it is illegal, where only a part of them was typed."""
_UNKNOWN = re.compile(r"'([\w+]+)': known: ((?:[\w+]+, )*[\w+]+)")
"""What games say of a name that is none of theirs."""
_PLACE = re.compile(r"[a-z]\d+|\d[\d.]*[\s,]+[\d.]+|\d+[.;/:x]\d+", re.IGNORECASE)
"""A place without any other words: ``12,7``, ``12.5 7``, ``S12``; where squares have whole numbers, ``12.7``."""
_HEADING = "|".join([*map(re.escape, (*SIDE_NAMES, *FACING_NAMES)), r"-?\d[\d.]*°?"])
_PLACE_AND_HEADING = re.compile(
    rf"(?:{_PLACE.pattern})(?:[\s,]+(?:facing\s+)?(?:{_HEADING}))?", re.IGNORECASE
)
"""A place, maybe with where somebody faces there: ``S12 n``, ``12,7 north``, ``12 7 facing 90°``."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def _plain(text: str) -> str:
    """Return a text without the signs that only lists have: ``go 12,7 facing 90°`` as ``go 12 7 90``."""
    return re.sub(r"[\s,]+(facing )?", " ", text).replace("°", "")


def is_place(text: str) -> bool:
    """Tell whether a text is a place without any other words."""
    return _PLACE.fullmatch(text) is not None


def is_place_or_pose(text: str) -> bool:
    """Tell whether a text is a place, maybe with a heading behind it."""
    return _PLACE_AND_HEADING.fullmatch(text) is not None


class Typed(Generic[State, Action, View]):
    """Reads what a person types where one of some actions is asked for.

    Parameters
    ----------
    game, state
        The game, and a state that looks to the person as the true one.
    commands
        What can be typed besides actions, for suggestions.

    Attributes
    ----------
    texts, shown
        The notations of the actions, and how the list shows them: rounded, as far as they stay different.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        state: State,
        actions: Sequence[Action],
        commands: Iterable[str] = (),
    ) -> None:
        self.game = game
        self.state = state
        self.actions = actions
        self.texts = [game.format_action(action) for action in actions]
        shown = [game.shown(action) for action in actions]
        self.shown = [
            one if one and shown.count(one) == 1 else text
            for one, text in zip(shown, self.texts, strict=True)
        ]
        self._commands = tuple(commands)

    def action(self, text: str) -> Action:
        """Return the action that was typed: its words or number, or words that only one legal action has.

        InvalidValueError if it is no action, or an illegal one, with every reason; or if several may be meant.
        """
        plain, shown = _plain(text), list(map(_plain, self.shown))
        below = ["" if self._needs_word(one) else one.partition(" ")[2] for one in shown]
        places = [one.rpartition(" ")[0] for one in below] if is_place(text) else []
        for typed, listed in ((text, self.texts), (plain, shown), (plain, below), (plain, places)):
            if typed and listed.count(typed) == 1:
                return self.actions[listed.index(typed)]
        if text.isdecimal() and is_numbered(self.texts):
            if 1 <= len(text) <= 6 and 1 <= int(text) <= len(self.actions):
                return self.actions[int(text) - 1]
            raise InvalidValueError(f"{text} is not between 1 and {len(self.actions)}")
        below = [one for one in self.texts if one.startswith(f"{text} ")]
        wordless = [one for one in self.texts if not self._needs_word(one)]
        if named := below_heading(wordless, text) or (below if text in self._headings() else []):
            if len(named) > 1:
                raise AmbiguousError(text, named)
            return self.actions[self.texts.index(named[0])]
        return self._read(text)

    def _read(self, text: str) -> Action:
        """Return the action of a text, with or without the words above it in the list."""
        try:
            return self._one(text, [text])
        except _UnreadError as error:
            fault = error
        is_number = _NUMBER.fullmatch(text) and not is_numbered(self.texts)
        known = (
            is_place_or_pose(text)
            or is_number
            or meant(self.game.names(self.state), text.split(" ")[0])
        )
        for forms in self._headed(text):
            with suppress(_UnreadError):
                return self._one(text, forms, tells=bool(known))
        if purposes := self._for_purpose(text):
            return purposes[0]
        raise self._unknown(text, fault)

    def _for_purpose(self, text: str) -> list[Action]:
        """Return the listed action behind which these words stand, up to a comma at least, if it is the only one."""
        purposes = (self.game.purpose(self.state, one).lower() for one in self.actions)
        pairs = zip(self.actions, purposes, strict=True)
        asked = f"{text.lower()}, "
        found = [action for action, purpose in pairs if f"{purpose}, ".startswith(asked)]
        return found if len(found) == 1 else []

    def _headed(self, text: str) -> Iterator[list[str]]:
        """Yield forms of a text with words of the list before it, or whole where they are only begun."""
        headings, kinds = self._headings(), self._kinds()
        yield [f"{one} {text}" for one in headings if not self._needs_word(one)]
        if is_place_or_pose(text):
            yield [f"{one} {text}" for one in kinds]
        word, _, rest = text.partition(" ")
        begun = [one for one in (*headings, *kinds) if len(word) > 1 and one.startswith(word)]
        if len(begun) == 1:
            yield [f"{begun[0]} {rest}"] if rest else [begun[0], *below_heading(self.texts, *begun)]

    def _needs_word(self, text: str) -> bool:
        """Tell whether the word of an action must be typed."""
        return self.game.needs_word(text.partition(" ")[0])

    @property
    def words(self) -> list[str]:
        """The words with which choices of the list may begin, each once."""
        return [*self._kinds(), *self._headings()]

    def _headings(self) -> list[str]:
        """Return the first words of the list, each once."""
        return list(dict.fromkeys(one.partition(" ")[0] for one in self.texts))

    def _kinds(self) -> list[str]:
        """Return the second words of choices that have two, each once: kinds of actions, or names."""
        return list(dict.fromkeys(one.split(" ")[1] for one in self.texts if one.count(" ") == 1))

    def _one(self, text: str, forms: Iterable[str], *, tells: bool = True) -> Action:
        """Return the only legal action that some forms of a text may mean.

        _UnreadError if they mean none; InvalidValueError if several are legal, or, if it `tells` that, why none is.
        """
        found, whys, faults = self._meanings(forms)
        if is_place_or_pose(text):  # of a name that looks like a place nothing is told
            places = {one: self.game.place_of(self.state, each) for one, each in found.items()}
            found = {one: each for one, each in found.items() if places[one] is not None}
        reasons = {one: "; ".join(self._problems(action)) for one, action in found.items()}
        legal = {one: action for one, action in found.items() if not reasons[one]}
        if len(legal) == 1:
            return next(iter(legal.values()))
        is_alike = len({one.partition(" ")[0] for one in found}) < len(found)
        if legal or (is_alike and len(set(reasons.values())) > 1):
            raise AmbiguousError(text, list(legal or found))
        if found and tells:
            notation, why = next(iter(reasons.items()))
            raise InvalidValueError(
                f"{(text if is_alike else notation)!r} is illegal: {_clear(why)}"
            )
        if whys and tells:
            raise InvalidValueError(_clear(_why_none(text, whys)))
        raise _UnreadError(faults[0] if faults else "")

    def _meanings(
        self, forms: Iterable[str]
    ) -> tuple[dict[str, Action], dict[str, str], list[str]]:
        """Return the actions that forms of a text mean, why those are illegal that they may mean, and what is unread.

        The actions and the reasons are by their notations.
        """
        found, whys, faults = dict[str, Action](), dict[str, str](), list[str]()
        for form in forms:
            readings = self.game.readings(self.state, form)
            for notation in readings.meant or [form]:
                try:
                    found[notation] = self.game.parse_action(notation)
                except InvalidValueError as error:
                    faults.append(str(error))
            for guess in readings.guesses:
                if reasons := self._problems(self.game.parse_action(guess)):
                    whys[guess] = "; ".join(reasons)
            if readings.why:
                whys[form] = readings.why
        return found, whys, faults

    def _problems(self, action: Action) -> list[str]:
        return self.game.problems(self.state, action)

    def _unknown(self, text: str, fault: InvalidValueError) -> InvalidValueError:
        """Return the error for what is no action: with what is like it, or with what is asked for."""
        first = self.game.first_choice(self.state)
        if is_place_or_pose(text):
            asked = (
                first or f"the question does not ask for a place: {self.game.prompt(self.state)}"
            )
            return (InvalidValueError if first else NotAskedError)(f"{text}: {asked}")
        if not str(fault).startswith("unknown action"):
            return fault
        word, blank, rest = text.partition(" ")
        asked = first or self._choices()
        if word in self._commands:
            return InvalidValueError(f"{word!r} is a command, not an action: {asked}")
        called = text if self._named(text) else word
        named = self._named(called)
        if not (named and called == text) and (nearest := self._like(text)):
            return InvalidValueError(f"unknown action {text!r}: did you mean {nearest!r}?")
        if named:
            kind = InvalidValueError if first else NotAskedError
            return kind(f"{called!r} is {named}, not an action: {asked}")
        if not first and (other := like(self.game.action_words(), word)):
            fixed = f"{other}{blank}{rest}"
            return InvalidValueError(
                f"unknown action {word!r}: did you mean {other!r}? {self._why(fixed)}"
            )
        return InvalidValueError(f"unknown action {word!r}: {asked}")

    def _why(self, text: str) -> str:
        """Return why a text that begins with the word of an action is none that can be chosen here."""
        try:
            return repr(self.game.format_action(self._one(text, [text])))
        except InvalidValueError as error:
            return str(error)

    def _named(self, word: str) -> str:
        """Return in words whose name a word is; empty if it is nobody's."""
        state = self.state
        players = (self.game.player_name(state, each) for each in range(self.game.players(state)))
        if word.lower() in map(str.lower, players):
            return "a player"
        found = meant(self.game.names(state), word)
        names = [name for name in found if len(word) == 1 or folded(name)[:1] == folded(word)[:1]]
        return f"the name of {some(names)}" if names else ""

    def _like(self, text: str) -> str | None:
        """Return what can be typed here and is like a text: a choice of the list, or one with its first word."""
        word, blank, rest = text.partition(" ")
        below = (one.partition(" ")[2] for one in self.texts)
        if whole := like([*self.texts, *filter(None, below)], text):
            return whole
        first = like([*self.words, *self._commands], word)
        return None if first is None else f"{first}{blank}{rest}"

    def _choices(self) -> str:
        """Return what can be chosen here, in short."""
        names = list[str]()
        for word in self._headings():
            below = [one for one in self.texts if one.partition(" ")[0] == word]
            rests = list(dict.fromkeys(one.partition(" ")[2] or one for one in below))
            names += rests if len(rests) <= MOST_NAMED else [f"{word}, such as {below[0]}"]
        return f"choose from {some(names)}"


class AmbiguousError(InvalidValueError):
    """What was typed may mean several actions: their notations."""

    def __init__(self, text: str, notations: Sequence[str]) -> None:
        super().__init__(f"{text!r} is ambiguous: {some(notations)}")
        self.notations = notations


class NotAskedError(InvalidValueError):
    """What was typed is a place or a name, which the question does not ask for."""


class _UnreadError(InvalidValueError):
    """What was typed cannot be read as an action in the way that was tried."""


def _why_none(text: str, whys: Mapping[str, str]) -> str:
    """Return why none of the actions is legal that a text may be a part of, given the reasons of each."""
    if len(set(whys.values())) == 1:
        return f"{text}: {next(iter(whys.values()))}"
    told = [f"{notation!r}: {why}" for notation, why in list(whys.items())[:_MOST_WHYS]]
    more = [f"and {len(whys) - _MOST_WHYS} more"] if len(whys) > _MOST_WHYS else []
    return f"{text}: {'; '.join([*told, *more])}"


def _clear(reasons: str) -> str:
    """Return reasons in which an unknown name is answered with the one that is like it, or with a short list."""
    return _UNKNOWN.sub(lambda found: f"'{found[1]}': {_known(found[1], found[2])}", reasons)


def _known(name: str, known: str) -> str:
    names = known.split(", ")
    if nearest := like(names, name):
        return f"did you mean {nearest!r}?"
    return f"known: {some(names)}"
