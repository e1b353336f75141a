"""Tables: seats and keys, what is agreed, clocks, and what is kept, without a browser."""

import json
import random

import pytest

from brickphys.battles.ongoing_game import Waits
from brickphys.battles.players import PERSON, result_text
from brickphys.battles.start import GameStart
from brickphys.battles.table import MOST_LINES, Clock, Offer, Table, parse_clock, table_name
from brickphys.errors import InvalidValueError, ReplayFileError
from brickphys.rules.game import open_actions
from brickphys.rules.record import NOBODY, OVER
from brickphys.rules.registry import game
from brickphys.rules.replay import parse_replay, play_back

HIDDEN = ("blade_and_bow", "marathon")
OPEN = ("bow", "duel")


def laid(name="bow", setup="duel", players=PERSON, clock=None, seed=5):
    found = game(name)
    table = Table.of(found, GameStart(found.setups[setup], seed), players, clock)
    table.go_on_quickly()
    return table


def choose(table, chance):
    """Let who is to act choose anything, and the game go on; return that player."""
    player = table.ongoing.session.actor
    table.ongoing.seen_from(player).choose(
        chance.choice(open_actions(table.ongoing.game, table.ongoing.state))
    )
    table.go_on_quickly()
    return player


def reopened(table):
    return Table.from_document(json.loads(json.dumps(table.document())))


def test_a_key_is_for_one_seat_and_the_place_of_a_bot_has_none():
    table = laid(players="person,greedy")
    assert table.player_of(table.keys[0]) == 0
    assert table.player_of(table.watch_key) is None
    assert table.keys[1] == ""
    for wrong in ("", "x", table.name, table.keys[0][:-1], table.keys[0] + "x", "\udcff"):
        with pytest.raises(InvalidValueError, match="leads to no seat"):
            table.player_of(wrong)
    assert {table_name(key) for key in (table.keys[0], table.watch_key)} == {table.name}


@pytest.mark.parametrize("kind", [OPEN, HIDDEN])
def test_each_seat_waits_while_another_acts(kind):
    table, chance = laid(*kind), random.Random(1)
    for _ in range(30):
        actor = table.ongoing.session.actor
        found = [table.ongoing.seen_from(seat).waits for seat in (0, 1, None)]
        assert found == [Waits.CHOICE if seat == actor else Waits.OTHER for seat in (0, 1, None)]
        assert [table.ongoing.seen_from(seat).viewer for seat in (0, 1)] == [0, 1]
        nobody = NOBODY if kind == HIDDEN else None
        assert table.ongoing.seen_from(None).viewer == nobody
        choose(table, chance)
        if table.is_over:
            return


def test_a_choice_at_one_seat_is_asked_anew_at_the_same_number_after_it_was_taken_back():
    table = laid()
    seat = table.ongoing.seen_from(table.ongoing.session.actor)
    before, number = seat.asked, len(table.ongoing.session.steps)
    seat.choose(before.actions[0])
    first = seat.asked if seat.waits is Waits.CHOICE else None
    seat.undo()
    assert len(table.ongoing.session.steps) == number
    seat.choose(before.actions[-1])
    if first is not None and seat.waits is Waits.CHOICE:
        assert [*seat.asked.actions] != [*first.actions]


@pytest.mark.parametrize("kind", [OPEN, HIDDEN])
def test_a_choice_after_which_nothing_was_shown_is_taken_back_alone(kind):
    table, chance, found = laid(*kind), random.Random(3), set()
    for _ in range(20):
        player, number = table.ongoing.session.actor, len(table.ongoing.session.steps)
        screen = table.ongoing.seen_from(player)
        screen.choose(chance.choice(screen.asked.actions))
        is_alone = table.ongoing.session.actor == player and screen.may_undo
        assert table.offer(Offer.UNDO, player) == is_alone
        found.add(is_alone)
        if is_alone:
            assert len(table.ongoing.session.steps) == number
            screen.choose(chance.choice(screen.asked.actions))
        table.refuse(Offer.UNDO, player)
        table.go_on_quickly()
    assert found == {True, False}


@pytest.mark.parametrize("seed", range(5))
def test_what_all_agree_to_take_back_is_the_last_choice_of_who_asks(seed):
    table, chance = laid(*HIDDEN, seed=seed), random.Random(seed)
    for _ in range(10 + seed):
        choose(table, chance)
    player = table.ongoing.session.actor
    while (
        table.ongoing.session.actor == player
    ):  # the own choice alone is taken back without an offer
        choose(table, chance)
    states = table.ongoing.record.states
    numbers = [n for n, s in enumerate(table.ongoing.session.steps) if s.actor == player]
    assert not table.offer(Offer.UNDO, player)
    assert not table.offer(Offer.UNDO, player)  # asking twice is no agreement
    assert table.offer(Offer.UNDO, 1 - player)
    count = len(table.ongoing.session.steps)
    assert count in numbers
    assert table.ongoing.state is states[count]
    assert table.ongoing.session.actor == player
    assert not table.offers


