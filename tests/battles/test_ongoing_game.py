"""A table plays the same game as the play loop, and lets people choose, roll, take back, pass the screen and go on."""

import pytest

from brickphys.battles.battle import play as play_battle
from brickphys.battles.ongoing_game import OngoingGame, Rolls, Waits
from brickphys.battles.start import GameStart, continued
from brickphys.errors import IllegalActionError, InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.prompt import listed, placed
from brickphys.rules.record import CHANCE, OVER, Ending
from brickphys.rules.registry import game
from brickphys.rules.replay import parse_replay, play_back

LAW = find_law(DEFAULT)


def table(name="bow", setup="duel", players="person,greedy", rolls=Rolls.LAW, seed=7):
    """A new game."""
    played = game(name)
    return OngoingGame(played, GameStart(played.setups[setup], seed), players, LAW, DEFAULT, rolls)


def wait(one):
    """Let a game go on until it waits for somebody."""
    while one.waits is Waits.PROGRAM:
        one.go_on()
    return one


def first(one):
    """Choose what is listed first."""
    choice = listed(one.asked)[0]
    one.choose(*choice.actions)
    return choice.text


def test_bots_at_a_table_play_the_game_of_the_play_loop():
    one = wait(table(players="random", seed=3))
    expected = play_battle("bow", "duel", "random", seed=3).record
    assert [step.text for step in one.record.steps] == [step.text for step in expected.steps]
    assert one.waits is Waits.END
    assert one.record.returns == expected.returns
    assert one.record.ending is Ending.OVER


def test_a_person_is_asked_and_the_choice_is_taken():
    one = wait(table())
    assert one.waits is Waits.CHOICE
    assert one.who == "red"
    assert first(one) == "unit red_trooper"
    assert one.session.steps[-1].text == "unit red_trooper"
    walks = [choice for choice in placed(one.asked, listed(one.asked)) if "walk" in choice.text]
    assert len(walks) > 50
    one.choose(*walks[0].actions)
    assert [step.text for step in one.session.steps[-2:]] == ["do walk", walks[0].text]


def test_what_was_clicked_at_once_is_taken_back_at_once():
    one = wait(table())
    first(one)
    before = one.state
    one.choose(*placed(one.asked, listed(one.asked))[0].actions)
    assert one.may_undo
    one.undo()
    assert one.state == before
    one.undo()
    assert not one.may_undo
    with pytest.raises(InvalidValueError, match="you have chosen nothing yet"):
        one.undo()


def test_what_was_taken_back_is_done_again_unless_something_else_was_done():
    one = table()
    wait(one)
    first_choice = one.asked.actions[0]
    one.choose(first_choice)
    whole = one.replay()
    one.undo()
    one.redo()
    assert one.replay() == whole
    with pytest.raises(InvalidValueError, match="nothing to do again"):
        one.redo()
    one.undo()
    one.choose(one.asked.actions[-1])
    with pytest.raises(InvalidValueError, match="nothing to do again"):
        one.redo()


def test_nothing_is_taken_back_after_another_player_has_acted():
    one = wait(table(seed=7))
    first(one)
    one.choose(one.game.parse_action("end"))
    wait(one)
    assert not one.may_undo
    with pytest.raises(InvalidValueError, match=r"another player has acted|a roll, a draw"):
        one.undo()


def test_an_illegal_action_is_refused_with_its_reason():
    one = wait(table())
    with pytest.raises(IllegalActionError, match="unit"):
        one.choose(one.game.parse_action("unit blue_trooper"))
    assert one.session.steps[-1].actor == CHANCE


def test_after_a_refused_action_the_one_before_it_is_taken_back():
    one = wait(table())
    before = one.state
    first(one)
    for _ in range(2):
        with pytest.raises(IllegalActionError):
            one.choose(one.game.parse_action("unit blue_trooper"))
    one.undo()
    assert one.state == before


