"""Attack: attacks on units and vehicles, their rolls, and the dispute about sight (BOW 2.4.2, 3.1, 3.4, 3.5).

An attack plan is one attack with its conditions and the bricks of both sides. In tougher games, another minifig reloads
the weapon of a vehicle before it fires again (BOW 3.1).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Annotated, Self

from brickphys.bow.actions.damage import damage_roll, hurt, owner_of
from brickphys.bow.actions.movement import TurnMove, in_contact, may_be_among, unrefused
from brickphys.bow.actions.targets import (
    WeaponInUse,
    bricks_lost,
    enemies,
    is_ahead,
    is_reached,
    named_problems,
    resistance,
    studs_away,
    studs_in_range,
    target_distance_studs,
    target_problem,
    vehicles_by_name,
    visibility,
    weapon_in_use,
    weapons_in_use,
)
from brickphys.bow.sheets.gear import HandWeapon, WeaponKind
from brickphys.bow.sheets.rulebook import COVER_BRICKS, DISPUTE_BRICKS, RULER_STUDS
from brickphys.bow.sight import Visibility
from brickphys.bow.state import BrickCount, State
from brickphys.errors import unknown
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Among
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import PendingRoll, Question, scores
from brickphys.rules.words import NAME, Unconditional
from brickphys.text import counted, spoken


@dataclass(frozen=True)
class AttackPlan:
    """An attack of the active unit on an enemy; legality, rolls and story read the same one, see `attack_plan`.

    Each condition is worked out when it is first read, and once.
    """

    state: State
    """The battle before the attack; nothing is read from it that turns or rolls change."""
    target: str
    """The name of the enemy."""
    weapon: WeaponInUse
    """The way to attack."""

    @cached_property
    def distance_studs(self) -> float:
        """Distance of a shot, heights included."""
        return target_distance_studs(self.state, self.target)

    @cached_property
    def bricks_lost(self) -> int:
        """Bricks that the attack loses by distance."""
        return bricks_lost(self.distance_studs) if self.weapon.is_shot else 0

    @cached_property
    def visibility(self) -> Visibility:
        """How much of the target is seen; all, for a weapon that touches it."""
        return visibility(self.state, self.target) if self.weapon.is_shot else Visibility.OPEN

    @cached_property
    def is_covered(self) -> bool:
        """Whether cover helps the target; also one that is hidden, if its firer wins the dispute (ours)."""
        return self.visibility is not Visibility.OPEN

    @cached_property
    def attack(self) -> int:
        """Bricks of the attack."""
        return self.weapon.bricks - self.bricks_lost

    @cached_property
    def defence(self) -> int:
        """Bricks of the defence."""
        return resistance(self.state, self.target) + self.is_covered * COVER_BRICKS

    def problems(self, *, is_told: bool = False) -> Iterator[str]:
        """Yield every condition that fails, those that are quick to check first; for people, with how far it fails."""
        state, target, weapon = self.state, self.target, self.weapon
        if not is_ahead(state, target, weapon.axis_deg, weapon.arc_deg):
            yield f"{target} is not in front (BOW 2.4.2)"
        if not weapon.is_shot:
            if not is_reached(state, target, weapon.reach_studs):
                far = self._far_text() if is_told else ""
                yield f"{weapon.name} cannot touch {target}{far} (BOW 2.4.2)"
            return
        if self.attack <= 0:
            yield (
                f"{target} is too far away: the distance costs {counted(self.bricks_lost, 'brick')} "
                f"(one per {RULER_STUDS} studs), and {weapon.name} has {weapon.bricks} (BOW 2.4.2)"
            )
        if self.visibility is Visibility.HIDDEN and not state.setting.options.dispute:
            yield f"{target} is not visible (BOW 2.4.2)"

    def _far_text(self) -> str:
        """Return how far the target is, if it is farther than the weapon reaches."""
        studs = studs_away(self.state, self.target)
        if studs <= self.weapon.reach_studs:
            return ""
        return f", {counted(studs, 'stud')} away: its reach is {self.weapon.reach_studs}"


def attack_plan(state: State, target: str, weapon: WeaponInUse) -> AttackPlan:
    """Return the attack on an enemy, which is made once for a position.

    The list of legal attacks keeps those that it found in `State.attack_plans`.
    """
    plan = state.attack_plans.get((target, weapon.name))
    if plan is None:
        plan = state.attack_plans[target, weapon.name] = AttackPlan(state, target, weapon)
    return plan


@dataclass(frozen=True, slots=True)
class AttackEnemy(TurnMove):
    """Attack an enemy unit or vehicle with a weapon or bare hands."""

    word = "attack"
    section = "BOW 2.4.2"
    target: Annotated[str, NAME]
    weapon: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
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

    def refusals(self, state: State, target: str, name: str) -> Iterator[str]:
        weapon = weapon_in_use(state, name)
        if weapon is None:
            yield _weapon_problem(state, name)
        elif fired := _rate_problem(state, weapon):
            yield fired
        if problem := target_problem(state, target):
            yield problem
        elif weapon is not None:
            yield from attack_plan(state, target, weapon).problems(is_told=True)

    def result(self, state: State, target: str, name: str) -> State:
        """Let both sides roll; before that a hidden target is disputed, or the player of a covered one may dispute."""
        weapon = weapon_in_use(state, name)
        assert weapon is not None
        plan = attack_plan(state, target, weapon)
        if weapon.shots_per_turn is not None and state.me.seat is not None:
            state = state.replaced({"shots": tuple(sorted((*state.shots, state.me.seat)))})
        roll = AttackRoll(target, name, plan.attack, plan.defence)
        if plan.visibility is Visibility.HIDDEN:
            return state.push_pending(DisputeRoll(), roll)
        if plan.is_covered and state.setting.options.dispute:
            return state.push_pending(Disputable(target), roll)
        return state.push_pending(roll)


@dataclass(frozen=True, slots=True)
class AttackRoll(PendingRoll[State]):
    """The rolls of attack and defence: their difference is the damage (BOW 2.4.2).

    Target and weapon are as in `AttackEnemy`; distance and cover are counted in the bricks of both sides.
    """

    target: str
    weapon: str
    attack: BrickCount
    defence: BrickCount

    def problems(self, state: State) -> list[str]:
        faults = list(named_problems(state, self.target))
        if weapon_in_use(state, self.weapon) is None:
            faults.append(f"weapon: the active unit has no {self.weapon!r}")
        return faults

    def event(self, state: State) -> OpposedRoll:
        name = state.setting.units[state.active].name
        reason = f"{name} attacks {self.target} with {self.weapon}"
        return damage_roll(state, self.attack, self.defence, self.target, reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        attack, defence = scores(outcome)
        return hurt(state, self.target, attack - defence, state.player, state.player)


@dataclass(frozen=True, slots=True)
class Dispute(Unconditional[State]):
    """The target's player disputes that it is visible (BOW 2.4.2)."""

    word = "dispute"

    def apply(self, state: State) -> State:
        return state.pop_pending().push_pending(DisputeRoll())


