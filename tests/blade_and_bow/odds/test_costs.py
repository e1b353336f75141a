"""What hits cost, by hand; `test_fates` has every unit."""

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