def test_a_draw_and_another_game_need_all_persons():
    table = laid()
    assert not table.offer(Offer.DRAW, 0)
    table.refuse(Offer.DRAW, 1)
    assert table.lines[-1][1].endswith("refuses: a draw")
    assert not table.offer(Offer.DRAW, 1)
    assert not table.is_over
    assert table.offer(Offer.DRAW, 0)
    assert (table.is_over, table.verdict) == (True, "a draw by agreement")
    with pytest.raises(InvalidValueError, match="the game is over"):
        table.offer(Offer.UNDO, 0)
    old = table.ongoing
    assert not table.offer(Offer.REMATCH, 1)
    assert table.offer(Offer.REMATCH, 0)
    assert not table.is_over
    assert table.ongoing.start.setup == old.start.setup
    assert table.ongoing.start.root != old.start.root


@pytest.mark.parametrize(
    ("kind", "players", "told"),
    [
        (Offer.REMATCH, PERSON, "not over yet"),
        (Offer.DRAW, "person,greedy", "bots accept no draw"),
        (Offer.UNDO, PERSON, "you have chosen nothing yet"),
    ],
)
def test_what_cannot_be_offered_is_refused(kind, players, told):
    table = laid(players=players)
    with pytest.raises(InvalidValueError, match=told):
        table.offer(kind, table.ongoing.persons[0])
    assert not table.offers


def test_points_are_those_of_the_game_or_of_who_gave_up():
    table, chance = laid(), random.Random(4)
    assert table.points is None
    table.resign(0)
    assert table.points == (0, 1)
    assert reopened(table).points == (0, 1)
    drawn = laid()
    drawn.offer(Offer.DRAW, 0)
    drawn.offer(Offer.DRAW, 1)
    assert drawn.points == (0.5, 0.5)
    played = laid()
    while not played.is_over:
        choose(played, chance)
    assert sum(played.points) == 1
    best = max(played.ongoing.record.returns)
    assert [one > 0 for one in played.points] == [
        one == best for one in played.ongoing.record.returns
    ]


def test_the_place_of_a_bot_offers_nothing():
    table, chance = laid(), random.Random(1)
    for _ in range(4):
        choose(table, chance)
    count = len(table.ongoing.session.steps)
    table.seat(0, "greedy")
    for kind in (Offer.UNDO, Offer.DRAW):
        with pytest.raises(InvalidValueError, match="a bot plays here"):
            table.offer(kind, 0)
    assert len(table.ongoing.session.steps) == count


def test_who_let_a_bot_play_to_the_end_asks_for_another_game():
    table = laid(players="person,greedy")
    seat = table.ongoing.persons[0]
    table.seat(seat, "greedy")
    while not table.is_over:
        table.ongoing.go_on()
    assert table.offer(Offer.REMATCH, seat)
    assert not table.is_over


def test_a_seat_is_given_to_a_bot_and_back():
    table = laid()
    player = table.ongoing.session.actor
    table.seat(player, "greedy")
    assert table.waits_for_program
    assert table.ongoing.persons == (1 - player,)
    again = Table.from_document(table.document())
    assert (again.names, again.ongoing.persons) == (table.names, table.ongoing.persons)
    while table.waits_for_program:
        table.ongoing.go_on()
        table.go_on_quickly()
    table.seat(player, PERSON)
    assert table.ongoing.persons == (0, 1)
    for name in ("nobody", "os:system"):
        with pytest.raises(InvalidValueError):
            table.seat(player, name)
    with pytest.raises(InvalidValueError, match="belongs to a bot"):
        laid(players="person,greedy").seat(1, PERSON)


def test_a_clock_runs_for_who_is_to_act_and_adds_what_a_turn_earns():
    clock = Clock(60, 5, [60.0, 60.0])
    clock.run_for(0, 100)
    assert (clock.left_at(110, 0), clock.left_at(110, 1)) == (50, 60)
    clock.run_for(0, 110)  # the same one goes on: nothing is earned
    clock.run_for(1, 120)
    assert (clock.left_at(125, 0), clock.left_at(125, 1)) == (45, 55)
    clock.run_for(None, 130)
    assert clock.left_at(1e6, 1) == 50
    assert clock.left_at(1e6, 0) == 45


