"""Plans: what bots do with a ship in a turn: its course, how it falls off, and the orders of its crew."""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from brickphys.odds.law import RollLaw
from brickphys.pirate_wars.helm.courses import Outlook, courses
from brickphys.pirate_wars.helm.purposes import purpose
from brickphys.pirate_wars.helm.replies import reply
from brickphys.pirate_wars.helm.stations import Deed, deeds, swims
from brickphys.pirate_wars.sailing import (
    ChooseShip,
    FallOff,
    begin_move,
    due_ships,
)
from brickphys.pirate_wars.state import Phase, State
from brickphys.pirate_wars.tasks import Done
from brickphys.rules.plans import HOLDS, Effort, Plan
from brickphys.rules.words import Action

ShipPlan = Plan[Action[State]]
_MOST_PLANS = 8


class PirateThinker:
    """Finds the plans of a battle; see `brickphys.rules.plans.Thinker`."""

    def __init__(self, law: RollLaw) -> None:
        self._law = law

    def is_open(self, state: State) -> bool:
        """Whether a ship is about to move or to fall off, orders are to be written, or a question is asked."""
        if state.pending:
            return reply(state) is not None
        if state.winners is not None or state.turn >= len(state.order):
            return False
        return state.phase in (Phase.MOVEMENT, Phase.FALLING_OFF, Phase.TASKS)

    def plans(self, state: State, effort: Effort) -> Sequence[ShipPlan]:
        """Return the plans of the player whose turn it is, the best first."""
        if state.pending:
            answer = reply(state)
            return [] if answer is None else [Plan("", "", (answer,), 0.0)]
        if state.phase is Phase.TASKS:
            return _task_plans(state)
        if state.phase is Phase.FALLING_OFF:
            return _fall_plans(state, effort)
        if state.active is not None:
            return _course_plans(state, state, state.active, (), effort)
        found = [
            plan
            for ship in due_ships(state)
            for plan in _course_plans(
                state, begin_move(state, ship), ship, (ChooseShip(state.ship_name(ship)),), effort
            )
        ]
        return sorted(found, key=lambda plan: -plan.worth)


def _course_plans(
    chosen: State, state: State, ship: int, before: tuple[Action[State], ...], effort: Effort
) -> list[ShipPlan]:
    """Return the courses of a ship, given the states before and after its first leap, and the actions between."""
    if state.active != ship:
        why = _told(HOLDS, purpose(Outlook(chosen, ship), chosen, state, state))
        return [Plan(state.called(ship), why, before, 0.0)]
    found = courses(state, ship, effort)
    look = Outlook(state, ship, depth=effort.level.depth)
    values = look.values([course.end for course in found])
    best = list(_best(look, [course.end for course in found], values, effort))
    held_end = found[0].end
    held = values[0] - look.losses(held_end)
    plans = [
        Plan(
            state.called(ship),
            purpose(look, state, held_end, found[index].end) or "sails on",
            (*before, *found[index].swings),
            value - held,
        )
        for value, index in best
        if index
    ]
    why = _told(HOLDS, purpose(look, state, held_end, held_end))
    plans.append(Plan(state.called(ship), why, (*before, *found[0].swings), 0.0))
    return sorted(plans, key=lambda plan: -plan.worth)


def _best(
    look: Outlook, ends: Sequence[State], values: Sequence[float], effort: Effort
) -> Iterator[tuple[float, int]]:
    """Yield the best ends with their worth: what takes long is worked out only for those that may be among them."""
    queue = [(-value, index, False) for index, value in enumerate(values)]
    heapify(queue)
    for number in range(_MOST_PLANS):
        if number and effort.is_over:
            return
        while queue:
            value, index, is_known = heappop(queue)
            if is_known:
                yield -value, index
                break
            effort.spend()
            heappush(queue, (value + look.losses(ends[index]), index, True))


def _fall_plans(state: State, effort: Effort) -> list[ShipPlan]:
    """Return how the ship whose turn it is may fall off."""
    ship = state.active
    assert ship is not None
    falls = sorted(FallOff.legal(state), key=lambda fall: abs(fall.angle_deg))
    ends = [fall.apply(state) for fall in falls]
    effort.spend(len(ends))
    look = Outlook(state, ship, depth=effort.level.depth)
    values = look.values(ends)
    held = values[0] - look.losses(ends[0])
    why = _told(HOLDS, purpose(look, ends[0], ends[0], ends[0]))
    plans: list[ShipPlan] = [Plan(state.called(ship), why, (falls[0],), 0.0)]
    for value, index in _best(look, ends, values, effort):
        if index:
            why = _told("falls off", purpose(look, ends[0], ends[0], ends[index]))
            plans.append(Plan(state.called(ship), why, (falls[index],), value - held))
    return sorted(plans, key=lambda plan: -plan.worth)


def _told(what: str, why: str) -> str:
    """Return what a ship does, and what comes of it, if there is anything to tell."""
    return f"{what}, {why}" if why else what


def _task_plans(state: State) -> list[ShipPlan]:
    """Return the orders that a player may write: of one ship after the other, then no more."""
    ordered = {order.ship for order in state.orders}
    plans = list[ShipPlan]()
    for ship, now in state.afloat:
        if now.owner == state.player and ship not in ordered:
            plans += (_deed_plan(state.called(ship), deed) for deed in deeds(state, ship)[:3])
    plans += (_deed_plan("", deed) for deed in swims(state))
    plans.sort(key=lambda plan: -plan.worth)
    return [*plans, Plan("", HOLDS, (Done(),), 0.0)]


def _deed_plan(unit: str, deed: Deed) -> ShipPlan:
    return Plan(unit, deed.purpose, deed.orders, deed.worth)
