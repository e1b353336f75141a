"""State problems: checks of a state that was read from text, and hulls that overlap."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import dist

from brickphys.geometry.pose import Pose
from brickphys.geometry.sweep import overlap
from brickphys.pirate_wars.sheets.ship_sheet import Place, ShipSheet
from brickphys.pirate_wars.state.crew import Life, MinifigState
from brickphys.pirate_wars.state.ship import ShipState, hull_prism
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.orders import order_problem


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
    ships = ((number, specs[number].sheet, ship.pose) for number, ship in state.afloat())
    for one, other in overlapping(ships):
        yield f"{specs[one].name} overlaps {specs[other].name}"


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    setting = state.setting
    yield from _phase_problems(state)
    for order in state.orders:
        if problem := order_problem(state, order):
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
    chart, guns = state.setting.ships[number].sheet.chart, state.setting.ships[number].sheet.guns
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
    if is_aboard != (minifig.life is Life.ALIVE and minifig.place is not Place.WATER):
        yield "a minifig is aboard a ship exactly if it is alive and out of the water"
    if minifig.swims != (minifig.at_studs is not None):
        yield "a minifig has a place in the water exactly if it swims"
    if (minifig.gun is not None) != (minifig.place is Place.GUN):
        yield "a minifig has the number of a gun exactly if it is at one"
    if minifig.ship is None:
        return
    if not state.ships[minifig.ship].is_afloat:
        yield "aboard a ship that is out of the battle"
    if minifig.gun is not None and minifig.gun >= len(state.ships[minifig.ship].guns):
        yield f"the ship has no gun {minifig.gun}"
