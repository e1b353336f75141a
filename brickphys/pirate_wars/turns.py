"""Turns: initiative, the phases of a turn, what a player chooses from, and who has won (PW Turn Sequence).

The tables of all action types and pending types are here, the notation of states, and the checks of a state that was
read from text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import dist

from brickphys.geometry.pose import Pose
from brickphys.geometry.sweep import overlap
from brickphys.pirate_wars import morale, sailing
from brickphys.pirate_wars.boarding import BoardingResult, BoardingRoll, Crossing, Riposte
from brickphys.pirate_wars.damage import Casualty, CriticalRoll, Foundering, GunLoss, sink
from brickphys.pirate_wars.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.sheets import ShipPlace, ShipSheet
from brickphys.pirate_wars.state import (
    Fate,
    Life,
    MinifigState,
    Phase,
    ShipState,
    State,
    hull_prism,
)
from brickphys.pirate_wars.tasks import ORDER_TYPES, ORDERS, CarryOut, EndOfTasks, end_of_tasks
from brickphys.rules.aims import CirclePositions, count_held, is_time_up, leader, winner
from brickphys.rules.notation import StateCodec
from brickphys.rules.turn_state import FollowUp, OrderRoll, Pending, answer_types
from brickphys.rules.words import ActionTypes


@dataclass(frozen=True, slots=True)
class InitiativeRoll(OrderRoll[State]):
    """The roll of the next player: the lowest moves first."""

    what = "initiative"
    is_highest_first = False

    def rollers(self, state: State) -> list[int]:
        return playing(state)

    def problems(self, state: State) -> list[str]:
        faults = super(InitiativeRoll, self).problems(state)
        if state.phase is not Phase.INITIATIVE:
            faults.append(f"pending: initiative in the phase {state.phase.value}")
        return faults

    def ordered(self, state: State, order: tuple[int, ...]) -> State:
        return state.replaced({"order": order, "phase": Phase.MOVEMENT})


def playing(state: State) -> list[int]:
    """Return the players who have a ship or a swimmer in the battle."""
    found = {ship.owner for _, ship in state.afloat}
    return sorted(found.union(state.setting.minifigs[n].player for n in state.swimmers()))


def positions(state: State) -> CirclePositions:
    """Return where the ships of a battle are; one that was taken or abandoned counts for no aim."""
    teams = state.setting.teams
    began = [teams[spec.player] for spec in state.setting.ships]
    own = {
        number: ship.centre_studs
        for number, ship in state.afloat
        if teams[ship.owner] == began[number] and not ship.is_abandoned
    }
    return CirclePositions(own, began)


def winners(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won just now; none in a draw, None while the battle goes on.

    A team is in the battle while it has a ship with a crew aboard that does not flee for good.
    """
    team = winner(state.setting.aims, state.holding, positions(state))
    if team is not None:
        return (team,)
    teams = {
        state.setting.teams[ship.owner]
        for number, ship in state.afloat
        if state.crews[number] and (not ship.is_fleeing or may_return(state, number))
    }
    return tuple(teams) if len(teams) < 2 else None


def may_return(state: State, ship: int) -> bool:
    """Tell whether the crew of a ship that flees has its test in the next turn still before it (PW Morale)."""
    next_test = state.round + (state.phase is Phase.SHARKS)
    return next_test <= state.ships[ship].fled_round + 1


