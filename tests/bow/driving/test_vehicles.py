"""Vehicles: BOW 3.1 to 3.6."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from brickphys.bow.actions.damage import hurt, leave_field
from brickphys.bow.actions.driving import first_few
from brickphys.bow.field import FIGURE_PLATES
from brickphys.bow.state import NOBODY
from brickphys.rules.record import OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle


def ride(
    sheet: str,
    seats: dict[str, str],
    *others,
    heading: float = 0.0,
    speed: int = 0,
    x: float = 15.0,
    y: float = 15.0,
    **more,
):
    """A vehicle of red's with its crew (seat -> sheet of the unit, who has the name of the seat)."""
    crew = [seated(seat, who, "red", "car", seat) for seat, who in seats.items()]
    parked = [vehicle("car", sheet, "red", x, y, heading, speed), *more.pop("vehicles", [])]
    others = others or (unit("foe", "trooper", "blue", 59, 39),)
    return Battle(setup(*crew, *others, width=60, length=40, vehicles=parked, **more))


def landspeeder(*others, **more) -> Battle:
    return ride("landspeeder", {"pilot": "driver"}, *others, **more)


def test_3_3_a_landspeeder_at_speed_4_moves_20_studs():
    battle = landspeeder(speed=4).do("unit pilot", "advance")
    assert (battle.vehicle("car").x_studs, battle.vehicle("car").y_studs) == (35.0, 15.0)
    assert battle.state.actions_left == 3
    assert battle.why_not("advance") == [
        "car stands still, or has already moved in this round (BOW 3.3)"
    ]


def test_3_3_start_move_and_stop_in_one_turn():
    battle = landspeeder().do("unit pilot", "speed 2", "advance", "speed 0")
    assert battle.vehicle("car").x_studs == 25.0
    assert battle.vehicle("car").speed == 0
    battle.do("end")
    assert battle.vehicle("car").x_studs == 25.0


def test_3_3_example_a_turn_of_20_degrees_the_move_and_another_of_almost_45():
    battle = landspeeder(speed=4)
    battle.do("unit pilot", "turn 20", "advance", "turn -44.5")
    craft = battle.vehicle("car")
    assert craft.heading_deg == 335.5
    assert (craft.x_studs, craft.y_studs) == pytest.approx((33.793852, 21.840403), abs=1e-5)


def test_3_3_a_half_turn_takes_four_actions_of_45_degrees():
    battle = landspeeder()
    battle.do("unit pilot")
    assert "not 46" in battle.why_not("turn 46")[0]
    battle.do(*["turn 45"] * 3, "unit foe", "end", "unit pilot", "turn 45")
    assert battle.vehicle("car").heading_deg == 180.0


def test_3_3_a_turn_without_room_is_illegal():
    walls = [{"id": "left", "block": [8, 19, 14, 1]}, {"id": "right", "block": [8, 10, 14, 1]}]
    battle = landspeeder(decor=walls).do("unit pilot")
    (why,) = battle.why_not("turn 45")
    assert why == "car has no room to turn: wall left, wall right (BOW 3.3)"
    assert "do turn" not in battle.menu()


def test_3_2_minimum_speed_take_off_and_landing():
    battle = ride("snowspeeder", {"pilot": "driver", "gunner": "gunner"}).do("unit pilot")
    assert battle.why_not("speed 3") == [
        "car can have the speeds 0, 4, 5, 6, 7, 8, not 3 (BOW 3.2)"
    ]
    assert battle.state.vehicle_body(0).bottom_plates == 0
    battle.do("speed 4")
    assert battle.state.vehicle_body(0).bottom_plates == 13
    battle.do("speed 0")
    assert battle.state.vehicle_body(0).bottom_plates == 0


def test_3_2_a_flyer_is_in_the_air_at_any_speed_but_0():
    slow = {"name": "kite", "base": "snowspeeder", "min_speed": 1}
    battle = ride("kite", {"pilot": "driver", "gunner": "gunner"}, library={"vehicle": [slow]})
    for speed in (0, 1, 2):
        state = battle.state.with_vehicle(0, replace(battle.vehicle("car"), speed=speed))
        assert state.flies(0) == (speed > 0)
        assert state.vehicle_body(0).bottom_plates == (13 if speed else 0)


def test_3_1_the_snowspeeder_has_two_turns_and_its_gunner_neither_pilots_nor_moves():
    others = (unit("ahead", "trooper", "blue", 30, 15), unit("behind", "trooper", "blue", 2, 15))
    battle = ride("snowspeeder", {"pilot": "driver", "gunner": "gunner"}, *others)
    battle.do("unit gunner")
    assert battle.why_not("speed 4") == ["gunner is not the pilot of a vehicle (BOW 2.3.3)"]
    assert battle.why_not("walk 15,15")[0] == "gunner is in a seat and cannot walk (BOW 3.1)"
    assert battle.why_not("attack ahead harpoon") == ["ahead is not in front (BOW 2.4.2)"]
    battle.do("attack behind harpoon")
    assert battle.asked == "4 against 3"  # 1 + 3
    battle.roll(0, 0).do("end", "unit ahead", "end", "unit pilot", "attack ahead front_blasters")
    assert battle.asked == "3 against 3"  # 1 + 3 less 1, 15 studs away


