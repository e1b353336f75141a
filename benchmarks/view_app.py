"""The app in the browser: the first picture, the answer to a click, ten visitors at once, and memory.

Run it with ``python -m benchmarks.view_app``. It needs Playwright and the Chromium of the system.
"""

import os
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Browser, Page, ViewportSize
from playwright.sync_api import TimeoutError as LateError

from benchmarks.app_server import invite, served
from benchmarks.chromium import chromium
from brickphys.batch.results import study
from brickphys.battles.battle import play
from brickphys.rules.replay import format_replay

_DRAWN = "globalThis.player !== undefined"
_PAINTED = """() => {
    const gl = globalThis.player?.picture.renderer.getContext();
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}"""
"""Waits until the picture is painted, where there is one: the browser may draw in software, behind the page."""
_LOADING = "document.querySelector('#whole')"
_FIRST = f"({_DRAWN} || document.querySelector('#text')?.textContent)"
_SHEETS = """
[[unit]]
name = "captain"
base = "trooper"
[[army]]
name = "reds"
units = { captain = 2, archer = 2 }
"""
_STUDY = """
kind = "collide"
seed = 4
repeats = 6
[grid]
layout = ["pair", "clutter"]
"""
_SIZE: ViewportSize = {"width": 1280, "height": 800}
_THINKS_MS = 1500
"""What a person needs at least between two clicks; a machine that draws in software has drawn all by then."""
_STARTS, _SESSIONS, _CLICKS, _CLICKS_OF_EACH = 3, 10, 100, 10
_READY = "document.querySelector('.live-panel :is(.live-list button, .live-more)')"
_STILL = f"{_READY} && globalThis.player && !player.clock.isRunning"
_CLICK = """async () => {
    const panel = document.querySelector(".live-panel");
    const buttons = () => [...panel.querySelectorAll(".live-list button")];
    for (let tries = 0; tries < 500 && !buttons().length; tries++) {
        if (tries % 50 === 0) panel.querySelector(".live-more .q-item:not([aria-expanded=true])")?.click();
        await new Promise((done) => setTimeout(done, 20));
    }
    if (!buttons().length) return null;
    const before = panel.innerText;
    const start = performance.now();
    return new Promise((done) => {
        const watch = new MutationObserver(() => {
            if (panel.innerText === before || !panel.querySelector(".live-list button, .live-more")) return;
            watch.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
        });
        watch.observe(panel, { subtree: true, childList: true, characterData: true });
        setTimeout(() => { watch.disconnect(); done(null); }, 10000);
        buttons()[Math.floor(buttons().length * Math.random())].click();
    });
}"""
"""Clicks on an action, of a closed list if all are folded; the milliseconds until the panel shows what may follow."""
_MANY = f"""async ([clicks, pause]) => {{
    const found = [];
    for (let n = 0; n < clicks; n++) {{
        await new Promise((done) => setTimeout(done, pause * (0.5 + Math.random())));
        found.push(await ({_CLICK})());
    }}
    globalThis.found = found;
}}"""


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def _told(name: str, times: list[float]) -> None:
    middle, most = np.percentile(times, [50, 95])
    print(f"{name}: {middle:.0f} ms, 95 % of {len(times)} within {most:.0f} ms ({_load()})")


def _kinds(folder: Path) -> Iterator[tuple[str, tuple[Path, ...], str]]:
    """Yield what may be shown: its name, the file that the command is given, and what holds once its page is whole."""
    yield "start page", (), _says("Throw lab")
    yield "scene", (Path("docs/crash.toml"),), _DRAWN
    skirmish = play("bow", "skirmish", "greedy", seed=4)
    replay, sheets, spec = (folder / name for name in ("game.jsonl", "army.toml", "study.toml"))
    replay.write_text(format_replay(skirmish.game, skirmish.record, "the default law"))
    yield "replay of a skirmish", (replay,), _DRAWN
    yield (
        "law",
        (Path(str(files("brickphys.laws") / "default.json")),),
        _says("odds of 3 against 2"),
    )
    sheets.write_text(_SHEETS)
    yield "sheets", (sheets,), _DRAWN
    spec.write_text(_STUDY)
    study(spec, folder / "study", progress=False)
    yield "study", (folder / "study",), _says("12 scenes done")


def _says(text: str) -> str:
    return f"document.body?.textContent.includes('{text}')"


