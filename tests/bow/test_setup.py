"""Setups: every fault is named with its key path."""

import re
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.bow.setting import Options
from brickphys.errors import InvalidValueError
from brickphys.rules.record import OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.cases import examples

A = {"id": "a", "sheet": "trooper", "player": "red"}
DRIVER = seated("d", "driver", "red", "car", "driver")
ON_FOOT = {"units__1": unit("d", "trooper", "red", 9, 9)}
GOOD = setup(
    unit("a", "trooper", "red", 5, 5),
    DRIVER,
    unit("b", "trooper", "blue", 20, 5),
    vehicles=[vehicle("car", "jeep", "red", 15.0, 12.0)],
    decor=[{"id": "wall", "block": [25, 0, 2, 20]}],
    objects=[{"item": "chest", "x": 1, "y": 1}],
)


def faults(**changes) -> str:
    """Return what is said of a setup in which some paths are changed: ``units__0__x=3``."""
    wrong = deepcopy(GOOD)
    for path, value in changes.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("__")]
        place = wrong
        for step in steps:
            place = place[step]
        if isinstance(place, list) and last == len(place):
            place.append(value)
        else:
            place[last] = value
    with pytest.raises(InvalidValueError) as caught:
        GAME.initial(wrong)
    return str(caught.value)


def aim(kind: str, area: list[int], **more) -> dict:
    return {"kind": kind, "player": "red", "area": area, **more}


def test_the_good_one_is_good():
    assert GAME.initial(GOOD).setting.players == ("red", "blue")


def test_what_is_left_out_is_plain():
    """A wall of the usual height on the ground, a vehicle at rest, and no other reading of the rules."""
    plain = deepcopy(GOOD)
    del plain["vehicles"][0]["heading_deg"], plain["vehicles"][0]["speed"]
    state = GAME.initial(plain)
    field, options = state.setting.field, state.setting.options
    (wall,) = field.decor
    assert (wall.bottom_plates, wall.top_plates, wall.locked) == (0.0, 15.0, False)
    assert (state.vehicles[0].heading_deg, state.vehicles[0].speed) == (0.0, 0)
    assert options == Options()
    assert not any((options.symmetric_treatment, options.dispute, options.move_per_pilot))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"units__2__x": 5, "units__2__y": 5}, "units[2]: 'a' is already there"),
        ({"units__0__sheet": "troper"}, "units[0].sheet: unknown sheet of a unit 'troper': did you mean 'trooper'?"),
        ({"units__0__x": 99}, "units[0]: stud (99, 5) is outside the field of 30 x 20 studs"),
        ({"units__0__player": "reed"}, "units[0].player: unknown player 'reed': did you mean 'red'?"),
        ({"units__0__x": 15, "units__0__y": 12}, "units[0]: a vehicle is on 15,12"),
        ({"units__0__color": 1}, "units[0].color: unknown key"),
        ({"units__1__vehicle": "cart"}, "units[1].vehicle: seat without vehicle"),
        ({"units__1__seat": "boot"}, "units[1].seat: unknown seat 'boot'"),
        ({"units__0__seat": "driver"}, "units[0].seat: seat without vehicle"),
        ({"units__0__id": "b"}, "units and vehicles: 2 have the name 'b'"),
        ({"vehicles__0__x": 24.0}, "vehicles[0]: car overlaps wall wall"),
        ({"vehicles__0__speed": 9}, "vehicles[0].speed: 9 is not one of"),
        ({"vehicles__0__speed": 12}, "vehicles[0].speed: 12 is not one of"),
        ({"vehicles__0__speed": 13}, "vehicles[0].speed: 13 should be less than or equal to 12"),
        ({"objects__0__item": "chess"}, "objects[0].item: unknown gear 'chess': did you mean 'chest'?"),
        ({"open": ["wall"]}, "open[0]: unknown door or window 'wall'"),
        ({"actions": ["fly"]}, "actions[0]: unknown new action 'fly'"),
        ({"field__ground": [[0.0]]}, "field.ground: not 20 rows of 30"),
        ({"field__decor__0": {"id": "wall"}}, "field.decor[0]: either a polygon or a block"),
        ({"aims": [{"kind": "reach", "player": "red"}]}, "aims[0].area: missing"),
        ({"aims": [aim("hold", [40, 40, 2, 2], rounds=1)]}, "aims[0].area: [40, 40, 2, 2] reaches beyond the field"),
        ({"aims": [aim("hold", [0, 0, 31, 2], rounds=1)]}, "aims[0].area: [0, 0, 31, 2] reaches beyond"),
        ({"aims": [aim("hold", [0, 0, 2, 21], rounds=1)]}, "aims[0].area: [0, 0, 2, 21] reaches beyond"),
        ({"aims": [aim("hold", [0, 0, 0, 2], rounds=1)]}, "aims[0].area: no unit can stand in [0, 0, 0, 2]"),
        ({"aims": [aim("carry", [0, 0, 2, 2], item="key")]}, "aims[0].item: there is no 'key' in this battle"),
        ({"aims": [aim("reach", [0, 0, 2, 2], count=3)]}, "aims[0]: 3 units, but the team has only 2"),
        ({"aims": [aim("reach", [0, 0, 2, 2], units=["x"])]}, "aims[0].units[0]: unknown unit 'x'"),
        ({"players__1__team": 0, "players__0__team": 0}, "players: there must be at least two teams"),
        ({"players": [{"name": "red"}]}, "players: "),
        ({"units": []}, "units: there is no unit on the map or in the list"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(changes, told):
    assert told in faults(**changes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"units__0": A}, "units[0]: give a stud (x, y) or a vehicle"),
        ({"units__0": A | {"x": 3}}, "units[0]: give a stud (x, y) or a vehicle"),
        ({"units__0": A | {"y": 3}}, "units[0]: give a stud (x, y) or a vehicle"),
        ({"units__1": DRIVER | {"x": 3, "y": 3}}, "units[1]: give a stud or a vehicle, not both"),
        ({"units__3": DRIVER | {"id": "e"}}, "units[3]: 'd' is already there"),
        ({"units__2__player": "red"}, "units: only one team has units"),
        (ON_FOOT | {"vehicles__0__sheet": "jepe"},
         "vehicles[0].sheet: unknown sheet of a vehicle 'jepe': did you mean 'jeep'?"),
        (ON_FOOT | {"vehicles__0__player": "rde"}, "vehicles[0].player: unknown player 'rde': did you mean 'red'?"),
        ({"field__ground": [[0.0] * 30] * 19}, "field.ground: not 20 rows of 30"),
        ({"field__ground": [[0.0] * 29] * 20}, "field.ground: not 20 rows of 30"),
        ({"field__ground": [*([[0.0] * 30] * 19), [0.0] * 29]}, "field.ground: not 20 rows of 30"),
        ({"field__decor__0__polygon": [[25, 0], [27, 0], [27, 5]]}, "field.decor[0]: either a polygon or a block"),
        ({"objects__0__x": 30}, "objects[0]: stud (30, 1) is outside the field of 30 x 20 studs"),
    ],
)  # fmt: skip
def test_a_fault_that_stands_alone_is_told_alone(changes, told):
    assert faults(**changes) == f"setup: {told}"


