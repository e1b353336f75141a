"""Tables in real browsers: two machines play each game to its end, while a third watches; lost and stopped servers."""

import json
import os
import random
import socket
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")

from benchmarks.app_server import served, table_links
from brickphys.battles.table import Table
from brickphys.blade_and_bow.pieces import HIDDEN
from brickphys.text import sentence, spoken
from tests.view.browser_tab import tab, wait_until

pytestmark = pytest.mark.slow
BY_HAND = 30
OVER = "/after \\d+ action/.test(document.querySelector('.live-status')?.innerText)"
TURN = """() => {
    const told = document.querySelector('.live-status')?.innerText;
    return told && !["thinking", "loaded", "thrown"].some((word) => told.includes(word));
}"""
CHOICES, LINE = ".live-list button", "Or type: an action, a place, a name"
PLACES = "() => globalThis.player?.choices?.places.map(({ text }) => text) ?? []"
NOTED, TOLD = (
    "() => { globalThis.told = document.querySelector('.live-panel').innerText; }",
    "document.querySelector('.live-panel').innerText !== told",
)
"""Note what the panel tells; whether it tells something else since."""


class Machine:
    """A browser of its own, without the token of the server, at a link; it keeps all that it receives."""

    def __init__(self, browser, link):
        self._context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.page = self._context.new_page()
        self.page.set_default_timeout(300_000)
        self._frames, self._answers, self.troubles = [], [], []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on(
            "websocket",
            lambda one: one.on("framereceived", lambda it: self._frames.append(str(it))),
        )
        self.page.on("response", lambda one: self._answers.append(one))
        self.page.goto(link)
        self.page.wait_for_function(TURN)

    @property
    def received(self):
        """All that the server has sent, but for its files."""
        pages = [
            one.text() for one in self._answers if "/scenes/" in one.url or "/table/" in one.url
        ]
        assert len(pages) > 1
        assert len(self._frames) > 10
        return " ".join([*self._frames, *pages])

    @property
    def status(self):
        return self.page.locator(".live-status").inner_text()

    def click(self, chance):
        """Do one of the choices, those in the picture by typing; return whether there were any."""
        buttons, texts = self.page.locator(CHOICES), self.page.evaluate(PLACES)
        count, line = buttons.count(), self.page.get_by_label(LINE)
        if not count + len(texts) or not line.is_visible():
            return False
        self.page.evaluate(NOTED)
        number = chance.randrange(count + len(texts))
        if number < count:
            if not buttons.evaluate_all(
                "(all, number) => (all[number]?.click(), number in all)", number
            ):
                return False  # the list is another one by now
        else:
            line.fill(texts[number - count])
            line.press("Enter")
        self.page.wait_for_function(TOLD)
        self.page.wait_for_function(TURN)
        return True


@contextmanager
def table(browser, name, setup, *words):
    """Let two machines and one that watches sit down at a table."""
    with served("--table", name, setup, *words) as address, ExitStack() as stack:
        found = [Machine(browser, link) for link in table_links[address].values()]
        for one in found:
            stack.callback(one._context.close)
        yield found
        assert [one.troubles for one in found] == [[] for _ in found]


def test_the_links_of_seats_are_folded_on_the_start_page(browser):
    with served("--table", "bow", "duel") as address, tab(browser) as page:
        page.goto(address)
        page.locator("#tables summary").wait_for()
        link = page.get_by_role("link", name="to watch")
        assert not link.is_visible()
        page.locator("#tables summary").click()
        link.wait_for()
        assert page.troubles == []


def kept():
    """Return the last table on this disk."""
    folder = Path(os.environ["XDG_STATE_HOME"]) / "brickphys" / "tables"
    path = max(folder.iterdir(), key=lambda one: one.stat().st_mtime)
    return Table.from_document(json.loads(json.loads(path.read_bytes())[1]))


