"""Move actions: BOW 2.3.1."""

from tests.bow.battle import Battle, setup, unit, vehicle


def test_2_3_1_the_pirate_walks_inside_a_square_and_a_house_on_his_right_limits_him():
    house = {"id": "house", "block": [13, 0, 4, 20], "top": 30}
    battle = Battle(
        setup(
            unit("pirate", "basic_trooper", "red", 10, 10, "n"),
            unit("foe", "trooper", "blue", 29, 19),
            decor=[house],
        )
    ).do("unit pirate", "do walk")
    reached = {tuple(map(int, text.split(" ")[1].split(","))) for text in battle.menu()}
    assert reached == {(x, y) for x in range(5, 13) for y in range(5, 16)}


def test_2_3_1_two_move_actions_go_twice_as_far():
    battle = Battle(setup(unit("a", "trooper", "red", 0, 0), unit("b", "trooper", "blue", 29, 19)))
    battle.do("unit a", "walk 5,0", "face e", "walk 10,5", "face n")
    assert battle.at("a") == (10, 5)
    assert battle.unit("a").facing == 2


def test_2_3_1_turning_on_the_spot_takes_a_move_action():
    battle = Battle(
        setup(unit("a", "trooper", "red", 4, 4), unit("b", "trooper", "blue", 29, 19))
    ).do("unit a")
    assert battle.why_not("face w")
    battle.do("walk 4,4", "face w")
    assert (battle.at("a"), battle.unit("a").facing) == ((4, 4), 4)
    assert battle.state.actions_left == 1


def test_2_3_1_the_reason_is_named():
    """A stud that is taken is not said to be out of reach, too: nobody walks there, near or far."""
    battle = Battle(
        setup(
            unit("a", "trooper", "red", 4, 4),
            unit("b", "trooper", "blue", 12, 4),
            decor=[{"id": "chest", "block": [3, 4, 1, 1], "top": 20}],
        )
    ).do("unit a")
    assert battle.why_not("walk 12,4") == ["b stands on 12,4 (BOW 2.3.1)"]
    assert battle.why_not("walk 10,4") == [
        "a cannot reach 10,4 in 5 studs: the way there is 6 studs (BOW 2.3.1)"
    ]
    assert "outside the field" in battle.why_not("walk 30,4")[0]


def test_2_3_1_a_way_around_or_no_way_is_named_and_the_first_row_beyond_the_field_too():
    """The wall leaves one gap at its northern end; the pit has none."""
    fence = [{"id": "wall", "block": [6, 0, 1, 8], "top": 20}]
    pit = [{"id": f"p{n}", "block": block, "top": 20} for n, block in
           enumerate(([20, 10, 5, 1], [20, 14, 5, 1], [20, 11, 1, 3], [24, 11, 1, 3]))]  # fmt: skip
    units = unit("a", "trooper", "red", 4, 4), unit("b", "trooper", "blue", 12, 4)
    battle = Battle(setup(*units, decor=fence + pit)).do("unit a")
    assert battle.why_not("walk 8,4") == [
        "a cannot reach 8,4 in 5 studs: the way there around the obstacles is 8 studs (BOW 2.3.1)"
    ]
    assert battle.why_not("walk 22,12") == [
        "a cannot reach 22,12 in 5 studs: decor, vehicles and units block the way (BOW 2.3.1)"
    ]
    assert battle.why_not("walk 4,20") == ["4,20 is outside the field of 30 x 20 studs (BOW 1.3)"]


def test_2_3_1_nobody_walks_into_a_closed_door_or_a_vehicle():
    battle = Battle(
        setup(
            unit("a", "trooper", "red", 4, 4),
            unit("b", "trooper", "blue", 25, 4),
            decor=[{"id": "gate", "kind": "door", "block": [4, 7, 1, 1]}],
            vehicles=[vehicle("car", "horse", "red", 9.0, 4.5)],
        )
    ).do("unit a")
    assert battle.why_not("walk 9,4") == ["a vehicle is on 9,4 (BOW 2.3.1)"]
    assert battle.why_not("walk 4,7") == ["there is no room to stand on 4,7 (BOW 2.3.1)"]
