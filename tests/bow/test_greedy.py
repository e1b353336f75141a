"""Greedy bots play battles in which one roll after the other follows a choice."""

from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import Ending
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME
from tests.bow.random_setups import random_setup

LAW = BinomialLaw(Fraction(3, 10))


@pytest.mark.slow
def test_vehicles_that_drive_on_round_after_round_do_not_exhaust_the_stack():
    bots = [bot("greedy", GAME, LAW)] * 2
    record = play(GAME, random_setup(418, 2), bots, LawSource(LAW, 298), root=298, max_steps=100)
    assert record.ending is Ending.OVER
