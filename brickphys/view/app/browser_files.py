"""Browser files: files that a person opens and saves; they go through the browser, which alone reads its disk."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from nicegui import events, ui

from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_BYTES, decode
from brickphys.view.app.status_line import StatusLine

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")


class OpenedFile(NamedTuple):
    """A file that a person opened in the browser.

    Attributes
    ----------
    name, content
        Its name, without a folder, and its bytes.
    """

    name: str
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

    Parameters
    ----------
    label
        On the button.
    endings
        Of the names that the browser offers: ``.json,.toml``.
    opened
        Is called with the files; what it raises is told.
    line
        Tells what is wrong.
    most
        Bytes of all files together.
    """
    wanted = f"only files of {endings.replace(',', ', ')}, together at most {most / 1e6:g} MB, are opened here"

    async def take(event: events.MultiUploadEventArguments) -> None:
        upload.reset()
        with line.telling():
            if sum(file.size() for file in event.files) > most:
                raise InvalidValueError(wanted)
            doing = opened([OpenedFile(file.name, await file.read()) for file in event.files])
            if doing is not None:
                await doing

    given: dict[str, Any] = {"auto_upload": True, "multiple": True, "max_total_size": most}
    upload = ui.upload(**given, on_multi_upload=take, on_rejected=lambda: line.refuse(wanted))
    upload.classes("hidden").props(f'accept="{endings}"')
    button = ui.button(label).props("outline")
    return button.on("click", js_handler=f"() => getElement({upload.id}).$refs.qRef.pickFiles()")


@contextmanager
def read_as(what: str) -> Iterator[None]:
    """Say first what an opened file is not, if it cannot be read in the block."""
    try:
        yield
    except InvalidValueError as error:
        raise InvalidValueError(f"This is not a saved {what}: {error}") from None


def save_file(stem: str, ending: str, text: str) -> str:
    """Let the browser save a text as a file, and return its name, in which only letters and digits are kept."""
    name = f"{_NOT_IN_NAMES.sub('-', stem).strip('-')}.{ending}"
    ui.download.content(text.encode(), name)
    return name
