"""The way of a vehicle over the ground: BOW 3.2, 3.3, 3.6.2; steps, drops, and flyers that come down."""

from dataclasses import replace

import pytest

from brickphys.bow.actions.collision import _under
from brickphys.bow.actions.obstacles import overlapping
from brickphys.errors import InvalidValueError
from tests.bow.battle import GAME, Battle, seated, unit, vehicle
from tests.bow.driven_games import drive, rough_setup, seen_overlaps
from tests.bow.driving.test_vehicles import ride
from tests.cases import few

JEEP = {"driver": "driver"}
PILOT = {"pilot": "driver"}
FOE = unit("foe", "trooper", "blue", 59, 0)


def terrain(height_at) -> list[list[float]]:
    return [[float(height_at(x, y)) for x in range(60)] for y in range(40)]


def drives(height_at, *others, sheet="jeep", speed=4, **more) -> Battle:
    """A vehicle at 15, 15 that heads east on such ground, once it has made its move."""
    crew = PILOT if sheet == "snowspeeder" else JEEP
    battle = ride(sheet, crew, *(others or (FOE,)), ground=terrain(height_at), speed=speed, **more)
    return battle.do(f"unit {next(iter(crew))}", "advance")


def base(battle: Battle, name: str = "car") -> float:
    return battle.vehicle(name).base_plates


def is_sound(battle: Battle) -> bool:
    """Whether a state reads back, and nothing overlaps in it, as shapely sees it."""
    back = GAME.parse_state(GAME.format_state(battle.state))
    return back == battle.state and seen_overlaps(battle.state) == []


