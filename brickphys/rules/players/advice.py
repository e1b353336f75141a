"""Advice: the plans of a player who is to act, for hints and for the analysis of a game that was played.

In a game whose bots do not plan, and within a choice that was split, each action that greedy search looks at is a plan.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atanh, tanh
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
_MOST_WORTH = 1.0 - 1e-12
"""The odds of a win that is certain are infinite."""


def points(worth: float) -> float:
    """Return a difference of worths, in the scale of returns, in points of 100 of the chance to win."""
    return 50.0 * worth


def chance_scale(worth: float, slope: float) -> float:
    """Return a worth, -1 to 1, whose logarithm of the odds is `slope` times that of another one."""
    return tanh(slope * atanh(min(max(worth, -_MOST_WORTH), _MOST_WORTH)))


class Hint(NamedTuple, Generic[Action]):
    """A plan for people."""

    plan: Plan[Action]
    text: str
    """Who does what for which purpose, or the action alone."""
    typed: str
    """What a person types to do it, if the text does not say it; else empty."""
    points: float
    """How much better the best plan is, in points of 100 of the chance to win."""
    rank: str
    """The same in a word: ``best`` for one alone, ``as good``, or the points less."""


def plan_text(game: Game[State, Action, View], plan: Plan[Action]) -> str:
    """Return who does what for which purpose; of a plan of no unit, its actions with that."""
    if plan.unit:
        return f"{plan.unit}: {plan.purpose}"
    actions = "; ".join(map(game.format_action, plan.actions))
    return f"{actions} - {plan.purpose}" if plan.purpose else actions


def remaining(
    game: Game[State, Action, View], start: State, plan: Plan[Action], steps: Sequence[State]
) -> tuple[Action, ...]:
    """Return what is left of a plan after some steps of its player; empty if nothing is, or something else was done.

    A plan has a choice as a whole that a person makes in parts. It begins in the state `start`; of the states after
    the steps only what the player sees of them counts.
    """
    player, left, is_within = game.actor(start), list(plan.actions), False
    for after in steps:
        is_next = left and not game.problems(start, left[0])
        then = game.apply(start, left[0]) if is_next else start
        if is_next and game.observe(then, player) == game.observe(after, player):
            start, left, is_within = then, left[1:], False
        elif game.actor(after) == player and not game.settled(after):
            is_within = True
        else:
            return ()
    return () if is_within and (not left or game.problems(steps[-1], left[0])) else tuple(left)


class Adviser(Generic[State, Action, View]):
    """Tells what a bot that plans would consider; it has no memory but caches.

    Its `search` judges states and single actions by the estimate of the game.
    """

    def __init__(self, game: Game[State, Action, View], brick_law: RollLaw, level: Level) -> None:
        self.game = game
        self.search = Search(game, brick_law, Budget(depth=1))
        self._planner = Planner(game, brick_law, level)
        self._greedy = SearchBot(level.name, self.search)

    def hints(
        self,
        view: View,
        actions: Sequence[Action],
        rng: "np.random.Generator",
        earlier: Sequence[State] = (),
    ) -> list[Hint[Action]]:
        """Return the best plans of the player who is to act, or else the best actions; of equals only the first.

        `earlier` are the states in which this player has acted since anybody else did: within a choice, or a unit's
        turn, the plans that began there and can still be followed count.
        """
        found: dict[str, Hint[Action]] = {}
        plans = self.whole(view, rng) or self._going_on(view, earlier, rng)
        best = plans[0].worth if plans else 0.0
        for plan in plans or self._completed_singles(view, actions, rng):
            typed = "; ".join(map(self.game.format_action, plan.actions)) if plan.unit else ""
            text, less = plan_text(self.game, plan), points(best - plan.worth)
            rank = signed(-less, 1) if round(less, 1) else "as good" if found else "best"
            found.setdefault(text, Hint(plan, text, typed, less, rank))
            if len(found) == MOST_HINTS:
                break
        return list(found.values())

    def _going_on(
        self, view: View, earlier: Sequence[State], rng: "np.random.Generator"
    ) -> list[Plan[Action]]:
        """Return what is left of the plans that could begin last, the best first."""
        game, steps = self.game, [self.game.imagine(view, rng)]
        for state in reversed(earlier):
            seen = game.observe(state, game.actor(state))
            if plans := self.whole(seen, rng):
                start = game.imagine(seen, rng)
                rests = [(plan, remaining(game, start, plan, steps)) for plan in plans]
                return [replace(plan, actions=rest) for plan, rest in rests if rest]
            steps.insert(0, state)
        return []

    def _completed_singles(
        self, view: View, actions: Sequence[Action], rng: "np.random.Generator"
    ) -> Iterator[Plan[Action]]:
        """Yield the single actions, those that begin a choice with what completes it best, if nothing is hidden."""
        state = self.game.imagine(view, rng)
        is_open = not self.game.hidden(state)
        for plan in self.singles(view, actions, rng):
            yield self.completed(state, plan, rng) if is_open else plan

    def whole(self, view: View, rng: "np.random.Generator") -> list[Plan[Action]]:
        """Return the plans up to the next roll, the best first, their worths in the scale of the chance to win.

        Empty where none may begin.
        """
        plans = self._planner.plans(view, rng)
        slope = self.game.plan_slope
        if not plans or slope == 1.0:
            return plans
        now = self.game.plan_estimate(self.game.imagine(view, rng))
        held = chance_scale(now, slope)
        return [replace(plan, worth=chance_scale(now + plan.worth, slope) - held) for plan in plans]

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

    def completed(
        self, state: State, plan: Plan[Action], rng: "np.random.Generator"
    ) -> Plan[Action]:
        """Return a plan with the best actions that complete the choice in which it ends."""
        game, player, actions = self.game, self.game.actor(state), [*plan.actions]
        purpose = plan.purpose
        for action in plan.actions:
            state = game.apply(state, action)
        while game.actor(state) == player and not game.settled(state):
            best = self.singles(game.observe(state, player), game.actions(state), rng)[0]
            actions += best.actions
            purpose = best.purpose
            state = game.apply(state, best.actions[0])
        return replace(plan, purpose=purpose, actions=tuple(actions))