def test_3_1_a_catapult_throws_one_stone_a_turn():
    crew = {"driver": "driver", "gunner": "engineer"}
    battle = ride("catapult", crew, unit("foe", "knight", "blue", 40, 15)).do("unit gunner")
    battle.do("attack foe catapult_arm").roll(0, 0)
    assert battle.why_not("attack foe catapult_arm") == ["catapult_arm fires 1 a turn (BOW 3.1)"]


def test_3_1_each_weapon_has_its_own_firing_rate_and_keeps_it_in_a_change_of_seats():
    guns = [
        {"name": f"arm_{letter}", "damage": 3, "arc_deg": 360, "shots_per_turn": 1}
        for letter in "ab"
    ]
    seats = [
        {"name": "driver", "pilot": True},
        {"name": "a", "weapon": "arm_a"},
        {"name": "b", "weapon": "arm_b"},
    ]
    library = {
        "vehicle_weapon": guns,
        "vehicle": [{"name": "twin", "base": "jeep", "seat": seats}],
        "unit": [{"name": "busy", "base": "driver", "action_budget": 5}],
    }
    foe = unit("foe", "knight", "blue", 25, 15)
    battle = ride("twin", {"a": "busy"}, foe, library=library).do("unit a")
    battle.do("attack foe arm_a").roll(0, 0).do("seat b", "attack foe arm_b").roll(0, 0)
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    assert battle.why_not("attack foe arm_b") == ["arm_b fires 1 a turn (BOW 3.1)"]
    battle.do("seat a")
    assert battle.why_not("attack foe arm_a") == ["arm_a fires 1 a turn (BOW 3.1)"]
    battle.do("end", "unit foe", "end", "unit a")
    assert battle.can("attack foe arm_a")


def siege(*others, rate: int = 1, mate_y: int = 11) -> Battle:
    """A catapult whose arm another minifig reloads; mate stands beside it, unless farther away."""
    arm = {"name": "heavy_arm", "damage": 4, "shots_per_turn": rate, "reload": True}
    seats = [{"name": "driver", "pilot": True}, {"name": "gunner", "weapon": "heavy_arm"}]
    library = {
        "vehicle_weapon": [arm],
        "vehicle": [{"name": "engine", "base": "catapult", "seat": seats}],
    }
    crew = {"driver": "driver", "gunner": "engineer"}
    mate, foe = unit("mate", "trooper", "red", 15, mate_y), unit("foe", "knight", "blue", 40, 15)
    return ride("engine", crew, mate, foe, *others, library=library)


EMPTY = "another minifig must reload heavy_arm before it fires again (BOW 3.1)"


def test_3_1_another_minifig_reloads_a_weapon_before_it_fires_again():
    """For tougher games: not in the next turn either, and not by the gunner."""
    battle = siege().do("unit gunner", "attack foe heavy_arm").roll(0, 0)
    assert battle.why_not("attack foe heavy_arm") == [EMPTY]
    assert battle.why_not("reload car gunner") == [
        "another minifig than the gunner must reload its weapon (BOW 3.1)"
    ]
    battle.do("end", "unit foe", "end", "unit mate")
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    left = battle.state.actions_left
    battle.do("reload car gunner")
    assert battle.state.actions_left == left - 1
    assert battle.state.shots == ()
    assert battle.why_not("reload car gunner") == [
        "the weapon of the gunner of car is loaded (BOW 3.1)"
    ]
    battle.do("end", "unit driver", "end", "unit foe", "end", "unit gunner")
    assert battle.state.round == 2
    assert battle.can("attack foe heavy_arm")


def test_3_1_an_empty_weapon_is_empty_in_the_next_turn_too():
    battle = siege().do("unit gunner", "attack foe heavy_arm").roll(0, 0)
    battle.do("end", "unit foe", "end", "unit mate", "end", "unit driver", "end", "unit foe", "end")
    battle.do("unit gunner")
    assert battle.why_not("attack foe heavy_arm") == [EMPTY]
    assert not battle.can("do attack")


