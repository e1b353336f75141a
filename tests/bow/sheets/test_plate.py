"""Sheets as studs (BOW 1.4.1, 1.4.2, 3.2, A.2, B.3)."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.sheets.catalogue import catalogue, unit, vehicle
from brickphys.bow.sheets.plate import (
    LETTERS,
    StudForm,
    minifig_plate,
    plate_problems,
    vehicle_plate,
)
from brickphys.bow.sheets.sheet import HealthColour
from brickphys.shapes.piece import PALETTE
from tests.bow.strategies import sheets

ACTIONS = catalogue().actions.values()


def letters(plate) -> list[str]:
    return ["".join(cell.letter for cell in row) for row in plate.rows]


def test_the_sheet_in_the_figure():
    """BOW 1.4.1."""
    assert letters(minifig_plate(unit("trooper"), ACTIONS)) == [
        "...WW.",
        "......",
        "GGGGG.",
        "......",
        "DKKDK.",
        "......",
        "R.....",
        "......",
    ]


def test_the_flyer_in_the_figure():
    """BOW 3.2: tiles below the minimum of 4, a marking brick on 6, read as a book is read."""
    assert letters(vehicle_plate(vehicle("snowspeeder"), speed=6))[2:4] == ["===GG*", "GG...."]


def test_round_plates_show_the_weapon_in_reserve():
    """BOW A.2, the tip: launcher 4 in square plates, gun 2 in round ones on top."""
    rows = letters(minifig_plate(unit("rocketeer")))
    assert [row[3:] for row in rows[4:6]] == ["Dkk", "KK."]


@given(sheets())
def test_one_stud_a_point(sheet):
    """BOW 1.4.1: count by colour what is not in reserve."""
    cells = [cell for row in minifig_plate(sheet).rows for cell in row]
    shown = Counter(cell.colour for cell in cells if cell.form is StudForm.PLATE)
    health = Counter({sheet.health_colour.value: sheet.health})
    told = Counter(
        white=sheet.action_budget,
        green=sheet.move,
        dark_grey=sheet.dodge + sheet.attack,
        black=sheet.armor + sheet.damage,
        red=sheet.treat,
        yellow=sheet.repair,
    )
    assert shown == +(told + health)


@given(sheets())
def test_panels_tell_the_points(sheet):
    plate = minifig_plate(sheet, ACTIONS)
    told = {panel.block.name: panel.points for panel in plate.panels}
    assert told["attack_damage"] == sheet.attack_damage
    assert told["dodge_armor"] == sheet.dodge_armor
    assert told["treat_repair"] == sheet.treat + sheet.repair
    assert told.get("magic", 0) == sheet.ability("magic")


def test_a_new_ability_takes_a_line_of_its_own():
    """BOW B.3: acting and resisting in one line, in one colour; other sheets stay as they are."""
    plate = minifig_plate(unit("jedi"), ACTIONS)
    assert letters(plate)[8:] == ["BB.BB.", "......"]
    resisting, acting = plate.panels[-2:]
    assert (resisting.block.name, acting.block.name) == ("magic_protection", "magic")
    assert len(minifig_plate(unit("trooper"), ACTIONS).rows) == 8


def test_lines_of_new_abilities_stand_one_below_the_other():
    """BOW B.3."""
    sheet = replace(unit("wizard"), custom=(*unit("wizard").custom, ("faith", 2)))
    firebolt = catalogue().actions["firebolt"]
    prayer = replace(firebolt, name="prayer", acting="faith", resisting="will", colour="orange")
    plate = minifig_plate(sheet, [firebolt, prayer])
    assert letters(plate)[8:] == ["BBBBBB", "B..B..", "...OO.", "......"]


@given(st.sampled_from(list(catalogue().vehicles.values())), st.data())
def test_marks_of_a_vehicle(sheet, data):
    speed = data.draw(st.sampled_from(sheet.speeds))
    damage = data.draw(st.integers(0, sheet.health))
    assert plate_problems(sheet, speed, damage) == []
    rows = vehicle_plate(sheet, speed, damage).rows
    steps = [cell for row in rows[2:4] for cell in row if cell.colour]
    assert len(steps) == sheet.speed
    assert [index for index, cell in enumerate(steps, start=1) if cell.marked] == [speed][:speed]
    assert [step for step, cell in enumerate(steps, 1) if cell.form is StudForm.PLATE] == list(
        sheet.speeds[1:]
    )
    assert sum(cell.marked for row in rows[6:] for cell in row) == damage


@pytest.mark.parametrize(
    ("sheet", "speed", "damage", "fault"),
    [
        (vehicle("snowspeeder"), 3, 0, "speed 3 is not one of 0, 4, 5, 6, 7, 8"),
        (unit("trooper"), 1, 0, "trooper is not a vehicle and has no speed 1"),
        (unit("trooper"), 0, 2, "damage 2 is not from 0 to 1"),
        (unit("trooper"), 0, -1, "damage -1"),
    ],
)
def test_marks_that_no_sheet_shows(sheet, speed, damage, fault):
    (found,) = plate_problems(sheet, speed, damage)
    assert fault in found


def test_machines_are_yellow():
    """BOW 1.4.1."""
    droid = minifig_plate(unit("droid"))
    assert letters(droid)[6][0] == "Y"
    assert droid.colour is HealthColour.YELLOW


def test_every_colour_has_a_letter_of_its_own_and_is_in_the_palette():
    assert len(set(LETTERS.values())) == len(LETTERS)
    assert set(LETTERS) <= set(PALETTE)
