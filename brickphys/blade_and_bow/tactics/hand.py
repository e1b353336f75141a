"""Hand: what cards are worth to keep, and which are played, bought or thrown away in an impulse."""

from collections.abc import Iterator, Sequence

from brickphys.blade_and_bow.command.actions import gains
from brickphys.blade_and_bow.command.cards import Discard, Play, Purchase, discarded
from brickphys.blade_and_bow.deck import EffectVerb, Lasts, card_numbers, deck
from brickphys.blade_and_bow.ground import direction
from brickphys.blade_and_bow.pieces import Played
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.choices import BattlePlan, Began
from brickphys.blade_and_bow.tactics.prospects import Strike, attackers, melees, strike_of
from brickphys.blade_and_bow.worth import LOSS, lateness, lead
from brickphys.grid.grid import each
from brickphys.rules.plans import Plan
from brickphys.text import spoken

_FOR_FIGHTERS = (EffectVerb.RALLY, EffectVerb.WHEEL, EffectVerb.MELEE_DICE, EffectVerb.MORALE)
"""What cards do that are played in an impulse for a unit that meets an enemy, or one that rallies."""
_AT_ONCE = {EffectVerb.ACTIONS: 0.3, EffectVerb.DRAW: 0.05, EffectVerb.RECALL: 0.1}
"""What cards bring that need no fight, in the logarithm of odds."""
_LEAST_GAIN = 0.02
"""What such a card brings at least, in the logarithm of odds."""
CARD = 0.03
"""What a card is worth that is kept, in the logarithm of odds."""


def free_cards(began: Began) -> Iterator[BattlePlan]:
    """Yield cards that cost no action and bring something, with what they bring."""
    for play in Play.legal(began.state):
        effect = deck()[card_numbers()[play.card]].effect
        assert effect is not None
        gain = _card_gain(began, play, effect.verb)
        if gain > 0.0:
            yield Plan("", f"plays {spoken(play.card)}", (play,), gain)


def _card_gain(began: Began, play: Play, verb: EffectVerb) -> float:
    """Return what a card brings beyond what it is worth in the hand; the action is not lost."""
    state = began.state
    is_full = len(state.hands[began.player]) >= state.hand_size(began.player)
    if verb in _AT_ONCE and not (verb is EffectVerb.DRAW and is_full):
        return began.worth(_AT_ONCE[verb])
    if verb not in _FOR_FIGHTERS:
        return 0.0
    unit = state.setting.unit_numbers[play.unit]
    enemies = state.setting.grid.around(1 << state.square_of(unit))
    enemies &= state.occupied[1 - began.player]
    began.effort.spend()
    if verb is EffectVerb.RALLY:
        gain = _better(began, state.change_unit(unit, disrupted=False))
    elif not enemies:
        return 0.0
    elif verb is EffectVerb.WHEEL:
        grid, here = state.setting.grid, state.square_of(unit)
        sides = (direction(grid, here, square) for square in each(enemies))
        gain = max(_better(began, state.change_unit(unit, facing=side)) for side in sides)
    else:
        before, after = (
            sum(one.worth for one in melees(one_state, began.player, [unit]))
            for one_state in (state, play.apply(state))
        )
        gain = LOSS * (after - before)
    gain -= card_value(play.card)
    return began.worth(gain) if gain > _LEAST_GAIN else 0.0


def _better(began: Began, state: State) -> float:
    """Return how much better a state is than that of now, in the logarithm of odds."""
    return lead(state, began.player) - lead(began.state, began.player)


def helped(state: State, verb: EffectVerb, units: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield the cards of the player with a verb that are played once an order is given, and who gains from each."""
    for number in state.hands[state.mover]:
        effect = deck()[number].effect
        if effect is not None and effect.verb is verb and effect.lasts is Lasts.ACTION:
            specs = state.setting.units
            fit = (unit for unit in units if effect.fits(specs[unit].counter))
            yield number, [unit for unit in fit if not gains(state, unit)]


def played(state: State, player: int, card: int, unit: int) -> State:
    """Return the state in which a unit gains from a card of the hand."""
    return discarded(state, player, card).replaced(
        {"played": (*state.played, Played(card, player, unit))}
    )


def hearten(began: Began, strikes: Sequence[Strike]) -> tuple[float, Play] | None:
    """Return the card of morale that brings most to one of those who strike, and what it brings; None if too little."""
    state, player = began.state, began.player
    found: list[tuple[float, Play]] = []
    for one in strikes:
        shy = [each.unit for each in attackers(state, player)[one.target] if each.dares < 1.0]
        shy = [unit for unit in one.units if unit in shy]
        for card, units in helped(state, EffectVerb.MORALE, shy):
            for unit in units:
                began.effort.spend()
                now = attackers(played(state, player, card, unit), player)[one.target]
                party = [each for who in one.units for each in now if each.unit == who]
                more = strike_of(state, player, one.target, party).worth - one.worth
                play = Play(deck()[card].name, state.setting.units[unit].name)
                found.append((LOSS * more - card_value(play.card), play))
    best = max(found, key=lambda pair: pair[0], default=(0.0, None))
    return best if best[1] is not None and best[0] > _LEAST_GAIN else None


def purchases(began: Began) -> Iterator[BattlePlan]:
    """Yield a card that is bought where there is room, and bad luck that is thrown away."""
    state, player = began.state, began.player
    value = CARD * (1.0 - lateness(state))
    if len(state.hands[player]) < state.hand_size(player):
        yield Plan("", "buys a card", (Purchase(),), began.worth(value))
    for number in state.hands[player]:
        card = deck()[number]
        if card.effect is None and card.commitment == 0:
            full = len(state.hands[player]) >= state.hand_size(player)
            worth = began.worth(0.3 * value) if full else 0.0
            yield Plan("", f"discards {spoken(card.name)}", (Discard(card.name),), worth)


def card_value(name: str | None) -> float:
    """Return what a card is worth in the hand, in the logarithm of odds: more with points of commitment.

    Of one that is not known, if None.
    """
    if name is None:
        return CARD
    card = deck()[card_numbers()[name]]
    if card.effect is None:
        return 0.0
    return CARD * (0.5 + 0.25 * card.commitment)
