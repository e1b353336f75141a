"""An army to print has the units, prices and bricks of the game."""

from fractions import Fraction

import pytest

from brickphys.bow.actions.targets import band_end_studs, bricks_lost, hand_weapons, spare_weapons
from brickphys.bow.army import army_list
from brickphys.bow.scenario import SCENARIOS, scenario_report
from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed

P = Fraction(1, 4)
SHEETS = catalogue().sheets
MINE = """
[[unit]]
name = "veteran"
base = "trooper"
attack = 2
about = "costs $5 & more <b>"

[[vehicle_weapon]]
name = "ballista"
damage = 3

[[vehicle]]
name = "cart"
length_studs = 10
width_studs = 4
bottom_plates = 0
top_plates = 9
speed = 1
armor = 1
health = 1
[[vehicle.seat]]
name = "driver"
pilot = true
weapon = "ballista"

[[army]]
name = "reds"
units = { veteran = 2, trooper = 1 }
vehicles = { cart = 1 }
boarded = [{ unit = "veteran", vehicle = "cart", seat = "driver" }]
"""
BLUES = '[[army]]\nname = "blues"\nunits = { knight = 1 }\n'


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return str(path)


def counts(army):
    return {unit.sheet.name: unit.count for unit in army.units}


@pytest.mark.parametrize("name", SHEETS)
def test_bands_are_those_of_the_distances(name):
    """Bricks at the far end of each band, and one fewer right behind it; every weapon of a unit is there once."""
    (unit,) = army_list((name,)).units
    sheet = SHEETS[name]
    for lost in range(6):
        assert bricks_lost(band_end_studs(lost)) == lost
        assert bricks_lost(band_end_studs(lost) + 0.01) == lost + 1
    if isinstance(sheet, MinifigSheet):
        ways = [way for way in (*hand_weapons(sheet), *spare_weapons(sheet)) if way.bricks]
        new = [one for one in unit.attacks if ", by " in one.words]
        rows = sum(way.bricks if way.is_shot else 1 for way in ways)
        assert len(unit.attacks) == rows + len(new)
        assert not ways or unit.attacks[0].rolled == max(way.bricks for way in ways)
        told = [(one.words, one.distance) for one in unit.attacks]
        assert len(set(told)) == len(told)
    assert unit.attacks == () or unit.attacks[-1].rolled >= 1


def test_weapons_in_reserve_and_new_actions_have_odds():
    archer, wizard = army_list(("archer", "wizard")).units
    knife = archer.attacks[-1]
    assert (knife.words, knife.distance) == ("knife, in reserve", "reaches 1 (0.8 cm)")
    assert knife.successes(BinomialLaw(P)) == tuple(
        float(opposed(2, bricks, BinomialLaw(P)).success) for bricks in range(7)
    )
    magic = {one.words: one.rolled for one in wizard.attacks if ", by " in one.words}
    assert magic == {"firebolt, by magic protection": 4, "lightning bolt, by magic protection": 4}


def test_a_weapon_that_is_in_hand_too_is_told_once(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text('[[unit]]\nname = "two"\nbase = "swordsman"\nback = ["sword", "mace"]\n')
    (unit,) = army_list((str(path),)).units
    assert [one.words for one in unit.attacks] == ["sword", "mace, in reserve"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_armies_of_a_setup_cost_what_the_scenario_tells(name):
    for total in scenario_report(name).armies:
        army = army_list((name,), total.name)
        assert army.cost_points == total.cost_points
        assert army.count == sum(total.counts.values())


def test_an_army_is_named_sheet_by_sheet():
    army = army_list(("trooper=4", "knight", "trooper", "horse=2"))
    assert counts(army) == {"trooper": 5, "knight": 1, "horse": 2}
    assert army.cost_points == 5 * 12 + 30 + 2 * 18
    assert {unit.name: unit.footprint.size_mm for unit in army.units}["horse"] == (48.0, 16.0)
    assert army.units[0].footprint.height_mm == pytest.approx(40.0)


def test_an_army_of_a_file_has_its_gunners(mine):
    army = army_list((mine,))
    assert (army.name, counts(army)) == ("reds", {"veteran": 2, "trooper": 1, "cart": 1})
    first = army.units[-1].attacks[0]
    assert (first.words, first.distance) == ("ballista, gunner 2", "to 14.5 (11.6 cm)")
    assert first.distance_mm == pytest.approx(14.5 * 8)
    assert [one.rolled for one in army.units[-1].attacks] == [5, 4, 3, 2, 1]
    alone = army_list((mine, "cart"))
    assert alone.units[0].attacks[0].rolled == 4


def test_own_sheets_are_counted_with_those_that_ship(mine):
    assert counts(army_list((mine, "veteran=3", "horse"))) == {"veteran": 3, "horse": 1}


def test_several_armies_need_a_name(mine, tmp_path):
    (tmp_path / "blues.toml").write_text(BLUES)
    words = (mine, str(tmp_path / "blues.toml"))
    with pytest.raises(
        InvalidValueError, match="several armies, reds, blues: choose one with --army"
    ):
        army_list(words)
    assert counts(army_list(words, "blues")) == {"knight": 1}
    with pytest.raises(InvalidValueError, match="did you mean 'blues'"):
        army_list(words, "blue")


def test_a_file_without_armies_gives_each_sheet_once(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE.split("[[army]]")[0])
    army = army_list((str(path),))
    assert (army.name, counts(army)) == ("mine", {"veteran": 1, "cart": 1})


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("troper=2",), "did you mean 'trooper'"),
        (("trooper=0",), "outside 1..10,000"),
        (("trooper=10001",), "outside 1..10,000"),
        (("trooper=6000", "trooper=6000"), "12,000 is outside"),
        (("trooper=",), "is not NAME or NAME=COUNT"),
        (("trooper=-1",), "is not NAME or NAME=COUNT"),
        (("trooper=²",), "is not NAME or NAME=COUNT"),
        (("trooper=" + "9" * 5000,), "outside 1..10,000"),
        (("duel",), "duel has several armies, red, blue"),
        (("duel", "trooper"), "duel is a setup with its own armies"),
        (("none.toml",), "cannot be read"),
        ((), "an army needs sheets"),
    ],
)
def test_what_is_no_army_is_told(words, says):
    with pytest.raises(InvalidValueError, match=says.replace(".", r"\.")):
        army_list(words)
