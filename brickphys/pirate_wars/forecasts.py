"""Forecasts: the odds of shots that are ordered, whose dice come after all orders are written."""

from collections.abc import Sequence
from fractions import Fraction

from brickphys.odds.law import RollLaw
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.firing import Fire, Shoot, fire, shoot
from brickphys.rules.forecast import Forecast
from brickphys.rules.pending import PendingRoll
from brickphys.rules.words import Action
from brickphys.text import counted


def forecasts(state: State, action: Action[State], brick_law: RollLaw) -> Sequence[Forecast] | None:
    """Return the odds of a shot: of its hits, and that the hull loses a line; None for what is no shot."""
    if isinstance(action, Fire):
        after = fire(state, **action.order(state).given)
    elif isinstance(action, Shoot):
        after = shoot(state, **action.order(state).given)
    else:
        return None
    roll, target = after.first_pending, state.setting.ship_numbers[action.target]
    if not isinstance(roll, PendingRoll):
        return [Forecast(action.text(), action.waste(state), {"wasted": Fraction(1)}, {})]
    event, settled = roll.event(after), after.pop_pending()
    outcomes, holed = dict[str, Fraction](), Fraction(0)
    for outcome, chance in event.law(brick_law).items():
        hits, *_ = map(int, outcome)  # type: ignore[arg-type]
        words = counted(hits, "hit")
        outcomes[words] = outcomes.get(words, Fraction(0)) + chance
        if roll.settle(settled, outcome).ships[target].hull < state.ships[target].hull:
            holed += chance
    losses = {f"HF of {action.target}": holed} if holed else {}
    return [Forecast(action.text(), event.question, outcomes, losses)]
