"""Choices: what a player is asked, or an action that he begins, and what a plan for it brings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import tanh
from typing import Any

from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.worth import lead
from brickphys.rules.plans import Effort, Plan
from brickphys.rules.turn_game import TurnGame
from brickphys.rules.words import Action

BattlePlan = Plan[Action[State]]
BattleGame = TurnGame[State, State]


@dataclass
class Asked:
    """A choice of a player, and what may be thought about it."""

    game: BattleGame
    state: State
    effort: Effort

    @cached_property
    def player(self) -> int:
        """Who chooses."""
        return self.game.actor(self.state)

    @property
    def question(self) -> Any:
        """What is asked."""
        return self.state.first_pending

    @cached_property
    def options(self) -> Sequence[Any]:
        """The legal answers that are listed."""
        return self.game.actions(self.state)

    @cached_property
    def lead(self) -> float:
        """The logarithm of the player's odds before the choice."""
        return lead(self.state, self.player)

    def plan(self, unit: str, purpose: str, gain: float, *actions: Action[State]) -> BattlePlan:
        """Return a plan, given what it brings in the logarithm of odds."""
        worth = tanh(0.5 * (self.lead + gain)) - tanh(0.5 * self.lead)
        return Plan(unit, purpose, actions, worth)


class Began:
    """An action that begins: what plans bring is the difference to passing.

    In its `state` nothing is pending, and nobody is activated.
    """

    def __init__(self, state: State, effort: Effort) -> None:
        self.state, self.effort = state, effort
        self.player = state.mover
        self.passed = state.replaced({"actions": state.actions - 1})
        self.base = lead(self.passed, self.player)

    def worth(self, gain: float) -> float:
        """Return what a gain in the logarithm of odds is worth, in the scale of returns."""
        return tanh(0.5 * (self.base + gain)) - tanh(0.5 * self.base)

    def after(self, state: State) -> float:
        """Return the worth of a state after this action, as the difference to passing."""
        self.effort.spend()
        return self.worth(lead(state, self.player) - self.base)
