"""Party: which units attack which target, in melee (BB 9.1, 9.4.1) and with missiles (BB 8.1 to 8.6)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.combat.retreat import retreat_asked
from brickphys.blade_and_bow.command.rally import FacingQuestion
from brickphys.blade_and_bow.command.targets import engaged, shot_at
from brickphys.blade_and_bow.command.words import Listed
from brickphys.blade_and_bow.ground.arcs import facings_to_aim, turns, turns_to_aim
from brickphys.blade_and_bow.state.pieces import Activation, Combat, Order, Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.words import NAME


def target_name(state: State, target: int | None) -> str:
    """Return the name of a unit that the player whose impulse it is attacks, or of the enemy's camp."""
    if target is not None:
        return state.setting.units[target].name
    return f"camp_{state.setting.players[1 - state.mover]}"


def targets(state: State) -> Mapping[int | None, tuple[int, ...]]:
    """Return whom the waiting units of the activation can attack, and which of them; worked out once for a state.

    The camp of the enemy without a unit on it is None.
    """
    known: dict[str, Mapping[int | None, tuple[int, ...]]] = vars(state)
    if "targets" not in known:
        activation = state.activated
        attacked = shot_at if activation.order is Order.SHOOT else engaged
        found: dict[int | None, tuple[int, ...]] = {}
        for unit in activation.waiting:
            if state.units[unit].square is not None and not state.units[unit].disrupted:
                for target in attacked(state, unit):
                    if not _is_struck(activation, target):
                        found[target] = (*found.get(target, ()), unit)
        known["targets"] = found
    return known["targets"]


def _is_struck(activation: Activation, target: int | None) -> bool:
    """Whether an enemy was attacked in this action (BB 8.6, 9.1)."""
    return activation.struck_camp if target is None else target in activation.struck


def declared(state: State) -> State:
    """Return the state in which all attackers are chosen: shooters turn, and whoever is charged may retreat.

    The least turns of all shooters count at once, those that a shooter chooses besides when he is asked.
    """
    combat = state.fight
    if not combat.ranged:
        return retreat_asked(state.change_combat(stage=Stage.COMMITMENT))
    least = {unit: turns_to_aim(state, unit, combat.square) for unit in combat.units}
    asked = (Aiming(unit) for unit, turned in least.items() if turned)
    state = state.change_combat(stage=Stage.CARDS, turned=sum(least.values()))
    return state.push_pending(*asked)


@dataclass(frozen=True, slots=True)
class Aiming(FacingQuestion):
    """Where a shooter faces who must turn to have the target in the arc: each direction adds a die to it (BB 8.4)."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        combat = state.combat
        is_asked = combat is not None and combat.stage is Stage.CARDS and combat.ranged
        aims = is_asked and self.unit in state.fight.units and state.pending.count(self) == 1
        turns_first = aims and turns_to_aim(state, self.unit, state.fight.square)
        return [] if turns_first else ["unit: it does not turn to shoot"]

    def facings(self, state: State) -> list[int]:
        """Return the facings with the target in the arc, the nearest first."""
        return facings_to_aim(state, self.unit, state.fight.square)

    def faced(self, state: State, facing: int) -> State:
        """Turn it, and count what it turns more than it must."""
        more = turns(state.units[self.unit].facing, facing)
        more -= turns_to_aim(state, self.unit, state.fight.square)
        state = state.change_combat(turned=state.fight.turned + more)
        return super(Aiming, self).faced(state, facing)


def _joined(state: State, units: tuple[int, ...]) -> State:
    """Return the state with these attackers; if nobody else can join, all are chosen."""
    state = state.change_combat(units=units)
    return declared(state) if len(units) == len(targets(state)[state.fight.target]) else state


@dataclass(frozen=True, slots=True)
class Attack(Listed):
    """Name the target of a melee; the only unit that can attack it does so at once (BB 9.4.1)."""

    word = "attack"
    arguments = (NAME,)
    section = "BB 9.1, 9.4.1"
    target: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every target."""
        return (cls(target_name(state, target)) for target in targets(state))

    def apply(self, state: State) -> State:
        """Begin to choose the attackers."""
        target = state.setting.unit_numbers.get(self.target)
        square = state.camps[1 - state.mover] if target is None else state.units[target].square
        assert square is not None
        ranged = state.activated.order is Order.SHOOT
        state = state.replaced({"combat": Combat(target, square, (), ranged)})
        able = targets(state)[target]
        return _joined(state, able) if len(able) == 1 else state


class Aim(Attack):
    """Name the target of a volley; the only unit that can shoot at it does so at once (BB 8.5.1)."""

    __slots__ = ()
    word = "aim"
    section = "BB 8.1 to 8.6"


@dataclass(frozen=True, slots=True)
class With(Listed):
    """Let a unit attack the target, too; when all have joined, the attack begins (BB 8.5.1, 9.4.1)."""

    word = "with"
    arguments = (NAME,)
    section = "BB 8.5.1, 9.1"
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every unit that can join."""
        combat, specs = state.fight, state.setting.units
        able = targets(state)[combat.target]
        return (cls(specs[unit].name) for unit in able if unit not in combat.units)

    def apply(self, state: State) -> State:
        """Add the unit."""
        number = state.setting.unit_numbers[self.unit]
        return _joined(state, (*state.fight.units, number))


@dataclass(frozen=True, slots=True)
class Charge(Listed):
    """Attack with the units that have been named (BB 9.4.1)."""

    word = "charge"
    section = "BB 8.5.1, 9.4.1: once a unit is named"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield it once a unit attacks."""
        return iter((cls(),) if state.fight.units else ())

    def apply(self, state: State) -> State:
        """Go on."""
        return declared(state)


class Loose(Charge):
    """Shoot with the units that have been named (BB 8.5.1)."""

    __slots__ = ()
    word = "loose"
