"""Ways (BB 7): a plain search one step at a time as an oracle, quarter turns, and who is disrupted."""

from collections import deque
from random import Random

import pytest

from brickphys.blade_and_bow.ground import displacement_squares, turns, zones
from brickphys.blade_and_bow.sheets import Density, FormationSize
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.ways import ways
from brickphys.grid.grid import DIRECTIONS, FACING_NAMES
from tests.blade_and_bow.battle import battle, square
from tests.blade_and_bow.crowd import crowd, turned_square
from tests.cases import few

OPEN = "......\n" * 6
POINTS = 9


def plain_ways(
    state: State, unit: int, points: int, via: tuple[int, ...] = ()
) -> dict[tuple[int, int], tuple[int, int]]:
    """The ends of a unit on the map -> medium units passed and points, by the words of 7, step by step."""
    now, spec = state.units[unit], state.setting.units[unit]
    size, enemy = spec.counter.size, 1 - spec.player
    found: dict[tuple[int, int], tuple[int, int]] = {}
    if zones(state, enemy).strong >> now.square & 1:
        return found
    queue = deque([(now.square, now.facing, 0, 0, False, 0)])
    known = set(queue)
    while queue:
        place, facing, cost, passed, halted, stage = queue.popleft()
        friend = state.at.get(place, unit)
        if stage == len(via) and can_end(state, unit, friend):
            best = found.get((place, facing), (99, 99))
            found[place, facing] = min(best, (passed, cost))
        next_ones = []
        if not halted:
            next_ones += [(place, (facing + by) % 8, cost + 1, passed, False) for by in (1, 7)]
            disrupted = now.disrupted or passed
            if spec.counter.density is not Density.DENSE and not disrupted:
                next_ones.append((place, (facing + 4) % 8, cost + 2, passed, False))
            next_ones += advances(state, unit, place, facing, cost, passed, size)
        for to in next_ones:
            enters = stage < len(via) and to[0] != place and to[0] == via[stage]
            one = (*to, stage + enters)
            if one[2] <= points and one not in known:
                known.add(one)
                queue.append(one)
    if via:
        return {end: best for end, best in found.items() if end[0] != via[-1]}
    found.pop((now.square, now.facing))
    return found


def can_end(state, unit, friend):
    """Where no friend is, or a smaller one who has room (BB 7.3.4)."""
    if friend == unit:
        return True
    sizes = [state.setting.units[number].counter.size.rank for number in (unit, friend)]
    return sizes[0] > sizes[1] and bool(
        displacement_squares(state, friend, 1 << state.units[unit].square)
    )


def passes(state, unit, friend):
    """Whether a unit goes on from the square of a friend: one of both is light, or both are medium (BB 7.3)."""
    sizes = {state.setting.units[number].counter.size for number in (unit, friend)}
    return friend == unit or FormationSize.LIGHT in sizes or sizes == {FormationSize.MEDIUM}


def advances(state, unit, place, facing, cost, passed, size):
    """The step ahead, with a free turn of light units (BB 7.1.1 to 7.3.3)."""
    grid, setting, player = state.setting.grid, state.setting, state.player_of(unit)
    (x, y), (dx, dy) = grid.xy(place), DIRECTIONS[facing]
    if not grid.contains(x + dx, y + dy):
        return
    there = grid.square(x + dx, y + dy)
    ground, start = setting.terrain[there], setting.terrain[place]
    other = state.at.get(there, unit)
    if ground.closed or state.player_of(other) != player:
        return
    halts = ground.stops or ground.is_high != start.is_high
    halts = halts or bool(zones(state, 1 - player).all >> there & 1)
    if not passes(state, unit, state.at.get(place, unit)):
        return
    if other != unit:
        both = size is setting.units[other].counter.size is FormationSize.MEDIUM
        if both and not (state.units[unit].disrupted and state.units[other].disrupted):
            passed += not halts
        if (halts or not passes(state, unit, other)) and not can_end(state, unit, other):
            return
    for by in (0, 1, 7) if size is FormationSize.LIGHT else (0,):
        yield there, (facing + by) % 8, cost + (3 if dx and dy else 2), passed, halts


def check(state: State, unit: int, points: int, via: tuple[int, ...] = ()) -> None:
    expected = plain_ways(state, unit, points, via)
    found = ways(state, unit, points, via)
    assert set(found) == set(expected)
    assert len(found) == len(expected)
    for end, (passed, cost) in expected.items():
        way = found[end]
        assert way.cost == cost, end
        entered_squares = iter(way.squares)
        assert all(one in entered_squares for one in via)
        start, mediums = state.units[unit].square, 0
        for entered in way.squares:
            other = state.at.get(entered)
            if other not in (None, unit) and entered != way.squares[-1]:
                sizes = {state.setting.units[n].counter.size for n in (unit, other)}
                both = state.units[unit].disrupted and state.units[other].disrupted
                mediums += sizes == {FormationSize.MEDIUM} and not both
            start = entered
        assert start == end[0]
        assert mediums == passed


@pytest.mark.parametrize("seed", range(60))
def test_ways_are_those_of_a_plain_search(seed):
    state = crowd(seed, units=14, ground='..........^^="~+').state
    for unit in range(4):
        check(state, unit, POINTS)


