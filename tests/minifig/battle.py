"""The game, its shipped battles, and random games in tests."""

import json
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

import numpy as np

from brickphys.files import digest
from brickphys.minifig.game import Minifig
from brickphys.minifig.scenario import SCENARIOS
from brickphys.minifig.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.record import CHANCE, OVER, Record, Setup
from tests import golden_games

GAME = Minifig()
LAW = BinomialLaw(Fraction(3, 10))
NAMES = tuple(SCENARIOS)
_MEASURED_BY = {"command", "stamp", "versions"}


def setup(name: str = "duel", **changes: Any) -> dict[str, Any]:
    """A shipped setup with other tables."""
    return {**json.loads(json.dumps(SCENARIOS[name])), **changes}


def fought(setup: Setup, *names: str, root: int = 11) -> Record:
    """A whole game of bots, a name for each player in turn."""
    return golden_games.fought(GAME, LAW, setup, *names, root=root)


def random_states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the states of a game in which everything is chosen blindly, but hardly any turn is ended early."""
    rng, state = np.random.default_rng(seed), GAME.initial(setup)
    while True:
        yield state
        actor = GAME.actor(state)
        if actor == OVER:
            return
        moves = [*(GAME.chance(state).law(LAW) if actor == CHANCE else GAME.actions(state))]
        if actor != CHANCE and len(moves) > 1 and rng.random() < 0.9:
            moves = [move for move in moves if move.word != "end"]
        state = GAME.apply(state, moves[int(rng.integers(len(moves)))])


def played(state: State, *texts: str) -> State:
    """The state after legal actions and the outcomes of rolls, in their notation."""
    for text in texts:
        if GAME.actor(state) == CHANCE:
            state = GAME.apply(state, GAME.chance(state).parse(text))
        else:
            action = GAME.parse_action(text)
            assert GAME.problems(state, action) == [], text
            state = GAME.apply(state, action)
    return state


def transcript(name: str) -> str:
    """A game of the bot greedy1 and a random one on a shipped setup."""
    record = fought(SCENARIOS[name], "greedy1", "random")
    return golden_games.transcript(record, "greedy1 and random bots in turn")


def laws_digest() -> str:
    """Digest of the impact laws, the weapons and the targets that ship: a replay under other ones is another game.

    What measured a law is not part of it.
    """
    package = files("brickphys")
    laws = sorted((package / "laws" / "impact").iterdir(), key=lambda law: law.name)
    tables = [json.loads(law.read_text(encoding="utf-8")) for law in laws]
    measured = [{key: table[key] for key in table.keys() - _MEASURED_BY} for table in tables]
    folder = package / "projectiles"
    kept = [folder / "weapons.toml", folder / "targets.toml"]
    texts = [file.read_text(encoding="utf-8") for file in kept]
    return digest("".join([json.dumps(measured, sort_keys=True), *texts]))
