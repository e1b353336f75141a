"""The page of a replay: rounds outside the game are refused, and those within it are shown."""

from functools import partial

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

import brickphys
from brickphys.battles.battle import play
from brickphys.view.app.battles.replay import replay_page
from brickphys.view.app.elements import RefusedNumber
from brickphys.view.battle import PlayedGame
from tests.view.visits import tells, visited


@pytest.fixture(scope="module")
def played():
    battle = play("bow", "duel", bots="random", seed=7)
    return PlayedGame(battle.game, battle.record, brickphys.law())


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [(0, 2, "From round: 0 is outside 1 to"), (2, 1, "To round: 1 is outside 2 to")],
)
def test_a_round_outside_its_limits_is_refused_not_changed(played, first, last, told):
    async def check(visit):
        await visit.until(lambda: visit.has(ui.button, "Apply"))
        fields = visit.one(RefusedNumber, "From round"), visit.one(RefusedNumber, "To round")
        for field, value in zip(fields, (first, last), strict=True):
            field.value = value
        await visit.until(lambda: "loading" not in visit.one(ui.button, "Apply").props)
        visit.click("Apply")
        await tells(visit.user, told)
        assert [field.value for field in fields] == [first, last]

    visited(partial(replay_page, played), check)
