"""Sheets of minifigs (BOW 1.4.1, A.1, A.2)."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given

from brickphys.bow.sheets.catalogue import catalogue, unit
from brickphys.bow.sheets.gear import Loadout, Place
from brickphys.bow.sheets.sheet import COLUMNS, ROWS, HealthColour, blocks, capacity
from brickphys.errors import InvalidValueError
from tests.bow.strategies import ITEMS, PLACES, rooms, sheets

GEAR = catalogue().gear
CAPACITIES = {  # BOW 1.4.1, captions of the figure
    "action_budget": 6,
    "move": 12,
    "dodge_armor": 6,
    "attack_damage": 6,
    "health": 6,
    "treat_repair": 6,
}


def test_capacities_are_the_studs_of_the_blocks():
    """BOW 1.4.1."""
    assert {name: capacity("minifig", name) for name in CAPACITIES} == CAPACITIES


@pytest.mark.parametrize("kind", ["minifig", "vehicle"])
def test_blocks_cover_the_plate_once(kind):
    """BOW 1.4.1: a plate of 6 x 8."""
    cells = [cell for block in blocks(kind).values() for cell in block.cells()]
    assert sorted(cells) == [(column, row) for column in range(COLUMNS) for row in range(ROWS)]


def test_the_basic_trooper():
    """BOW A.1, the whole table."""
    sheet = unit("basic_trooper")
    values = [
        sheet.ability(name) for name in ("action_budget", "move", "dodge", "attack", "health")
    ]
    assert values == [2, 5, 1, 1, 1]
    assert (sheet.treat, sheet.repair) == (0, 0)


def test_the_trooper_of_the_figure():
    """BOW 1.4.1: Action Budget 2, Move 5, Dodge/Armor 3, Attack/Damage 2, HP 1, Treat/Repair 0."""
    sheet = unit("trooper")
    values = [
        sheet.ability(name) for name in ("action_budget", "move", "dodge_armor", "attack_damage")
    ]
    assert values == [2, 5, 3, 2]
    assert (sheet.health, sheet.treat + sheet.repair) == (1, 0)


@given(sheets())
def test_abilities_are_skill_and_gear(sheet):
    """BOW A.2."""
    assert sheet.attack_damage == sheet.attack + sheet.damage
    assert sheet.dodge_armor == sheet.dodge + sheet.armor
    assert sheet.attack_damage == max(sheet.bricks(way) for way in sheet.armaments)


@given(sheets(), ITEMS)
def test_gear_on_and_off_gives_the_same_sheet(sheet, item):
    for place in rooms(sheet.gear, item):
        if not replace(sheet, gear=sheet.gear.put(item, place)).problems():
            assert sheet.put(item, place).take(item, place) == sheet


@given(sheets(most=3), ITEMS, PLACES)
def test_no_gear_exceeds_a_capacity(sheet, item, place):
    """Gear that does not fit the studs is refused, and the sheet is as it was."""
    with suppress(InvalidValueError):
        sheet = sheet.put(item, place)
    assert sheet.attack_damage <= 6
    assert sheet.dodge_armor <= 6
    assert sheet.problems() == []


def test_two_light_sabers_are_too_much():
    """BOW A.2: 1 + 4 + 4 does not fit the 6 studs."""
    one = unit("basic_trooper").put(GEAR["light_saber"], Place.HELD)
    with pytest.raises(
        InvalidValueError, match=r"attack_damage: 9 \(1 \+ 8\) is more than the 6 studs"
    ):
        one.put(GEAR["light_saber"], Place.HELD)


def test_changing_the_weapon_changes_the_sheet():
    """BOW 2.3.2, and the tip of A.2: launcher 4, gun 2."""
    rocketeer = unit("rocketeer")
    assert (rocketeer.attack_damage, rocketeer.gear.spare_armaments[0].damage) == (5, 2)
    switched = rocketeer.switch(GEAR["rocket_launcher"], GEAR["gun"])
    assert (switched.attack_damage, rocketeer.attack_damage) == (3, 5)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"action_budget": 7}, "action_budget: 7 is more than the 6 studs of Action Budget"),
        ({"move": 13}, "move: 13 is more than the 12 studs of Move"),
        ({"dodge": 5}, "dodge_armor: 7 (5 + 2) is more than the 6 studs"),
        ({"attack": 6}, "attack_damage: 7 (6 + 1) is more than the 6 studs"),
        ({"health": 7}, "health: 7 is more than the 6 studs"),
        ({"treat": 4, "repair": 3}, "treat_repair: 7 (4 + 3) is more than the 6 studs"),
        ({"health": 0}, "health: 0 is less than 1"),
        ({"move": -1}, "move: -1 is less than 0"),
        ({"custom": (("magic", 7),)}, "custom.magic: 7 is not from 0 to 6"),
    ],
)
def test_faults(changes, fault):
    (found,) = replace(unit("trooper"), **changes).problems()
    assert fault in found


def test_all_faults_are_told_at_once():
    faulty = replace(unit("trooper"), move=13, health=7, gear=Loadout(held=(GEAR["bow"],) * 2))
    assert [fault.split(":")[0] for fault in faulty.problems()] == ["move", "health", "held"]


def test_who_helps_whom():
    """BOW 2.4.4: red treats red, yellow repairs yellow; a hero may have both."""
    medic, mechanic, wizard = unit("medic"), unit("mechanic"), unit("wizard")
    red, yellow = HealthColour.RED, HealthColour.YELLOW
    assert [medic.helping(red), medic.helping(yellow)] == [medic.treat, 0]
    assert [mechanic.helping(red), mechanic.helping(yellow)] == [0, mechanic.repair]
    assert wizard.helping(red) > 0 < wizard.helping(yellow)
