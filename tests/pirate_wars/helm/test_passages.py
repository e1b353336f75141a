"""Passages: turns to a place against all courses of the game itself, and cycles worked out by hand."""

import numpy as np
import pytest

from brickphys.pirate_wars.helm.courses import courses, meeting_turns
from brickphys.pirate_wars.helm.passages import turns_to
from brickphys.pirate_wars.sailing import FallOff, begin_move
from brickphys.pirate_wars.state import Phase
from brickphys.rules.plans import LEVELS, Effort
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.helm.test_tactics import STRONG, best, pearl

SEA = (1000.0, 1000.0)
FAR_STUDS = 300.0


def alone(sheet, heading, **changes):
    """A ship in the middle of a wide sea, wind along x, and an enemy out of sight."""
    ship = boat(sheet, x=500, y=500, heading=heading)
    return fleet(ship, boat(x=10, y=10, player=1), sea=SEA, **changes)


def around():
    """Places far away all around the middle of the sea, shape (8, 2)."""
    ways = np.radians(np.arange(0.0, 360.0, 45.0))
    return 500.0 + FAR_STUDS * np.column_stack((np.cos(ways), np.sin(ways)))


SHEETS = ["caribbean_clipper", "renegade_runner_modified", "black_seas_barracuda"]


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("heading", [0, 45, 90, 120, 150, 180, -60, -90])
def test_the_best_course_of_a_turn_brings_a_ship_a_turn_nearer_and_none_more(sheet, heading):
    state = alone(sheet, heading)
    moved = begin_move(state.change_ship(0, is_adrift=abs(heading) > 135), 0)
    ends = [course.end for course in courses(moved, 0, Effort(LEVELS["hard"]))]
    left = np.min([turns_to(end, 0, around()) for end in ends], axis=0)
    nearer = turns_to(state, 0, around()) - left
    assert nearer.max() < 1.05
    assert nearer.min() > 0.7
    assert np.median(nearer) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("heading", [20, 90, 100, 135, 180, -170, -120])
def test_a_ship_that_may_fall_off_counts_with_the_best_way_to_do_so(sheet, heading):
    state = alone(sheet, heading, phase=Phase.FALLING_OFF, active=0)
    ends = [fall.apply(state) for fall in FallOff.legal(state)]
    later = np.min([turns_to(end, 0, around()) for end in ends], axis=0)
    later -= turns_to(state, 0, around())
    assert later.min() > -0.05
    assert later.max() < 0.6


@pytest.mark.parametrize(
    ("sheet", "made_studs"),
    [
        # with the wind abeam, a leap across, a turn into the wind, the other leaps, and a turn that takes half a length
        ("renegade_runner_modified", 12 + 24 + 16 - 12),
        ("imperial_flagship", 16 + 28 - 16),
    ],
)
def test_a_ship_beats_to_windward_at_full_speed(sheet, made_studs):
    state, places = alone(sheet, 90), np.array([(400.0, 500.0), (100.0, 500.0)])
    near, far = turns_to(state, 0, places)
    assert 300.0 / (far - near) == pytest.approx(made_studs)


def test_a_ship_without_a_rudder_drifts():
    state = alone("black_pearl", 0).change_ship(0, rudder_lost=True)
    lee, windward = turns_to(state, 0, np.array([(580.0, 500.0), (420.0, 500.0)]))
    assert lee == pytest.approx(80.0 / 8.0)
    assert windward > 2 * lee


@pytest.mark.parametrize(("x", "y"), [(300, 280), (450, 260), (650, 40), (120, 200), (690, 280)])
def test_a_carrier_is_met_where_both_can_be_soonest(x, y):
    """Against a hundred times as many places, which lie at most half a turn of a fast ship nearer."""
    area = (100.0, 150.0)
    state = fleet(pearl(x=600, y=150, heading=180), pearl(x=x, y=y, player=1), sea=(700.0, 300.0))
    places = np.linspace((600.0, 150.0), area, 800)
    goes = turns_to(state, 0, places) - 1.0  # its move of this turn is still to come
    after_move = state.replaced({"done": frozenset({1})})
    soonest = np.maximum(turns_to(after_move, 1, places), goes).min()
    assert 0.0 <= meeting_turns(after_move, 1, 0, area) - soonest < 0.5


def gained_studs(state, turns):
    """How far the first ship has come to windward if it plays some turns by itself."""
    for _ in range(turns):
        state = begin_move(state, 0)
        for action in best(state).actions:
            state = action.apply(state)
        state = state.replaced({"phase": Phase.FALLING_OFF, "active": 0, "done": frozenset()})
        state = best(state).actions[0].apply(state)
        state = state.replaced({"phase": Phase.MOVEMENT, "active": None, "done": frozenset()})
    return 300.0 - state.ships[0].x_studs


def test_a_hunter_beats_to_windward_at_full_speed():
    """The cycle by hand brings 40 studs a turn; close to the wind at half speed it would be 23."""
    hunter = boat("renegade_runner_modified", x=300, y=150, heading=90, crew=STRONG)
    prey = boat("renegade_runner", x=40, y=150, heading=90, player=1)
    assert gained_studs(fleet(hunter, prey), 4) > 3.5 * 40


def test_a_hunter_tacks_before_it_is_far_aside():
    hunter = pearl(x=300, y=150, heading=100)
    prey = boat("renegade_runner", x=40, y=150, heading=90, player=1)
    assert gained_studs(fleet(hunter, prey), 4) > 60
