"""Rout: the checks of a unit that cannot sustain its hits (BB 9.4.10, 6.5)."""

from dataclasses import dataclass

from brickphys.blade_and_bow.command.casualties import taken_off
from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.setting import UnitNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.pending import FollowUp
from brickphys.rules.turn_state import Count


def rout_checks(state: State, unit: int, dice: int) -> State:
    """Let a unit make rout checks, before anything else that is pending."""
    return state.push_pending(RoutChecks(unit, dice)) if dice else state


def routed(state: State, unit: int) -> State:
    """Return the state with a unit and its leaders in the box of routed units (BB 9.4.10, 6.3)."""
    return taken_off(state, unit, Box.ROUTED)


@dataclass(frozen=True, slots=True)
class RoutChecks(FollowUp[State]):
    """Rout checks of a unit, one die each, before a leader with it and its cards cancel some."""

    unit: UnitNumber
    dice: Count

    def lapses(self, state: State) -> bool:
        """Whether the unit is off the map."""
        return state.units[self.unit].square is None

    def happen(self, state: State) -> State:
        """Roll the dice that are left; a leader cancels one of them (BB 6.5 and 9.4.10 are the same)."""
        guards = bonus(state, Verb.GUARD, state.player_of(self.unit), self.unit)
        led = state.leader_of(self.unit) is not None
        dice = self.dice - guards - led
        return ask_morale(state, RoutRoll(self.unit, dice)) if dice > 0 else state


@dataclass(frozen=True, slots=True)
class RoutRoll(MoraleRoll):
    """The dice of rout checks: the unit routs if any fails."""

    what = "rout check"

    def passed(self, state: State) -> State:
        """Let it stay."""
        return state

    def failed(self, state: State) -> State:
        """Rout."""
        return routed(state, self.unit)
