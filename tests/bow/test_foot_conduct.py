"""What is counted of units on foot in a played game."""

from fractions import Fraction

from brickphys.bow.foot.conduct import FOOT_COUNTS, foot_conduct
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME, setup, unit


class Typed:
    """A player that does what is written, and else ends the turn."""

    name = "typed"

    def __init__(self, *texts):
        self._texts = list(texts)

    def choose(self, view, actions, rng):
        if self._texts:
            return GAME.parse_action(self._texts.pop(0))
        ends = [action for action in actions if action.text() == "end"]
        return ends[0] if ends else actions[0]


def test_turns_walks_attacks_and_who_sleeps_are_counted():
    begin = setup(
        unit("a", "swordsman", "red", 5, 5),
        unit("b", "swordsman", "blue", 25, 15, "w"),
        aims=[{"kind": "rounds", "rounds": 2}],
    )
    red = Typed("unit a", "walk 5,5", "face n", "walk 6,5", "face e")
    law = BinomialLaw(Fraction(1, 2))
    record = play(GAME, begin, [red, Typed()], LawSource(law, 3), root=3, max_steps=200)
    found, other = foot_conduct(record, 0), foot_conduct(record, 1)
    assert set(found) == set(other) == set(FOOT_COUNTS)
    assert found["turns_of_units"] == other["turns_of_units"] == 2
    assert found["turns_on_the_spot"] == 1
    assert found["walks"] == 1
    assert (found["units_asleep"], other["units_asleep"]) == (0, 1)  # blue never does anything
    assert (found["turns_held"], other["turns_held"]) == (1, 2)
    assert found["attacks"] == found["gear_moves"] == 0
