"""Worked examples and figures of the book that no other file has, in the order of its sections."""

from dataclasses import replace

import pytest

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.catalogue import unit as sheet_of
from brickphys.bow.sheets.catalogue import vehicle as vehicle_of
from brickphys.bow.sheets.gear import Place
from brickphys.bow.sheets.rulebook import STUDS_PER_SPEED
from brickphys.rules.record import OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

FOE = unit("foe", "knight", "blue", 29, 19)


def test_2_2_a_round_has_as_many_turns_as_there_are_units_and_the_larger_army_ends_it_alone():
    reds = [unit(f"r{n}", "trooper", "red", 0, 3 * n) for n in range(5)]
    blues = [unit(f"b{n}", "trooper", "blue", 29, 3 * n) for n in range(2)]
    battle, turns = Battle(setup(*reds, *blues)), []
    while battle.state.round == 1:
        turns.append(battle.actor)
        battle.do(battle.menu()[0], "end")
    assert turns == ["red", "blue", "red", "blue", "red", "red", "red"]


def test_2_3_1_example_of_three_actions_a_move_a_door_and_another_move():
    wall = [
        {"id": "wall", "block": [10, 0, 1, 10]},
        {"id": "door", "kind": "door", "block": [10, 10, 1, 1]},
        {"id": "rest", "block": [10, 11, 1, 9]},
    ]
    battle = Battle(setup(unit("a", "rider", "red", 5, 10), FOE, decor=wall)).do("unit a")
    battle.do("walk 9,10", "face e", "open door", "walk 14,10", "face e")
    assert battle.at("a") == (14, 10)
    assert battle.actor == "blue"


def test_2_3_1_example_of_an_attack_a_move_and_another_attack():
    battle = Battle(setup(unit("a", "rider", "red", 5, 5), unit("b", "knight", "blue", 6, 5)))
    battle.do("unit a", "attack b sword").roll(1, 1)
    battle.do("walk 7,5", "face w", "attack b sword").roll(2, 1)
    assert battle.unit("b").damage == 1
    assert battle.actor == "blue"


def test_2_4_2_the_figure_of_the_ruler_one_target_at_its_end_and_one_that_costs_two_bricks():
    """The head at the end of the first 15 studs of the ruler costs nothing, that in the third 15 costs two bricks."""
    others = (unit("left", "knight", "blue", 14, 5), unit("right", "knight", "blue", 40, 9))
    battle = Battle(setup(unit("a", "rocketeer", "red", 0, 5), *others, width=60))
    battle.do("unit a", "attack left rocket_launcher")
    assert battle.asked == "5 against 5"
    battle.roll(0, 0).do("attack right rocket_launcher")
    assert battle.asked == "3 against 5"


@pytest.mark.parametrize("what", ["wall", "unit", "vehicle"])
def test_2_4_2_decor_a_unit_or_a_vehicle_that_covers_adds_a_brick(what):
    between = {
        "wall": {"decor": [{"id": "low", "block": [9, 5, 1, 1], "top": 6}]},
        "unit": {"units": [unit("mate", "basic_trooper", "blue", 9, 6)]},
        "vehicle": {"vehicles": [vehicle("mare", "horse", "blue", 9.0, 7.4)]},
    }[what]
    mates = between.pop("units", [])
    shooter, target = unit("a", "archer", "red", 4, 5), unit("b", "knight", "blue", 14, 6)
    battle = Battle(setup(shooter, target, *mates, **between)).do("unit a", "attack b bow")
    assert battle.asked == "3 against 6"


def test_2_4_4_the_figure_of_a_medic_a_hero_a_droid_and_a_ship():
    """Leia treats Han, Han repairs R2, R2 repairs a ship; none of them the other way round."""
    library = {
        "unit": [
            {"name": "leia", "base": "basic_trooper", "treat": 2},
            {"name": "han", "base": "basic_trooper", "repair": 2},
            {"name": "r2", "base": "repair_droid"},
        ]
    }
    crew = [unit(name, name, "red", 5 + n, 5) for n, name in enumerate(("leia", "han", "r2"))]
    ship = vehicle("ship", "truck", "red", 16.0, 5.0)
    battle = Battle(setup(*crew, FOE, vehicles=[ship], library=library))
    hurt = tuple(replace(figure, damage=1) for figure in battle.state.units[:3])
    hurt = tuple(replace(figure, sheet=replace(figure.sheet, health=2)) for figure in hurt)
    battle.state = battle.state.replaced({"units": (*hurt, *battle.state.units[3:])})
    battle.state = battle.state.with_vehicle(0, replace(battle.state.vehicles[0], damage=1))
    helped = []
    for name in ("leia", "han", "r2"):
        battle.do(f"unit {name}")
        others = ("leia", "han", "r2", "ship")
        helped += [
            (name, word, other)
            for word in ("treat", "repair")
            for other in others
            if battle.can(f"{word} {other}")
        ]
        battle.do("end", *(["unit foe", "end"] if name == "leia" else []))
    assert helped == [("leia", "treat", "han"), ("han", "repair", "r2"), ("r2", "repair", "ship")]


