"""A step belongs to the round in which it happened, also if it ends the round: in stories, frames and tracks."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import Ending, Record
from brickphys.rules.registry import game
from brickphys.rules.sources import LawSource

LAW = BinomialLaw(Fraction(3, 10))
BATTLES = [
    ("bow", "duel", 1),
    ("bow", "chase", 2),
    ("minifig", "duel", 1),
    ("pirate_wars", "duel", 1),
    ("blade_and_bow", "marathon", 1),
]
MOST_STEPS = {"bow": 120, "minifig": 60, "pirate_wars": 120, "blade_and_bow": 300}


def begun_games(name: str, scenario: str, root: int) -> Iterator[tuple[int, Record]]:
    """Yield the part of a game of random bots up to each step that ends a round, with the number of the round."""
    played = game(name)
    source, bots = LawSource(LAW, root), [RandomBot()] * 2
    record = play(
        played, played.setups[scenario], bots, source, root=root, max_steps=MOST_STEPS[name]
    )
    before = record.initial
    for count, step in enumerate(record.steps, 1):
        number = played.rounds(before) or 0
        if played.rounds(step.after) != number:
            part = replace(
                record, steps=record.steps[:count], ending=Ending.INTERRUPTED, returns=None
            )
            yield number, part
        before = step.after


@pytest.mark.parametrize(("name", "scenario", "root"), BATTLES)
def test_nothing_is_filed_in_a_round_of_which_no_step_was_played(name, scenario, root):
    played = game(name)
    *_, (number, part) = begun_games(name, scenario, root)
    shown = played.trajectories(part)
    assert max(frame.round for frame in shown.frames) <= number
    for track in shown.tracks:
        assert max([track.end_round, *(when for when, _ in track.places)]) <= number
    assert f"{played.round_word} {number + 1}" not in list(played.story(part))
