"""Browser tab: a tab that hears what goes wrong in it, and what it asks for can be held back."""

import contextlib
from collections.abc import Callable, Iterator

from benchmarks.app_server import invite

_EVERY_MS, _MOST_LOOKS = 20, 15_000


@contextlib.contextmanager
def tab(browser: object, **options: object) -> Iterator[object]:
    """Open a tab: its ``troubles`` are errors of its programs, ``asked`` the addresses that it has loaded."""
    context = browser.new_context(**options)
    found = context.new_page()
    found.set_default_timeout(300_000)
    found.troubles = []
    found.on("pageerror", lambda error: found.troubles.append(str(error)))
    goto = found.goto

    def goto_as_invited(address: str, **options: object) -> object:
        invite(context)
        return goto(address, **options)

    found.goto = goto_as_invited
    found.asked = []
    found.on("request", lambda request: found.asked.append(request.url))
    yield found
    context.close()


def wait_until(page: object, is_so: Callable[[], bool]) -> None:
    """Wait, while the browser goes on, until something is so."""
    for _ in range(_MOST_LOOKS):
        if is_so():
            return
        page.wait_for_timeout(_EVERY_MS)
    raise AssertionError("it has not come to be so")


def held_back(page: object, pattern: str) -> Callable[[], None]:
    """Hold back what a tab asks for at addresses of a pattern; return what waits for that and lets it through."""
    asked = []
    page.route(pattern, lambda route: asked.append(route))  # Playwright looks at its parameters

    def let_through() -> None:
        wait_until(page, lambda: bool(asked))
        asked.pop().continue_()

    return let_through
