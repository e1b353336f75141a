"""New actions as data: BOW B.2, B.3."""

from dataclasses import replace

import pytest

from brickphys.bow.sentences import roll_clause
from brickphys.errors import InvalidValueError
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle


def magic(*units, **more) -> Battle:
    more.setdefault("actions", ["firebolt", "mind_grip", "shove", "take_guard"])
    return Battle(setup(*units, **more))


def own(kind: str, name: str, target: str, points: int | None, trivial: bool = False, **more):
    """A battle with a new action that an engineer invents."""
    effect = {"kind": kind} if points is None else {"kind": kind, "points": points}
    action = {"name": name, "target": target, "effect": effect, "range_studs": 10}
    if not trivial:
        action |= {"colour": "brown", "acting": "attack", "resisting": "dodge"}
    table = "trivial_action" if trivial else "opposed_action"
    return magic(
        unit("a", "jedi", "red", 5, 5),
        unit("b", "knight", "red", 5, 7),
        unit("t", "knight", "blue", 8, 5, "w"),
        library={table: [action]},
        actions=[name],
        **more,
    ).do("unit a")


def test_b_3_magic_against_protection_and_the_difference_is_damage():
    battle = magic(unit("w", "wizard", "red", 5, 5), unit("j", "jedi", "blue", 20, 5))
    battle.do("unit w", "use firebolt j")
    assert battle.asked == "4 against 2"
    battle.roll(3, 1)
    assert battle.unit("j").damage == 2


def test_b_3_conditions():
    battle = magic(
        unit("w", "wizard", "red", 5, 5),
        unit("far", "jedi", "blue", 28, 5),
        unit("behind", "jedi", "blue", 2, 5),
        unit("plain", "trooper", "red", 5, 6),
    ).do("unit w")
    assert battle.why_not("use firebolt far") == ["far is more than 20 studs away (BOW B.3)"]
    assert battle.why_not("use firebolt behind") == ["behind is not in front (BOW B.3)"]
    assert battle.why_not("use firebolt plain") == ["firebolt can only be used on: enemy (BOW B.2)"]
    assert battle.why_not("use take_guard w") == ["w holds no shield (BOW B.2)"]
    battle.do("end", "unit far", "end", "unit plain")
    assert (
        battle.why_not("use mind_grip behind")[0] == "plain has no bricks for mind_grip (BOW B.3)"
    )


def test_3_5_magic_reaches_nobody_inside_a_vehicle_but_who_is_exposed():
    battle = magic(
        unit("w", "wizard", "red", 8, 10),
        seated("inside", "trooper", "blue", "tank", "gunner"),
        seated("rider", "rider", "blue", "mare", "rider"),
        vehicles=[
            vehicle("tank", "tank", "blue", 17.0, 10.0),
            vehicle("mare", "horse", "blue", 12.0, 16.0),
        ],
    ).do("unit w")
    for action in ("firebolt", "mind_grip"):
        assert battle.why_not(f"use {action} inside") == ["inside sits inside tank (BOW 3.5)"]
        assert battle.can(f"use {action} rider")
    battle.do("do use")
    assert battle.menu() == ["use firebolt rider", "use mind_grip rider"]


def test_3_5_nobody_does_magic_out_of_a_vehicle_but_upon_who_sits_with_him():
    mend = {"name": "mend", "target": "anyone", "effect": {"kind": "heal", "points": 1}}
    battle = magic(
        seated("w", "wizard", "red", "truck", "bench_1"),
        seated("friend", "knight", "red", "truck", "bench_2"),
        unit("near", "knight", "red", 12, 14),
        unit("foe", "trooper", "blue", 18, 10),
        vehicles=[vehicle("truck", "truck", "red", 8.0, 10.0)],
        library={"trivial_action": [mend | {"range_studs": 10}]},
        actions=["firebolt", "mend"],
    ).do("unit w")
    for text in ("use firebolt foe", "use mend near"):
        assert battle.why_not(text) == ["w sits inside truck (BOW 3.5)"]
    assert battle.can("use mend friend")


