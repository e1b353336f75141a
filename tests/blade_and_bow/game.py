"""The game, its shipped battles, and games of bots that look for a fight."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.scenario import SCENARIOS
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import each
from brickphys.odds.law import BinomialLaw
from brickphys.rules.game import format_move
from brickphys.rules.players.prompt import Asked
from brickphys.rules.record import CHANCE, OVER, Record, Setup
from brickphys.rules.words import Action
from tests import golden_games

GAME = BladeAndBow()
LAW = BinomialLaw(Fraction(3, 10))
NAMES = (
    *("marathon", "thermopylae", "plataea", "mycale"),
    *("marathon_fair", "thermopylae_fair", "mycale_fair"),
)
_ORDERS = {"melee": 60.0, "shoot": 25.0, "rally": 6.0, "move": 4.0}
_WORDS = {"pass": 0.3, "discard": 0.3, "relocate": 0.3, "stay": 0.3, "done": 0.3, "ranks": 1.0}
"""How gladly a warlike player does things; all other words 8, and moves by how much nearer they lead."""


def setup(name: str = "marathon", **options: Any) -> dict[str, Any]:
    """A shipped setup with other options."""
    given = json.loads(json.dumps(SCENARIOS[name]))
    return {**given, "options": {**given.get("options", {}), **options}}


def question(state: State) -> Asked[State, Action[State], State]:
    """The question to the player who is to act, as at a keyboard."""
    view = GAME.observe(state, GAME.actor(state))
    return Asked(GAME, view, GAME.actions(view), np.random.default_rng(0), LAW)


def fought(setup: Setup, *names: str, root: int = 11) -> Record:
    """A whole game of bots, a name for each player."""
    return golden_games.fought(GAME, LAW, setup, *names, root=root)


def warlike_steps(setup: Setup, seed: int) -> Iterator[tuple[State, Any]]:
    """Yield the states of a game, each with the move before it, of players who choose blindly, but look for a fight."""
    rng, state, move = Random(seed), GAME.initial(setup), None
    while True:
        yield state, move
        actor = GAME.actor(state)
        if actor == OVER:
            return
        if actor == CHANCE:
            law = GAME.chance(state).law(LAW)
            (move,) = rng.choices([*law], [float(chance) for chance in law.values()])
        else:
            actions = GAME.actions(state)
            (move,) = rng.choices(actions, [zeal(state, action) for action in actions])
        state = GAME.apply(state, move)


def warlike_states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the states of such a game."""
    return (state for state, _ in warlike_steps(setup, seed))


def zeal(state: State, action: Action[State]) -> float:
    """How gladly a warlike player does it."""
    words = action.text().split()
    if words[0] in ("form", "single"):
        return _ORDERS[words[2]]
    if words[0] != "go":
        return _WORDS.get(words[0], 8.0)
    assert state.activation is not None
    unit = state.activation.active
    assert unit is not None
    here, there = state.units[unit].square, state.setting.square_numbers[words[1]]
    enemies = state.occupied[1 - state.player_of(unit)]
    return 4.0 ** (_steps(state, here or 0, enemies) - _steps(state, there, enemies))


def _steps(state: State, square: int, enemies: int) -> int:
    """How many steps the nearest of some squares is away; 0 if there is none."""
    grid = state.setting.grid
    x, y = grid.xy(square)
    places = map(grid.xy, each(enemies))
    return min((max(abs(x - to_x), abs(y - to_y)) for to_x, to_y in places), default=0)


def transcript(name: str) -> str:
    """A warlike game of a shipped setup: a line for all that one does in a row, and the state where it ends."""
    lines, last = ["# warlike players; seed 11"], None
    for (before, _), (after, move) in pairwise(warlike_steps(SCENARIOS[name], 11)):
        actor, text = GAME.actor(before), format_move(GAME, before, move)
        who = "roll" if actor == CHANCE else GAME.player_name(after, actor)
        lines += [f"{who}: {text}"] if actor != last else []
        lines[-1] += f"; {text}" if actor == last else ""
        last = actor
    return "\n".join([*lines, GAME.format_state(after), ""])
