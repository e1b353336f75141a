"""A small game of plans: in a turn each of two units may take 0, 1 or 2 steps; at last somebody tosses a coin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from brickphys.rules.events import Draw
from brickphys.rules.game import OpenGame
from brickphys.rules.plans import Plan
from brickphys.rules.record import CHANCE, OVER

STEP = 0.1
"""Worth of a step."""


@dataclass(frozen=True, slots=True)
class SquadState:
    """Who is to move, the steps of each player, who may still move, the turns left, and whether a coin is due."""

    mover: int = 0
    steps: tuple[int, int] = (0, 0)
    units: tuple[str, ...] = ("a", "b")
    turns: int = 2
    is_tossed: bool = False


class Squad(OpenGame[SquadState, str]):
    """Heads is a step for the first player. Who has gone further wins."""

    name = "squad"
    version = "1"
    setups: Mapping[str, Mapping[str, object]] = {"only": {}}

    def initial(self, setup: Mapping[str, object]) -> SquadState:
        return SquadState()

    def players(self, state: SquadState) -> int:
        return 2

    def player_name(self, state: SquadState, player: int) -> str:
        return ("red", "blue")[player]

    def actor(self, state: SquadState) -> int:
        if state.is_tossed:
            return CHANCE
        return state.mover if state.turns else OVER

    def actions(self, state: SquadState) -> Sequence[str]:
        if self.actor(state) < 0:
            return ()
        return (*(f"{unit} {steps}" for unit in state.units for steps in range(3)), "end")

    def problems(self, state: SquadState, action: str) -> list[str]:
        return [] if action in self.actions(state) else ["Squad 1: not now"]

    def chance(self, state: SquadState) -> Draw:
        return Draw.uniform("heads", "tails")

    def apply(self, state: SquadState, move: object) -> SquadState:
        if state.is_tossed:
            return replace(self._gone(state, 0, int(move == "heads")), is_tossed=False)
        if move == "end":
            turns = state.turns - 1
            return SquadState(1 - state.mover, state.steps, turns=turns, is_tossed=not turns)
        unit, steps = str(move).split()
        left = tuple(one for one in state.units if one != unit)
        return replace(self._gone(state, state.mover, int(steps)), units=left)

    def _gone(self, state: SquadState, player: int, count: int) -> SquadState:
        steps = tuple(own + count * (one == player) for one, own in enumerate(state.steps))
        return replace(state, steps=steps)

    def estimate(self, state: SquadState) -> tuple[float, float]:
        lead = STEP * (state.steps[0] - state.steps[1])
        return lead, -lead

    def returns(self, state: SquadState) -> tuple[Fraction, Fraction]:
        lead = Fraction(state.steps[0] - state.steps[1], 10)
        return lead, -lead

    def thinker(self, brick_law: object) -> "Steppers":
        return Steppers()

    def format_state(self, state: SquadState) -> str:
        return repr(state)

    def parse_state(self, text: str) -> SquadState:
        raise NotImplementedError

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        return text


class Steppers:
    """Knows that two steps are better than one, and forgets that there is a way to stay."""

    def is_open(self, state: SquadState) -> bool:
        return True

    def plans(self, state: SquadState, effort: object) -> list[Plan[str]]:
        goes = [
            Plan(unit, f"goes {steps}", (f"{unit} {steps}",), steps * STEP)
            for steps in (2, 1)
            for unit in state.units
        ]
        return [*goes, Plan("", "ends", ("end",), 0.0)]