def test_b_2_only_the_new_actions_of_the_setup_are_in_play():
    battle = magic(
        unit("w", "wizard", "red", 5, 5), unit("j", "jedi", "blue", 20, 5), actions=[]
    ).do("unit w")
    assert "unknown new action" in battle.why_not("use firebolt j")[0]
    assert "do use" not in battle.menu()


def test_b_2_guard_lasts_until_the_next_turn():
    battle = magic(unit("s", "swordsman", "red", 5, 5), unit("j", "jedi", "blue", 6, 5, "w"))
    battle.do("unit s", "use take_guard s", "end", "unit j", "attack s light_saber")
    assert battle.asked == "6 against 4"
    battle.roll(0, 0).do("end", "unit s", "end", "unit j", "attack s light_saber")
    assert battle.asked == "6 against 3"


def test_b_2_guard_adds_up_to_no_more_than_can_be_rolled():
    battle = own("guard", "shell", "friend", 40, trivial=True)
    battle.do("use shell b", "use shell b", "end", "unit t", "walk 5,9", "face s")
    assert battle.do("attack b sword").asked == "4 against 55"


@pytest.mark.parametrize(("resisting", "bricks"), [("dodge_armor", 9), ("dodge", 1)])
def test_b_3_guard_resists_new_actions_that_dodge_armor_resists(resisting, bricks):
    table = {
        "trivial_action": [
            {"name": "shell", "target": "self", "effect": {"kind": "guard", "points": 4}}
        ],
        "opposed_action": [
            {"name": "trip", "target": "enemy", "effect": {"kind": "hold", "points": 1}, "range_studs": 10,
             "colour": "brown", "acting": "attack", "resisting": resisting}
        ],
    }  # fmt: skip
    units = unit("a", "knight", "red", 5, 5), unit("t", "jedi", "blue", 8, 5, "w")
    battle = magic(*units, library=table, actions=["shell", "trip"])
    battle.do("unit a", "use shell a", "end", "unit t", "use trip a")
    assert battle.asked == f"2 against {bricks}"


def test_b_3_hold_takes_actions_from_the_next_turn():
    battle = magic(unit("w", "wizard", "red", 5, 5), unit("j", "trooper", "blue", 12, 5))
    battle.do("unit w", "use mind_grip j").roll(1, 0).do("end", "unit j")
    assert battle.state.actions_left == 1
    battle.do("end", "unit w", "end", "unit j")
    assert battle.state.actions_left == 2


@pytest.mark.parametrize("points", [2, 3])
def test_b_3_whoever_is_held_for_all_actions_has_no_turn(points):
    battle = own("hold", "bind", "enemy", points).do("use bind t").roll(1, 0).do("end", "unit t")
    assert battle.unit("t").sheet.action_budget == 2
    assert battle.unit("t").marked
    assert (battle.actor, battle.state.actions_left) == ("red", 0)
    assert battle.menu() == ["unit b"]


def test_b_3_push_goes_straight_away_up_to_an_obstacle():
    battle = own("push", "blast", "enemy", 4, decor=[{"id": "w", "block": [11, 0, 1, 20]}])
    battle.do("use blast t").roll(1, 0)
    assert battle.at("t") == (10, 5)


@pytest.mark.parametrize(
    ("a", "t", "points", "end"),
    [
        ((5, 5), (8, 6), 1, (9, 6)),
        ((5, 5), (8, 7), 1, (9, 8)),
        ((5, 5), (6, 8), 1, (6, 9)),
        ((5, 5), (8, 2), 1, (9, 1)),
        ((5, 5), (5, 0), 4, (5, 0)),
        ((5, 15), (5, 19), 4, (5, 19)),
        ((5, 5), (5, 2), 4, (5, 0)),
        ((5, 15), (5, 17), 4, (5, 19)),
        ((5, 5), (2, 5), 4, (0, 5)),
        ((25, 5), (27, 5), 4, (29, 5)),
    ],
)
def test_b_3_push_takes_the_nearest_of_the_eight_directions_and_ends_at_the_border(
    a, t, points, end
):
    table = {"name": "blast", "target": "enemy", "effect": {"kind": "push", "points": points}}
    table |= {"range_studs": 10, "colour": "brown", "acting": "attack", "resisting": "dodge"}
    battle = magic(
        unit("a", "jedi", "red", *a, "w" if t[0] < a[0] else "e"),
        unit("t", "knight", "blue", *t),
        library={"opposed_action": [table]},
        actions=["blast"],
    )
    battle.do("unit a", "use blast t").roll(1, 0)
    assert battle.at("t") == end