def test_3_1_another_of_the_crew_reloads_from_its_seat():
    battle = siege(rate=2).do("unit gunner", "attack foe heavy_arm").roll(0, 0)
    battle.do("attack foe heavy_arm").roll(0, 0)  # its last action
    assert battle.state.shots == ((0, 1), (0, 1))
    battle.do("unit foe", "end", "unit driver")
    assert "do reload" in battle.menu()
    battle.do("reload car gunner")
    assert battle.state.shots == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("reload cra gunner", "unknown vehicle 'cra': did you mean 'car'? (BOW 3.1)"),
        ("reload car driver", "unknown seat of car whose weapon is reloaded 'driver': known: gunner (BOW 3.1)"),
        ("reload car gunner", "car is not in contact with mate (BOW 3.1)"),
    ],
)  # fmt: skip
def test_3_1_who_cannot_reload(text, why):
    far = siege(mate_y=6).do("unit gunner", "attack foe heavy_arm").roll(0, 0)
    far.do("end", "unit foe", "end", "unit mate")
    assert far.why_not(text) == [why]


def test_3_1_a_bot_would_rather_have_a_loaded_weapon():
    battle = siege().do("unit gunner", "attack foe heavy_arm").roll(0, 0)
    battle.do("end", "unit foe", "end", "unit mate")
    empty = battle.state
    red, blue = GAME.estimate(battle.do("reload car gunner").state)
    assert (red, blue) > GAME.estimate(empty)
    assert blue < GAME.estimate(empty)[1]


def test_3_1_nobody_reloads_the_weapon_of_an_enemy():
    spy = unit("spy", "trooper", "blue", 15, 19)
    battle = siege(spy).do("unit gunner", "attack foe heavy_arm").roll(0, 0).do("end", "unit spy")
    assert battle.why_not("reload car gunner")[-1] == "car belongs to an enemy (BOW 3.1)"
    assert not [text for text in battle.menu() if "reload" in text]


def test_2_3_3_get_on_at_the_door_of_a_vehicle_that_stands_still_into_a_free_seat():
    friend, foe = unit("friend", "trooper", "red", 15, 9), unit("foe", "trooper", "blue", 59, 39)
    battle = landspeeder(friend, foe, speed=0).do("unit friend")
    assert battle.why_not("board car passenger") == [
        "friend is not close to a door of car (BOW 2.3.3)"
    ]
    battle.do("walk 15,10", "face e")
    assert battle.why_not("board car pilot") == ["pilot sits there (BOW 2.3.3)"]
    assert "unknown seat of car 'boot'" in battle.why_not("board car boot")[0]
    battle.do("do board")
    assert battle.menu() == ["board car passenger"]
    battle.do("board car passenger")
    assert battle.at("friend") is None
    assert battle.state.occupants(0) == [0, 1]
    battle.do("unit foe", "end", "unit pilot", "speed 1", "end", "unit foe", "end", "unit friend")
    assert battle.why_not("leave 20,11")[0] == "car is moving (BOW 2.3.3)"


def test_2_3_3_leave_on_a_free_stud_at_the_door_only():
    battle = landspeeder().do("unit pilot", "do leave")
    cells = {tuple(map(int, text[6:].split(","))) for text in battle.menu()}
    assert cells
    size = battle.state.setting.vehicles[0].sheet.footprint
    for x, y in cells:
        assert abs(y + 0.5 - 15) >= size.width_studs / 2
        assert abs(x + 0.5 - 15) <= size.length_studs / 2 + 0.5
    target = min(cells)
    battle.do(f"leave {target[0]},{target[1]}")
    assert battle.at("pilot") == target
    assert battle.state.pilot(0) == NOBODY


def hemmed_in(top: float, *others) -> Battle:
    """A jeep between a wall and a cliff of a height: both touch it along its doors."""
    ground = [[top if y < 7 else 0.0] * 30 for y in range(20)]
    wall = {"id": "n", "block": [0, 13, 30, 7], "top": top}
    driver, foe = (
        seated("driver", "driver", "red", "car", "driver"),
        unit("foe", "trooper", "blue", 29, 10),
    )
    jeep = vehicle("car", "jeep", "red", 10.0, 10.0)
    return Battle(setup(driver, *others, foe, vehicles=[jeep], decor=[wall], ground=ground))


@pytest.mark.parametrize(
    ("top", "is_step"), [(1, True), (3, True), (4, False), (15, False), (200, False)]
)
def test_2_3_3_whoever_is_walled_in_cannot_get_off(top, is_step):
    battle = hemmed_in(top).do("unit driver")
    studs = [(x, y) for x in range(7, 13) for y in (6, 13)]
    assert [battle.can(f"leave {x},{y}") for x, y in studs] == [is_step] * len(studs)
    assert ("do leave" in battle.menu()) == is_step
    if not is_step:
        assert battle.why_not("leave 8,6") == ["8,6 is not at a door of car (BOW 2.3.3)"]


@pytest.mark.parametrize(("top", "is_step"), [(3, True), (4, False), (60, False)])
@pytest.mark.parametrize("y", [6, 13])
def test_2_3_3_nobody_gets_on_from_a_wall_top_or_a_cliff(top, is_step, y):
    battle = hemmed_in(top, unit("mate", "driver", "red", 10, y)).do("unit mate")
    assert battle.can("board car passenger") == is_step
    assert ("do board" in battle.menu()) == is_step


