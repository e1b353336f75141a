"""Walk: every outcome of the pending rolls, with its probability."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import FollowUp, Pending, PendingRoll, Question
from brickphys.rules.turn_state import TurnState

S = TypeVar("S", bound=TurnState)
_NO_BRICKS = BinomialLaw(Fraction(0))
Count = Callable[[PendingRoll[Any], Outcome], int]
"""Number that a roll adds to the count of a way."""


class Way(NamedTuple, Generic[S]):
    """A state that can be reached.

    Attributes
    ----------
    state
        The state, in which nothing is pending.
    counted
        The sum of what the rolls on the way there have added.
    chance
        Its probability.
    """

    state: S
    counted: int
    chance: Fraction


def rolled(
    ways: Iterable[Way[S]],
    pending: Pending[S],
    alike: Callable[[S], Hashable],
    count: Count = lambda _roll, _outcome: 0,
    brick_law: RollLaw = _NO_BRICKS,
) -> list[Way[S]]:
    """Return the ways after something more is rolled, with all that follows from it.

    Who is asked takes the last answer of the first type that is listed.

    Parameters
    ----------
    ways
        The ways so far.
    pending
        What is rolled.
    alike
        See `merged`.
    count
        What the roll, and those that follow, add to the count.
    brick_law
        The law of a roll of bricks, for games that have some.
    """
    starts = (way._replace(state=way.state.push_pending(pending)) for way in ways)
    return merged((end for start in starts for end in _ends(start, count, brick_law)), alike)


def merged(ways: Iterable[Way[S]], alike: Callable[[S], Hashable]) -> list[Way[S]]:
    """Return ways of which no two are the same for the odds.

    They are the same if they have counted as much, and `alike` gives equal values for their states; one of these
    goes on with the probability of all.
    """
    found: dict[Hashable, Way[S]] = {}
    for way in ways:
        key = alike(way.state), way.counted
        before = found.get(key)
        found[key] = way._replace(chance=before.chance + way.chance) if before else way
    return list(found.values())


def _ends(way: Way[S], count: Count, brick_law: RollLaw) -> Iterator[Way[S]]:
    """Yield the ways on which nothing is pending any more."""
    state = way.state
    match state.first_pending:
        case None:
            yield way
        case first if first.lapses(state):
            yield from _ends(way._replace(state=state.pop_pending()), count, brick_law)
        case FollowUp() as first:
            yield from _ends(
                way._replace(state=first.happen(state.pop_pending())), count, brick_law
            )
        case Question() as first:
            *_, last = first.answers[0].legal(state)
            yield from _ends(way._replace(state=last.apply(state)), count, brick_law)
        case PendingRoll() as first:
            before = state.pop_pending()
            for outcome, chance in first.event(state).law(brick_law).items():
                after = first.settle(before, outcome)
                counted = way.counted + count(first, outcome)
                yield from _ends(Way(after, counted, way.chance * chance), count, brick_law)
