"""Attack: who can attack whom with what, and the two rolls (BOW 2.4.2, 3.4, 3.5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from brickphys.bow.action import NAME, Action, Argument, TurnAction
from brickphys.bow.arms import Arm, arms
from brickphys.bow.board import around
from brickphys.bow.damage import hurt, owner_of
from brickphys.bow.facing import is_in_arc, is_in_front
from brickphys.bow.field import Stance
from brickphys.bow.gear import Weapon, WeaponKind
from brickphys.bow.melee import touches, touches_vehicle
from brickphys.bow.pending import Question, Roll, kind, number_problems, scores
from brickphys.bow.place import is_enclosed, own_studs, target_studs
from brickphys.bow.sight import (
    BAND_STUDS,
    Visibility,
    bricks_lost,
    distance_studs,
    head,
    sight,
    vehicle_middle,
    vehicle_sight,
)
from brickphys.bow.state import State
from brickphys.bow.studs import Studs, each
from brickphys.errors import unknown
from brickphys.odds.roll import MAX_BRICKS
from brickphys.rules.events import OpposedRoll, Outcome

COVER_BRICKS = 1
DISPUTE_BRICKS = 5


@dataclass(frozen=True, slots=True)
class Attack(TurnAction):
    """An attack on an enemy unit or vehicle with one of the ways to attack."""

    word: ClassVar[str] = "attack"
    arguments: ClassVar[tuple[Argument, ...]] = (NAME, NAME)
    target: str
    weapon: str

    @classmethod
    def candidates(cls, state: State) -> Iterator["Attack"]:
        """Yield every enemy with every weapon."""
        ways = arms(state, state.active)
        return (cls(name, way.name) for name in _enemies(state) for way in ways)

    def problems(self, state: State) -> Iterator[str]:
        """Yield every condition that fails, the cheap ones first."""
        way = _arm(state, self.weapon)
        if way is None:
            yield _weapon_problem(state, self.weapon)
        fault = target_problem(state, self.target)
        if fault:
            yield fault
        if way is None or fault:
            return
        if way.shots_per_turn is not None and state.shots >= way.shots_per_turn:
            yield f"{way.name} fires {way.shots_per_turn} a turn (BOW 3.1)"
        if not is_ahead(state, self.target, way.axis_deg, way.arc_deg):
            yield f"{self.target} is not in front (BOW 2.4.2)"
        if way.kind is WeaponKind.MELEE:
            if not _is_reached(state, self.target, way):
                yield f"{way.name} cannot touch {self.target} (BOW 2.4.2)"
            return
        if way.bricks <= (lost := bricks_lost(target_distance_studs(state, self.target))):
            yield (
                f"{self.target} is too far: {way.bricks} bricks less {lost}, one per {BAND_STUDS} studs, "
                "leave none (BOW 2.4.2)"
            )
        if seen(state, self.target) is Visibility.HIDDEN:
            yield f"{self.target} is not visible (BOW 2.4.2)"

    def apply(self, state: State) -> State:
        """Let both sides roll, or first the target's player say whether he disputes."""
        way = _arm(state, self.weapon)
        assert way is not None
        if way.shots_per_turn is not None:
            state = replace(state, shots=state.shots + 1)
        bricks = way.bricks
        covered = False
        if way.kind is WeaponKind.LONG_RANGE:
            bricks -= bricks_lost(target_distance_studs(state, self.target))
            covered = seen(state, self.target) is Visibility.COVERED
        defence = resistance(state, self.target) + covered * COVER_BRICKS
        roll = AttackRoll(self.target, self.weapon, bricks, defence)
        if covered and state.setting.options.dispute:
            return state.first(Disputable(self.target), roll)
        return state.first(roll)


@kind
@dataclass(frozen=True, slots=True)
class AttackRoll(Roll):
    """The active unit attacks: the difference of the rolls is the damage (BOW 2.4.2).

    Attributes
    ----------
    target, weapon
        As in `Attack`.
    attack, defence
        Bricks of both, with distance and cover.
    """

    target: str
    weapon: str
    attack: int
    defence: int

    def problems(self, state: State) -> list[str]:
        """Return what no attack can be."""
        faults = list(named_problems(state, self.target))
        if _arm(state, self.weapon) is None:
            faults.append(f"weapon: the active unit has no {self.weapon!r}")
        faults += number_problems("attack", self.attack, MAX_BRICKS + 1)
        return faults + number_problems("defence", self.defence, MAX_BRICKS + 1)

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls."""
        name = state.setting.units[state.active].name
        return OpposedRoll(
            self.attack, self.defence, f"{name} attacks {self.target} with {self.weapon}"
        )

    def settle(self, state: State, outcome: Outcome) -> State:
        """Add the difference to the target's damage."""
        attack, defence = scores(outcome)
        return hurt(state, self.target, attack - defence, state.player)