def test_2_3_3_on_a_hill_the_doors_are_as_high_as_the_vehicle():
    ground = [[40.0] * 30] * 20
    driver, foe = (
        seated("driver", "driver", "red", "car", "driver"),
        unit("foe", "trooper", "blue", 29, 1),
    )
    jeep = vehicle("car", "jeep", "red", 10.0, 10.0)
    battle = Battle(setup(driver, foe, vehicles=[jeep], ground=ground)).do("unit driver")
    assert battle.can("leave 10,13")


def test_2_3_3_why_nobody_gets_on_or_off_is_named():
    battle = landspeeder().do("unit pilot")
    assert battle.why_not("leave 99,5") == ["99,5 is outside the field of 60 x 40 studs (BOW 1.3)"]
    assert battle.why_not("board car passenger")[0] == "pilot is already in a seat (BOW 2.3.3)"
    assert "unknown vehicle 'cart'" in battle.why_not("drift cart")[0]
    battle.do("end", "unit foe")
    assert battle.why_not("leave 58,39") == ["foe is not in a vehicle (BOW 2.3.3)"]
    assert battle.why_not("seat pilot") == ["foe is not in a vehicle (BOW 3.1)"]
    assert "unknown vehicle 'cart'" in battle.why_not("board cart pilot")[0]
    battle.state = battle.state.with_vehicle(0, replace(battle.vehicle("car"), gone=True))
    assert "unknown vehicle 'car'" in battle.why_not("board car pilot")[0]


def test_3_3_a_flyer_turns_over_what_reaches_its_height_and_not_into_what_is_higher():
    for top, can in ((13, True), (13.5, False), (15.5, False)):
        walls = [{"id": "l", "block": [8, 20, 14, 1], "top": top},
                 {"id": "r", "block": [8, 9, 14, 1], "top": top}]  # fmt: skip
        battle = ride("snowspeeder", {"pilot": "driver"}, decor=walls, speed=4).do("unit pilot")
        assert battle.state.vehicle_body(0).bottom_plates == 13
        assert battle.can("turn 45") is can


@pytest.mark.parametrize(
    ("names", "told"), [("abc", "a, b, c"), ("abcd", "a, b, c, ..."), ("a", "a")]
)
def test_of_things_in_the_way_three_are_named(names, told):
    assert first_few(list(names)) == told


def test_3_1_changing_seats_costs_an_action():
    battle = landspeeder().do("unit pilot")
    assert battle.why_not("seat pilot") == ["pilot sits there (BOW 2.3.3)"]
    battle.do("seat passenger")
    assert battle.state.actions_left == 2
    assert battle.why_not("speed 1") == ["pilot is not the pilot of a vehicle (BOW 2.3.3)"]


def test_3_3_whoever_changes_seats_in_his_turn_moves_the_vehicle_once():
    battle = landspeeder(speed=2)
    battle.do("unit pilot", "advance", "seat passenger", "seat pilot")
    assert battle.why_not("advance") == [
        "car stands still, or has already moved in this round (BOW 3.3)"
    ]
    battle.do("end")
    assert battle.vehicle("car").x_studs == 25.0
    battle.do("unit foe", "end", "unit pilot", "advance")
    assert battle.vehicle("car").x_studs == 35.0


def test_3_3_whoever_lets_it_drift_and_then_takes_the_wheel_moves_it_once():
    battle = landspeeder(speed=2).do("unit pilot", "seat passenger", "drift car", "seat pilot")
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    battle.do("end")
    assert battle.vehicle("car").x_studs == 25.0


@pytest.mark.parametrize("per_pilot", [False, True])
def test_3_3_a_vehicle_makes_one_move_a_round_unless_the_option_gives_each_pilot_one(per_pilot):
    others = (
        seated("heir", "driver", "red", "car", "passenger"),
        unit("foe", "trooper", "blue", 59, 39),
        unit("foe_2", "trooper", "blue", 57, 39),
    )
    library = {"vehicle": [{"name": "three", "base": "landspeeder", "seat": [
        {"name": "pilot", "pilot": True}, {"name": "passenger"}, {"name": "back"}]}]}  # fmt: skip
    options = {"move_per_pilot": per_pilot}
    battle = ride("three", {"pilot": "driver"}, *others, speed=2, library=library, options=options)
    battle.do("unit pilot", "advance", "seat back", "end", "unit foe", "end")
    battle.do("unit heir", "seat pilot")
    assert battle.can("advance") is per_pilot
    battle.do("end")
    assert (battle.state.round, battle.vehicle("car").x_studs) == (1, 35.0 if per_pilot else 25.0)
    battle.do("unit foe_2", "end", "unit heir", "end")
    assert (battle.state.round, battle.vehicle("car").x_studs) == (2, 45.0 if per_pilot else 35.0)


