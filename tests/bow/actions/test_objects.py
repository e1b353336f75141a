"""Objects, doors: BOW 2.3.2, 2.3.3."""

from dataclasses import replace

import pytest

from tests.bow.battle import Battle, seated, setup, unit, vehicle


def field(*units, **more) -> Battle:
    return Battle(setup(*units, unit("foe", "trooper", "blue", 29, 19), **more))


def names(battle: Battle, name: str, place: str) -> list[str]:
    return [item.name for item in getattr(battle.unit(name).sheet.gear, place)]


def test_2_3_2_grab_what_is_close_and_the_sheet_follows_at_once():
    objects = [{"item": "sword", "x": 6, "y": 6}, {"item": "shield", "x": 8, "y": 8}]
    battle = field(unit("a", "basic_trooper", "red", 5, 5), objects=objects).do("unit a")
    assert battle.unit("a").sheet.attack_damage == 1
    assert battle.why_not("grab shield 8,8 held") == ["8,8 is not close to a (BOW 2.3.2)"]
    battle.do("do grab")
    assert battle.menu() == ["grab sword 6,6 held", "grab sword 6,6 back"]
    battle.do("grab sword 6,6 held")
    assert battle.unit("a").sheet.attack_damage == 3
    assert battle.lying() == [((8, 8), "shield")]


def test_2_3_2_no_free_hand_no_bag_no_grab():
    battle = field(unit("a", "archer", "red", 5, 5), objects=[{"item": "sword", "x": 5, "y": 6}])
    (why,) = battle.do("unit a").why_not("grab sword 5,6 held")
    assert "no room: held: bow, sword need 3 hands" in why
    assert battle.can("grab sword 5,6 bag") is False  # the pouch holds the knife
    assert battle.can("grab sword 5,6 back")


def test_2_3_2_a_throw_lands_in_a_circle_of_twice_the_move_and_not_beyond_a_wall():
    wall = {"id": "wall", "block": [12, 0, 1, 20], "top": 40}
    battle = field(unit("a", "trooper", "red", 5, 5), decor=[wall])
    battle.do("unit a", "throw spear held")
    assert names(battle, "a", "held") == ["shield"]
    assert battle.why_not("to 13,5")
    cells = {tuple(map(int, text[3:].split(","))) for text in battle.menu()}
    on_top = {(12, y) for y in range(20)}
    assert cells - on_top == {
        (x, y) for x in range(12) for y in range(20) if (x - 5) ** 2 + (y - 5) ** 2 <= 100
    }
    battle.do("to 11,6")
    assert battle.lying() == [((11, 6), "spear")]
    assert battle.unit("a").sheet.attack_damage == 1


def test_2_3_2_give_needs_contact_room_and_costs_the_giver_only():
    battle = field(
        unit("rocket", "rocketeer", "red", 5, 5),
        unit("loader", "basic_trooper", "red", 6, 5),
        unit("full", "archer", "red", 4, 5),
        unit("off", "basic_trooper", "red", 9, 9),
    ).do("unit rocket")
    assert battle.why_not("give rocket_launcher held off") == [
        "off is not in contact with rocket (BOW 2.3.2)"
    ]
    battle.do("give rocket_launcher held loader")
    assert battle.menu() == ["take held", "take back"]
    assert battle.why_not("refuse") == [
        "loader belongs to the player of the giver, and must take it (BOW 2.3.2)"
    ]
    battle.do("take held")
    assert battle.unit("loader").sheet.attack_damage == 5
    assert battle.state.actions_left == 1
    assert battle.state.is_unplayed(1)


def test_2_3_2_an_enemy_decides_whether_he_takes_it():
    battle = Battle(
        setup(unit("a", "swordsman", "red", 5, 5), unit("b", "basic_trooper", "blue", 6, 5))
    ).do("unit a", "give sword held b")
    assert battle.actor == "blue"
    assert battle.menu() == ["take held", "take back", "refuse"]
    battle.do("refuse")
    assert battle.actor == "red"
    assert names(battle, "a", "held") == ["sword", "shield"]
    battle.do("give sword held b", "take held")
    assert battle.unit("b").sheet.attack_damage == 3


