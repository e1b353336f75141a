"""Rounds: the roll for the start, turns, marks, and the automatic steps between two choices (BOW 2.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.words import TurnAction
from brickphys.bow.driving.collision import (
    is_adrift,
    make_compulsory_move,
    must_move,
)
from brickphys.bow.driving.ground import raised, unsupported
from brickphys.bow.driving.placing import put_vehicle
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.victory import held, round_result, standing_result
from brickphys.errors import unknown
from brickphys.rules.events.bricks import BrickRoll
from brickphys.rules.roll_off import RollOff
from brickphys.rules.words import NAME, Action, Unconditional
from brickphys.text import agreed

START_BRICKS = 6


@dataclass(frozen=True, slots=True)
class StartRoll(RollOff[State]):
    """Each player rolls 6 bricks, the highest starts; those who tie roll again (BOW 2.2)."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        late = [f"round: {state.round}, the roll for the start is in round 0"]
        return [*RollOff.problems(self, state), *late * bool(state.round)]

    def event(self, state: State) -> BrickRoll:
        """Return the roll of the next player."""
        player = state.setting.players[self.roller]
        return BrickRoll(START_BRICKS, f"{agreed(player, 'roll')} for the start")

    def won(self, state: State, player: int) -> State:
        """Begin the first round."""
        return begin_round(state, player)


@dataclass(frozen=True, slots=True)
class ChooseUnit(Action[State]):
    """Choose the unit whose turn is next (BOW 2.2)."""

    word = "unit"
    arguments = (NAME,)
    chooses = "a unit"
    when = "choose end first: it ends the turn of this unit, then choose the next one"
    name: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the player's units that have not been played."""
        return (cls(state.setting.units[unit].name) for unit in state.unplayed(state.player))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be played."""
        numbers = state.setting.unit_numbers
        unit = numbers.get(self.name)
        if unit is None:
            due = [each.name for each in self.legal(state)]
            yield f"{unknown('unit', self.name, due)} (BOW 2.2)"
            return
        owner = state.setting.units[unit].player
        if owner != state.player:
            yield f"{self.name} belongs to {state.setting.players[owner]} (BOW 2.2)"
        if not state.units[unit].plays:
            yield f"{self.name} is out of the battle (BOW 2.4.3)"
        elif not state.is_unplayed(unit):
            yield f"{self.name} has already been played in this round (BOW 2.2)"

    def apply(self, state: State) -> State:
        """Begin the unit's turn; the effects of custom actions on it end."""
        unit = state.setting.unit_numbers[self.name]
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
class End(Unconditional[State], TurnAction):
    """End the turn; a player who has used no action passes (BOW 2.2)."""

    word = "end"

    def cost(self, state: State) -> int:
        """Return all actions that are left."""
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
    """Return the state after a vehicle has come down that stands on nothing any more; None if there is none."""
    found = unsupported(state)
    if found is None:
        return None
    vehicle, height_plates = found
    return put_vehicle(state, vehicle, raised(state.vehicle_body(vehicle), height_plates))


def _ended(state: State) -> State | None:
    """Return the state with its result, if the battle is over."""
    result = standing_result(state)
    return None if result is None else state.replaced({"result": result, "menu": ""})


def _next(state: State) -> State | None:
    """Return what comes next by itself; None if the player has a choice."""
    noted = _note_finished(state)
    if noted is not state:
        return noted
    if state.active != NOBODY:
        if not state.me.plays:
            return _end_turn(state)
        if state.actions_left:
            return None
        if state.piloted is not None and must_move(state, state.piloted):
            return make_compulsory_move(state, state.piloted)
        return _end_turn(state)
    if state.has_unplayed(state.player):
        return None
    count = len(state.setting.players)
    for step in range(1, count):
        player = (state.player + step) % count
        if state.has_unplayed(player):
            return state.replaced({"player": player})
    return _end_round(state)


def _end_turn(state: State) -> State:
    """Mark the unit, and give the turn to the next player."""
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
    done = tuple(
        player
        for player in range(len(state.setting.players))
        if player not in state.finished and not state.has_unplayed(player)
    )
    return state.replaced({"finished": state.finished + done}) if done else state


def _end_round(state: State) -> State:
    """Move a vehicle that still drifts, or else judge the aims and begin the next round."""
    for vehicle in state.vehicles_left:
        if is_adrift(state, vehicle):
            return make_compulsory_move(state, vehicle)
    state = state.replaced({"holding": held(state)})
    result = round_result(state)
    if result is not None:
        return state.replaced({"result": result})
    alive = {state.setting.units[unit].player for unit, _ in state.in_play()}
    return begin_round(state, next(player for player in state.finished if player in alive))
