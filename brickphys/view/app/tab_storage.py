"""Tab storage: a text that a tab of a browser keeps while it is open; a page that is loaded again goes on with it."""

import json
from contextlib import suppress
from itertools import takewhile

from nicegui import ui

_ANSWER_S = 30.0
"""Time in which a browser answers, however busy the machine is."""
_KEEP = """{{
    const lines = (sessionStorage.getItem({name}) ?? "").split("\\n").slice(0, {start});
    sessionStorage.setItem({name}, lines.concat({lines}).join("\\n"));
}}"""


class TabStorage:
    """The text of a name, in the tab of the page that is being made; no other tab reads it."""

    def __init__(self, name: str) -> None:
        self._client = ui.context.client
        self._name = json.dumps(name)
        self._lines = list[str]()

    def keep(self, text: str) -> None:
        """Keep a text in place of the last one; only the lines from the first one that differs are sent."""
        lines = text.split("\n")
        pairs = zip(lines, self._lines, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._lines = lines
        self._client.run_javascript(
            _KEEP.format(name=self._name, start=start, lines=json.dumps(lines[start:]))
        )

    def forget(self) -> None:
        """Keep nothing."""
        self._lines = []
        self._client.run_javascript(f"sessionStorage.removeItem({self._name})")

    async def kept(self) -> str:
        """Return the text; empty if there is none, or the browser does not answer."""
        found = None
        with suppress(TimeoutError):
            found = await self._client.run_javascript(
                f"return sessionStorage.getItem({self._name})", timeout=_ANSWER_S
            )
        return found if isinstance(found, str) else ""
