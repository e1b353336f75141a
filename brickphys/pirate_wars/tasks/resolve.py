"""Resolve: carries out orders one by one, then reloading, sailing and setting sails (PW Tasks)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from brickphys.pirate_wars.damage.casualties import fighters
from brickphys.pirate_wars.damage.hits import lose_sails
from brickphys.pirate_wars.sheets.charts import tasks_chart
from brickphys.pirate_wars.state.crew import SAILING_PLACES, Task
from brickphys.pirate_wars.state.setting import ShipNumber
from brickphys.pirate_wars.state.ship import LOADED
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.boarding import BoardingResult, BoardingRoll
from brickphys.pirate_wars.tasks.contact_orders import BoardingOrder, Scuttle, board, scuttle
from brickphys.pirate_wars.tasks.firing import Fire, Shoot, fire, shoot
from brickphys.pirate_wars.tasks.moving import Haul, Jump, Move, Swim, haul, jump, move, swim
from brickphys.pirate_wars.tasks.orders import free
from brickphys.rules.pending import FollowUp
from brickphys.rules.words import ActionTypes, Unconditional


def carry_out(state: State) -> State:
    """Return the state in which all orders that are written are being carried out, in the order of writing.

    What can no longer be done lapses. A ship is scuttled only at the end of the phase (PW Firing).
    """
    return state.push_pending(CarryOut())


def end_of_tasks(state: State) -> State:
    """Return the state in which the phase is being ended: boardings, scuttling, reloading and sailing.

    A ship that was rammed and is not boarded is lashed no longer; one without a crew is taken without dice (ours).
    Crews that were lashed to another ship do nothing else in this turn.
    """
    engaged = frozenset(ship for pair in state.lashed for ship in pair)
    pairs = [set(one.ships) for one in state.boardings]
    lashed = tuple(pair for pair in state.lashed if set(pair) in pairs)
    rounds = (
        BoardingRoll(one.attacker, one.defender)
        if fighters(state, one.attacker) and fighters(state, one.defender)
        else BoardingResult(one.attacker, one.defender, None)
        for one in state.boardings
    )
    return state.replaced({"lashed": lashed}).push_pending(*rounds, EndOfTasks(engaged))


@dataclass(frozen=True, slots=True)
class CarryOut(FollowUp[State]):
    """The next order is carried out."""

    def happen(self, state: State) -> State:
        """Carry out the first order that is not for the end of the phase, and go on with the next."""
        found = next((order for order in state.orders if order.task is not Task.SCUTTLE), None)
        if found is None:
            return state
        left = list(state.orders)
        left.remove(found)
        state = state.replaced({"orders": tuple(left)}).push_pending(self)
        if found.task not in (Task.BOARD, Task.SWIM) and state.is_lashed(found.ship):
            return state
        state = _DEEDS[found.task](state, **found.given)
        busy = state.busy if found.minifig is None else state.busy | {found.minifig}
        return state.replaced({"busy": busy})


_DEEDS: Mapping[Task, Callable[..., State]] = {
    Task.FIRE: fire,
    Task.SHOOT: shoot,
    Task.MOVE: move,
    Task.HAUL: haul,
    Task.SWIM: swim,
    Task.JUMP: jump,
    Task.BOARD: board,
    Task.SCUTTLE: scuttle,
}


@dataclass(frozen=True, slots=True)
class EndOfTasks(FollowUp[State]):
    """Guns and weapons are reloaded, sails set or lost, and ships scuttled.

    The crews of the ships `engaged`, which were lashed to another one before the boardings of this turn, do none of the
    usual tasks, and they lose no sails (ours).
    """

    engaged: frozenset[ShipNumber]

    def happen(self, state: State) -> State:
        """End the phase."""
        orders = state.orders
        for ship, ship_state in state.afloat():
            if ship_state.hull and ship not in self.engaged:
                state = usual_tasks(state, ship)
        state = state.replaced({"orders": (), "busy": frozenset()})
        for order in orders:
            state = _DEEDS[order.task](state, **order.given)
        return state


def usual_tasks(state: State, ship: int) -> State:
    """Return the state after those of a crew who had no order have reloaded, or else sailed (PW Reloading)."""
    hands, specs = sailing_hands(state, ship), state.setting.minifigs
    guns = enumerate(state.ships[ship].guns)
    to_load = {number for number, gun in guns if gun.loads < LOADED and not gun.is_lost}
    for number in free(state, state.crews[ship]):
        sheet, now = specs[number].sheet, state.minifigs[number]
        if now.gun in to_load and sheet.reloads_cannons:
            loads = state.ships[ship].guns[now.gun].loads + 1
            state = state.change_gun(ship, now.gun, loads=min(loads, LOADED))
        elif not now.is_loaded:
            state = state.change_minifig(number, is_loaded=True)
    return _sail(state, ship, hands)


def sailing_hands(state: State, ship: int) -> int:
    """Return how many of a crew sail: who has no order, no weapon to reload, and is where sails are handled."""
    crew = ((state.setting.minifigs[n], state.minifigs[n]) for n in free(state, state.crews[ship]))
    return sum(
        spec.sheet.sails and now.is_loaded and now.place in SAILING_PLACES for spec, now in crew
    )


def _sail(state: State, ship: int, hands: int) -> State:
    """Lose sails for want of hands, or set some with those who are left over (PW Sailing)."""
    now, chart = state.ships[ship], tasks_chart()
    if hands < now.sails:
        return lose_sails(state, ship, now.sails - hands)
    more = min((hands - now.sails) // chart.hands_per_sail, chart.most_set)
    sails = state.setting.ships[ship].sheet.chart.reset(now.damage, more).sails
    return state if sails == now.sails else state.change_ship(ship, sails=sails)


@dataclass(frozen=True, slots=True)
class Done(Unconditional[State]):
    """Write no more orders; they are carried out, with option `simultaneous` once all players have written."""

    word = "done"

    def apply(self, state: State) -> State:
        """Pass on to the next player."""
        state = state.replaced({"turn": state.turn + 1})
        waits = state.setting.options.simultaneous and state.turn < len(state.order)
        return state if waits else carry_out(state)


ORDER_TYPES: ActionTypes = (Fire, Shoot, BoardingOrder, Move, Haul, Swim, Jump, Scuttle, Done)
"""What a player can do in the Tasks phase."""
