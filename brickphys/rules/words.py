"""Words: actions as values, and their notation: a word and its arguments, separated by blanks."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from brickphys.errors import InvalidValueError, unknown
from brickphys.grid.grid import FACING_NAMES, SIDE_NAMES
from brickphys.rules.record import State

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class Codes:
    """The integers that stand for the values of an argument, from 0."""

    size: int
    write: Callable[[Any], int]
    read: Callable[[int], Any]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """Return the codes of values: their places in the list."""
        listed = tuple(values)
        places = {value: place for place, value in enumerate(listed)}
        return cls(len(listed), places.__getitem__, listed.__getitem__)

    @classmethod
    def decimals(cls, first: int, last: int, places: int) -> Self:
        """Return the codes of numbers with so many decimal places; the first and the last are in units of the last."""
        unit = 10**places
        return cls(
            last - first + 1,
            lambda value: round(value * unit) - first,
            lambda code: (code + first) / unit,
        )


@dataclass(frozen=True)
class Argument:
    """The grammar of one argument."""

    about: str
    """Its description in messages: ``stud such as 12,7``."""
    pattern: str
    """Regular expression of its text."""
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    tidy: Callable[[str], str] = str
    """What a person types, to the text as it is written if it can be read so."""
    show: Callable[[Any], str] | None = None
    """Value to its text in lists for people, which may be rounded; None if it is written there."""
    codes: Codes | None = None
    """The integers that stand for the values; None if it names something of the setup."""

    def fits(self, text: str) -> bool:
        """Tell whether a text has the form of this argument."""
        return re.fullmatch(self.pattern, text, re.ASCII) is not None

    def parse(self, text: str) -> Any:
        """Return the value; InvalidValueError unless the text is exactly how the value is written."""
        if self.fits(text):
            value = self.read(text)
            if (written := self.write(value)) == text:
                return value
            raise InvalidValueError(f"{text!r} is written {written!r}")
        raise InvalidValueError(f"expected {self.about}, not {text!r}")


def one_of(about: str, values: type[Enum]) -> Argument:
    """Return the argument whose values are those of an enumeration of texts."""
    pattern = "|".join(each.value for each in values)
    codes = Codes.of(values)
    return Argument(about, pattern, values, lambda value: str(value.value), codes=codes)


def decimal_text(value: float, places: int) -> str:
    """Return a number rounded to so many decimal places, without zeros at the end and without an exponent."""
    return f"{round(value, places) + 0.0:.{places}f}".rstrip("0").rstrip(".")


def tidy_number(text: str, places: int = 4) -> str:
    """Return a decimal number as it is written: ``12.50`` and ``.5`` as ``12.5`` and ``0.5``; other text as it is.

    It is rounded to so many decimal places.
    """
    is_number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text, re.ASCII)
    return decimal_text(float(text), places) if is_number else text


def tidy_facing(text: str) -> str:
    """Return one of eight facings as it is written, ``north-east`` and ``NE`` as ``ne``; other text in lower case."""
    words = text.lower()
    return FACING_NAMES[SIDE_NAMES.index(words)] if words in SIDE_NAMES else words


NAME = Argument("name", r"[a-z][a-z0-9_+]{0,99}", str)
"""A name from the setup; a message calls such an argument by its field."""
KIND = Argument("kind of action", NAME.pattern, str)
"""The word of a type of actions, even if a thing has the same name."""
ANGLE = Argument(
    "angle in degrees",
    r"-?\d{1,3}(\.\d{1,6})?",
    lambda text: float(text) + 0.0,  # no -0.0
    lambda angle: decimal_text(angle, 6),
    lambda text: (
        str(45 * FACING_NAMES.index(tidy_facing(text)))
        if tidy_facing(text) in FACING_NAMES
        else tidy_number(text.removesuffix("°"), 6)
    ),
    codes=Codes.decimals(-999_999_999, 999_999_999, 6),
)
"""An angle, counter-clockwise from east; a person may type ``north`` or ``90°`` for 90."""
TURN = replace(ANGLE, tidy=lambda text: tidy_number(text.removesuffix("°"), 6))
"""An angle by which something turns: no direction stands for it."""
_UNIT = re.compile("_(deg|in|studs)$")
"""Ending of the name of a field that messages leave out."""


@dataclass(frozen=True, slots=True)
class Action(ABC, Generic[State]):
    """An action; each type of action is a class, whose fields are the arguments."""

    word: ClassVar[str]
    """The first word of the notation; no two types of a game share it."""
    does: ClassVar[str] = ""
    """What it does, as the heading of a list, if its word does not say that."""
    arguments: ClassVar[tuple[Argument, ...]] = ()
    """The grammar of each field; what a type writes behind them has fields of its own, after these."""
    chooses: ClassVar[str] = ""
    """What it chooses that acts next, such as ``a unit``; empty if nothing. Messages say what must be chosen first."""
    form: ClassVar[str] = ""
    """What its arguments are, for the heading of a list, where they do not say it."""
    needs_word: ClassVar[bool] = False
    """Whether a person must type its word, since what is behind it means another action."""
    when: ClassVar[str] = ""
    """When it can be chosen, if that is not whenever its unit acts; for messages."""
    further: ClassVar[Argument | None] = None
    """The grammar of each of any number of values in the field after those of the arguments; None if it has none."""

    @classmethod
    @abstractmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the legal actions of this type, always in the same order; they are those without problems."""

    @abstractmethod
    def problems(self, state: State) -> Iterator[str]:
        """Yield every reason why the action is illegal, each with its section of the rulebook."""

    @abstractmethod
    def apply(self, state: State) -> State:
        """Return the state after the action."""

    @classmethod
    def candidates(cls, state: State) -> Iterator[Self]:
        """Yield what may be meant by a part of an action: the legal ones, unless a type knows illegal ones, too.

        A message on a part that no legal action has tells why these are illegal.
        """
        return cls.legal(state)

    @classmethod
    def completed(cls, state: State, words: Sequence[str | None]) -> Self | None:
        """Return the action that a person means who leaves an argument out, if that has a usual value.

        `words` has the text of each argument; None for one that is left out.
        """
        return None

    @classmethod
    def example(cls, state: State) -> Self | None:
        """Return a legal action for messages that ask for one, by default the first; None if there is none."""
        return next(cls.legal(state), None)

    @classmethod
    def not_now(cls, state: State) -> str:
        """Return what to do instead where no action of this type can be chosen now; empty if that is not known."""
        return cls.when

    @classmethod
    def opener(cls, name: str) -> "Action[State] | None":
        """Return the choice after which who has a name can do this; None if any choice of who acts will do."""
        return None

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether any action of this type is legal."""
        return next(cls.legal(state), None) is not None

    def values(self) -> tuple[Any, ...]:
        """Return the values of the arguments."""
        return tuple(map(self.__getattribute__, self.__match_args__[: len(self.arguments)]))

    def further_values(self) -> tuple[Any, ...]:
        """Return the values after those of the arguments."""
        return getattr(self, fields(self)[len(self.arguments)].name) if self.further else ()

    def text(self) -> str:
        """Write the action as one line."""
        pairs = zip(self.arguments, self.values(), strict=True)
        return " ".join([self.word, *[one.write(value) for one, value in pairs]])

    def shown(self) -> str:
        """Write the action as lists show it to people, where numbers may be rounded."""
        pairs = zip(self.arguments, self.values(), strict=True)
        return " ".join([self.word, *[(one.show or one.write)(value) for one, value in pairs]])

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Read the arguments; InvalidValueError names what is wrong, and which there should be."""
        names = [_UNIT.sub("", field.name) for field in fields(cls)[: len(cls.arguments)]]
        follows = f"{cls.word!r} takes"
        if len(words) != len(names):
            wanted = ", ".join(map(_described, names, cls.arguments))
            lacking = ", ".join(names[index] for index in _lacking(words, cls.arguments))
            if wanted and not words:
                raise InvalidValueError(f"{cls.word!r} needs {wanted}")
            here = repr(" ".join(words)) if words else "nothing"
            missing = f"{lacking} missing: " if lacking else ""
            raise InvalidValueError(f"{missing}{follows} {wanted or 'nothing'}; got {here}")
        try:
            return cls(*(arg.parse(word) for arg, word in zip(cls.arguments, words, strict=True)))
        except InvalidValueError as error:
            form = f": write {cls.word} {' '.join(map(str.upper, names))}" if names[1:] else ""
            raise InvalidValueError(f"{error}{form}") from None


