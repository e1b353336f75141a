"""Pursuit: cavalry that has advanced after a unit which it recoiled attacks it again (BB 9.4.11)."""

from dataclasses import dataclass

from brickphys.blade_and_bow.combat.ending import begin_melee
from brickphys.blade_and_bow.command.casualties import disrupted, taken_off
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.command.targets import engaged
from brickphys.blade_and_bow.command.words import Decline
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.pending import FollowUp, Question
from brickphys.rules.words import Unconditional


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
        """Return why this cannot be pending."""
        return [] if state.combat is not None else ["pending: no unit fights"]

    def happen(self, state: State) -> State:
        """Disrupt cavalry whose morale failed, take it off after a chase, or ask whether it attacks again."""
        combat = state.fight
        if combat.again and combat.off_map:
            return taken_off(state, state.lead, Box.RALLIED)  # its leaders as those who rout (ours)
        lead = combat.lead
        if combat.shaken and lead is not None and state.units[lead].square is not None:
            state = disrupted(state, lead)
        return state if chased(state) is None else state.push_pending(PursuitChoice())


@dataclass(frozen=True, slots=True)
class PursuitRoll(MoraleRoll):
    """The morale roll of cavalry that attacks again: it attacks anyway, but may be disrupted afterwards.

    Leaders have no effect on it (BB 9.4.11).
    """

    what = "pursuit"

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        wrong = [] if chased(state) is not None else ["pending: no unit can be pursued"]
        return super(PursuitRoll, self).problems(state) + wrong

    def passed(self, state: State) -> State:
        """Attack."""
        return begin_melee(state, self.unit, state.target, shaken=False)

    def failed(self, state: State) -> State:
        """Attack, and be disrupted afterwards."""
        return begin_melee(state, self.unit, state.target, shaken=True)


@dataclass(frozen=True, slots=True)
class Pursue(Unconditional[State]):
    """Attack the unit again, after a morale roll with one die (BB 9.4.11)."""

    word = "pursue"

    def apply(self, state: State) -> State:
        """Roll the die."""
        return ask_morale(state.pop_pending(), PursuitRoll(state.lead))


class Halt(Decline):
    """Let the unit go (BB 9.4.11)."""

    __slots__ = ()
    word = "halt"


@dataclass(frozen=True, slots=True)
class PursuitChoice(Question[State]):
    """Cavalry may attack the unit that it has recoiled once more."""

    answers = (Pursue, Halt)

    def problems(self, state: State) -> list[str]:
        """Return why nobody is asked."""
        return [] if chased(state) is not None else ["pending: no unit can be pursued"]

    def player(self, state: State) -> int:
        """Return the attacker."""
        return state.mover

    def prompt(self, state: State) -> str:
        """Ask whether it pursues."""
        return f"whether to pursue {state.unit_name(state.target)}"
