"""A small open game: two swordsmen, brick rolls, exact chances of winning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from brickphys.errors import InvalidValueError
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.rolls import OpposedRoll


@dataclass(frozen=True, slots=True)
class DuelState:
    """Who has how much health, attack and dodge; who is exposed by his lunge; what is being rolled."""

    health: tuple[int, int]
    attack: tuple[int, int]
    dodge: tuple[int, int]
    exposed: tuple[bool, bool] = (False, False)
    mover: int = 0
    turns: int = 20
    rolling: str = "-"


ACTIONS = ("strike", "lunge")


class Duel(OpenGame[DuelState, str]):
    """Players strike in turn. A lunge rolls one brick more and dodges with none until one's next turn."""

    name = "duel"
    version = "1"

    @property
    def setups(self) -> Mapping[str, Mapping[str, object]]:
        return {
            "even": {"health": [2, 2], "attack": [2, 2], "dodge": [1, 1], "turns": 4},
            "one hit": {"health": [1, 1], "attack": [2, 1], "dodge": [1, 2], "turns": 6},
        }

    def initial(self, setup: Mapping[str, object]) -> DuelState:
        if set(setup) != {"health", "attack", "dodge", "turns"}:
            raise InvalidValueError(f"setup {dict(setup)}: needs health, attack, dodge and turns")
        pairs = [tuple(setup[key]) for key in ("health", "attack", "dodge")]
        return DuelState(*pairs, turns=setup["turns"])

    def players(self, state: DuelState) -> int:
        return 2

    def actor(self, state: DuelState) -> int:
        if min(state.health) == 0 or (state.turns == 0 and state.rolling == "-"):
            return OVER
        return state.mover if state.rolling == "-" else CHANCE

    def actions(self, state: DuelState) -> Sequence[str]:
        return ACTIONS if self.actor(state) >= 0 else ()

    def problems(self, state: DuelState, action: str) -> list[str]:
        reasons = []
        if self.actor(state) < 0:
            reasons.append("Duel 1: nobody is to act")
        if action not in ACTIONS:
            reasons.append(f"Duel 2: {action!r} is neither strike nor lunge")
        return reasons

    def chance(self, state: DuelState) -> OpposedRoll:
        attack = state.attack[state.mover] + (state.rolling == "lunge")
        target = 1 - state.mover
        dodge = 0 if state.exposed[target] else state.dodge[target]
        return OpposedRoll(attack, dodge, state.rolling)

    def apply(self, state: DuelState, move: object) -> DuelState:
        if isinstance(move, str):
            return replace(state, rolling=move, turns=state.turns - 1)
        attack, dodge = move
        health, exposed = list(state.health), list(state.exposed)
        health[1 - state.mover] -= min(health[1 - state.mover], max(0, attack - dodge))
        exposed[state.mover] = state.rolling == "lunge"
        return replace(
            state, health=tuple(health), exposed=tuple(exposed), mover=1 - state.mover, rolling="-"
        )

    def returns(self, state: DuelState) -> tuple[int, int]:
        if min(state.health) > 0:
            return (0, 0)
        return (1, -1) if state.health[0] else (-1, 1)

    def estimate(self, state: DuelState) -> tuple[float, float]:
        lead = (state.health[0] - state.health[1]) / 10
        return (lead, -lead)

    def shrinking(self, state: DuelState) -> Mapping[str, int]:
        return {"health": sum(state.health), "turns": state.turns}

    def conserved(self, state: DuelState) -> Mapping[str, object]:
        return {"attack": state.attack}

    def format_state(self, state: DuelState) -> str:
        parts = (*state.health, *state.attack, *state.dodge, *map(int, state.exposed))
        return " ".join(map(str, (*parts, state.mover, state.turns, state.rolling)))

    def parse_state(self, text: str) -> DuelState:
        *numbers, rolling = text.split(" ")
        if len(numbers) != 10 or not all(n.isdigit() and str(int(n)) == n for n in numbers):
            raise InvalidValueError(f"{text!r} is no duel")
        h, k, a, b, d, e, x, y, mover, turns = map(int, numbers)
        if rolling not in ("-", *ACTIONS) or max(x, y, mover) > 1:
            raise InvalidValueError(f"{text!r} is no duel")
        return DuelState((h, k), (a, b), (d, e), (x == 1, y == 1), mover, turns, rolling)

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        if text not in ACTIONS:
            raise InvalidValueError(f"{text!r} is neither strike nor lunge")
        return text


def best_value(state: DuelState, p: Fraction) -> Fraction:
    """What the first player gets if both play best: written anew from the rules, with independent bricks."""

    def score(n: int) -> dict[int, Fraction]:
        law = {0: Fraction(1)}
        for _ in range(n):
            after: dict[int, Fraction] = {}
            for k, chance in law.items():
                after[k] = after.get(k, Fraction(0)) + chance * (1 - p)
                after[k + 1] = after.get(k + 1, Fraction(0)) + chance * p
            law = after
        return law

    @cache
    def value(
        health: tuple[int, int], exposed: tuple[bool, bool], mover: int, turns: int
    ) -> Fraction:
        if 0 in health:
            return Fraction(1 if health[0] else -1)
        if not turns:
            return Fraction(0)
        options = []
        for bonus in (0, 1):
            total = Fraction(0)
            dodge = 0 if exposed[1 - mover] else state.dodge[1 - mover]
            for a, pa in score(state.attack[mover] + bonus).items():
                for d, pd in score(dodge).items():
                    left = max(0, health[1 - mover] - max(0, a - d))
                    hurt = (health[0], left) if mover == 0 else (left, health[1])
                    open_ = (bool(bonus), exposed[1]) if mover == 0 else (exposed[0], bool(bonus))
                    total += pa * pd * value(hurt, open_, 1 - mover, turns - 1)
            options.append(total)
        return max(options) if mover == 0 else min(options)

    return value(state.health, state.exposed, state.mover, state.turns)
