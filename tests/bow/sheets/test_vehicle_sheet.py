"""Sheets of vehicles (BOW 1.4.2, 3, A.3)."""

from dataclasses import replace

import pytest

from brickphys.bow.sheets.catalogue import catalogue, unit, vehicle
from brickphys.bow.sheets.sheet import (
    HealthColour,
    Seat,
    VehicleFootprint,
    VehicleWeapon,
    capacity,
    manned_bricks,
    manning_problems,
)
from brickphys.shapes.assembly import assembly

PILOT = Seat("pilot", pilot=True)


def test_capacities_are_twelve_studs():
    """BOW 1.4.2."""
    assert [capacity("vehicle", name) for name in ("speed", "armor", "health")] == [12, 12, 12]


def test_the_ordinary_vehicle_of_the_figure():
    """BOW 1.4.2: Speed 4, Dodge/Armor 5, HP 2."""
    truck = vehicle("truck")
    assert (truck.speed, truck.armor, truck.health) == (4, 5, 2)


def test_the_flyer_of_the_figure():
    """BOW 3.2: minimum speed 4, maximum 8; it lands at 0."""
    assert vehicle("snowspeeder").speeds == (0, 4, 5, 6, 7, 8)
    assert vehicle("snowspeeder").flying


def test_hints_for_armor_and_health():
    """BOW A.3: a rocket of a basic trooper, 1 + 4, against 5; two rockets, two health; a horse has 3."""
    rocketeer = unit("rocketeer")
    assert vehicle("tank").armor == rocketeer.attack_damage == 5
    assert vehicle("tank").health == 2
    assert vehicle("horse").armor == 3
    assert vehicle("horse").weapons == ()


@pytest.mark.parametrize("minimum", [0, 1])
def test_without_a_minimum_every_speed_is_allowed(minimum):
    assert replace(vehicle("horse"), min_speed=minimum).speeds == (0, 1, 2, 3)


def test_health_of_vehicles_is_yellow():
    """BOW 1.4.2."""
    assert {sheet.health_colour for sheet in catalogue().vehicles.values()} == {HealthColour.YELLOW}


@pytest.mark.parametrize("name", list(catalogue().vehicles))
def test_sizes_are_those_of_the_models(name):
    sheet = vehicle(name)
    model = assembly(sheet.model)
    assert vars(sheet.footprint) == {size: getattr(model, size) for size in vars(sheet.footprint)}


def test_crews():
    """BOW 3.1: the snowspeeder's pilot and harpoon gunner; the catapult's driver, who may walk, and gunner."""
    pilot, gunner = vehicle("snowspeeder").seats
    assert (pilot.pilot, pilot.weapon.name) == (True, "front_blasters")
    assert (gunner.pilot, gunner.weapon.name, gunner.weapon.axis_deg) == (False, "harpoon", 180)
    driver, gunner = vehicle("catapult").seats
    assert (driver.pilot, driver.beside, driver.weapon) == (True, True, None)
    assert gunner.weapon.shots_per_turn == 1


def test_a_turret_turns_all_round():
    """BOW 3.4."""
    assert vehicle("tank").seat("gunner").weapon.arc_deg == 360
    assert vehicle("tank").seat("cook") is None


def test_whoever_controls_a_weapon_adds_its_damage():
    """BOW 3.4."""
    weapon = vehicle("snowspeeder").seat("gunner").weapon
    assert manned_bricks(unit("gunner"), weapon) == 1 + 3
    assert manning_problems(unit("gunner"), weapon) == []


def test_too_skilled_for_a_big_weapon():
    """Ours: Attack/Damage has six studs in a seat too."""
    (fault,) = manning_problems(replace(unit("gunner"), attack=3), VehicleWeapon("big", 4))
    assert "Attack/Damage 7 (3 + 4 of big) is more than its 6 studs" in fault


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"speed": 13}, "speed: 13 is more than the 12 studs of Speed"),
        ({"armor": 13}, "armor: 13 is more than the 12 studs of Dodge/Armor"),
        ({"health": 13}, "health: 13 is more than the 12 studs of Health"),
        ({"health": 0}, "health: 0 is less than 1"),
        ({"armor": -1}, "armor: -1 is less than 0"),
        ({"min_speed": -1}, "min_speed: -1 is less than 0"),
        ({"min_speed": 5}, "min_speed: 5 is above speed, 4"),
        ({"seats": ()}, "seat: no pilot's seat"),
        ({"seats": (PILOT, Seat("co", pilot=True))}, "seat: 2 pilots' seats (pilot, co)"),
        ({"seats": (PILOT, Seat("bench"), Seat("bench"))}, "seat: 2 seats are called bench"),
        ({"doors": ()}, "doors: a vehicle needs a door"),
        ({"footprint": VehicleFootprint(0, 6, 0, 9)}, "length_studs: 0 is not above 0"),
        ({"footprint": VehicleFootprint(10, 0, 0, 9)}, "width_studs: 0 is not above 0"),
        (
            {"footprint": VehicleFootprint(10, 6, 9, 9)},
            "top_plates: 9 must be above bottom_plates, 9",
        ),
        ({"footprint": VehicleFootprint(10, 6, -1, 9)}, "bottom_plates, -1"),
        (
            {"flying": True, "seats": (PILOT, Seat("ladder", beside=True))},
            "seat: ladder: nobody walks beside a flying vehicle",
        ),
        (
            {"seats": (replace(PILOT, weapon=VehicleWeapon("gun", 0)),)},
            "seat: gun: damage: 0 is less than 1",
        ),
        (
            {"seats": (replace(PILOT, weapon=VehicleWeapon("gun", 3, arc_deg=90)),)},
            "seat: gun: arc_deg: 90 is neither 180 nor 360",
        ),
        (
            {"seats": (replace(PILOT, weapon=VehicleWeapon("gun", 3, shots_per_turn=0)),)},
            "seat: gun: shots_per_turn: 0 is less than 1",
        ),
    ],
)
def test_faults(changes, fault):
    (found,) = replace(vehicle("jeep"), **changes).problems()
    assert fault in found


@pytest.mark.parametrize(
    "changes",
    [
        {"speed": 0, "armor": 0, "health": 1},
        {"speed": 12, "armor": 12, "health": 12, "min_speed": 12},
        {"flying": True, "seats": (PILOT,)},
        {"footprint": VehicleFootprint(0.5, 0.5, 0, 0.5)},
        {"seats": (replace(PILOT, weapon=VehicleWeapon("gun", 1, arc_deg=360, shots_per_turn=1)),)},
        {"seats": (PILOT, Seat("ladder", beside=True))},
    ],
)
def test_values_at_a_bound_are_no_faults(changes):
    assert replace(vehicle("jeep"), **changes).problems() == []


def test_a_negative_speed_is_a_fault():
    assert replace(vehicle("jeep"), speed=-1).problems() == [
        "speed: -1 is less than 0",
        "min_speed: 0 is above speed, -1 (BOW 3.2)",
    ]


def test_a_weapon_may_fill_the_studs_of_its_gunner():
    assert manning_problems(replace(unit("gunner"), attack=2), VehicleWeapon("big", 4)) == []
