"""Battles in a test in which ships meet at once: random players fire, board, flee and swim in a few rounds."""

from functools import lru_cache

from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.game import PirateWars
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.sources import LawSource

GAME = PirateWars()
SETUP = {
    "players": [{"name": "crown"}, {"name": "pirates"}],
    "sea": {"width": 300, "length": 200},
    "wind_deg": 180.0,
    "ship": [
        {"id": "gallant", "sheet": "imperial_flagship", "player": "crown", "x": 150, "y": 100},
        {"id": "scorpion", "sheet": "black_pearl", "player": "pirates", "x": 150, "y": 116},
        {"id": "runner", "sheet": "renegade_runner", "player": "pirates", "x": 165, "y": 86},
    ],
    "aims": [{"kind": "rounds", "rounds": 6}],
}


@lru_cache
def battle(seed):
    """A battle of random players."""
    source = LawSource(BinomialLaw(0.3), root=seed)
    return play(GAME, SETUP, [RandomBot(), RandomBot()], source, root=seed, max_steps=600)
