"""Sharks: the roll for each minifig in the water (PW Morale)."""

from dataclasses import dataclass

from brickphys.pirate_wars.damage.casualties import is_pirate_captain, kill
from brickphys.pirate_wars.state.setting import MinifigNumber
from brickphys.pirate_wars.state.state import State
from brickphys.rules.pending import DieRoll
from brickphys.text import spoken

EATEN_FROM = 5
"""The least roll at which a minifig is eaten."""


@dataclass(frozen=True, slots=True)
class SharkRoll(DieRoll[State]):
    """The roll for a minifig in the water; a pirate captain is spared while another pirate of his side is there."""

    minifig: MinifigNumber

    def lapses(self, state: State) -> bool:
        """Whether the minifig is spared, or in the water no more."""
        return not state.minifigs[self.minifig].swims or is_spared(state, self.minifig)

    def reason(self, state: State) -> str:
        """Return near whom."""
        return f"sharks near {spoken(state.setting.minifigs[self.minifig].name)}"

    def rolled(self, state: State, face: int) -> State:
        """Let the minifig be eaten on a high roll."""
        return kill(state, self.minifig) if face >= EATEN_FROM else state


def is_spared(state: State, minifig: int) -> bool:
    """Tell whether sharks have other pirates of his team to eat, who are no captains, before a pirate captain."""
    setting = state.setting
    team = setting.minifig_teams[minifig]
    return is_pirate_captain(state, minifig) and any(
        setting.is_pirate(other)
        and setting.minifig_teams[other] == team
        and not is_pirate_captain(state, other)
        for other in state.swimmers()
    )


def shark_rolls(state: State) -> list[SharkRoll]:
    """Return the rolls of a turn: captains of pirates come last."""
    last = sorted(state.swimmers(), key=lambda number: is_pirate_captain(state, number))
    return list(map(SharkRoll, last))
