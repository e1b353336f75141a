"""The game, its shipped battles, and random games in tests."""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.game import PirateWars
from brickphys.pirate_wars.scenario import SCENARIOS
from brickphys.pirate_wars.state import State
from brickphys.rules.record import CHANCE, OVER, Record, Setup
from tests import golden_games

GAME = PirateWars()
LAW = BinomialLaw(Fraction(3, 10))
"""No bricks are rolled in this game."""
NAMES = tuple(SCENARIOS)


def setup(name: str = "duel", **changes: Any) -> dict[str, Any]:
    """A shipped setup with other tables."""
    return {**json.loads(json.dumps(SCENARIOS[name])), **changes}


def battle(setup: Setup, *names: str, root: int = 11) -> Record:
    """A whole game of bots, a name for each player in turn."""
    return golden_games.fought(GAME, LAW, setup, *names, root=root)


def random_states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the states of a game in which everything is chosen blindly."""
    rng, state = np.random.default_rng(seed), GAME.initial(setup)
    while True:
        yield state
        actor = GAME.actor(state)
        if actor == OVER:
            return
        moves = GAME.chance(state).law(LAW) if actor == CHANCE else GAME.actions(state)
        state = GAME.apply(state, list(moves)[int(rng.integers(len(moves)))])


def transcript(name: str) -> str:
    """A game of the bot greedy1 and a random one on a shipped setup."""
    record = battle(SCENARIOS[name], "greedy1", "random")
    return golden_games.transcript(record, "greedy1 and random bots in turn")
