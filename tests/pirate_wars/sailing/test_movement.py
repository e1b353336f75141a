"""Points of sail, leaps, swings, drifts, falling off, leaving the sea, and sea room (PW Movement)."""

from math import cos, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.geometry.pose import Pose, bearing_deg
from brickphys.pirate_wars import sailing
from brickphys.pirate_wars.sheets import ships
from brickphys.pirate_wars.state import Boarding, Fate, Life, Phase, State
from tests.pirate_wars.fleet import boat, fleet

DEGREES = st.floats(-720, 720)


def one(heading=0.0, wind=0.0, sheet="imperial_flagship", **changes):
    """A ship at its start of a turn."""
    state = fleet(boat(sheet, x=100, y=100, heading=heading, **changes), wind=wind)
    return sailing.set_adrift(state)


@pytest.mark.parametrize(
    ("off", "point"),
    [
        (0, sailing.PointOfSail.FULL),
        (90, sailing.PointOfSail.FULL),
        (90.001, sailing.PointOfSail.TACK),
        (135, sailing.PointOfSail.TACK),
        (135.001, sailing.PointOfSail.IN_IRONS),
        (180, sailing.PointOfSail.IN_IRONS),
    ],
)
@pytest.mark.parametrize("wind", [0.0, 77.0, 350.0])
def test_point_of_sail_is_that_off_the_wind_to_either_side(off, point, wind):
    assert sailing.point_of_sail(wind + off, wind) is point
    assert sailing.point_of_sail(wind - off, wind) is point


@given(DEGREES, DEGREES)
def test_angle_off_the_wind_is_that_between_two_directions(heading, wind):
    off = sailing.off_running_deg(heading, wind)
    assert 0 <= off <= 180
    assert off == pytest.approx(min((heading - wind) % 360, (wind - heading) % 360), abs=1e-9)


@given(DEGREES, DEGREES)
def test_drift_turns_towards_running_by_up_to_45_degrees(heading, wind):
    before, turn = sailing.off_running_deg(heading, wind), sailing.drift_turn_deg(heading, wind)
    assert abs(turn) == pytest.approx(min(before, 45.0), abs=1e-9)
    assert sailing.off_running_deg(heading + turn, wind) == pytest.approx(
        before - abs(turn), abs=1e-6
    )


@pytest.mark.parametrize(
    ("changes", "adrift"),
    [
        ({}, False),
        ({"heading": 135}, False),
        ({"heading": 136}, True),
        ({"crew": ()}, True),
        ({"sails": 0}, True),
        ({"rudder_lost": True}, True),
        ({"mast_turns": 1}, True),
    ],
)
def test_who_is_adrift_at_the_start_of_a_turn(changes, adrift):
    state = one(**changes)
    assert state.ships[0].is_adrift is adrift
    assert sailing.speed_studs(state, 0) == 8 or not adrift


def test_lashed_ships_are_adrift_until_they_are_cast_off():
    boats = boat(x=50, y=50), boat(x=50, y=100), boat(x=50, y=150)
    state = sailing.set_adrift(fleet(*boats, lashed=((0, 2),)))
    assert [ship.is_adrift for ship in state.ships] == [True, False, True]
    free = sailing.set_adrift(state.cast_off(0))
    assert [ship.is_adrift for ship in free.ships] == [False] * 3


def test_a_sheared_mast_costs_one_turn():
    state = one(mast_turns=1)
    assert (state.ships[0].is_adrift, state.ships[0].mast_turns) == (True, 0)
    assert not sailing.set_adrift(state).ships[0].is_adrift


BARRACUDA, RUNNER = "black_seas_barracuda", "renegade_runner_modified"


def leaps(sheet, wind=0.0, **changes):
    """Where a ship is after each leap that a turn follows, and how far it may turn there; then at the end."""
    state = sailing.begin_move(fleet(boat(sheet, x=100, y=100, **changes), wind=wind), 0)
    seen = []
    while state.active is not None:
        seen.append((state.ships[0].x_studs - 100, state.may_turn_deg))
        state = sailing.Swing(0.0).apply(state)
    assert state.done == {0}
    assert (state.move_studs, state.left_studs, state.may_turn_deg) == (0.0, 0.0, 0.0)
    return seen, state.ships[0].x_studs - 100