@pytest.mark.parametrize("per_pilot", [False, True])
def test_3_3_by_the_option_a_pilot_begins_with_a_move_to_make_whatever_others_have_done(per_pilot):
    battle = landspeeder(speed=2, options={"move_per_pilot": per_pilot})
    moved = replace(battle.state.vehicles[0], moved=True)
    battle.state = battle.state.with_vehicle(0, moved)
    assert battle.do("unit pilot").can("advance") is per_pilot


def test_3_3_without_a_pilot_the_side_that_drove_it_last_moves_it():
    """Red has captured the jeep of blue, and its driver is shot at the wheel."""
    others = (
        unit("mate", "trooper", "red", 1, 1),
        unit("archer", "archer", "blue", 20, 12, "w"),
        unit("knight", "knight", "blue", 50, 35),
    )
    wheel = {"name": "driver", "pilot": True, "exposed": True}
    library = {"vehicle": [{"name": "open", "base": "jeep", "seat": [wheel]}]}
    begin = setup(
        unit("thief", "driver", "red", 10, 13),
        *others,
        vehicles=[vehicle("car", "open", "blue", 10.0, 10.0)],
        library=library,
        width=60,
        length=40,
    )
    battle = Battle(begin)
    assert battle.vehicle("car").driver == 1
    battle.do("unit thief", "board car driver", "speed 1", "end")
    assert battle.vehicle("car").driver == 0
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    battle.do("unit archer", "attack thief bow", "3 0")
    assert not battle.unit("thief").plays
    battle.do("end")
    assert battle.vehicle("car").moved
    battle.do("unit mate")
    assert battle.why_not("drift car") == [
        "car has a pilot, stands still, or has already moved in this round (BOW 3.3)"
    ]
    battle.do("end", "unit knight")
    assert battle.why_not("drift car")[0] == "red drove car last, and moves it (BOW 3.3)"
    battle.do("end")
    assert battle.state.round == 2
    at = battle.vehicle("car").x_studs
    battle.do("unit mate", "drift car").roll(0, 0)  # it runs over the knight
    assert battle.vehicle("car").x_studs == at + 5.0


def test_3_3_without_a_pilot_the_owner_moves_it_once_a_round_in_any_turn():
    battle = ride(
        "landspeeder",
        {"passenger": "trooper"},
        unit("a", "trooper", "red", 1, 1),
        unit("b", "trooper", "blue", 59, 39),
        speed=2,
    )
    battle.do("unit a", "drift car")
    assert battle.vehicle("car").x_studs == 25.0
    assert battle.why_not("drift car")[0].startswith(
        "car has a pilot, stands still, or has already moved"
    )
    battle.do("end", "unit b", "end", "unit passenger", "end")
    assert battle.vehicle("car").x_studs == 25.0
    assert battle.state.round == 2


def test_3_3_and_if_he_forgets_it_moves_at_the_end_of_the_round():
    battle = ride(
        "landspeeder", {"passenger": "trooper"}, unit("b", "trooper", "blue", 59, 39), speed=2
    )
    battle.do("unit passenger", "end", "unit b", "end")
    assert (battle.state.round, battle.vehicle("car").x_studs) == (2, 25.0)


def test_3_3_a_vehicle_that_leaves_the_field_takes_its_crew_out_of_the_battle():
    battle = landspeeder(unit("b", "trooper", "blue", 50, 39), heading=180.0, speed=4)
    battle.do("unit pilot", "advance")
    assert battle.vehicle("car").gone
    assert not battle.unit("pilot").plays
    assert not battle.unit("pilot").is_dead
    assert GAME.actor(battle.state) == OVER
    assert GAME.returns(battle.state) == (-1, 1)


def test_3_6_1_the_horse_at_speed_2_hits_the_peasant_who_resists_2_bricks():
    peasant = unit("peasant", "basic_trooper", "blue", 22, 14)
    battle = ride(
        "horse", {"rider": "rider"}, peasant, unit("b", "trooper", "blue", 59, 39), speed=2
    )
    battle.do("unit rider", "advance")
    assert battle.asked == "2 against 1"
    assert "blue's" not in GAME.chance(battle.state).reason
    assert "red rolls its speed" in GAME.chance(battle.state).reason
    battle.roll(1, 1)
    assert battle.vehicle("car").x_studs == 25.0  # units do not stop it
    x, y = battle.at("peasant")
    studs = battle.state.board
    assert not any(body >> battle.unit("peasant").stud & 1 for body in [studs.taken & ~studs.units])
    assert abs(x - 22) <= 3
    assert abs(y - 14) <= 3