def test_3_4_who_cannot_man_the_weapon_of_a_seat_is_told_with_the_faults_before():
    brute = {"unit": [{"name": "brute", "base": "basic_trooper", "attack": 4}]}
    told = faults(
        library=brute,
        objects__0__item="chess",
        vehicles__0={**vehicle("car", "tank", "red", 15.0, 12.0)},
        units__1=seated("d", "brute", "red", "car", "gunner"),
    )
    assert "objects[0].item: unknown gear 'chess'" in told
    assert "units[1].seat: " in told
    assert "Attack/Damage 8" in told


def test_1_4_3_an_army_over_the_limit_is_told_with_the_faults_before():
    told = faults(objects__0__item="chess", limit_points=1)
    assert "objects[0].item: unknown gear 'chess'" in told
    assert "limit_points: red has" in told


@pytest.mark.parametrize(
    ("x", "y", "is_inside"),
    [(5, 3, True), (25, 17, True), (4.5, 10, False), (25.5, 10, False), (15, 2.5, False), (15, 17.5, False)],
)  # fmt: skip
def test_1_3_a_vehicle_begins_inside_the_border_or_flush_with_it(x, y, is_inside):
    """The jeep has 10 x 6 studs and heads east; the field has 30 x 20."""
    begin = setup(
        unit("a", "trooper", "red", 15, 10),
        unit("b", "trooper", "blue", 16, 10),
        vehicles=[vehicle("car", "jeep", "red", x, y)],
    )
    begin["units"][0]["x"], begin["units"][1]["x"] = (0, 1) if x > 10 else (28, 29)
    if is_inside:
        assert GAME.initial(begin).vehicles[0].x_studs == x
    else:
        with pytest.raises(InvalidValueError, match="car reaches over the border of the field"):
            GAME.initial(begin)


def test_3_3_at_first_the_player_drives_whose_unit_has_the_wheel_else_the_owner():
    """A passenger of another player does not drive."""
    seat = seated("p", "driver", "red", "car", "passenger")
    pilot = seated("d", "driver", "red", "car", "driver")
    units = unit("a", "trooper", "red", 5, 5), unit("b", "trooper", "blue", 20, 5)
    cars = [vehicle("car", "jeep", "blue", 15.0, 12.0)]
    assert GAME.initial(setup(*units, seat, vehicles=cars)).vehicles[0].driver == 1
    assert GAME.initial(setup(*units, pilot, vehicles=cars)).vehicles[0].driver == 0