def test_3_6_2_a_staircase_that_is_walked_is_driven_up_and_down():
    def stairs(x, _):
        return 3 * min(max((x - 20) // 4, 0), 3)

    up = drives(stairs)
    assert (up.state.pending, up.vehicle("car").x_studs, base(up)) == ((), 35.0, 9.0)
    assert is_sound(up)
    down = drives(lambda x, _: 9 - stairs(x + 4, 0))
    assert (down.state.pending, down.vehicle("car").x_studs, base(down)) == ((), 35.0, 0.0)
    assert is_sound(down)


@pytest.mark.parametrize("speed", range(1, 5))
@pytest.mark.parametrize(("rise", "edge"), [(2.0, 25), (3.0, 22), (3.0, 31)])
def test_3_6_2_it_stands_on_the_highest_ground_under_its_footprint(speed, rise, edge):
    """In closed form: up as soon as its front is over the edge, down as soon as its rear is."""
    for height_at, is_up in (
        (lambda x, _: rise * (x >= edge), lambda x: x + 5 > edge),
        (lambda x, _: rise * (x < edge), lambda x: x - 5 < edge),
    ):
        battle = drives(height_at, speed=speed)
        x = battle.vehicle("car").x_studs
        assert battle.state.pending == ()
        assert x == 15.0 + 5 * speed
        assert base(battle) == rise * is_up(x)
        assert is_sound(battle)


@pytest.mark.parametrize("rise", [3.5, 4, 12, 60])
def test_3_6_2_what_is_more_than_a_step_higher_stops_it(rise):
    battle = drives(lambda x, _: rise * (x >= 28))
    assert battle.asked == "4 against 4"
    battle.roll(0, 0)
    assert (battle.vehicle("car").x_studs, base(battle)) == (23.0, 0.0)
    assert battle.vehicle("car").speed == 0
    assert is_sound(battle)


def test_3_6_2_steps_are_counted_from_where_it_drives():
    """6 plates are a step from 3, and a wall from 0."""
    battle = drives(lambda x, y: 3 * (x >= 22) + 3 * (x >= 30 and y > 3))
    assert (battle.state.pending, base(battle)) == ((), 6.0)
    assert drives(lambda x, _: 6 * (x >= 22)).asked == "4 against 4"


@pytest.mark.parametrize("drop", [4.0, 6.0, 15.0])
def test_3_6_2_a_drop_of_more_than_a_step_is_a_crash_at_its_foot(drop):
    battle = drives(lambda x, _: drop * (x < 22))
    assert battle.asked == "4 against 4"
    battle.roll(0, 0)
    craft = battle.vehicle("car")
    assert (craft.x_studs, base(battle), craft.speed) == (27.0, 0.0, 0)
    assert is_sound(battle)
    battle.do("turn 45", "end", "unit foe", "end", "unit driver", "speed 1", "advance")
    assert battle.state.pending == ()


def test_3_6_2_wheels_over_an_edge_stay_up_and_drop_when_the_rear_follows():
    """The reproduction: half over the edge it stood in the plateau, immovable."""
    battle = drives(lambda x, _: 6 * (x < 22), speed=2)
    assert (battle.state.pending, battle.vehicle("car").x_studs, base(battle)) == ((), 25.0, 6.0)
    assert is_sound(battle)
    battle.do("turn 45", "turn -45", "end", "unit foe", "end", "unit driver", "advance")
    battle.roll(0, 0)
    assert (battle.vehicle("car").x_studs, base(battle)) == (27.0, 0.0)
    assert is_sound(battle)


def test_3_6_1_who_stands_below_a_cliff_is_passed_over_or_fallen_upon():
    def cliff(x, _):
        return 15 * (x < 22)

    below = unit("below", "knight", "blue", 24, 15)
    over = drives(cliff, below, FOE, speed=2)
    assert over.state.pending == ()
    assert over.at("below") == (24, 15)
    assert is_sound(over)
    onto = drives(cliff, below, FOE)
    assert [type(one).__name__ for one in onto.state.pending] == [
        "RunOver",
        "EndOfMove",
        "CrashRoll",
    ]
    assert is_sound(onto)
    onto.roll(0, 0).roll(0, 0)
    assert onto.at("below") != (24, 15)
    assert is_sound(onto)


def test_3_6_2_a_vehicle_that_falls_on_another_rests_on_it_and_comes_down_when_that_leaves():
    parked = vehicle("van", "truck", "blue", 33.0, 15.0)
    driver = seated("van_driver", "driver", "blue", "van", "driver")
    battle = drives(lambda x, _: 24 * (x < 25), driver, FOE, vehicles=[parked])
    roof = battle.state.vehicle_body(1).top_plates
    while battle.state.pending:
        battle.roll(0, 0)
    assert (battle.vehicle("car").x_studs, base(battle)) == (30.0, roof)
    assert is_sound(battle)
    battle.do("end", "unit van_driver", "speed 4", "advance")
    assert base(battle) == 0.0
    assert is_sound(battle)


def test_3_6_3_both_are_rolled_for_where_one_falls_on_another():
    parked = vehicle("van", "truck", "blue", 33.0, 15.0)
    driver = seated("van_driver", "driver", "blue", "van", "driver")
    battle, told = drives(lambda x, _: 24 * (x < 25), driver, FOE, vehicles=[parked]), []
    while battle.state.pending:
        told.append(GAME.chance(battle.state).reason.split(",")[0])
        battle.roll(0, 0)
    assert told == ["car crashes", "van crashes into car"]


def test_3_6_2_a_bridge_is_passed_under_and_its_height_is_decor_to_what_drives_up():
    bridge = {"id": "bridge", "block": [24, 8, 10, 14], "bottom": 12, "top": 15}
    under = drives(lambda *_: 0, decor=[bridge])
    assert (under.state.pending, under.vehicle("car").x_studs) == ((), 35.0)
    top = under.state.vehicle_body(0).top_plates
    low = replace_bottom(bridge, top + 1)
    climbing = drives(lambda x, _: 3 * (x >= 28), decor=[low])
    assert climbing.asked == "4 against 4"
    climbing.roll(0, 0)
    assert (climbing.vehicle("car").x_studs, base(climbing)) == (23.0, 0.0)
    assert is_sound(climbing)


def replace_bottom(piece, bottom):
    return {**piece, "bottom": bottom, "top": bottom + 3}


def test_3_6_2_low_decor_is_driven_over_on_its_top():
    low = {"id": "low", "block": [22, 5, 20, 20], "top": 2}
    battle = drives(lambda *_: 0, decor=[low])
    assert (battle.state.pending, battle.vehicle("car").x_studs, base(battle)) == ((), 35.0, 2.0)
    assert is_sound(battle)


def test_3_3_it_does_not_turn_off_a_cliff_nor_up_one():
    """Only its rear corner stands on the plateau: turned, the whole footprint would be over the lower ground."""
    battle = ride("jeep", JEEP, FOE, ground=terrain(lambda x, y: 15 * (x < 11 and y < 13)))
    battle.do("unit driver")
    assert base(battle) == 15.0
    for angle in (45, 30, 15, -15, -30, -45):
        if battle.can(f"turn {angle}"):
            turned = Battle.__new__(Battle)
            turned.state = battle.state
            turned.do(f"turn {angle}")
            assert base(turned) == 15.0
            assert is_sound(turned)


TOWER = {"id": "tower", "block": [34, 10, 4, 10], "top": 40}


def flies(*others, decor=(TOWER,), **more) -> Battle:
    """A snowspeeder that has hit the tower, and survived."""
    battle = ride("snowspeeder", PILOT, *others, FOE, decor=[*decor], speed=4, **more)
    battle.do("unit pilot", "advance")
    while battle.state.pending:
        battle.roll(0, 0)
    return battle


def test_3_6_2_a_flyer_that_crashes_lands_where_it_touches_if_nothing_stands_there():
    battle = flies()
    half = battle.state.vehicle_body(0).length_studs / 2
    assert (battle.vehicle("car").x_studs, base(battle)) == (34.0 - half, 0.0)
    assert is_sound(battle)
    assert battle.can("turn 45")


def test_3_6_2_a_flyer_comes_down_behind_the_vehicle_over_which_it_crashes():
    """The reproduction: it landed in the parked jeep, and neither could turn again."""
    parked = vehicle("jeep", "jeep", "blue", 26.0, 15.0, 180.0)
    crew = seated("jd", "driver", "blue", "jeep", "driver")
    battle = flies(crew, vehicles=[parked], x=12.0)
    half = battle.state.vehicle_body(0).length_studs / 2
    assert battle.vehicle("car").x_studs == pytest.approx(21.0 - half, abs=1e-8)
    assert is_sound(battle)
    battle.do("end", "unit jd")
    assert battle.can("turn 45")


def test_3_6_2_without_a_free_place_on_its_way_it_rests_on_top_of_what_is_there():
    roof = {"id": "roof", "block": [2, 2, 32, 30], "top": 9}
    battle = flies(decor=(TOWER, roof))
    half = battle.state.vehicle_body(0).length_studs / 2
    assert (battle.vehicle("car").x_studs, base(battle)) == (34.0 - half, 9.0)
    assert is_sound(battle)
    battle.do("turn 45", "turn 45", "end", "unit foe", "end", "unit pilot", "turn 45", "speed 4")
    assert battle.state.vehicle_body(0).bottom_plates == 9 + 13
    assert is_sound(battle)


def test_3_6_2_a_flyer_that_is_struck_in_the_air_rests_on_what_is_under_it():
    hut = {"id": "hut", "block": [30, 12, 6, 6], "top": 9}
    struck = vehicle("kite", "snowspeeder", "blue", 33.0, 15.0, 90.0, 4)
    crew = seated("kd", "driver", "blue", "kite", "pilot")
    battle = flies(crew, decor=[hut], vehicles=[struck])
    assert base(battle, "kite") == 9.0
    assert battle.vehicle("kite").speed == 0
    assert is_sound(battle)


def test_3_6_2_a_flyer_keeps_its_height_over_hills_and_the_ground_is_decor_to_it():
    hill = drives(lambda x, _: 12 * (x >= 26), sheet="snowspeeder")
    assert hill.state.pending == ()
    assert (hill.vehicle("car").x_studs, hill.state.vehicle_body(0).bottom_plates) == (35.0, 13.0)
    hill.do("speed 0")
    assert base(hill) == 12.0
    hill.do("speed 4")
    assert hill.state.vehicle_body(0).bottom_plates == 25.0
    cliff = drives(lambda x, _: 14 * (x >= 26), sheet="snowspeeder")
    assert cliff.asked.startswith("4 against")


def test_3_2_a_flyer_neither_takes_off_nor_lands_through_a_roof():
    roof = {"id": "roof", "block": [10, 10, 12, 12], "bottom": 10, "top": 12}
    under = ride("snowspeeder", PILOT, FOE, decor=[roof]).do("unit pilot")
    assert under.why_not("speed 4") == ["car has no room to take off: wall roof (BOW 3.2)"]
    over = ride("snowspeeder", PILOT, FOE, decor=[roof], speed=4).do("unit pilot")
    assert over.why_not("speed 0") == ["car has no room to land: wall roof (BOW 3.2)"]


def test_setup_and_play_place_a_vehicle_alike():
    """Half over an edge a vehicle begins as high as one that drove there."""
    ground = terrain(lambda x, _: 6 * (x < 22))
    begun = ride("jeep", JEEP, FOE, ground=ground, x=25.0)
    assert base(begun) == 6.0
    assert is_sound(begun)
    wall = {"id": "wall", "block": [24, 14, 1, 1], "top": 10}
    with pytest.raises(InvalidValueError, match="car overlaps wall wall"):
        ride("jeep", JEEP, FOE, ground=ground, x=25.0, decor=[wall])


@pytest.mark.parametrize(
    ("craft", "why"),
    [
        ({"base_plates": -1.0}, "height -1 is not from 0"),
        ({"base_plates": 1e6}, "height 1e[+]06 is not from 0"),
        ({"base_plates": 2.0}, "the next step is automatic"),
        ({"x_studs": 20.5}, "car overlaps wall tower"),
        ({"x_studs": 46.0, "y_studs": 30.0}, "car overlaps truck"),
        ({"x_studs": 30.0, "y_studs": 35.0}, "car overlaps foe"),
    ],
)
def test_a_text_with_things_in_one_place_or_in_the_air_is_refused(craft, why):
    others = (unit("foe", "trooper", "blue", 31, 36),)
    truck = vehicle("truck", "truck", "blue", 50.0, 30.0)
    battle = ride(
        "jeep", JEEP, *others, vehicles=[truck], decor=[{**TOWER, "block": [25, 10, 4, 10]}]
    )
    battle.do("unit driver")
    assert overlapping(battle.state, battle.state.vehicle_body(0)) == []
    assert is_sound(battle)
    wrong = battle.state.with_vehicle(0, replace(battle.vehicle("car"), **craft))
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(GAME.format_state(wrong))


def test_a_text_whose_vehicle_would_arrive_in_a_wall_is_refused():
    peasant = unit("peasant", "knight", "blue", 22, 14)
    battle = ride("jeep", JEEP, peasant, FOE, speed=2, decor=[TOWER]).do("unit driver", "advance")
    text = GAME.format_state(battle.state)
    assert GAME.parse_state(text) == battle.state
    assert '["Arrival","car",25.0,15.0,0.0,false,false]' in text
    with pytest.raises(InvalidValueError, match="car would overlap wall tower"):
        GAME.parse_state(text.replace('"car",25.0,', '"car",31.0,'))


def test_3_3_a_vehicle_whose_centre_stops_on_the_border_stays_and_reads_back():
    battle = ride("jeep", JEEP, FOE, x=50.0, speed=2).do("unit driver", "advance")
    assert battle.vehicle("car").x_studs == 60.0
    assert is_sound(battle)


@pytest.mark.parametrize("seed", few([5754, 0, 1, 2]))
def test_in_no_state_of_a_game_of_driving_bots_does_anything_overlap(seed):
    """Against shapely, and each state reads back; in 5754 a vehicle slides along the corner of another."""
    for number, state in enumerate(drive(rough_setup(seed), seed, most_steps=250)):
        assert list(GAME.invariant_problems(state)) == []
        if number % 10 == 0 or state.pending:
            assert seen_overlaps(state) == []
            assert GAME.parse_state(GAME.format_state(state)) == state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 210))