def test_b_3_disarm_drops_what_is_held():
    battle = own("disarm", "twist", "enemy", 1).do("use twist t").roll(1, 0)
    assert battle.lying() == [((8, 5), "sword")]
    assert battle.unit("t").sheet.attack_damage == 2


@pytest.mark.parametrize(
    ("sheet", "points", "dropped", "left"),
    [
        ("archer", 1, ["bow"], []),  # in both hands: it falls as a whole
        ("archer", 2, ["bow"], []),
        ("knight", 1, ["sword"], ["shield"]),
        ("knight", 2, ["shield", "sword"], []),
        ("knight", 5, ["shield", "sword"], []),
        ("basic_trooper", 1, [], []),
    ],
)
def test_b_3_disarm_empties_so_many_hands(sheet, points, dropped, left):
    battle = own("disarm", "twist", "enemy", points)
    armed = GAME.sheets().sheets
    found = next(one for one in armed if one.name == sheet).sheet
    battle.state = battle.state.with_unit(2, replace(battle.unit("t"), sheet=found))
    battle.do("use twist t").roll(1, 0)
    assert [item for _, item in battle.lying()] == dropped
    assert [item.name for item in battle.unit("t").sheet.gear.held] == left


def test_b_2_leap_goes_over_walls_to_a_stud_that_the_player_chooses():
    wall = [{"id": "w", "block": [7, 0, 1, 20], "top": 40}]
    battle = own("leap", "jump", "self", 4, trivial=True, decor=wall).do("use jump a")
    assert battle.can("leap 9,5")
    assert battle.why_not("leap 8,5") == ["t stands on 8,5 (BOW 2.3.1)"]
    assert battle.why_not("leap 9,6") == ["9,6 is more than 4 studs away (BOW B.2)"]
    battle.do("leap 9,5")
    assert battle.at("a") == (9, 5)


@pytest.mark.parametrize(
    ("kind", "points", "damage"), [("damage", None, 1), ("damage", 1, 1), ("hold", 1, 0)]
)
def test_b_3_effects_need_a_higher_score(kind, points, damage):
    lost = own(kind, "new_thing", "enemy", points).do("use new_thing t").roll(1, 1)
    won = own(kind, "new_thing", "enemy", points).do("use new_thing t").roll(2, 1)
    assert lost.unit("t").damage == 0
    assert won.unit("t").damage == damage


def test_b_2_heal_needs_no_colour():
    battle = own("heal", "pray", "friend", 1, trivial=True)
    assert battle.can("use pray b")
    assert not battle.can("use pray t")
    battle.do("use pray b")
    assert battle.state.actions_left == 2


def test_2_4_4_a_treating_spell_with_a_range_is_resisted_by_damage_points_which_an_opponent_rolls():
    battle = magic(
        unit("w", "wizard", "red", 5, 5, "w"),
        unit("j", "jedi", "red", 15, 5),
        unit("far", "jedi", "red", 16, 5),
        unit("foe", "jedi", "blue", 25, 5),
        actions=["treating_spell"],
    )
    for name, damage in (("j", 2), ("far", 1), ("foe", 1), ("w", 1)):
        number = battle.state.setting.unit_numbers[name]
        hurt = replace(battle.state.units[number], damage=damage)
        battle.state = battle.state.with_unit(number, hurt)
    battle.do("unit w", "do use")
    assert battle.menu() == ["use treating_spell j"]  # behind, which is no matter
    for name, why in (
        ("far", "far is more than 10 studs away (BOW B.3)"),
        ("foe", "treating_spell can only be used on: friend (BOW B.2)"),
        ("w", "treating_spell can only be used on: friend (BOW B.2)"),
    ):
        assert battle.why_not(f"use treating_spell {name}")[0] == why
    battle.do("use treating_spell j")
    assert battle.asked == "4 against 2"  # not against 2, its weapon's damage, and not its health
    assert GAME.chance(battle.state).reason == "w: treating_spell on j, blue rolls its damage"
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    told = "treating spell on j, 3 of 4 bricks against 0 of 2: success (BOW B.3)"
    assert roll_clause(battle.state, (3, 0)) == told
    battle.roll(3, 0)
    assert battle.unit("j").damage == 1
    battle.do("use treating_spell j")
    assert battle.asked == "4 against 1"
    battle.roll(1, 1).do("use treating_spell j").roll(2, 0)
    assert battle.unit("j").damage == 0
    assert battle.state.actions_left == 0 or battle.why_not("use treating_spell j") == [
        "j has no damage (BOW 2.4.4)"
    ]


