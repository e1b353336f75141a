"""Armies and who sits where (BOW 3.1)."""

from dataclasses import replace

import pytest

from brickphys.bow.sheets.catalogue import unit, vehicle
from brickphys.bow.sheets.library import Army, Boarded

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


def test_a_unit_that_is_too_skilled_for_the_weapon_of_its_seat():
    """Ours: Attack/Damage has six studs in a seat too."""
    gunner = replace(unit("gunner"), attack=6)
    found = Army("reds", (gunner,), (vehicle("tank"),), (Boarded("gunner", "tank", "gunner"),))
    (fault,) = found.problems()
    assert fault.startswith("boarded[0].seat: gunner: Attack/Damage ")


def test_every_fault_of_a_seat_is_told():
    faults = army(Boarded("knight", "tank", "driver"), Boarded("knight", "tank", "driver"))
    assert [fault.partition(":")[0] for fault in faults.problems()] == [
        "boarded[0].unit",
        "boarded[0].vehicle",
        "boarded[1].unit",
        "boarded[1].vehicle",
    ]


def test_two_of_a_kind_have_seats_each():
    both = army(DRIVER, Boarded("trooper", "jeep", "driver"), vehicles=("jeep", "jeep"))
    assert both.problems() == []


def test_an_army_needs_units():
    """BOW 3.1: a vehicle does not act by itself."""
    assert Army("reds", (), (vehicle("jeep"),)).problems() == [
        "units: an army needs a unit, since only units act (BOW 3.1)"
    ]
