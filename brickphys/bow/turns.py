"""Turns: the roll for the start, turns, marks, what follows between two choices, and who has won (BOW 2.2).

The tables of all action types and pending types are here, and what a player chooses from.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Self

from brickphys.bow.actions import collision, driving
from brickphys.bow.actions.at_rest import AtRest
from brickphys.bow.actions.attack import AttackEnemy, AttackRoll, Disputable, DisputeRoll, Reload
from brickphys.bow.actions.damage import Repair, Sharing, Treat, TreatmentRoll
from brickphys.bow.actions.movement import Close, Open, Turning, TurnMove, Walk
from brickphys.bow.actions.objects import Drop, Flying, Give, Grab, Offer, Put, Throw
from brickphys.bow.actions.obstacles import put_vehicle, raised, unsupported
from brickphys.bow.actions.targets import Switch
from brickphys.bow.actions.use_custom import CustomActionRoll, Leaping, Use
from brickphys.bow.field import Studs
from brickphys.bow.sheets.rulebook import START_BRICKS
from brickphys.bow.state import NOBODY, State
from brickphys.errors import unknown
from brickphys.rules.aims import count_held, is_time_up, leader, winner
from brickphys.rules.moves import Move
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.turn_state import Pending, RollOff, answer_types
from brickphys.rules.words import NAME, ActionTypes, ChooseType, Unconditional, by_word
from brickphys.text import agreed


@dataclass(frozen=True, slots=True)
class UnitPositions:
    """Where the units of a battle are and what they have, as `brickphys.rules.aims.Positions`; areas are studs."""

    state: State

    def units_in(self, area: Studs) -> list[int]:
        """Return the units that stand on some studs; occupants of vehicles stand on none."""
        return [
            unit
            for unit, unit_state in self.state.in_play()
            if unit_state.stud is not None and area >> unit_state.stud & 1
        ]

    def team(self, unit: int) -> int:
        """Return the team of a unit."""
        return self.state.setting.team(unit)

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has an object of that name, in hand or anywhere else."""
        return any(thing.name == item for _, thing in self.state.units[unit].sheet.gear.items())


def standing_result(state: State) -> int | None:
    """Return the team that has won just now: the last one with units, or one that meets its aim; None if none has."""
    if not state.round:
        return None
    last = state.last_team
    if last is not None:
        return last
    return winner(state.setting.aims, state.holding, UnitPositions(state))


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    return count_held(state.setting.aims, state.holding, UnitPositions(state))


def round_result(state: State) -> int | None:
    """Return the team that has won now that a round has ended; `NOBODY` for a draw, None if the battle goes on."""
    result = standing_result(state)
    if result is None and is_time_up(state.setting.aims, state.round):
        best = leader(destroyed_points(state))
        return NOBODY if best is None else best
    return result


def destroyed_points(state: State) -> dict[int, int]:
    """Return for each team the cost points that its players have destroyed (BOW A.4)."""
    points = dict.fromkeys(sorted(set(state.setting.teams)), 0)
    for team, destroyed in zip(state.setting.teams, state.destroyed, strict=True):
        points[team] += destroyed
    return points


@dataclass(frozen=True, slots=True)
class StartRoll(RollOff[State]):
    """Each player rolls 6 bricks, the highest starts; those who tie roll again (BOW 2.2)."""

    def problems(self, state: State) -> list[str]:
        late = [f"round: {state.round}, the roll for the start is in round 0"]
        return [*RollOff.problems(self, state), *late * bool(state.round)]

    def event(self, state: State) -> BrickRoll:
        player = state.setting.players[self.roller]
        return BrickRoll(START_BRICKS, f"{agreed(player, 'roll')} for the start")

    def won(self, state: State, player: int) -> State:
        return begin_round(state, player)


@dataclass(frozen=True, slots=True)
class ChooseUnit(Move[State]):
    """Choose the unit whose turn is next (BOW 2.2)."""

    word = "unit"
    does = "choose a unit"
    section = "BOW 2.2"
    chooses = "a unit"
    when = "choose end first: it ends the turn of this unit, then choose the next one"
    name: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(state.setting.units[unit].name) for unit in state.unplayed(state.player))

    def refusals(self, state: State, name: str) -> Iterator[str]:
        unit = state.setting.unit_numbers.get(name)
        if unit is None:
            yield str(unknown("unit", name, [each.name for each in self.listed(state)]))
            return
        owner = state.setting.units[unit].player
        if owner != state.player:
            yield f"{name} belongs to {state.setting.players[owner]}"
        if not state.units[unit].plays:
            yield f"{name} is out of the battle (BOW 2.4.3)"
        elif not state.is_unplayed(unit):
            yield f"{name} has already been played in this round"

    def result(self, state: State, name: str) -> State:
        """Begin the unit's turn; the effects of custom actions on it end."""
        unit = state.setting.unit_numbers[name]
        unit_state = state.units[unit]
        actions = max(0, unit_state.sheet.action_budget - unit_state.held_up)
        if unit_state.guard or unit_state.held_up:
            state = state.with_unit(unit, replace(unit_state, guard=0, held_up=0))
        state = state.replaced({"active": unit, "actions_left": actions})
        if state.piloted is not None and state.setting.options.move_per_pilot:
            vehicle_state = state.vehicles[state.piloted]
            state = state.with_vehicle(state.piloted, replace(vehicle_state, moved=False))
        return state


