"""Cards: drawn, bought, discarded, and played for their effects (BB 4.0, 5.1, 5.4.1); passing (BB 5.4.4.7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.actions import Decline, finished, gains
from brickphys.blade_and_bow.command.morale import Facing, rallied
from brickphys.blade_and_bow.deck import (
    AT_ONCE,
    COLOURS,
    FOR_ARMY,
    CardEffect,
    EffectVerb,
    Lasts,
    Moment,
    card_numbers,
    deck,
)
from brickphys.blade_and_bow.ground import zones
from brickphys.blade_and_bow.pieces import Box, FormationOrder, Played
from brickphys.blade_and_bow.setting import CardNumber
from brickphys.blade_and_bow.state import State
from brickphys.errors import unknown
from brickphys.rules.events import Draw, Outcome
from brickphys.rules.moves import Move
from brickphys.rules.turn_state import PendingRoll, PlayerNumber, Question
from brickphys.rules.words import NAME, Action, Unconditional


def discarded(state: State, player: int, card: CardNumber) -> State:
    """Return the state in which a player has discarded a card of the hand."""
    hand = tuple(held for held in state.hands[player] if held != card)
    discards = tuple(sorted((*state.discards, card)))
    return state.with_entry("hands", player, hand).replaced({"discards": discards})


@dataclass(frozen=True, slots=True)
class DeckDraw(PendingRoll[State]):
    """A card that a player draws to the hand, or for the actions of an impulse.

    An empty deck is made anew from the discards (BB 5.1). When the reshuffle is drawn, all cards that are in no hand
    make the deck anew, and the player draws again (ours).
    """

    player: PlayerNumber
    to_hand: bool

    def problems(self, state: State) -> list[str]:
        return [] if state.deck or state.discards else ["pending: there is no card to draw"]

    def lapses(self, state: State) -> bool:
        return self.to_hand and not has_room(state, self.player)

    def event(self, state: State) -> Draw:
        """Return the draw; who knows what is left in the deck knows the hands."""
        names = (deck()[number].name for number in state.deck or state.discards)
        aim = f"{'hand' if self.to_hand else 'actions'} of {state.player_name(self.player)}"
        reason = f"a card of the deck for the {aim}"
        owner = self.player if self.to_hand else None
        return Draw.uniform(*names, reason=reason, secret=True, owner=owner)

    def settle(self, state: State, outcome: Outcome) -> State:
        number = card_numbers()[str(outcome)]
        card = deck()[number]
        whole = tuple(sorted((*state.deck, *state.discards)))
        if card.is_reshuffle:
            return state.replaced({"deck": whole, "discards": ()}).push_pending(self)
        if not state.deck:
            state = state.replaced({"deck": whole, "discards": ()})
        state = state.replaced({"deck": tuple(left for left in state.deck if left != number)})
        if self.to_hand:
            hand = tuple(sorted((*state.hands[self.player], number)))
            return state.with_entry("hands", self.player, hand)
        actions = card.command[COLOURS.index(state.colour(self.player))]
        discards = tuple(sorted((*state.discards, number)))
        return state.replaced({"actions": actions, "discards": discards})


def has_room(state: State, player: int) -> bool:
    """Whether a player holds fewer cards than the hand may have."""
    return len(state.hands[player]) < state.hand_size(player)


def held_problems(state: State, player: int, card: str) -> Iterator[str]:
    """Yield why a player does not hold a card of this name."""
    hand = [deck()[number].name for number in state.hands[player]]
    if card not in hand:
        known = card in card_numbers()
        yield f"{card} is not in the hand (BB 4.0)" if known else str(unknown("card", card, hand))


@dataclass(frozen=True, slots=True)
class Discard(Action[State]):
    """Throw a card away, for an action (BB 5.4.4.5)."""

    word = "discard"
    does = "discard a card"
    arguments = (NAME,)
    card: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return (cls(deck()[number].name) for number in state.hands[state.mover])

    def problems(self, state: State) -> Iterator[str]:
        return held_problems(state, state.mover, self.card)

    def apply(self, state: State) -> State:
        return finished(discarded(state, state.mover, card_numbers()[self.card]))


@dataclass(frozen=True, slots=True)
class Purchase(Move[State]):
    """Draw a card to the hand, for an action (BB 5.4.4.6)."""

    word = "purchase"
    section = "BB 5.4.4.6"

    def refusals(self, state: State) -> Iterator[str]:
        if not has_room(state, state.mover):
            yield f"the hand of {state.hand_size(state.mover)} is full"

    def result(self, state: State) -> State:
        return finished(state).push_pending(DeckDraw(state.mover, to_hand=True))


class Pass(Unconditional[State]):
    """Spend an action on nothing (BB 5.4.4.7)."""

    __slots__ = ()
    word = "pass"

    def apply(self, state: State) -> State:
        return finished(state)


class DrawCard(Unconditional[State]):
    """Draw a card to the hand (BB 5.1)."""

    __slots__ = ()
    word = "draw"

    def apply(self, state: State) -> State:
        player = state.awaited(DrawChoice).who
        return state.pop_pending().push_pending(DeckDraw(player, to_hand=True))


class Keep(Decline):
    """Draw no card: the hand stays as it is (BB 5.1)."""

    __slots__ = ()
    word = "keep"


@dataclass(frozen=True, slots=True)
class DrawChoice(Question[State]):
    """Whether a player whose hand is not full draws a card."""

    answers = (DrawCard, Keep)
    asks = "draw a card, or keep your hand as it is?"
    who: PlayerNumber

    def lapses(self, state: State) -> bool:
        return not has_room(state, self.who)

    def player(self, state: State) -> int:
        return self.who


def draw_phase(state: State) -> State:
    """Return the state in which players draw, the holder of the initiative first: full hands on the first turn."""
    players = (state.holder, 1 - state.holder)
    if state.turn > 1:
        return state.push_pending(*map(DrawChoice, players))
    full = (player for player in players for _ in range(state.hand_size(player)))
    return state.push_pending(*(DeckDraw(player, to_hand=True) for player in full))


ARMY = "army"
"""The target of a card from which no unit gains."""
_EITHER = (Moment.ATTACK, Moment.DEFENCE)
_ORDERS: Mapping[EffectVerb, tuple[FormationOrder, ...]] = {
    EffectVerb.MOVEMENT: (FormationOrder.MOVE,),
    EffectVerb.RANGE: (FormationOrder.SHOOT,),
    EffectVerb.MORALE: (FormationOrder.MOVE, FormationOrder.MELEE, FormationOrder.RALLY),
}
"""The orders of the activations in which units gain from some verbs, during this action."""


def _now(state: State) -> tuple[int, Moment]:
    """Return who may play a card now, and which moment it is."""
    asked = state.first_pending
    if isinstance(asked, PlayCards):
        return asked.who, asked.moment
    return state.mover, Moment.IMPULSE


def _fits(effect: CardEffect, moment: Moment) -> bool:
    """Whether an effect is for a moment; a card for either side of a melee fits both."""
    return effect.moment is moment or (effect.moment is Moment.MELEE and moment in _EITHER)


def _in_question(state: State, player: int, effect: CardEffect, moment: Moment) -> Iterable[int]:
    """Return the units for which an effect could be played now, whatever kind they are and gain from."""
    activation = state.activation
    if moment in (Moment.ATTACK, Moment.VOLLEY):
        return state.fight.units if state.fight.lead is None else (state.fight.lead,)
    if moment in (Moment.DEFENCE, Moment.COVER):
        return state.fight.defenders
    if effect.verb in _ORDERS and effect.lasts is Lasts.ACTION:
        if activation is None or activation.order not in _ORDERS[effect.verb]:
            return ()
        return activation.waiting if activation.closed else activation.units
    return _chosen(state, player, effect.verb)


def _chosen(state: State, player: int, verb: EffectVerb) -> Iterable[int]:
    """Return the units for which an effect of a verb can be played in an impulse, all on the map for most."""
    specs, units, mine = state.setting.units, state.units, state.on_map(player)
    if verb is EffectVerb.RALLY:
        return (one for one in mine if units[one].disrupted)
    if verb is EffectVerb.WHEEL:  # not in a strong enemy zone, nor in a shield wall (ours)
        strong = zones(state, 1 - player).strong
        return (n for n in mine if not (units[n].wall or strong >> state.square_of(n) & 1))
    if verb is EffectVerb.SCOUT:
        enemies = state.on_map(1 - player)
        return (one for one in enemies if specs[one].counter.has_ranks and not units[one].seen)
    if verb is EffectVerb.RECALL:
        routed = (n for n, unit in enumerate(units) if unit.box is Box.ROUTED)
        return (one for one in routed if specs[one].player == player)
    return mine


def _gainers(state: State, player: int, effect: CardEffect, moment: Moment) -> list[int]:
    """Return the units for which a card can be played now: a unit gains from one at a time (BB 4.2)."""
    specs, units = state.setting.units, _in_question(state, player, effect, moment)
    found = (unit for unit in units if effect.fits(specs[unit].counter))
    return sorted(one for one in found if effect.verb is EffectVerb.SCOUT or not gains(state, one))


@dataclass(frozen=True, slots=True)
class Play(Action[State]):
    """Play a card for its effect on a unit, or on the army; the card is discarded, and its effect known to all."""

    word = "play"
    does = "play a card"
    arguments = (NAME, NAME)
    card: str
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every card that fits the moment, with every unit that can gain from it."""
        player, moment = _now(state)
        for number in state.hands[player]:
            card = deck()[number]
            if card.effect is None or not _fits(card.effect, moment):
                continue
            if card.effect.verb in FOR_ARMY:
                if card.effect.verb is not EffectVerb.DRAW or _may_draw(state, player):
                    yield cls(card.name, ARMY)
            else:
                for unit in _gainers(state, player, card.effect, moment):
                    yield cls(card.name, state.setting.units[unit].name)

    def problems(self, state: State) -> Iterator[str]:
        player, moment = _now(state)
        yield from (faults := list(held_problems(state, player, self.card)))
        if faults:
            return
        effect = deck()[card_numbers()[self.card]].effect
        if effect is None:
            yield f"{self.card} has no effect (BB 5.4.4.5)"
        elif not _fits(effect, moment):
            yield f"{self.card} is for the moment {effect.moment.value}, not {moment.value} (BB 4.2)"
        elif effect.verb in FOR_ARMY:
            if self.unit != ARMY:
                yield f"play {self.card} for the {ARMY}, not for {self.unit} (BB 4.2)"
            if effect.verb is EffectVerb.DRAW and not _may_draw(state, player):
                yield "the hand is full (BB 4.0)"
        elif self.unit not in state.setting.unit_numbers:
            yield f"{unknown('unit', self.unit, state.setting.unit_numbers)} (BB 4.2)"
        elif (unit := state.setting.unit_numbers[self.unit]) not in _gainers(
            state, player, effect, moment
        ):
            why = f"cannot gain from {self.card} now"
            if gains(state, unit) and effect.verb is not EffectVerb.SCOUT:
                why = "already gains from another card"
            yield f"{self.unit} {why} (BB 4.2)"

    def apply(self, state: State) -> State:
        """Discard it; its effect happens now, or is in force."""
        player, _ = _now(state)
        card = card_numbers()[self.card]
        effect = deck()[card].effect
        assert effect is not None
        unit = None if effect.verb in FOR_ARMY else state.setting.unit_numbers[self.unit]
        state = discarded(state, player, card)
        if effect.verb not in AT_ONCE:
            return state.replaced({"played": (*state.played, Played(card, player, unit))})
        if unit is not None:
            return _done_to(state, effect, unit)
        if effect.verb is EffectVerb.ACTIONS:
            return state.replaced({"actions": state.actions + effect.amount})
        return state.push_pending(*[DeckDraw(player, to_hand=True)] * effect.amount)


