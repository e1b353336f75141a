"""Turn state: the states of turn games, and the rolls and questions that are pending.

What is pending must be answered before a turn goes on. In a roll-off (`RollOff`) players roll in turn, and the highest
score wins. The order of a turn is rolled by `OrderRoll`. In both, only players who tie roll again.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

from brickphys.errors import ArgumentError
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.record import GameSetting, State
from brickphys.rules.rolls import DiceRoll
from brickphys.rules.words import ActionTypes
from brickphys.text import nearest, spoken


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
    """A roll of one die."""

    __slots__ = ()

    sides: ClassVar[int] = 6
    what: ClassVar[str] = ""
    """What it is rolled for, unless `reason` tells it by the state."""

    def reason(self, state: State) -> str:
        """Return what it is rolled for."""
        return self.what

    @abstractmethod
    def rolled(self, state: State, face: int) -> State:
        """Return the state after it shows a face."""

    def event(self, state: State) -> ChanceEvent:
        return DiceRoll(1, self.sides, self.reason(state))

    def settle(self, state: State, outcome: Outcome) -> State:
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        return self.rolled(state, face)


class FollowUp(Pending[State]):
    """Something that happens by itself once everything before it is done."""

    __slots__ = ()

    @abstractmethod
    def happen(self, state: State) -> State:
        """Return the state after it, given the state in which this is no longer pending."""


class Question(Pending[State]):
    """A choice between other actions than those of a turn."""

    __slots__ = ()

    answers: ClassVar[ActionTypes]
    """The action types to choose from."""
    asks: ClassVar[str] = "your answer"
    """What the player is asked for, unless `prompt` tells it by the state."""

    def player(self, state: State) -> int:
        """Return the index of the player who answers: by default the one whose turn it is."""
        player: int = state.player  # type: ignore[attr-defined]
        return player

    def prompt(self, state: State) -> str:
        """Return what the player is asked for, in a line."""
        return self.asks


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


P = TypeVar("P", bound=Pending[Any])
Count = Annotated[int, range(1_000_001)]
"""A number of things, or the index of one; the notation of states rejects other values."""
PlayerNumber = Annotated[int, "players"]
"""The index of a player; the notation rejects an index that the setting does not have."""


@cache
def _field_names(kind: type[Any]) -> frozenset[str]:
    return frozenset(each.name for each in fields(kind))


def _no_field(kind: type[Any], name: str) -> ArgumentError:
    names = [each.name for each in fields(kind)]
    meant = nearest(name, names)
    hint = f"did you mean {meant!r}?" if meant else f"it has {', '.join(names)}"
    return ArgumentError(f"{kind.__name__} has no field {name!r}; {hint}")


@dataclass(frozen=True)
class Replaceable:
    """The base of frozen dataclasses, without slots, of which games make changed copies all the time."""

    kept: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Cached properties that survive a change -> the fields whose change ends them; all others end with any change."""

    def replaced(self, changes: Mapping[str, object]) -> Self:
        """Return the value with some fields changed.

        It is several times as fast as `dataclasses.replace`: games do this several times a move. ArgumentError if it
        has no such field.
        """
        kind: Any = type(self)
        names = _field_names(kind)
        if not changes.keys() <= names:
            raise _no_field(kind, sorted(changes.keys() - names)[0])
        new: Self = object.__new__(kind)
        values = self.__dict__.copy()
        values.update(changes)
        if len(values) > len(names):
            for name in list(values)[len(names) :]:  # fields were set before anything was kept
                ends = self.kept.get(name)
                if ends is None or not ends.isdisjoint(changes):
                    del values[name]
        object.__setattr__(new, "__dict__", values)
        return new

    def with_entry(self, field: str, index: int, entry: object) -> Self:
        """Return the value with one entry of a field changed, which is a tuple."""
        entries = getattr(self, field)
        return self.replaced({field: (*entries[:index], entry, *entries[index + 1 :])})


