"""Search: what each action is worth if all play their best, with exact chance nodes, within a budget of nodes or time.

It goes one choice deeper at a time, as long as the budget lasts. Where it ends, the game's own estimate counts. Every
player is taken to play for himself alone, which for two with opposite returns is expectimax (Michie, "Game-playing and
game-learning automata", 1966), for more of them max-n (Luckhardt and Irani, AAAI 1986).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from time import monotonic
from typing import Generic

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.events import ChanceEvent, Outcome
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER, Action, State, View

Values = tuple[float, ...]
"""What a state is worth to each player."""

_MAX_DEPTH = 40  # deeper, Python's own stack might end first
_REMEMBERED = 4096


class _BudgetSpentError(Exception):
    """Ends a search that is not yet complete; never leaves this module."""


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search stops.

    Attributes
    ----------
    nodes
        States looked at. A search with this limit alone always finds the same.
    seconds
        Time; None if it does not matter. What is found then depends on the machine.
    depth
        Complete choices looked ahead, 1 or more.
    """

    nodes: int = 2_000
    seconds: float | None = None
    depth: int = _MAX_DEPTH

    def __post_init__(self) -> None:
        if self.nodes < 1 or not 1 <= self.depth <= _MAX_DEPTH:
            raise InvalidValueError(
                f"nodes {self.nodes} is below 1 or depth {self.depth} is outside 1..{_MAX_DEPTH}"
            )
        if self.seconds is not None and not self.seconds > 0:
            raise InvalidValueError(f"seconds: {self.seconds} is not positive")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes
    ----------
    worth
        Of each action, in the order in which they were given: what it is worth to whoever chooses.
    depth
        How many choices deep it looked at all of them.
    nodes
        How many states it looked at.
    complete
        Whether every line was followed to the end of the game, so that no estimate counts.
    """

    worth: tuple[float, ...]
    depth: int
    nodes: int
    complete: bool


class Search(Generic[State, Action, View]):
    """Searches states of one game.

    Parameters
    ----------
    game
        What is played.
    brick_law
        What a roll of bricks scores.
    budget
        For one call of `look`. The first depth is always finished.

    What the game answers is remembered for a while: each depth, and the next part of a choice that was split, comes
    to many of the same states again.
    """

    def __init__(
        self, game: Game[State, Action, View], brick_law: RollLaw, budget: Budget | None = None
    ) -> None:
        self.game = game
        self.budget = budget or Budget()
        self.outcomes = lru_cache(_REMEMBERED)(partial(_chances, brick_law))
        self.apply = lru_cache(_REMEMBERED)(game.apply)
        self.estimate = lru_cache(_REMEMBERED)(game.estimate)

    def look(self, state: State, actions: Sequence[Action]) -> Found:
        """Return what each of these actions of the player who is to act is worth to him.

        Raises
        ------
        InvalidValueError
            If an event has no exact law.
        """
        actor = self.game.actor(state)
        after = [self.apply(state, action) for action in actions]
        found: Found | None = None
        deadline = monotonic() + self.budget.seconds if self.budget.seconds else None
        spent = 0
        for depth in range(1, self.budget.depth + 1):
            dive = _Dive(self, spent, deadline if found else None, limited=found is not None)
            try:
                worth = tuple(dive.value(child, depth - 1)[actor] for child in after)
            except _BudgetSpentError:
                break
            spent = dive.nodes
            found = Found(worth, depth, spent, complete=not dive.cut)
            if found.complete or spent >= self.budget.nodes:
                break
        if found is None:
            raise InvalidValueError("a search needs at least one action")
        return found


def _chances(brick_law: RollLaw, event: ChanceEvent) -> tuple[tuple[Outcome, float], ...]:
    """Return the outcomes of an event with their chances."""
    return tuple((outcome, float(p)) for outcome, p in event.law(brick_law).items())


class _Dive(Generic[State, Action, View]):
    """One depth of a search; equal states are looked at once."""

    def __init__(
        self,
        search: Search[State, Action, View],
        spent: int,
        deadline: float | None,
        *,
        limited: bool,
    ) -> None:
        self.search = search
        self.game = search.game
        self.nodes = spent
        self.deadline = deadline
        self.most = search.budget.nodes if limited else None
        self.cut = False
        self.known: dict[tuple[Hashable, int], Values] = {}

    def value(self, state: State, depth: int) -> Values:
        """Return what a state is worth to each player, looking `depth` complete choices ahead."""
        known = self.known.get((state, depth))
        if known is None:
            self._count()
            known = self.known[state, depth] = self._value(state, depth)
        return known

    def _value(self, state: State, depth: int) -> Values:
        actor = self.game.actor(state)
        if actor == OVER:
            return tuple(map(float, self.game.returns(state)))
        if actor == CHANCE:
            return self._mean(state, depth)
        midway = self.game.midway(state)
        if depth == 0 and not midway:
            self.cut = True
            return self.search.estimate(state)
        left = depth if midway else depth - 1
        children = (
            self.value(self.search.apply(state, action), left)
            for action in self.game.actions(state)
        )
        return max(children, key=lambda values: values[actor])

    def _mean(self, state: State, depth: int) -> Values:
        """Return the expectation over an event; outcomes that lead to the same state are looked at together."""
        chances: dict[State, float] = {}
        for outcome, chance in self.search.outcomes(self.game.chance(state)):
            after = self.search.apply(state, outcome)
            chances[after] = chances.get(after, 0.0) + chance
        totals = [0.0] * self.game.players(state)
        for after, chance in chances.items():
            for player, worth in enumerate(self.value(after, depth)):
                totals[player] += chance * worth
        return tuple(totals)

    def _count(self) -> None:
        self.nodes += 1
        if self.most is not None and self.nodes > self.most:
            raise _BudgetSpentError
        if self.deadline is not None and self.nodes % 64 == 0 and monotonic() > self.deadline:
            raise _BudgetSpentError