def test_who_has_no_time_left_loses_but_not_before_all_sit():
    table = laid(clock=parse_clock("1"))
    actor = table.ongoing.session.actor
    table.turn_clock(0)
    table.turn_clock(1_000)
    assert not table.is_over
    table.seen |= {0, 1}
    table.turn_clock(1_000)
    table.turn_clock(1_059)
    assert not table.is_over
    table.turn_clock(1_060)
    names = table.names
    assert table.verdict == f"{names[actor]} has no time left: {names[1 - actor]} wins"
    assert table.clock.runs_for is None


@pytest.mark.parametrize(
    "text", ["", "x", "0", "-1", "nan", "inf", "20+", "20+x", "2000", "20+9999"]
)
def test_a_clock_that_is_none_is_refused(text):
    with pytest.raises(InvalidValueError, match="clock: "):
        parse_clock(text)


@pytest.mark.parametrize("kind", [OPEN, HIDDEN, ("pirate_wars", "duel"), ("minifig", "duel")])
def test_a_table_that_is_opened_again_goes_on_as_it_would_have(kind):
    table, chance = laid(*kind, clock=parse_clock("20+15")), random.Random(2)
    for _ in range(8):
        choose(table, chance)
    table.call(0, "  Anna   Z ")
    table.say(0, "Good luck!")
    table.clock.left_s[1] = 17.5
    again = reopened(table)
    assert again.document() == table.document()
    assert again.player_of(table.keys[1]) == 1
    for _ in range(8):
        state = random.getstate()
        chosen = random.Random(3)
        choose(table, chosen)
        choose(again, random.Random(3))
        random.setstate(state)
    assert again.document() == table.document()


def test_what_is_said_is_one_short_line_and_old_lines_go():
    table = laid()
    for number in range(MOST_LINES + 3):
        table.say(None, f"line\n{number}\x1b")
    assert len(table.lines) == MOST_LINES
    assert table.lines[-1] == ("who watches", f"line {MOST_LINES + 2}\\x1b")
    table.say(0, "   ")
    assert table.lines[-1][0] == "who watches"
    for wrong in (lambda: table.say(0, 201 * "x"), lambda: table.call(0, 31 * "x")):
        with pytest.raises(InvalidValueError, match="at most"):
            wrong()


def test_nobody_is_called_like_a_bot():
    table = laid()
    table.call(0, "A Bottler")
    for name in ("a bot, hard", "  A\tBOT"):
        with pytest.raises(InvalidValueError, match="only bots are called a bot"):
            table.call(0, name)
    assert table.called[0] == "A Bottler"


@pytest.mark.parametrize("name", ["replay", "keys", "lines", "players"])
@pytest.mark.parametrize("value", [None, 7, [[]], "x"])
def test_a_damaged_table_is_refused_in_a_line(name, value):
    document = laid(clock=parse_clock("20")).document() | {name: value}
    with pytest.raises(InvalidValueError) as caught:
        Table.from_document(document)
    assert "\n" not in str(caught.value)


def test_a_game_that_is_played_to_its_end_is_over():
    table, chance = laid(), random.Random(4)
    while not table.is_over:
        choose(table, chance)
    assert table.ongoing.session.actor == OVER
    assert table.verdict == ""


def test_a_board_of_a_tournament_is_played_once_and_by_its_persons():
    table = laid()
    table.is_official = True
    assert reopened(table).is_official
    with pytest.raises(InvalidValueError, match="persons play themselves"):
        table.seat(0, "greedy")
    table.resign(0)
    with pytest.raises(InvalidValueError, match="played once"):
        table.offer(Offer.REMATCH, 1)
    assert table.points == (0, 1)


def test_the_verdict_agrees_with_names_that_are_plurals():
    table = laid(*HIDDEN)
    table.call(0, "Anna")
    table.resign(1)
    assert table.verdict == "persians give up: greeks (Anna) win"


def test_a_saved_game_tells_who_gave_up():
    table = laid()
    table.call(1, "Ben")
    table.resign(0)
    text = table.ongoing.replay()
    record = play_back(table.ongoing.game, parse_replay(text))
    assert record.verdict == table.verdict
    assert table.ongoing.game.trajectories(record, None).ending == "Red gives up: blue (Ben) wins."
    assert result_text(table.ongoing.game, record).startswith("red gives up: blue (Ben) wins after")
    with pytest.raises(ReplayFileError, match="was edited"):
        parse_replay(text.replace("red gives", "blue gives"))
    assert reopened(table).verdict == table.verdict
    table.offer(Offer.REMATCH, 0)
    table.offer(Offer.REMATCH, 1)
    assert "verdict" not in table.ongoing.replay()
