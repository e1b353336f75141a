"""Turns: the order of the players, their turns, hand-to-hand after each, and who has won (MF Rules).

Here are also the tables of all action types and pending types, what a player chooses from, and checks of a state that
was read from text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions import EndFigure, EndMovement, Exchange, PickUp, TakeFigure
from brickphys.minifig.melee import MeleeAttack, MeleeRoll, attacks, strike
from brickphys.minifig.movement import Dismount, Go, HaulWagon, Mount
from brickphys.minifig.reach import base_problems
from brickphys.minifig.shooting import ROLLS, SHOTS
from brickphys.minifig.state import Deed, FigureState, FigureStep, Phase, State
from brickphys.rules.aims import CirclePositions, count_held, is_time_up, leader, winner
from brickphys.rules.notation import StateCodec
from brickphys.rules.turn_state import OrderRoll, Pending
from brickphys.rules.words import ActionTypes, ChooseType, by_word


@dataclass(frozen=True, slots=True)
class TurnOrderRoll(OrderRoll[State]):
    """The roll of the next player: the highest has the first turn."""

    what = "the order of the round,"
    is_highest_first = True

    def rollers(self, state: State) -> list[int]:
        return playing(state)

    def problems(self, state: State) -> list[str]:
        faults = super(TurnOrderRoll, self).problems(state)
        if state.order:
            faults.append("pending: the order of the round is known")
        return faults

    def ordered(self, state: State, order: tuple[int, ...]) -> State:
        return state.replaced({"order": order})


def playing(state: State) -> list[int]:
    """Return the players who have a living figure."""
    return [player for player, count in enumerate(state.strength) if count]


def positions(state: State) -> CirclePositions:
    """Return where the living figures are, and what they hold."""
    setting = state.setting
    places = {number: state.figures[number].place_in for number in state.alive}
    teams = [setting.teams[figure.player] for figure in setting.figures]
    held = {
        figure: [setting.items[item].name for item in items] for figure, items in state.held.items()
    }
    return CirclePositions(places, teams, held)


def last_team(state: State) -> tuple[int, ...] | None:
    """Return the only team with a living figure; none if all are dead, None if several teams fight on."""
    pairs = zip(state.setting.teams, state.strength, strict=True)
    teams = {team for team, count in pairs if count}
    return tuple(teams) if len(teams) < 2 else None


def winners_of_turn(state: State) -> tuple[int, ...] | None:
    """Return the team that has met an aim now that a player's turn has ended; None while the battle goes on."""
    if not state.setting.aims:
        return None
    team = winner(state.setting.aims, state.holding, positions(state))
    return None if team is None else (team,)