@pytest.mark.parametrize("seed", few(range(40), 15))
def test_ways_via_squares_are_those_of_a_plain_search(seed):
    """BB 7.0: a player names squares of the way; it comes back to them, too."""
    rng, state = Random(seed), crowd(seed, units=14, ground='..........^^="~+').state
    for unit in range(3):
        usual = ways(state, unit, POINTS)
        near = sorted({one for way in usual.values() for one in way.squares})
        start = state.units[unit].square
        for count in (1, 2, 3):
            via = tuple(rng.sample(near, min(count, len(near))))
            if via and via[0] != start:
                check(state, unit, POINTS + 3, via)
        if near and near[0] != start:
            check(state, unit, POINTS + 3, (near[0], start))


@pytest.mark.parametrize("seed", few(range(30), 12))
def test_where_a_unit_can_pause_is_where_a_plain_search_does_not_halt(seed):
    state = crowd(seed, units=14, ground='..........^^="~+').state
    for unit in range(4):
        found = ways(state, unit, POINTS)
        pauses = found.pauses(POINTS - 2)
        taken = {place for place, other in state.at.items() if other != unit}
        assert not taken & {place for place, _ in pauses}
        for (place, facing), label in pauses.items():
            way = found.way(label, place)
            assert way.cost <= POINTS - 2
            assert not way.disrupted
            after = state.placed(unit, place, facing)
            assert not zones(state, 1 - state.player_of(unit)).all >> place & 1 or not way.squares
            # it goes on as if it had not paused: every end is still one of the whole move
            beyond = ways(after, unit, POINTS - way.cost)
            assert set(beyond) <= set(found) | {(state.square_of(unit), state.units[unit].facing)}


@pytest.mark.parametrize("seed", few(range(30), 12))
def test_ways_through_a_crowd_of_friends(seed):
    now = crowd(seed, units=18, ground=".")
    units = {
        place: (0 if n < 15 else 1, ("spears", "archers", "peltast", "hoplite")[n % 4], *rest[2:])
        for n, (place, rest) in enumerate(now.units.items())
    }
    state = type(now)(now.signs, units).state
    for unit in range(6):
        check(state, unit, POINTS + 2)


@pytest.mark.parametrize("seed", range(8))
def test_ways_turn_with_the_map(seed):
    now = crowd(seed, units=12)
    for unit in range(3):
        before, after = ways(now.state, unit, 8), ways(now.turned.state, unit, 8)
        costs = {
            (turned_square(end), (facing + 2) % 8): way.cost
            for (end, facing), way in before.items()
        }
        assert costs == {end: way.cost for end, way in after.items()}


def ends(state: State, points: int, unit: int = 0) -> dict[str, int]:
    """The ends of a unit as text -> points."""
    names = state.setting.squares
    return {
        f"{names[place]} {FACING_NAMES[facing]}": way.cost
        for (place, facing), way in ways(state, unit, points).items()
    }


@pytest.mark.parametrize(("kind", "harmed"), [("peltast", ""), ("spears", "u"), ("hoplite", "u")])
def test_bad_ground_halts_and_disrupts(kind, harmed):
    """BB 7.5, by the terrain chart: woods."""
    state = battle('......\n"""...\n......', f"greeks {kind} B3 n")
    found = ways(state, 0, 9)
    way = found[square(state, "B2"), FACING_NAMES.index("n")]
    assert way.disrupted == ((0,) if harmed else ())
    assert not any(name.startswith("B1") for name in ends(state, 3))


def test_medium_units_pass_each_other_at_a_price():
    """BB 7.3.2: both are disrupted; a way round is taken as long as there are points for it."""
    row = "......"
    blocked = battle(row, "greeks spears A1 e", "greeks archers B1 e")
    found = ways(blocked, 0, 4)
    end = (square(blocked, "C1"), 0)
    assert found[end] == (4, (square(blocked, "B1"), end[0]), (1, 0))
    assert (square(blocked, "B1"), 0) not in found
    wide = battle(f"{row}\n{row}", "greeks spears A1 e", "greeks archers B1 e")
    for points, harmed in ((4, (1, 0)), (12, ())):
        assert ways(wide, 0, points)[square(wide, "C1"), 0].disrupted == harmed
    calm = battle(row, "greeks spears A1 e disrupted", "greeks archers B1 e disrupted")
    assert ways(calm, 0, 4)[end].disrupted == ()


def test_enemies_and_their_camp_are_not_entered():
    """BB 7.3; the camp is ours."""
    assert "B1 e" not in ends(battle("...", "greeks peltast A1 e", "persians hoplite B1 e"), 9)
    state = battle("...", "greeks peltast A1 e", "persians camp B1")
    assert "B1 e" not in ends(state, 9)
    assert "B1 e" in ends(state.replaced({"sacked": (False, True)}), 9)


def test_a_shield_wall_does_not_move():
    """BB 13.2."""
    assert ends(battle(OPEN, "greeks spears C3 n wall"), 9) == {}


def test_an_end_that_is_none():
    state = battle(OPEN, "greeks spears C3 n")
    found = ways(state, 0, 2)
    assert (square(state, "C3"), 2) not in found
    with pytest.raises(KeyError):
        found[square(state, "A1"), 0]


def test_turns_between_facings():
    assert [turns(0, other) for other in range(8)] == [0, 1, 2, 3, 4, 3, 2, 1]
