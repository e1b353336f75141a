"""A small open game without chance, in which a choice is split in two: how many tokens, then to which side."""

from types import MappingProxyType
from typing import NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Draw
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER
from tests.rules.rows import RowGame


class Tokens(NamedTuple):
    """How many are left and on each side, who moves, how many he has in hand; which bonus was drawn."""

    left: int
    sides: tuple[int, int] = (0, 0)
    mover: int = 0
    hand: int = 0
    drawn: str = ""


class TokenGame(RowGame, OpenGame):
    """Players put 1 or 2 tokens to the left or to the right; at the end it is drawn which side wins for the first."""

    name = "tokens"
    version = "1"
    like = Tokens(0)
    words = ("take 1", "take 2", "to left", "to right")
    setups = MappingProxyType({"four": {"left": 4}})

    def initial(self, setup):
        if set(setup) != {"left"}:
            raise InvalidValueError(f"setup {dict(setup)}: needs left and nothing else")
        return Tokens(int(str(setup["left"])))

    def actor(self, state):
        if state.drawn:
            return OVER
        return state.mover if state.left or state.hand else CHANCE

    def actions(self, state):
        if self.actor(state) < 0:
            return ()
        if state.hand:
            return ("to left", "to right")
        return tuple(f"take {count}" for count in (1, 2) if count <= state.left)

    def chance(self, state):
        return Draw.uniform("left", "right", reason="the side that wins")

    def apply(self, state, move):
        left, right = state.sides
        if move in ("left", "right"):
            return Tokens(0, state.sides, drawn=str(move))
        word = str(move).split(" ")[1]
        if not state.hand:
            return Tokens(state.left - int(word), state.sides, state.mover, int(word))
        more = (left + state.hand, right) if word == "left" else (left, right + state.hand)
        return Tokens(state.left, more, 1 - state.mover)

    def returns(self, state):
        left, right = state.sides
        lead = (left > right) - (left < right)
        first = lead if state.drawn == "left" else -lead
        return (first, -first)

    def settled(self, state):
        return state.hand == 0 and self.actor(state) != CHANCE
