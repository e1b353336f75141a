"""Moves: an action by what it names, why it is refused and what it does; all else follows from these three."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import get_annotations
from typing import Any, ClassVar, Self

from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.record import State
from brickphys.rules.turn_state import Question
from brickphys.rules.words import NAME, Action, Argument
from brickphys.text import spoken

_CITES = re.compile(r"\([A-Z]{2,} [^()]+\)$")
"""The section at the end of a reason, such as ``(BOW 2.3.1)``."""


@dataclass(frozen=True)
class Among:
    """The things that an argument may name: ``weapon: Annotated[str, Among("weapon", weapons)]``."""

    noun: str
    """What messages call such a thing."""
    things: Callable[..., Mapping[Any, Any]] | None
    """Takes the state, who acts, and the things of the arguments before it; returns the things by their names. None if
    each value is its own thing."""
    grammar: Argument = NAME
    """How the argument is written."""
    section: str = ""
    """The section of the rulebook for a name of no such thing, if it is not that of the move."""
    refusal: Callable[..., str | None] | None = None
    """Takes the state, the thing, who acts and the things before it; returns why it cannot be named, None if it can."""


class Move(Action[State]):
    """An action by what it names, why it is refused and what it does.

    The annotation of each field has its `Argument`, or `Among` if it names a thing. `refusals` and `result` take, after
    the state: who acts (see `actor`), and of each field the thing that it names, or else its value. A game overrides
    them with named parameters.
    """

    __slots__ = ()

    section: ClassVar[str]
    """The section of the rulebook on the move; it follows each reason that does not end with a section."""
    _among: ClassVar[tuple[Among | None, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "_among" in vars(cls):  # a dataclass with slots is made twice
            return
        marks = [
            mark
            for hint in get_annotations(cls).values()
            for mark in getattr(hint, "__metadata__", ())
            if isinstance(mark, Argument | Among)
        ]
        own = (mark.grammar if isinstance(mark, Among) else mark for mark in marks)
        cls.arguments = (*cls.arguments, *own)
        cls._among = (
            *cls._among,
            *(mark if isinstance(mark, Among) else None for mark in marks),
        )

    @classmethod
    def actor(cls, state: State) -> tuple[Any, ...]:
        """Return who acts, such as a unit and its vehicle; by default nobody but the player."""
        return ()

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        """Return why no move of this type can be made now; None if one may be, and only then somebody acts."""
        return None

    @classmethod
    def listed(cls, state: State, *actor: Any) -> Iterator[Self]:
        """Yield the legal moves of who acts, or some that stand for all; by default all names without refusals."""
        return cls._unrefused(state, actor, ())

    def refusals(self, state: State, *things: Any) -> Iterator[str]:
        """Yield every reason why the move is refused; by default that it is not listed, if the type lists its own."""
        if type(self).listed.__func__ is Move.listed.__func__:  # type: ignore[attr-defined]
            return
        texts = [one.text() for one in self.legal(state)]
        if self.text() not in texts:
            near = get_close_matches(self.text(), texts, 5, cutoff=0.0)
            more = f", and {len(texts) - len(near)} more" if len(texts) > len(near) else ""
            yield f"no such choice; nearest to it: {', '.join(map(spoken, near)) or 'none'}{more}"

    def result(self, state: State, *things: Any) -> State:
        """Return the state after the move."""
        raise NotImplementedError

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the listed moves if this is the moment for one."""
        if cls.wrong_moment(state) is not None:
            return iter(())
        return cls.listed(state, *cls.actor(state))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why this is not the moment, or which name is unknown or refused, or every refusal."""
        if (reason := self.wrong_moment(state)) is not None:
            yield self._cited(reason)
            return
        try:
            things = self.things(state, refuses=True)
        except InvalidValueError as error:
            yield str(error)
            return
        yield from map(self._cited, self.refusals(state, *things))

    def apply(self, state: State) -> State:
        return self.result(state, *self.things(state))

    def _cited(self, reason: str, section: str = "") -> str:
        """Return a reason with its section."""
        return reason if _CITES.search(reason) else f"{reason} ({section or self.section})"

    def things(self, state: State, *, refuses: bool = False) -> tuple[Any, ...]:
        """Return who acts, and what the arguments name; InvalidValueError if one names nothing, or may not be named."""
        found = self.actor(state)
        for among, value in zip(self._among, self.values(), strict=True):
            thing, reason = value, None
            if among and among.things:
                things = among.things(state, *found)
                if value in things:
                    thing = things[value]
                else:
                    reason = str(unknown(among.noun, among.grammar.write(value), map(str, things)))
            if among and among.refusal and refuses and reason is None:
                reason = among.refusal(state, thing, *found)
            if among and reason:
                raise InvalidValueError(self._cited(reason, among.section))
            found = (*found, thing)
        return found

    @classmethod
    def _unrefused(
        cls, state: State, things: tuple[Any, ...], values: tuple[Any, ...]
    ) -> Iterator[Self]:
        """Yield the moves without refusals whose arguments begin with some values, which name some things."""
        if len(values) == len(cls._among):
            move = cls(*values)
            if next(iter(move.refusals(state, *things)), None) is None:
                yield move
            return
        among = cls._among[len(values)]
        if among is None or among.things is None:
            raise NotImplementedError(f"{cls.__name__}: list what its arguments may be")
        for value, thing in among.things(state, *things).items():
            if not (among.refusal and among.refusal(state, thing, *things)):
                yield from cls._unrefused(state, (*things, thing), (*values, value))


class OptionQuestion(Question[State]):
    """A question whose `OptionAnswer` chooses from options."""

    __slots__ = ()

    @abstractmethod
    def options(self, state: State) -> Iterable[tuple[Any, ...]]:
        """Return the arguments of each answer that is listed."""

    @abstractmethod
    def answered(self, state: State, *values: Any) -> State:
        """Return the state after the answer, given the state in which this is no longer pending."""


class OptionAnswer(Move[State]):
    """The answer to an `OptionQuestion`."""

    __slots__ = ()

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(*values) for values in _asked(state).options(state))

    def result(self, state: State, *values: Any) -> State:
        return _asked(state).answered(state.pop_pending(), *values)  # type: ignore[attr-defined]


def _asked(state: State) -> OptionQuestion[State]:
    asked = state.first_pending  # type: ignore[attr-defined]
    assert isinstance(asked, OptionQuestion)
    return asked