def _started(browser: Browser, words: tuple[Path, ...], whole: str) -> tuple[float, float]:
    """Return the seconds from the command to the first picture and to the whole page, in a browser that is there."""
    page, port = browser.new_page(viewport=_SIZE), _free_port()
    found, start = [], time.perf_counter()
    with served(*words, port=port) as address:
        invite(page.context)
        page.goto(f"{address}/{'file' if words else ''}", wait_until="commit")
        for seen in (f"{_FIRST} || {whole}", f"!{_LOADING} && {whole}"):
            page.wait_for_function(seen, timeout=120_000)
            page.evaluate(_PAINTED)
            found.append(time.perf_counter() - start)
        page.close()
    return found[0], found[1]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def _answers(page: Page) -> list[float]:
    """Return the milliseconds in which the odds desk answers each of 25 changes."""
    found = []
    for attack, defence in product(range(1, 11, 2), range(1, 11, 2)):
        page.get_by_role("spinbutton", name="Defence").fill(str(defence))
        page.get_by_text(re.compile(f" against {defence}: ")).wait_for()
        start = time.perf_counter()
        page.get_by_role("spinbutton", name="Attack", exact=True).fill(str(attack))
        page.get_by_text(f"odds of {attack} against {defence}: ").wait_for()
        found.append(1000 * (time.perf_counter() - start))
    return found


def _skirmish(browser: Browser, address: str, seed: int) -> Page:
    """Begin a skirmish of BOW between two people at one screen, so that no bot takes time."""
    page = browser.new_page(viewport=_SIZE)
    page.set_default_timeout(120_000)
    invite(page.context)
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    page.get_by_role("button", name="Play", exact=True, disabled=False).wait_for()
    seat = page.get_by_role("combobox", name="blue").element_handle()
    _select(page, "Scenario", re.compile("^skirmish"))
    page.wait_for_function(
        "one => !one.isConnected", arg=seat
    )  # the seats are those of the skirmish
    _select(page, "blue", "a person")
    page.get_by_role("spinbutton", name="Seed").fill(str(seed))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(_STILL)
    return page


def _select(page: Page, label: str, option: str | re.Pattern[str]) -> None:
    for _ in range(9):  # a list that opens while the picture is drawn may close again
        page.get_by_role("combobox", name=label).click()
        with suppress(LateError):
            return page.get_by_role("option", name=option).first.click(timeout=2000)
    raise RuntimeError(f"{label}: the list does not stay open")


def _clicks(page: Page) -> list[float]:
    """Return how long each click takes, if all is drawn and stands still before it."""
    found = []
    for _ in range(_CLICKS):
        page.wait_for_timeout(_THINKS_MS)
        page.wait_for_function(_STILL)
        found.append(page.evaluate(_CLICK))
    return [each for each in found if each is not None]


def _memory_mb() -> float:
    """Return the resident memory of the server, which is a child of this process."""
    servers = [one for one in psutil.Process().children() if "view" in one.cmdline()]
    return float(servers[0].memory_info().rss / 1e6)


def _at_once(pages: list[Page]) -> list[float]:
    """Return how long clicks take while all pages are clicked, each every three seconds or so."""
    for page in pages:
        page.evaluate(f"(given) => {{ ({_MANY})(given); }}", [_CLICKS_OF_EACH, 3000])
    found: list[float | None] = []
    for page in pages:
        page.wait_for_function("globalThis.found", timeout=600_000)
        found += page.evaluate("globalThis.found")
    return [each for each in found if each is not None]


def measure(browser: Browser) -> None:
    """Print how fast the app starts and answers, and what visitors cost."""
    with tempfile.TemporaryDirectory() as folder:
        for name, words, whole in _kinds(Path(folder)):
            pictures, wholes = zip(
                *(_started(browser, words, whole) for _ in range(_STARTS)), strict=True
            )
            print(
                f"{name}: first picture {min(pictures):.1f} to {max(pictures):.1f} s after the command, "
                f"whole page {min(wholes):.1f} to {max(wholes):.1f} s ({_STARTS} starts, {_load()})"
            )
    with served() as address:
        page = browser.new_page(viewport=_SIZE)
        invite(page.context)
        page.goto(f"{address}/odds")
        page.get_by_text("odds of 3 against 2").wait_for()
        _told("odds desk, a change", _answers(page))
        page.close()
        first = _skirmish(browser, address, 1)
        _told("skirmish, a click", _clicks(first))
        before = _memory_mb()
        pages = [first, *(_skirmish(browser, address, seed) for seed in range(2, _SESSIONS + 1))]
        after = _memory_mb()
        print(f"memory: {before:.0f} MB with one skirmish, {after:.0f} MB with {_SESSIONS}")
        _told(f"{_SESSIONS} skirmishes at once, a click", _at_once(pages))


def main() -> None:
    """Measure in one browser."""
    with chromium() as browser:
        measure(browser)


if __name__ == "__main__":
    main()