def test_typed_rolls_are_asked_for_and_taken_back():
    one = wait(table(rolls=Rolls.TABLE))
    assert one.waits is Waits.ROLL
    assert "bricks" in one.event.asked
    with pytest.raises(InvalidValueError, match="9"):
        one.roll("9")
    one.roll(" 4 ")
    assert one.session.steps[-1].move == 4
    one.undo()
    assert one.session.steps == []
    assert one.origin == "bricks thrown on a table"


def test_a_saved_game_goes_on_where_it_was_left():
    one = wait(table())
    first(one)
    written = parse_replay(one.replay())
    assert written.law == one.origin
    record = play_back(one.game, written)
    other = OngoingGame(
        one.game, continued(record, written.law), ",".join(written.players), LAW, DEFAULT
    )
    assert other.state == one.state
    for each in (one, other):
        each.choose(each.game.parse_action("end"))
        wait(each)
    assert other.replay() == one.replay()


def test_two_people_with_secrets_pass_the_screen():
    one = wait(table("blade_and_bow", "marathon", "person,person"))
    assert one.has_secrets
    assert one.waits is Waits.SEAT
    one.sit()
    seat = one.session.actor
    assert one.viewer == one.local_player == seat
    assert one.waits is Waits.CHOICE
    for _ in range(200):
        if wait(one).waits is not Waits.CHOICE:
            break
        first(one)
    assert one.waits is Waits.SEAT
    assert one.session.actor != seat
    assert one.viewer == seat  # nobody else sees anything before sitting down
    assert not one.may_undo or one.session.steps[-1].actor == seat


def test_two_people_without_secrets_share_the_screen():
    one = wait(table(players="person"))
    assert one.viewer is None
    assert one.waits is Waits.CHOICE


def test_a_person_alone_sees_only_that_side():
    one = wait(table("blade_and_bow", "marathon", "random,person"))
    assert one.viewer == 1
    assert one.waits in (Waits.CHOICE, Waits.END)


@pytest.mark.parametrize("words", ["person", "person,person,person", "nobody,person"])
def test_players_that_do_not_fit_are_refused(words):
    if words == "person":
        assert len(table(players=words).persons) == 2
        return
    with pytest.raises(InvalidValueError, match=r"players|nobody"):
        table(players=words)


@pytest.mark.slow
def test_live_throws_roll_at_a_table():
    one = wait(table(rolls=Rolls.LIVE, players="random"))
    assert one.waits is Waits.END
    assert one.session.actor == OVER
    assert "bricks thrown live" in one.origin


def test_the_only_legal_action_is_taken_without_being_asked_and_is_no_choice_to_undo():
    one = wait(table())
    assert one.game.format_action(one.only) == "unit red_trooper"
    assert one.take_only() == "unit red_trooper"
    assert one.only is None
    assert not one.may_undo
    before = one.state
    one.choose(*placed(one.asked, listed(one.asked))[0].actions)
    assert one.may_undo
    one.undo()
    assert one.state == before
    assert not one.may_undo


def test_a_saved_game_whose_last_step_was_the_only_legal_one_has_nothing_to_undo():
    one = wait(table())
    one.take_only()
    record = play_back(one.game, parse_replay(one.replay()))
    other = OngoingGame(one.game, continued(record, one.origin), "person,greedy", LAW, DEFAULT)
    assert other.state == one.state
    assert not other.may_undo


def test_the_only_legal_action_is_asked_for_where_others_could_see_who_is_at_the_screen():
    one = wait(table("blade_and_bow", "marathon", "person,person"))
    one.sit()
    assert one.has_secrets
    assert one.only is None


def test_of_ranks_only_those_are_asked_for_from_which_the_enemy_could_conclude_something():
    """Four ranks for four units: the last is known to have no choice, one after the ranks are spent is not."""
    for ranks, is_asked in ((1, 1, 1), False), ((2, 2), True):
        one = wait(table("blade_and_bow", "mycale", "person,person"))
        one.sit()
        for number in ranks:
            assert one.only is None
            one.choose(one.game.parse_action(f"ranks {number}"))
        assert one.game.only_action(one.asked.state) is not None
        assert (one.only is None) == is_asked
