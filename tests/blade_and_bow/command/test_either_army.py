"""What units and leaders can do, and where they may come to stand: for either army, and square by square."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from brickphys.blade_and_bow.command import formation
from brickphys.blade_and_bow.command.morale import RallyRoll, commitment_modifier
from brickphys.blade_and_bow.command.movement import Shield
from brickphys.blade_and_bow.ground import (
    beside,
    displaceable,
    displacement_squares,
    noticed,
    points,
    step_allowed,
    zones,
)
from brickphys.blade_and_bow.pieces import Activation, Box, FormationOrder
from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.turns import RoutedRoll, return_squares
from brickphys.blade_and_bow.ways import ways
from brickphys.grid.grid import Square, Squares, each, squares_of
from tests.blade_and_bow.battle import PLAYERS, battle
from tests.blade_and_bow.crowd import ground, scattered, square_names

SIZE = 6
SEEDS = range(12)


@cache
def crowd(seed: int, mover: int = 0) -> State:
    """Return units, leaders and camps of both players at random, the first or the second of whom is to move.

    One unit of each is rallied; sometimes a camp is lost.
    """
    rng, names = Random(seed), square_names(SIZE)
    own, other = PLAYERS[mover], PLAYERS[1 - mover]
    places, marks = rng.sample(names, 16), ("", "", "disrupted", "wall")
    lines = [*scattered(rng, places[:14], (own, other), marks=marks)]
    ranks = {own: 1, other: 1}
    for number, place in enumerate([places[0], places[1], *rng.sample(names, 3)]):
        player = (own, other, own, other, own)[number]
        value = rng.randint(1, 5)
        lines += [
            f"{player} leader l{number} {place} {ranks[player]}-{rng.randrange(9)}-{value}/red"
        ]
        ranks[player] += 1
    lines += [f"{own} camp {places[14]}", f"{other} camp {places[15]}"]
    sacked = rng.choice(((False, False), (False, False), (True, False), (False, True)))
    state = battle(
        ground(rng, '.....^"~=', SIZE),
        *lines,
        special=Special(shield_walls=(True, True)),
        mover=mover,
        sacked=sacked[::-1] if mover else sacked,
    )
    for unit in (12, 13):
        state = state.out_of_play(unit, Box.RALLIED)
    return state


def facts(state: State) -> Iterator[Any]:
    """Yield what the units and leaders of who is to move can do, without the names of the players."""
    mover = state.mover
    yield [
        one.text()
        for kind in (formation.Form, formation.Single, formation.Relocate)
        for one in kind.legal(state)
    ]
    yield [one.seen for one in noticed(state).units]
    for leader, spec in enumerate(state.setting.leaders):
        if spec.player == mover:
            yield formation.open_places(state, leader), formation.leader_places(state, leader)
            yield (
                formation.Relocation(leader).player(state)
                == formation.LeaderReturn(leader).player(state)
                == mover
            )
    for unit in range(len(state.units)):
        if state.player_of(unit) != mover:
            continue
        yield [formation.inability(state, unit, order) for order in FormationOrder]
        yield RoutedRoll(unit).least(state), return_squares(state, unit)
        if state.units[unit].square is not None:
            yield list(formation.engaged(state, unit)), list(formation.shot_at(state, unit))
            yield displacement_squares(state, unit), displaceable(state, unit)
            yield RallyRoll(unit).least(state), commitment_modifier(state, unit, None)
            yield {end: way.cost for end, way in ways(state, unit, 7).items()}
            moves = Activation(FormationOrder.MOVE, None, (unit,), closed=True, active=unit)
            yield list(Shield().refusals(state.replaced({"activation": moves}), unit))


@pytest.mark.parametrize("seed", SEEDS)
def test_either_army_can_do_the_same(seed: int) -> None:
    for one, other in zip(facts(crowd(seed)), facts(crowd(seed, 1)), strict=True):
        assert one == other


def squares(state: State) -> Iterator[tuple[Square, Squares]]:
    """Yield every square with the set of it alone."""
    return ((square, 1 << square) for square in range(len(state.setting.squares)))


def is_open(state: State, player: int, square: Square) -> bool:
    """Whether pieces of a player may stand there besides units and zones: no sea, enemy, or camp of the enemy."""
    unit, enemy = state.at.get(square), 1 - player
    leaders = state.leaders_at.get(square, ())
    return not (
        state.setting.terrain[square].closed
        or (unit is not None and state.player_of(unit) == enemy)
        or (state.camps[enemy] == square and not state.sacked[enemy])
        or any(state.setting.leaders[one].player == enemy for one in leaders)
    )


def near(state: State, square: Square, others: Squares) -> bool:
    return bool((beside(state.setting.grid)[square] | 1 << square) & others)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("player", [0, 1])
def test_leaders_come_back_and_move_where_the_rules_say(seed: int, player: int) -> None:
    """BB 6.2.1, 6.3."""
    state = crowd(seed)
    strong, own = zones(state, 1 - player).strong, state.occupied[player]
    found = [s for s, one in squares(state) if is_open(state, player, s) and not strong & one]
    for leader, spec in enumerate(state.setting.leaders):
        if spec.player == player:
            here = state.leaders[leader].square
            assert list(each(formation.open_places(state, leader))) == found
            places = [square for square in found if square != here and near(state, square, own)]
            assert list(each(formation.leader_places(state, leader))) == places


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("player", [0, 1])
def test_rallied_units_come_back_where_the_rules_say(seed: int, player: int) -> None:
    """BB 5.5.1: within the range of a leader, or at the camp, in an empty square outside enemy zones."""
    state = crowd(seed)
    setting, zone = state.setting, zones(state, 1 - player).all
    reaches = [
        (now.square, spec.range_points)
        for spec, now in zip(setting.leaders, state.leaders, strict=True)
        if spec.player == player
    ]
    camp = () if state.sacked[player] else (state.camps[player],)
    found = [
        square
        for square, one in squares(state)
        if is_open(state, player, square)
        and square not in state.at
        and not zone & one
        and (
            any(points(setting.grid, at or 0, square) <= reach for at, reach in reaches)
            or near(state, square, squares_of(at for at in camp if at is not None))
        )
    ]
    assert list(each(return_squares(state, 12 + player))) == found


@pytest.mark.parametrize("seed", SEEDS)
def test_units_are_displaced_where_the_rules_say(seed: int) -> None:
    """BB 7.3.4: into a free neighbour outside enemy zones, or the square that is left."""
    state = crowd(seed)
    sizes = [spec.counter.size.rank for spec in state.setting.units]
    for unit in each(squares_of(state.at.values())):
        player, here = state.player_of(unit), state.square_of(unit)
        enemy, room = 1 - player, []
        for other in each(beside(state.setting.grid)[here]):
            is_free = other not in state.at and step_allowed(state, player, here, other)
            camp = state.camps[enemy] == other and not state.sacked[enemy]
            if is_free and not camp and not zones(state, enemy).all >> other & 1:
                room.append(other)
        assert sorted(displacement_squares(state, unit)) == room
        for mover in each(squares_of(state.at.values())):
            smaller = state.player_of(mover) == player and sizes[unit] < sizes[mover]
            left = 1 << state.square_of(mover)
            able = smaller and bool(displacement_squares(state, unit, left))
            assert bool(displaceable(state, mover) >> here & 1) == able
