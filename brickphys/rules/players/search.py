"""Search: the worth of each action if all play their best, with chance nodes, within a budget of nodes or time.

It goes one choice deeper at a time, as long as the budget lasts. Where it ends, at a settled state, the game's own
estimate counts. Every player is taken to play for itself alone. For two with opposite returns that is expectimax
(Michie, "Game-playing and game-learning automata", 1966), for more players max-n (Luckhardt and Irani, AAAI 1986).

The first depth is always finished. Each node divides the nodes that it may use among its branches. A chance node is
exact where each of its outcomes has room for `_LEAST_ROOM` nodes. Else it is sampled by weight: evenly spaced points of
its distribution function from a start of fixed seed, so that a search always finds the same. A node without room, or
after `_MAX_PLIES` moves, is judged by the estimate. A roll that leads back to a state that is being searched, such as a
tie that is rolled again, is left out, and the other outcomes count for it.

Many moves may lead to few states, such as the rolls of many dice. Beyond the first depth, the budget therefore bounds
also the moves that are tried: `_MOVES` times as many as nodes.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from math import inf
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER, Action, State, View

if TYPE_CHECKING:
    import numpy as np

Values = tuple[float, ...]
"""The worth of a state to each player."""
Thing = TypeVar("Thing")

_MAX_DEPTH = 40
_MAX_PLIES = 100  # at four frames each, well within Python's own stack
_LEAST_ROOM = 4
_MOVES = 10
_SEED = 1
_REMEMBERED = 4096
_TIE = 1e-12
"""Smaller differences between worths are rounding errors."""
_OPEN: Values = ()
"""Stands for a state that is being searched."""


class _BudgetSpentError(Exception):
    """Ends a search that is not yet complete; never leaves this module."""


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search stops."""

    nodes: int = 2_000
    """States looked at. No depth but the first is begun beyond it, and one that would exceed it, or try more than ten
    times as many moves, is given up."""
    seconds: float | None = None
    """Time; None if it does not matter. What is found then depends on the machine."""
    depth: int = _MAX_DEPTH
    """Complete choices looked ahead, 1 or more."""
    first: int = 50_000
    """States looked at in the first depth, which always ends: sampled, or judged sooner, where more would be needed."""

    def __post_init__(self) -> None:
        if min(self.nodes, self.first) < 1 or not 1 <= self.depth <= _MAX_DEPTH:
            raise InvalidValueError(
                f"nodes {self.nodes} or first {self.first} is below 1 or depth {self.depth} is outside 1..{_MAX_DEPTH}"
            )
        if self.seconds is not None and not self.seconds > 0:
            raise InvalidValueError(f"seconds: {self.seconds} is not positive")


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    worth: tuple[float, ...]
    """The worth of each action, in the order given, to the player who chooses."""
    depth: int
    """How many choices deep it looked at all of them."""
    nodes: int
    """How many states it looked at."""
    complete: bool
    """Whether every line was followed to the end of the game, so that no estimate and no sample counts."""


