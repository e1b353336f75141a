"""Landing spots of figures that were hit, against a search of every stud."""

from itertools import product
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.polygon import intersection
from brickphys.vehicles.crash_outcome import landing_spots
from brickphys.vehicles.scene import Bounds, Fixture, Unit, Vehicle

FIELD = Bounds(14.0, 11.0)
CAR = Vehicle("car", 7.0, 5.0, 30.0, 6.0, 4.0)
AXIS = st.floats(-1.0, 15.0)


def is_free(stud, things):
    footprint = Unit("", *stud).prism.footprint
    common = [intersection(footprint, thing.prism.footprint) for thing in things]
    return all(area is None or area.area_studs2 < 1e-8 for area in common)


@given(AXIS, AXIS)
def test_nearest_free_stud(x, y):
    found = landing_spots({"u": (x, y)}, FIELD, [CAR, Unit("other", 2.5, 2.5)])["u"]
    if not FIELD.contains((x, y)):
        assert found is None
        return
    studs = [(a + 0.5, b + 0.5) for a, b in product(range(14), range(11))]
    free = [stud for stud in studs if is_free(stud, [CAR, Unit("other", 2.5, 2.5)])]
    nearest = min(hypot(a - x, b - y) for a, b in free)
    assert found in free
    assert hypot(found[0] - x, found[1] - y) == nearest


@given(st.lists(st.tuples(st.floats(0, 4), st.floats(0, 4)), min_size=1, max_size=20))
def test_no_two_on_one_stud_and_none_where_all_are_taken(ends):
    named = {f"unit {n:02}": end for n, end in enumerate(ends)}
    found = [stud for stud in landing_spots(named, Bounds(4.0, 4.0), []).values() if stud]
    assert len(found) == len(set(found)) == min(len(ends), 16)


@pytest.mark.parametrize("end", [(0.5, 0.5), (2.5, 3.5), (3.0, 3.0), (6.0, 0.0)])
def test_all_studs_are_taken_in_the_order_of_distance_and_of_two_equally_near_the_smaller_first(
    end,
):
    """Many are as far off as a ring reaches."""
    studs = [(a + 0.5, b + 0.5) for a, b in product(range(6), range(5))]
    order = sorted(studs, key=lambda stud: (hypot(stud[0] - end[0], stud[1] - end[1]), stud))
    found = landing_spots({f"u{n:02}": end for n in range(31)}, Bounds(6.0, 5.0), [])
    assert list(found.values()) == [*order, None]


def platform(top):
    return Fixture("platform", ((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)), top_plates=top)


def test_figure_on_raised_ground_lies_on_it_and_others_beside_it():
    def thrown(bottom, *things):
        return landing_spots({"u": (3.4, 4.6)}, FIELD, things, {"u": bottom})["u"]

    assert thrown(15.0, platform(15.0)) == (3.5, 4.5)
    assert thrown(0.0, platform(15.0)) == (1.5, 4.5)
    assert thrown(15.0, platform(16.0)) == (1.5, 4.5)  # it did not stand so high
    assert thrown(15.0, platform(15.0), Unit("other", 3.5, 4.5, 15.0, 27.5)) == (2.5, 4.5)
    assert thrown(1.0, platform(1.0), Unit("on it", 3.5, 4.5, 1.0, 2.0)) == (2.5, 4.5)
    assert landing_spots({"u": (3.4, 4.6)}, FIELD, [platform(0.5)])["u"] == (1.5, 4.5)  # from 0
    beside = Vehicle("beside", 1.0, 4.5, 0.0, 2.0, 4.0)
    assert landing_spots({"u": (1.5, 4.5)}, FIELD, [platform(15.0), beside], {"u": 15.0})["u"] == (
        2.5,
        4.5,
    )


def test_large_fields_are_no_burden():
    assert landing_spots({"u": (5000.2, 5000.2)}, Bounds(10_000.0, 10_000.0), []) == {
        "u": (5000.5, 5000.5)
    }
