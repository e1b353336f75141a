"""Odds by sheets are those of the same attacks in a battle."""

import json

import pytest

from brickphys.bow.actions.attack import attack_plan
from brickphys.bow.actions.targets import weapons_in_use
from brickphys.bow.game import Bow
from brickphys.bow.odds import HIT, ONE_HIT, attack, table
from brickphys.bow.scenario import SCENARIOS
from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.errors import InvalidValueError
from brickphys.odds.comparison import DAMAGE, SUCCESS
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_file import default_law
from brickphys.odds.opposed import opposed
from tests.cases import few
from tests.command_line import assert_refused, brickphys

LAW = BinomialLaw(0.3)
GAME = Bow()
UNITS = [name for name, sheet in catalogue().sheets.items() if isinstance(sheet, MinifigSheet)]


@pytest.mark.parametrize("scenario", few(["skirmish", "princess", "confrontation"]))
def test_bricks_are_those_of_the_battle(scenario):
    """Each weapon in hand against each enemy, where everybody stands at the start."""
    state = GAME.initial(SCENARIOS[scenario])
    setting, checked = state.setting, 0
    for active, me in enumerate(setting.units):
        begun = state.replaced({"active": active})
        for enemy, foe in enumerate(setting.units):
            if foe.player == me.player:
                continue
            sheet, other = state.units[active].sheet, state.units[enemy].sheet
            if any(catalogue().sheets.get(one.name) != one for one in (sheet, other)):
                continue
            for weapon in weapons_in_use(begun, active):
                plan = attack_plan(begun, foe.name, weapon)
                if plan.attack <= 0 or weapon.name not in {
                    way.name for way in weapons_in_use(begun, active)
                }:
                    continue
                far = plan.distance_studs if weapon.is_shot else None
                found = attack(sheet.name, other.name, LAW, weapon.name, far, plan.is_covered)
                expected = opposed(plan.attack, plan.defence, LAW)
                assert found.chances[HIT] == expected.success
                assert found.laws["damage"] == expected.damage
                checked += 1
    assert checked > 3


def test_kills_add_up_over_attacks():
    one = attack("knight", "archer", LAW, attacks=1)
    two = attack("knight", "archer", LAW, attacks=2)
    assert two.chances["archer is dead after attack 1"] == one.chances["archer is dead"]
    assert two.chances["archer is dead after attack 2"] > one.chances["archer is dead"]


def test_a_table_has_the_attacks_of_each_on_each():
    found = table(LAW, ("knight", "archer"), ("wizard", "jeep")).table
    for attacker, row in zip(found.rows, found.chances, strict=True):
        for defender, chance in zip(found.columns, row, strict=True):
            assert chance == attack(attacker, defender, LAW).chances[HIT]
    assert len(table(LAW).table.chances) == len(table(LAW).table.columns) == 6
    dead = table(LAW, ("knight",), ("wizard",), kill=True).table
    assert dead.chances[0][0] == attack("knight", "wizard", LAW).chances["wizard is dead"]


def test_cover_helps_against_shots_only_and_distance_costs_bricks():
    shot = [attack("archer", "knight", LAW, "bow", far).chances[HIT] for far in (10.0, 20.0)]
    assert shot[0] > shot[1]
    covered = attack("archer", "knight", LAW, "bow", 10.0, True).chances[HIT]
    assert covered < shot[0]
    pair = table(LAW, ("knight", "archer"), ("knight",), cover=True).table.chances
    assert pair[0][0] == attack("knight", "knight", LAW).chances[HIT]
    assert pair[1][0] == attack("archer", "knight", LAW, cover=True).chances[HIT]


def test_one_attack_and_the_turn_have_names_of_their_own():
    once, turn = attack("knight", "archer", LAW), attack("knight", "archer", LAW, attacks=2)
    assert turn.chances[ONE_HIT] == once.chances[HIT]
    assert HIT not in turn.chances
    assert (
        turn.chances[SUCCESS] == 1 - (1 - once.chances[HIT]) ** 2 == turn.compared.events[SUCCESS]
    )
    assert turn.laws["damage of one attack"] == once.laws["damage"]
    assert turn.laws[DAMAGE].mean() == 2 * once.laws["damage"].mean()


