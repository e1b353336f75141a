"""Forecasts: the odds of shots and boardings that are ordered, whose dice come after all orders are written."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from brickphys.odds.law import RollLaw
from brickphys.pirate_wars.damage.casualties import fighters
from brickphys.pirate_wars.report.status_text import order_text
from brickphys.pirate_wars.state.crew import Order, Task
from brickphys.pirate_wars.state.state import Boarding, State
from brickphys.pirate_wars.tasks.boarding import losses, strength
from brickphys.pirate_wars.tasks.contact_orders import BoardingOrder, board
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
from brickphys.text import counted, spoken

_SHOTS: Mapping[Task, Callable[..., State]] = {Task.FIRE: fire, Task.SHOOT: shoot}
_WASTES: Mapping[Task, Callable[..., str]] = {Task.FIRE: shot_waste, Task.SHOOT: musket_waste}


def forecasts(state: State, action: Action[State], brick_law: RollLaw) -> Sequence[Forecast] | None:
    """Return the odds of a shot or a boarding, or of all that follow the player's orders; None where there is none.

    Each is of the ships as they are now: of a shot its hits, and that the hull loses a line; of a boarding its round.
    """
    if isinstance(action, Fire | Shoot):
        return [_shot(state, action.order(state), action.text(), brick_law)]
    if isinstance(action, BoardingOrder):
        order = action.order(state)
        boarding = Boarding(order.ship, order.given["target"])
        return [_round(state, boarding, action.text())]
    if not isinstance(action, Done):
        return None
    orders = [order for order in state.orders if state.writer(order) == state.player]
    shots = (
        _shot(state, order, f"{action.text()}: {order_text(state, order)}", brick_law)
        for order in orders
        if order.task in _SHOTS
    )
    return [*shots, *_rounds(state, orders, action.text())] or None


def _rounds(state: State, orders: Iterable[Order], text: str) -> Iterator[Forecast]:
    """Yield the odds of each boarding of the player: those that go on, and those that are ordered."""
    after, names = state, [spec.name for spec in state.setting.ships]
    for order in orders:
        if order.task is Task.BOARD:
            after = board(after, **order.given)
    for one in after.boardings:
        if state.player in (state.ships[ship].owner for ship in one.ships):
            words = BoardingOrder(*(names[ship] for ship in one.ships)).text()
            yield _round(state, one, f"{text}: {words}")


def _round(state: State, boarding: Boarding, text: str) -> Forecast:
    """Return who wins a round of boarding, or who is destroyed by it (PW Boarding)."""
    names = [spoken(state.setting.ships[ship].name) for ship in boarding.ships]
    crews = [len(fighters(state, ship)) for ship in boarding.ships]
    if not all(crews):
        why = f"{names[crews.index(0)]} has no crew"
        return Forecast(text, why, {"taken without dice": Fraction(1)}, {})
    sums = strength(state, boarding.attacker), strength(state, boarding.defender)
    table = [losses(faces, sums) for faces in product(range(1, 7), range(1, 7))]
    found = Counter(_result(lost, crews, names) for lost in table)
    sides = ", ".join(
        f"{name} with {crew} loses {min(column)} to {max(column)}"
        for name, crew, column in zip(names, crews, zip(*table, strict=True), strict=True)
    )
    what = f"a round of boarding, {sums[0]} against {sums[1]}, {sides}"
    outcomes = {words: Fraction(n, len(table)) for words, n in found.items()}
    won = sum(_has_won(lost, crews) for lost in table)
    return Forecast(text, what, outcomes, {}, {"win": Fraction(won, len(table))})


def _has_won(lost: tuple[int, int], crews: Sequence[int]) -> bool:
    """Whether the attacker has won a round: it is left, and the defender is destroyed or has lost more."""
    return lost[0] < crews[0] and (lost[1] >= crews[1] or lost[0] < lost[1])


def _result(lost: tuple[int, int], crews: Sequence[int], names: Sequence[str]) -> str:
    """Return what comes of a round in which the attacker and the defender lose so many."""
    gone = [name for name, n, crew in zip(names, lost, crews, strict=True) if n >= crew]
    if gone:
        return f"{' and '.join(gone)} destroyed"
    return "equal" if lost[0] == lost[1] else f"{names[lost[0] > lost[1]]} wins"


def _shot(state: State, order: Order, text: str, brick_law: RollLaw) -> Forecast:
    after = _SHOTS[order.task](state, **order.given)
    roll, target = after.first_pending, order.given["target"]
    if not isinstance(roll, GunRoll | MusketRoll) or roll.lapses(after):
        why = _WASTES[order.task](state, **order.given)
        return Forecast(text, why, {"wasted": Fraction(1)}, {})
    event, settled = roll.event(after), after.pop_pending()
    outcomes, holed, hit, sunk = dict[str, Fraction](), Fraction(0), Fraction(0), Fraction(0)
    for outcome, chance in event.law(brick_law).items():
        hits, *_ = map(int, outcome)  # type: ignore[arg-type]
        words = counted(hits, "hit")
        outcomes[words] = outcomes.get(words, Fraction(0)) + chance
        hull = roll.settle(settled, outcome).ships[target].hull
        holed += chance * (hull < state.ships[target].hull)
        hit += chance * (hits > 0)
        sunk += chance * (hull <= 0)
    dice = counted(event.dice, "die", "dice")
    losses = {f"HF of {state.setting.ships[target].name}": holed} if holed else {}
    strikes = {"hit": hit, **({"sink": sunk} if sunk else {})}
    what = f"{dice}, {hits_text(dict(event.classes)['hits'])}"
    return Forecast(text, what, outcomes, losses, strikes)
