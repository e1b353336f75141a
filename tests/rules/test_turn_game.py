"""The base of turn games: a game with hidden hands on it keeps the contract, and refuses what cannot be."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.game import advance, parse_move
from tests.rules.raid_game import RaidGame

GAME = RaidGame()
SETUP = GAME.setups["short"]


def after(*texts: str):
    """The state after some moves; ann starts."""
    state = GAME.initial(SETUP)
    for text in ("2", "0", *texts):
        state = advance(GAME, state, parse_move(GAME, state, text))
    return state


def texts(state) -> list[str]:
    return [action.text() for action in GAME.actions(state)]


def test_it_keeps_the_contract():
    assert check_game(GAME, games=2) == []


def test_those_who_tie_for_the_best_score_roll_again():
    state = GAME.initial(SETUP)
    for text in ("1", "1", "0", "2"):
        state = advance(GAME, state, parse_move(GAME, state, text))
    assert not state.pending
    assert state.setting.players[state.player] == "bob"


def test_the_type_is_chosen_first_or_left_out():
    assert texts(after()) == ["do raid", "rest"]
    assert texts(after("do raid")) == ["raid 1", "raid 2"]
    assert after("do raid", "raid 2") == after("raid 2")


def test_a_question_is_answered_by_its_own_words():
    state = after("raid 2")
    assert GAME.actor(state) == 1
    assert texts(state) == ["parry", "yield"]
    assert GAME.problems(state, GAME.parse_action("rest")) == [
        "answer this first: your answer, such as: parry (RAID 1)"
    ]


def test_what_follows_happens_by_itself_once_all_is_rolled():
    state = after("raid 2", "parry")
    assert GAME.problems(state, GAME.parse_action("rest")) == ["a roll or draw must come first"]
    state = advance(GAME, state, parse_move(GAME, state, "2 1"))
    assert state.lives == (2, 1)
    assert state.player == 1


def test_an_event_is_made_once_for_a_state():
    state = after("raid 2", "parry")
    event = GAME.chance(state)
    assert GAME.chance(state) is event
    assert GAME.chance(state.pop_pending().push_pending(*state.pending)) == event
    with pytest.raises(InvalidValueError, match="no roll is due"):
        GAME.chance(after())


def test_a_setup_is_read_once(monkeypatch):
    game, read = RaidGame(), []
    begin = game.begin
    monkeypatch.setattr(game, "begin", lambda setup: read.append(setup) or begin(setup))
    first = game.initial(SETUP)
    assert game.initial({key: SETUP[key] for key in reversed(SETUP)}) is first
    assert game.parse_state(game.format_state(first)) == first
    assert len(read) == 1


def test_a_setup_that_is_no_json_is_refused():
    with pytest.raises(InvalidValueError, match="setup: not JSON"):
        GAME.initial({1: 0, "a": 0})


def edited(*path, to) -> str:
    row = json.loads(GAME.format_state(after("raid 2", "parry")))
    place = row
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(row, separators=(",", ":"))


def test_a_state_is_one_line_of_json():
    digest = after().setting.digest
    assert GAME.format_state(after("raid 2", "parry")) == (
        f'{{"setup":"{digest}","player":0,"menu":"","hands":[[1],[1,3]],"left":[2,2],'
        '"pending":[["Strike",2],["NextPlayer"]]}'
    )


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        (("setup",), "0", "setup '0': no game with it"),
        (("player",), 2, "player: 2 is not from 0 to 1"),
        (("hit",), 5, "not an object with the keys setup, player, menu, hands, left, pending"),
        (("pending", 0, 0), "Stroke", "unknown kind of pending step 'Stroke'"),
        (("pending", 0, 1), 11, "card: 11 is not from 0 to 9"),
        (("pending", 0), ["Strike", 1, 2], r"pending\[0\]: .* is not the 1 values of Strike"),
        (("pending",), [["NextPlayer"]], "step is automatic"),
        (("left",), [0, 2], "the game is over"),
    ],
)
def test_an_impossible_state_is_refused(path, to, why):
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(edited(*path, to=to))


def test_a_state_that_goes_on_by_itself_is_refused():
    row = json.loads(GAME.format_state(after()))
    row["hands"][0] = []
    with pytest.raises(InvalidValueError, match="the next step is automatic"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=20))
def test_any_json_is_a_state_or_an_invalid_value(value):
    row = json.loads(GAME.format_state(after("raid 2")))
    for key in row:
        with pytest.raises(InvalidValueError):
            GAME.parse_state(json.dumps(row | {key: [value, value, value]}))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 900 + "]" * 900, '{"setup":' * 500, "nan", "9" * 5000]
)
def test_texts_that_no_parser_likes_are_refused(text):
    with pytest.raises(InvalidValueError):
        GAME.parse_state(text)
