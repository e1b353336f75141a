"""Files that a person opens and saves, which go through the browser; texts that a tab of the browser keeps.

The browser alone reads its disk. A tab keeps a text while it is open, also when its page is loaded again.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from typing import NamedTuple

from nicegui import events, ui

from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_BYTES, decode
from brickphys.view.app.elements import StatusLine

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")


class OpenedFile(NamedTuple):
    """A file that a person opened in the browser."""

    name: str
    """Its name, without a folder."""
    content: bytes

    @property
    def text(self) -> str:
        """Its text; InvalidValueError if it is not UTF-8."""
        return decode(self.content, self.name)


def open_button(
    label: str,
    endings: str,
    opened: Callable[[list[OpenedFile]], Awaitable[None] | None],
    line: StatusLine,
    most: int = MOST_BYTES,
) -> ui.button:
    """Add a button that opens files of the person at the browser, and return it.

    The browser offers files with some endings (``.json,.toml``), of `most` bytes together. `opened` is called with
    them; the line tells what it raises.
    """
    wanted = f"only files of {endings.replace(',', ', ')}, together at most {most / 1e6:g} MB, are opened here"

    async def take(event: events.MultiUploadEventArguments) -> None:
        upload.reset()
        with line.reporting_faults():
            if sum(file.size() for file in event.files) > most:
                raise InvalidValueError(wanted)
            doing = opened([OpenedFile(file.name, await file.read()) for file in event.files])
            if doing is not None:
                await doing

    upload = ui.upload(multiple=True, auto_upload=True, max_total_size=most, on_multi_upload=take)
    upload.on_rejected(lambda: line.refuse(wanted)).classes("hidden").props(f'accept="{endings}"')
    button = ui.button(label).props("outline")
    return button.on("click", js_handler=f"() => getElement({upload.id}).$refs.qRef.pickFiles()")


@contextmanager
def read_as(what: str) -> Iterator[None]:
    """Begin a fault of the block with 'This is not a saved WHAT'."""
    try:
        yield
    except InvalidValueError as error:
        raise InvalidValueError(f"This is not a saved {what}: {error}") from None


def save_file(stem: str, ending: str, text: str) -> str:
    """Let the browser save a text as a file, and return its name, in which only letters and digits are kept."""
    name = f"{_NOT_IN_NAMES.sub('-', stem).strip('-')}.{ending}"
    ui.download.content(text.encode(), name)
    return name


_ANSWER_S = 30.0
"""Time in which a browser answers, however busy the machine is."""
_KEEP = """{{
    const lines = (sessionStorage.getItem({name}) ?? "").split("\\n").slice(0, {start});
    sessionStorage.setItem({name}, lines.concat({lines}).join("\\n"));
}}"""


class TabStorage:
    """A text kept under a name in one browser tab: that of the page that is being made."""

    def __init__(self, name: str) -> None:
        self._client = ui.context.client
        self._quoted_name = json.dumps(name)
        self._lines = list[str]()

    def keep(self, text: str) -> None:
        """Keep a text in place of the last one; only the lines from the first one that differs are sent."""
        lines = text.split("\n")
        pairs = zip(lines, self._lines, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._lines = lines
        self._client.run_javascript(
            _KEEP.format(name=self._quoted_name, start=start, lines=json.dumps(lines[start:]))
        )

    def forget(self) -> None:
        """Keep nothing."""
        self._lines = []
        self._client.run_javascript(f"sessionStorage.removeItem({self._quoted_name})")

    async def kept(self) -> str:
        """Return the text; empty if there is none, or the browser does not answer."""
        found = None
        with suppress(TimeoutError):
            found = await self._client.run_javascript(
                f"return sessionStorage.getItem({self._quoted_name})", timeout=_ANSWER_S
            )
        return found if isinstance(found, str) else ""