def play(machines, chance, most, until=lambda: False):
    """Let whoever is asked click on anything, so many times at most; return whether the game is over."""
    for _ in range(most):
        if machines[0].page.evaluate(OVER):
            return True
        if until():
            break
        click(machines, chance)
    return False


def click(machines, chance):
    """Let whoever is asked click on any choice, once it is there; return that machine, None if the game is over."""
    acts = []

    def is_done():
        if not machines[0].page.evaluate(OVER):
            acts.extend(islice((one for one in machines[:2] if one.click(chance)), 1))
        return acts or machines[0].page.evaluate(OVER)

    wait_until(machines[0].page, is_done)
    return acts[0] if acts else None


@pytest.mark.parametrize(
    ("name", "setup"),
    [("bow", "duel"), ("pirate_wars", "duel"), ("minifig", "duel"), ("blade_and_bow", "mycale")],
)
def test_two_machines_play_a_game_to_its_end_and_a_third_watches(browser, name, setup):
    with table(browser, name, setup) as machines:
        chance, has_secrets = random.Random(1), name == "blade_and_bow"
        if has_secrets:  # which choices are there when depends on how busy the machine is
            play(machines, chance, 10 * BY_HAND, lambda: hidden_from(1))
            assert any(one in machines[0].received for one in hidden_from(1))
            check_secrets(machines)
        is_over = play(machines, chance, BY_HAND)
        if has_secrets:
            check_secrets(machines)
        if not is_over:
            for one in machines[:2]:
                # The button is hidden once the game is over, which it may be by now.
                one.page.get_by_text("Let a bot play").dispatch_event("click")
        for one in machines:
            one.page.wait_for_function(OVER, timeout=600_000)
        assert len({one.status.partition(": ")[2] or one.status for one in machines}) == 1
        assert machines[2].page.locator(CHOICES).count() == 0
        assert machines[2].page.evaluate("document.querySelector('.live-panel').scrollTop") == 0


def hidden_from(player):
    """Return the labels of units whose ranks a player must not know."""
    ongoing = kept().ongoing
    state = ongoing.state
    seen = ongoing.game.observe(state, player).units
    return {
        f"{spoken(spec.name)} +{unit.ranks}"
        for spec, unit, other in zip(state.setting.units, state.units, seen, strict=True)
        if other.ranks == HIDDEN and unit.ranks
    }


def check_secrets(machines):
    """Check that hidden ranks came to their owner alone."""
    for player in (0, 1):
        for one in hidden_from(player):
            assert one not in machines[player].received
            assert one not in machines[2].received


def test_a_guest_comes_to_the_table_and_nowhere_else(browser):
    with table(browser, "bow", "duel") as machines:
        address = machines[0].page.url.partition("/table")[0]
        for path in ("/", "/play", "/throw", "/table/x.y", "/file"):
            assert machines[0].page.request.get(address + path).status == 403


def test_a_table_goes_on_when_the_server_is_back(browser):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    with ExitStack() as stack:
        with served("--port", port, "--table", "bow", "duel") as address:
            links = [*table_links[address].values()]
            machines = [Machine(browser, link) for link in links]
            for one in machines:
                stack.callback(one._context.close)
            steps = len(kept().ongoing.session.steps)
            acts = click(machines, random.Random(1))
            wait_until(acts.page, lambda: len(kept().ongoing.session.steps) > steps)
            for one in machines:
                one.page.evaluate("() => { globalThis.isOld = true; }")
        acts.page.get_by_text("Connection lost").wait_for()
        ongoing = kept().ongoing
        who, asked = spoken(ongoing.who), ongoing.game.prompt(ongoing.asked.state)
        with served("--port", port):
            for one in machines:
                one.page.wait_for_function("globalThis.isOld === undefined")
                told = asked if one is machines[ongoing.session.actor] else "choosing ..."
                one.page.get_by_text(sentence(f"{who}: {told}"), exact=True).wait_for()
