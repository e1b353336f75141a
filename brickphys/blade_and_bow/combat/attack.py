"""Attack: which units attack which target, in melee (BB 9.1, 9.4.1) and with missiles (BB 8.1 to 8.6).

The lead attacker brings all his dice and takes the first hit (BB 9.4.4.4). Light units may give way before a melee
(BB 9.4.2).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from brickphys.blade_and_bow import ground
from brickphys.blade_and_bow.combat.pursuit import advance
from brickphys.blade_and_bow.combat.targets import (
    attack_fault,
    is_volley,
    target_faults,
    target_name,
    targets,
)
from brickphys.blade_and_bow.command import actions
from brickphys.blade_and_bow.command.formation import Single, own_unit_problems, why_not_ordered
from brickphys.blade_and_bow.command.morale import FacingQuestion, disrupted, entered
from brickphys.blade_and_bow.pieces import Combat, FormationOrder, Stage
from brickphys.blade_and_bow.setting import SquareNumber
from brickphys.blade_and_bow.sheets import Counter
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACINGS, Square, Squares, squares_of
from brickphys.rules.moves import Move, OptionAnswer, OptionQuestion
from brickphys.rules.turn_state import FollowUp
from brickphys.rules.words import NAME
from brickphys.text import spoken
from brickphys.vehicles.sectors import Sector


def leads(state: State) -> tuple[int, ...]:
    """Return the attackers who can lead: straight before the target, else in its front, else any.

    A camp has no front.
    """
    combat = state.fight
    if combat.target is None:
        return combat.units
    target = state.units[combat.target]
    ahead: list[int] = []
    before: list[int] = []
    for unit in combat.units:
        square = state.square_of(unit)
        if ground.direction(state.setting.grid, combat.square, square) == target.facing:
            ahead.append(unit)
        if ground.sector_of(state, combat.target, square) is Sector.FRONT:
            before.append(unit)
    return tuple(ahead or before) or combat.units


def led(state: State) -> State:
    """Return the state with a lead unit, or with a question where there is a choice."""
    able = leads(state)
    if len(able) == 1:
        return state.change_combat(lead=able[0])
    return state.push_pending(LeadQuestion())


@dataclass(frozen=True, slots=True)
class Lead(OptionAnswer[State]):
    """Choose the lead unit (BB 9.4.4.4)."""

    word = "lead"
    does = "choose the lead unit"
    section = "BB 9.4.4.4"
    unit: Annotated[str, NAME]


@dataclass(frozen=True, slots=True)
class LeadQuestion(OptionQuestion[State]):
    """Which attacker leads."""

    answers = (Lead,)
    asks = "which unit leads the attack"

    def options(self, state: State) -> Iterator[tuple[str]]:
        return ((state.setting.units[unit].name,) for unit in leads(state))

    def answered(self, state: State, name: str) -> State:
        return state.change_combat(lead=state.setting.unit_numbers[name])

    def problems(self, state: State) -> list[str]:
        asked = state.combat is not None and state.combat.stage in (Stage.COMMITMENT, Stage.CARDS)
        return [] if asked else ["lead: there is no lead attacker to choose"]


def may_retreat(state: State) -> bool:
    """Whether the target may give way: light, in good order and without a shield wall (BB 13.2).

    Light foot gives way to medium and heavy foot, light horse to all but light horse. Of several attackers all must be
    such (ours).
    """
    combat = state.fight
    if combat.target is None:
        return False
    specs, now = state.setting.units, state.units[combat.target]
    own = specs[combat.target].counter
    able = own.is_light and not now.disrupted and not now.wall
    return able and all(gives_way(own, specs[unit].counter) for unit in combat.units)


def gives_way(own: Counter, attacker: Counter) -> bool:
    """Whether a light unit may give way to an attacker (BB 9.4.2)."""
    if own.is_horse:
        return not (attacker.is_horse and attacker.is_light)
    return not attacker.is_horse and not attacker.is_light


def retreats(state: State) -> Mapping[Square, int]:
    """Return the squares two steps away from the attackers where the target can go -> how it faces there.

    Each step leads farther from every attacker, into no enemy zone (BB 9.4.2). It passes through friends, as light
    units do (BB 7.3.1), and ends in an empty square. Of several ways the one that begins most directly away from the
    first attacker counts (ours).
    """
    combat, grid = state.fight, state.setting.grid
    places = [at for unit in combat.units if (at := state.units[unit].square) is not None]
    near = grid.around(squares_of(places))
    ahead = ground.direction(grid, places[0], combat.square)
    assert ahead is not None
    found: dict[Square, int] = {}
    steps = _steps(state, combat.square, near)
    for _, middle in sorted(steps, key=lambda step: ground.turns(step[0], ahead)):
        for towards, square in _steps(state, middle, grid.around(near)):
            if square not in state.at:
                found.setdefault(square, towards)
    return found


def _steps(state: State, square: Square, near: Squares) -> Iterator[tuple[int, Square]]:
    """Yield the steps of a retreat from a square to those that are not too near: direction, and where they lead."""
    player = 1 - state.mover
    shut = near | ground.zones(state, state.mover).all | ground.enemy_squares(state, player)
    for towards, other in enumerate(ground.neighbours(state.setting.grid)[square]):
        if other is None or shut >> other & 1:
            continue
        if ground.step_allowed(state, player, square, other):
            yield towards, other


def retreat_asked(state: State) -> State:
    """Return the state in which the target's player is asked, if it may and can give way."""
    if may_retreat(state) and retreats(state):
        return state.push_pending(RetreatQuestion())
    return state