@dataclass(frozen=True, slots=True)
class Dispute(Action):
    """The target's player disputes that it is visible (BOW 2.4.2)."""

    word: ClassVar[str] = "dispute"

    @classmethod
    def candidates(cls, state: State) -> Iterator["Dispute"]:  # noqa: ARG003
        """Yield the one."""
        yield cls()

    def problems(self, state: State) -> Iterator[str]:  # noqa: ARG002
        """Yield nothing: whoever is covered may dispute."""
        return iter(())

    def apply(self, state: State) -> State:
        """Let fate decide."""
        return state.settled().first(DisputeRoll())


@dataclass(frozen=True, slots=True)
class Agree(Dispute):
    """The target's player agrees that it is visible."""

    word: ClassVar[str] = "agree"

    def apply(self, state: State) -> State:
        """Go on to the attack."""
        return state.settled()


@kind
@dataclass(frozen=True, slots=True)
class Disputable(Question):
    """A covered target is shot at; its player may dispute that it is visible at all."""

    answers: ClassVar[tuple[type[Action], ...]] = (Agree, Dispute)
    target: str

    def problems(self, state: State) -> list[str]:
        """Return whether there is no such target, or no attack that follows."""
        follows = len(state.pending) > 1 and isinstance(state.pending[1], AttackRoll)
        return [
            *named_problems(state, self.target),
            *([] if follows else ["no attack follows the dispute"]),
        ]

    def player(self, state: State) -> int:
        """Return whose the target is."""
        return owner_of(state, self.target)


@kind
@dataclass(frozen=True, slots=True)
class DisputeRoll(Roll):
    """5 bricks each: who rolls higher is right; a tie is rolled again. A shot that was not possible is lost (ours)."""

    def problems(self, state: State) -> list[str]:
        """Return whether no attack follows."""
        follows = len(state.pending) > 1 and isinstance(state.pending[1], AttackRoll)
        return [] if follows else ["no attack follows the dispute"]

    def event(self, state: State) -> OpposedRoll:  # noqa: ARG002
        """Return both rolls."""
        return OpposedRoll(DISPUTE_BRICKS, DISPUTE_BRICKS, "is the target visible?")

    def settle(self, state: State, outcome: Outcome) -> State:
        """Go on to the attack, call it off, or roll again."""
        attack, defence = scores(outcome)
        if attack == defence:
            return state.first(DisputeRoll())
        return state if attack > defence else state.settled()


def target_problem(state: State, name: str) -> str | None:
    """Return why a name is none of an enemy that can be attacked; None if it is."""
    setting, me = state.setting, state.setting.units[state.active].name
    if name in setting.vehicle_numbers:
        vehicle = setting.vehicle_numbers[name]
        if state.crafts[vehicle].gone:
            return f"{name} is out of the battle (BOW 3.5)"
        return None if is_hostile(state, vehicle) else f"{name} is no enemy of {me} (BOW 2.4.2)"
    if name not in setting.unit_numbers:
        return f"{unknown('unit or vehicle', name, _names(state))} (BOW 2.4.2)"
    unit = setting.unit_numbers[name]
    if not state.figures[unit].plays:
        return f"{name} is out of the battle (BOW 2.4.3)"
    if not state.are_enemies(unit, state.active):
        return f"{name} is no enemy of {me} (BOW 2.4.2)"
    if is_enclosed(state, unit):
        return f"{name} sits inside {_vehicle_name(state, unit)}, which must be attacked (BOW 3.5)"
    return None


def is_hostile(state: State, vehicle: int) -> bool:
    """Tell whether a vehicle may be attacked by the active unit: enemies sit in it, or none and it is an enemy's."""
    setting, mine = state.setting, state.setting.team(state.active)
    teams = {setting.team(unit) for unit in state.occupants(vehicle)}
    return any(team != mine for team in teams or {setting.teams[setting.vehicles[vehicle].player]})


def is_ahead(state: State, name: str, axis_deg: float, arc_deg: float) -> bool:
    """Tell whether a target is within the front of the active unit, or the arc of its weapon (BOW 2.4.2, 3.4)."""
    here, there = state.stance(state.active)[:2], _middle(state, name)
    if state.me.seat is None:
        return is_in_front(state.me.facing, here, there)
    return is_in_arc(state.heading_deg(state.active) + axis_deg, arc_deg, here, there)


