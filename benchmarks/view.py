"""Pages in three dimensions: their sizes, how long they take to write and to show, and pictures a second.

Run it with ``python -m benchmarks.view``. It needs Playwright and the Chromium of the system, which draws in software.
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser

from benchmarks.chromium import chromium
from brickphys.battles.battle import play
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.battles.start import GameStart
from brickphys.calibration.throw import throw
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.prompt import listed, placed
from brickphys.rules.record import CHANCE
from brickphys.rules.registry import builder, game
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.crash import crash
from brickphys.view.battle import LiveBattle, battle_recording
from brickphys.view.collision import crash_recording
from brickphys.view.document import document, write_page
from brickphys.view.recording import SceneRecording
from brickphys.view.settling import beside, settling_recording
from brickphys.view.throw import throw_recording

_SECONDS = 4.0
_CLICKS = 200
_COUNT = """(seconds) => new Promise((done) => {
    const before = player.picture.renderer.info.render.frame;
    player.clock.speed = player.clock.endMs / 1000 / seconds;
    player.clock.seek(0);
    player.clock.play();
    setTimeout(() => done((player.picture.renderer.info.render.frame - before) / seconds), 1000 * seconds);
})"""


def _battle(name: str, setup: str) -> SceneRecording:
    played = play(name, setup, "random", seed=4, max_steps=800)
    return battle_recording(game(name).trajectories(played.record), builder(game(name)), setup)


def _crash() -> SceneRecording:
    scene = resolve(Path("docs/crash.toml")).scene
    return crash_recording(scene, crash(scene))


def _falls() -> SceneRecording:
    """Return 200 bricks that fall and settle, half of them on each of two tables."""
    one, other = (settling_recording(throw("2x2", 100, seed=seed)) for seed in (3, 4))
    return beside(one, other, ("left", "right"))


SCENES: dict[str, Callable[[], SceneRecording]] = {
    "throw 2x2, 120 bricks at rest": lambda: throw_recording(throw("2x2", 200, seed=3)),
    "200 bricks that fall": _falls,
    "crash": _crash,
    "bow skirmish, 20 figures": lambda: _battle("bow", "skirmish"),
    "minifig skirmish, 40 figures": lambda: _battle("minifig", "skirmish"),
    "minifig siege, 27 figures": lambda: _battle("minifig", "siege"),
    "pirate_wars duel": lambda: _battle("pirate_wars", "duel"),
    "blade_and_bow marathon": lambda: _battle("blade_and_bow", "marathon"),
}


def _shown(browser: Browser, path: Path) -> tuple[float, float, dict[str, Any]]:
    """Return the seconds to the first picture, pictures a second, and what the last one was made of."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_function(
        "globalThis.player?.picture.renderer.info.render.frame > 0", timeout=120_000
    )
    first = time.perf_counter() - start
    page.evaluate(_COUNT, _SECONDS)  # the player finds out how fast the machine is
    rate = float(page.evaluate(_COUNT, _SECONDS))
    made: dict[str, Any] = page.evaluate("({ ...player.picture.renderer.info.render })")
    page.close()
    return first, rate, made


def _clicks_ms(setup: str) -> list[float]:
    """Return how long the server takes to answer each click of a game of BOW, with all that is then sent to the page.

    A person plays the first actions of the list against the bot greedy, whose own time is not counted.
    """
    played = game("bow")
    start = GameStart(played.setups[setup], 4)
    table = OngoingGame(played, start, "person,greedy", find_law(DEFAULT), DEFAULT)
    live, found = LiveBattle(played, table.record, 0, setup), list[float]()
    live.whole()
    rng = np.random.default_rng(4)

    def waits() -> Waits:
        return table.waits  # it changes: mypy believes that an attribute does not

    while len(found) < _CLICKS and waits() is not Waits.END:
        while waits() is Waits.PROGRAM:
            table.go_on()
        if waits() is Waits.END:
            break
        choices = placed(table.asked, listed(table.asked)) or listed(table.asked)
        chosen = choices[int(rng.integers(len(choices)))]
        begun = time.perf_counter()
        table.choose(*chosen.actions)
        while waits() is Waits.PROGRAM and table.session.actor == CHANCE:
            table.go_on()
        part = live.extended(table.record)
        assert part is not None
        json.dumps(document(part))
        if waits() is Waits.CHOICE:
            json.dumps([choice.text for choice in placed(table.asked, listed(table.asked))])
        table.replay()
        found.append(1000 * (time.perf_counter() - begun))
    return found


def main() -> None:
    """Print the tables."""
    for setup in ("duel", "skirmish"):
        middle, most = np.percentile(_clicks_ms(setup), [50, 95])
        print(f"a click in a BOW {setup}: {middle:.0f} ms, 95 % within {most:.0f} ms")
    print(
        "| scene | things | page (MB) | written in (s) | first picture (s) | pictures/s | triangles |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, make in SCENES.items():
            recording = make()
            start = time.perf_counter()
            path = write_page(recording, Path(folder) / "page.html", force=True)
            seconds, size = time.perf_counter() - start, path.stat().st_size / 1e6
            first, rate, made = _shown(browser, path)
            print(
                f"| {name} | {len(recording.things)} | {size:.2f} | {seconds:.2f} | {first:.1f} | {rate:.0f} "
                f"| {made['triangles']:,} |"
            )


if __name__ == "__main__":
    main()
