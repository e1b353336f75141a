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
from brickphys.view.app.elements import RefusedNumber
from tests.view.visits import Sent, visited

DUEL = (files("brickphys.bow") / "scenarios" / "duel.toml").read_bytes()


class Begun:
    """The fields, and the games that were begun with them."""

    def __init__(self):
        self.games = []

    async def fill(self):
        async def begin(game, start, players, rolls):
            self.games.append((game, start, players, rolls))

        async def opened(content, name, rolls):
            raise AssertionError(name)

        SetUp(begin, opened, "", load_first())


async def opens(visit, name, content):
    """Open a scenario in the simulated browser."""
    uploads = [one for one in visit.user.client.elements.values() if isinstance(one, ui.upload)]
    upload = next(one for one in uploads if ".toml" in str(one.props))
    with visit.user:
        await upload.handle_uploads([Sent(name, content)])


def texts(visit):
    elements = visit.user.client.elements.values()
    return [str(one.text) for one in elements if isinstance(one, ui.label)]


def tells(visit, text):
    return lambda: any(text in one for one in texts(visit))


def test_rules_that_were_changed_are_those_of_the_game():
    begun = Begun()

    async def check(visit):
        visit.choose("Game", "pirate_wars")
        await visit.until(lambda: visit.has(ui.checkbox, "Simultaneous"))
        box = visit.one(ui.checkbox, "Simultaneous")
        assert box.value is False
        box.value = True
        visit.click("Play")
        await visit.until(lambda: begun.games)
        played, start, players, rolls = begun.games[0]
        assert (played.name, rolls) == ("pirate_wars", Rolls.LAW)
        assert start.setup["options"] == {"simultaneous": True}
        assert players == f"{PERSON},greedy"

    visited(begun.fill, check)


@pytest.mark.slow
def test_a_choice_of_rules_begins_with_that_of_the_scenario_and_is_kept_if_nothing_changes():
    begun = Begun()

    async def check(visit):
        assert visit.one(ui.select, "Sectors").value == "quadrant"
        visit.choose("Sectors", "corner")
        visit.choose("Game", "minifig")
        await visit.until(lambda: not visit.has(ui.select, "Sectors"))
        visit.choose("Game", "bow")
        await visit.until(lambda: visit.has(ui.select, "Sectors"))
        assert visit.one(ui.select, "Sectors").value == "quadrant"
        visit.click("Play")
        await visit.until(lambda: begun.games)
        assert "options" not in begun.games[0][1].setup

    visited(begun.fill, check)


def test_a_scenario_of_ones_own_is_chosen_and_begun():
    begun = Begun()

    async def check(visit):
        own = DUEL.replace(b'"blue"', b'"green"')
        await opens(visit, "mine.toml", own)
        await visit.until(lambda: visit.one(ui.select, "Scenario").value == "mine.toml")
        assert visit.one(ui.select, "green").value == "greedy"
        visit.click("Play")
        await visit.until(lambda: begun.games)
        assert [one["name"] for one in begun.games[0][1].setup["players"]] == ["red", "green"]

    visited(begun.fill, check)


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
def test_a_file_that_is_no_scenario_is_refused(name, content, told):
    begun = Begun()

    async def check(visit):
        before = visit.one(ui.select, "Scenario").options
        await opens(visit, name, content)
        await visit.until(tells(visit, told))
        assert visit.one(ui.select, "Scenario").options == before

    visited(begun.fill, check)


def test_a_scenario_is_read_beside_the_loop_and_nothing_begins_meanwhile(monkeypatch):
    begun, read = Begun(), []

    async def check(visit):
        play = visit.one(ui.button, "Play")

        def reading(*given):
            scenarios = visit.one(ui.select, "Scenario")
            read.append((current_thread() is main_thread(), play.enabled, scenarios.enabled))
            return own_setup(*given)

        monkeypatch.setattr(setup, "own_setup", reading)
        await opens(visit, "mine.toml", DUEL)
        await visit.until(lambda: visit.one(ui.select, "Scenario").value == "mine.toml")
        await visit.until(lambda: play.enabled)
        assert read == [(False, False, False)]

    visited(begun.fill, check)


@pytest.mark.parametrize("seed", [-5, 2.5, 1e20])
def test_a_seed_outside_its_limits_is_refused_not_changed(seed):
    begun = Begun()

    async def check(visit):
        visit.one(RefusedNumber, "Seed (empty: any)").value = seed
        visit.click("Play")
        await visit.until(tells(visit, "to 9,007,199,254,740,991"))
        assert visit.one(RefusedNumber, "Seed (empty: any)").value == seed
        assert not begun.games

    visited(begun.fill, check)


@pytest.fixture
def used_after(monkeypatch):
    """Return the warnings of elements that are used after they were deleted."""
    found = []
    monkeypatch.setattr("nicegui.element.helpers.warn_once", lambda text, **_: found.append(text))
    return found


def test_fields_that_a_game_has_replaced_are_left_alone(used_after):
    places, begun = [], []

    async def fill():
        async def begin(*game):
            places[0].clear()
            begun.append(game)

        async def opened(file, rolls):
            raise AssertionError(file)

        places.append(ui.element())
        with places[0]:
            SetUp(begin, opened, "", load_first())

    async def check(visit):
        play = visit.one(ui.button, "Play")
        visit.tell(play, "click")
        await visit.until(lambda: begun)
        await visit.until(lambda: play.is_deleted)

    visited(fill, check)
    assert used_after == []


def test_a_scenario_that_was_read_for_fields_that_are_gone_changes_nothing(used_after, monkeypatch):
    places = []

    async def fill():
        async def never(*given):
            raise AssertionError(given)

        places.append(ui.element())
        with places[0]:
            SetUp(never, never, "", load_first())

    async def check(visit):
        def reading(*given):
            found = own_setup(*given)
            places[0].clear()
            return found

        monkeypatch.setattr(setup, "own_setup", reading)
        await opens(visit, "mine.toml", DUEL)

    visited(fill, check)
    assert used_after == []


@pytest.mark.parametrize(
    ("last", "first"), [("minifig", "minifig"), ("", "bow"), ("no.game", "bow")]
)
def test_the_game_that_was_played_last_is_offered_first_if_it_is_known(last, first):
    assert load_first(last) == first


def test_it_is_told_what_a_scenario_is_about_and_how_it_is_won():
    async def check(visit):
        await visit.until(tells(visit, "one sword on the grass"))
        assert tells(visit, "The last side with units wins.")()
        visit.choose("Game", "campaign")
        await visit.until(lambda: not tells(visit, "The last side with units wins.")())

    visited(Begun().fill, check)
