"""Live throws answer brick rolls by address, and are seen as they fell: the same bricks that the game has counted."""

import pytest

from brickphys.battles.ongoing_game import OngoingGame, Rolls
from brickphys.battles.start import GameStart
from brickphys.calibration.live import LiveChance, LiveRolls
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.odds.roll import SIDE
from brickphys.rules.record import CHANCE
from brickphys.rules.registry import game
from brickphys.rules.rolls import BrickRoll, OpposedRoll
from brickphys.rules.sources import RollSource
from brickphys.view.document import document
from brickphys.view.recording import Sign
from brickphys.view.settling import EVERY_S, rolled_recording
from tests.view.recording_check import check_recording


def test_live_throws_answer_chance_events_and_count_sides() -> None:
    roll = LiveChance(1).roll(3, (0, 1))
    assert roll.poses is not None
    assert len(roll.poses) == 3
    assert roll.score == roll.poses.count("side")
    assert RollSource(LiveChance(1).roll).answer(BrickRoll(3, "attack"), (0, 1)) == roll.score


def test_the_same_address_falls_the_same_way_in_any_order() -> None:
    source = LiveChance(1)
    first = [source.roll(2, (i,)) for i in range(3)]
    assert [source.roll(2, (i,)) for i in reversed(range(3))] == first[::-1]
    assert len({roll.poses for roll in first}) > 1


def test_no_bricks_score_nothing() -> None:
    assert LiveChance(1).roll(0, ()).score == 0


@pytest.mark.parametrize(
    "values", [{"root": -1}, {"root": 1, "shape": "9x9"}, {"root": 1, "engine_name": "x"}]
)
def test_a_source_that_cannot_throw_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidValueError):
        LiveChance(**values)


def rings(recording):
    return [mark for mark in recording.marks if mark.sign is Sign.SPOT]


def test_a_hand_is_the_one_that_was_counted_and_is_returned_once():
    live = LiveRolls(3)
    rolls = [live.roll(1, (0, number)) for number in range(6)]
    assert live.roll(0, (0, 9)).score == 0
    hands = live.hands(EVERY_S)
    assert [hand.roll for hand in hands] == rolls
    assert all(hand.recording.poses == hand.roll.poses for hand in hands)
    assert live.hands(EVERY_S) == []


def test_each_brick_on_a_side_is_ringed_at_rest_and_told():
    live = LiveRolls(3)
    for number in range(8):
        roll = live.roll(1, (0, number))
        found = rolled_recording(BrickRoll(1), live.hands(EVERY_S))
        assert len(rings(found)) == roll.score == (roll.poses[0] == SIDE)
        assert [event.text for event in found.events] == [
            "Thrown: 1 brick.",
            f"{roll.score} of 1 on a side.",
        ]
        assert found.duration_ms > found.events[1].at_ms


def test_attack_and_defence_lie_apart_and_a_side_without_bricks_has_none():
    live = LiveRolls(3)
    one, other = live.roll(1, (0, 0)), live.roll(1, (0, 1))
    found = rolled_recording(OpposedRoll(1, 1), live.hands(EVERY_S))
    assert found.events[1].text == (
        f"Attack: {one.score} of 1 on a side, defence: {other.score} of 1 on a side."
    )
    labels = [thing.label for thing in found.things if thing.label]
    assert labels == ["attack 1", "defence 1"]
    ends = [thing.track.poses[-1, 0] for thing in found.things if thing.label]
    assert ends[1] - ends[0] > 30.0
    check_recording(document(found))
    alone = live.roll(1, (0, 2))
    found = rolled_recording(OpposedRoll(0, 1), live.hands(EVERY_S))
    assert found.events[1].text == f"Defence: {alone.score} of 1 on a side."


@pytest.mark.slow
def test_a_table_counts_what_its_engine_has_thrown():
    bow = game("bow")
    start = GameStart(bow.setups["duel"], 11)
    table = OngoingGame(bow, start, "greedy", find_law(DEFAULT), DEFAULT, Rolls.LIVE)
    met = 0
    while met < 4:
        is_rolled = table.session.actor == CHANCE
        before, outcome = table.state, table.go_on().move
        hands = table.live.hands(EVERY_S)
        assert bool(hands) == is_rolled
        if hands:
            met += 1
            counts = [hand.recording.poses.count(SIDE) for hand in hands]
            assert counts == list(outcome if isinstance(outcome, tuple) else (outcome,))
            found = rolled_recording(bow.chance(before), hands)
            assert len(rings(found)) == sum(counts)


def test_it_is_told_who_throws():
    live = LiveRolls(3)
    live.roll(1, (0, 0))
    found = rolled_recording(BrickRoll(1, "red_2 rolls for the start"), live.hands(EVERY_S))
    assert found.events[0].text == "Red 2 rolls for the start: 1 brick."
