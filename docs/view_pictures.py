"""Draw the pictures of docs/view.md and of the start page, by Chromium: ``python docs/view_pictures.py``."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

import brickphys
from benchmarks.app_server import invite, served
from benchmarks.chromium import chromium
from brickphys.batch.results import study
from brickphys.battles.battle import play
from brickphys.calibration.throw import throw
from brickphys.rules.registry import builder, game
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.crash import crash
from brickphys.view.battle import battle_recording
from brickphys.view.collision import crash_recording
from brickphys.view.document import write_page
from brickphys.view.recording import SceneRecording
from brickphys.view.throw import throw_recording

DOCS = Path(__file__).parent
SIZE = {"width": 1280, "height": 780}
TOGETHER = ("lab", "odds", "scene", "play", "skirmish", "study")
"""The pictures that are shown together, one of each page."""
ATTACKED = "globalThis.player?.choices?.places.some((place) => place.is_attack)"
"""Whether a person may attack."""
CARDS = {
    "play": "skirmish",
    "tournament": "ships",
    "throw": "throw",
    "odds": "odds",
    "scene": "crash",
}
"""The pages with a small picture on the start page, and from which picture that is."""
CARD = (480, 300)
STATIC = Path(brickphys.__file__).parent / "view" / "static" / "app"
STUDY = """
kind = "drop"
title = "The height of a throw, on two surfaces"
seed = 5
repeats = 2000
[fixed]
shape = "2x2"
[grid]
surface = ["wood", "glass"]
height_mm = [[50, 100], [100, 200], [200, 300]]
"""


def battle(name: str, setup: str) -> SceneRecording:
    """Return a battle of greedy bots."""
    played = play(name, setup, "greedy", seed=4)
    title = f"{name} {setup}".replace("_", " ")
    return battle_recording(game(name).trajectories(played.record), builder(game(name)), title)


def crashed() -> SceneRecording:
    """Return the crash of docs/crash.toml."""
    scene = resolve(DOCS / "crash.toml").scene
    return crash_recording(scene, crash(scene))


PICTURES: dict[str, tuple[Callable[[], SceneRecording], float]] = {
    "throw": (lambda: throw_recording(throw("2x2", 2000, seed=3)), 1.0),
    "crash": (crashed, 0.45),
    "skirmish": (lambda: battle("bow", "skirmish"), 0.15),
    "ships": (lambda: battle("pirate_wars", "duel"), 0.12),
}
"""Name -> what is shown, and when, as a share of its length."""


def lab(page: Page) -> None:
    """Throw ten thousand on two tables."""
    page.get_by_role("checkbox", name="Beside a second table").click()
    page.get_by_role("button", name="Throw ten thousand").click()
    page.get_by_text("percentage points (").wait_for()


def settled(page: Page) -> None:
    """Throw a hundred on two tables, and wait until they lie still."""
    page.get_by_role("checkbox", name="Beside a second table").click()
    page.get_by_role("button", name="Throw a hundred").click()
    page.wait_for_function("globalThis.player?.recording.title.includes('settle')")
    page.keyboard.press("End")


def desk(page: Page) -> None:
    """Ask for the odds of three bricks against two."""
    page.get_by_text("odds of 3 against 2").wait_for()


APP: dict[str, tuple[str, Callable[[Page], None]]] = {
    "lab": ("throw", lab),
    "settled": ("throw", settled),
    "odds": ("odds", desk),
}
"""Name -> the page of the app, and what is done there."""


def pages(folder: Path) -> Iterator[tuple[str, Path, float]]:
    """Write the pages, and yield the name, the page and the time of each picture."""
    for name, (make, share) in PICTURES.items():
        yield name, write_page(make(), folder / f"{name}.html"), share


def shoot(page: Page, name: str, *, is_whole: bool = False) -> None:
    """Keep what a page shows, or all of it, once everything is drawn."""
    page.wait_for_timeout(3000)
    page.screenshot(path=DOCS / "img" / f"view_{name}.png", full_page=is_whole)
    page.close()


def study_page(page: Page, folder: Path) -> None:
    """Show a study with its table and its plots."""
    (folder / "study.toml").write_text(STUDY)
    study(folder / "study.toml", folder / "study", progress=False)
    with served(folder / "study") as address:
        invite(page.context)
        page.goto(f"{address}/file", wait_until="domcontentloaded")
        page.locator(".brickphys-pictures img").first.wait_for()
        shoot(page, "study")


def together() -> None:
    """Put a small picture of each page into one."""
    width, height = SIZE["width"] // 2, SIZE["height"] // 2
    found = Image.new("RGB", (2 * width, len(TOGETHER) // 2 * height), "white")
    for number, name in enumerate(TOGETHER):
        with Image.open(DOCS / "img" / f"view_{name}.png") as one:
            small = one.convert("RGB").crop((0, 0, SIZE["width"], SIZE["height"]))
            place = (number % 2 * width, number // 2 * height)
            found.paste(small.resize((width, height), Image.Resampling.LANCZOS), place)
    found.save(DOCS / "img" / "view_pages.png", optimize=True)


def cards() -> None:
    """Write the small pictures of the start page."""
    for address, name in CARDS.items():
        with Image.open(DOCS / "img" / f"view_{name}.png") as one:
            width, top = (
                (one.width, 0) if name == "odds" else (one.width * 7 // 10, one.height // 8)
            )
            part = one.convert("RGB").crop((0, top, width, top + width * CARD[1] // CARD[0]))
            part.resize(CARD, Image.Resampling.LANCZOS).save(STATIC / f"{address}.webp", quality=80)


def in_duel(page: Page) -> None:
    """Begin a duel in which an attack has odds at once."""
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(ATTACKED, timeout=120_000)
    page.wait_for_function("!player.clock.isRunning")


def main() -> None:
    """Draw all pictures."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, path, share in pages(Path(folder)):
            page = browser.new_page(viewport=SIZE)
            page.goto(path.as_uri())
            page.wait_for_function("globalThis.player !== undefined")
            page.evaluate("(share) => player.clock.seek(share * player.clock.endMs)", share)
            shoot(page, name)
        with served(DOCS / "crash.toml") as address:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            invite(page.context)
            page.goto(f"{address}/file", wait_until="domcontentloaded")
            page.wait_for_function("globalThis.arrange !== undefined")
            shoot(page, "scene")
            page = browser.new_page(viewport=SIZE)
            invite(page.context)
            page.goto(f"{address}/play", wait_until="domcontentloaded")
            in_duel(page)
            shoot(page, "play")
        with served() as address:
            for name, (path, do) in APP.items():
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                invite(page.context)
                page.goto(f"{address}/{path}")
                do(page)
                shoot(page, name, is_whole=True)
        study_page(browser.new_page(viewport={"width": 1280, "height": 900}), Path(folder))
    together()
    cards()


if __name__ == "__main__":
    main()
