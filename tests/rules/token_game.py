"""A small open game without chance, in which a choice is split in two: how many tokens, then to which side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Draw
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER


@dataclass(frozen=True)
class Tokens:
    """How many are left and on each side, who moves, how many he has in hand; whether the bonus was drawn."""

    left: int
    sides: tuple[int, int] = (0, 0)
    mover: int = 0
    hand: int = 0
    drawn: str = ""


class TokenGame(OpenGame[Tokens, str]):
    """Players put 1 or 2 tokens to the left or to the right; at the end it is drawn which side wins for the first."""

    name = "tokens"
    version = "1"

    @property
    def setups(self) -> Mapping[str, Mapping[str, object]]:
        return {"four": {"left": 4}}

    def initial(self, setup: Mapping[str, object]) -> Tokens:
        if set(setup) != {"left"}:
            raise InvalidValueError(f"setup {dict(setup)}: needs left and nothing else")
        return Tokens(int(str(setup["left"])))

    def players(self, state: Tokens) -> int:
        return 2

    def actor(self, state: Tokens) -> int:
        if state.drawn:
            return OVER
        return state.mover if state.left or state.hand else CHANCE

    def actions(self, state: Tokens) -> Sequence[str]:
        if self.actor(state) < 0:
            return ()
        if state.hand:
            return ("to left", "to right")
        return tuple(f"take {count}" for count in (1, 2) if count <= state.left)

    def problems(self, state: Tokens, action: str) -> list[str]:
        return [] if action in self.actions(state) else [f"Tokens 1: {action!r} cannot be done now"]

    def chance(self, state: Tokens) -> Draw:
        return Draw.uniform("left", "right", reason="the side that wins")

    def apply(self, state: Tokens, move: object) -> Tokens:
        left, right = state.sides
        if move in ("left", "right"):
            return Tokens(0, state.sides, drawn=str(move))
        word = str(move).split(" ")[1]
        if not state.hand:
            return Tokens(state.left - int(word), state.sides, state.mover, int(word))
        more = (left + state.hand, right) if word == "left" else (left, right + state.hand)
        return Tokens(state.left, more, 1 - state.mover)

    def returns(self, state: Tokens) -> tuple[int, int]:
        left, right = state.sides
        lead = (left > right) - (left < right)
        first = lead if state.drawn == "left" else -lead
        return (first, -first)

    def settled(self, state: Tokens) -> bool:
        return state.hand == 0 and self.actor(state) != CHANCE

    def format_state(self, state: Tokens) -> str:
        sides = f"{state.sides[0]} {state.sides[1]}"
        return f"{state.left} {sides} {state.mover} {state.hand} {state.drawn or '-'}"

    def parse_state(self, text: str) -> Tokens:
        try:
            left, one, other, mover, hand, drawn = text.split(" ")
            state = Tokens(
                int(left), (int(one), int(other)), int(mover), int(hand), drawn.replace("-", "")
            )
        except ValueError:
            raise InvalidValueError(f"{text!r} are no tokens") from None
        if self.format_state(state) != text or drawn not in ("-", "left", "right"):
            raise InvalidValueError(f"{text!r} are no tokens")
        return state

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        if text not in ("take 1", "take 2", "to left", "to right"):
            raise InvalidValueError(f"{text!r} is neither take nor to")
        return text
