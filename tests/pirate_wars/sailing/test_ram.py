"""Rams: from which angle on, and what they do to both ships (PW Movement)."""

from dataclasses import replace
from math import asin, degrees, radians, tan

import numpy as np
import pytest

from brickphys.pirate_wars.damage import Casualty
from brickphys.pirate_wars.sailing import Swing, begin_move, due_ships, go, lashed_to, ram, rammed
from brickphys.pirate_wars.sheets import Role, ships
from brickphys.pirate_wars.state import Fate, MoraleCause, Phase
from brickphys.pirate_wars.turns import PhaseEnd
from brickphys.seeds import generator
from brickphys.vehicles.scene import Straight
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.sailing.plain_hulls import outline, plain_ship, polygon
from tests.pirate_wars.told_tasks import answered, ended, settled, tasks, why_not

RUNNER, SCHOONER = "renegade_runner", "skulls_eye_schooner"


def abeam(angle: float, gap: float = 10.0, **changes):
    """A runner that is to strike the side of a schooner at an angle, its foremost corner so far off."""
    corners = (
        np.array(ships()[RUNNER].hull.vertices_studs) @ [1, 1j] * np.exp(1j * np.radians(angle))
    )
    foremost = corners[corners.imag.argmax()]
    x, y = -gap / tan(radians(angle)) - foremost.real, -gap - foremost.imag
    own = boat(RUNNER, x=200 + x, y=150 - 6 + y, heading=angle, **changes)
    return fleet(own, boat(SCHOONER, x=200, y=150, player=1), wind=angle)


@pytest.mark.parametrize(
    ("angle", "is_ram"),
    [(20, False), (44.9, False), (45, True), (45.1, True), (90, True), (135, True), (135.1, False)],
)
def test_bow_into_a_parallel_side(angle, is_ram):
    state = begin_move(abeam(angle, gap=6.0), 0)
    assert polygon(plain_ship(state, 0)).bounds[3] == pytest.approx(144, abs=1e-9)
    assert state.lashed == (((0, 1),) if is_ram else ())
    assert (state.ships[1].hull < 6) is is_ram


def test_a_ram_is_a_matter_of_the_face_that_parts_the_hulls():
    """Of random collisions: the plain normal is that of the edge beyond which the other hull lies."""
    seen = []
    for seed in range(200):
        rng = generator(seed)
        x, y, heading, way = rng.uniform((-30, -30, 0, -20), (30, 30, 360, 20))
        own = boat(RUNNER, x=100, y=150)
        state = fleet(own, boat(SCHOONER, x=160 + x, y=150 + y, heading=heading, player=1))
        after, move = go(state, 0, Straight(90.0, way))
        if not move.hits or move.hits[0].at == 0:
            continue
        hulls = [outline(plain_ship(after, ship)) for ship in (0, 1)]
        normals = [*_parting(*hulls), *_parting(*reversed(hulls))]
        angles = [
            degrees(asin(abs((normal * np.exp(-1j * radians(way))).real))) for normal in normals
        ]
        assert angles
        if max(angles) < 44.999 or min(angles) > 45.001:
            assert bool(rammed(after, move)) is (min(angles) > 45)
            seen.append(min(angles) > 45)
    assert min(seen.count(True), seen.count(False)) > 20


def _parting(one, other):
    """The unit normals of the edges of a hull that have the other one beyond them."""
    middle = sum(one) / len(one)
    for start, end in zip(one, [*one[1:], one[0]], strict=True):
        normal = 1j * (end - start) / abs(end - start)
        if ((middle - start) * normal.conjugate()).real > 0:
            normal = -normal
        if min(((corner - start) * normal.conjugate()).real for corner in other) > -1e-7:
            yield normal


@pytest.mark.parametrize("rammer", ships())
@pytest.mark.parametrize("target", [RUNNER, SCHOONER])
@pytest.mark.parametrize("off", [0.0, 1.5, -3.0])
def test_bow_to_bow_is_a_ram(rammer, target, off):
    own = boat(rammer, x=100, y=100)
    state = fleet(own, boat(target, x=170, y=100 + off, heading=180, player=1))
    assert begin_move(state, 0).lashed or _after_leap(state).lashed == ((0, 1),)


def _after_leap(state):
    return Swing(0.0).apply(begin_move(state, 0))


@pytest.mark.parametrize("rammer", ships())
def test_bow_into_the_stern_is_a_ram(rammer):
    own = boat(rammer, x=100, y=100)
    state = fleet(own, boat(x=130 + ships()[rammer].length_studs / 2, y=101, player=1))
    assert begin_move(state, 0).lashed == ((0, 1),)


@pytest.mark.parametrize(("sails", "damage"), [(1, 1), (2, 1), (3, 2), (4, 2), (7, 4), (8, 4)])
def test_the_rammed_ship_takes_half_the_sails_of_the_rammer_rounded_up(sails, damage):
    """All hull lines: sails above the hull that is left are struck with them (PW Damage Chart)."""
    state = fleet(
        boat(SCHOONER, x=100, y=100, sails=sails, hull=6),
        boat("imperial_flagship_large", x=200, y=100, player=1),
    )
    after = ram(state, 0, [1])
    assert after.ships[1].hull == 7 - damage
    assert after.ships[1].sails == min(10, 7 - damage)


