"""The start of a battle on its page: seats and rules of a scenario, and scenarios of one's own, which are checked."""

from importlib.resources import files
from threading import current_thread, main_thread

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.battles.ongoing_game import Rolls
from brickphys.battles.players import PERSON
from brickphys.battles.start import own_setup
from brickphys.view.app.battles import setup
from brickphys.view.app.battles.setup import SetUp, load_first
from brickphys.view.app.elements import UncorrectedNumber
from tests.view.visits import as_test, on_page, visited

DUEL = (files("brickphys.bow") / "scenarios" / "duel.toml").read_bytes()


class Begun:
    """The fields in a place of their own, and the games that were begun with them."""

    def __init__(self):
        self.games = []

    async def begin(self, *game):
        self.place.clear()
        self.games.append(game)

    async def opened(self, file, rolls):
        raise AssertionError(file)

    async def fill(self):
        self.place = ui.element()
        with self.place:
            SetUp(self.begin, self.begin, self.opened, "", load_first())


def on_fields(test):
    """Let a visitor of the fields do a test; `begun` are the games that were begun with them."""

    def run(script):
        begun = Begun()

        async def done(visit):
            visit.begun = begun
            await script(visit)

        visited(begun.fill, done)

    return as_test(run)(test)


@on_fields
async def test_rules_that_were_changed_are_those_of_the_game(visit):
    begun = visit.begun
    visit.choose("Game", "pirate_wars")
    await visit.until(lambda: visit.elements(ui.checkbox, "Simultaneous"))
    box = visit.one(ui.checkbox, "Simultaneous")
    assert box.value is False
    box.value = True
    visit.click("Play")
    await visit.until(lambda: begun.games)
    played, start, players, rolls = begun.games[0]
    assert (played.name, rolls) == ("pirate_wars", Rolls.LAW)
    assert start.setup["options"] == {"simultaneous": True}
    assert players == f"{PERSON},greedy"


@pytest.mark.slow
@on_fields
async def test_a_choice_of_rules_begins_with_that_of_the_scenario_and_is_kept_if_nothing_changes(
    visit,
):
    begun = visit.begun
    assert visit.one(ui.select, "Sectors").value == "quadrant"
    visit.choose("Sectors", "corner")
    visit.choose("Game", "minifig")
    await visit.until(lambda: not visit.elements(ui.select, "Sectors"))
    visit.choose("Game", "bow")
    await visit.until(lambda: visit.elements(ui.select, "Sectors"))
    assert visit.one(ui.select, "Sectors").value == "quadrant"
    visit.click("Play")
    await visit.until(lambda: begun.games)
    assert "options" not in begun.games[0][1].setup


@on_fields
async def test_a_scenario_of_ones_own_is_chosen_and_begun(visit):
    begun = visit.begun
    own = DUEL.replace(b'"blue"', b'"green"')
    await visit.open_file(".toml", "mine.toml", own)
    await visit.until(lambda: visit.one(ui.select, "Scenario").value == "mine.toml")
    assert visit.one(ui.select, "green").value == "greedy"
    visit.click("Play")
    await visit.until(lambda: begun.games)
    assert [one["name"] for one in begun.games[0][1].setup["players"]] == ["red", "green"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("mine.toml", b"title = ", "mine.toml: not TOML"),
        ("mine.toml", b"\xff\xfe", "mine.toml: "),
        ("duel", DUEL, "duel: rename the file"),
        ("../../etc/passwd", b"root:x:0:0", "../../etc/passwd: not TOML"),
        ("mine.toml", DUEL.replace(b"blue", b"red"), "mine.toml: "),
    ],
)
@on_fields
async def test_a_file_that_is_no_scenario_is_refused(visit, name, content, told):
    before = visit.one(ui.select, "Scenario").options
    await visit.open_file(".toml", name, content)
    await visit.until(told)
    assert visit.one(ui.select, "Scenario").options == before


@on_fields
async def test_a_scenario_is_read_beside_the_loop_and_nothing_begins_meanwhile(visit, monkeypatch):
    read = []

    play = visit.one(ui.button, "Play")

    def reading(*given):
        scenarios = visit.one(ui.select, "Scenario")
        read.append((current_thread() is main_thread(), play.enabled, scenarios.enabled))
        return own_setup(*given)

    monkeypatch.setattr(setup, "own_setup", reading)
    await visit.open_file(".toml", "mine.toml", DUEL)
    await visit.until(lambda: visit.one(ui.select, "Scenario").value == "mine.toml")
    await visit.until(lambda: play.enabled)
    assert read == [(False, False, False)]


@pytest.mark.parametrize("seed", [-5, 2.5, 1e20])
@on_fields
async def test_a_seed_outside_its_limits_is_refused_not_changed(visit, seed):
    begun = visit.begun
    visit.one(UncorrectedNumber, "Seed (empty: any)").value = seed
    visit.click("Play")
    await visit.until("to 9,007,199,254,740,991")
    assert visit.one(UncorrectedNumber, "Seed (empty: any)").value == seed
    assert not begun.games


@pytest.fixture
def used_after(monkeypatch):
    """Return the warnings of elements that are used after they were deleted."""
    found = []
    monkeypatch.setattr("nicegui.element.helpers.warn_once", lambda text, **_: found.append(text))
    return found


def test_fields_that_a_game_has_replaced_are_left_alone(used_after):
    begun = Begun()

    async def check(visit):
        play = visit.one(ui.button, "Play")
        visit.click("Play")
        await visit.until(lambda: begun.games and play.is_deleted)

    visited(begun.fill, check)
    assert used_after == []


def test_a_scenario_that_was_read_for_fields_that_are_gone_changes_nothing(used_after, monkeypatch):
    begun = Begun()

    async def check(visit):
        def reading(*given):
            found = own_setup(*given)
            begun.place.clear()
            return found

        monkeypatch.setattr(setup, "own_setup", reading)
        await visit.open_file(".toml", "mine.toml", DUEL)

    visited(begun.fill, check)
    assert used_after == []


@pytest.mark.parametrize(
    ("last", "first"), [("minifig", "minifig"), ("", "bow"), ("no.game", "bow")]
)
def test_the_game_that_was_played_last_is_offered_first_if_it_is_known(last, first):
    assert load_first(last) == first


@on_page(Begun().fill)
async def test_it_is_told_what_a_scenario_is_about_and_how_it_is_won(visit):
    await visit.until("one sword on the grass")
    assert visit.sees("The last side with units wins.")
    visit.choose("Game", "campaign")
    await visit.until(lambda: not visit.sees("The last side with units wins."))