@dataclass(frozen=True, slots=True)
class Agree(Dispute):
    """The target's player agrees that it is visible."""

    word = "agree"

    def apply(self, state: State) -> State:
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class Disputable(Question[State]):
    """The question whether a covered target is visible, to its player (BOW 2.4.2)."""

    answers = (Agree, Dispute)
    target: str

    def problems(self, state: State) -> list[str]:
        return [*named_problems(state, self.target), *_follow_problems(state)]

    def player(self, state: State) -> int:
        return owner_of(state, self.target)

    def prompt(self, state: State) -> str:
        return f"does {spoken(state.my_name)} see {spoken(self.target)}: agree, or roll for it?"


@dataclass(frozen=True, slots=True)
class DisputeRoll(PendingRoll[State]):
    """5 bricks each: the higher score is right, a tie is rolled again; an impossible shot is lost (ours)."""

    def problems(self, state: State) -> list[str]:
        return _follow_problems(state)

    def event(self, state: State) -> OpposedRoll:
        return OpposedRoll(DISPUTE_BRICKS, DISPUTE_BRICKS, "is the target visible?")

    def settle(self, state: State, outcome: Outcome) -> State:
        attack, defence = scores(outcome)
        if attack == defence:
            return state.push_pending(DisputeRoll())
        return state if attack > defence else state.pop_pending()


def _follow_problems(state: State) -> list[str]:
    follows = len(state.pending) > 1 and isinstance(state.pending[1], AttackRoll)
    return [] if follows else ["no attack follows the dispute"]


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
    if isinstance(item, HandWeapon) and item.kind is WeaponKind.EXPLOSIVE:
        return f"the effect of {name} belongs to the Advanced Rules, but it can be thrown as an object (BOW 2.3.2)"
    known = [weapon.name for weapon in weapons_in_use(state, state.active)]
    return f"{unknown(f'weapon of {unit}', name, known)} (BOW 2.4.2)"


@dataclass(frozen=True, slots=True)
class Reload(TurnMove):
    """Reload the weapon of a seat from beside the vehicle or from another seat of it (BOW 3.1)."""

    word = "reload"
    section = "BOW 3.1"
    vehicle: Annotated[str, Among("vehicle", vehicles_by_name)]
    seat: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        if not state.shots:
            return iter(())
        specs = state.setting.vehicles
        fired = (
            cls(specs[vehicle].name, specs[vehicle].sheet.seats[seat].name)
            for vehicle, seat in dict.fromkeys(state.shots)
        )
        return unrefused(state, fired)

    def refusals(self, state: State, vehicle: int, seat: str) -> Iterator[str]:
        seats = {
            each.name: (vehicle, number)
            for number, each in enumerate(state.setting.vehicles[vehicle].sheet.seats)
            if each.weapon is not None and each.weapon.reload
        }
        if seat not in seats:
            yield str(unknown(f"seat of {self.vehicle} whose weapon is reloaded", seat, seats))
            return
        if seats[seat] not in state.shots:
            yield f"the weapon of the {seat} of {self.vehicle} is loaded"
        if state.me.seat == seats[seat]:
            yield f"another minifig than the {seat} must reload its weapon"
        elif not in_contact(state, state.active, self.vehicle):
            yield f"{self.vehicle} is not in contact with {state.my_name}"
        teams = state.setting.teams
        if teams[owner_of(state, self.vehicle)] != teams[state.player]:
            yield f"{self.vehicle} belongs to an enemy"

    def result(self, state: State, vehicle: int, seat: str) -> State:
        names = [each.name for each in state.setting.vehicles[vehicle].sheet.seats]
        loaded = vehicle, names.index(seat)
        return state.replaced({"shots": tuple(shot for shot in state.shots if shot != loaded)})
