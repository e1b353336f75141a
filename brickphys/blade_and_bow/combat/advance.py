"""Advance: the lead attacker follows into the square that the defender has left (BB 9.4.9)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.combat.camp import sackers_left
from brickphys.blade_and_bow.combat.pursuit import Pursuit
from brickphys.blade_and_bow.command.casualties import entered
from brickphys.blade_and_bow.command.words import FACING, Listed
from brickphys.blade_and_bow.ground.arcs import AHEAD, direction
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.steps import step_allowed
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import FollowUp, Question


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
class Advance(Listed):
    """Advance, and face away from the square that was left or a direction beside that (BB 9.4.9)."""

    word = "advance"
    arguments = (FACING,)
    section = "BB 9.4.9"
    facing: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the three facings, the left one first."""
        ahead = direction(state.setting.grid, state.square_of(state.lead), state.fight.square)
        assert ahead is not None
        return (cls((ahead + off) % FACINGS) for off in AHEAD)

    def apply(self, state: State) -> State:
        """Enter the square, with the leaders of the unit."""
        state = state.pop_pending().placed(state.lead, state.fight.square, self.facing)
        return entered(state, state.lead)


@dataclass(frozen=True, slots=True)
class Hold(Listed):
    """Stay, as who is stacked with a leader may (BB 9.4.9)."""

    word = "hold"
    section = "BB 9.4.9"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield it for who is stacked with a leader."""
        return iter(() if state.leader_of(state.lead) is None else (cls(),))

    def apply(self, state: State) -> State:
        """Stay."""
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class AdvanceChoice(Question[State]):
    """The lead attacker advances, with a facing; who is stacked with a leader may stay."""

    answers = (Advance, Hold)

    def problems(self, state: State) -> list[str]:
        """Return why nobody is asked."""
        return [] if _can_advance(state) else ["pending: no unit can advance"]

    def player(self, state: State) -> int:
        """Return the attacker."""
        return state.player_of(state.lead)

    def prompt(self, state: State) -> str:
        """Ask for the facing."""
        return f"how {state.unit_name(state.lead)} advances"


@dataclass(frozen=True, slots=True)
class Aftermath(FollowUp[State]):
    """What follows once all hits are applied."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return [] if state.combat is not None else ["pending: no unit fights"]

    def happen(self, state: State) -> State:
        """Remove the shield walls of disrupted units (BB 13.3), let the sacker of a camp leave, or the lead advance."""
        combat = state.fight
        for unit in (*combat.defenders, *combat.units):
            if state.units[unit].wall and state.units[unit].disrupted:
                state = state.change_unit(unit, wall=False)
        return advance(sackers_left(state).push_pending(Pursuit()))