def winners_of_turn(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won now that a turn has ended, see `winners`."""
    found = winners(state)
    if found is None and is_time_up(state.setting.aims, state.round):
        best = leader(shares_left(state))
        return () if best is None else (best,)
    return found


def shares_left(state: State) -> dict[int, float]:
    """Return for each team its hull, sails and crew in the battle, as a share of those at the start.

    A hull that was abandoned counts for nobody (ours).
    """
    left = dict.fromkeys(sorted(set(state.setting.teams)), 0)
    for number, ship in state.afloat:
        if not ship.is_abandoned:
            points = ship.hull + ship.sails + len(state.crews[number])
            left[state.setting.teams[ship.owner]] += points
    return {team: points / state.setting.points_at_start[team] for team, points in left.items()}


def begin_turn(state: State) -> State:
    """Return the state with the next turn: the players roll for initiative."""
    changes = {"phase": Phase.INITIATIVE, "order": (), "turn": 0, "done": frozenset[int]()}
    state = sailing.set_adrift(state.replaced({**changes, "round": state.round + 1}))
    return InitiativeRoll((tuple(playing(state)),)).asked(state)


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if state.phase is Phase.INITIATIVE:
        return begin_turn(state)
    if state.phase in (Phase.MORALE, Phase.SHARKS) or state.turn == len(state.order):
        ended = state.push_pending(PhaseEnd())
        return end_of_tasks(ended) if state.phase is Phase.TASKS else ended
    if state.phase is Phase.TASKS or state.active is not None:
        return None
    ships = sailing.due_ships(state)
    if state.phase is Phase.FALLING_OFF:
        ships = [ship for ship in ships if sailing.can_fall_off(state, ship)]
    if not ships:
        return state.replaced({"turn": state.turn + 1})
    if state.phase is Phase.FALLING_OFF:
        return state.replaced({"active": ships[0]})
    return sailing.begin_move(state, ships[0]) if len(ships) == 1 else None


_PHASES = tuple(Phase)


@dataclass(frozen=True, slots=True)
class PhaseEnd(FollowUp[State]):
    """Ships without hull sink, and the next phase or turn begins unless the battle is over (PW Damage Chart)."""

    def happen(self, state: State) -> State:
        sinking = [number for number, ship in state.afloat if not ship.hull]
        if sinking:
            return sink(state.push_pending(self), sinking[0])
        if state.phase is Phase.SHARKS:
            return _end_turn(state)
        if (won := winners(state)) is not None:
            return state.replaced({"winners": won})
        phase = _PHASES[_PHASES.index(state.phase) + 1]
        state = state.replaced({"phase": phase, "turn": 0, "done": frozenset[int]()})
        if phase is Phase.MORALE:
            return state.push_pending(*morale.morale_rolls(state))
        return state.push_pending(*morale.shark_rolls(state)) if phase is Phase.SHARKS else state


def _end_turn(state: State) -> State:
    """Remove ships that flee for good, judge the battle, and begin the next turn."""
    for number, ship in state.afloat:
        flees = ship.is_fleeing and not may_return(state, number)
        if flees and morale.is_out_of_range(state, number):
            state = sailing.leave(state, number, Fate.FLED)
    holding = count_held(state.setting.aims, state.holding, positions(state))
    state = state.replaced({"holding": holding, "causes": ()})
    won = winners_of_turn(state)
    return begin_turn(state) if won is None else state.replaced({"winners": won})


PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    InitiativeRoll,
    Casualty,
    GunLoss,
    Foundering,
    CarryOut,
    GunRoll,
    MusketRoll,
    CriticalRoll,
    BoardingRoll,
    BoardingResult,
    Crossing,
    Riposte,
    EndOfTasks,
    PhaseEnd,
    morale.MoraleRoll,
    morale.EffectQuestion,
    morale.SharkRoll,
)
"""Everything that can be pending."""
ACTION_TYPES: ActionTypes = (
    sailing.ChooseShip,
    sailing.Swing,
    sailing.FallOff,
    *ORDER_TYPES,
    *answer_types(PENDING_TYPES),
)
CODEC = StateCodec(State, PENDING_TYPES, names={morale.EffectQuestion: "Despair"})
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.TASKS:
        return ORDER_TYPES
    if state.active is None:
        return (sailing.ChooseShip,)
    return (sailing.Swing,) if state.phase is Phase.MOVEMENT else (sailing.FallOff,)


def overlapping(ships: Iterable[tuple[int, ShipSheet, Pose]]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of every two of some ships whose hulls overlap; each ship is a number, a sheet and a pose."""
    for (one, sheet, pose), (other, its, its_pose) in combinations(ships, 2):
        far = dist(pose.centre_studs, its_pose.centre_studs)
        if 2 * far > sheet.length_studs + its.length_studs + 4.0:
            continue
        if overlap(hull_prism(sheet, pose), hull_prism(its, its_pose)):
            yield one, other


def overlaps(state: State) -> Iterator[str]:
    """Yield every two ships in the battle whose hulls overlap: play never leads there."""
    specs = state.setting.ships
    ships = ((number, specs[number].sheet, ship.pose) for number, ship in state.afloat)
    for one, other in overlapping(ships):
        yield f"{specs[one].name} overlaps {specs[other].name}"


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    setting = state.setting
    yield from _phase_problems(state)
    for order in state.orders:
        kind = ORDERS.get(order.task)
        if problem := kind.fault(state, order) if kind else f"{order.task!r} is no order":
            yield f"orders: {problem}"
    for number, ship in enumerate(state.ships):
        name = setting.ships[number].name
        yield from (f"{name}: {fault}" for fault in _ship_problems(state, number, ship))
    for number, minifig in enumerate(state.minifigs):
        name = setting.minifigs[number].name
        yield from (f"{name}: {fault}" for fault in _minifig_problems(state, minifig))


def _phase_problems(state: State) -> Iterator[str]:
    """Yield what contradicts the phase, and lists that are not in order."""
    if not state.round:
        yield "round: 0, but the battle has begun"
    if len(set(state.order)) < len(state.order):
        yield "order: a player is named twice"
    if bool(state.order) == (state.phase is Phase.INITIATIVE):
        yield f"order: {list(state.order)} in the phase {state.phase.value}"
    if state.turn > len(state.order):
        yield f"turn: {state.turn} of {len(state.order)} players"
    if state.active is None and (state.move_studs or state.left_studs or state.may_turn_deg):
        yield "active: none, but a ship is in mid-move"
    if not 0.0 <= state.left_studs <= state.move_studs or not 0.0 <= state.may_turn_deg <= 90.0:
        yield f"left_studs, may_turn_deg: {state.left_studs:g} and {state.may_turn_deg:g}"
    if state.active is not None and (
        state.phase not in (Phase.MOVEMENT, Phase.FALLING_OFF)
        or state.turn >= len(state.order)
        or state.ships[state.active].owner != state.player
        or not state.ships[state.active].is_afloat
    ):
        yield f"active: {state.active} is not a ship that moves now"
    yield from _contact_problems(state)
    if state.winners is not None and not set(state.winners) <= set(state.setting.teams):
        yield f"winners: {list(state.winners)} are not teams"


def _contact_problems(state: State) -> Iterator[str]:
    """Yield what contradicts itself in ships that are lashed together, in boardings, and in who has boarded."""
    teams, ships = state.setting.teams, state.ships
    for one, other in state.lashed:
        if one >= other:
            yield "lashed: the lower number is not first"
        if not (ships[one].is_afloat and ships[other].is_afloat):
            yield f"lashed: ship {one} or {other} is out of the battle"
    for boarding in state.boardings:
        pair = sorted((boarding.attacker, boarding.defender))
        if tuple(pair) not in state.lashed:
            yield f"boardings: ships {pair[0]} and {pair[1]} are not lashed together"
        elif len({teams[ships[number].owner] for number in pair}) < 2:
            yield f"boardings: ships {pair[0]} and {pair[1]} belong to one team"
    boarded = {one.defender: teams[ships[one.attacker].owner] for one in state.boardings}
    for number in range(len(ships)):
        for boarder in state.boarders(number):
            if boarded.get(number) != state.setting.minifig_teams[boarder]:
                yield f"minifigs: {boarder} is on ship {number}, but is not boarding it"


def _ship_problems(state: State, number: int, ship: ShipState) -> Iterator[str]:
    chart, guns = state.sheet(number).chart, state.sheet(number).guns
    if ship.hull > chart.hull or ship.sails > chart.sails:
        yield f"{ship.hull} HF and {ship.sails} SF of {chart.hull} and {chart.sails}"
    if len(ship.guns) != len(guns):
        yield f"{len(ship.guns)} guns of {len(guns)}"
    if ship.is_afloat and not state.setting.sea.contains(ship.centre_studs):
        yield f"{ship.x_studs:g},{ship.y_studs:g} is not on the sea"
    if not 0.0 <= ship.heading_deg < 360.0:
        yield f"heading {ship.heading_deg:g} is not from 0 to 360"
    if ship.is_abandoned and state.crews[number]:
        yield "it is abandoned, but has a crew"
    if ship.fled_round > state.round:
        yield f"it has fled since turn {ship.fled_round}, which is yet to come"


def _minifig_problems(state: State, minifig: MinifigState) -> Iterator[str]:
    is_aboard = minifig.ship is not None
    if is_aboard != (minifig.life is Life.ALIVE and minifig.place is not ShipPlace.WATER):
        yield "a minifig is aboard a ship exactly if it is alive and out of the water"
    if minifig.swims != (minifig.at_studs is not None):
        yield "a minifig has a place in the water exactly if it swims"
    if (minifig.gun is not None) != (minifig.place is ShipPlace.GUN):
        yield "a minifig has the number of a gun exactly if it is at one"
    if minifig.ship is None:
        return
    if not state.ships[minifig.ship].is_afloat:
        yield "aboard a ship that is out of the battle"
    if minifig.gun is not None and minifig.gun >= len(state.ships[minifig.ship].guns):
        yield f"the ship has no gun {minifig.gun}"
