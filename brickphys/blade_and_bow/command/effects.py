"""Effects: what cards in force change, and until when (BB 4.2)."""

from brickphys.blade_and_bow.sheets.cards import Effect, Lasts, Verb, deck
from brickphys.blade_and_bow.state.pieces import Played
from brickphys.blade_and_bow.state.state import State

_ORDER = tuple(Lasts)


def bonus(state: State, verb: Verb, player: int, unit: int | None = None) -> int:
    """Return the amount by which a player's cards change something, of one unit if that is given."""
    found = 0
    for played in state.played:
        if played.player == player and played.unit == unit:
            effect = effect_of(played)
            found += effect.amount * (effect.verb is verb)
    return found


def gains(state: State, unit: int) -> bool:
    """Whether a unit gains from a card in force: it does not from another one (BB 4.2)."""
    return any(played.unit == unit for played in state.played)


def expired(state: State, lasts: Lasts) -> State:
    """Return the state without the effects that last no longer than this."""
    if not state.played:
        return state
    end = _ORDER.index(lasts)
    kept = (played for played in state.played if _ORDER.index(effect_of(played).lasts) > end)
    return state.replaced({"played": tuple(kept)})


def effect_of(played: Played) -> Effect:
    """Return the effect of a card in force."""
    effect = deck()[played.card].effect
    assert effect is not None
    return effect
