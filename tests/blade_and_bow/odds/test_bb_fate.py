"""What hits do to a unit: the book's examples, and that more hits cost more (BB 8.5.3, 9.4.7)."""

from itertools import pairwise, product

import pytest

from brickphys.blade_and_bow.odds.fate import Stand, costs, fate
from brickphys.blade_and_bow.sheets.counters import Density

OPEN, DENSE, FLEXIBLE = Density.OPEN, Density.DENSE, Density.FLEXIBLE


@pytest.mark.parametrize(
    ("stand", "hits", "expected"),
    [
        (Stand(OPEN), 4, (True, 0, True, 2)),  # 9.4.7.1: two rout check dice
        (Stand(OPEN), 3, (True, 0, True, 1)),  # 9.4.7.1, example
        (Stand(OPEN, disrupted=True), 3, (False, 0, True, 2)),
        (Stand(DENSE, 2), 5, (True, 2, True, 1)),  # 9.4.7.2, example
        (Stand(DENSE, 2, disrupted=True), 5, (False, 2, True, 2)),
        (Stand(FLEXIBLE, 2), 5, (True, 1, False, 0)),  # 9.4.7.3, example
        (Stand(FLEXIBLE, 2, disrupted=True), 5, (False, 2, False, 0)),
        (Stand(OPEN, guards=1), 4, (True, 0, True, 1)),  # 9.4.10
    ],
)
def test_hits_of_a_melee(stand, hits, expected):
    assert fate(stand, hits) == expected


@pytest.mark.parametrize(
    ("stand", "hits", "expected"),
    [
        (Stand(OPEN), 1, (True, 0, False, 0)),
        (Stand(OPEN), 3, (True, 0, True, 2)),  # each hit after the disruption is checked
        (Stand(DENSE, 1), 3, (True, 1, True, 1)),
        (Stand(FLEXIBLE, 1, disrupted=True), 2, (False, 1, True, 1)),  # it ignores none
    ],
)
def test_hits_of_missiles(stand, hits, expected):
    assert fate(stand, hits, ranged=True) == expected


def test_more_hits_cost_more_and_none_cost_nothing():
    for density, ranks, disrupted, morale in product(Density, range(4), (False, True), (2, 3, 4)):
        for ranged in False, True:
            found = costs(Stand(density, ranks, disrupted, morale), ranged=ranged)
            assert found[0] == 0
            assert all(one <= other for one, other in pairwise(found))
            assert found[-1] > 0
