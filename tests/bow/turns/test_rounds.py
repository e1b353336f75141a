"""Rounds and turns: BOW 2.2."""

import pytest

from brickphys.rules.record import CHANCE
from brickphys.rules.rolls import BrickRoll
from tests.bow.battle import GAME, Battle, setup, unit


def many(red: int, blue: int):
    units = [unit(f"r{n}", "trooper", "red", 0, 2 * n) for n in range(red)]
    return setup(*units, *(unit(f"b{n}", "trooper", "blue", 29, 2 * n) for n in range(blue)))


def pass_turns(battle: Battle, *names: str) -> None:
    for name in names:
        battle.do(f"unit {name}", "end")


def test_2_2_each_player_rolls_six_bricks_and_the_highest_starts():
    battle = Battle.__new__(Battle)
    battle.state = GAME.initial(many(1, 1))
    assert GAME.actor(battle.state) == CHANCE
    assert GAME.chance(battle.state) == BrickRoll(6)
    battle.do("2", "4")
    assert (battle.state.round, battle.actor) == (1, "blue")


def test_2_2_those_who_tie_roll_again_the_others_do_not():
    battle = Battle.__new__(Battle)
    battle.state = GAME.initial(
        setup(*(unit(f"u{p}", "trooper", p, 0, n) for n, p in enumerate(("red", "blue", "green"))))
    )
    battle.do("3", "1", "3")
    assert "red rolls" in GAME.chance(battle.state).reason
    battle.do("2", "2")
    assert GAME.actor(battle.state) == CHANCE
    battle.do("0", "1")
    assert battle.actor == "green"


def test_2_2_players_take_turns_and_a_played_unit_is_marked_and_not_played_again():
    battle = Battle(many(2, 2))
    assert battle.menu() == ["unit r0", "unit r1"]
    pass_turns(battle, "r1")
    assert battle.unit("r1").marked
    assert battle.actor == "blue"
    pass_turns(battle, "b0")
    assert battle.menu() == ["unit r0"]
    assert battle.why_not("unit r1") == ["r1 has already been played in this round (BOW 2.2)"]
    assert battle.why_not("unit b1") == ["b1 belongs to blue (BOW 2.2)"]


def test_2_2_who_has_no_unit_left_is_skipped_and_starts_the_next_round():
    battle = Battle(many(3, 1))
    pass_turns(battle, "r0", "b0", "r1")
    assert battle.actor == "red"
    pass_turns(battle, "r2")
    assert (battle.state.round, battle.actor) == (2, "blue")


def test_2_2_marks_are_added_in_odd_rounds_and_removed_in_even_ones():
    battle = Battle(many(2, 1))
    pass_turns(battle, "r0", "b0", "r1")
    assert all(figure.marked for figure in battle.state.units)
    pass_turns(battle, "b0")
    assert [battle.unit(name).marked for name in ("r0", "r1", "b0")] == [True, True, False]
    pass_turns(battle, "r0", "r1")
    assert battle.state.round == 3
    assert not any(figure.marked for figure in battle.state.units)


def test_2_2_a_player_whose_last_unit_to_play_is_killed_has_finished_first():
    begin = setup(
        unit("r0", "jedi", "red", 5, 5),
        unit("r1", "trooper", "red", 0, 0),
        unit("b0", "basic_trooper", "blue", 6, 5),
        unit("b1", "trooper", "blue", 29, 9),
    )
    battle = Battle(begin)
    pass_turns(battle, "r1", "b1")
    battle.do("unit r0", "attack b0 light_saber").roll(6, 0).do("end")
    assert battle.state.round == 2
    assert battle.actor == "blue"


def test_2_2_a_turn_ends_by_itself_when_the_action_budget_is_used_up():
    battle = Battle(many(1, 1))
    battle.do("unit r0", "walk 1,0", "face n", "walk 1,1")
    assert battle.state.actions_left == 0
    battle.do("face e")
    assert battle.actor == "blue"


def test_2_2_a_type_of_action_can_be_chosen_first_for_a_short_list_and_does_not_bind():
    battle = Battle(many(1, 1)).do("unit r0")
    assert battle.menu() == ["do walk", "do throw", "do put", "do drop", "end"]
    battle.do("do walk")
    assert "end" not in battle.menu()
    assert "walk 2,2" in battle.menu()
    assert battle.can("end")
    battle.do("throw spear held")
    assert not battle.state.menu


@pytest.mark.parametrize("count", [3, 6])
def test_2_2_up_to_six_players_in_the_order_of_their_seats(count):
    names = ["red", "blue", "green", "black", "white", "grey"][:count]
    battle = Battle(
        setup(*(unit(f"u_{p}", "trooper", p, 3, 3 * n) for n, p in enumerate(names))), 1
    )
    seen = []
    for _ in names:
        seen.append(battle.actor)
        pass_turns(battle, f"u_{battle.actor}")
    assert seen == names[1:] + names[:1]
    assert battle.actor == "blue"


def test_2_2_whoever_is_next_in_the_order_of_seats_plays_for_one_who_has_no_unit_left():
    owners = ("red", "red", "blue", "green", "green", "black", "black")
    battle = Battle(setup(*(unit(f"u{n}", "trooper", p, 3, 2 * n) for n, p in enumerate(owners))))
    seen = []
    for name in ("u0", "u2", "u3", "u5", "u1", "u4", "u6"):
        seen.append(battle.actor)
        pass_turns(battle, name)
    assert seen == ["red", "blue", "green", "black", "red", "green", "black"]
    assert (battle.state.round, battle.actor) == (2, "blue")


def test_players_of_a_team_win_together():
    begin = setup(
        unit("a", "jedi", "red", 5, 5),
        unit("b", "basic_trooper", "blue", 6, 5),
        unit("c", "trooper", "green", 20, 5),
    )
    begin["players"] = [
        {"name": "red", "team": 0},
        {"name": "blue", "team": 1},
        {"name": "green", "team": 0},
    ]
    battle = Battle(begin).do("unit a")
    assert battle.why_not("attack c light_saber")[0] == "c is not an enemy of a (BOW 2.4.2)"
    battle.do("attack b light_saber").roll(6, 0)
    assert GAME.returns(battle.state) == (1, -1, 1)
