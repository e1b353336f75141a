"""Forecasts: the odds of shots that are ordered, whose dice come after all orders are written."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from brickphys.odds.law import RollLaw
from brickphys.pirate_wars.report.status_text import order_text
from brickphys.pirate_wars.state.crew import Order, Task
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.firing import (
    Fire,
    GunRoll,
    MusketRoll,
    Shoot,
    fire,
    hits_text,
    musket_waste,
    shoot,
    shot_waste,
)
from brickphys.pirate_wars.tasks.resolve import Done
from brickphys.rules.forecast import Forecast
from brickphys.rules.words import Action
from brickphys.text import counted

_SHOTS: Mapping[Task, Callable[..., State]] = {Task.FIRE: fire, Task.SHOOT: shoot}
_WASTES: Mapping[Task, Callable[..., str]] = {Task.FIRE: shot_waste, Task.SHOOT: musket_waste}


def forecasts(state: State, action: Action[State], brick_law: RollLaw) -> Sequence[Forecast] | None:
    """Return the odds of a shot, or of each that the player has ordered; None where there is no shot.

    Each is a shot at the ship as it is now: its hits, and that the hull loses a line.
    """
    if isinstance(action, Fire | Shoot):
        return [_forecast(state, action.order(state), action.text(), brick_law)]
    if not isinstance(action, Done):
        return None
    return [
        _forecast(state, order, f"{action.text()}: {order_text(state, order)}", brick_law)
        for order in state.orders
        if order.task in _SHOTS and state.writer(order) == state.player
    ] or None


def _forecast(state: State, order: Order, text: str, brick_law: RollLaw) -> Forecast:
    after = _SHOTS[order.task](state, **order.given)
    roll, target = after.first_pending, order.given["target"]
    if not isinstance(roll, GunRoll | MusketRoll) or roll.lapses(after):
        why = _WASTES[order.task](state, **order.given)
        return Forecast(text, why, {"wasted": Fraction(1)}, {})
    event, settled = roll.event(after), after.pop_pending()
    outcomes, holed = dict[str, Fraction](), Fraction(0)
    for outcome, chance in event.law(brick_law).items():
        hits, *_ = map(int, outcome)  # type: ignore[arg-type]
        words = counted(hits, "hit")
        outcomes[words] = outcomes.get(words, Fraction(0)) + chance
        if roll.settle(settled, outcome).ships[target].hull < state.ships[target].hull:
            holed += chance
    dice = counted(event.dice, "die", "dice")
    losses = {f"HF of {state.setting.ships[target].name}": holed} if holed else {}
    return Forecast(text, f"{dice}, {hits_text(dict(event.classes)['hits'])}", outcomes, losses)