def winners_of_round(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won now that a round has ended, none in a draw; None while the battle goes on."""
    found = winners_of_turn(state)
    if found is None and is_time_up(state.setting.aims, state.round):
        best = leader(shares_left(state))
        return () if best is None else (best,)
    return found


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    return count_held(state.setting.aims, state.holding, positions(state))


def shares_left(state: State) -> dict[int, float]:
    """Return for each team the living figures as a share of those at the start."""
    setting = state.setting
    began, left = dict.fromkeys(sorted({*setting.teams}), 0), dict.fromkeys(setting.teams, 0)
    for spec, figure in zip(setting.figures, state.figures, strict=True):
        began[setting.teams[spec.player]] += 1
        left[setting.teams[spec.player]] += figure.is_alive
    return {team: left[team] / count for team, count in began.items()}


def begin_round(state: State) -> State:
    """Return the state with the next round: all figures are ready, and the players roll for their order, or keep it."""
    figures = tuple(
        figure if figure.deed is Deed.NOTHING else figure.replaced({"deed": Deed.NOTHING})
        for figure in state.figures
    )
    changes = {"figures": figures, "round": state.round + 1, "order": (), "turn": 0}
    state = state.replaced({**changes, "phase": Phase.MOVEMENT})
    players = tuple(playing(state))
    is_fixed = state.setting.options.fixed_order
    places = tuple((player,) for player in players) if is_fixed else (players,)
    return TurnOrderRoll(places).asked(state)


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if (won := last_team(state)) is not None:
        return state.replaced({"winners": won, "active": None, "step": FigureStep.CHOSEN})
    if state.turn == len(state.order):
        return _end_round(state)
    if state.phase is Phase.COMBAT:
        return _fight(state)
    if state.active is not None or next(state.ready(state.player), None) is not None:
        return None
    return state.replaced({"phase": Phase.COMBAT})


def _fight(state: State) -> State | None:
    """Let a figure attack that touches one enemy only; then the player chooses for the others (MF Resolving Combat).

    This order is the best for the player: the others know then who is left.
    """
    able = attacks(state)
    for figure, enemies in able.items():
        if len(enemies) == 1:
            return strike(state, figure, enemies[0])
    return None if able else _end_turn(state)


def _end_turn(state: State) -> State:
    won = winners_of_turn(state)
    if won is not None:
        return state.replaced({"winners": won})
    return state.replaced({"turn": state.turn + 1, "phase": Phase.MOVEMENT})


def _end_round(state: State) -> State:
    state = state.replaced({"holding": held(state)})
    won = winners_of_round(state)
    return begin_round(state) if won is None else state.replaced({"winners": won})


PENDING_TYPES: tuple[type[Pending[State]], ...] = (TurnOrderRoll, MeleeRoll, *ROLLS)
"""Everything that can be pending."""
_BETWEEN: ActionTypes = (TakeFigure, EndMovement)
_KINDS: ActionTypes = (Go, HaulWagon, Mount, Dismount, PickUp, Exchange, *SHOTS)
_BY_WORD = by_word(_KINDS)
_FIGHTS: ActionTypes = (MeleeAttack,)


class ChooseKind(ChooseType[State]):
    """What the figure does that was taken, where there are several kinds of it."""

    __slots__ = ()

    types = _KINDS
    section = "MF Rules"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every kind of which an action is legal; none where there is only one."""
        found = kinds(state)
        return (cls(each.word) for each in found if len(found) > 1)

    def apply(self, state: State) -> State:
        return state.replaced({"menu": self.kind})


ACTION_TYPES: ActionTypes = (ChooseKind, *_BETWEEN, *_KINDS, EndFigure, *_FIGHTS)
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.COMBAT:
        return _FIGHTS
    if state.active is None:
        return _BETWEEN
    if state.menu:
        return (_BY_WORD[state.menu],)
    found = kinds(state)
    return (ChooseKind, EndFigure) if len(found) > 1 else (ChooseKind, *found, EndFigure)


def kinds(state: State) -> ActionTypes:
    """Return the kinds of which the active figure has a legal action, worked out once."""
    known: dict[str, ActionTypes] = vars(state)
    if "kinds" not in known:
        known["kinds"] = tuple(each for each in _KINDS if each.is_possible(state))
    return known["kinds"]


def base_faults(state: State) -> Iterator[tuple[str, str]]:
    """Yield the name of every base that stands off the table, on one before it, in a wall or in water, and why."""
    names = [state.setting.figures[number].name for number in state.alive]
    names += [state.setting.things[number].name for number in state.standing_things()]
    for row, (x, y, radius) in enumerate(state.bases.tolist()):
        for fault in base_problems(state, (x, y), radius, range(row, len(names))):
            yield names[row], fault


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    yield from _turn_problems(state)
    for number, figure in enumerate(state.figures):
        name = state.setting.figures[number].name
        yield from (f"{name}: {fault}" for fault in _figure_problems(state, number, figure))
    yield from _item_problems(state)
    for thing, now in zip(state.setting.things, state.things, strict=True):
        if now.worked_round > state.round:
            yield f"{thing.name}: worked in round {now.worked_round} of {state.round}"
    for number, (wall, out) in enumerate(zip(state.setting.walls, state.walls, strict=True)):
        if list(out) != sorted({*out} & set(range(len(wall.spans)))):
            yield f"walls[{number}]: {list(out)} are not numbers of its bricks in increasing order"


def menu_problems(state: State) -> Iterator[str]:
    """Yield why nothing can be chosen from the menu of a state that waits for its player."""
    if state.menu and (state.active is None or state.pending):
        yield f"menu: {state.menu!r}, but there is nothing to choose"
    elif state.menu:
        yield from (f"menu: {problem}" for problem in ChooseKind(state.menu).problems(state))


def _turn_problems(state: State) -> Iterator[str]:
    if not state.round:
        yield "round: 0, but the battle has begun"
    if len(set(state.order)) < len(state.order):
        yield "order: a player is named twice"
    if state.order and not set(playing(state)) <= set(state.order):
        yield f"order: {list(state.order)} lacks a player who has a living figure"
    if state.turn > len(state.order):
        yield f"turn: {state.turn} of {len(state.order)} players"
    elif state.turn == len(state.order) and state.order and state.winners is None:
        yield f"turn: all of {len(state.order)} players are done"
    if state.active is not None and (
        state.turn >= len(state.order)
        or state.phase is not Phase.MOVEMENT
        or state.active not in state.ready(state.player)
    ):
        yield f"active: {state.active} is not a figure that acts now"
    if state.active is None and state.step is not FigureStep.CHOSEN:
        yield f"step: {state.step.value}, but no figure acts"
    if state.active is not None and not _fits(state.step, state.figures[state.active]):
        rides = state.figures[state.active].horse is not None
        yield f"step: {state.step.value}, but figure {state.active} is {'on horseback' if rides else 'on foot'}"
    if state.winners is not None and not set(state.winners) <= set(state.setting.teams):
        yield f"winners: {list(state.winners)} are not teams"


def _fits(step: FigureStep, figure: FigureState) -> bool:
    """Whether a figure can have come so far, on horseback or on foot."""
    if step in (FigureStep.CHOSEN, FigureStep.MOVED):
        return True
    return (step is FigureStep.MOUNTED) == (figure.horse is not None)


def _figure_problems(state: State, number: int, figure: FigureState) -> Iterator[str]:
    setting = state.setting
    if not _is_on(state, figure.place_in):
        yield f"{figure.x_in:g},{figure.y_in:g} is off the table"
    if not 0.0 <= figure.facing_deg < 360.0:
        yield f"facing {figure.facing_deg:g} is not from 0 to 360"
    if figure.horse is not None:
        if not setting.things[figure.horse].kind.is_ridden:
            yield f"it rides {setting.things[figure.horse].name}"
        if state.riders[figure.horse] != number:
            yield "its horse has another rider"
        if not figure.is_alive:
            yield "it is dead, but rides"
    held = state.held.get(number, ())
    if len(held) > setting.figures[number].kind.hands:
        yield f"it holds {len(held)} things"
    if held and not figure.is_alive:
        yield "it is dead, but holds something"


def _item_problems(state: State) -> Iterator[str]:
    for item, now in zip(state.setting.items, state.items, strict=True):
        if (now.holder is None) != (now.at_in is not None):
            yield f"{item.name}: it must be either held or on the table"
        if now.at_in is not None and not _is_on(state, now.at_in):
            yield f"{item.name}: {now.at_in[0]:g},{now.at_in[1]:g} is off the table"


def _is_on(state: State, place_in: Point) -> bool:
    (x, y), setting = place_in, state.setting
    return 0.0 <= x <= setting.width_in and 0.0 <= y <= setting.length_in