@pytest.mark.parametrize(
    ("rammer", "target", "damage"),
    [
        (RUNNER, SCHOONER, 2),
        (SCHOONER, RUNNER, 1),
        (RUNNER, RUNNER, 1),
        ("black_pearl", "red_beards_runner", 1),
        ("caribbean_clipper", "imperial_flagship", 1),
        (SCHOONER, "imperial_flagship_large", 2),
    ],
)
def test_the_rammer_takes_one_or_two_if_the_other_is_larger(rammer, target, damage):
    state = fleet(boat(rammer, x=100, y=100), boat(target, x=200, y=100, player=1))
    assert ram(state, 0, [1]).ships[0].hull == state.ships[0].hull - damage


def test_a_ship_of_equal_length_and_more_hull_lines_is_larger():
    """Of ships of one length the chart has none with more hull lines: a damaged chart does not count."""
    flagship, large = ships()["imperial_flagship"], ships()["imperial_flagship_large"]
    assert large.size > flagship.size == ships()["caribbean_clipper"].size


def test_both_are_adrift_and_lashed_and_test_their_morale_and_lose_crew():
    state = begin_move(abeam(90, sails=3), 0)
    assert [ship.is_adrift for ship in state.ships] == [True, True]
    assert set(state.causes) >= {(0, MoraleCause.ADRIFT), (1, MoraleCause.ADRIFT)}
    assert (state.active, state.done, state.may_turn_deg) == (None, frozenset({0}), 0.0)
    asked = {(each.ship, each.count) for each in state.pending if isinstance(each, Casualty)}
    # 2 of 3 hull lines, and 2 sails that are struck; 2 of 6 hull lines, and sails 5 to 8
    assert asked == {(0, 4), (1, 6)}


def test_a_ship_that_touches_already_makes_no_way_and_rams_nobody():
    state = abeam(90, gap=0.0)
    after = begin_move(state, 0)
    assert after.ships == state.ships
    assert (after.lashed, after.may_turn_deg, after.left_studs) == ((), 45.0, 0.0)


def test_a_drift_rams_nobody():
    own = boat(RUNNER, x=100, y=100, is_adrift=True)
    state = fleet(own, boat(x=120, y=100, heading=90, player=1))
    after = begin_move(state, 0)
    assert after.ships[0].x_studs == pytest.approx(120 - 6 - 12)
    assert (after.lashed, after.ships[1], after.done) == ((), state.ships[1], frozenset({0}))


def test_a_swing_rams_nobody_and_stops_where_it_touches():
    """The bow comes round to the side of the other ship, square to it."""
    length = ships()[RUNNER].length_studs
    rudder = (100 - length / 2, 100)
    other = boat(x=rudder[0] + 20, y=100 + 12 + 6, player=1)
    state = begin_move(fleet(boat(RUNNER, x=100 - length, y=100), other), 0)
    after = Swing(90.0).apply(state)
    assert 0 < after.ships[0].heading_deg < 90
    assert (after.lashed, after.ships[1]) == ((), state.ships[1])


def test_a_glancing_blow_ends_the_move_and_leaves_a_small_turn_after_a_short_way():
    short, far = begin_move(abeam(30, gap=6.0), 0), begin_move(abeam(30, gap=6.1), 0)
    assert (short.may_turn_deg, short.left_studs, short.active) == (45.0, 0.0, 0)
    assert (far.may_turn_deg, far.active, far.done) == (0.0, None, frozenset({0}))
    assert short.lashed == far.lashed == ()
    assert short.ships[0].hull == far.ships[0].hull == 3


def test_a_ram_hits_every_ship_that_the_bow_strikes_at_once():
    """The tip of the bow meets two ships that lie side by side, flush, bow out and stern out."""
    pair = [boat(x=200, y=94, heading=180, player=1), boat(x=200, y=106, heading=180, player=1)]
    state = fleet(boat(SCHOONER, x=120, y=100), *pair)
    after = begin_move(state, 0)
    assert after.lashed in {((0, 1), (0, 2)), ((0, 2), (0, 1))}
    assert [ship.hull for ship in after.ships] == [4, 2, 2]


def test_a_ship_of_the_own_team_is_rammed_like_any_other():
    """PW Movement: the book makes no exception; nobody can board it, and after the phase of tasks both are free."""
    foe = abeam(90, gap=6.0)
    friend = foe.replaced({"setting": replace(foe.setting, teams=(0, 0))})
    after, other = (begin_move(state, 0) for state in (friend, foe))
    assert after.ships == other.ships
    assert after.lashed == ((0, 1),)
    assert set(after.causes) == {(0, MoraleCause.ADRIFT), (1, MoraleCause.ADRIFT)}
    after = answered(after)
    assert why_not(tasks(after), "board a b") == ["b is not an enemy (PW Tasks)"]
    assert not ended(tasks(after)).lashed


@pytest.mark.parametrize("wind", [0.0, 180.0])
def test_a_ship_that_a_ram_has_sunk_goes_down_where_it_is(wind):
    """PW Damage Chart: it sinks at the end of the phase, and does not drift off the sea before (PW Movement)."""
    own = boat(SCHOONER, x=30, y=60, heading=270.0, sails=8)
    foe = boat(RUNNER, x=30, y=3, heading=0.0, player=1, crew=(Role.CAPTAIN, Role.PIRATE))
    state = fleet(own, foe, boat(x=300, y=200, player=1), wind=270.0)
    state = answered(begin_move(state, 0))
    assert state.ships[1].hull == 0
    there = state.ships[1].pose
    state = state.replaced({"turn": 1})
    assert due_ships(state) == [2]
    assert lashed_to(state, 0) == (0,)
    state = PhaseEnd().happen(state.replaced({"phase": Phase.MOVEMENT, "turn": 2}))
    state = settled(state)
    assert state.ships[1].fate is Fate.SUNK
    assert state.ships[1].pose == there
    assert [now.swims for now in state.minifigs[10:12]] == [True, False]