@dataclass(frozen=True, kw_only=True)
class TurnState(Replaceable):
    """A game at one moment; each game derives a frozen dataclass, without slots, with fields of its own."""

    setting: GameSetting
    """The constants of the game."""
    pending: tuple[Pending[Any], ...] = ()
    """Rolls, questions and follow-ups before the turn goes on, the next one first."""

    @property
    def first_pending(self) -> Pending[Any] | None:
        """The next of what is pending; None if nothing is."""
        return self.pending[0] if self.pending else None

    def awaited(self, kind: type[P]) -> P:
        """Return the next of what is pending, which is of this type."""
        first = self.first_pending
        assert isinstance(first, kind)
        return first

    @property
    def answers(self) -> ActionTypes:
        """The action types that answer the pending question; none where no question is pending."""
        first = self.first_pending
        return first.answers if isinstance(first, Question) else ()

    @cached_property
    def event(self) -> ChanceEvent | None:
        """The chance event that is pending, worked out once; None if there is none."""
        first = self.first_pending
        return first.event(self) if isinstance(first, PendingRoll) else None

    def push_pending(self, *pending: Pending[Any]) -> Self:
        """Return the state with something to be answered before everything else."""
        return self.replaced({"pending": (*pending, *self.pending)})

    def pop_pending(self) -> Self:
        """Return the state without the first pending thing."""
        return self.replaced({"pending": self.pending[1:]})


S = TypeVar("S", bound=TurnState)


@dataclass(frozen=True, slots=True)
class RollOff(PendingRoll[S]):
    """The roll of the next player; a game adds the event, and the prize of the winner."""

    contenders: tuple[PlayerNumber, ...]
    """The players who roll, in this order."""
    scores: tuple[int, ...] = ()
    """The scores of those who have rolled."""

    @abstractmethod
    def won(self, state: S, player: int) -> S:
        """Return the state after a player has won."""

    @property
    def roller(self) -> int:
        """The player who rolls next."""
        return self.contenders[len(self.scores)]

    def problems(self, state: S) -> list[str]:
        return [] if len(self.scores) < len(self.contenders) else ["scores: all have rolled"]

    def settle(self, state: S, outcome: Outcome) -> S:
        """Add a score; after the last one a player has won, or several roll again."""
        scores = (*self.scores, int(outcome))  # type: ignore[arg-type]
        if len(scores) < len(self.contenders):
            return state.push_pending(replace(self, scores=scores))
        pairs = zip(self.contenders, scores, strict=True)
        best = tuple(player for player, score in pairs if score == max(scores))
        if len(best) > 1:
            return state.push_pending(replace(self, contenders=best, scores=()))
        return self.won(state, best[0])


@dataclass(frozen=True, slots=True)
class OrderRoll(PendingRoll[S]):
    """The roll of the next player; a game says who rolls, and what begins when the order is known."""

    what: ClassVar[str]  # what they roll for
    is_highest_first: ClassVar[bool]

    places: tuple[tuple[PlayerNumber, ...], ...]
    """The players in the order that is known so far; those who tie share a place."""
    scores: tuple[Count, ...] = ()
    """The rolls of those who share the first such place, as far as they have rolled."""

    @abstractmethod
    def rollers(self, state: S) -> list[int]:
        """Return the players who take part, the lowest number first."""

    @abstractmethod
    def ordered(self, state: S, order: tuple[int, ...]) -> S:
        """Return the state after the order of the players is known."""

    @property
    def tied(self) -> tuple[int, ...]:
        """The players who roll now, one after the other."""
        return next((place for place in self.places if len(place) > 1), ())

    def problems(self, state: S) -> list[str]:
        faults = []
        players = [player for place in self.places for player in place]
        if sorted(players) != self.rollers(state):
            faults.append(f"places: {players} must be the players who take part")
        if len(self.scores) >= len(self.tied):
            faults.append("scores: all have rolled")
        return faults

    def event(self, state: S) -> DiceRoll:
        player = state.setting.players[self.tied[len(self.scores)]]
        first = f"the {'highest' if self.is_highest_first else 'lowest'} roll goes first"
        return DiceRoll(1, 6, f"{self.what} of {spoken(player)}; {first}")

    def settle(self, state: S, outcome: Outcome) -> S:
        """Add a roll; after the last one, players who still tie roll again, or the order is known."""
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        scores, tied = (*self.scores, face), self.tied
        if len(scores) < len(tied):
            return state.push_pending(replace(self, scores=scores))
        rolls = list(zip(tied, scores, strict=True))
        levels = sorted({*scores}, reverse=self.is_highest_first)
        apart = [tuple(player for player, its in rolls if its == level) for level in levels]
        at = self.places.index(tied)
        places = (*self.places[:at], *apart, *self.places[at + 1 :])
        return replace(self, places=places, scores=()).asked(state)

    def asked(self, state: S) -> S:
        """Return the state in which players who tie roll, or if none do, the order is known."""
        if self.tied:
            return state.push_pending(self)
        return self.ordered(state, tuple(player for place in self.places for player in place))