class Retreat(actions.SquareAnswer):
    """Give way to a square two steps away: the unit is disrupted, and the attacker advances (BB 9.4.2, 9.4.9)."""

    __slots__ = ()
    word = "retreat"
    section = "BB 9.4.2"


class Stand(actions.Decline):
    """Await the attack (BB 9.4.2)."""

    __slots__ = ()
    word = "stand"


@dataclass(frozen=True, slots=True)
class RetreatQuestion(actions.SquareQuestion):
    """Whether the target retreats."""

    answers = (Retreat, Stand)
    rule = (
        "a retreat leads two squares away, each step farther from all attackers and into no enemy zone, to an empty "
        "square (BB 9.4.2)"
    )

    def squares(self, state: State) -> Iterable[Square]:
        return retreats(state)

    def chosen(self, state: State, square: Square) -> State:
        return led(state.push_pending(RetreatMove(square, retreats(state)[square])))

    def problems(self, state: State) -> list[str]:
        asked = state.combat is not None and state.combat.units and may_retreat(state)
        return [] if asked else ["retreat: the target is not a light unit that may give way"]

    def player(self, state: State) -> int:
        return 1 - state.mover

    def prompt(self, state: State) -> str:
        return f"whether {state.unit_name(state.target)} retreats"


@dataclass(frozen=True, slots=True)
class RetreatMove(FollowUp[State]):
    """The retreat of the target to a square, with its facing there."""

    square: SquareNumber
    facing: Annotated[int, range(FACINGS)]

    def problems(self, state: State) -> list[str]:
        return [] if state.combat is not None else ["retreat: no unit is attacked"]

    def happen(self, state: State) -> State:
        """Disrupt the unit and move it with its leaders; then the lead attacker advances."""
        target = state.target
        state = advance(disrupted(state.placed(target, self.square, self.facing), target))
        return entered(state, target)


def declared(state: State) -> State:
    """Return the state in which all attackers are chosen: shooters turn, and whoever is charged may retreat.

    The least turns of all shooters count at once, those that a shooter chooses besides when he is asked.
    """
    combat = state.fight
    if not combat.ranged:
        return retreat_asked(state.change_combat(stage=Stage.COMMITMENT))
    least = {unit: ground.turns_to_aim(state, unit, combat.square) for unit in combat.units}
    asked = (Aiming(unit) for unit, turned in least.items() if turned)
    state = state.change_combat(stage=Stage.CARDS, turned=sum(least.values()))
    return state.push_pending(*asked)