def run_over(**more) -> Battle:
    """A jeep hits a knight, who lives; it comes to a stand where he stood."""
    driver = seated("driver", "driver", "red", "car", "driver")
    knight = unit("knight", "knight", "blue", 20, 12)
    jeep = vehicle("car", "jeep", "red", 10.0, 10.0, 0.0, 2)
    battle = Battle(setup(driver, knight, vehicles=[jeep], width=50, **more))
    return battle.do("unit driver", "advance").roll(0, 0)


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({}, (20, 13)),
        ({"decor": [{"id": "low", "block": [0, 13, 50, 1], "top": 3}]}, (20, 13)),
        ({"decor": [{"id": "wall", "block": [0, 13, 50, 1], "top": 200}]}, (25, 12)),
        ({"decor": [{"id": "wall", "block": [0, 13, 49, 1], "top": 15}]}, (25, 12)),
        ({"ground": [[60.0 if y > 12 else 0.0] * 50 for y in range(20)]}, (25, 12)),
    ],
    ids=["open", "step", "wall", "wall with a gap", "cliff"],
)
def test_3_6_1_a_survivor_stands_beside_the_vehicle_where_he_could_have_walked(more, at):
    battle = run_over(**more)
    assert battle.vehicle("car").x_studs == 20.0
    assert battle.at("knight") == at
    assert battle.do("end", "unit knight", "do walk").menu()


def test_3_6_1_where_no_step_leads_to_room_a_survivor_is_put_on_the_nearest():
    hole = [[0.0 if (x, y) == (20, 12) else 6.0 for x in range(50)] for y in range(20)]
    assert run_over(ground=hole).at("knight") == (20, 13)


def test_3_6_1_every_unit_that_is_hit_rolls_and_may_die():
    others = [unit(f"p{n}", "basic_trooper", "blue", 22 + n, 14) for n in range(3)]
    battle = ride("horse", {"rider": "rider"}, *others, speed=2).do("unit rider", "advance")
    battle.roll(1, 0).roll(0, 0).roll(2, 1)
    assert [battle.unit(f"p{n}").plays for n in range(3)] == [False, True, False]


def test_3_6_1_a_flyer_passes_over_the_heads_of_those_who_stand_on_its_ground():
    below = [unit(f"p{n}", "trooper", "blue", 24 + n, 15) for n in range(4)]
    battle = ride("snowspeeder", {"pilot": "driver"}, *below, speed=4)
    assert battle.state.vehicle_body(0).bottom_plates > FIGURE_PLATES
    battle.do("unit pilot", "advance")
    assert battle.vehicle("car").x_studs == 35.0
    assert not battle.state.pending


def head_on(heading: float, speed: int, mine: int = 2) -> Battle:
    other = vehicle("target", "truck", "blue", 35.0, 15.0, heading, speed)
    crew = (seated("b", "driver", "blue", "target", "driver"),)
    return ride("truck", {"driver": "driver"}, *crew, vehicles=[other], speed=mine)


@pytest.mark.parametrize(
    ("heading", "theirs", "bricks"), [(180.0, 3, 5), (90.0, 3, 2), (0.0, 1, 1), (0.0, 4, 2)]
)
def test_3_6_3_relative_speed_by_sector(heading, theirs, bricks):
    battle = head_on(heading, theirs, 2)
    battle.do("unit driver", "advance")
    if GAME.actor(battle.state) >= 0:  # too far for this speed
        battle.do("end", "unit b")
        pytest.fail("they should meet")
    assert battle.asked == f"{bricks} against 5"
    assert "car crashes into target" in GAME.chance(battle.state).reason
    battle.roll(0, 0)
    assert "target crashes into car" in GAME.chance(battle.state).reason
    battle.roll(0, 0)
    assert battle.vehicle("car").speed == battle.vehicle("target").speed == 0


def test_3_5_damage_goes_to_the_vehicle_first_unless_an_occupant_is_exposed():
    crew = (
        seated("b", "driver", "blue", "target", "driver"),
        seated("c", "driver", "blue", "bike", "rider"),
    )
    others = [
        vehicle("target", "truck", "blue", 30.0, 15.0),
        vehicle("bike", "horse", "blue", 30.0, 26.0, 180.0),
    ]
    archer = unit("a", "archer", "red", 20, 20)
    battle = ride("jeep", {"driver": "driver"}, *crew, archer, vehicles=others).do("unit a")
    assert battle.why_not("attack b bow") == [
        "b sits inside target, which must be attacked (BOW 3.5)"
    ]
    assert battle.can("attack target bow")
    assert battle.can("attack c bow")
    assert battle.can("attack bike bow")


def test_3_4_nobody_attacks_the_vehicle_in_which_he_sits():
    stowaway = seated("b", "driver", "blue", "car", "driver")
    battle = ride("tank", {"gunner": "gunner"}, stowaway, unit("foe", "trooper", "blue", 25, 15))
    battle.do("unit gunner")
    assert battle.why_not("attack car turret_gun") == ["gunner sits in car (BOW 3.4)"]
    battle.do("do attack")
    assert battle.menu() == ["attack foe turret_gun"]


