"""Live counts: however they are cut into chunks, and wherever they stop, they are the throws of `drop`."""

import itertools

import pytest

from brickphys.calibration.throw import cell_of, drop
from brickphys.calibration.throwers import live_count
from brickphys.errors import CancelledRunError
from brickphys.signals import cancelled_by


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


def test_hands_that_share_a_world_end_while_they_are_thrown():
    cell = cell_of("2x2", None, "hand", bricks=12, floor_name="baseplate")
    asked = itertools.count()
    with pytest.raises(CancelledRunError), cancelled_by(lambda: next(asked) == 2):
        next(live_count(cell, 5, 100))
    assert next(asked) == 3
