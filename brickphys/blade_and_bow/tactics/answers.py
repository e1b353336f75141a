"""Answers: the plans for what is asked in a fight and at the end of a turn: cards, commitment, re-rolls, places.

Choices of a combat are judged by the exact law of its dice (`dice_law`), others by the battle after them (`worth`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.combat import attack, commitment
from brickphys.blade_and_bow.combat.dice import Again, Enough, Rerolls
from brickphys.blade_and_bow.combat.hits import RecoilChoice
from brickphys.blade_and_bow.combat.pursuit import AdvanceChoice, PursuitChoice
from brickphys.blade_and_bow.command.cards import (
    DrawCard,
    DrawChoice,
    Keep,
    NoCard,
    Play,
    PlayCards,
)
from brickphys.blade_and_bow.command.morale import Facing
from brickphys.blade_and_bow.deck import EffectVerb, Moment, card_numbers, deck
from brickphys.blade_and_bow.pieces import Stage
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.choices import Asked, BattlePlan
from brickphys.blade_and_bow.tactics.hand import card_value
from brickphys.blade_and_bow.tactics.marches import HOLDING, Marcher
from brickphys.blade_and_bow.tactics.prospects import loss_share
from brickphys.blade_and_bow.worth import LOSS, lead
from brickphys.rules.plans import HOLDS
from brickphys.rules.words import Action
from brickphys.text import spoken

Answerer = Callable[[Asked], list[BattlePlan]]


def without_fight(state: State) -> State:
    """Return a state without what is pending and without the fight, to judge places alone."""
    return state.replaced({"pending": (), "combat": None, "activation": None})


def by_places(asked: Asked) -> list[BattlePlan]:
    """Answer by the worth of the battle after it."""
    found: list[tuple[float, Action[State]]] = []
    for action in asked.options:
        asked.effort.spend()
        found.append((lead(without_fight(action.apply(asked.state)), asked.player), action))
    first = found[0][0]
    return [asked.plan("", action.text(), worth - first, action) for worth, action in found]


def _facing(asked: Asked) -> list[BattlePlan]:
    """Choose where a unit looks that has rallied or turns: at the enemy, its flanks safe."""
    unit, place = asked.question.unit, without_fight(asked.state)
    marcher = Marcher(place, asked.player, HOLDING, 0.5)
    square, name = place.square_of(unit), asked.state.unit_name(unit)
    now = marcher.score(place, unit, (square, place.units[unit].facing))
    found = []
    for action in asked.options:
        value = marcher.score(place, unit, (square, action.facing))
        found.append(asked.plan(name, action.text(), LOSS * (value - now), action))
    return found


def _aiming(asked: Asked) -> list[BattlePlan]:
    """Turn as little as possible: each direction adds a die to the target (BB 8.4)."""
    name = asked.state.unit_name(asked.question.unit)
    return [
        asked.plan(name, action.text(), -0.01 * n, action) for n, action in enumerate(asked.options)
    ]


def combat_gain(state: State, player: int) -> float:
    """Return what the combat should bring a player from now on, in the logarithm of odds."""
    stakes, law = dice_law.combat_stakes(state), dice_law.combat_law(state)
    attacker, last = state.mover, len(stakes.attackers) - 1
    gain, loss = loss_share(state, 1 - attacker), loss_share(state, attacker)
    total = sum(
        weight
        * (gain * stakes.target[hits.target] - loss * stakes.attackers[min(hits.attackers, last)])
        for hits, weight in law.items()
    )
    mean = total / sum(law.values())
    return LOSS * (mean if player == attacker else -mean)


def _rerolls(asked: Asked) -> list[BattlePlan]:
    """Roll the die again that brings most."""
    state, player = asked.state, asked.player
    now = combat_gain(Enough().apply(state), player)
    found = [asked.plan("", "lets the dice lie", 0.0, Enough())]
    for action in Again.legal(state):
        gain = combat_gain(action.apply(state), player) - now
        found.append(asked.plan("", f"rolls a {action.die.value} again", gain, action))
    return found


def _cards(asked: Asked) -> list[BattlePlan]:
    """Play a card in a combat where it brings more than it is worth in the hand; else none."""
    state, player = asked.state, asked.player
    found = [asked.plan("", HOLDS, 0.0, NoCard())]
    if asked.question.moment is Moment.INITIATIVE:
        return found + list(_initiative(asked))
    if state.combat is None or (not state.fight.ranged and state.fight.lead is None):
        return found
    now = combat_gain(NoCard().apply(state), player)
    for play in Play.legal(state):
        asked.effort.spend()
        after = play.apply(state)
        if isinstance(after.first_pending, PlayCards):
            after = NoCard().apply(after)
        gain = combat_gain(after, player) - now - card_value(play.card)
        found.append(asked.plan("", f"plays {spoken(play.card)}", gain, play))
    return found


_FIRST = 0.06
"""What a point of the die for the initiative is worth where the armies are near, in the logarithm of odds."""
_NEAR = 3
"""Squares up to which they are."""


def _initiative(asked: Asked) -> Iterator[BattlePlan]:
    """Yield cards for the initiative: worth it where both armies are near each other."""
    here, grid = asked.state.occupied, asked.state.setting.grid
    near = here[asked.player]
    for _ in range(_NEAR):
        near = grid.around(near)
    if not near & here[1 - asked.player]:
        return
    for play in Play.legal(asked.state):
        effect = deck()[card_numbers()[play.card]].effect
        if effect is not None and effect.verb is EffectVerb.INITIATIVE:
            gain = _FIRST * effect.amount - card_value(play.card)
            yield asked.plan("", f"plays {spoken(play.card)}", gain, play)


def _commitment(asked: Asked) -> list[BattlePlan]:
    """Pay for the points that attackers lack with the cards that are worth least, if the attack is worth it."""
    state, player, combat = asked.state, asked.player, asked.state.fight
    failed = {one.unit for one in combat.checked}
    stays = tuple(unit for unit in combat.units if unit not in failed)
    found = [asked.plan("", "abstains", 0.0, commitment.Abstain())]
    now = _party_gain(state, player, stays)
    names = state.setting.units
    for count in range(1, len(combat.checked) + 1):
        for some in combinations(combat.checked, count):
            cards = _payment(state, player, sum(one.cost for one in some) - combat.points)
            if cards is None:
                continue
            units = (*stays, *(one.unit for one in some))
            gain = _party_gain(state, player, units) - now - sum(map(card_value, cards))
            actions: list[Action[State]] = [commitment.CommitCard(card) for card in cards]
            if len(some) < len(combat.checked) or not cards:
                actions += [commitment.Spend(names[one.unit].name) for one in some]
            who = ", ".join(state.unit_name(one.unit) for one in some)
            found.append(asked.plan(who, "pays to attack", gain, *actions))
    return found


def _payment(state: State, player: int, need: int) -> tuple[str, ...] | None:
    """Return the cards with enough points that are worth least: none if none are needed; None if all are too few."""
    if need <= 0:
        return ()
    held = [deck()[card] for card in state.hands[player] if deck()[card].commitment]
    paid = [
        tuple(card.name for card in some)
        for count in range(1, len(held) + 1)
        for some in combinations(held, count)
        if sum(card.commitment for card in some) >= need
    ]
    return min(paid, key=lambda cards: sum(map(card_value, cards)), default=None)


def _party_gain(state: State, player: int, units: Sequence[int]) -> float:
    """Return what the attack brings by just these units, committed."""
    if not units:
        return 0.0
    changes = {"units": tuple(units), "checked": (), "stage": Stage.CARDS}
    after = state.replaced({"pending": ()}).change_combat(**changes)
    first = max(attack.leads(after), key=lambda unit: (state.units[unit].ranks, -unit))
    return combat_gain(after.change_combat(lead=first), player)


def _lead(asked: Asked) -> list[BattlePlan]:
    """Choose the lead by the dice."""
    state = asked.state.replaced({"pending": ()}).change_combat(stage=Stage.CARDS)
    found = []
    for action in asked.options:
        number = state.setting.unit_numbers[action.unit]
        found.append((combat_gain(state.change_combat(lead=number), asked.player), action))
    first = found[0][0]
    return [
        asked.plan(spoken(action.unit), "leads the attack", gain - first, action)
        for gain, action in found
    ]


def _retreat(asked: Asked) -> list[BattlePlan]:
    """Stand, or give way: disrupted, but elsewhere (BB 9.4.2)."""
    state, player, target = asked.state, asked.player, asked.state.target
    place, name = without_fight(state), state.unit_name(asked.state.target)
    fight = state.replaced({"pending": ()}).change_combat(stage=Stage.CARDS)
    stands = combat_gain(fight.change_combat(lead=attack.leads(fight)[0]), player)
    base = lead(place, player)
    found = [asked.plan(name, "stands", 0.0, attack.Stand())]
    for action in attack.Retreat.legal(state):
        asked.effort.spend()
        square = state.setting.square_numbers[action.square]
        gone = place.change_unit(target, disrupted=True)
        gone = gone.placed(target, square, state.units[target].facing)
        gain = lead(gone, player) - base - stands
        found.append(asked.plan(name, f"gives way to {action.square}", gain, action))
    return found


def _draw(asked: Asked) -> list[BattlePlan]:
    """Draw wherever it costs nothing."""
    keeps = asked.plan("", HOLDS, 0.0, Keep())
    return [asked.plan("", "draws a card", card_value(None), DrawCard()), keeps]


ANSWERS: Mapping[type[Any], Answerer] = {
    DrawChoice: _draw,
    PlayCards: _cards,
    Facing: _facing,
    attack.Aiming: _aiming,
    attack.RetreatQuestion: _retreat,
    commitment.CommitmentQuestion: _commitment,
    attack.LeadQuestion: _lead,
    Rerolls: _rerolls,
    AdvanceChoice: by_places,
    RecoilChoice: by_places,
    PursuitChoice: by_places,
}
"""What answers each question."""
