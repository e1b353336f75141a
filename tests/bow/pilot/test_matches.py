"""Games against the yardstick: who drives wins the chase, and vehicles move in it."""

import pytest

from brickphys.odds.law_file import default_law
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME

LAW = default_law()
GAMES = 6


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_who_drives_wins_the_chase(seat):
    """The seeds are fixed; with others, a bot that wins 95 % of its games would fail in 3 % of such tests."""
    names = ["hard" if player == seat else "greedy1" for player in (0, 1)]
    won = moves = 0
    for seed in range(GAMES):
        bots = [bot(name, GAME, LAW) for name in names]
        record = play(GAME, GAME.setups["chase"], bots, LawSource(LAW, seed), root=seed)
        won += record.returns is not None and record.returns[seat] > 0
        moves += sum(GAME.conduct(record, player)["moves_of_vehicles"] for player in (0, 1))
    assert won >= GAMES - 1
    assert moves >= 2 * GAMES
