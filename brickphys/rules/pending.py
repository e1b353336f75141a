"""Pending: the rolls and questions that must be answered before a turn goes on."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Generic

from brickphys.rules.events.dice import DiceRoll
from brickphys.rules.events.event import ChanceEvent, Outcome
from brickphys.rules.record import State
from brickphys.rules.words import ActionTypes


@dataclass(frozen=True, slots=True)
class Pending(ABC, Generic[State]):
    """A value of numbers, texts and tuples of them; every type is a `PendingRoll`, a `FollowUp` or a `Question`."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending in a state, besides numbers that its types refuse."""
        return []

    def lapses(self, state: State) -> bool:
        """Whether nothing is left to answer, because of what came before."""
        return False


class PendingRoll(Pending[State]):
    """Something that chance decides."""

    __slots__ = ()

    @abstractmethod
    def event(self, state: State) -> ChanceEvent:
        """Return the chance event."""

    @abstractmethod
    def settle(self, state: State, outcome: Outcome) -> State:
        """Return the state after the outcome, given the state in which this is no longer pending."""


class DieRoll(PendingRoll[State]):
    """A roll of one die.

    Attributes
    ----------
    sides
        Its faces.
    what
        What it is rolled for, unless `reason` tells it by the state.
    """

    __slots__ = ()

    sides: ClassVar[int] = 6
    what: ClassVar[str] = ""

    def reason(self, state: State) -> str:
        """Return what it is rolled for."""
        return self.what

    @abstractmethod
    def rolled(self, state: State, face: int) -> State:
        """Return the state after it shows a face."""

    def event(self, state: State) -> ChanceEvent:
        """Return the die."""
        return DiceRoll(1, self.sides, self.reason(state))

    def settle(self, state: State, outcome: Outcome) -> State:
        """Take its face."""
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        return self.rolled(state, face)


class FollowUp(Pending[State]):
    """Something that happens by itself once everything before it is done."""

    __slots__ = ()

    @abstractmethod
    def happen(self, state: State) -> State:
        """Return the state after it, given the state in which this is no longer pending."""


class Question(Pending[State]):
    """A choice between other actions than those of a turn.

    Attributes
    ----------
    answers
        The action types to choose from.
    """

    __slots__ = ()

    answers: ClassVar[ActionTypes]

    @abstractmethod
    def player(self, state: State) -> int:
        """Return the index of the player who answers."""

    def prompt(self, state: State) -> str:
        """Return what the player is asked for, in a line."""
        return "your answer"


def answer_types(pending_types: Iterable[type[Pending[Any]]]) -> ActionTypes:
    """Return the action types that answer the questions among some types, each once."""
    questions = (each for each in pending_types if issubclass(each, Question))
    return tuple(dict.fromkeys(chain.from_iterable(each.answers for each in questions)))


def number_problems(what: str, number: int, count: int, least: int = 0) -> list[str]:
    """Return why a number is not from `least` to below `count`; empty if it is."""
    if least <= number < count:
        return []
    return [f"{what}: {number} is not from {least} to {count - 1}"]


def scores(outcome: Outcome) -> tuple[int, int]:
    """Return the two scores of an opposed roll."""
    attack, defence = outcome  # type: ignore[misc,str-unpack]
    return int(attack), int(defence)