@pytest.mark.parametrize(
    ("sheet", "changes", "turns", "end"),
    [
        (BARRACUDA, {}, [(48, 90)], 56),  # 48, then 8: less than half a length brings no turn
        ("imperial_flagship", {}, [(32, 90), (60, 90)], 60),  # 32, then 28: more than half
        ("caribbean_clipper", {}, [(32, 90)], 48),  # 32, then exactly half
        (RUNNER, {}, [(24, 90), (48, 90), (64, 90)], 64),  # 24, 24, 16
        ("renegade_runner", {}, [(24, 90), (48, 90)], 48),
        ("imperial_flagship_large", {}, [(56, 90)], 80),  # 56, then 24 of 28
        (BARRACUDA, {"sails": 5}, [(40, 90)], 40),  # one leap of more than half
        (BARRACUDA, {"sails": 3}, [(24, 45)], 24),  # the whole move is exactly half a length
        (BARRACUDA, {"sails": 1}, [(8, 45)], 8),
        (BARRACUDA, {"wind": 180 + 50}, [(28, 90)], 28),  # half speed
        ("imperial_flagship", {"sails": 1, "wind": 120}, [(6, 45)], 6),
    ],
)
def test_leaps_of_a_length_and_their_turns(sheet, changes, turns, end):
    seen, last = leaps(sheet, **changes)
    assert seen == turns
    assert last == end


