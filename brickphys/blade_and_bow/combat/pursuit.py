"""Pursuit: what units do after a melee: the lead attacker advances (BB 9.4.9), cavalry attacks again (BB 9.4.11).

Here are also camps that are sacked (BB 12), which units have acted in a combat, and how it ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from brickphys.blade_and_bow.command import morale
from brickphys.blade_and_bow.command.actions import FACING, Decline
from brickphys.blade_and_bow.command.formation import engaged
from brickphys.blade_and_bow.ground import AHEAD, direction, enemy_squares, step_allowed
from brickphys.blade_and_bow.pieces import Box, Combat, Stage
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACINGS
from brickphys.rules.moves import Move, OptionAnswer, OptionQuestion
from brickphys.rules.turn_state import FollowUp, Question
from brickphys.rules.words import Unconditional


def acted(state: State, units: tuple[int, ...]) -> State:
    """Return the state in which some units of the activation have acted: each attacks once in an action (BB 9.1)."""
    waiting = tuple(unit for unit in state.activated.waiting if unit not in units)
    return state.change_activation(waiting=waiting)


def combat_over(state: State) -> State:
    """Return the state after a combat.

    The target is not attacked again in this action (BB 8.6, 9.1), unless nobody dared to attack it (ours).
    """
    combat, struck = state.fight, state.activated.struck
    state = acted(state, combat.units).replaced({"combat": None})
    if not combat.units:
        return state
    if combat.target is None:
        return state.change_activation(struck_camp=True)
    return state.change_activation(struck=(*struck, combat.target))


def begin_melee(state: State, unit: int, target: int, *, shaken: bool) -> State:
    """Return the state in which cavalry attacks a unit again that it has recoiled: cards come next (BB 9.4.11).

    All attackers of the melee before have acted (BB 9.1). Who is shaken is disrupted once the hits are applied.
    """
    party = (target, state.square_of(target), (unit,))
    again = Combat(*party, stage=Stage.CARDS, lead=unit, again=True, shaken=shaken)
    return acted(state, state.fight.units).replaced({"combat": again})


def chased(state: State) -> int | None:
    """Return the unit that the lead attacker of a melee can attack again; None if there is none.

    The lead is cavalry in good order that has advanced, and can attack the target that it recoiled (BB 9.1).
    """
    combat = state.combat
    if combat is None or combat.lead is None or combat.target is None:
        return None
    lead = state.units[combat.lead]
    if lead.square is None or lead.square != combat.square or lead.disrupted:
        return None
    is_horse = state.setting.units[combat.lead].counter.is_horse
    return combat.target if is_horse and combat.target in engaged(state, combat.lead) else None


@dataclass(frozen=True, slots=True)
class Pursuit(FollowUp[State]):
    """What follows the advance after a melee."""

    def problems(self, state: State) -> list[str]:
        return [] if state.combat is not None else ["pending: no unit fights"]

    def happen(self, state: State) -> State:
        """Disrupt cavalry whose morale failed, take it off after a chase, or ask whether it attacks again."""
        combat = state.fight
        if combat.again and combat.off_map:
            return morale.taken_off(
                state, state.lead, Box.RALLIED
            )  # its leaders as those who rout (ours)
        lead = combat.lead
        if combat.shaken and lead is not None and state.units[lead].square is not None:
            state = morale.disrupted(state, lead)
        return state if chased(state) is None else state.push_pending(PursuitChoice())


@dataclass(frozen=True, slots=True)
class PursuitRoll(morale.MoraleRoll):
    """The morale roll of cavalry that attacks again: it attacks anyway, but may be disrupted afterwards.

    Leaders have no effect on it (BB 9.4.11).
    """

    what = "pursuit"

    def problems(self, state: State) -> list[str]:
        wrong = [] if chased(state) is not None else ["pending: no unit can be pursued"]
        return super(PursuitRoll, self).problems(state) + wrong

    def passed(self, state: State) -> State:
        return begin_melee(state, self.unit, state.target, shaken=False)

    def failed(self, state: State) -> State:
        return begin_melee(state, self.unit, state.target, shaken=True)


@dataclass(frozen=True, slots=True)
class Pursue(Unconditional[State]):
    """Attack the unit again, after a morale roll with one die (BB 9.4.11)."""

    word = "pursue"

    def apply(self, state: State) -> State:
        return morale.ask_morale(state.pop_pending(), PursuitRoll(state.lead))


class Halt(Decline):
    """Let the unit go (BB 9.4.11)."""

    __slots__ = ()
    word = "halt"


@dataclass(frozen=True, slots=True)
class PursuitChoice(Question[State]):
    """Cavalry may attack the unit that it has recoiled once more."""

    answers = (Pursue, Halt)

    def problems(self, state: State) -> list[str]:
        return [] if chased(state) is not None else ["pending: no unit can be pursued"]

    def prompt(self, state: State) -> str:
        return f"whether to pursue {state.unit_name(state.target)}"


def sheltered(state: State, unit: int, hits: int) -> int:
    """Return the hits of a melee that are left to a unit: its own camp cancels the first (BB 12)."""
    on_camp = state.camp_set(state.player_of(unit)) >> state.square_of(unit) & 1
    return max(hits - charts().dice["camp_cancels"], 0) if on_camp else hits


def struck_camp(state: State, hits: int) -> State:
    """Return the state after the hits of a melee on a camp: it is sacked by the second (BB 12)."""
    player = 1 - state.mover
    if hits <= charts().dice["camp_cancels"]:
        return state
    return state.with_entry("sacked", player, True)


def sackers_left(state: State) -> State:
    """Return the state after a melee with a camp: if it is sacked, the lead is off and no loss (BB 12).

    Leaders of the lead stay where they are (ours).
    """
    combat = state.fight
    lead = combat.lead
    done = combat.target is None and state.sacked[1 - state.mover]
    if not done or lead is None or state.units[lead].box is not Box.MAP:
        return state
    return state.out_of_play(lead, Box.LEFT)


def advance(state: State) -> State:
    """Return the state in which the lead attacker advances, if it does so, before anything else that is pending.

    The defender has retreated, recoiled or routed. What follows the combat follows when nothing is pending.
    """
    state = state.change_combat(stage=Stage.HITS)
    return state.push_pending(AdvanceChoice()) if _can_advance(state) else state


def _can_advance(state: State) -> bool:
    """Whether the lead is in good order, without a shield wall, and the square is free (BB 9.4.9, 13.2)."""
    combat = state.combat
    if combat is None or combat.ranged or combat.off_map or combat.lead is None:
        return False
    lead, player = state.units[combat.lead], state.player_of(combat.lead)
    if lead.square is None or lead.disrupted or lead.wall or combat.square in state.at:
        return False
    shut = enemy_squares(state, player) >> combat.square & 1
    return not shut and step_allowed(state, player, lead.square, combat.square)


@dataclass(frozen=True, slots=True)
class AdvanceFacing(OptionAnswer[State]):
    """Advance, and face away from the square that was left or a direction beside that (BB 9.4.9)."""

    word = "advance"
    section = "BB 9.4.9"
    facing: Annotated[int, FACING]


@dataclass(frozen=True, slots=True)
class HoldSquare(Move[State]):
    """Stay, as who is stacked with a leader may (BB 9.4.9)."""

    word = "hold"
    section = "BB 9.4.9"

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return iter(() if state.leader_of(state.lead) is None else (cls(),))

    def result(self, state: State) -> State:
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class AdvanceChoice(OptionQuestion[State]):
    """The lead attacker advances, with a facing; who is stacked with a leader may stay."""

    answers = (AdvanceFacing, HoldSquare)

    def options(self, state: State) -> Iterator[tuple[int]]:
        ahead = direction(state.setting.grid, state.square_of(state.lead), state.fight.square)
        assert ahead is not None
        return (((ahead + off) % FACINGS,) for off in AHEAD)

    def answered(self, state: State, facing: int) -> State:
        return morale.entered(state.placed(state.lead, state.fight.square, facing), state.lead)

    def problems(self, state: State) -> list[str]:
        return [] if _can_advance(state) else ["pending: no unit can advance"]

    def player(self, state: State) -> int:
        return state.player_of(state.lead)

    def prompt(self, state: State) -> str:
        return f"how {state.unit_name(state.lead)} advances"


@dataclass(frozen=True, slots=True)
class Aftermath(FollowUp[State]):
    """What follows once all hits are applied."""

    def problems(self, state: State) -> list[str]:
        return [] if state.combat is not None else ["pending: no unit fights"]

    def happen(self, state: State) -> State:
        """Remove the shield walls of disrupted units (BB 13.3), let the sacker of a camp leave, or the lead advance."""
        combat = state.fight
        for unit in (*combat.defenders, *combat.units):
            if state.units[unit].wall and state.units[unit].disrupted:
                state = state.change_unit(unit, wall=False)
        return advance(sackers_left(state).push_pending(Pursuit()))