def _may_draw(state: State, player: int) -> bool:
    """Whether there is room for a card once one is played."""
    return len(state.hands[player]) <= state.hand_size(player)


def _done_to(state: State, effect: CardEffect, unit: int) -> State:
    """Return the state after an effect that happens to a unit at once."""
    if effect.verb is EffectVerb.RALLY:
        return rallied(state, unit)
    if effect.verb is EffectVerb.SCOUT:
        return state.change_unit(unit, seen=True)
    if effect.verb is EffectVerb.RECALL:
        return state.change_unit(unit, box=Box.RALLIED)
    return state.push_pending(Facing(unit, effect.amount))


class NoCard(Decline):
    """Play no more cards now."""

    __slots__ = ()
    word = "no_card"


@dataclass(frozen=True, slots=True)
class PlayCards(Question[State]):
    """Cards that a player may play, one after the other, as long as the hand holds any."""

    answers = (Play, NoCard)
    who: PlayerNumber
    moment: Moment

    def problems(self, state: State) -> list[str]:
        alone = self.moment in (Moment.INITIATIVE, Moment.IMPULSE)
        return [] if alone or state.combat is not None else ["pending: there is no combat"]

    def lapses(self, state: State) -> bool:
        """Whether the hand is empty: nothing else tells who is asked, so that no hand is given away."""
        return not state.hands[self.who]

    def player(self, state: State) -> int:
        return self.who