@pytest.mark.parametrize("name", UNITS)
def test_every_unit_attacks_and_is_attacked(name):
    assert 0 <= attack(name, name, default_law()).chances[HIT] < 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("knigt", "archer"), "did you mean 'knight'"),
        (("knight", "archer", "--weapon", "bow"), "weapon of knight 'bow'"),
        (("knight", "archer", "--range", 20), "no weapon that shoots"),
        (("archer", "knight", "--range", 900), "so none is left"),
        (("archer", "knight", "--range", -1), "--range -1 is outside"),
        (("archer", "knight", "--range", "nan"), "--range nan is outside"),
        (("knight", "archer", "--cover"), "--cover helps against shots only"),
        (("knight", "archer", "--range", 3, "--weapon", "sword"), "sword does not shoot"),
        (("jeep", "knight"), "jeep is a vehicle"),
        (("knight", "archer", "--attacks", 0), "--attacks 0 is outside"),
    ],
)
def test_what_is_impossible_is_told(words, says):
    assert_refused(brickphys("odds", "bow", "attack", *words), says)


def test_two_names_are_enough():
    short = brickphys("odds", "archer", "knight", "--cover", "--json")
    whole = brickphys("odds", "bow", "attack", "archer", "knight", "--cover", "--json")
    assert short.stdout == whole.stdout
    assert json.loads(short.stdout)["chances"][HIT]["p"] > 0
    assert_refused(
        brickphys("odds", "knigt", "archer"),
        "unknown unit 'knigt': did you mean 'knight archer' of bow?",
    )


MINE = """
[[unit]]
name = "gladiator"
base = "trooper"
attack = 3
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "two.toml").write_text(MINE + MINE.replace("gladiator", "retiarius"))
    return tmp_path


def test_units_of_a_file_attack_and_are_attacked(files, monkeypatch):
    monkeypatch.chdir(files)
    own = attack("mine.toml", "archer", LAW)
    assert own.title.startswith("gladiator (")
    assert own.chances == attack("two.toml,gladiator", "archer", LAW).chances
    assert "gladiator is dead" in attack("archer", "mine.toml", LAW).chances
    words = "mine.toml", "archer", "--json"
    assert json.loads(brickphys("odds", *words).stdout)["chances"][HIT]["p"] > 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("two.toml archer", "two.toml has gladiator, retiarius: name one of them after a comma"),
        ("two.toml,gladiatr archer", "did you mean 'gladiator'"),
        ("mine.toml", "mine.toml is a file of units: name the target of its unit, too"),
        ("mine.toml mine.toml", "name the game"),
        ("mine.toml gladiator", "unknown unit 'gladiator': write a unit of a file as mine.toml,"),
        ("mine.toml archr", "did you mean 'archer'?"),
        ("none.toml archer", "none.toml: cannot be read"),
    ],
)
def test_files_that_do_not_fit_are_told(words, says, files):
    assert_refused(brickphys("odds", *words.split(), cwd=files), says)


def test_a_table_of_bricks_is_that_of_single_odds():
    text = brickphys("odds", 3, 2, "--p", 0.3, "--table")
    assert text.returncode == 0
    assert f"{100 * float(opposed(3, 2, LAW).success):.1f}" in text.stdout.splitlines()[-1]
    found = json.loads(brickphys("odds", 3, 2, "--p", 0.3, "--table", "--json").stdout)
    assert found["table"][3][2] == found["success"]
    assert (len(found["table"]), len(found["table"][0])) == (4, 3)


def test_a_range_needs_a_whole_law():
    with pytest.raises(InvalidValueError, match="no weapon that shoots"):
        attack("knight", "archer", LAW, range=3.0)