def blown_up() -> Battle:
    """The example of 3.5: 6 damage points on a vehicle with 1 health left, a driver and two gunners in it."""
    library = {
        "unit": [
            {"name": "heavy", "base": "basic_trooper", "attack": 6, "health": 1},
            {"name": "hardy", "base": "basic_trooper", "health": 3},
        ],
        "vehicle": [
            {
                "name": "cart",
                "speed": 2,
                "armor": 3,
                "health": 1,
                "length_studs": 6,
                "width_studs": 4,
                "bottom_plates": 0,
                "top_plates": 9,
                "seat": [{"name": "driver", "pilot": True}, {"name": "left"}, {"name": "right"}],
            }
        ],
    }
    crew = [
        seated(f"b_{seat}", "hardy", "blue", "cart", seat) for seat in ("driver", "left", "right")
    ]
    return Battle(
        setup(
            unit("a", "heavy", "red", 5, 5),
            *crew,
            vehicles=[vehicle("cart", "cart", "blue", 9.0, 5.5)],
            library=library,
        )
    ).do("unit a", "attack cart hands")


def test_3_5_example_six_points_on_one_health_are_shared_two_two_one():
    battle = blown_up()
    assert battle.asked == "6 against 3"
    battle.roll(6, 0)
    assert battle.vehicle("cart").gone
    assert battle.actor == "red"  # the attacker chooses
    assert battle.menu() == ["extra b_driver", "extra b_left", "extra b_right"]
    battle.do("extra b_driver")
    assert battle.why_not("extra b_driver") == ["b_driver already takes an extra point (BOW 3.5)"]
    battle.do("extra b_left")
    damages = [battle.unit(f"b_{seat}").damage for seat in ("driver", "left", "right")]
    assert damages == [2, 2, 1]
    for seat in ("driver", "left", "right"):  # they stand where the vehicle was
        x, y = battle.at(f"b_{seat}")
        assert 6 <= x < 12
        assert 3 <= y < 8


def test_3_5_the_crew_of_a_flyer_that_is_shot_down_stands_on_the_ground():
    house = {"id": "house", "block": [13, 13, 5, 5], "top": 9}
    library = {"vehicle": [{"name": "wreck", "base": "snowspeeder", "armor": 0, "health": 1}]}
    archer = unit("archer", "archer", "blue", 30, 15, "w")
    battle = ride("wreck", {"pilot": "driver", "gunner": "gunner"}, archer, decor=[house],
                  speed=4, library=library)  # fmt: skip
    battle.do("unit pilot", "end")
    battle.state = battle.state.with_vehicle(0, replace(battle.vehicle("car"), x_studs=15.0))
    battle.do("unit archer", "attack car bow").roll(1, 0)
    assert battle.vehicle("car").gone
    for name in ("pilot", "gunner"):
        assert battle.state.stance(battle.state.setting.unit_numbers[name]).ground_plates == 0
        x, y = battle.at(name)
        assert max(abs(x - 15), abs(y - 15)) <= 4


@pytest.mark.parametrize("plateau", [[0, 0, 15, 40], [60, 0, 20, 40]])
def test_3_5_the_crew_of_a_flyer_that_is_shot_down_is_put_below_it_however_high_it_began(plateau):
    x, y, width, length = plateau
    ground = np.zeros((40, 80))
    ground[y : y + length, x : x + width] = 15
    crew = seated("pilot", "trooper", "red", "flyer", "pilot")
    flyer = vehicle("flyer", "snowspeeder", "red", 7, 20, speed=8)
    archer = unit("archer", "archer", "blue", 40, 1, "n")
    battle = Battle(
        setup(crew, archer, width=80, length=40, ground=ground.tolist(), vehicles=[flyer])
    )
    battle.do("unit pilot", "advance")
    battle.state = hurt(battle.state, "flyer", 2, 1, 1)
    assert battle.at("pilot") == (47, 20)


def test_3_5_what_is_destroyed_or_has_left_the_field_stands_still_and_its_crew_forgets():
    state = landspeeder(speed=4).state
    state = state.with_unit(0, replace(state.units[0], marked=True, guard=3, held_up=1))
    health = state.setting.vehicles[0].sheet.health
    wreck = hurt(state, "car", health, 1, 1).vehicles[0]
    assert (wreck.gone, wreck.speed, wreck.damage) == (True, 0, health)
    after = leave_field(state, 0)
    assert (after.vehicles[0].gone, after.vehicles[0].speed, after.vehicles[0].damage) == (
        True,
        0,
        0,
    )
    pilot = after.units[0]
    assert (pilot.stud, pilot.seat) == (None, None)
    assert (pilot.marked, pilot.guard, pilot.held_up) == (False, 0, 0)


