"""A game whose winner is drawn with weights that the players choose: exactly the model of Bradley and Terry."""

from collections.abc import Mapping, Sequence

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Draw
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER

WEIGHTS = (1, 2, 4, 8)


class Contest(OpenGame[tuple[int, ...], int]):
    """A state: the weight that the first chose, the second's, and the index of the winner."""

    name = "contest"
    version = "1"

    @property
    def setups(self) -> Mapping[str, Mapping[str, object]]:
        return {"only": {}}

    def initial(self, setup: Mapping[str, object]) -> tuple[int, ...]:
        if setup:
            raise InvalidValueError(f"setup {dict(setup)} should be empty")
        return ()

    def players(self, state: tuple[int, ...]) -> int:
        return 2

    def actor(self, state: tuple[int, ...]) -> int:
        return (0, 1, CHANCE, OVER)[len(state)]

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        return WEIGHTS if len(state) < 2 else ()

    def problems(self, state: tuple[int, ...], action: int) -> list[str]:
        return [] if action in self.actions(state) else [f"Contest 1: weight {action} is not open"]

    def chance(self, state: tuple[int, ...]) -> Draw:
        return Draw.of({"0": state[0], "1": state[1]}, "the winner")

    def apply(self, state: tuple[int, ...], move: object) -> tuple[int, ...]:
        return (*state, int(move))

    def returns(self, state: tuple[int, ...]) -> tuple[int, int]:
        return (-1, 1) if state[2] else (1, -1)

    def format_state(self, state: tuple[int, ...]) -> str:
        return "-".join(map(str, state)) or "start"

    def parse_state(self, text: str) -> tuple[int, ...]:
        parts = () if text == "start" else tuple(text.split("-"))
        known = [{str(w) for w in WEIGHTS}] * 2 + [{"0", "1"}]
        if len(parts) > 3 or any(p not in k for p, k in zip(parts, known, strict=False)):
            raise InvalidValueError(f"{text!r} is no contest")
        return tuple(map(int, parts))

    def format_action(self, action: int) -> str:
        return str(action)

    def parse_action(self, text: str) -> int:
        if text not in map(str, WEIGHTS):
            raise InvalidValueError(f"{text!r} is no weight")
        return int(text)


class Always:
    """Chooses always the same action."""

    def __init__(self, action: object, name: str = "always") -> None:
        self.action = action
        self.name = name

    def choose(self, view: object, actions: Sequence[object], rng: object) -> object:
        return self.action
