"""Plan search: the worth of plans if both sides go on with their best plans, with exact chances between them.

It is expectimax (Michie, "Game-playing and game-learning automata", 1966) over plans in place of single actions, for
games whose turn is that of one unit. Rolls that lead to the same state are one branch. Each depth looks at the best
plans alone; the depths grow while the budget lasts, and the last one that was completed counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic

from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import Effort, Plan
from brickphys.rules.players.search import Budget, Search, Values
from brickphys.rules.record import CHANCE, OVER, Action, State, View

Candidates = Callable[[State], Sequence[Plan[Action]]]

_MAX_ROLLS = 12
"""Rolls one after the other that a branch follows; a state that still waits for one is then judged as it is."""
_MOST_GOES_ON = 2
"""Plans that a player makes in one turn after the first, such as walking off after an attack."""
_LEAST = 1e-4
"""Branches of a smaller chance are left out, and the others count for them."""


class _SpentError(Exception):
    """Ends a depth that the budget does not allow; never leaves this module."""


class PlanSearch(Generic[State, Action, View]):
    """Ranks the plans of states of one game.

    Parameters
    ----------
    candidates
        The plans of a state in which they may begin, the best first by a cheap worth, holding among them; empty where
        none may begin.
    leaf
        The worth of a state to each player, where the search ends before a player's plan. None: the game's estimate.
    widths
        How many plans are looked at at each depth: of the player who is to act, of the next one, and so on. Holding
        comes on top of the first.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        brick_law: RollLaw,
        candidates: "Candidates[State, Action]",
        leaf: Callable[[State], Values] | None = None,
        widths: Sequence[int] = (6, 4, 2),
    ) -> None:
        self.game = game
        self.candidates = candidates
        self.widths = tuple(widths)
        self._search = Search(game, brick_law, Budget(depth=1), leaf)
        self.leaf = self._search.estimate

    def ranked(self, state: State, effort: Effort) -> list[Plan[Action]]:
        """Return the plans of the player who is to act, the best first, each with its difference to holding.

        Plans beyond the first width keep their cheap worth, but never come before one that was searched.
        """
        plans = list(self.candidates(state))
        held = [plan for plan in plans if plan.is_holding][:1]
        first = [plan for plan in plans[: self.widths[0]] if plan not in held] + held
        worths = [0.0] * len(first)
        for depth in range(1, min(effort.level.depth, len(self.widths)) + 1):
            try:
                worths = _Depth(self, effort, depth).plans(state, first)
            except _SpentError:
                break
        hold = worths[-1] if held else max(worths, default=0.0)
        searched = sorted(
            (replace(plan, worth=worth - hold) for plan, worth in zip(first, worths, strict=True)),
            key=lambda plan: -plan.worth,
        )
        lowest = min((plan.worth for plan in searched), default=0.0)
        rest = [replace(p, worth=min(p.worth, lowest)) for p in plans if p not in first]
        return [*searched, *rest]

    def played(self, state: State, plan: Plan[Action]) -> State:
        """Return the state after the actions of a plan, before what is rolled for the last one."""
        for action in plan.actions:
            state = self._search.apply(state, action)
        return state

    def rolled(self, state: State) -> dict[State, float]:
        """Return the states in which a player is to act next, or the game is over -> probability."""
        branches, settled = {state: 1.0}, dict[State, float]()
        for _ in range(_MAX_ROLLS):
            waiting = dict[State, float]()
            for before, chance in branches.items():
                if self.game.actor(before) != CHANCE:
                    settled[before] = settled.get(before, 0.0) + chance
                    continue
                for after, share in self._law(before):
                    if chance * share >= _LEAST:
                        waiting[after] = waiting.get(after, 0.0) + chance * share
            branches = waiting
            if not branches:
                break
        for before, chance in branches.items():
            settled[before] = settled.get(before, 0.0) + chance
        total = sum(settled.values())
        return {after: chance / total for after, chance in settled.items()}

    def _law(self, state: State) -> Sequence[tuple[State, float]]:
        chain = self._search.chain(state)
        if chain is not None:
            return chain
        law = self._search.outcomes(self.game.chance(state))
        return [(self._search.apply(state, outcome), chance) for outcome, chance in law]


class _Depth(Generic[State, Action, View]):
    """One depth of a search; equal states are looked at once."""

    def __init__(self, search: PlanSearch[State, Action, View], effort: Effort, depth: int) -> None:
        self._search = search
        self._game = search.game
        self._effort = effort
        self._depth = depth
        self._known: dict[tuple[State, int, int], Values] = {}

    def plans(self, state: State, plans: Sequence[Plan[Action]]) -> list[float]:
        """Return the worth of plans to the player who is to act."""
        actor = self._game.actor(state)
        return [self._after(state, plan, actor, 0, 0)[actor] for plan in plans]

    def _after(
        self, state: State, plan: Plan[Action], mover: int, turns: int, goes_on: int
    ) -> Values:
        """Return the mean worth of what a plan leads to.

        The `mover` is whose plan it is, `turns` how often he has changed, and `goes_on` how many plans he has made
        since then.
        """
        totals = [0.0] * self._game.players(state)
        for after, chance in self._search.rolled(self._search.played(state, plan)).items():
            is_same = self._game.actor(after) == mover
            place = (turns, goes_on + 1) if is_same else (turns + 1, 0)
            for player, worth in enumerate(self._value(after, *place)):
                totals[player] += chance * worth
        return tuple(totals)

    def _value(self, state: State, turns: int, goes_on: int) -> Values:
        actor = self._game.actor(state)
        if actor == OVER:
            return tuple(map(float, self._game.returns(state)))
        key = state, turns, goes_on
        if key not in self._known:
            # the first depth always ends
            if not self._effort.spend() and self._depth > 1:
                raise _SpentError
            self._known[key] = self._judged(state, actor, turns, goes_on)
        return self._known[key]

    def _judged(self, state: State, actor: int, turns: int, goes_on: int) -> Values:
        """Return the worth of a state by the plans that may begin in it, or as a leaf where the search ends."""
        if actor == CHANCE or turns >= self._depth or goes_on > _MOST_GOES_ON:
            return self._search.leaf(state)
        width = self._search.widths[-1 if goes_on else turns]
        plans = list(self._search.candidates(state))[:width]
        if not plans:
            return self._search.leaf(state)
        below = [self._after(state, plan, actor, turns, goes_on) for plan in plans]
        return max(below, key=lambda values: values[actor])
