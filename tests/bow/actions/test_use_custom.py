"""New actions as data: BOW B.2, B.3."""

import pytest
from battle import Battle, seated, setup, unit, vehicle


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
    assert battle.why_not("use firebolt far") == ["far is farther than 20 studs (BOW B.3)"]
    assert battle.why_not("use firebolt behind") == ["behind is not in front (BOW B.3)"]
    assert battle.why_not("use firebolt plain") == ["firebolt is done to: enemy (BOW B.2)"]
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


def test_b_3_hold_takes_actions_from_the_next_turn():
    battle = magic(unit("w", "wizard", "red", 5, 5), unit("j", "trooper", "blue", 12, 5))
    battle.do("unit w", "use mind_grip j").roll(1, 0).do("end", "unit j")
    assert battle.state.actions_left == 1
    battle.do("end", "unit w", "end", "unit j")
    assert battle.state.actions_left == 2


def test_b_3_push_goes_straight_away_up_to_an_obstacle():
    battle = own("push", "blast", "enemy", 4, decor=[{"id": "w", "block": [11, 0, 1, 20]}])
    battle.do("use blast t").roll(1, 0)
    assert battle.at("t") == (10, 5)


def test_b_3_disarm_drops_what_is_held():
    battle = own("disarm", "twist", "enemy", 1).do("use twist t").roll(1, 0)
    assert battle.lying() == [((8, 5), "sword")]
    assert battle.unit("t").sheet.attack_damage == 2


def test_b_2_leap_goes_over_walls_to_a_stud_that_the_player_chooses():
    wall = [{"id": "w", "block": [7, 0, 1, 20], "top": 40}]
    battle = own("leap", "jump", "self", 4, trivial=True, decor=wall).do("use jump a")
    assert battle.can("leap 9,5")
    assert battle.why_not("leap 8,5") == ["t stands on 8,5 (BOW 2.3.1)"]
    assert battle.why_not("leap 9,6") == ["9,6 is farther than 4 studs (BOW B.2)"]
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
