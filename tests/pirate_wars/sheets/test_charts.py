"""The charts of the book, row by row, and the damage chart by its procedure."""

import random

import pytest

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.sheets import (
    Ammunition,
    Damage,
    DamageChart,
    Line,
    Role,
    ShipPlace,
    minifigs,
    ship,
    ships,
    tasks_chart,
)

SHIPS = """
black_seas_barracuda 6 7 17 56 48 8 4 pirate:16
caribbean_clipper 4 4 8 48 32 12 4 marine:8,lieutenant:1
imperial_flagship 4 5 11 60 32 12 2 marine:8,lieutenant:1
renegade_runner 3 3 7 48 24 16 1 pirate:8
skulls_eye_schooner 6 8 18 64 48 8 4 pirate:16
renegade_runner_modified 3 4 10 64 24 16 2 pirate:4
red_beards_runner 5 7 15 70 40 10 3 pirate:8
brickbeards_bounty 5 7 15 70 40 10 3 pirate:8
imperial_flagship_large 7 10 28 80 56 8 8 marine:8,lieutenant:1
black_pearl 5 7 15 70 40 10 3 pirate:8
queen_annes_revenge 6 9 19 72 48 8 4 pirate:8
""".strip().splitlines()


@pytest.mark.parametrize("row", SHIPS, ids=lambda row: row.split()[0])
def test_ship_data_chart(row):
    name, *numbers, extra = row.split()
    sheet = ship(name)
    found = (
        sheet.chart.hull,
        sheet.chart.sails,
        sheet.crew,
        sheet.speed_studs,
        sheet.length_studs,
        sheet.chart.sail_loss,
        len(sheet.guns),
    )
    assert found == tuple(map(int, numbers))
    assert ",".join(f"{role.value}:{count}" for role, count in sheet.extra.items()) == extra


def test_the_chart_has_eleven_ships_in_the_order_of_the_book():
    assert list(ships()) == [row.split()[0] for row in SHIPS]


@pytest.mark.parametrize("name", ships())
def test_present_speed_is_sail_loss_times_sails_left(name):
    """The printed speed of all eleven ships, too: they carry all sails."""
    sheet = ship(name)
    assert sheet.speed_studs == sheet.chart.sail_loss * sheet.chart.sails
    for sails in range(sheet.chart.sails + 1):
        assert sheet.chart.speed_studs(Damage(1, sails)) == sheet.chart.sail_loss * sails


@pytest.mark.parametrize(
    ("role", "melee", "attack"),
    [("captain", 4, 5), ("lieutenant", 4, 5), ("marine", 3, 4), ("pirate", 1, 3), ("sailor", 1, 2)],
)
def test_minifig_chart(role, melee, attack):
    sheet = minifigs().roles[Role(role)]
    assert (sheet.melee, sheet.attack) == (melee, attack)
    assert sheet.sails == sheet.reloads_cannons == (role != "marine")


@pytest.mark.parametrize(
    ("is_light", "ammunition", "dice", "range_studs", "target"),
    [
        (False, "shot", 3, 8, 3),
        (False, "ball", 3, 12, 2),
        (True, "shot", 2, 6, 3),
        (True, "ball", 2, 9, 2),
    ],
)
def test_weapons_chart(is_light, ammunition, dice, range_studs, target):
    sheet = minifigs().cannons[is_light, Ammunition(ammunition)]
    assert (sheet.dice, sheet.range_studs, sheet.target) == (dice, range_studs, target)


def test_a_musket_rolls_one_die_over_4_studs_and_hits_with_the_attack():
    musket = minifigs().weapons["musket"]
    assert (musket.dice, musket.range_studs, musket.target) == (1, 4, None)


def test_critical_hit_chart():
    assert tasks_chart().critical == ("rudder", "cannon", "cannon", "mast", "captain", "powder")
    assert tasks_chart().powder_hits == 3


class Form:
    """The form of the book, line by line, filled in and crossed off as a player does."""

    def __init__(self, chart: DamageChart) -> None:
        self.lines = [Line.SAIL] * 6 + [Line.HULL, Line.SAIL] * 8 + [Line.HULL]
        hulls = [row for row, line in enumerate(self.lines) if line is Line.HULL]
        self.lines = self.lines[: hulls[chart.hull - 1] + 1]
        sails = [row for row, line in enumerate(self.lines) if line is Line.SAIL]
        if len(sails) > chart.sails:
            self.lines = self.lines[sails[-chart.sails] :]
        self.open = [True] * len(self.lines)

    def rows(self, line: Line | None, *, is_open: bool = True) -> list[int]:
        return [
            row
            for row, kind in enumerate(self.lines)
            if self.open[row] == is_open and line in (None, kind)
        ]

    def hit(self, line: Line | None) -> int:
        """Cross off the topmost line, of a kind or of any; return how many lines have gone."""
        rows = self.rows(line)[:1]
        for row in rows:
            self.open[row] = False
            if self.lines[row] is Line.HULL:
                excess = len(self.rows(Line.SAIL)) - len(self.rows(Line.HULL))
                rows = rows + self.rows(Line.SAIL)[: max(excess, 0)]
        for row in rows:
            self.open[row] = False
        return len(rows)

    def reset(self) -> None:
        """Set a sail again, unless there are as many as hull lines."""
        struck = self.rows(Line.SAIL, is_open=False)
        if struck and len(self.rows(Line.SAIL)) < len(self.rows(Line.HULL)):
            self.open[struck[-1]] = True


@pytest.mark.parametrize("name", ships())
def test_the_chart_by_the_procedure_of_the_book(name):
    """Any hits and resets leave the same lines as on the form."""
    of, draw = ship(name).chart, random.Random(name)
    assert of.lines == tuple(Form(of).lines)
    for _ in range(60):
        form, damage = Form(of), Damage(of.hull, of.sails)
        for _ in range(30):
            deed = draw.choice(["hull", "sails", "topmost", "reset"])
            if deed == "reset":
                form.reset()
                damage = of.reset(damage, 1)
            else:
                line = {"hull": Line.HULL, "sails": Line.SAIL}.get(deed)
                form.hit(line)
                damage = of.hit(damage, line)
            left = len(form.rows(Line.HULL)), len(form.rows(Line.SAIL))
            assert (damage.hull, damage.sails) == left, deed


@pytest.mark.parametrize("name", ships())
def test_a_helm_holds_one_and_a_gun_two(name):
    sheet = ship(name)
    assert {place: sheet.room(place) for place in ShipPlace} == {
        **sheet.places,
        ShipPlace.HELM: 1,
        ShipPlace.GUN: 2,
        ShipPlace.WATER: 0,
    }


@pytest.mark.parametrize("name", ships())
def test_guns_stand_on_the_hull(name):
    sheet = ship(name)
    for gun in sheet.guns:
        beyond = sheet.hull.normals @ [gun.ahead_studs, gun.left_studs] - sheet.hull.offsets_studs
        assert beyond.max() < 0.0


@pytest.mark.parametrize(
    ("hull", "sails", "fault"), [(0, 3, "hull"), (4, 3, "sails"), (4, 10, "sails")]
)
def test_a_chart_that_cannot_be_drawn(hull, sails, fault):
    with pytest.raises(InvalidValueError, match=f"^{fault}: "):
        DamageChart(hull, sails, 8)