def test_2_3_2_switch_weapons():
    battle = field(unit("a", "rocketeer", "red", 5, 5)).do("unit a", "do switch")
    assert battle.menu() == ["switch rocket_launcher gun"]
    battle.do("switch rocket_launcher gun")
    assert names(battle, "a", "held") == ["gun"]
    assert battle.unit("a").sheet.attack_damage == 3


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ("sword gun", "held: no sword there"),
        ("rocket_launcher sword", "back, bag: no sword there"),
        ("rocket_launcher shield", "rocket_launcher and shield are not two weapons"),
        ("shield gun", "shield and gun are not two weapons"),
        ("rocket_launcher wand", "rocket_launcher and wand are not two weapons"),
    ],
)
def test_2_3_2_only_a_weapon_in_hand_and_a_stowed_one_are_switched(pair, why):
    battle = field(unit("a", "rocketeer", "red", 5, 5)).do("unit a")
    assert battle.why_not(f"switch {pair}") == [f"{why} (BOW 2.3.2)"]


def test_2_3_2_a_weapon_of_two_hands_is_not_switched_for_one_in_the_bag_if_the_back_is_full():
    """Where one clip is free, the same weapon goes there."""
    lancer = {"base": "rocketeer", "held": ["rocket_launcher"], "bag": ["gun"]}
    library = {
        "unit": [
            {**lancer, "name": "lancer", "back": ["pouch"]},
            {**lancer, "name": "full", "back": ["pouch", "spear"]},
        ]
    }
    for sheet, can in (("lancer", True), ("full", False)):
        battle = field(unit("a", sheet, "red", 5, 5), library=library).do("unit a")
        assert battle.can("switch rocket_launcher gun") == can
    assert battle.why_not("switch rocket_launcher gun") == [
        "no room to change rocket_launcher for gun (BOW 2.3.2)"
    ]


def test_2_3_2_who_can_be_given_something():
    battle = field(
        unit("a", "swordsman", "red", 5, 5),
        unit("dead", "archer", "red", 6, 5),
        unit("near", "basic_trooper", "red", 4, 4),
        unit("off", "basic_trooper", "red", 7, 5),
    )
    battle.state = battle.state.with_unit(1, replace(battle.state.units[1], stud=None))
    battle.do("unit a")
    assert battle.why_not("give sword held dead") == ["dead is out of the battle (BOW 2.4.3)"]
    assert battle.why_not("give sword held a")[0] == "a cannot give to itself (BOW 2.3.2)"
    assert "unit" in battle.why_not("give sword held nobody")[0]
    assert battle.why_not("give sword held off") == ["off is not in contact with a (BOW 2.3.2)"]
    assert battle.why_not("give bow held near")[0] == "a has no bow held (BOW 2.3.2)"
    assert {text.split()[3] for text in battle.do("do give").menu()} == {"near"}


def test_3_1_nothing_is_thrown_or_dropped_from_inside_a_vehicle_but_from_an_exposed_seat():
    for sheet, seat, is_inside in (("truck", "driver", True), ("landspeeder", "pilot", False)):
        rider = seated("a", "archer", "red", "car", seat)
        car = vehicle("car", sheet, "red", 15.0, 10.0)
        battle = field(rider, vehicles=[car]).do("unit a")
        inside = ["a sits inside a vehicle (BOW 3.1)"] if is_inside else []
        assert battle.why_not("throw bow held") == inside
        assert battle.why_not("drop bow held") == inside
        assert ("do throw" in battle.menu()) == (not is_inside)


def doors() -> Battle:
    wall = [
        {"id": "west", "block": [0, 10, 5, 1]},
        {"id": "east", "block": [7, 10, 23, 1]},
        {"id": "gate", "kind": "door", "block": [5, 10, 1, 1]},
        {"id": "hatch", "kind": "door", "block": [6, 10, 1, 1], "locked": True},
    ]
    return field(unit("a", "basic_trooper", "red", 5, 8), decor=wall).do("unit a")


def test_2_3_3_doors_open_and_close_for_those_who_are_close():
    battle = doors()
    assert battle.why_not("open gate") == ["gate is not close to a (BOW 2.3.3)"]
    battle.do("walk 5,9", "face n")
    assert battle.why_not("walk 5,10")
    assert battle.why_not("close gate") == ["gate is already closed (BOW 2.3.3)"]
    battle.do("open gate", "unit foe", "end", "unit a")
    assert battle.why_not("open gate") == ["gate is already open (BOW 2.3.3)"]
    battle.do("walk 5,10", "face n")
    assert battle.why_not("close gate") == ["something blocks gate (BOW 2.3.3)"]


def test_2_3_3_a_locked_door_is_for_the_advanced_rules():
    battle = doors().do("walk 5,9", "face n")
    assert battle.why_not("open hatch") == [
        "hatch is locked, and locks belong to the Advanced Rules (BOW 2.3.3)"
    ]
    battle.do("do open")
    assert battle.menu() == ["open gate"]


