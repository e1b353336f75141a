"""The page of a replay judges it: luck and choices as a table, and the chance to win below the picture."""

import json
from dataclasses import replace
from functools import partial

import pytest
from nicegui import ui

from brickphys.battles.battle import play
from brickphys.odds.law_file import default_law
from brickphys.rules.plans import LEVELS
from brickphys.rules.record import Ending
from brickphys.rules.registry import game
from brickphys.rules.report.analysis import Analyst, remarks, rows
from brickphys.view.app import player
from brickphys.view.app.battles.replay import replay_page
from brickphys.view.battle import PlayedGame
from tests.view.visits import visited


@pytest.fixture(autouse=True)
def no_other_scenes(monkeypatch):
    """Pages of tests before may have left theirs."""
    monkeypatch.setattr(player, "_scenes", {})


@pytest.fixture(scope="module")
def played():
    return PlayedGame(
        game("pirate_wars"),
        play("pirate_wars", "duel", "random", seed=1).record,
        default_law(),
    )


def shown():
    """The document of the player of the page."""
    (text,) = player._scenes.values()
    return json.loads(text)


def test_a_replay_is_judged_on_its_page(played):
    async def check(visit):
        await visit.until(lambda: len(player._scenes) == 1)
        assert "chances" not in shown()
        visit.choose("Bot that judges", "easy")
        visit.click("Analyse luck and choices")
        await visit.until(lambda: "chances" in shown())
        analysis = Analyst(played.game, played.law, LEVELS["easy"]).analysis(played.record)
        (table,) = visit.html()
        for name, *numbers in rows(analysis, ["crown", "pirates"]):
            assert f'<th scope="col">{name}</th>' in table
            assert all(f"<td>{number}</td>" in table for number in numbers)
        found = [*remarks(analysis, ["crown", "pirates"])]
        assert found
        assert all(visit.sees(one.text) for one in found)
        chances = shown()["chances"]
        assert [one["name"] for one in chances["lines"]] == ["crown", "pirates"]
        assert [one["values"][-1] for one in chances["lines"]] == [1.0, 0.0]
        assert [one["sign"] for one in chances["signs"]] == [one.sign for one in found]
        visit.choose("What is shown", 0)
        visit.click("Apply")
        await visit.until(lambda: "chances" not in shown())
        (button, *_) = visit.elements(ui.element, None, "click")[-len(found) :]
        visit.tell(button, "click")
        await visit.until("This moment is not shown")

    visited(partial(replay_page, played), check)


def test_a_game_with_secrets_that_goes_on_is_not_judged():
    found = game("blade_and_bow")
    record = play("blade_and_bow", "marathon", "random", seed=1).record
    cut = replace(record, steps=record.steps[:20], ending=Ending.INTERRUPTED, returns=None)

    async def check(visit):
        await visit.until("Analyse luck and choices")
        visit.click("Analyse luck and choices")
        await visit.until("the analysis would tell what is hidden in it")
        assert visit.one(ui.button, "Analyse luck and choices")

    visited(partial(replay_page, PlayedGame(found, cut, default_law())), check)
