"""Sheets for people and programs."""

from dataclasses import replace
from pathlib import Path

import pytest

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.plate import PlateSheet, summary

GOLDEN = Path(__file__).parents[2] / "golden" / "sheet_trooper.txt"
LIBRARY = catalogue()


def text(name: str) -> str:
    return PlateSheet.of(LIBRARY.sheet(name), LIBRARY).text()


def test_the_golden_trooper():
    assert text("trooper") + "\n" == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(LIBRARY.sheets))
def test_every_sheet_has_its_text_and_document(name):
    sheet = LIBRARY.sheet(name)
    shown = PlateSheet.of(sheet, LIBRARY)
    document = shown.document()
    head = f"{name}, {document['cost_points']} cost points: {sheet.about}"
    assert text(name).startswith(head)
    assert [len(row) for row in document["plate"]] == [6] * len(shown.plate.rows)
    assert document["abilities"]["health"] == sheet.health


def test_a_wizard_says_what_his_magic_does():
    lines = text("wizard").splitlines()
    (bolt,) = [line for line in lines if "firebolt" in line]
    assert bolt.endswith(
        "firebolt: magic 4 against magic_protection, enemy up to 20 studs away: damage by the difference"
    )
    assert any(line.endswith("Magic protection   4") for line in lines)


def test_a_vehicle_says_size_speeds_and_seats():
    lines = text("snowspeeder").splitlines()
    assert "size    12 x 8 studs, 13 to 19 plates in flight" in lines
    assert "speeds  0 or 4 to 8: 20 to 40 studs a move" in lines
    assert lines[-1].strip() == "gunner: harpoon (damage 3, 180 degrees about 180)"


@pytest.mark.parametrize(
    ("speed", "min_speed", "told"),
    [
        (0, 0, "0"),
        (1, 0, "0 or 1: 5 studs a move"),
        (3, 0, "0 or 1 to 3: 5 to 15 studs a move"),
        (4, 4, "0 or 4: 20 studs a move"),
    ],
)
def test_a_vehicle_on_the_ground_says_its_speeds(speed, min_speed, told):
    horse = replace(LIBRARY.sheet("horse"), speed=speed, min_speed=min_speed)
    lines = PlateSheet.of(horse, LIBRARY).text().splitlines()
    assert any(line.endswith(f"speeds  {told}") for line in lines)
    assert not any("in flight" in line for line in lines)


def test_a_vehicle_says_how_often_its_weapon_shoots():
    cart = LIBRARY.sheet("snowspeeder")
    weapon = replace(cart.seat("gunner").weapon, name="ballista", axis_deg=0.0, shots_per_turn=1)
    seats = tuple(replace(seat, weapon=weapon) if seat.weapon else seat for seat in cart.seats)
    cart = replace(cart, seats=seats)
    lines = PlateSheet.of(cart, LIBRARY).text().splitlines()
    assert lines[-1].endswith("ballista (damage 3, 180 degrees, 1 shot a turn)")


def test_summaries():
    assert summary(LIBRARY.sheet("basic_trooper")) == "no gear"
    assert summary(LIBRARY.sheet("archer")) == "held: bow; back: pouch; bag: knife"
    assert summary(LIBRARY.sheet("horse")) == "rider: pilot, exposed"
