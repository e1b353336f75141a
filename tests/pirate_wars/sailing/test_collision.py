"""Hulls never overlap, and leaps, drifts and swings stop where a plain bisection says (PW Movement)."""

import numpy as np
import pytest

from brickphys.pirate_wars.sailing import Swing, begin_move, due_ships, go, lashed_to, set_adrift
from brickphys.pirate_wars.sheets import ships
from brickphys.pirate_wars.state import State
from brickphys.seeds import generator
from brickphys.vehicles.scene import PivotTurn, Straight
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.sailing.plain_hulls import (
    deepest,
    first_overlap,
    gone,
    overlaps,
    plain_ship,
    polygon,
    swung,
)

SEA = (220.0, 200.0)
NAMES = list(ships())
AGREE = 1e-6
"""Studs and degrees: the bisection sees an overlap once it is a billionth of a stud deep."""
TOLERANCE_STUDS = 1e-9 + 1e-11
"""What the geometry takes for a touch, and roundings."""


def random_fleet(rng: np.random.Generator, count: int) -> State:
    """Ships of any kind that do not overlap, crowded enough to run into each other."""
    boats = []
    hulls = []
    while len(boats) < count:
        x, y = (rng.uniform(30, size - 30) for size in SEA)
        sheet = NAMES[rng.integers(len(NAMES))]
        one = boat(sheet, x=x, y=y, heading=rng.uniform(0, 360), player=len(boats) % 2)
        hull = polygon(plain_ship(fleet(one), 0))
        if all(hull.distance(other) > 0.5 for other in hulls):
            boats.append(one)
            hulls.append(hull)
    return fleet(*boats, sea=SEA, wind=float(rng.uniform(0, 360)))


def random_piece(rng: np.random.Generator, state: State, ship: int):
    if rng.random() < 0.5:
        return PivotTurn(float(rng.uniform(-90, 90)), state.setting.ships[ship].sheet.rudder_studs)
    direction = None if rng.random() < 0.7 else float(rng.uniform(0, 360))
    return Straight(float(rng.uniform(0.5, 60)), direction)


def expected(state: State, ship: int, piece) -> tuple[float, object]:
    """How far a piece comes by the plain way, and the hulls of the moved ships at any time."""
    body = lashed_to(state, ship)
    own = [plain_ship(state, part) for part in body]
    others = [polygon(plain_ship(state, n)) for n, _ in state.afloat if n not in body]
    middle, heading = own[0][1], own[0][2]
    if isinstance(piece, Straight):
        to = heading if piece.direction_deg is None else piece.direction_deg
        extent, speed = piece.ahead_studs, 1.0
        paths = [lambda t, one=one: gone(one, to, t) for one in own]
    else:
        arm = state.setting.ships[ship].sheet.length_studs / 2
        pivot = gone(([], middle, 0.0), heading, -arm)[1]
        extent, sign = abs(piece.turn_deg), np.sign(piece.turn_deg)
        reach = max(abs(corner - pivot) for one in own for corner in swung_outline(one))
        speed = float(np.radians(reach))
        paths = [lambda t, one=one: swung(one, pivot, sign * t) for one in own]

    def at(come: float):
        return [polygon(path(come)) for path in paths]

    return first_overlap(at, others, extent, speed), (at, others)


def swung_outline(one):
    return [complex(x, y) for x, y in polygon(one).exterior.coords]


def check_random_pieces(seed: int, pieces: int) -> int:
    """Move ships of a random fleet; all come as far as the plain way says. Return how many are stopped."""
    rng = generator(seed)
    state, stops = random_fleet(rng, 6), 0
    for _ in range(pieces):
        if not any(state.afloat):
            state = random_fleet(rng, 6)
        ship = int(rng.choice([number for number, _ in state.afloat]))
        piece = random_piece(rng, state, ship)
        plain, (at, others) = expected(state, ship, piece)
        state, move = go(state, ship, piece)
        (result,) = move.pieces
        if move.leaves_field:
            assert result.at <= plain + AGREE
            continue
        if result.at < plain - AGREE:  # a corner that is cut off between two looks of the plain way
            assert move.stopped_by
            assert any(
                overlaps(at(result.at + more), others) for more in np.geomspace(1e-8, 0.05, 99)
            )
        else:
            assert result.at == pytest.approx(plain, abs=AGREE)
        assert deepest(state) <= TOLERANCE_STUDS
        stops += bool(move.stopped_by)
        if move.stopped_by and rng.random() < 0.4:
            state = state.lash(ship, state.setting.ship_numbers[move.stopped_by[0]])
    return stops


@pytest.mark.parametrize(
    ("seeds", "pieces", "least"),
    [(range(20), 6, 10), pytest.param(range(1000, 1500), 10, 500, marks=pytest.mark.slow)],
)
def test_random_leaps_drifts_and_swings_stop_where_a_bisection_says(seeds, pieces, least):
    assert sum(check_random_pieces(seed, pieces) for seed in seeds) > least


def random_turn(rng: np.random.Generator, state: State) -> State:
    """A turn of the book without tasks, by random choices; every hull is looked at after each of them."""
    lashed = tuple(pair for pair in state.lashed if rng.random() < 0.5)
    state = set_adrift(state.replaced({"done": frozenset(), "lashed": lashed}))
    for player in range(2):
        state = state.replaced({"turn": player})
        while ready := due_ships(state):
            state = begin_move(state, ready[rng.integers(len(ready))])
            while state.active is not None:
                assert deepest(state) <= TOLERANCE_STUDS
                limit = state.may_turn_deg
                listed = list(Swing.legal(state))
                typed = Swing(float(rng.uniform(-limit, limit)))
                choice = listed[rng.integers(len(listed))] if rng.random() < 0.7 else typed
                assert not list(choice.problems(state))
                state = choice.apply(state)
            state = state.replaced({"pending": ()})
            assert deepest(state) <= TOLERANCE_STUDS
    return state


@pytest.mark.parametrize(
    ("seeds", "turns"), [(range(10), 3), pytest.param(range(100, 300), 5, marks=pytest.mark.slow)]
)
def test_no_hulls_overlap_in_random_turns(seeds, turns):
    rams = 0
    for seed in seeds:
        rng = generator(seed)
        state = random_fleet(rng, 6)
        for _ in range(turns):
            state = random_turn(rng, state)
            rams += len(state.lashed)
    assert rams > 3
