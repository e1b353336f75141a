"""Forecasts: the odds of attacks and volleys, from their declaration to the last re-roll.

A player who does not know ranks gets the mean over the possible ranks. The attacker's own cards count for their points
of commitment; effects of cards to come are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from brickphys.blade_and_bow.combat.commitment import (
    Abstain,
    CommitCard,
    commitment_dice,
    commitment_least,
)
from brickphys.blade_and_bow.combat.damage import damage
from brickphys.blade_and_bow.combat.lead import leads
from brickphys.blade_and_bow.combat.retreat import Retreat
from brickphys.blade_and_bow.command.playing import Play
from brickphys.blade_and_bow.command.rally import Face
from brickphys.blade_and_bow.command.words import Decline
from brickphys.blade_and_bow.odds.chain import combat_law, stand
from brickphys.blade_and_bow.odds.commit import lacking
from brickphys.blade_and_bow.sheets.cards import card_numbers, deck
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import Phase, State
from brickphys.blade_and_bow.turns.initiative import InitiativeRoll, holder_by
from brickphys.rules.forecast import Forecast
from brickphys.rules.pending import Question
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken

_OVER = (Stage.PARTY, Stage.HITS)


def forecasts(state: State, action: Action[State]) -> Sequence[Forecast] | None:
    """Return the odds of the combat that an action begins or goes on with, or of the initiative; None if of neither."""
    after = action.apply(state)
    if state.phase is Phase.INITIATIVE and isinstance(action, Decline | Play):
        return [_initiative(after, action.text())]
    combat = after.combat
    if combat is None or not combat.units or combat.stage in _OVER or isinstance(action, Retreat):
        return None
    if combat is state.combat and not isinstance(action, Decline | Play | Face):
        return None
    asked = state.first_pending
    player = asked.player(state) if isinstance(asked, Question) else state.mover
    text = action.text()
    if isinstance(action, CommitCard):  # equal cards have equal odds
        text = f"commit a card of {deck()[card_numbers()[action.card]].commitment}"
    is_last = isinstance(action, Abstain) or player != state.mover
    cards = 0 if is_last else sum(deck()[card].commitment for card in after.hands[player])
    points = 0 if isinstance(action, Abstain) else combat.points
    return [_forecast(after, text, points, cards, player)]


def _lacking(state: State, unit: int) -> Mapping[int, Fraction]:
    """Return the law of the points that an attacker of the combat lacks (BB 9.4.3)."""
    for one in state.fight.checked:
        if one.unit == unit:
            return {one.cost: Fraction(1)}
    dice = 0 if state.leader_of(unit) is not None else commitment_dice(state, unit)
    return dict(lacking(dice, commitment_least(state, unit)).items())


def _parties(state: State, points: int) -> Mapping[tuple[int, ...], Fraction]:
    """Return each set of attackers that may overcome their fear -> probability.

    Points go to those who lack some, the first attacker first.
    """
    sets: dict[tuple[tuple[int, ...], int], Fraction] = {((), points): Fraction(1)}
    for unit in state.fight.units:
        law, before = _lacking(state, unit), sets
        sets = {}
        for (units, left), share in before.items():
            for lack, chance in law.items():
                key = ((*units, unit), left - lack) if lack <= left else (units, left)
                sets[key] = sets.get(key, Fraction(0)) + share * chance
    found: dict[tuple[int, ...], Fraction] = {}
    for (units, _), share in sets.items():
        found[units] = found.get(units, Fraction(0)) + share
    return found


def _forecast(state: State, text: str, points: int, cards: int, player: int) -> Forecast:
    """Return the hits of a combat in words, and how likely its target loses ranks.

    Parameters
    ----------
    points, cards
        Points of commitment that are there, and those of cards that the attacker has, as far as the player knows.
    player
        Who asks.
    """
    combat, setting = state.fight, state.setting
    found, hit, lost = dict[str, Fraction](), Fraction(0), Fraction(0)
    is_sure = combat.ranged or combat.lead is not None
    parties = {combat.units: Fraction(1)} if is_sure else _parties(state, points + cards)
    for units, share in parties.items():
        if not units:
            found["no unit attacks"] = share
            continue
        party = state if is_sure else state.change_combat(units=units)
        law = combat_law(party if is_sure else party.change_combat(lead=leads(party)[0]))
        total = sum(law.values())
        for hits, weight in law.items():
            chance = share * Fraction(weight, total)
            words = f"{counted(hits.target, 'hit')}, {hits.attackers} on the attackers"
            found[words] = found.get(words, Fraction(0)) + chance
            hit += chance * (hits.target > 0)
            lost += chance * _loses_ranks(state, combat.target, hits.target)
    name = "camp" if combat.target is None else state.unit_name(combat.target)
    notes = [f"{'a volley at' if combat.ranged else 'a melee with'} {name}"]
    notes += [] if is_sure else _commitment(state, points, cards)
    if _is_guessed(state, player):
        notes.append("by a guess of the hidden ranks")
    enemy = setting.players[1 - state.player_of(combat.units[0])]
    losses = {f"losses to the rout of {enemy}": lost} if lost else {}
    outcomes = dict(sorted(found.items(), key=lambda each: -each[1]))
    strikes = {"hit": hit, **({"ranks lost": lost} if lost else {})}
    return Forecast(text, ", ".join(notes), outcomes, losses, strikes)


def _initiative(state: State, text: str) -> Forecast:
    """Return who holds the initiative, by the cards that are played so far."""
    players, faces = state.setting.players, range(1, InitiativeRoll.sides + 1)
    rolls = list(product(faces, repeat=len(players)))
    held = Counter(holder_by(state, roll) for roll in rolls)
    shares = {
        f"{agreed(spoken(name), 'hold')} the initiative": Fraction(held[player], len(rolls))
        for player, name in enumerate(players)
    }
    return Forecast(text, "dice for the initiative, with the cards played so far", shares, {})


def _commitment(state: State, points: int, cards: int) -> Iterator[str]:
    """Yield the points with which attackers overcome their fear, and those that are lacking even so."""
    if not any(max(_lacking(state, unit)) for unit in state.fight.units):
        return
    if points:
        yield f"with {counted(points, 'point')} there"
    if cards:
        yield f"with up to {counted(cards, 'point')} of cards"
    for one in state.fight.checked:
        if (lacks := one.cost - points - cards) > 0:
            yield f"{state.unit_name(one.unit)} still lacks {counted(lacks, 'point')}"


def _is_guessed(state: State, player: int) -> bool:
    """Whether a player does not know the ranks of an enemy in the combat."""
    fighters = (*state.fight.units, *state.fight.defenders)
    hidden = set(state.setting.chosen_ranks).intersection(fighters)
    return any(state.player_of(one) != player and not state.units[one].seen for one in hidden)


def _loses_ranks(state: State, target: int | None, hits: int) -> bool:
    """Whether hits take ranks of a unit."""
    if target is None:
        return False
    standing = stand(state, target)
    left = max(hits - standing.spared, 0)
    values = standing.density, standing.disrupted, standing.ranks
    return damage(*values, left, state.fight.ranged).ranks > 0
