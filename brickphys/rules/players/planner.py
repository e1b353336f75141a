"""Planner: the player that chooses a plan at the start of a turn, plays it up to the next roll, and plans again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic

from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import Effort, Level, Plan, Thinker
from brickphys.rules.players.search import WORLDS, Budget, Search, SearchBot, imagined
from brickphys.rules.record import Action, State, View

if TYPE_CHECKING:
    import numpy as np

PLANNER_VERSION = "7"
"""Changes whenever the same weights may lead to another choice."""


class Planner(Generic[State, Action, View]):
    """Chooses plans, not single actions. Within a choice that no plan covers, it takes what a search finds best.

    Where something is hidden, it imagines several states that look like what it sees, and goes by the mean; they share
    the budget of a decision.
    """

    def __init__(self, game: Game[State, Action, View], brick_law: RollLaw, level: Level) -> None:
        self.name = level.name
        self.level = level
        self._game = game
        self._thinker: Thinker[State, Action] | None = game.thinker(brick_law)
        self._greedy = SearchBot(level.name, Search(game, brick_law, Budget(depth=1)))
        self._ahead: dict[View, Action] = {}
        """What the plan that is being played does next, by the view in which it comes."""

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Return the next action of the plan, or the first one of a new plan."""
        if view in self._ahead:
            action = self._ahead.pop(view)
            if action in actions or not self._game.problems(self._game.imagine(view, rng), action):
                return action
        if len(actions) == 1:
            return actions[0]
        plans = self.plans(view, rng)
        if not plans:
            return self._greedy.choose(view, actions, rng)
        best = max(plans, key=lambda plan: plan.worth + self._error(rng))
        self._keep(view, best, rng)
        return best.actions[0]

    def plans(self, view: View, rng: "np.random.Generator") -> list[Plan[Action]]:
        """Return the plans of the player who is to act, the best first.

        Empty where none may begin: within a choice, or in a game whose bots do not plan.
        """
        if self._thinker is None:
            return []
        states = imagined(self._game, view, rng, WORLDS)
        if not all(self._thinker.is_open(state) for state in states):
            return []
        found = [
            (self._thinker.plans(state, Effort(self.level, times / len(states))), times)
            for state, times in Counter(states).items()
        ]
        return list(found[0][0]) if len(found) == 1 else _merged(found)

    def _error(self, rng: "np.random.Generator") -> float:
        return float(rng.normal(0.0, self.level.noise)) if self.level.noise else 0.0

    def _keep(self, view: View, plan: Plan[Action], rng: "np.random.Generator") -> None:
        """Remember what follows the first action of a plan, as long as this player is to act."""
        self._ahead.clear()
        state = self._game.imagine(view, rng)
        player = self._game.actor(state)
        for action, later in zip(plan.actions, plan.actions[1:], strict=False):
            if self._game.problems(state, action):
                break
            state = self._game.apply(state, action)
            if self._game.actor(state) != player:
                break
            self._ahead[self._game.observe(state, player)] = later


def _merged(found: Sequence[tuple[Sequence[Plan[Action]], int]]) -> list[Plan[Action]]:
    """Return the plans of several states by their mean worth; where one is missing, it counts as the worst there."""
    known: dict[tuple[Action, ...], Plan[Action]] = {}
    for plans, _ in found:
        known = {plan.actions: plan for plan in plans} | known
    states = sum(times for _, times in found)
    totals = dict.fromkeys(known, 0.0)
    for plans, times in found:
        worst = min((plan.worth for plan in plans), default=0.0)
        worths = {plan.actions: plan.worth for plan in plans}
        for actions in totals:
            totals[actions] += times * worths.get(actions, worst) / states
    merged = [replace(plan, worth=totals[actions]) for actions, plan in known.items()]
    return sorted(merged, key=lambda plan: -plan.worth)
