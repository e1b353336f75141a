"""The chance to win below the picture of a game that was judged: it follows the events that are told."""

from dataclasses import replace
from itertools import pairwise

import pytest

from brickphys.battles.battle import play
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import default_law
from brickphys.rules.plans import LEVELS
from brickphys.rules.registry import game
from brickphys.rules.report.analysis import Analyst, remarks
from brickphys.rules.report.trajectories import steps_of
from brickphys.view.battle import battle_page
from brickphys.view.chances import with_chances
from brickphys.view.document import document
from tests.view.recording_check import check_recording


@pytest.fixture(scope="module")
def judged():
    """A game of random bots, its pictures, its analysis, and its recording with the chances."""
    played = game("pirate_wars")
    record = play("pirate_wars", "duel", "random", seed=1).record
    analysis = Analyst(played, default_law(), LEVELS["easy"]).analysis(record)
    pictures = played.trajectories(record)
    recording = battle_page(played, pictures)
    return record, pictures, analysis, with_chances(recording, record, pictures, analysis)


def test_each_event_has_the_chance_after_its_steps(judged):
    record, pictures, analysis, recording = judged
    steps = [*steps_of(record, pictures.frames)]
    assert steps == sorted(steps)
    assert steps[-1] == len(record.steps)
    chances = recording.chances
    assert chances.times_ms == tuple(event.at_ms for event in recording.events)
    for player, line in enumerate(chances.lines):
        assert line.name == pictures.names[player]
        assert line.values == tuple((1 + analysis.worths[n][player]) / 2 for n in steps)


def test_a_sign_stands_at_the_first_event_after_its_steps(judged):
    record, pictures, analysis, recording = judged
    found = {one.sign: one for one in remarks(analysis, pictures.names)}
    steps = [*steps_of(record, pictures.frames)]
    assert [one.sign for one in recording.chances.signs] == [*found]
    for one in recording.chances.signs:
        number = recording.chances.times_ms.index(one.at_ms)
        before = steps[number - 1] if number else 0
        assert before < found[one.sign].step <= steps[number]
        assert one.text == found[one.sign].text


def test_of_some_rounds_only_their_chances_and_signs_are_shown(judged):
    record, pictures, analysis, whole = judged
    part = pictures.during(2, 2)
    shown = with_chances(battle_page(game("pirate_wars"), part), record, part, analysis).chances
    assert 0 < len(shown.times_ms) < len(whole.chances.times_ms)
    values = whole.chances.lines[0].values
    assert shown.lines[0].values in [
        values[n : n + len(shown.times_ms)] for n in range(len(values))
    ]
    rounds = {one.sign: one.round for one in remarks(analysis, pictures.names)}
    assert {rounds[one.sign] for one in shown.signs} <= {2}
    assert all(one < other for one, other in pairwise(shown.times_ms))


def test_the_document_fulfils_its_schema_and_is_the_old_one_without_chances(judged):
    *_, recording = judged
    found = document(recording)
    check_recording(found)
    bare = document(replace(recording, chances=None))
    assert found == {**bare, "chances": found["chances"]}
    assert all(0 <= value <= 1 for line in found["chances"]["lines"] for value in line["values"])
    found["chances"]["ms"].pop()
    with pytest.raises(InvalidValueError, match="the numbers of times and values differ"):
        check_recording(found)