class Search(Generic[State, Action, View]):
    """Searches states of one game.

    What the game answers is remembered for a while: each depth, and the next part of a choice that was split, comes to
    many of the same states again. `estimate` returns the worth of a settled state to each player; None for the estimate
    of the game.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        brick_law: RollLaw,
        budget: Budget | None = None,
        estimate: Callable[[State], Values] | None = None,
    ) -> None:
        self.game = game
        self.budget = budget or Budget()
        self.outcomes = lru_cache(_REMEMBERED)(partial(_chances, brick_law))
        self.apply = lru_cache(_REMEMBERED)(game.apply)
        self.estimate = lru_cache(_REMEMBERED)(estimate or game.estimate)
        self.chain = lru_cache(_REMEMBERED)(partial(_chain, game, brick_law))

    def value(self, state: State) -> Values:
        """Return the worth of a state to each player: the estimate if it is settled, else of what follows from it."""
        return _Dive(self).value(state, 0, self.budget.first)

    def look(self, state: State, actions: Sequence[Action], worlds: int = 1) -> Found:
        """Return the worth of each of these actions to the player who is to act.

        InvalidValueError if an event has neither an exact law nor a stand-in. If so many `worlds` are searched for
        the same choice, each has an equal part of the budget.
        """
        if not actions:
            raise InvalidValueError("a search needs at least one action")
        actor, nodes = self.game.actor(state), self.budget.nodes // worlds
        after = [self.apply(state, action) for action in actions]
        deadline = monotonic() + self.budget.seconds if self.budget.seconds else None
        dive = _Dive(self)
        worth = tuple(dive.each(after, 0, max(self.budget.first // worlds, len(after))))
        found = Found(tuple(v[actor] for v in worth), 1, dive.nodes, complete=not dive.cut)
        for depth in range(2, self.budget.depth + 1):
            if found.complete or found.nodes >= nodes:
                break
            dive = _Dive(self, dive.nodes, dive.moves, nodes, deadline)
            try:
                worth = tuple(dive.each(after, depth - 1, inf))
            except _BudgetSpentError:
                break
            found = Found(tuple(v[actor] for v in worth), depth, dive.nodes, complete=not dive.cut)
        return found


def _chances(brick_law: RollLaw, event: ChanceEvent) -> tuple[tuple[Outcome, float], ...]:
    """Return the outcomes of an event with their probabilities; of a measured event, its stand-in."""
    return tuple((outcome, float(p)) for outcome, p in event.expected(brick_law).items())


def _chain(
    game: Game[State, Action, View], brick_law: RollLaw, state: State
) -> tuple[tuple[State, float], ...] | None:
    """Return the states after a chain of rolls with their probabilities, if the game has a law of it."""
    law = game.chain_law(state, brick_law)
    return None if law is None else tuple((after, float(p)) for after, p in law.items())


class _Dive(Generic[State, Action, View]):
    """One depth of a search; equal states are looked at once.

    At more states than `most`, at `_MOVES` times as many moves, or after the `deadline`, the dive is given up.
    """

    def __init__(
        self,
        search: Search[State, Action, View],
        nodes: int = 0,
        moves: int = 0,
        most: float = inf,
        deadline: float | None = None,
    ) -> None:
        self.search = search
        self.game = search.game
        self.nodes = nodes
        self.moves = moves
        self.most = most
        self.deadline = deadline
        self.cut = False
        self.plies = 0
        self.rng = Random(_SEED)
        self.known = defaultdict[int, dict[State, Values]](dict)

    def each(self, states: Sequence[State], depth: int, room: float) -> Iterator[Values]:
        """Yield the worth of each state, `depth` complete choices ahead; room that one leaves is for the others."""
        end = self.nodes + room
        for left, state in zip(range(len(states), 0, -1), states, strict=True):
            yield self.value(state, depth, (end - self.nodes) / left)

    def value(self, state: State, depth: int, room: float) -> Values:
        """Return the worth of a state to each player; empty if the state is being searched already."""
        known = self.known[depth]
        worth = known.get(state)
        if worth is None:
            self.nodes += 1
            if self.most < inf:
                self._check_budget()
            actor, settled = self.game.actor(state), self.game.settled(state)
            if actor == OVER:
                worth = tuple(map(float, self.game.returns(state)))
            elif (depth == 0 and settled) or room < 2 or self.plies == _MAX_PLIES:
                worth = self._judged(state)
            else:
                known[state] = _OPEN
                self.plies += 1
                worth = self._expanded(state, actor, depth, room - 1, settled=settled)
                self.plies -= 1
            known[state] = worth
        return worth

    def _expanded(
        self, state: State, actor: int, depth: int, room: float, *, settled: bool
    ) -> Values:
        """Return the worth of a state by the states that follow it."""
        if actor == CHANCE:
            return self._mean(state, depth, room)
        actions = self.game.actions(state)
        if len(actions) > room:
            return self._judged(state)
        self._try_moves(len(actions))
        after = [self.search.apply(state, action) for action in actions]
        below = self.each(after, depth - 1 if settled else depth, room)
        worth = [values for values in below if values]
        return max(worth, key=lambda values: values[actor]) if worth else self._judged(state)

    def _judged(self, state: State) -> Values:
        """Return the game's estimate."""
        self.cut = True
        return self.search.estimate(state)

    def _mean(self, state: State, depth: int, room: float) -> Values:
        """Return the expectation over an event or a chain of them; outcomes that lead to the same state are one."""
        chances = self._branches(state, room)
        totals, lost = [0.0] * self.game.players(state), 0.0
        for chance, values in zip(
            chances.values(), self.each(tuple(chances), depth, room), strict=True
        ):
            if not values:
                lost += chance
            for player, worth in enumerate(values):
                totals[player] += chance * worth
        if not lost:
            return tuple(totals)
        self.cut = True
        rest = sum(chances.values()) - lost
        return tuple(total / rest for total in totals) if rest > 0 else self._judged(state)

    def _branches(self, state: State, room: float) -> dict[State, float]:
        """Return the states that chance leads to, with their probabilities or their shares of a sample."""
        chain = self.search.chain(state)
        if chain is not None:
            return dict(self._sampled(chain, room))
        chances: dict[State, float] = {}
        for outcome, chance in self._sampled(self.search.outcomes(self.game.chance(state)), room):
            after = self.search.apply(state, outcome)
            chances[after] = chances.get(after, 0.0) + chance
        return chances

    def _sampled(
        self, law: Sequence[tuple[Thing, float]], room: float
    ) -> Sequence[tuple[Thing, float]]:
        """Return the law, or a sample of it where it is too wide for the room."""
        count = max(1, int(min(room / _LEAST_ROOM, len(law))))
        self._try_moves(count)
        if count == len(law):
            return law
        self.cut = True
        ends = list(accumulate(chance for _, chance in law))
        start = self.rng.random()
        last = len(law) - 1
        points = (bisect_right(ends, (start + k) / count, 0, last) for k in range(count))
        return [(law[index][0], drawn / count) for index, drawn in Counter(points).items()]

    def _try_moves(self, count: int) -> None:
        """Count moves that are about to be applied, remembered ones too; give the dive up where they are too many."""
        self.moves += count
        if self.moves > _MOVES * self.most:
            raise _BudgetSpentError

    def _check_budget(self) -> None:
        late = self.deadline is not None and self.nodes % 64 == 0 and monotonic() > self.deadline
        if late or self.nodes > self.most:
            raise _BudgetSpentError


