"""A tournament in the app: bots play it to its end; it goes on after a restart, and results are saved."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.battles.tournament import System, Tournament
from brickphys.errors import InvalidValueError
from brickphys.view.app import tables
from brickphys.view.app.battles import tournament_page
from brickphys.view.app.battles.tournament_page import Hall, kept_hall
from tests.view import visits


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "_open", {})
    monkeypatch.setattr("brickphys.view.app.battles.shared._shared", {})
    return tmp_path / "brickphys" / "tournament"


NAMES = "Players"


@visits.on_page(tournament_page.tournament_page)
async def test_bots_play_a_tournament_to_its_end(visit):
    await visit.until("Begin the first round")
    visit.one(ui.textarea, NAMES).value = "bot easy\nbot greedy\nbot random\n"
    visit.choose("Game", "bow")
    visit.choose("Scenario", "duel")
    visit.enter("Rounds", 2, ui.number) if visit.elements(ui.number, "Rounds") else None
    visit.click("Begin the first round")
    for number in (1, 2):
        await visit.until(f"round {number} of 2")
        await visit.until(lambda: kept_hall() and kept_hall().tournament.is_round_over)
        if number == 1:
            await visit.until(lambda: visit.one(ui.button, "Next round").enabled)
            visit.click("Next round")
    found = kept_hall().tournament
    assert found.is_over
    assert sum(one.points for one in found.standings()) == 4  # two games, and two rests
    assert any("bot greedy" in html for html in visit.html())
    await visit.until("Watch it again")
    assert visit.sees("Boards of round 1")
    visit.click("Save results")
    visit.click("End the tournament")
    await visit.until("Sure?")
    visit.click("Do it")
    await visit.until("Begin the first round")
    assert kept_hall() is None


def test_a_tournament_goes_on_after_a_restart():
    hall = Hall(Tournament(["a", "b", "c"], System.SWISS, 2), "bow", "duel", "20")
    hall.lay_round()
    hall.keep()
    again = kept_hall()
    assert again == hall
    (links,) = filter(None, again.links[0])
    assert len(links) == 3
    table = tables.find_table(tournament_page._watch_key(links))
    assert sorted(table.called) == sorted(
        hall.tournament.names[n] for n in hall.tournament.played[0][0].players
    )
    assert not again.note_results()
    table.resign(1)
    assert again.note_results()
    assert again.tournament.played[0][0].points == (1, 0)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"tournament": {}}', "\xff"])
def test_a_damaged_file_is_no_tournament(folder, content):
    folder.mkdir(parents=True)
    (folder / "tournament.json").write_text(content, encoding="latin-1")
    with pytest.raises(InvalidValueError) as caught:
        kept_hall()
    assert "\n" not in str(caught.value)
