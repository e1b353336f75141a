"""Draw the pictures of docs/view.md, docs/pages.md and the start page, by Chromium: ``python docs/view_pictures.py``.

With names of pages (``python docs/view_pictures.py play odds``) only these are drawn, for docs/pages.md.
"""

import io
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

import brickphys
from benchmarks.app_server import invite, served, table_links
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
    "tournament": ("ships", (110, 130, 830, 580)),
    "throw": ("throw", (110, 130, 830, 580)),
    "odds": ("odds", (352, 290, 832, 590)),
    "scene": ("crash", (110, 130, 830, 580)),
}
"""The pages with a small picture on the start page, and which part of which picture that is."""
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


def cards(browser: Browser, skirmish: Path) -> None:
    """Write the small pictures of the start page, and the large one, without names."""
    page = browser.new_page(viewport={"width": 780, "height": 1000})
    page.goto(skirmish.as_uri())
    page.wait_for_function(DRAWN)
    page.get_by_role("button", name="Names").click()
    page.add_style_tag(content=".begin, .compass { visibility: hidden; }")
    page.wait_for_timeout(3000)
    with Image.open(io.BytesIO(page.locator(".picture").screenshot())) as one:
        one.convert("RGB").save(STATIC / "play.webp", quality=75)
    page.close()
    for address, (name, part) in CARDS.items():
        with Image.open(DOCS / "img" / f"view_{name}.png") as one:
            one.convert("RGB").crop(part).resize(CARD, Image.Resampling.LANCZOS).save(
                STATIC / f"{address}.webp", quality=80
            )


def in_duel(page: Page) -> None:
    """Begin a duel in which an attack has odds at once."""
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(ATTACKED, timeout=120_000)
    page.wait_for_function("!player.clock.isRunning")


