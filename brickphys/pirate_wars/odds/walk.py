"""Walk: every outcome of what is pending, with its probability."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.state.state import State
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import FollowUp, Pending, PendingRoll, Question

_NO_BRICKS = BinomialLaw(Fraction(0))
Count = Callable[[PendingRoll[State], Outcome], int]
"""What a roll adds to the count of a way."""


class Way(NamedTuple):
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

    state: State
    counted: int
    chance: Fraction


def rolled(
    ways: Iterable[Way],
    pending: Pending[State],
    alike: Callable[[State], Hashable],
    count: Count = lambda _roll, _outcome: 0,
) -> list[Way]:
    """Return the ways after something more is rolled, with all that follows from it.

    An owner who chooses loses who is listed last: the hands before the officers.

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
    """
    starts = (way._replace(state=way.state.push_pending(pending)) for way in ways)
    return merged((end for start in starts for end in _ends(start, count)), alike)


def merged(ways: Iterable[Way], alike: Callable[[State], Hashable]) -> list[Way]:
    """Return ways of which no two are the same for the odds.

    They are the same if they have counted as much, and `alike` gives equal values for their states; one of these
    goes on with the probability of all.
    """
    found: dict[Hashable, Way] = {}
    for way in ways:
        key = alike(way.state), way.counted
        before = found.get(key)
        found[key] = way._replace(chance=before.chance + way.chance) if before else way
    return list(found.values())


def _ends(way: Way, count: Count) -> Iterator[Way]:
    """Yield the ways on which nothing is pending any more."""
    state = way.state
    match state.first_pending:
        case None:
            yield way
        case first if first.lapses(state):
            yield from _ends(way._replace(state=state.pop_pending()), count)
        case FollowUp() as first:
            yield from _ends(way._replace(state=first.happen(state.pop_pending())), count)
        case Question() as first:
            *_, last = first.answers[0].legal(state)
            yield from _ends(way._replace(state=last.apply(state)), count)
        case PendingRoll() as first:
            before = state.pop_pending()
            for outcome, chance in first.event(state).law(_NO_BRICKS).items():
                after = first.settle(before, outcome)
                counted = way.counted + count(first, outcome)
                yield from _ends(Way(after, counted, way.chance * chance), count)
