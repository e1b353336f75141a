"""A duel whose every action and roll is written down, for the tests of stories."""

from brickphys.bow.story import story
from brickphys.rules.play import play
from brickphys.rules.sources import ScriptSource
from tests.bow.battle import GAME, duel


class Reader:
    """A player who does what is written."""

    name = "reader"

    def __init__(self, lines):
        self.lines = iter(lines)

    def choose(self, view, actions, rng):
        return GAME.parse_action(next(self.lines))


def told_duel():
    """A duel: a walk and a throw, a miss, a guard, a hit that kills."""
    red = (
        *("unit red_trooper", "walk 5,4", "face e", "end"),
        *("unit red_trooper", "walk 7,4", "face e", "attack blue_trooper spear"),
    )
    blue = (
        *("unit blue_trooper", "do throw", "throw shield held", "to 9,8", "walk 8,5", "face w"),
        *("unit blue_trooper", "attack red_trooper spear", "end"),
    )
    rolls = ScriptSource(["3", "3", "5", "2", "1 1", "2 0"])
    return play(GAME, duel(), [Reader(red), Reader(blue)], rolls, root=0)


def duel_story() -> str:
    """The golden story of the duel."""
    return "\n".join(story(told_duel())) + "\n"