@pytest.mark.parametrize("sheet", ships())
def test_every_ship_moves_all_of_its_speed(sheet):
    assert leaps(sheet)[1] == ships()[sheet].speed_studs
    assert leaps(sheet, wind=120.0)[1] == -(-ships()[sheet].speed_studs // 2)


@given(st.floats(-90, 90), st.floats(-90, 90))
def test_swings_turn_about_the_rudder(first, second):
    """Where a captain with a compass and a ruler comes to."""
    state = sailing.begin_move(fleet(boat(RUNNER, x=200, y=150, heading=30), wind=30), 0)
    x, y, heading = 200.0 - 12 * cos(radians(30)), 150 - 12 * sin(radians(30)), 30.0
    for leap, turn in ((24, first), (24, second), (16, 0.0)):
        x, y = x + leap * cos(radians(heading)), y + leap * sin(radians(heading))
        state, heading = sailing.Swing(turn).apply(state), heading + turn
    ship = state.ships[0]
    assert ship.pose.on_field((-12.0, 0.0)) == pytest.approx((x, y), abs=1e-9)
    assert (ship.heading_deg - heading + 180) % 360 == pytest.approx(180, abs=1e-9)


def test_point_of_sail_is_that_of_the_start_of_the_move():
    """A ship that turns into the wind after its first leap sails on at full speed."""
    state = sailing.Swing(90.0).apply(
        sailing.begin_move(fleet(boat(RUNNER, x=200, y=150, heading=90)), 0)
    )
    assert (state.ships[0].heading_deg, state.left_studs) == (180.0, 64.0 - 48.0)


@pytest.mark.parametrize(("angle", "limit"), [(90.5, 90), (-91, 90)])
def test_a_turn_above_its_limit_is_refused(angle, limit):
    state = sailing.begin_move(fleet(boat(x=100, y=100)), 0)
    (problem,) = sailing.Swing(angle).problems(state)
    assert problem == f"a can turn up to {limit} degrees now, not {angle:g} (PW Movement)"
    assert not list(sailing.Swing(89.99).problems(state))


def test_a_small_move_brings_a_small_turn():
    state = sailing.begin_move(fleet(boat(x=100, y=100, sails=2)), 0)
    assert not list(sailing.Swing(-45.0).problems(state))
    assert list(sailing.Swing(45.1).problems(state))
    assert [abs(each.angle_deg) <= 45 for each in sailing.Swing.legal(state)]


def test_no_turn_without_a_leap():
    state = fleet(boat(x=100, y=100))
    assert list(sailing.Swing.legal(state)) == list(sailing.FallOff.legal(state)) == []
    assert list(sailing.Swing(0.0).problems(state)) == ["no ship is on its move (PW Movement)"]
    assert list(sailing.FallOff(0.0).problems(state)) == ["no ship is falling off (PW Movement)"]


@pytest.mark.parametrize("text", ["turn 1000", "turn", "turn 1 2", "turn -0", "turn x", "turn 5.0"])
def test_an_angle_is_written_in_one_way(text):
    with pytest.raises(InvalidValueError):
        sailing.Swing.parse(text.split(" ")[1:])


def test_listed_turns_are_legal_and_read_back():
    enemies = [boat(x=x, y=y, player=1) for x, y in ((300, 60), (210, 230), (30, 150))]
    state = sailing.begin_move(fleet(boat(x=150, y=100, heading=20), *enemies, wind=40), 0)
    listed = list(sailing.Swing.legal(state))
    angles = [each.angle_deg for each in listed]
    assert angles == sorted(set(angles))
    assert {*range(-90, 91, 15)} <= {*angles}
    for each in listed:
        assert sailing.Swing.parse(each.text().split(" ")[1:]) == each
        assert not list(each.problems(state))


def test_listed_turns_aim_the_bow_and_a_broadside_at_an_enemy_and_run_with_the_wind():
    state = sailing.begin_move(
        fleet(boat(x=150, y=100), boat(x=260, y=160, player=1), wind=33.3), 0
    )
    enemy = state.ships[1].centre_studs
    bearings = {
        each.angle_deg: bearing_deg(after.centre_studs, after.heading_deg, enemy)
        for each in sailing.Swing.legal(state)
        for after in [_after_swing(state, each.angle_deg)]
    }
    assert any(abs(bearing) < 0.1 for bearing in bearings.values())
    assert any(abs(abs(bearing) - 90) < 0.1 for bearing in bearings.values())
    assert 33.3 in bearings


def _after_swing(state, angle):
    """The ship after the turn alone: the move ends with it."""
    return sailing.Swing(angle).apply(state.replaced({"left_studs": 0.0})).ships[0]


def test_a_ship_of_the_player_is_chosen_once():
    boats = boat(x=50, y=50), boat(x=50, y=150), boat(x=300, y=50, player=1)
    state = fleet(*boats)
    assert [each.ship for each in sailing.ChooseShip.legal(state)] == ["a", "b"]
    state = sailing.Swing(0.0).apply(sailing.ChooseShip("b").apply(state))
    assert sailing.due_ships(state) == [0]
    assert [each.text() for each in sailing.ChooseShip.legal(state)] == ["ship a"]
    for name in ("b", "c"):
        (problem,) = sailing.ChooseShip(name).problems(state)
        assert problem.startswith(f"{name} is another player's, has already moved")
    assert "unknown ship 'd'" in next(sailing.ChooseShip("d").problems(state))
    assert not list(sailing.ChooseShip("a").problems(state))


def test_a_taken_ship_is_moved_by_who_took_it():
    state = fleet(boat(x=50, y=50), boat(x=300, y=50, player=1)).change_ship(1, owner=0)
    assert sailing.due_ships(state) == [0, 1]


@pytest.mark.parametrize(
    ("heading", "turned"),
    [(180 + 10, 145 + 90), (180, 225), (100, 55), (-100, -55), (30, 0), (0, 0)],
)
def test_a_drift_goes_8_studs_with_the_wind_and_turns_up_to_45_degrees_towards_running(
    heading, turned
):
    state = sailing.begin_move(fleet(boat(x=100, y=100, heading=heading, is_adrift=True)), 0)
    ship = state.ships[0]
    assert ship.heading_deg == pytest.approx(turned % 360, abs=1e-9)
    rudder = 108 - 24 * cos(radians(heading)), 100 - 24 * sin(radians(heading))
    assert ship.pose.on_field((-24.0, 0.0)) == pytest.approx(rudder, abs=1e-9)
    assert (state.active, state.done) == (None, {0})


def test_lashed_ships_drift_as_one_body_once_a_turn():
    """They turn about the rudder of the largest one, and keep their places to each other."""
    boats = (
        boat(RUNNER, x=150, y=106 + 4, heading=90, is_adrift=True),
        boat(x=150, y=100, heading=90, is_adrift=True),
        boat(x=300, y=200),
    )
    state = fleet(*boats, lashed=((0, 1),))
    after = sailing.begin_move(state, 0)
    assert after.done == {0, 1}
    assert [ship.heading_deg for ship in after.ships] == pytest.approx([45, 45, 0])
    assert after.ships[1].pose.on_field((-24.0, 0.0)) == pytest.approx((158, 76), abs=1e-9)
    before, now = (s.ships[1].pose.in_frame(s.ships[0].centre_studs) for s in (state, after))
    assert now == pytest.approx(before, abs=1e-9)
    assert sailing.begin_move(state, 1).ships == after.ships


def test_any_part_of_a_lashed_body_stops_it():
    boats = (
        boat(RUNNER, x=100, y=110, is_adrift=True),
        boat(x=100, y=100, is_adrift=True),
        boat(x=100 + 12 + 5 + 24, y=112, player=1),
    )
    after = sailing.begin_move(fleet(*boats, lashed=((0, 1),)), 0)
    assert after.ships[1].x_studs == pytest.approx(105, abs=1.0)
    assert after.ships[1].x_studs < 108 - 1e-6
    assert after.ships[2].x_studs == 141


def test_ships_are_lashed_through_others():
    boats = [boat(x=50, y=50 * number) for number in range(1, 5)]
    state = fleet(*boats, lashed=((0, 2), (1, 2)))
    assert [set(sailing.lashed_to(state, ship)) for ship in range(4)] == [{0, 1, 2}] * 3 + [{3}]


def test_a_ship_whose_middle_leaves_the_sea_is_out_with_all_aboard():
    state = sailing.begin_move(fleet(boat(x=370, y=100), boat(x=100, y=100, player=1)), 0)
    assert state.ships[0].fate is Fate.LEFT
    assert state.ships[0].centre_studs == (400.0, 100.0)
    assert {minifig.life for minifig in state.minifigs[:10]} == {Life.LEFT}
    assert {minifig.life for minifig in state.minifigs[10:]} == {Life.ALIVE}
    assert (state.active, state.done) == (None, {0})


def test_a_ship_may_leave_the_sea_in_a_swing_and_boarders_go_with_it():
    state = sailing.begin_move(fleet(boat(x=300, y=270), boat(x=100, y=100, player=1)), 0)
    state = state.with_entry("minifigs", 12, state.minifigs[0])
    state = state.replaced({"boardings": (Boarding(1, 0),), "lashed": ()})
    left = sailing.Swing(90.0).apply(
        state.replaced({"ships": (state.ships[0].at((340, 285, 0)), state.ships[1])})
    )
    assert left.ships[0].fate is Fate.LEFT
    assert left.minifigs[12].life is Life.LEFT
    assert (left.boardings, left.active) == ((), None)


def test_a_lashed_ship_that_drifts_off_the_sea_lets_go_of_the_other():
    boats = (
        boat(RUNNER, x=397, y=110, heading=180, is_adrift=True),
        boat(x=380, y=100, heading=180, is_adrift=True),
    )
    after = sailing.begin_move(fleet(*boats, lashed=((0, 1),)), 0)
    assert [ship.fate for ship in after.ships] == [Fate.LEFT, Fate.AFLOAT]
    assert after.lashed == ()


def falling(heading, wind=0.0, **changes):
    state = fleet(boat(x=100, y=100, heading=heading, **changes), wind=wind)
    return state.replaced({"phase": Phase.FALLING_OFF, "active": 0})


@pytest.mark.parametrize(
    ("heading", "legal", "illegal"),
    [
        (90, [-45, -0.5, 0], [45, 10, -45.5]),
        (-90, [45, 0], [-45, 46]),
        (30, [-30, -15, 0], [-45, -31, 15]),
        (180, [45, -45, 20, 0], [50]),
        (0, [0], [15, -15]),
    ],
)
def test_falling_off_turns_up_to_45_degrees_with_the_wind_up_to_running(heading, legal, illegal):
    state = falling(heading)
    for angle in legal:
        assert not list(sailing.FallOff(float(angle)).problems(state)), angle
    for angle in illegal:
        (problem,) = sailing.FallOff(float(angle)).problems(state)
        assert problem.endswith("(PW Movement)")
    listed = [each.angle_deg for each in sailing.FallOff.legal(state)]
    assert listed
    assert all(not list(sailing.FallOff(angle).problems(state)) for angle in listed)
    assert {float(angle) for angle in legal if angle % 15 == 0} <= {*listed}


@given(st.floats(0, 360), st.floats(0, 360))
def test_a_ship_can_always_fall_off_to_running_or_by_45_degrees(heading, wind):
    state = falling(heading, wind)
    off = sailing.off_running_deg(heading, wind)
    most = max(abs(each.angle_deg) for each in sailing.FallOff.legal(state))
    assert most == pytest.approx(min(off, 45), abs=0.1 + 1e-9)  # the least turn that is listed


def test_falling_off_turns_about_the_rudder_and_ends_the_part_of_the_ship():
    after = sailing.FallOff(-45.0).apply(falling(90))
    assert after.ships[0].heading_deg == 45
    assert after.ships[0].pose.on_field((-24.0, 0.0)) == pytest.approx((100, 76), abs=1e-9)
    assert (after.active, after.done) == (None, {0})


@pytest.mark.parametrize(
    ("changes", "can"),
    [
        ({}, True),
        ({"heading": 0}, False),
        ({"heading": 0.05}, False),
        ({"heading": 0.15}, True),  # from 0.1, the least turn that is listed
        ({"crew": ()}, False),
        ({"rudder_lost": True}, False),
    ],
)
def test_who_falls_off(changes, can):
    state = fleet(boat(x=100, y=100, **{"heading": 90, **changes}), boat(x=100, y=200))
    assert sailing.can_fall_off(state, 0) is can
    assert not sailing.can_fall_off(state.lash(0, 1), 0)


SEA = (120.0, 100.0)


def stays(state: State, wind: float) -> bool:
    """Whether some of the turns that are tried keep the ship afloat to the end of the phase of movement."""
    ship = state.ships[0]
    if not ship.is_afloat:
        return False
    if state.active is None:
        turns = (
            {0.0, sailing.drift_turn_deg(ship.heading_deg, wind)}
            if sailing.can_fall_off(state, 0)
            else {0.0}
        )
        falling = state.replaced({"phase": Phase.FALLING_OFF, "active": 0})
        return any(sailing.FallOff(turn).apply(falling).ships[0].is_afloat for turn in turns)
    most = state.may_turn_deg
    return any(stays(sailing.Swing(turn).apply(state), wind) for turn in (0.0, most, -most))


@pytest.mark.parametrize("sheet", ["caribbean_clipper", "renegade_runner_modified"])
def test_it_agrees_with_the_game_for_a_turn(sheet):
    rng, found = np.random.default_rng(4), []
    for _ in range(60):
        x, y, heading, wind = rng.uniform(0, (*SEA, 360.0, 360.0))
        state = fleet(boat(sheet, x=x, y=y, heading=heading), sea=SEA, wind=wind)
        state = state.change_ship(0, is_adrift=sailing.is_adrift(state, 0))
        chart = state.setting.ships[0].sheet.chart
        length = state.setting.ships[0].sheet.length_studs
        speed = float(chart.speed_studs(state.ships[0].damage))
        sailor = sailing.Sailor(state.setting.sea, wind, length, speed)
        found.append(sailing.has_room(sailor, state.ships[0].pose, 1))
        assert found[-1] is stays(sailing.begin_move(state, 0), wind)
    assert {*found} == {False, True}


def test_a_ship_that_cannot_turn_in_time_has_no_room():
    """Its first leap of 32 studs ends 1 stud before the border, or beyond it; in the corner it has room no longer."""
    sea = fleet(boat(x=1, y=1), sea=SEA).setting.sea
    sailor = sailing.Sailor(sea, wind_deg=0.0, length_studs=32.0, speed_studs=32.0)
    assert sailing.has_room(sailor, Pose(87.0, 50.0, 0.0), 2)
    assert not sailing.has_room(sailor, Pose(89.0, 50.0, 0.0), 2)
    adrift = sailor._replace(speed_studs=0.0)
    assert sailing.has_room(adrift, Pose(104.0, 50.0, 0.0), 2)
    assert not sailing.has_room(adrift, Pose(105.0, 50.0, 0.0), 2)
