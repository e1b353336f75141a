"""Lead: the attacker who brings all his dice and takes the first hit (BB 9.4.4.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.words import Listed
from brickphys.blade_and_bow.ground.arcs import direction, sector_of
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.pending import Question
from brickphys.rules.words import NAME
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
        if direction(state.setting.grid, combat.square, square) == target.facing:
            ahead.append(unit)
        if sector_of(state, combat.target, square) is Sector.FRONT:
            before.append(unit)
    return tuple(ahead or before) or combat.units


def led(state: State) -> State:
    """Return the state with a lead unit, or with a question where there is a choice."""
    able = leads(state)
    if len(able) == 1:
        return state.change_combat(lead=able[0])
    return state.push_pending(LeadQuestion())


@dataclass(frozen=True, slots=True)
class Lead(Listed):
    """Choose the lead unit (BB 9.4.4.4)."""

    word = "lead"
    arguments = (NAME,)
    section = "BB 9.4.4.4"
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield each that can be."""
        return (cls(state.setting.units[unit].name) for unit in leads(state))

    def apply(self, state: State) -> State:
        """Let it lead."""
        lead = state.setting.unit_numbers[self.unit]
        return state.pop_pending().change_combat(lead=lead)


@dataclass(frozen=True, slots=True)
class LeadQuestion(Question[State]):
    """Which attacker leads."""

    answers = (Lead,)

    def problems(self, state: State) -> list[str]:
        """Return why nobody is to be chosen."""
        asked = state.combat is not None and state.combat.stage in (Stage.COMMITMENT, Stage.CARDS)
        return [] if asked else ["lead: there is no lead attacker to choose"]

    def player(self, state: State) -> int:
        """Return the attacker."""
        return state.mover

    def prompt(self, state: State) -> str:
        """Return what is asked."""
        return "which unit leads the attack"
