"""Browser tab: a tab that hears what goes wrong in it."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def tab(browser: object, **options: object) -> Iterator[object]:
    """Open a tab: its ``troubles`` are errors of its programs, ``asked`` the addresses that it has loaded."""
    context = browser.new_context(**options)
    found = context.new_page()
    found.set_default_timeout(120_000)
    found.troubles = []
    found.on("pageerror", lambda error: found.troubles.append(str(error)))
    found.asked = []
    found.on("request", lambda request: found.asked.append(request.url))
    yield found
    context.close()
