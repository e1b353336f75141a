"""Turn state: the base class of the states of turn games."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Self, TypeVar

from brickphys.errors import ArgumentError
from brickphys.rules.events.event import ChanceEvent
from brickphys.rules.pending import Pending, PendingRoll, Question
from brickphys.rules.setting import GameSetting
from brickphys.rules.words import ActionTypes
from brickphys.text import nearest

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
    """The base of frozen dataclasses, without slots, of which games make changed copies all the time.

    Attributes
    ----------
    kept
        Cached properties that survive a change -> the fields whose change ends them; all others end with any change.
    """

    kept: ClassVar[Mapping[str, frozenset[str]]] = {}

    def replaced(self, changes: Mapping[str, object]) -> Self:
        """Return the value with some fields changed.

        It is several times as fast as `dataclasses.replace`: games do this several times a move.

        Raises
        ------
        ArgumentError
            If it has no such field.
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
    """A game at one moment; each game derives a frozen dataclass, without slots, with fields of its own.

    Attributes
    ----------
    setting
        The constants of the game.
    pending
        Rolls, questions and follow-ups before the turn goes on, the next one first.
    """

    setting: GameSetting
    pending: tuple[Pending[Any], ...] = ()

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