def test_2_3_3_an_object_in_a_closed_doorway_can_be_taken():
    gate = {"id": "gate", "kind": "door", "block": [5, 10, 1, 1]}
    key = {"item": "key", "x": 5, "y": 10}
    battle = field(
        unit("a", "basic_trooper", "red", 5, 9), decor=[gate], objects=[key], open=["gate"]
    ).do("unit a", "close gate")
    assert battle.can("grab key 5,10 held")


@pytest.mark.parametrize(
    ("top", "is_near", "is_near_from_it"),
    [(3, True, True), (7, True, True), (8, True, False), (12, True, False), (13, False, False)],
)
def test_2_3_2_an_object_on_a_table_is_close_on_a_wall_it_is_not(top, is_near, is_near_from_it):
    """A table is up to 12 plates high: a figure stretches so far, and bends 7.5 plates below its feet."""
    table = {"id": "table", "kind": "furniture", "block": [6, 0, 1, 20], "top": top}
    objects = [{"item": "sword", "x": 6, "y": 5}, {"item": "sword", "x": 5, "y": 6}]
    below = field(unit("a", "basic_trooper", "red", 5, 5), decor=[table], objects=objects)
    assert below.do("unit a").can("grab sword 6,5 held") == is_near
    above = field(unit("a", "basic_trooper", "red", 6, 5), decor=[table], objects=objects)
    assert above.do("unit a").can("grab sword 5,6 held") == is_near_from_it
    for battle, is_other_near in ((below, is_near), (above, is_near_from_it)):
        battle.do("do grab")
        assert len({text.split()[2] for text in battle.menu()}) == 1 + is_other_near


@pytest.mark.parametrize(
    ("bottom", "top", "is_near"),
    [(0, 15, True), (8, 15, True), (9, 15, False), (90, 105, False), (0, 3, False), (0, 4, True)],
)
def test_2_3_3_a_window_is_close_only_at_the_height_of_a_hand(bottom, top, is_near):
    window = {"id": "pane", "kind": "window", "block": [6, 5, 1, 1], "bottom": bottom, "top": top}
    battle = field(unit("a", "basic_trooper", "red", 5, 5), decor=[window]).do("unit a")
    assert battle.can("open pane") == is_near
    assert ("do open" in battle.menu()) == is_near


@pytest.mark.parametrize(
    ("x", "is_blocked"), [(20.5, False), (13.0, False), (12.5, True), (9.5, True)]
)
def test_2_3_3_a_vehicle_in_the_doorway_keeps_it_open_and_one_elsewhere_does_not(x, is_blocked):
    """The horse is 6 studs long and looks away: at 13.0 its tail is just out of the gate."""
    gate = {"id": "gate", "kind": "door", "block": [7, 10, 3, 1], "top": 30}
    battle = field(
        unit("a", "basic_trooper", "red", 6, 8),
        decor=[gate],
        open=["gate"],
        vehicles=[vehicle("mare", "horse", "red", x, 11.5)],
    ).do("unit a", "walk 6,9", "face n")
    blocked = ["something blocks gate (BOW 2.3.3)"]
    assert battle.why_not("close gate") == (blocked if is_blocked else [])
    assert ("do close" in battle.menu()) != is_blocked


def test_2_3_2_what_does_not_lie_there_is_not_grabbed():
    objects = [{"item": "sword", "x": 6, "y": 6}]
    battle = field(unit("a", "basic_trooper", "red", 5, 5), objects=objects).do("unit a")
    assert battle.why_not("grab sword 6,5 held") == ["no sword lies on 6,5 (BOW 2.3.2)"]
    assert battle.why_not("grab shield 6,6 held") == ["no shield lies on 6,6 (BOW 2.3.2)"]
    assert battle.why_not("grab sword 30,6 held") == ["no sword lies on 30,6 (BOW 2.3.2)"]
    (why,) = battle.why_not("grab sword 6,6 worn")
    assert why.startswith("a has no room: worn: ")


def test_2_3_2_only_what_is_in_hand_or_bag_is_thrown_or_given():
    battle = field(unit("a", "rocketeer", "red", 5, 5), unit("b", "basic_trooper", "red", 6, 5)).do(
        "unit a"
    )
    why = "only objects in hand or bag can be given or thrown, not from back (BOW 2.3.2)"
    assert battle.why_not("throw gun back")[0] == why
    assert battle.why_not("give gun back b")[0] == why