def test_3_5_without_points_left_the_occupants_are_only_put_down():
    battle = blown_up().roll(2, 1)
    assert battle.vehicle("cart").gone
    assert [battle.unit(f"b_{seat}").damage for seat in ("driver", "left", "right")] == [0, 0, 0]


def test_2_3_3_a_piloting_action_by_somebody_on_foot_is_refused():
    battle = landspeeder().do("unit pilot", "end", "unit foe")
    for text in ("speed 2", "turn 15", "advance"):
        assert battle.why_not(text) == ["foe is not the pilot of a vehicle (BOW 2.3.3)"]


def test_3_5_a_rider_is_attacked_in_melee_and_strikes_back_with_his_own_weapon():
    rider = seated("knight", "rider", "blue", "mare", "rider")
    mare = vehicle("mare", "horse", "blue", 15.5, 25.5, 270.0)
    soldier = unit("soldier", "swordsman", "red", 15, 18, "n")
    battle = ride("jeep", {"driver": "driver"}, rider, soldier, vehicles=[mare]).do("unit soldier")
    (why,) = battle.why_not("attack knight sword")
    assert why.startswith("sword cannot touch knight, ")
    battle.do("walk 15,20", "face n")
    assert battle.can("attack knight sword")
    assert battle.can("attack mare sword")
    battle.do("end", "unit knight")
    assert battle.can("attack soldier sword")  # the horse looks south
    battle.do("turn 45", "turn 45", "turn 45")
    battle.do("unit driver", "end", "unit knight")
    assert battle.why_not("attack soldier sword") == ["soldier is not in front (BOW 2.4.2)"]


def test_3_5_in_a_crash_whoever_rolled_against_the_vehicle_shares_the_points():
    wall = {"id": "wall", "block": [26, 0, 2, 40]}
    library = {"vehicle": [{"name": "wreck", "base": "jeep", "health": 1, "armor": 0}]}
    crew = {"driver": "driver", "passenger": "knight"}
    battle = ride("wreck", crew, decor=[wall], speed=4, library=library)
    battle.do("unit driver", "advance").roll(2, 0)
    assert battle.vehicle("car").gone
    assert (battle.actor, battle.menu()) == ("blue", ["extra driver", "extra passenger"])
    battle.do("extra passenger")
    assert battle.unit("passenger").damage == 1
    assert battle.unit("driver").damage == 0
    assert battle.actor == "red"  # the driver goes on, on foot


def test_3_6_a_driver_who_dies_in_a_crash_leaves_no_actions_to_the_next_player():
    wall = {"id": "wall", "block": [26, 0, 2, 40]}
    library = {"vehicle": [{"name": "wreck", "base": "jeep", "health": 1, "armor": 0}]}
    others = (unit("mate", "trooper", "red", 1, 1), unit("foe", "trooper", "blue", 59, 39))
    battle = ride("wreck", {"driver": "knight"}, *others, decor=[wall], speed=4, library=library)
    battle.do("unit driver", "advance")
    assert battle.state.actions_left > 0
    battle.roll(4, 0)
    assert not battle.unit("driver").plays
    assert (battle.actor, battle.state.active, battle.state.actions_left) == ("blue", NOBODY, 0)
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


def test_3_6_what_is_destroyed_crashes_no_more():
    wall = {"id": "wall", "block": [26, 0, 2, 14]}
    other = vehicle("target", "truck", "blue", 34.0, 17.0)
    library = {"vehicle": [{"name": "wreck", "base": "jeep", "health": 1, "armor": 0}]}
    battle = ride("wreck", {"driver": "knight"}, decor=[wall], speed=4, library=library,
                  vehicles=[other])  # fmt: skip
    size = battle.state.setting.vehicles[1].sheet.footprint
    assert 34 - size.length_studs / 2 == 26.0  # both are touched at once
    battle.do("unit driver", "advance").roll(1, 0)
    assert battle.vehicle("car").gone
    assert "target crashes into car" in GAME.chance(battle.state).reason
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


def test_3_1_a_seat_of_a_weapon_needs_studs_on_the_sheet_for_it():
    library = {"unit": [{"name": "brute", "base": "basic_trooper", "attack": 4}]}
    brute = unit("brute", "brute", "red", 15, 10)
    battle = ride("tank", {"driver": "driver"}, brute,
                  unit("foe", "trooper", "blue", 59, 39), library=library)  # fmt: skip
    battle.do("unit brute")
    assert any("Attack/Damage 8" in why for why in battle.why_not("board car gunner"))


def test_a_state_with_vehicles_pickles():
    battle = landspeeder(speed=4).do("unit pilot", "advance")
    assert pickle.loads(pickle.dumps(battle.state)) == battle.state