def target_distance_studs(state: State, name: str) -> float:
    """Return the distance of a shot at a target, heights included: from head to head (BOW 2.4.2)."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        end = vehicle_middle(state.vehicle(vehicle))
    else:
        end = head(state.stance(state.setting.unit_numbers[name]))
    return distance_studs(head(state.stance(state.active)), end)


def seen(state: State, name: str) -> Visibility:
    """Return how much the active unit sees of a target (BOW 2.4.2)."""
    here, without = state.stance(state.active), _seats(state, state.active)
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return vehicle_sight(state.board, here, state.vehicle(vehicle), without)
    unit = state.setting.unit_numbers[name]
    return sight(state.board, here, state.stance(unit), (*without, *_seats(state, unit)))


def resistance(state: State, name: str) -> int:
    """Return the bricks with which a unit or vehicle resists attacks and collisions, before cover."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return state.setting.vehicles[vehicle].sheet.armor
    figure = state.figures[state.setting.unit_numbers[name]]
    return figure.sheet.dodge_armor + figure.guard


def named_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is none of a unit or vehicle in play."""
    setting = state.setting
    if name in setting.unit_numbers:
        playing = state.figures[setting.unit_numbers[name]].plays
    elif name in setting.vehicle_numbers:
        playing = not state.crafts[setting.vehicle_numbers[name]].gone
    else:
        playing = False
    if not playing:
        yield f"{name!r} is nothing in play"


def _enemies(state: State) -> Iterator[str]:
    units, mine = state.setting.units, state.setting.team(state.active)
    for unit, _ in state.in_play():
        if state.setting.team(unit) != mine and not is_enclosed(state, unit):
            yield units[unit].name
    for vehicle in state.vehicles_left:
        if is_hostile(state, vehicle):
            yield state.setting.vehicles[vehicle].name


def _arm(state: State, name: str) -> Arm | None:
    return next((way for way in arms(state, state.active) if way.name == name), None)


def _weapon_problem(state: State, name: str) -> str:
    item, unit = state.setting.gear.get(name), state.setting.units[state.active].name
    if isinstance(item, Weapon) and item.kind is WeaponKind.EXPLOSIVE:
        return f"what {name} does belongs to the Advanced Rules; it can be thrown as an object (BOW 2.3.2)"
    return f"{unknown('weapon of ' + unit, name, [way.name for way in arms(state, state.active)])} (BOW 2.4.2)"


def _is_reached(state: State, name: str, way: Arm) -> bool:
    here = state.stance(state.active)
    near = own_studs(state, state.active) & _strike_studs(state, name, way.reach_studs)
    if state.me.seat is None:
        return bool(near) and _touches(state, here, name, way)
    stances = (
        state.setting.field.stances
    )  # from a seat one strikes from all over the vehicle (ours)
    hands = (stances[stud]._replace(ground_plates=here.ground_plates) for stud in each(near))
    return any(_touches(state, hand, name, way) for hand in hands)


def _strike_studs(state: State, name: str, reach_studs: int) -> Studs:
    """Return the studs from which a weapon may touch a target, if nothing is between."""
    studs = target_studs(state, name)
    for _ in range(reach_studs):
        studs = around(state.setting.field, studs)
    return studs


def _touches(state: State, here: Stance, name: str, way: Arm) -> bool:
    """Tell whether a weapon touches a target from a place; an exposed occupant is as near as his vehicle (BOW 3.5)."""
    without, vehicle = _seats(state, state.active), state.setting.vehicle_numbers.get(name)
    if vehicle is None:
        unit = state.setting.unit_numbers[name]
        seat = state.figures[unit].seat
        if seat is None:
            return touches(state.board, here, state.stance(unit), way.reach_studs, without)
        vehicle = seat[0]
    target = state.vehicle(vehicle)
    return touches_vehicle(state.board, here, target, way.reach_studs, without)


def _middle(state: State, name: str) -> tuple[float, float]:
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return state.crafts[vehicle].x_studs, state.crafts[vehicle].y_studs
    return state.stance(state.setting.unit_numbers[name])[:2]


def _seats(state: State, unit: int) -> tuple[str, ...]:
    return (_vehicle_name(state, unit),) if state.figures[unit].seat else ()


def _vehicle_name(state: State, unit: int) -> str:
    return state.setting.vehicles[state.seat_of(unit)[0]].name


def _names(state: State) -> list[str]:
    return [*state.setting.unit_numbers, *state.setting.vehicle_numbers]
