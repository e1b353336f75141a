"""Prompt: what a player whose impulse it is is asked for, and hints on typing actions."""

from collections.abc import Sequence

from brickphys.blade_and_bow.combat.party import target_name
from brickphys.blade_and_bow.combat.rolling import pools
from brickphys.blade_and_bow.sheets.cards import Moment
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State
from brickphys.text import counted, spoken

HINTS = (
    "an impulse is what an army does until the other one is on its turn: a card gives it actions, and each action "
    "activates a single unit, or a formation: units near each other that obey one order of a leader (BB 3.5, 5.4)",
    "ranks before the battle: type a number for each unit in turn; several fit on a line: 1; 2; 0; each gives the unit "
    "a die more in melee, and the enemy does not see them",
    "form LEADER ORDER begins a formation to move, shoot, melee or rally: include UNIT one by one, or all; then ready",
    "single UNIT ORDER activates one unit; relocate LEADER, discard CARD, purchase and pass are actions too",
    "move: take UNIT, then go SQUARE FACING such as go E5 n, or stay; go E5 n via D6 D5 names the way; hurry makes a "
    "unit faster, but disrupts it first; dense units may reverse, where they stand or reverse_at E5 n (BB 7)",
    "missiles: aim TARGET, with UNIT for each shooter, then loose; melee: attack TARGET, with UNIT, then charge",
    "cards: play CARD UNIT (or army) for its effect, or no_card; commit CARD for its points, spend UNIT to "
    "give a unit the points that it lacks, abstain to spend no more",
    "dice: again hit, again blank or again cancel re-rolls one die, enough keeps all; before a melee: "
    "retreat SQUARE, or stand",
    "rows are counted from the top, columns from A; facings are e, ne, n, nw, w, sw, s, se (BB 3.1)",
)
_CHOICES = {
    Order.MOVE: "take a unit, or done",
    Order.SHOOT: "aim at an enemy, or done",
    Order.MELEE: "attack an enemy, or done",
    Order.RALLY: "done",
}


def turn_prompt(state: State) -> str:
    """Return what an impulse asks for, where no question is pending."""
    activation = state.activation
    if activation is None:
        left = counted(state.actions, "action")
        choices = "form several units under a leader, take a single one, relocate a leader, or change cards"
        return f"{left} left in this impulse: {choices}"
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
