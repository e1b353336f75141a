"""Playing: cards that are played for their effects, in an impulse and before dice (BB 4.2)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.cards import CardDraw, discarded
from brickphys.blade_and_bow.command.effects import gains
from brickphys.blade_and_bow.command.hand import held_problems
from brickphys.blade_and_bow.command.rally import Facing, rallied
from brickphys.blade_and_bow.command.words import Decline
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.cards import (
    AT_ONCE,
    FOR_ARMY,
    Effect,
    Lasts,
    Moment,
    Verb,
    card_numbers,
    deck,
)
from brickphys.blade_and_bow.state.pieces import Box, Order, Played
from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.pending import Question
from brickphys.rules.turn_state import PlayerNumber
from brickphys.rules.words import NAME, Action

ARMY = "army"
"""The target of a card from which no unit gains."""
_EITHER = (Moment.ATTACK, Moment.DEFENCE)
_ORDERS: Mapping[Verb, tuple[Order, ...]] = {
    Verb.MOVEMENT: (Order.MOVE,),
    Verb.RANGE: (Order.SHOOT,),
    Verb.MORALE: (Order.MOVE, Order.MELEE, Order.RALLY),
}
"""The orders of the activations in which units gain from some verbs, during this action."""


def _now(state: State) -> tuple[int, Moment]:
    """Return who may play a card now, and which moment it is."""
    asked = state.first_pending
    if isinstance(asked, PlayCards):
        return asked.who, asked.moment
    return state.mover, Moment.IMPULSE


def _fits(effect: Effect, moment: Moment) -> bool:
    """Whether an effect is for a moment; a card for either side of a melee fits both."""
    return effect.moment is moment or (effect.moment is Moment.MELEE and moment in _EITHER)


def _in_question(state: State, player: int, effect: Effect, moment: Moment) -> Iterable[int]:
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


def _chosen(state: State, player: int, verb: Verb) -> Iterable[int]:
    """Return the units for which an effect of a verb can be played in an impulse, all on the map for most."""
    specs, units, mine = state.setting.units, state.units, state.on_map(player)
    if verb is Verb.RALLY:
        return (one for one in mine if units[one].disrupted)
    if verb is Verb.WHEEL:  # not in a strong enemy zone, nor in a shield wall (ours)
        strong = zones(state, 1 - player).strong
        return (n for n in mine if not (units[n].wall or strong >> state.square_of(n) & 1))
    if verb is Verb.SCOUT:
        enemies = state.on_map(1 - player)
        return (one for one in enemies if specs[one].counter.has_ranks and not units[one].seen)
    if verb is Verb.RECALL:
        routed = (n for n, unit in enumerate(units) if unit.box is Box.ROUTED)
        return (one for one in routed if specs[one].player == player)
    return mine


def _gainers(state: State, player: int, effect: Effect, moment: Moment) -> list[int]:
    """Return the units for which a card can be played now: a unit gains from one at a time (BB 4.2)."""
    specs, units = state.setting.units, _in_question(state, player, effect, moment)
    found = (unit for unit in units if effect.fits(specs[unit].counter))
    return sorted(one for one in found if effect.verb is Verb.SCOUT or not gains(state, one))


@dataclass(frozen=True, slots=True)
class Play(Action[State]):
    """Play a card for its effect on a unit, or on the army; the card is discarded, and its effect known to all."""

    word = "play"
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
                if card.effect.verb is not Verb.DRAW or _may_draw(state, player):
                    yield cls(card.name, ARMY)
            else:
                for unit in _gainers(state, player, card.effect, moment):
                    yield cls(card.name, state.setting.units[unit].name)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be played so."""
        player, moment = _now(state)
        faults = list(held_problems(state, player, self.card))
        yield from faults
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
            if effect.verb is Verb.DRAW and not _may_draw(state, player):
                yield "the hand is full (BB 4.0)"
        elif self.unit not in state.setting.unit_numbers:
            yield f"{unknown('unit', self.unit, state.setting.unit_numbers)} (BB 4.2)"
        elif (unit := state.setting.unit_numbers[self.unit]) not in _gainers(
            state, player, effect, moment
        ):
            another = gains(state, unit) and effect.verb is not Verb.SCOUT
            why = (
                "already gains from another card"
                if another
                else f"cannot gain from {self.card} now"
            )
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
        if effect.verb is Verb.ACTIONS:
            return state.replaced({"actions": state.actions + effect.amount})
        return state.push_pending(*[CardDraw(player, to_hand=True)] * effect.amount)


def _may_draw(state: State, player: int) -> bool:
    """Whether there is room for a card once one is played."""
    return len(state.hands[player]) <= state.hand_size(player)


def _done_to(state: State, effect: Effect, unit: int) -> State:
    """Return the state after an effect that happens to a unit at once."""
    if effect.verb is Verb.RALLY:
        return rallied(state, unit)
    if effect.verb is Verb.SCOUT:
        return state.change_unit(unit, seen=True)
    if effect.verb is Verb.RECALL:
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
        """Return why this cannot be pending."""
        alone = self.moment in (Moment.INITIATIVE, Moment.IMPULSE)
        return [] if alone or state.combat is not None else ["pending: there is no combat"]

    def lapses(self, state: State) -> bool:
        """Whether the hand is empty: nothing else tells who is asked, so that no hand is given away."""
        return not state.hands[self.who]

    def player(self, state: State) -> int:
        """Return the player."""
        return self.who
