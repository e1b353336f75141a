"""The app in the browser: seconds from the command to the first picture, and how fast the odds desk answers.

Run it with ``python -m benchmarks.view_app``. It needs Playwright and the Chromium of the system.
"""

import re
import time
from itertools import product

from playwright.sync_api import Browser, Page

from benchmarks.app_server import served
from benchmarks.chromium import chromium

WORDS: dict[str, tuple[str, ...]] = {"start page": (), "a scene": ("docs/crash.toml",)}
"""What the command is given, by what it then shows."""
_SEEN = """() => globalThis.player?.stage.renderer.info.render.frame > 0
    || document.body.textContent.includes("Throw lab")"""


def _started(browser: Browser, words: tuple[str, ...]) -> float:
    """Return the seconds from the command to the first picture, in a browser that is there already."""
    page, start = browser.new_page(viewport={"width": 1280, "height": 800}), time.perf_counter()
    with served(*words) as address:
        page.goto(f"{address}/{'file' if words else ''}", wait_until="commit")
        page.wait_for_function(_SEEN, timeout=120_000)
        seconds = time.perf_counter() - start
        page.close()
    return seconds


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
    return sorted(found)


def measure(browser: Browser) -> None:
    """Print how fast the app starts and answers."""
    for name, words in WORDS.items():
        seconds = min(_started(browser, words) for _ in range(3))
        print(f"{name}: first picture {seconds:.1f} s after the command (best of 3)")
    with served() as address:
        page = browser.new_page()
        page.goto(f"{address}/odds")
        page.get_by_text("odds of 3 against 2").wait_for()
        times = _answers(page)
        print(f"odds desk: a change is answered in {times[len(times) // 2]:.0f} ms (median),")
        print(f"{times[int(0.95 * len(times))]:.0f} ms (95th percentile)")
        page.close()


def main() -> None:
    """Measure in one browser."""
    with chromium() as browser:
        measure(browser)


if __name__ == "__main__":
    main()
