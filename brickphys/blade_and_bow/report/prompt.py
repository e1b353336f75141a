"""Prompt: what a player whose impulse it is is asked for, and hints on typing actions."""

from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State
from brickphys.text import counted

HINTS = (
    "form LEADER ORDER begins a formation (move, shoot, melee, rally): include UNIT one by one, or all; then ready",
    "single UNIT ORDER activates one unit; relocate LEADER, discard CARD, purchase and pass are actions too",
    "move: take UNIT, then go SQUARE FACING such as go E5 n; hurry disrupts a unit first, so that it is faster",
    "missiles: aim TARGET, with UNIT for each shooter, then loose; melee: attack TARGET, with UNIT, then charge",
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
        return f"{counted(state.actions, 'action')} left in this impulse: your next one"
    if not activation.closed:
        joined = counted(len(activation.units), "unit")
        return f"a formation to {activation.order.value}, {joined} so far: include more, or ready"
    if state.combat is not None:
        with_it = ", ".join(state.unit_name(unit) for unit in state.combat.units)
        return f"attack with {with_it or 'whom'}: add units, or begin"
    if activation.active is not None:
        return f"{state.unit_name(activation.active)} moves"
    left = counted(len(activation.waiting), "unit")
    return f"{left} of the formation left to {activation.order.value}: {_CHOICES[activation.order]}"
