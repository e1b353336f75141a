"""Armies and who sits where (BOW 3.1)."""

import pytest

from brickphys.bow.sheets.army import Army, Boarded
from brickphys.bow.sheets.catalogue import unit, vehicle

DRIVER = Boarded("driver", "jeep", "driver")


def army(*boarded: Boarded, vehicles=("jeep",)) -> Army:
    minifigs = (unit("driver"), unit("trooper"), unit("trooper"))
    return Army("reds", minifigs, tuple(map(vehicle, vehicles)), boarded)


def test_an_army_without_fault():
    assert army(DRIVER, Boarded("trooper", "jeep", "passenger")).problems() == []


@pytest.mark.parametrize(
    ("boarded", "fault"),
    [
        (
            [Boarded("driver", "tank", "driver")],
            "boarded[0].vehicle: seat without vehicle: unknown",
        ),
        (
            [Boarded("knight", "jeep", "driver")],
            "boarded[0].unit: unknown unit of this army 'knight'",
        ),
        ([Boarded("driver", "jeep", "roof")], "boarded[0].seat: unknown seat of jeep 'roof'"),
        (
            [DRIVER, Boarded("trooper", "jeep", "driver")],
            "boarded: 2 minifigs in 1 seat jeep/driver",
        ),
        ([DRIVER, Boarded("driver", "jeep", "passenger")], "boarded: 2 seats for 1 of driver"),
    ],
)
def test_faults(boarded, fault):
    (found,) = army(*boarded).problems()
    assert found.startswith(fault)


def test_two_of_a_kind_have_seats_each():
    both = army(DRIVER, Boarded("trooper", "jeep", "driver"), vehicles=("jeep", "jeep"))
    assert both.problems() == []


def test_an_army_needs_units():
    """BOW 3.1: a vehicle does not act by itself."""
    assert Army("reds", (), (vehicle("jeep"),)).problems() == [
        "units: an army needs a unit, since only units act (BOW 3.1)"
    ]
