"""Browser tab: a tab that hears what goes wrong in it, and what it asks for can be held back."""

import contextlib
from collections.abc import Callable, Iterator

from benchmarks.app_server import invite


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


def held_back(page: object, pattern: str) -> Callable[[], None]:
    """Hold back what a tab asks for at addresses of a pattern; return what waits for that and lets it through."""
    asked = []
    page.route(pattern, lambda route: asked.append(route))  # Playwright looks at its parameters

    def let_through() -> None:
        while not asked:
            page.wait_for_timeout(20)
        asked.pop().continue_()

    return let_through