def test_2_4_4_whoever_has_no_damage_is_not_treated():
    battle = magic(
        unit("w", "wizard", "red", 5, 5),
        unit("j", "jedi", "red", 6, 5),
        unit("foe", "jedi", "blue", 25, 5),
        actions=["treating_spell"],
    ).do("unit w")
    assert battle.why_not("use treating_spell j") == ["j has no damage (BOW 2.4.4)"]
    assert "do use" not in battle.menu()


def besieged() -> Battle:
    """A wizard before a locked gate, and vehicles of both sides."""
    return magic(
        unit("w", "wizard", "red", 10, 10),
        seated("pilot", "driver", "blue", "tank", "driver"),
        unit("foe", "trooper", "blue", 28, 18),
        vehicles=[
            vehicle("tank", "tank", "blue", 22.0, 9.0),
            vehicle("truck", "truck", "red", 8.0, 16.0),
        ],
        decor=[{"id": "gate", "kind": "door", "block": [15, 3, 2, 1], "locked": True}],
        actions=["firebolt", "lightning_bolt", "opening_spell"],
    ).do("unit w")


def test_b_3_a_bolt_on_a_vehicle_is_resisted_by_its_dodge_armor():
    battle = besieged().do("do use")
    assert battle.menu() == ["use lightning_bolt tank", "use opening_spell gate"]
    assert (
        battle.why_not("use lightning_bolt truck")[0]
        == "lightning_bolt can only be used on: enemy (BOW B.2)"
    )
    assert "unknown vehicle in play 'pilot'" in battle.why_not("use lightning_bolt pilot")[0]
    assert "unknown unit in play 'tank'" in battle.why_not("use firebolt tank")[0]
    battle.do("use lightning_bolt tank")
    tank = battle.state.setting.vehicles[0].sheet
    assert battle.asked == f"4 against {tank.armor}"
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    battle.roll(tank.health, 0)
    assert battle.vehicle("tank").gone
    assert battle.at("pilot") is not None


def test_b_3_a_vehicle_is_mended_from_within_or_afar_against_its_damage_points():
    repair = {"name": "tinker", "colour": "brown", "acting": "repair", "resisting": "damage_points"}
    repair |= {"target": "friend", "on": ["unit", "vehicle"], "range_studs": 5, "sight": False}
    repair |= {"effect": {"kind": "heal"}}
    battle = magic(
        seated("smith", "mechanic", "red", "truck", "bench_1"),
        unit("mate", "mechanic", "red", 10, 9),
        unit("foe", "trooper", "blue", 28, 18),
        vehicles=[vehicle("truck", "truck", "red", 10.0, 13.0)],
        library={"opposed_action": [repair]},
        actions=["tinker"],
    )
    battle.state = battle.state.with_vehicle(0, replace(battle.state.vehicles[0], damage=1))
    for name in ("smith", "mate"):
        battle.do(f"unit {name}", "do use")
        assert battle.menu() == ["use tinker truck"]
        battle.do("use tinker truck")
        assert battle.asked.endswith("against 1")
        battle.roll(0, 1).do("end", "unit foe", "end") if name == "smith" else battle.roll(2, 1)
    assert battle.vehicle("truck").damage == 0


