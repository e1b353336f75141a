"""Impulses: players spend them in turn; who has more goes on alone (BB 5.2, 5.4)."""

from brickphys.blade_and_bow.command.cards import CardDraw
from brickphys.blade_and_bow.command.effects import expired
from brickphys.blade_and_bow.sheets.cards import Lasts
from brickphys.blade_and_bow.state.state import State


def impulses_of(state: State, player: int) -> int:
    """Return how many impulses a player has in a turn: one less for each leader killed and a camp lost (BB 5.2)."""
    lost = state.leaders_killed(player) + state.sacked[player]
    return max(0, state.setting.impulses[player] - lost)


def with_impulses(state: State) -> State:
    """Return the state in which each player has the impulses of a turn."""
    players = range(len(state.setting.players))
    return state.replaced({"impulses": tuple(impulses_of(state, player) for player in players)})


def next_impulse(state: State, first: int) -> State | None:
    """Return the state with the next impulse, of a player if any is left to that one; None if none is left to either.

    A card is drawn for the actions of the impulse (BB 5.4.1).
    """
    state = expired(state, Lasts.IMPULSE)
    for player in (first, 1 - first):
        if left := state.impulses[player]:
            impulses = tuple(
                left - 1 if one == player else count for one, count in enumerate(state.impulses)
            )
            state = state.replaced({"impulses": impulses, "mover": player})
            return state.push_pending(CardDraw(player, to_hand=False))
    return None
