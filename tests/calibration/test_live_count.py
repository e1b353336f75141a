"""Live counts: however they are cut into chunks, and wherever they stop, they are the throws of `drop`."""

import pytest

from brickphys.calibration.drop import cell_of, drop
from brickphys.calibration.live_count import live_count


@pytest.mark.parametrize(("bricks", "floor", "hands"), [(1, "plane", 700), (2, "plane", 6)])
def test_the_last_total_is_that_of_a_drop(bricks, floor, hands):
    cell = cell_of("2x2", None, "hand", bricks=bricks, floor_name=floor)
    totals = list(live_count(cell, 5, hands))
    assert totals[-1] == drop(cell, hands, 5, 1).tally
    done = [total.hands for total in totals]
    assert done == sorted(set(done))
    assert done[-1] == hands
    assert bricks > 1 or len(done) > 5


def test_chunks_of_throws_that_take_long_stay_small():
    cell = cell_of("2x2", None, "hand", bricks=12)
    counted = live_count(cell, 5, 10**6)
    done = [next(counted).hands for _ in range(3)]
    assert done[0] == 1
    assert done[-1] <= 1 + 2 * 10


def test_a_count_stops_between_two_chunks():
    cell = cell_of("2x2", None, "hand")
    answers = iter([False, False, False, True])
    assert len(list(live_count(cell, 5, 10**6, lambda: next(answers)))) == 3
