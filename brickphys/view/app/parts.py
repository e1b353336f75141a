"""Parts: what pages are made of: headings, lines for results and faults, numbers with sliders, opened files."""

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from nicegui import ui
from nicegui.events import GenericEventArguments

from brickphys.errors import BrickphysError, InvalidValueError
from brickphys.reading import MOST_BYTES, decode

_OPEN = """async () => {
    const input = document.createElement("input");
    Object.assign(input, {type: "file", multiple: true, accept: %(accept)r});
    input.onchange = async () => {
        const files = [...input.files];
        const size = files.reduce((sum, file) => sum + file.size, 0);
        if (size > %(most)d) return emit({size});
        const read = (file) => new Promise((done) => {
            const reader = new FileReader();
            reader.onload = () => done({name: file.name, data: reader.result.split(",")[1] ?? ""});
            reader.readAsDataURL(file);
        });
        emit({files: await Promise.all(files.map(read))});
    };
    input.click();
}"""
"""The browser reads the files; what it sends is a message of the page, which the server limits to 1 MB."""


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


class StatusLine:
    """A line that tells what came of something, or what is wrong; screen readers hear it."""

    def __init__(self) -> None:
        self._label = ui.label().props("role=status").classes("brickphys-line")

    @property
    def text(self) -> str:
        """What it tells."""
        return str(self._label.text)

    def tell(self, text: str) -> None:
        """Tell a result."""
        self._label.text = text
        self._label.classes(remove="text-negative")

    def refuse(self, text: str) -> None:
        """Tell a fault."""
        self._label.text = text
        self._label.classes(add="text-negative")

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what is wrong in the block; clear the line if it was a fault that is mended."""
        try:
            yield
        except BrickphysError as error:
            self.refuse(str(error))
        else:
            if "text-negative" in self._label.classes:
                self.tell("")


def heading(text: str) -> None:
    """Add a heading."""
    with ui.element("h2").classes("text-h6"):
        ui.label(text)


def slid_number(
    label: str, value: int, least: int, most: int, changed: Callable[[], object]
) -> ui.number:
    """Return a whole number that may be typed or slid."""
    with ui.column().classes("brickphys-slid"):
        number = ui.number(label, value=value, min=least, max=most, precision=0, step=1)
        number.on_value_change(lambda _: changed())
        slider = ui.slider(min=least, max=most, value=value).bind_value(number)
        slider.props(f'aria-label="{label}"')
    return number


def whole(number: ui.number, least: int, most: int) -> int:
    """Return what was typed as a whole number.

    Raises
    ------
    InvalidValueError
        If it is none, or outside its range.
    """
    label, value = str(number.props.get("label", "")), number.value
    if not isinstance(value, (int, float)) or value != int(value):
        raise InvalidValueError(f"{label}: give a whole number from {least} to {most:,}")
    if not least <= value <= most:
        raise InvalidValueError(f"{label}: {value:,.0f} is outside {least} to {most:,}")
    return int(value)


def open_button(
    label: str,
    endings: str,
    opened: Callable[[list[OpenedFile]], object],
    line: StatusLine,
    most: int = MOST_BYTES,
) -> None:
    """Add a button that opens files of who sits at the browser.

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

    def handle(event: GenericEventArguments) -> None:
        with line.telling():
            opened(_files(event.args, most))

    script = _OPEN % {"accept": endings, "most": most}
    ui.button(label).props("outline").on("click", handle, js_handler=script)


def _files(message: Any, most: int) -> list[OpenedFile]:
    """Return the files in a message of the browser."""
    files = message.get("files") if isinstance(message, dict) else None
    if not isinstance(files, list) or not files:
        raise InvalidValueError(f"files of more than {most / 1e6:g} MB are not opened here")
    try:
        found = [OpenedFile(str(one["name"]), b64decode(one["data"])) for one in files]
    except (KeyError, TypeError, Base64Error):
        raise InvalidValueError("the browser has sent no file") from None
    if sum(len(one.content) for one in found) > most:
        raise InvalidValueError(f"files of more than {most / 1e6:g} MB are not opened here")
    return found
