"""Odds beside what was rolled: those of the game for who may know everything, and none of what is hidden."""

from dataclasses import replace

import pytest

from brickphys.battles.battle import play
from brickphys.odds.law_file import default_law
from brickphys.rules.action_odds import action_odds, with_odds
from brickphys.rules.record import Ending
from brickphys.rules.registry import game
from brickphys.text import percent

LAW = default_law()


@pytest.fixture(scope="module")
def record():
    return play("bow", "duel", "random", seed=3).record


def told(record, viewer=None):
    played = game("bow")
    pictures = played.trajectories(record, viewer)
    texts = [frame.text for frame in with_odds(played, record, pictures, LAW, viewer).frames]
    return [text for text, frame in zip(texts, pictures.frames, strict=True) if text != frame.text]


def test_an_attack_is_told_with_the_odds_of_the_game(record):
    played = game("bow")
    states = dict(enumerate(record.states))
    expected = [
        f"odds: {', '.join(f'{name} {percent(float(p))}' for name, p in one.strikes.items())}"
        for number, step in enumerate(record.steps)
        if step.actor >= 0
        for one in action_odds(played, [states[number]], [step.move], LAW, with_parts=False)
        if one.strikes
    ]
    assert expected
    text = " ".join(told(record))
    assert all(one in text for one in expected)


def test_nobody_is_told_odds_of_what_is_hidden(record, monkeypatch):
    assert told(record, 0) == told(record)  # nothing is hidden in it
    monkeypatch.setattr(type(game("bow")), "hidden", lambda *_: True)
    assert told(record) != []
    assert told(record, 0) == []
    assert told(replace(record, ending=Ending.INTERRUPTED)) == []
