"""Pending: what must be rolled or answered before a turn goes on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from brickphys.bow.state.state import State
from brickphys.rules.events.events import ChanceEvent, Outcome

if TYPE_CHECKING:
    from brickphys.bow.actions.action import Action

P = TypeVar("P", bound=type["Pending"])

KINDS: dict[str, type["Pending"]] = {}
"""Every kind by its name; the notation of states uses it."""


def kind(cls: P) -> P:
    """Enter a class among the kinds, under its name."""
    KINDS[cls.__name__] = cls
    return cls


@dataclass(frozen=True, slots=True)
class Pending(ABC):
    """A value of numbers, texts and tuples of them, which fit the state that it is in.

    Attributes
    ----------
    in_turn
        Whether it belongs to the turn of a unit.
    """

    in_turn: ClassVar[bool] = True

    @abstractmethod
    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending in a state; what is read from a text is checked with it."""

    def lapses(self, state: State) -> bool:  # noqa: ARG002 - most things do not
        """Tell whether there is nothing left to roll or answer, because of what came before."""
        return False


class Roll(Pending):
    """Bricks to be rolled."""

    @abstractmethod
    def event(self, state: State) -> ChanceEvent:
        """Return what chance is asked."""

    @abstractmethod
    def settle(self, state: State, outcome: Outcome) -> State:
        """Return the state after the roll; it is no longer pending in the one given."""


class Step(Pending):
    """Something that happens by itself once all before it is done."""

    @abstractmethod
    def happen(self, state: State) -> State:
        """Return the state after it; it is no longer pending in the one given."""


class Question(Pending):
    """A choice that a player has besides those of his turn; the answers are kinds of actions."""

    answers: ClassVar[tuple[type["Action"], ...]]

    @abstractmethod
    def player(self, state: State) -> int:
        """Return who answers."""


def scores(outcome: Outcome) -> tuple[int, int]:
    """Return the two scores of an opposed roll."""
    attack, defence = outcome  # type: ignore[misc,str-unpack]
    return int(attack), int(defence)


def number_problems(what: str, number: int, count: int, least: int = 0) -> list[str]:
    """Return whether a number does not count one of so many."""
    return (
        [] if least <= number < count else [f"{what}: {number} is not from {least} to {count - 1}"]
    )
