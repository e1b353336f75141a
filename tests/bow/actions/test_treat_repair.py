"""Treat and repair: BOW 2.4.4."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

QUARTER = Fraction(1, 4)


def hurt(battle: Battle, name: str, damage: int) -> Battle:
    number = battle.state.setting.unit_numbers[name]
    wounded = replace(battle.state.units[number], damage=damage)
    battle.state = battle.state.with_unit(number, wounded)
    return battle


def ward(**more) -> Battle:
    battle = Battle(
        setup(
            unit("medic", "medic", "red", 5, 5),
            unit("jedi", "jedi", "red", 6, 6),
            unit("droid", "repair_droid", "red", 4, 5),
            unit("away", "knight", "red", 9, 9),
            unit("foe", "trooper", "blue", 29, 19),
            **more,
        )
    )
    return hurt(hurt(hurt(battle, "jedi", 3), "droid", 1), "away", 1)


def test_2_4_4_the_ability_rolls_against_the_damage_and_success_takes_one_point():
    battle = ward().do("unit medic", "treat jedi")
    assert battle.asked == "3 against 3"
    battle.roll(3, 0)
    assert battle.unit("jedi").damage == 2
    battle.do("treat jedi")
    assert battle.asked == "3 against 2"
    battle.roll(2, 2)
    assert battle.unit("jedi").damage == 2


def test_2_4_4_option_takes_the_difference():
    battle = ward(options={"symmetric_treatment": True}).do("unit medic", "treat jedi").roll(3, 1)
    assert battle.unit("jedi").damage == 1


def chances(battle: Battle, treatments: int) -> Counter[int]:
    """The exact chances of the damage that jedi has left, over all ways in which the treatments can go."""
    if not treatments or not battle.unit("jedi").damage:
        return Counter({battle.unit("jedi").damage: Fraction(1)})
    found: Counter[int] = Counter()
    battle.do("treat jedi")
    asked = battle.state
    for outcome, chance in GAME.chance(asked).law(BinomialLaw(QUARTER)).items():
        battle.state = GAME.apply(asked, outcome)
        for left, inner in chances(battle, treatments - 1).items():
            found[left] += chance * inner
    return found


def scores(bricks: int) -> list[tuple[int, Fraction]]:
    """Each score with its chance."""
    return [
        (n, comb(bricks, n) * QUARTER**n * (1 - QUARTER) ** (bricks - n)) for n in range(bricks + 1)
    ]


@pytest.mark.parametrize("symmetric", [False, True])
def test_2_4_4_two_treatments_have_the_chances_of_two_opposed_rolls(symmetric):
    battle = ward(options={"symmetric_treatment": symmetric}).do("unit medic")
    expected = Counter({3: Fraction(1)})
    for _ in range(2):
        before, expected = expected, Counter()
        for damage, chance in before.items():
            for (heal, p), (resist, q) in product(scores(3), scores(damage)):
                healed = max(0, heal - resist) if symmetric else int(heal > resist)
                expected[max(0, damage - healed)] += chance * p * q
    assert chances(battle, 2) == expected


def test_2_4_4_conditions():
    battle = hurt(ward(), "medic", 0).do("unit medic")
    assert battle.why_not("treat droid") == [
        "droid has yellow health, but treat is for red (BOW 2.4.4)"
    ]
    assert battle.why_not("repair droid") == ["medic has no ability to repair (BOW 2.4.4)"]
    assert battle.why_not("treat away") == ["away is not in contact with medic (BOW 2.4.4)"]
    assert battle.why_not("treat medic") == [
        "medic cannot treat itself (BOW 2.4.4)",
        "medic has no damage (BOW 2.4.4)",
    ]
    battle.do("do treat")
    assert battle.menu() == ["treat jedi"]


def test_2_4_4_3_5_a_vehicle_is_repaired_from_outside_and_from_inside():
    begin = setup(
        seated("r2", "mechanic", "red", "car", "mate"),
        unit("outside", "mechanic", "red", 10, 14),
        unit("foe", "trooper", "blue", 29, 19),
        vehicles=[vehicle("car", "truck", "red", 12.0, 8.0)],
    )
    battle = Battle(begin)
    battle.state = battle.state.with_vehicle(0, replace(battle.state.vehicles[0], damage=1))
    battle.do("unit r2", "repair car")
    assert battle.asked == "3 against 1"
    battle.roll(1, 0)
    assert battle.vehicle("car").damage == 0
    battle.state = battle.state.with_vehicle(0, replace(battle.state.vehicles[0], damage=1))
    battle.do("end", "unit foe", "end", "unit outside", "walk 10,11", "face e")
    assert battle.can("repair car")


def up_there(level: float, *units, **more) -> Battle:
    """A field whose eastern part, from column 10 on, is at a height."""
    ground = [[0.0] * 10 + [level] * 20 for _ in range(20)]
    return Battle(setup(*units, unit("foe", "trooper", "blue", 29, 19), ground=ground, **more))


@given(st.integers(-12, 12))
def test_2_4_4_the_hand_that_treats_is_as_high_as_the_one_that_strikes(level):
    units = (unit("medic", "medic", "red", 9, 10), unit("knight", "knight", "red", 10, 10))
    battle = hurt(up_there(level, *units), "knight", 1).do("unit medic")
    puncher = unit("puncher", "basic_trooper", "red", 9, 10)
    rival = unit("rival", "knight", "blue", 10, 10)
    strikes = up_there(level, puncher, rival).do("unit puncher").can("attack rival hands")
    assert battle.can("treat knight") == strikes == (abs(level) <= 7)
    assert battle.can("give knife held knight") == strikes


def test_2_4_4_nobody_repairs_a_vehicle_over_his_head():
    parked = vehicle("car", "snowspeeder", "red", 20.0, 10.0)
    for level, speed, is_near in ((0, 0, True), (0, 4, False), (6, 0, True), (60, 0, False)):
        ground = [[0.0] * 20 + [level] * 20 for _ in range(20)]
        battle = Battle(
            setup(
                unit("mechanic", "mechanic", "red", 19, 10),
                unit("foe", "trooper", "blue", 39, 19),
                vehicles=[{**parked, "x": 30.0, "speed": speed}],
                ground=ground,
                width=40,
            )
        )
        body = battle.state.vehicle_body(0)
        near = replace(battle.vehicle("car"), x_studs=20 + body.length_studs / 2, damage=1)
        battle.state = battle.state.with_vehicle(0, near)
        assert battle.do("unit mechanic").can("repair car") == is_near, (level, speed)


def test_2_4_4_the_roll_names_who_helps_whom_and_how():
    battle = ward().do("unit medic", "treat jedi")
    assert GAME.chance(battle.state).reason == "medic treats jedi, blue rolls its damage"
    battle = ward().do("unit jedi", "walk 5,6", "face w", "repair droid")
    assert GAME.chance(battle.state).reason == "jedi repairs droid, blue rolls its damage"
    assert battle.asked == "1 against 1"


def test_2_4_4_a_roll_of_treatment_waits_for_somebody_damaged_in_play():
    state = ward().do("unit medic", "treat jedi").state
    text = GAME.format_state(state)
    assert GAME.parse_state(text) == state
    for patient, why in (("foe", "patient: has no damage"), ("nobody", "'nobody' is not in play")):
        with pytest.raises(InvalidValueError, match=why):
            GAME.parse_state(text.replace('"TreatmentRoll","jedi"', f'"TreatmentRoll","{patient}"'))
