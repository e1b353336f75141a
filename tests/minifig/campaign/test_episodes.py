"""The battles of a campaign as games of their own: they play like battles, and lead to what the campaign has."""

from dataclasses import replace
from functools import lru_cache

import pytest

from brickphys.minifig.campaign.trials import FOES, PARTY, battles
from brickphys.rules.record import OVER, Ending
from brickphys.rules.registry import builder
from brickphys.view.battle import battle_page
from brickphys.view.document import document
from tests.minifig.campaign.quest import GAME, campaign
from tests.view.recording_check import check_recording


@lru_cache
def fought_campaign():
    """A campaign with battles."""
    for root in range(11, 40):
        record = campaign(root=root)
        if any(state.battle is not None for state in record.states):
            return record
    raise AssertionError("no campaign has a battle")


def test_each_battle_plays_from_its_start_to_its_end():
    record = fought_campaign()
    found = GAME.episodes(record)
    begun = [
        after
        for before, after in zip((None, *record.states), record.states, strict=False)
        if after.battle is not None and (before is None or before.foes != after.foes)
    ]
    assert len(found) >= len(begun) > 0
    game = battles()
    for one in found:
        state = one.record.initial
        for step in one.record.steps:
            assert game.actor(state) == step.actor
            state = game.apply(state, step.move)
            assert state == step.after
        is_over = game.actor(state) == OVER
        assert is_over == (one.record.ending is Ending.OVER)
        if is_over:
            assert one.record.returns == tuple(game.returns(state))
        assert len(one.record.players) == len((PARTY, FOES))
        assert one.title.startswith("Day ")


def test_the_setup_of_a_battle_begins_it():
    one = GAME.episodes(fought_campaign())[0]
    assert battles().begin(one.record.setup) == one.record.initial


def test_a_campaign_that_was_left_within_a_battle_has_its_beginning():
    record = fought_campaign()
    number = next(n for n, state in enumerate(record.states) if state.battle is not None)
    left = replace(record, steps=record.steps[:number], ending=Ending.INTERRUPTED, returns=None)
    (one,) = GAME.episodes(left)
    assert one.record.steps == ()
    assert one.record.ending is Ending.INTERRUPTED


def test_the_battle_that_goes_on_is_the_last_one_of_what_was_played():
    record, goes_on = fought_campaign(), set()
    for number, state in list(enumerate(record.states))[::5]:
        left = replace(record, steps=record.steps[:number], ending=Ending.INTERRUPTED, returns=None)
        found = GAME.current_episode(left)
        assert found == (GAME.episodes(left)[-1] if state.battle is not None else None)
        goes_on.add(found is not None)
    assert goes_on == {True, False}


@pytest.mark.slow
def test_a_battle_of_a_campaign_is_shown():
    one = GAME.episodes(fought_campaign())[0]
    found = battle_page(one.game, one.game.trajectories(one.record))
    check_recording(document(found))
    assert builder(one.game).size(one.record.initial)
    assert len(found.events) > 2


def test_other_games_have_none():
    record = GAME.episodes(fought_campaign())[0].record
    assert battles().episodes(record) == ()
    assert battles().current_episode(record) is None