def test_b_2_a_spell_opens_a_locked_door_from_afar():
    battle = besieged()
    closed = battle.state.board.terrain
    battle.do("use opening_spell gate")
    assert battle.state.open_ids == {"gate"}
    assert battle.state.board.terrain.standable != closed.standable
    assert battle.state.actions_left == battle.unit("w").sheet.action_budget - 2
    assert battle.why_not("use opening_spell gate")[-1] == "gate is already open (BOW 2.3.3)"


@pytest.mark.parametrize(
    ("range_studs", "y", "can"), [(5, 5, True), (5, 7, False), (0, 2, True), (0, 3, False)]
)
def test_b_2_the_range_to_a_door_ends_at_its_middle_and_contact_at_its_edge(range_studs, y, can):
    """The middle of the gate is at 16, 1.5, as high as a head."""
    spell = {"name": "push_open", "target": "anyone", "on": ["door"], "effect": {"kind": "open"}}
    spell["range_studs"] = range_studs
    battle = magic(
        unit("w", "trooper", "red", 15, y),
        unit("foe", "trooper", "blue", 28, 18),
        decor=[{"id": "gate", "kind": "door", "block": [15, 1, 2, 1], "top": 22}],
        library={"trivial_action": [spell]},
        actions=["push_open"],
    ).do("unit w")
    assert battle.can("use push_open gate") is can


def test_a_door_has_no_name_of_a_unit():
    with pytest.raises(InvalidValueError, match="a door has the name of a unit or vehicle, 'w'"):
        magic(
            unit("w", "trooper", "red", 15, 9),
            unit("foe", "trooper", "blue", 28, 18),
            decor=[{"id": "w", "kind": "door", "block": [15, 1, 2, 1]}],
        )


@pytest.mark.parametrize("stud", [(10, 10), (0, 0), (29, 19)])
def test_b_2_a_leap_ends_on_any_free_stud_of_its_circle_or_on_the_own_one(stud):
    leap = {"name": "jump", "target": "self", "effect": {"kind": "leap", "points": 3}}
    x, y = stud
    besides = {(x + 1, y), (x - 2, y - 2), (x, y + 3)}
    others = {cell for cell in besides if 0 <= cell[0] < 30 and 0 <= cell[1] < 20}
    battle = magic(
        unit("a", "jedi", "red", x, y),
        *(unit(f"t{n}", "knight", "blue", *cell) for n, cell in enumerate(sorted(others))),
        library={"trivial_action": [leap]},
        actions=["jump"],
    ).do("unit a", "use jump a")
    cells = {tuple(map(int, text.split(" ")[1].split(","))) for text in battle.menu()}
    assert cells == {
        (to_x, to_y)
        for to_x in range(30)
        for to_y in range(20)
        if (to_x - x) ** 2 + (to_y - y) ** 2 <= 9 and (to_x, to_y) not in others
    }
    assert battle.why_not("leap 30,19") == ["30,19 is outside the field of 30 x 20 studs (BOW 1.3)"]
    assert battle.can(f"leap {x},{y}")
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


def test_b_2_a_new_action_is_listed_while_the_action_budget_pays_for_it():
    battle = besieged()
    budget = battle.unit("w").sheet.action_budget
    for spent in range(budget):
        left = budget - spent
        listed = [text.split(" ")[1] for text in battle.do("do use").menu()]
        assert ("opening_spell" in listed) == (left >= 2)
        assert ("use costs 2 actions" in " ".join(battle.why_not("use opening_spell gate"))) == (
            left < 2
        )
        assert len(battle.why_not("use no_such_thing gate")) == 1
        battle.do("walk 10,10", "face e")


def test_b_2_nothing_is_done_to_who_is_out_of_the_battle():
    battle = besieged()
    state = battle.state
    state = state.with_vehicle(0, replace(state.vehicles[0], gone=True))
    battle.state = state.with_unit(2, replace(state.units[2], stud=None))
    assert "unknown vehicle in play 'tank'" in battle.why_not("use lightning_bolt tank")[0]
    assert "unknown unit in play 'foe'" in battle.why_not("use firebolt foe")[0]
    assert "unknown door in play 'foe'" in battle.why_not("use opening_spell foe")[0]
    assert "unknown unit in play 'gate'" in battle.why_not("use firebolt gate")[0]
