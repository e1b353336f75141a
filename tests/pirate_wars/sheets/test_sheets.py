"""The charts of the book, row by row; the damage chart by its procedure; sheets, plans and armies to print."""

import random
from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.army import army_list, crossed_lines, plan_lines, sheet_list
from brickphys.pirate_wars.scenario import SCENARIOS, scenario_report
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


def plan(name, hits=0):
    return sheet_list(name).sheets[0].marked({"damage": hits})


def text(name, hits=0):
    return plan(name, hits).text(lambda letter, _: letter)


def test_the_chart_of_the_flagship_is_that_of_the_book():
    """PW Damage Chart: the example of the Imperial Flagship."""
    lines = [line.split() for line in text("imperial_flagship").splitlines()]
    assert ["Hits", "SF", "SF", "HF", "SF", "HF", "SF", "HF", "SF", "HF"] in lines
    assert ["Speed", "60", "48", "36", "24", "12"] in lines


@pytest.mark.parametrize("name", ships())
def test_every_hit_crosses_the_topmost_line_and_strips_sails(name):
    """PW Damage Chart: line by line, and never more SF than HF once a hull line is gone."""
    chart, hits = ship(name).chart, 0
    states = [plan(name).damage]
    while chart.topmost(states[-1]) is not None:
        hits += 1
        states.append(plan(name, hits).damage)
    for before, after in pairwise(states):
        crossed, now = crossed_lines(chart, before), crossed_lines(chart, after)
        assert min(set(range(len(chart.lines))) - crossed) in now
        assert crossed < now
        if after.hull < chart.hull:
            assert after.sails <= after.hull
    assert states[-1] == Damage(0, 0)
    with pytest.raises(InvalidValueError, match=f"no open line after {hits} hit"):
        plan(name, hits + 1)


@pytest.mark.parametrize("name", ships())
def test_crossed_lines_leave_as_many_of_each_kind_as_the_damage_says(name):
    chart = ship(name).chart
    for hull in range(chart.hull + 1):
        for sails in range(chart.sails + 1):
            crossed = crossed_lines(chart, Damage(hull, sails))
            left = [line for n, line in enumerate(chart.lines) if n not in crossed]
            assert (left.count(Line.HULL), left.count(Line.SAIL)) == (hull, sails)


@pytest.mark.parametrize("name", ships())
def test_the_plan_shows_every_gun_once(name):
    sheet, picture = ship(name), "".join(plan_lines(ship(name)))
    for number in range(len(sheet.guns)):
        assert picture.count(str(number)) == 1


@pytest.mark.parametrize("name", ships())
def test_the_hull_covers_what_its_polygon_covers(name):
    sheet = ship(name)
    corners = sheet.hull.vertices_studs
    for ahead, left in corners.tolist():
        assert sheet.half_width_studs(ahead) == pytest.approx(abs(left))
        assert sheet.covers(0.99 * ahead, 0.98 * left) == (left != 0 or ahead > 0)
        assert not sheet.covers(1.01 * ahead, 1.01 * left)


def test_guns_fire_over_the_side_of_their_bearing():
    assert [gun.side for gun in ship("red_beards_runner").guns] == ["port", "starboard", "bow"]


def test_a_document_says_what_is_reconstructed():
    document = plan("black_pearl", 2).document()
    assert document["left"] == {"hull": 5, "sails": 5, "speed_studs": 50}
    assert document["chart"]["sails"] == 7
    assert document["reconstructed"]["width_studs"] == 10
    assert len(document["reconstructed"]["guns"]) == 3


def test_the_book_has_no_prices():
    assert {sheet.cost_points for sheet in sheet_list().sheets} == {None}


def test_unknown_ships_and_marks_are_refused():
    with pytest.raises(
        InvalidValueError, match="unknown ship 'black_perl': did you mean 'black_pearl'"
    ):
        sheet_list("black_perl")
    with pytest.raises(InvalidValueError, match="speed: a ship has nothing but damage to mark"):
        plan("black_pearl").marked({"speed": 3})


LAW = BinomialLaw(Fraction(1, 4))


def at_least(hits, dice, chance):
    return sum(
        comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(hits, dice + 1)
    )


@pytest.mark.parametrize("name", ships())
def test_a_ship_has_the_length_of_the_chart_and_its_full_crew(name):
    army, sheet = army_list((name,)), ships()[name]
    first, *crew = army.units
    assert first.footprint.size_mm == (sheet.length_studs * 8.0, sheet.width_studs * 8.0)
    along, across = zip(*first.footprint.corners_mm, strict=True)
    assert max(along) - min(along) == pytest.approx(sheet.length_studs * 8.0)
    assert max(across) - min(across) == pytest.approx(sheet.width_studs * 8.0)
    assert first.footprint.height_mm is None
    full = {role.value: count for role, count in sheet.full_crew.items() if count}
    assert {unit.name: unit.count for unit in crew} == full
    assert army.cost_points is None


def test_cannons_of_a_side_hit_as_their_dice_say():
    """Ball hits with a face of 1 or 2, shot with 1 to 3; three dice a cannon (PW, Weapons Chart)."""
    (large,) = (unit for unit in army_list(("imperial_flagship_large",)).units if unit.sheet)
    shot, ball = large.attacks
    assert (ball.words, ball.distance) == ("4 cannons over a side, ball", "to 12 (9.6 cm)")
    assert (ball.rolled, shot.rolled, shot.distance_mm) == (12, 12, 64.0)
    for attack, chance in ((ball, 1 / 3), (shot, 1 / 2)):
        expected = [at_least(hits, 12, chance) for hits in range(1, 7)]
        assert attack.successes(LAW) == pytest.approx(expected)
    runner = army_list(("red_beards_runner",)).units[0]
    assert [one.words for one in runner.attacks][::2] == [
        "1 cannon over a side, shot",
        "1 cannon over the bow, shot",
    ]


def test_who_shoots_hits_with_its_attack():
    units = {unit.name: unit for unit in army_list(("marine", "pirate=3", "captain")).units}
    assert [unit.count for unit in units.values()] == [1, 1, 3]
    assert units["marine"].attacks[0].successes(LAW) == pytest.approx((4 / 6,))
    assert units["captain"].attacks[0].successes(LAW) == pytest.approx((5 / 6,))
    assert units["pirate"].attacks == ()


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_fleets_of_a_setup_have_all_ships_and_minifigs(name):
    for total in scenario_report(name).armies:
        army = army_list((name,), total.name)
        found = [unit.count for unit in army.units if unit.sheet]
        assert sum(found) == total.counts["ships"]
        assert army.count - sum(found) == total.counts["minifigs"]
