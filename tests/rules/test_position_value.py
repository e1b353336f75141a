"""What positions seem worth, on a line of places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.rules.aims import (
    NEARNESS,
    OUTLOOK,
    Carry,
    Hold,
    Placed,
    Reach,
    RoundLimit,
    balance,
    common_areas,
    errands,
    has_errands,
    position_value,
)

LENGTH = 100.0


def value(*units, areas=(), team=0):
    """The value for a team on a line; a facing of 1 looks right, -1 looks left."""

    def distance(one, other):
        return abs(other - one)

    def looks_at(facing, at, goal):
        return facing * (goal - at) > 0

    return position_value(team, units, areas, distance, LENGTH, looks_at)


@given(st.dictionaries(st.integers(0, 3), st.integers(0, 50), min_size=2, max_size=2))
def test_the_balance_of_two_is_fair_and_between_minus_one_and_one(strength):
    found = balance(strength)
    if any(strength.values()):
        assert sum(found.values()) == pytest.approx(0)
    assert all(-1 <= worth <= 1 for worth in found.values())
    assert max(found, key=found.get) in [
        team for team, points in strength.items() if points == max(strength.values())
    ]


def test_half_the_field_costs_the_nearness():
    assert value(Placed(0, 0.0), Placed(1, 50.0)) == -NEARNESS
    assert value(Placed(0, 50.0), Placed(1, 50.0)) == 0.0


def test_the_nearest_goal_counts_whether_enemy_or_area():
    foe, other = Placed(1, 50.0), Placed(1, 90.0)
    assert value(Placed(0, 40.0), other, foe) == value(Placed(0, 40.0), foe)
    assert value(Placed(0, 40.0), foe, areas=[30.0]) == value(Placed(0, 40.0), foe)
    assert value(Placed(0, 40.0), foe, areas=[35.0]) == -NEARNESS / 10


def test_who_looks_at_the_goal_has_the_outlook():
    foe = Placed(1, 50.0)
    assert value(Placed(0, 50.0, 1), foe) == 0.0
    assert value(Placed(0, 40.0, 1), foe) - value(Placed(0, 40.0), foe) == pytest.approx(OUTLOOK)
    assert value(Placed(0, 40.0, -1), foe) == value(Placed(0, 40.0), foe)


def test_an_errand_goes_before_everything_else():
    foe = Placed(1, 50.0)
    assert value(Placed(0, 50.0, None, (0.0, 90.0)), foe) == pytest.approx(-NEARNESS * 0.8)


def test_a_team_without_units_or_goals_has_no_place():
    assert value(Placed(1, 3.0)) == 0.0
    assert value(Placed(0, 3.0)) == 0.0


def test_aims_send_the_units_that_they_are_for():
    aims = [
        Reach(0, "a", (2,)),
        Reach(0, "b"),
        Carry(0, "c", "key"),
        Hold(0, "d", 1),
        RoundLimit(9),
    ]
    assert has_errands(aims)
    assert not has_errands([Hold(0, "d", 1), RoundLimit(9)])
    assert errands(aims, 0, 2, ()) == ["a"]
    assert errands(aims, 0, 3, {"key"}) == ["c"]
    assert errands(aims, 1, 4, {"key"}) == []
    assert common_areas(aims, 0) == ["b", "d"]
    assert common_areas(aims, 1) == []