def test_every_fault_of_form_is_told_before_those_of_meaning():
    told = faults(units__0__sheet="troper", units__2__color=1, vehicles__0__speed="fast")
    assert told == (
        "setup: units[2].color: unknown key, known: id, sheet, player, x, y, facing, vehicle, seat; "
        "vehicles[0].speed: 'fast' should be a valid integer"
    )


def test_ground_that_is_no_table_is_told_in_one_short_line():
    told = faults(field__ground=[0] * 1200)
    assert told.startswith("setup: field.ground[0]: 0 should be an array; field.ground[1]: ")
    assert told.endswith("; and 1,195 more")


def test_a_unit_of_a_faulty_sheet_has_no_fault_of_its_own():
    sheet = {"name": "me", "base": "troper", "about": "?"}
    told = faults(library={"unit": [sheet]}, units__0__sheet="me")
    assert told.startswith("setup: library.unit[0].base: unknown unit 'troper'")
    assert "units[0]" not in told


def test_faults_of_a_library_are_told_by_their_place_in_the_setup():
    sheet = {"name": "me", "base": "trooper"}
    unknown_key = {"unit": [{**sheet, "mvoe": 3}]}
    assert faults(library=unknown_key) == (
        "setup: library.unit[0].mvoe: unknown key, did you mean 'move'?"
    )
    assert faults(library={"unit": [{**sheet, "move": 13}]}) == (
        "setup: library.unit[0].move: 13 is more than the 12 studs of Move (BOW 1.4)"
    )


def test_two_pieces_of_decor_have_two_names():
    told = faults(field__decor__1={"id": "wall", "block": [0, 0, 1, 1]})
    assert told == "setup: field.decor[1].id: 'wall' is also the id of field.decor[0]"


def test_faults_of_all_parts_are_told_at_once():
    told = faults(
        units__2__x=5,
        units__2__y=5,
        vehicles__0__x=24.0,
        objects__0__item="chess",
        open=["gate"],
        actions=["fly"],
        aims=[aim("carry", [0, 0, 2, 2], item="key")],
    )
    parts = ("units[2]", "vehicles[0]", "objects[0]", "open[0]", "actions[0]", "aims[0]")
    assert [part in told for part in parts] == [True] * len(parts)
    assert told.count(";") == len(parts) - 1


def test_a_sheet_that_nobody_knows_hides_no_fault_elsewhere():
    told = faults(units__0__sheet="troper", aims=[aim("reach", [0, 0, 2, 2], count=3)])
    assert "unknown sheet" in told
    assert "aims[0]: 3 units, but the team has only 2" in told


VALUES = st.one_of(
    st.integers(-2, 40),
    st.floats(-5, 40),
    st.booleans(),
    st.none(),
    st.sampled_from(["red", "a", "car", "driver", "trooper", "wall", "chest", "reach", "e", ""]),
    st.lists(st.integers(-1, 31), max_size=5),
    st.just({}),
    st.just([{"id": "a", "block": [1, 1, 2, 2]}]),
    st.just([{"kind": "hold", "player": "red", "area": [0, 0, 40, 1], "rounds": 1}]),
    st.just({"unit": [{"name": "me", "base": "trooper", "move": 13}]}),
)


