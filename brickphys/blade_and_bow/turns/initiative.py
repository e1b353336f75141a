"""Initiative: the dice for the initiative, and the cards that change them (BB 5.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.command.playing import PlayCards
from brickphys.blade_and_bow.sheets.cards import Moment, Verb
from brickphys.blade_and_bow.state.state import Phase, State
from brickphys.blade_and_bow.turns.path import sought
from brickphys.blade_and_bow.turns.reinforcements import awaited
from brickphys.rules.pending import DieRoll
from brickphys.rules.turn_state import Count


@dataclass(frozen=True, slots=True)
class InitiativeRoll(DieRoll[State]):
    """The die of the next player, the first player's first."""

    faces: tuple[Count, ...] = ()

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        is_due = state.phase is Phase.INITIATIVE and len(self.faces) < len(state.setting.players)
        return [] if is_due else ["pending: the initiative is known"]

    def reason(self, state: State) -> str:
        """Return whose die it is."""
        return f"initiative of {state.player_name(len(self.faces))}"

    def rolled(self, state: State, face: int) -> State:
        """Roll for the other, or give the initiative to the lower die; who holds it keeps it in a tie."""
        faces = (*self.faces, face)
        players = range(len(state.setting.players))
        if len(faces) < len(players):
            return state.push_pending(replace(self, faces=faces))
        holder = holder_by(state, faces)
        return state.replaced({"holder": holder, "mover": holder})


def holder_by(state: State, faces: Sequence[int]) -> int:
    """Return who holds the initiative after the dice of the players: the lower one; in a tie who held it before."""
    dice = [face - bonus(state, Verb.INITIATIVE, player) for player, face in enumerate(faces)]
    return min(range(len(dice)), key=lambda player: (dice[player], player != state.holder))


def ask_for_initiative(state: State) -> State:
    """Return the state in which cards are played, the holder's first (ours), and dice rolled.

    The dice of special rules come after them (BB 14.2, 14.4).
    """
    state = awaited(sought(state))
    players = (state.holder, 1 - state.holder)
    cards = (PlayCards(player, Moment.INITIATIVE) for player in players)
    return state.push_pending(*cards, InitiativeRoll())
