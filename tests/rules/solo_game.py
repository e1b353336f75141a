"""A campaign of one player: days of marching with dice for misadventure; it is won, survived or lost."""

from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.rolls import DiceRoll
from tests.rules.rows import RowGame

ACTIONS = {"march": 2, "scout": 1, "rest": 0}
"""Action -> miles of that day; the more miles, the more dice for misadventure."""


class Day(NamedTuple):
    """Days and miles that are left, men, dice to be rolled."""

    days: int
    miles: int
    men: int = 4
    dice: int = 0


class Campaign(RowGame, OpenGame):
    """The goal is worth 1, to be alive without it 1/3, to lose all men -1."""

    name = "campaign"
    version = "1"
    like = Day(1, 1)
    words = tuple(ACTIONS)
    setups = MappingProxyType({"short": {"days": 5, "miles": 7}})

    def initial(self, setup):
        if set(setup) != {"days", "miles"} or not all(v in range(1, 50) for v in setup.values()):
            raise InvalidValueError(f"setup {dict(setup)}: days and miles are numbers from 1 to 49")
        return Day(setup["days"], setup["miles"])

    def players(self, state):
        return 1

    def actor(self, state):
        if state.dice:
            return CHANCE
        return 0 if state.days and state.miles and state.men else OVER

    def actions(self, state):
        return tuple(ACTIONS) if self.actor(state) == 0 else ()

    def chance(self, state):
        return DiceRoll(state.dice, 6, "misadventure")

    def apply(self, state, move):
        if isinstance(move, str):
            left = max(0, state.miles - ACTIONS[move])
            return state._replace(days=state.days - 1, miles=left, dice=1 + ACTIONS[move])
        return state._replace(dice=0, men=max(0, state.men - move.count(1)))

    def returns(self, state):
        return (-1 if not state.men else Fraction(1, 3) if state.miles else 1,)

    def estimate(self, state):
        return (state.men / 8 - state.miles / 16,)

    def shrinking(self, state):
        return {"men": state.men, "miles": state.miles, "days": state.days}

    def parse_state(self, text):
        state = super().parse_state(text)
        if min(state) < 0 or state.dice > 3:
            raise InvalidValueError(f"{text!r} is no day of a campaign")
        return state