def tables(value):
    """Yield every table of a setup."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from tables(inner)


KEYS = sorted({key for table in tables(GOOD) for key in table} | {"seat", "library", "polygon"})


@settings(max_examples=examples(2), deadline=None)
@given(st.data())
def test_a_setup_is_read_or_refused_and_nothing_else(data):
    """Any values at any keys: a first state that its notation describes, or one error."""
    wrong = deepcopy(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        table = data.draw(st.sampled_from(list(tables(wrong))))
        table[data.draw(st.sampled_from(KEYS))] = deepcopy(data.draw(VALUES))
    try:
        state = GAME.initial(wrong)
    except InvalidValueError:
        return
    assert GAME.parse_state(GAME.format_state(state)) == state


def won(battle: Battle) -> int | None:
    return battle.state.result if GAME.actor(battle.state) == OVER else None


def test_aim_reach():
    aim = {"kind": "reach", "player": "red", "area": [8, 5, 2, 2], "units": ["princess"]}
    battle = Battle(
        setup(
            unit("princess", "basic_trooper", "red", 5, 5),
            unit("b", "trooper", "blue", 20, 5),
            aims=[aim],
        )
    )
    battle.do("unit princess", "walk 8,6", "face e")
    assert won(battle) == 0


def test_aim_carry():
    aim = {"kind": "carry", "player": "blue", "area": [8, 5, 2, 2], "item": "chest"}
    battle = Battle(
        setup(
            unit("a", "trooper", "red", 25, 15),
            unit("b", "basic_trooper", "blue", 5, 5),
            objects=[{"item": "chest", "x": 6, "y": 5}],
            aims=[aim],
        ),
        starter=1,
    )
    battle.do("unit b", "grab chest 6,5 held", "walk 8,5", "face e")
    assert won(battle) == 1
    assert GAME.returns(battle.state) == (-1, 1)


def test_aim_hold_counts_rounds_in_a_row():
    aim = {"kind": "hold", "player": "red", "area": [5, 5, 1, 1], "rounds": 2}
    battle = Battle(
        setup(unit("a", "trooper", "red", 5, 5), unit("b", "trooper", "blue", 20, 5), aims=[aim])
    )
    battle.do("unit a", "end", "unit b", "end")
    assert battle.state.holding == (1,)
    battle.do("unit a", "walk 6,5", "face e", "end", "unit b", "end")
    assert battle.state.holding == (0,)
    battle.do(
        "unit a", "walk 5,5", "face e", "end", "unit b", "end", "unit a", "end", "unit b", "end"
    )
    assert won(battle) == 0


@pytest.mark.parametrize(("killed", "result"), [(True, 0), (False, -1)])
def test_aim_rounds_compares_the_cost_points_destroyed(killed, result):
    battle = Battle(
        setup(
            unit("a", "jedi", "red", 5, 5),
            unit("b", "trooper", "blue", 6, 5),
            unit("c", "trooper", "blue", 25, 15),
            aims=[{"kind": "rounds", "rounds": 1}],
        )
    ).do("unit a", "attack b light_saber")
    battle.roll(*((6, 0) if killed else (0, 0))).do("end")
    for name in ["c"] if killed else ["b", "c"]:
        battle.do(f"unit {name}", "end")
    assert won(battle) == result


def priced(limit: int) -> dict:
    """Red has a knight and a horse, blue a trooper."""
    return setup(
        unit("a", "knight", "red", 5, 5),
        unit("b", "trooper", "blue", 25, 15),
        vehicles=[vehicle("mare", "horse", "red", 15.0, 10.0)],
        limit_points=limit,
    )


def test_1_4_3_an_army_over_the_limit_of_cost_points_is_refused_with_its_figures():
    state = GAME.initial(priced(10_000))
    red, blue = state.setting.army_costs
    assert red > blue
    assert GAME.initial(priced(red)).setting.army_costs == (red, blue)
    with pytest.raises(InvalidValueError) as caught:
        GAME.initial(priced(red - 7))
    assert str(caught.value) == (
        f"setup: limit_points: red has {red} cost points, 7 above the limit of {red - 7} (BOW 1.4.3)"
    )
    with pytest.raises(InvalidValueError, match=r"red has .*; limit_points: blue has"):
        GAME.initial(priced(1))


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many", True])
def test_1_4_3_a_limit_is_a_number_of_points(limit):
    with pytest.raises(InvalidValueError, match="limit_points"):
        GAME.initial(priced(limit))


@pytest.mark.parametrize(
    ("aim", "why"),
    [
        (
            {"kind": "reach", "player": "red", "area": [0, 0, 2, 2], "units": ["b"]},
            "aims[0].units[0]: b is of another team",
        ),
        ({"kind": "rounds", "rounds": 3, "player": "red"}, "aims[0].player: not a key of the aim"),
        (
            {"kind": "reach", "player": "blue", "area": [20, 10, 8, 8]},
            "aims[0]: already met at the start of the battle",
        ),
    ],
)
def test_an_aim_that_makes_no_sense_is_refused(aim, why):
    begin = setup(unit("a", "trooper", "red", 5, 5), unit("b", "trooper", "blue", 25, 15))
    with pytest.raises(InvalidValueError, match=re.escape(why)):
        GAME.initial({**begin, "aims": [aim]})


def test_1_3_a_unit_that_begins_on_a_wall_stands_on_its_top():
    wall = {"id": "wall", "block": [5, 5, 1, 1], "top": 15}
    state = GAME.initial(
        setup(unit("a", "archer", "red", 5, 5), unit("b", "trooper", "blue", 25, 15), decor=[wall])
    )
    assert state.stance(0).ground_plates == 15.0


def test_a_polygon_may_be_a_closed_ring():
    ring = [[10, 2], [12, 2], [11, 4]]
    fields = []
    for polygon in (ring, [*ring, ring[0]]):
        setup = deepcopy(GOOD)
        setup["field"]["decor"] = [{"id": "wall", "polygon": polygon}]
        fields.append(GAME.initial(setup).setting.field)
    assert fields[0] == fields[1]
