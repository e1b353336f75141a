"""Tasks: what is neither a walk nor an attack: help, gear, doors, custom actions.

Each is tried on the board, and its worth is the mean of the one sum (`worth`) over its exact law.
"""

from collections.abc import Iterator

from brickphys.bow.actions.damage import Repair, Treat
from brickphys.bow.actions.movement import ChangeFacing, Open, Walk
from brickphys.bow.actions.objects import Give, Grab, Put, Take
from brickphys.bow.actions.obstacles import door_studs
from brickphys.bow.actions.targets import Switch
from brickphys.bow.actions.use_custom import Use
from brickphys.bow.bot import unit_worth
from brickphys.bow.field import Stud
from brickphys.bow.foot.ideas import Idea, Walker, does_damage
from brickphys.bow.foot.places import Sides
from brickphys.bow.outlook import PARTS
from brickphys.bow.sheets.gear import Place
from brickphys.bow.sheets.sheet import MinifigSheet, tried
from brickphys.bow.state import NOBODY, State
from brickphys.rules.aims import Carry
from brickphys.rules.game import Game
from brickphys.rules.words import Action
from brickphys.text import spoken

BowGame = Game[State, Action[State], State]
_LEAST_GEAR = 0.5
"""Cost points by which gear must be better to be worth an action."""
_LATER = 0.7
"""What is gained by an action after a walk counts so much."""


def task_ideas(game: BowGame, sides: Sides, state: State, hold: float) -> Iterator[Idea]:
    """Yield the tasks of the active unit that gain something, and the walks to such tasks.

    `hold` is the worth of doing nothing, to which what they gain is added.
    """
    if not state.actions_left:
        return
    for action, purpose in _tasks(state):
        gain = sides.gain(game, state, action)
        if gain > 0.0:
            yield Idea(hold + gain, purpose, (action,))
    if state.me.on_foot and state.actions_left > 1:
        yield from _walks_to_tasks(game, sides, state)


def _tasks(state: State) -> Iterator[tuple[Action[State], str]]:
    for kind in (Treat, Repair):
        for help_ in kind.legal(state):
            yield help_, f"{help_.word}s {spoken(help_.patient)}"
    for use in Use.legal(state):
        if does_damage(state, use):
            continue
        yield use, f"uses {spoken(use.action)} on {spoken(use.target)}"
    for switch in Switch.legal(state):
        yield switch, f"takes {spoken(switch.stowed)} in hand"
    for grab in Grab.legal(state):
        if wants(state, state.active, grab.item) or _is_better(state, grab):
            yield grab, f"takes {spoken(grab.item)}"
    for put in Put.legal(state):
        if _is_better(state, put):
            yield put, f"moves {spoken(put.item)}, {put.target.value}"
    for give in Give.legal(state):
        if _is_good_gift(state, give):
            yield give, f"gives {spoken(give.item)} to {spoken(give.receiver)}"
    for door in Open.legal(state):
        yield door, f"opens {spoken(door.door)}"


def wants(state: State, unit: int, item: str) -> bool:
    """Tell whether a unit's team is to carry an item for an aim."""
    team = state.setting.team(unit)
    aims = state.setting.aims
    return any(isinstance(a, Carry) and a.team == team and a.item == item for a in aims)


def _is_better(state: State, action: Grab | Put) -> bool:
    after = action.apply(state).units[state.active].sheet
    return unit_worth(after) > unit_worth(state.me.sheet) + _LEAST_GEAR


def _is_good_gift(state: State, give: Give) -> bool:
    """Tell whether a gift makes both together better, or brings the item of an aim to who drives."""
    receiver = state.setting.unit_numbers[give.receiver]
    if state.setting.units[receiver].player != state.player:
        return False
    after = _taken(state, give)
    if after is None:
        return False
    pair = (state.active, receiver)
    gained = sum(unit_worth(after.units[one].sheet) for one in pair)
    had = sum(unit_worth(state.units[one].sheet) for one in pair)
    return gained > had + _LEAST_GEAR or wants(state, state.active, give.item)


def _taken(state: State, give: Give) -> State | None:
    offered = give.apply(state)
    takes = list(Take.listed(offered))
    if not takes:
        return None
    after = [take.apply(offered) for take in takes]
    receiver = state.setting.unit_numbers[give.receiver]
    return max(after, key=lambda one: unit_worth(one.units[receiver].sheet))


def _walks_to_tasks(game: BowGame, sides: Sides, state: State) -> Iterator[Idea]:
    """Yield walks of one action to things on the ground and to the doors of vehicles, to use them then."""
    walker = Walker(game, sides, state)
    for stud, name in dict.fromkeys(state.objects):
        gain = _item_gain(state, name)
        if gain > _LEAST_GEAR:
            near = state.setting.field.around(1 << stud)
            yield from _walk_to(walker, near, _LATER * gain, f"goes for {spoken(name)}")
    for vehicle in state.vehicles_left:
        now, setting = state.vehicles[vehicle], state.setting
        if now.speed or state.pilot(vehicle) != NOBODY or not _may_board(state, vehicle):
            continue
        free = len(setting.vehicles[vehicle].sheet.seats) > len(state.occupants(vehicle))
        if free:
            gain = _LATER * setting.vehicle_costs[vehicle] * (1.0 - PARTS["manned"])
            name = spoken(setting.vehicles[vehicle].name)
            yield from _walk_to(walker, door_studs(state, vehicle), gain, f"goes to {name}")


def _may_board(state: State, vehicle: int) -> bool:
    team = state.setting.team(state.active)
    crew = state.occupants(vehicle)
    return not crew or state.setting.team(crew[0]) == team


def _item_gain(state: State, name: str) -> float:
    """Return the cost points that an object on the ground would add to the active unit, at its best place."""
    if wants(state, state.active, name):
        return PARTS["aim"] * PARTS["carrier"]
    sheet, item = state.me.sheet, state.setting.gear[name]
    best = 0.0
    for place in Place:
        after = tried(MinifigSheet.put, sheet, item, place)
        if isinstance(after, MinifigSheet):
            best = max(best, unit_worth(after) - unit_worth(sheet))
    return best


def _walk_to(walker: Walker, studs: int, gain: float, purpose: str) -> Iterator[Idea]:
    rows = walker.places.studs.tolist()
    near = [row for row, stud in enumerate(rows) if studs >> stud & 1 and walker.walks[row] == 1]
    if not near:
        return
    if studs >> walker.start & 1:
        return
    row = max(near, key=lambda one: walker.places.values[one])
    stud: Stud = rows[row]
    face = ChangeFacing(walker.facings(stud)[0])
    points = float(walker.places.values[row]) + gain
    yield Idea(points, purpose, (Walk(walker.state.setting.field.xy(stud)), face))