def _described(name: str, argument: Argument) -> str:
    """Return the name of an argument, and its form unless that says the name."""
    if argument is NAME:
        return name
    return argument.about if argument.about.startswith(name) else f"{name} ({argument.about})"


def _lacking(words: Sequence[str], arguments: Sequence[Argument]) -> list[int]:
    """Return which arguments some words lack that are the others in order; none for words that are not.

    If a word may be one or another, it is the one that is not a mere name, and the first.
    """
    found = [
        kept
        for kept in combinations(range(len(arguments)), len(words))
        if words and all(arguments[k].fits(word) for k, word in zip(kept, words, strict=True))
    ]
    best = max(found, key=lambda kept: sum(arguments[k] is not NAME for k in kept), default=None)
    return [] if best is None else [k for k in range(len(arguments)) if k not in best]


A = TypeVar("A", bound=Action[Any])
ActionTypes = tuple[type[Action[Any]], ...]


def without_problems(state: State, candidates: Iterable[A]) -> Iterator[A]:
    """Yield the candidates that are legal."""
    return (action for action in candidates if next(action.problems(state), None) is None)


class Unconditional(Action[State]):
    """An action that is legal wherever it is asked for."""

    __slots__ = ()

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the only action of this type; a type with arguments overrides this."""
        yield cls()

    def problems(self, state: State) -> Iterator[str]:
        return iter(())


@dataclass(frozen=True, slots=True)
class ChooseType(Action[State]):
    """The type of the next action, whose arguments are the next choice: it keeps lists short.

    A complete action of one of the types is as legal, so the game does not list all legal actions.
    """

    word = "do"
    does = "what to do"
    arguments = (KIND,)
    types: ClassVar[ActionTypes]
    """The types that can be chosen, in the order of the list."""
    section: ClassVar[str]
    """The section of the rulebook on what can be done, for messages."""
    kind: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return (cls(each.word) for each in cls.types if each.is_possible(state))

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Read the type; InvalidValueError if there is no such type."""
        choice = super(ChooseType, cls).parse(words)
        if choice.kind not in by_word(cls.types):
            raise unknown("kind of action", choice.kind, by_word(cls.types))
        return choice

    def problems(self, state: State) -> Iterator[str]:
        types = by_word(self.types)
        if self.kind not in types:
            yield f"{unknown('kind of action', self.kind, types)} ({self.section})"
        elif not types[self.kind].is_possible(state):
            yield f"there is nothing to {self.kind} ({self.section})"


def last_place(action: Action[Any], place_of: Callable[[str], "Point | None"]) -> "Point | None":
    """Return the place of the last thing that an action names; None if it names none that has a place."""
    names = (value for value in reversed(action.values()) if isinstance(value, str))
    return next((place for name in names if (place := place_of(name)) is not None), None)


def by_word(types: ActionTypes) -> Mapping[str, type[Action[Any]]]:
    """Return action types by their words."""
    return {action_type.word: action_type for action_type in types}


def parse_action(types: Mapping[str, type[Action[Any]]], text: str) -> Action[Any]:
    """Read an action of one of some types; InvalidValueError names the text and what is wrong."""
    word, *rest = text.split(" ")
    if word not in types:
        raise unknown("action", word, types)
    try:
        return types[word].parse(rest)
    except InvalidValueError as error:
        raise InvalidValueError(f"action {text!r}: {error}") from None