SIZES = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "tablet": {"viewport": {"width": 1024, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
"""The sizes at which docs/pages.md shows each page."""
IN_DARK = ("start", "play", "odds")
"""The pages that it shows in the dark, too."""
SHOWN = DOCS / "img" / "pages"
ASKED = "globalThis.player?.choices?.places.length > 0"
DRAWN = "globalThis.player?.picture.renderer.info.render.frame > 0"


def begun(page: Page) -> None:
    """Begin a skirmish, and point at the first place that is lit."""
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(ASKED, timeout=120_000)
    page.wait_for_function("!player.clock.isRunning")


def hidden_hand(page: Page) -> None:
    """Begin a battle of Blade & Bow, and take the first choices until there is a hand of cards."""
    page.locator(".brickphys-about > *").first.wait_for()
    page.wait_for_timeout(1000)  # the picture is drawn, and the browser has time
    page.get_by_role("combobox", name="Game").click()
    page.get_by_role("option", name="Blade & Bow").click()
    page.get_by_role("combobox", name="greeks").wait_for()
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    folds, buttons = page.locator(".live-more .q-item"), page.locator(".live-list button")
    buttons.or_(folds).first.wait_for()
    for _ in range(60):
        if page.locator(".live-hand li").count():
            page.wait_for_timeout(1000)  # what was drawn last is played now
            page.wait_for_function("!player.clock.isRunning")
            return
        if not buttons.count():
            folds.first.click()
        page.evaluate("globalThis.told = document.querySelector('.live-panel').innerText")
        page.evaluate("document.querySelector('.live-list button')?.click()")
        page.wait_for_function("document.querySelector('.live-panel').innerText !== told")
        page.wait_for_function("!document.querySelector('.live-status').innerText.includes('...')")
        page.wait_for_timeout(100)


def held(page: Page) -> None:
    """Begin a tournament of bots and a person, and play its first round."""
    begin = page.get_by_role("button", name="Begin the first round")
    boards = page.get_by_role("heading", name="Boards")
    begin.or_(boards).first.wait_for()
    if begin.is_visible():  # else it goes on, at the next size
        page.get_by_role("textbox", name="Players").fill("Anna\nBen\nbot easy\nbot fair")
        begin.click()
    boards.wait_for()


def judged(page: Page) -> None:
    """Judge a duel."""
    page.wait_for_function(DRAWN, timeout=120_000)
    page.get_by_role("button", name="Analyse luck and choices").click()
    page.locator(".chances-plot").wait_for(timeout=120_000)


def drawn(page: Page) -> None:
    """Wait until something is drawn."""
    page.wait_for_function(DRAWN, timeout=120_000)


def thrown(page: Page) -> None:
    """Throw one brick."""
    page.get_by_role("button", name="Throw one").click()
    drawn(page)


def at_tab(name: str) -> Callable[[Page], None]:
    """Return what chooses a tab."""

    def choose(page: Page) -> None:
        page.get_by_role("tab", name=name).click()

    return choose


def nothing(_: Page) -> None:
    """Do nothing."""


PAGES: dict[str, tuple[str, str, Callable[[Page], None]]] = {
    "start": ("", "", nothing),
    "set_up": ("", "play", nothing),
    "play": ("", "play", begun),
    "hand": ("", "play", hidden_hand),
    "table": ("", "table", drawn),
    "enter": ("", "tournament", nothing),
    "tournament": ("", "tournament", held),
    "lab": ("", "throw", nothing),
    "throw": ("", "throw", thrown),
    "odds": ("", "odds", nothing),
    "units": ("", "odds", at_tab("By units of a game")),
    "rolls": ("", "odds", at_tab("Real rolls")),
    "crash": ("", "scene", drawn),
    "replay": ("duel.jsonl", "file", judged),
    "study": ("study", "file", nothing),
    "sheets": ("army.toml", "file", drawn),
    "law": ("law.json", "file", at_tab("By bricks")),
    "unknown": ("", "nothing", nothing),
    "stranger": ("", "table/x.y", nothing),
}
"""Name -> the file that is opened, the address, and what is done there."""


def shown_files(folder: Path) -> None:
    """Write the files of `PAGES`."""
    play("bow", "duel", "fair,easy", seed=7).save(folder / "duel.jsonl")
    (folder / "army.toml").write_text('[[unit]]\nname = "captain"\nbase = "trooper"\n')
    (folder / "study.toml").write_text(STUDY)
    study(folder / "study.toml", folder / "study", progress=False)
    (folder / "law.json").write_text((STATIC.parents[2] / "laws" / "default.json").read_text())


def shown_pages(names: Collection[str]) -> None:
    """Draw pages at all sizes, and some of them in the dark."""
    SHOWN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        os.environ["XDG_STATE_HOME"] = str(folder / "state")
        shown_files(folder)
        for file in dict.fromkeys(PAGES[one][0] for one in names):
            table = () if file else ("--table", "bow", "skirmish", "--clock", "20+15")
            with served(*([folder / file] if file else table)) as address:
                for one in (one for one in names if PAGES[one][0] == file):
                    draw_page(browser, address, one)


def draw_page(browser: Browser, address: str, name: str) -> None:
    """Draw a page at all sizes."""
    _, path, do = PAGES[name]
    looks = [*SIZES.items()]
    if name in IN_DARK:
        looks.append(("dark", SIZES["desk"] | {"color_scheme": "dark"}))
    for size, options in looks:
        context = browser.new_context(**options)
        if path != "table/x.y":
            invite(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        at = next(iter(table_links[address].values())) if path == "table" else f"{address}/{path}"
        page.goto(at, wait_until="domcontentloaded")
        page.wait_for_function("!document.querySelector('#whole, .brickphys-waiting')")
        do(page)
        page.wait_for_timeout(2500)
        with Image.open(io.BytesIO(page.screenshot())) as picture:
            picture.convert("RGB").save(SHOWN / f"{name}_{size}.webp", quality=60, method=6)
        context.close()


def main() -> None:
    """Draw all pictures."""
    if names := sys.argv[1:]:
        shown_pages(names)
        return
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
        cards(browser, Path(folder) / "skirmish.html")
    together()
    shown_pages([*PAGES])


if __name__ == "__main__":
    main()
