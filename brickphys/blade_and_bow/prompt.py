"""Prompt: what a player whose impulse it is is asked for, hints on typing actions, and the odds of attacks and volleys.

The odds are those from the declaration to the last re-roll. A player who does not know ranks gets the mean over the
possible ranks. The attacker's own cards count for their points of commitment; effects of cards to come are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from brickphys.blade_and_bow.combat import commitment
from brickphys.blade_and_bow.combat.attack import AttackUnit, Retreat, declared, leads
from brickphys.blade_and_bow.combat.dice import pools
from brickphys.blade_and_bow.combat.hits import damage
from brickphys.blade_and_bow.combat.targets import target_name, targets
from brickphys.blade_and_bow.command.actions import Decline
from brickphys.blade_and_bow.command.cards import Play
from brickphys.blade_and_bow.command.morale import TurnUnit
from brickphys.blade_and_bow.deck import Moment, card_numbers, deck
from brickphys.blade_and_bow.dice_law import chances, combat_law, stand
from brickphys.blade_and_bow.odds import lacking
from brickphys.blade_and_bow.pieces import FormationOrder, Stage
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.turns import InitiativeRoll, holder_by
from brickphys.odds.distribution import summed
from brickphys.rules.record import Forecast
from brickphys.rules.turn_state import Question
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken

HINTS = (
    "an impulse is what an army does until the other one is on its turn: a card gives it actions, and each action "
    "activates a single unit, or a formation: units near each other that obey one order of a leader (BB 3.5, 5.4)",
    "ranks before the battle: type a number for each unit in turn; several fit on a line: 1; 2; 0; each gives the unit "
    "a die more in melee, and the enemy does not see them",
    "form LEADER ORDER begins a formation to move, shoot, melee or rally: include UNIT one by one, or all; then ready",
    "single UNIT ORDER activates one unit; relocate LEADER, discard CARD, purchase and pass are actions too",
    "move: take UNIT, then go SQUARE FACING such as go E5 n, or stay; go E5 n via D6 D5 names the way; hurry makes a "
    "unit faster, but disrupts it first; dense units may reverse, where they stand or reverse_at E5 n (BB 7)",
    "missiles: aim TARGET, with UNIT for each shooter, then loose; melee: attack TARGET, with UNIT, then charge; the "
    "odds of a target are those of all who can attack it together, odds attack TARGET; with UNIT; charge those of one",
    "cards: play CARD UNIT (or army) for its effect, or no_card; commit CARD for its points, spend UNIT to "
    "give a unit the points that it lacks, abstain to spend no more",
    "dice: again hit, again blank or again cancel re-rolls one die, enough keeps all; before a melee: "
    "retreat SQUARE, or stand",
    "rows are counted from the top, columns from A; facings are e, ne, n, nw, w, sw, s, se (BB 3.1)",
)
_CHOICES = {
    FormationOrder.MOVE: "take a unit, or done",
    FormationOrder.SHOOT: "aim at an enemy, or done",
    FormationOrder.MELEE: "attack an enemy, or done",
    FormationOrder.RALLY: "done",
}


def turn_prompt(state: State) -> str:
    """Return what an impulse asks for, where no question is pending."""
    activation = state.activation
    if activation is None:
        left = counted(state.actions, "action")
        return f"{left} left in this impulse"
    if not activation.closed:
        joined = counted(len(activation.units), "unit")
        return f"a formation to {activation.order.value}, {joined} so far: include more units, or ready"
    if state.combat is not None:
        with_it = _names(state, state.combat.units)
        return f"attack with {with_it or 'whom'}: add units, or begin"
    if activation.active is not None:
        return f"{state.unit_name(activation.active)} moves"
    left = counted(len(activation.waiting), "unit")
    return f"{left} of the formation left to {activation.order.value}: {_CHOICES[activation.order]}"


def cards_prompt(state: State, moment: Moment) -> str:
    """Return what a player is asked who may play cards: what they are for, and the dice without them."""
    return f"{spoken(moment.value)}: {_occasion(state, moment)}; play a card?"


def _occasion(state: State, moment: Moment) -> str:
    """Return what comes after the cards of a moment."""
    if moment is Moment.INITIATIVE:
        return "both armies roll a die; the lower roll wins"
    if moment is Moment.IMPULSE:
        return f"{_names(state, state.activated.units)} try to rally"
    combat = state.fight
    does = f"{'shoot' if combat.ranged else 'attack'}{'s' * (len(combat.units) == 1)}"
    does += " at" * combat.ranged
    attack, defence = pools(state)
    whom = spoken(target_name(state, combat.target))
    dice = f"{counted(attack.dice, 'die', 'dice')} against {defence.dice}"
    return f"{_names(state, combat.units)} {does} {whom}, {dice}"


def _names(state: State, units: Sequence[int]) -> str:
    return ", ".join(map(state.unit_name, units))


def together(state: State, action: Action[State]) -> str:
    """Return how many units can attack a target together, for an action that names it; empty if only one can."""
    if not isinstance(action, AttackUnit):
        return ""
    count = len(targets(state)[state.setting.unit_numbers.get(action.target)])
    return f"{count} units together" if count > 1 else ""


def forecasts(state: State, action: Action[State]) -> Sequence[Forecast] | None:
    """Return the odds of the combat that an action begins or goes on with, or of the initiative; None if of neither.

    Who only names a target attacks with all who can; who names an attacker, with those who are named so far.
    """
    after = action.apply(state)
    if state.phase is Phase.INITIATIVE and isinstance(action, Decline | Play):
        return [_initiative(after, action.text())]
    combat = after.combat
    if combat is None or combat.stage is Stage.HITS or isinstance(action, Retreat):
        return None
    if combat is state.combat and not isinstance(action, Decline | Play | TurnUnit):
        return None
    if combat.stage is Stage.PARTY:
        after = declared(after.change_combat(units=combat.units or targets(after)[combat.target]))
    asked = state.first_pending
    player = asked.player(state) if isinstance(asked, Question) else state.mover
    text = action.text()
    if isinstance(action, commitment.CommitCard):  # equal cards have equal odds
        text = f"commit a card of {deck()[card_numbers()[action.card]].commitment}"
    is_last = isinstance(action, commitment.Abstain) or player != state.mover
    cards = 0 if is_last else sum(deck()[card].commitment for card in after.hands[player])
    points = 0 if isinstance(action, commitment.Abstain) else combat.points
    return [_forecast(after, text, points, cards, player)]


def _lacking(state: State, unit: int) -> Mapping[int, Fraction]:
    """Return the law of the points that an attacker of the combat lacks (BB 9.4.3)."""
    for one in state.fight.checked:
        if one.unit == unit:
            return {one.cost: Fraction(1)}
    dice = 0 if state.leader_of(unit) is not None else commitment.commitment_dice(state, unit)
    return dict(lacking(dice, commitment.commitment_least(state, unit)).items())


def _parties(state: State, points: int) -> Mapping[tuple[int, ...], Fraction]:
    """Return each set of attackers that may overcome their fear -> probability.

    Points go to those who lack some, the first attacker first.
    """
    sets: dict[tuple[tuple[int, ...], int], Fraction] = {((), points): Fraction(1)}
    for unit in state.fight.units:
        law = _lacking(state, unit)
        sets = summed(
            (((*units, unit), left - lack) if lack <= left else (units, left), share * chance)
            for (units, left), share in sets.items()
            for lack, chance in law.items()
        )
    return summed((units, share) for (units, _), share in sets.items())


def _forecast(state: State, text: str, points: int, cards: int, player: int) -> Forecast:
    """Return the hits of a combat in words, and how likely its target loses ranks, for the player who asks.

    Points of commitment are there, and those of cards the attacker has, as far as the player knows.
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
        for hits, part in chances(law):
            chance = share * part
            words = f"{counted(hits.target, 'hit')}, {hits.attackers} on the attackers"
            found[words] = found.get(words, Fraction(0)) + chance
            hit += chance * (hits.target > 0)
            lost += chance * _loses_ranks(state, combat.target, hits.target)
    name = "camp" if combat.target is None else state.unit_name(combat.target)
    by = f" by {_names(state, combat.units)}" if len(combat.units) > 1 else ""
    notes = [f"{'a volley at' if combat.ranged else 'a melee with'} {name}{by}"]
    notes += [] if is_sure else _commitment(state, points, cards)
    if _is_guessed(state, player):
        notes.append("by a guess of the hidden ranks")
    enemy = setting.players[1 - state.player_of(combat.units[0])]
    losses = {f"losses to the rout of {enemy}": lost} if lost else {}
    outcomes = dict(sorted(found.items(), key=lambda each: -each[1]))
    is_defence = player != state.player_of(combat.units[0])
    they_hit = f"{_names(state, combat.units)} hit{'s' * (len(combat.units) == 1)} {name}"
    word = they_hit if is_defence else "hit"
    strikes = {word: hit, **({"ranks lost": lost} if lost else {})}
    return Forecast(text, ", ".join(notes), outcomes, losses, strikes, is_defence=is_defence)


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
