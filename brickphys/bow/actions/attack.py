"""Attack: attacks on units and vehicles, their rolls, and the dispute about sight (BOW 2.4.2, 3.4, 3.5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Self

from brickphys.bow.actions.attack_plan import AttackPlan, attack_plan
from brickphys.bow.actions.damage import damage_roll, hurt, owner_of
from brickphys.bow.actions.reach import may_be_among
from brickphys.bow.actions.targets import (
    enemies,
    named_problems,
    studs_in_range,
    target_problem,
)
from brickphys.bow.actions.weapons_in_use import WeaponInUse, weapon_in_use, weapons_in_use
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.gear import Weapon, WeaponKind
from brickphys.bow.state.state import BrickCount, State
from brickphys.errors import unknown
from brickphys.rules.events.bricks import OpposedRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, Question, scores
from brickphys.rules.words import NAME, Unconditional
from brickphys.text import spoken

DISPUTE_BRICKS = 5


@dataclass(frozen=True, slots=True)
class Attack(TurnAction):
    """Attack an enemy unit or vehicle with a weapon or bare hands."""

    word = "attack"
    arguments = (NAME, NAME)
    target: str
    weapon: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every enemy with every weapon for which all conditions hold."""
        weapons = [
            (weapon, studs_in_range(state, weapon))
            for weapon in weapons_in_use(state, state.active)
            if not _rate_problem(state, weapon)
        ]
        units, numbers = state.units, state.setting.unit_numbers
        for name in enemies(state, reduce(or_, (studs for _, studs in weapons), 0)):
            number = numbers.get(name)
            for weapon, studs in weapons:
                if number is not None and not may_be_among(units[number], studs):
                    continue
                plan = AttackPlan(state, name, weapon)
                if next(plan.problems(), None) is None:
                    state.attack_plans[name, weapon.name] = plan
                    yield cls(name, weapon.name)

    @classmethod
    def candidates(cls, state: State) -> Iterator[Self]:
        """Yield every enemy with every weapon, whether the attack is legal or not."""
        weapons = weapons_in_use(state, state.active)
        return (cls(name, weapon.name) for name in enemies(state) for weapon in weapons)

    def problems(self, state: State) -> Iterator[str]:
        """Yield every condition that fails."""
        weapon = weapon_in_use(state, self.weapon)
        if weapon is None:
            yield _weapon_problem(state, self.weapon)
        elif fired := _rate_problem(state, weapon):
            yield fired
        if problem := target_problem(state, self.target):
            yield problem
        elif weapon is not None:
            yield from attack_plan(state, self.target, weapon).problems(is_told=True)

    def apply(self, state: State) -> State:
        """Let both sides roll; before that a hidden target is disputed, or the player of a covered one may dispute."""
        weapon = weapon_in_use(state, self.weapon)
        assert weapon is not None
        plan = attack_plan(state, self.target, weapon)
        if weapon.shots_per_turn is not None and state.me.seat is not None:
            state = state.replaced({"shots": tuple(sorted((*state.shots, state.me.seat)))})
        roll = AttackRoll(self.target, self.weapon, plan.attack, plan.defence)
        if plan.is_disputed:
            return state.push_pending(DisputeRoll(), roll)
        if plan.is_covered and state.setting.options.dispute:
            return state.push_pending(Disputable(self.target), roll)
        return state.push_pending(roll)


@dataclass(frozen=True, slots=True)
class AttackRoll(PendingRoll[State]):
    """The rolls of attack and defence: their difference is the damage (BOW 2.4.2).

    Attributes
    ----------
    target, weapon
        As in `Attack`.
    attack, defence
        Bricks of both sides; distance and cover are counted.
    """

    target: str
    weapon: str
    attack: BrickCount
    defence: BrickCount

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        faults = list(named_problems(state, self.target))
        if weapon_in_use(state, self.weapon) is None:
            faults.append(f"weapon: the active unit has no {self.weapon!r}")
        return faults

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls."""
        name = state.setting.units[state.active].name
        reason = f"{name} attacks {self.target} with {self.weapon}"
        return damage_roll(state, self.attack, self.defence, self.target, reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Add the difference to the target's damage."""
        attack, defence = scores(outcome)
        return hurt(state, self.target, attack - defence, state.player, state.player)


@dataclass(frozen=True, slots=True)
class Dispute(Unconditional[State]):
    """The target's player disputes that it is visible (BOW 2.4.2)."""

    word = "dispute"

    def apply(self, state: State) -> State:
        """Let both sides roll."""
        return state.pop_pending().push_pending(DisputeRoll())


@dataclass(frozen=True, slots=True)
class Agree(Dispute):
    """The target's player agrees that it is visible."""

    word = "agree"

    def apply(self, state: State) -> State:
        """Go on to the attack."""
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class Disputable(Question[State]):
    """The question whether a covered target is visible, to its player (BOW 2.4.2)."""

    answers = (Agree, Dispute)
    target: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        follows = len(state.pending) > 1 and isinstance(state.pending[1], AttackRoll)
        return [
            *named_problems(state, self.target),
            *([] if follows else ["no attack follows the dispute"]),
        ]

    def player(self, state: State) -> int:
        """Return the player of the target."""
        return owner_of(state, self.target)

    def prompt(self, state: State) -> str:
        """Return the attacker and the target."""
        return f"does {spoken(state.my_name)} see {spoken(self.target)}: agree, or roll for it?"


@dataclass(frozen=True, slots=True)
class DisputeRoll(PendingRoll[State]):
    """5 bricks each: the higher score is right, a tie is rolled again; an impossible shot is lost (ours)."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        follows = len(state.pending) > 1 and isinstance(state.pending[1], AttackRoll)
        return [] if follows else ["no attack follows the dispute"]

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls."""
        return OpposedRoll(DISPUTE_BRICKS, DISPUTE_BRICKS, "is the target visible?")

    def settle(self, state: State, outcome: Outcome) -> State:
        """Go on to the attack, call it off, or roll again."""
        attack, defence = scores(outcome)
        if attack == defence:
            return state.push_pending(DisputeRoll())
        return state if attack > defence else state.pop_pending()


def _rate_problem(state: State, weapon: WeaponInUse) -> str:
    """Return that the seat's weapon has fired as often as it may in a turn; empty if it has not."""
    rate, seat = weapon.shots_per_turn, state.me.seat
    if rate is None or seat is None or state.shots.count(seat) < rate:
        return ""
    if weapon.reload:
        return f"another minifig must reload {weapon.name} before it fires again (BOW 3.1)"
    return f"{weapon.name} fires {rate} a turn (BOW 3.1)"


def _weapon_problem(state: State, name: str) -> str:
    item, unit = state.setting.gear.get(name), state.setting.units[state.active].name
    if isinstance(item, Weapon) and item.kind is WeaponKind.EXPLOSIVE:
        return f"the effect of {name} belongs to the Advanced Rules, but it can be thrown as an object (BOW 2.3.2)"
    known = [weapon.name for weapon in weapons_in_use(state, state.active)]
    return f"{unknown(f'weapon of {unit}', name, known)} (BOW 2.4.2)"
