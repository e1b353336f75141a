"""What hits cost: none cost nothing, more cost more, and what helps a unit makes them cheaper."""

from itertools import pairwise, product

import pytest

from brickphys.blade_and_bow.dice_law import (
    DECISIVE,
    DISRUPTION,
    RECOIL,
    ROUT,
    SACK,
    UnitCondition,
    camp_costs,
    costs,
)
from brickphys.blade_and_bow.odds import melee
from brickphys.blade_and_bow.sheets import Density

STANDS = [
    UnitCondition(density, ranks, disrupted, morale)
    for density, ranks, disrupted, morale in product(Density, range(4), (False, True), (2, 3, 4))
]


@pytest.mark.parametrize("ranged", [False, True])
def test_more_hits_cost_more_and_none_cost_nothing(ranged):
    for stand in STANDS:
        found = costs(stand, ranged=ranged)
        assert found[0] == 0
        assert all(one <= other for one, other in pairwise(found))
        assert found[-1] > 0


@pytest.mark.parametrize("ranged", [False, True])
def test_morale_a_leader_and_a_camp_make_hits_cheaper(ranged):
    for stand in STANDS:
        base = costs(stand, ranged=ranged)
        better = stand._replace(morale=5), stand._replace(guards=1), stand._replace(spared=1)
        for other in better:
            found = costs(other, ranged=ranged)
            assert all(one <= two for one, two in zip(found, base, strict=True))
            assert sum(found) < sum(base) or stand.density is Density.FLEXIBLE


def test_costs_of_an_open_unit_by_hand():
    """The first hit disrupts, the second drives it back, each further one is a die of a rout check (BB 9.4.7.1)."""
    stays = 1 / 2
    expected = DISRUPTION + stays * RECOIL + (1 - stays) * ROUT
    assert costs(UnitCondition(Density.OPEN))[:4] == pytest.approx(
        (0, DISRUPTION, DISRUPTION + RECOIL, expected)
    )


def test_a_camp_cancels_the_first_hit_and_is_lost_by_the_second():
    for decides, cost in ((False, SACK), (True, DECISIVE)):
        assert camp_costs(decides=decides) == (0, 0, *[cost] * 7)
    assert DECISIVE > SACK > 0


def test_the_odds_tell_the_costs_by_which_players_choose():
    told = f"a disruption {DISRUPTION}, a recoil {RECOIL}, a rout {ROUT}"
    assert f"a lost rank 1, {told}" in " ".join(melee.__doc__.split())