def test_3_2_example_of_three_speeds_that_go_5_10_and_15_studs():
    assert vehicle_of("horse").speeds == (0, 1, 2, 3)
    for speed, studs in ((1, 5), (2, 10), (3, 15)):
        horse = vehicle("horse", "horse", "red", 10.0, 10.0, speed=speed)
        rider = seated("rider", "rider", "red", "horse", "rider")
        battle = Battle(setup(rider, FOE, width=40, vehicles=[horse])).do("unit rider", "advance")
        assert battle.vehicle("horse").x_studs == 10.0 + studs


def test_3_3_example_of_a_vehicle_left_alone_that_goes_on_until_it_leaves_the_field():
    """The pilot is dead, the speed is not null: once a round, straight on, until it is out of the battle field."""
    car = vehicle("car", "landspeeder", "red", 10.0, 10.0, speed=2)
    begin = setup(unit("a", "trooper", "red", 0, 0), FOE, width=40, vehicles=[car])
    battle, places = Battle(begin), []
    while not battle.vehicle("car").gone:
        places.append(battle.vehicle("car").x_studs)
        for _ in range(2):
            battle.do(battle.menu()[0], "end")
    assert places == [10.0, 20.0, 30.0, 40.0]
    assert GAME.actor(battle.state) != OVER


def test_3_4_who_leaves_the_weapon_of_a_vehicle_has_his_own_again():
    crew = [seated("a", "engineer", "red", "tank", "gunner")]
    tank = vehicle("tank", "tank", "red", 10.0, 10.0)
    target = unit("b", "knight", "blue", 10, 2)
    battle = Battle(setup(*crew, target, vehicles=[tank])).do("unit a", "attack b turret_gun")
    assert battle.asked.startswith("5 ")
    battle.roll(0, 0).do("do leave")
    battle.do(battle.menu()[0], "unit b", "end", "unit a")
    assert battle.why_not("attack b turret_gun")
    assert battle.unit("a").sheet.attack_damage == 2


def test_3_6_2_the_driver_shoots_instead_of_steering_and_the_jeep_hits_the_wall():
    """At speed 2: it resists 2 bricks, and its speed is 0 then."""
    jeep = vehicle("jeep", "jeep", "red", 12.0, 10.0, speed=2)
    crew = seated("driver", "driver", "red", "jeep", "driver")
    wall = {"id": "wall", "block": [24, 0, 1, 15]}
    target = unit("launcher", "rocketeer", "blue", 29, 17)
    battle = Battle(setup(crew, target, vehicles=[jeep], decor=[wall]))
    battle.do("unit driver", *["attack launcher gun", "0 0"] * 3)
    assert battle.asked == "2 against 4"
    battle.roll(1, 2)
    assert (battle.vehicle("jeep").damage, battle.vehicle("jeep").speed) == (0, 0)


def test_a_2_examples_of_two_swords_or_guns_and_of_helmet_and_shield():
    gear = catalogue().gear
    trooper = sheet_of("basic_trooper")
    for name in ("sword", "gun"):
        pair = trooper.put(gear[name], Place.HELD).put(gear[name], Place.HELD)
        assert pair.attack_damage == 1 + 2 + 2
    for name in ("bow", "rocket_launcher"):
        one = trooper.put(gear[name], Place.HELD)
        assert "need 4 hands" in one.gear._with(gear[name], Place.HELD).problems()[0]
    armored = trooper.put(gear["helmet"], Place.WORN).put(gear["shield"], Place.HELD)
    assert armored.armor == 2


def test_a_3_the_move_of_a_trooper_is_a_speed_of_1():
    assert sheet_of("basic_trooper").move == STUDS_PER_SPEED


def test_b_3_example_of_a_magician_against_a_trooper_and_another_magician_within_a_range():
    """A trooper has no protection against magic, a magician has some; beyond the range there is none."""
    others = [
        unit("trooper", "trooper", "blue", 9, 5),
        unit("merlin", "wizard", "blue", 9, 7),
        unit("far", "trooper", "blue", 29, 5),
    ]
    begin = setup(unit("magician", "wizard", "red", 5, 5), *others, actions=["firebolt"])
    battle = Battle(begin).do("unit magician", "use firebolt trooper")
    assert battle.asked == "4 against 0"
    battle.roll(0, 0).do("use firebolt merlin")
    assert battle.asked == "4 against 4"
    assert "20 studs" in battle.roll(0, 0).why_not("use firebolt far")[0]
