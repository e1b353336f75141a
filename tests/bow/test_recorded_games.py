"""Three hundred games of bots go as they went when they were recorded, step by step: no rule has changed unseen.

The table has a line a game: what was played, by whom, from which seed, and digests of its steps, its last state, its
story and its description. One game of sixty, and a short one of greedy bots, are in the fast suite.
"""

import csv
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME
from tests.bow.random_setups import random_setup

LAW = BinomialLaw(Fraction(3, 10))
TABLE = Path(__file__).parents[1] / "golden" / "bow_games.csv"
with TABLE.open(encoding="utf-8") as rows:
    GAMES = list(csv.DictReader(rows))
SHORT = {"291"}
FAST = [*GAMES[::60], *(row for row in GAMES if row["seed"] in SHORT)]
"""The games of the fast suite."""


def setup_of(row: dict[str, str]) -> object:
    """A scenario by name, drawn armies by their number, or a random battle by seed and players."""
    kind, _, rest = row["setup"].partition(" ")
    if kind == "scenario":
        return GAME.setups[rest]
    number, *players = map(int, rest.split())
    if kind == "random":
        return random_setup(number, players[0])
    armies = {
        "points": 60 + 20 * (number % 6),
        "ratio": [0.8, 1.25],
        "cover": number % 4,
        "apart": 6 + number % 8,
        "rounds": 12,
    }
    return GAME.draw_setup(armies, np.random.default_rng(number))[1]


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def played(row: dict[str, str]) -> dict[str, str]:
    """The row of a game as it goes now."""
    setup, seed, names = setup_of(row), int(row["seed"]), row["bots"].split()
    count = GAME.players(GAME.initial(setup))
    bots = [bot(names[player % len(names)], GAME, LAW) for player in range(count)]
    source, limit = LawSource(LAW, seed), int(row["max_steps"])
    record = play(GAME, setup, bots, source, root=seed, max_steps=limit)
    return row | {
        "steps": str(len(record.steps)),
        "texts": digest("\n".join(step.text for step in record.steps)),
        "final": digest(GAME.format_state(record.final)),
        "story": digest("\n".join(GAME.story(record))),
        "description": digest(GAME.describe(GAME.observe(record.final, 0))),
    }


def table() -> str:
    """The file as it should be."""
    text = StringIO()
    writer = csv.DictWriter(text, GAMES[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(played, GAMES))
    return text.getvalue()


def test_there_are_three_hundred():
    assert len(GAMES) == 300


@pytest.mark.parametrize("row", FAST, ids=lambda row: row["seed"])
def test_some_games_go_as_they_went(row):
    assert played(row) == row


@pytest.mark.slow
@pytest.mark.parametrize("row", GAMES, ids=lambda row: row["seed"])
def test_games_go_as_they_went(row):
    assert played(row) == row