def test_in_hundreds_of_games_of_driving_bots_nothing_overlaps(seed):
    for state in drive(rough_setup(seed), seed):
        assert list(GAME.invariant_problems(state)) == []
        if state.pending:
            assert seen_overlaps(state) == []


@pytest.mark.parametrize(
    ("x", "bottom", "names"),
    [(35, 0.0, ["bus"]), (35, 1.0, []), (15, 0.0, []), (35, -5.0, ["bus"])],
)
def test_3_6_2_what_is_under_a_vehicle_is_what_it_stands_on_or_in(x, bottom, names):
    """Its lower side is so many plates above the other's upper side, which lies at 35, 15."""
    parked = [vehicle("bus", "jeep", "blue", 35, 15)]
    battle = ride("jeep", JEEP, FOE, vehicles=parked)
    bodies = {body.id: body for body in map(battle.state.vehicle_body, range(2))}
    top = bodies["bus"].top_plates + bottom
    mover = replace(bodies["car"], x_studs=float(x), bottom_plates=top, top_plates=top + 20.0)
    assert [one.id for one in _under(battle.state, mover)] == names


@pytest.mark.parametrize(("drop", "falls"), [(3.0, False), (3.5, True)])
@pytest.mark.parametrize("x", [15.0, 15.0 - 5e-10])
def test_3_6_2_a_move_that_ends_where_the_ground_falls_by_exactly_a_step_is_no_crash(
    drop, falls, x
):
    """Its rear leaves the higher ground with the last stud of the move, or beyond it by less than the tolerance."""
    battle = drives(lambda column, _: drop * (column < 30), x=x)
    assert bool(battle.state.pending) is falls
    assert battle.vehicle("car").speed == (0 if falls else 4)
    assert base(battle) == 0.0