WORLDS = 4
"""How many states bots imagine where something is hidden."""


class SearchBot(Generic[State, Action, View]):
    """Takes the action that a search finds best; among equals it takes any.

    Where something is hidden, it imagines several states that look like what it sees, searches each of them as if
    it were the true one, and goes by the mean (Ginsberg, "GIB: imperfect information in a computationally
    challenging game", JAIR 14, 2001). So it never bluffs, and believes that it will know more later than it will.

    The states that are imagined, `worlds` in number, share the budget of the search.
    """

    def __init__(
        self, name: str, search: Search[State, Action, View], worlds: int = WORLDS
    ) -> None:
        if worlds < 1:
            raise InvalidValueError(f"worlds: {worlds} is below 1")
        self.name = name
        self._search = search
        self._worlds = worlds

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Return one of the best actions."""
        if len(actions) == 1:
            return actions[0]
        worths = self.worths(view, actions, rng)
        best = max(worths)
        equals = [index for index, worth in enumerate(worths) if worth >= best - _TIE]
        return actions[equals[int(rng.integers(len(equals)))]]

    def worths(
        self, view: View, actions: Sequence[Action], rng: "np.random.Generator"
    ) -> list[float]:
        """Return the worth of each action to the player who chooses, the mean over the states that it imagines."""
        states = imagined(self._search.game, view, rng, self._worlds)
        totals = [0.0] * len(actions)
        for state, times in Counter(states).items():
            look = self._search.look(state, actions, len(states))
            for index, worth in enumerate(look.worth):
                totals[index] += times * worth
        return [total / len(states) for total in totals]


def imagined(
    game: Game[State, Action, View], view: View, rng: "np.random.Generator", worlds: int
) -> list[State]:
    """Return states that have a view: several if something is hidden, else the one state."""
    first = game.imagine(view, rng)
    more = worlds - 1 if game.hidden(first) else 0
    return [first, *(game.imagine(view, rng) for _ in range(more))]