@dataclass(frozen=True, slots=True)
class Aiming(FacingQuestion):
    """Where a shooter faces who must turn to have the target in the arc: each direction adds a die to it (BB 8.4)."""

    def problems(self, state: State) -> list[str]:
        combat = state.combat
        is_asked = combat is not None and combat.stage is Stage.CARDS and combat.ranged
        aims = is_asked and self.unit in state.fight.units and state.pending.count(self) == 1
        turns_first = aims and ground.turns_to_aim(state, self.unit, state.fight.square)
        return [] if turns_first else ["unit: it does not turn to shoot"]

    def options(self, state: State) -> Iterator[tuple[int]]:
        return ((facing,) for facing in ground.facings_to_aim(state, self.unit, state.fight.square))

    def answered(self, state: State, facing: int) -> State:
        more = ground.turns(state.units[self.unit].facing, facing)
        more -= ground.turns_to_aim(state, self.unit, state.fight.square)
        state = state.change_combat(turned=state.fight.turned + more)
        return super(Aiming, self).answered(state, facing)


def _joined(state: State, units: tuple[int, ...]) -> State:
    """Return the state with these attackers; if nobody else can join, all are chosen."""
    state = state.change_combat(units=units)
    return declared(state) if len(units) == len(targets(state)[state.fight.target]) else state


@dataclass(frozen=True, slots=True)
class AttackUnit(Move[State]):
    """Name the target of a melee; the only unit that can attack it does so at once (BB 9.4.1)."""

    word = "attack"
    section = "BB 9.1, 9.4.1"
    order: ClassVar = FormationOrder.MELEE
    target: Annotated[str, NAME]

    @classmethod
    def opener(cls, name: str) -> Single:
        return Single(name, cls.order)

    @classmethod
    def not_now(cls, state: State) -> str:
        return why_not_ordered(state, cls.order)

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(target_name(state, target)) for target in targets(state))

    def refusals(self, state: State, name: str) -> Iterator[str]:
        able = (target_name(state, target) for target in targets(state))
        return iter(()) if name in able else target_faults(state, name)

    def result(self, state: State, name: str) -> State:
        target = state.setting.unit_numbers.get(name)
        square = state.camps[1 - state.mover] if target is None else state.units[target].square
        assert square is not None
        state = state.replaced({"combat": Combat(target, square, (), is_volley(state))})
        able = targets(state)[target]
        return _joined(state, able) if len(able) == 1 else state


class Aim(AttackUnit):
    """Name the target of a volley; the only unit that can shoot at it does so at once (BB 8.5.1)."""

    __slots__ = ()
    word = "aim"
    does = "shoot at"
    section = "BB 8.1 to 8.6"
    order: ClassVar = FormationOrder.SHOOT


@dataclass(frozen=True, slots=True)
class With(Move[State]):
    """Let a unit attack the target, too; when all have joined, the attack begins (BB 8.5.1, 9.4.1)."""

    word = "with"
    does = "add a unit"
    section = "BB 8.5.1, 9.1"
    when = "choose a target first: attack or aim at an enemy, then with UNIT"
    unit: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        combat, specs = state.fight, state.setting.units
        able = targets(state)[combat.target]
        return (cls(specs[unit].name) for unit in able if unit not in combat.units)

    def refusals(self, state: State, name: str) -> Iterator[str]:
        combat, setting = state.fight, state.setting
        yield from (faults := list(own_unit_problems(state, name)))
        if faults:
            return
        unit = setting.unit_numbers[name]
        if unit in combat.units:
            yield f"{spoken(name)} attacks already"
        elif unit not in state.activated.units:
            yield f"{spoken(name)} is not in the formation (BB 3.5)"
        elif unit not in state.activated.waiting:
            yield f"{spoken(name)} has attacked in this action"
        elif fault := attack_fault(state, unit, combat.square):
            yield f"{spoken(name)}: {fault}"

    def result(self, state: State, name: str) -> State:
        number = state.setting.unit_numbers[name]
        return _joined(state, (*state.fight.units, number))


@dataclass(frozen=True, slots=True)
class Charge(Move[State]):
    """Attack with the units that have been named (BB 9.4.1)."""

    word = "charge"
    section = "BB 9.4.1"
    when = "choose a target and who attacks it first: attack TARGET, then with UNIT"

    def refusals(self, state: State) -> Iterator[str]:
        if not state.fight.units:
            yield f"say first who attacks: with UNIT, then {self.word}"

    def result(self, state: State) -> State:
        return declared(state)


class Loose(Charge):
    """Shoot with the units that have been named (BB 8.5.1)."""

    __slots__ = ()
    word = "loose"
    section = "BB 8.5.1"
    when = "choose a target and who shoots first: aim TARGET, then with UNIT"
