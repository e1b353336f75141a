"""Advice: the plans of a player who is to act, for hints and for the analysis of a game that was played.

In a game whose bots do not plan, and within a choice that was split, each action that greedy search looks at is a plan.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple

from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import Level, Plan
from brickphys.rules.players.planner import Planner
from brickphys.rules.players.search import Budget, Search, SearchBot
from brickphys.rules.record import Action, State, View
from brickphys.text import signed

if TYPE_CHECKING:
    import numpy as np

MOST_HINTS = 3
"""Plans that a person is told."""


class Adviser(Generic[State, Action, View]):
    """Tells what a bot that plans would consider; it has no memory but caches.

    Attributes
    ----------
    search
        Judges states and single actions by the estimate of the game.
    """

    def __init__(self, game: Game[State, Action, View], brick_law: RollLaw, level: Level) -> None:
        self.game = game
        self.search = Search(game, brick_law, Budget(depth=1))
        self._planner = Planner(game, brick_law, level)
        self._greedy = SearchBot(level.name, self.search)

    def plans(
        self, view: View, actions: Sequence[Action], rng: "np.random.Generator"
    ) -> list[Plan[Action]]:
        """Return the plans of the player who is to act, or else the single actions, the best first."""
        return self.whole(view, rng) or self.singles(view, actions, rng)

    def whole(self, view: View, rng: "np.random.Generator") -> list[Plan[Action]]:
        """Return the plans up to the next roll, the best first; empty where none may begin."""
        return self._planner.plans(view, rng)

    def singles(
        self, view: View, actions: Sequence[Action], rng: "np.random.Generator"
    ) -> list[Plan[Action]]:
        """Return each action as a plan, the best first; nobody holds, so their worths count from that of the best."""
        worths = self._greedy.worths(view, actions, rng)
        state, best = self.game.imagine(view, rng), max(worths)
        plans = (
            Plan("", self.game.purpose(state, action), (action,), worth - best)
            for action, worth in zip(actions, worths, strict=True)
        )
        return sorted(plans, key=lambda plan: -plan.worth)


def points(worth: float) -> float:
    """Return a difference of worths, in the scale of returns, in points of 100 of the chance to win."""
    return 50.0 * worth


class Hint(NamedTuple, Generic[Action]):
    """A plan for people."""

    plan: Plan[Action]
    text: str
    """Who does what for which purpose, or the action alone."""
    typed: str
    """What a person types to do it, if the text does not say it; else empty."""
    points: float
    """How much better the best plan is, in points of 100 of the chance to win."""

    @property
    def rank(self) -> str:
        """How it compares with the best one, in a word."""
        return signed(-self.points, 1) if self.points else "best"


def plan_text(game: Game[State, Action, View], plan: Plan[Action]) -> str:
    """Return who does what for which purpose; of a plan of no unit, its actions with that."""
    if plan.unit:
        return f"{plan.unit}: {plan.purpose}"
    actions = "; ".join(map(game.format_action, plan.actions))
    return f"{actions} - {plan.purpose}" if plan.purpose else actions


def hints(game: Game[State, Action, View], plans: Iterable[Plan[Action]]) -> list[Hint[Action]]:
    """Return the best of some plans, which come best first; of those with the same text only the first."""
    found: dict[str, Hint[Action]] = {}
    best = 0.0
    for plan in plans:
        text = plan_text(game, plan)
        best = best if found else plan.worth
        if text not in found:
            typed = "; ".join(map(game.format_action, plan.actions)) if plan.unit else ""
            found[text] = Hint(plan, text, typed, points(best - plan.worth))
        if len(found) == MOST_HINTS:
            break
    return list(found.values())