@dataclass(frozen=True, slots=True)
class End(Unconditional[State], TurnMove):
    """End the turn; a player who has used no action passes (BOW 2.2)."""

    word = "end"

    def cost(self, state: State) -> int:
        return state.actions_left

    def apply(self, state: State) -> State:
        """Change nothing: without actions left, the turn ends by itself."""
        return state


def begin_round(state: State, starter: int) -> State:
    """Begin the next round."""
    vehicles = tuple(
        replace(vehicle_state, moved=False) if vehicle_state.moved else vehicle_state
        for vehicle_state in state.vehicles
    )
    return state.replaced(
        {"round": state.round + 1, "player": starter, "vehicles": vehicles, "finished": ()}
    )


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    return _ended(state) or _lowered(state) or _next(state)


def _lowered(state: State) -> State | None:
    found = unsupported(state)
    if found is None:
        return None
    vehicle, height_plates = found
    return put_vehicle(state, vehicle, raised(state.vehicle_body(vehicle), height_plates))


def _ended(state: State) -> State | None:
    result = standing_result(state)
    return None if result is None else state.replaced({"result": result, "menu": ""})


def _next(state: State) -> State | None:
    noted = _note_finished(state)
    if noted is not state:
        return noted
    if state.active != NOBODY:
        if not state.me.plays:
            return _end_turn(state)
        if state.actions_left:
            return None
        if state.piloted is not None and collision.must_move(state, state.piloted):
            return collision.make_compulsory_move(state, state.piloted)
        return _end_turn(state)
    if state.player in state.to_play:
        return None
    count = len(state.setting.players)
    for step in range(1, count):
        player = (state.player + step) % count
        if player in state.to_play:
            return state.replaced({"player": player})
    return _end_round(state)


def _end_turn(state: State) -> State:
    if state.me.plays:
        state = state.with_unit(state.active, replace(state.me, marked=state.adds_marks))
    next_player = (state.player + 1) % len(state.setting.players)
    return _note_finished(
        state.replaced(
            {
                "active": NOBODY,
                "actions_left": 0,
                "shots": state.unloaded,
                "driven": (),
                "player": next_player,
            }
        )
    )


def _note_finished(state: State) -> State:
    """Note the players who have no unit left to play; the first of them starts the next round."""
    done = {*range(len(state.setting.players))} - state.to_play - {*state.finished}
    return state.replaced({"finished": (*state.finished, *sorted(done))}) if done else state


def _end_round(state: State) -> State:
    """Move a vehicle that still drifts, or else judge the aims and begin the next round."""
    for vehicle in state.vehicles_left:
        if collision.is_adrift(state, vehicle):
            return collision.make_compulsory_move(state, vehicle)
    state = state.replaced({"holding": held(state)})
    result = round_result(state)
    if result is not None:
        return state.replaced({"result": result})
    alive = {state.setting.units[unit].player for unit, _ in state.in_play()}
    return begin_round(state, next(player for player in state.finished if player in alive))


TURN_TYPES: tuple[type[TurnMove], ...] = (
    Walk,
    AttackEnemy,
    Grab,
    Throw,
    Give,
    Switch,
    Put,
    Drop,
    Open,
    Close,
    Treat,
    Repair,
    Reload,
    Use,
    driving.BoardVehicle,
    driving.LeaveVehicle,
    driving.ChangeSeat,
    driving.ChangeSpeed,
    driving.ChangeDirection,
    driving.Advance,
    driving.Drift,
    End,
)
"""What a unit can do in its turn, in the order in which it is listed."""
_WITHOUT_ARGUMENTS = tuple(each for each in TURN_TYPES if not each.arguments)


class Do(ChooseType[State]):
    """The type of the unit's next action."""

    __slots__ = ()

    types = tuple(each for each in TURN_TYPES if each.arguments)
    section = "BOW 2.3"

    def apply(self, state: State) -> State:
        return state.replaced({"menu": self.kind})


_BY_WORD = by_word(TURN_TYPES)
IN_TURN_TYPES: tuple[type[Pending[State]], ...] = (
    Turning,
    Flying,
    Offer,
    AttackRoll,
    Disputable,
    DisputeRoll,
    TreatmentRoll,
    CustomActionRoll,
    Leaping,
)
"""What can be pending only in the turn of a unit."""
PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    StartRoll,
    collision.RunOver,
    collision.CrashRoll,
    collision.EndOfMove,
    collision.CrashEnergy,
    AtRest,
    Sharing,
    *IN_TURN_TYPES,
)
"""Everything that can be pending."""
ACTION_TYPES: ActionTypes = (ChooseUnit, Do, *TURN_TYPES, *answer_types(PENDING_TYPES))


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.active == NOBODY:
        return (ChooseUnit,)
    if state.menu:
        return (_BY_WORD[state.menu],)
    return (Do, *_WITHOUT_ARGUMENTS)
