"""Elements of several pages: a line for results and faults, which screen readers read; headings, tables, numbers."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

from nicegui import ui

from brickphys.errors import BrickphysError, InvalidValueError
from brickphys.view.app.page_html import Cell, html_table

_FAULT = "brickphys-fault"


class StatusLine:
    """A line that tells results and faults; one of the role ``alert`` tells faults alone, which are read at once."""

    results: ui.element | None = None
    """What is hidden while a fault is told, since it answers something else; None for nothing."""
    _changes = 0

    def __init__(self, role: Literal["status", "alert"] = "status", fault: str = "") -> None:
        self._label = ui.label().props(f"role={role}").classes("brickphys-line")
        if fault:
            self.refuse(fault)

    @property
    def text(self) -> str:
        """What it tells."""
        return str(self._label.text).rstrip()

    def tell(self, text: str, *, aloud: bool = True) -> None:
        """Tell a result; `aloud` is false for what a screen reader need not read, since more follows at once."""
        self._write(text, aloud=aloud)
        self._label.classes(remove=_FAULT)
        self._show_results(are_shown=True)

    def refuse(self, text: str) -> None:
        """Tell a fault."""
        self._write(text)
        self._label.classes(add=_FAULT)
        self._show_results(are_shown=False)
        self._label.client.run_javascript(
            f"getHtmlElement({self._label.id})?.scrollIntoView({{block: 'nearest'}})"
        )

    def _write(self, text: str, *, aloud: bool = True) -> None:
        """Write a text. A repeated text gets a no-break space, so that it is read aloud again."""
        self._changes += 1
        if aloud:
            self._label.props(remove="aria-live")
        else:
            self._label.props("aria-live=off")
        is_same = bool(text) and text == self._label.text
        self._label.text = f"{text}\N{NO-BREAK SPACE}" if is_same else text

    def _show_results(self, *, are_shown: bool) -> None:
        if self.results is not None:
            self.results.set_visibility(are_shown)

    def clear(self) -> None:
        """Tell nothing."""
        self.tell("")

    @contextmanager
    def reporting_faults(self) -> Iterator[None]:
        """Tell a fault of the block; if there is none, clear an earlier fault."""
        before = self._changes
        try:
            yield
        except BrickphysError as error:
            self.refuse(str(error))
        else:
            is_unchanged = before == self._changes and not self._label.is_deleted
            if is_unchanged and _FAULT in self._label.classes:
                self.clear()


def heading(text: str, level: int = 2) -> None:
    """Add a heading; that of the page has level 1."""
    with ui.element(f"h{level}"):
        ui.label(text)


def message(title: str, *lines: str) -> ui.element:
    """Tell what has happened in the middle of the page, and return the place of the buttons that help."""
    with ui.element("section").classes("brickphys-message").props("role=alert"):
        heading(title)
        for line in lines:
            ui.label(line)
        return ui.row()


def desk() -> tuple[ui.element, ui.element]:
    """Add the two parts of a page: the panel of its fields, and what comes of them, which a phone has above."""
    with ui.element("div").classes("brickphys-desk"):
        return (
            ui.element("div").classes("brickphys-panel"),
            ui.element("div").classes("brickphys-content"),
        )


def titled(title: str) -> ui.element:
    """Return a group of fields with its title."""
    group = ui.element("fieldset")
    with group, ui.element("legend"):
        ui.label(title)
    return group


class TableElement:
    """A table in a page, whose rows can change."""

    def __init__(self) -> None:
        self._html = ui.html("", sanitize=False).classes("brickphys-rows")

    def show(self, caption: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Show other rows."""
        self._html.content = html_table(caption, columns, rows)

    def clear(self) -> None:
        """Show nothing."""
        self._html.content = ""


def explain(element: ui.element, about: str) -> None:
    """Tell what a field is: the mouse gets a tooltip, a screen reader a description; `about` has no quotes."""
    element.tooltip(about).props(f'aria-description="{about}"')


class UncorrectedNumber(ui.number):
    """A number that stays as it was typed: what is outside its limits is refused in words, not changed silently."""

    def sanitize(self) -> None:
        """Change nothing."""


def number_with_slider(
    label: str, value: int, least: int, most: int, changed: Callable[[], object]
) -> ui.number:
    """Add a whole number with a slider, and return it; the keyboard and screen readers use the number alone."""
    with ui.column().classes("brickphys-slid"):
        number = UncorrectedNumber(label, value=value, min=least, max=most, step=1)
        number.on_value_change(lambda _: changed())
        slider = ui.slider(min=least, max=most, value=value).bind_value(number)
        slider.props("tabindex=-1 aria-hidden=true")
    return number


def whole_number(number: ui.number, least: int, most: int) -> int:
    """Return what was typed; InvalidValueError if it is not a whole number, or is outside its range."""
    label, value = str(number.props.get("label", "")), number.value
    if not isinstance(value, (int, float)) or value != int(value):
        raise InvalidValueError(f"{label}: give a whole number from {least} to {most:,}")
    if not least <= value <= most:
        raise InvalidValueError(f"{label}: {value:,.0f} is outside {least} to {most:,}")
    return int(value)


_COPY = """() => {{
    const link = location.origin + {path};
    const copied = navigator.clipboard ? navigator.clipboard.writeText(link) : Promise.reject();
    copied.catch(() => prompt("The link:", link));
}}"""
"""Browsers give programs the clipboard only on this machine and where the connection is safe."""


def add_links(links: Mapping[str, str]) -> None:
    """Add links to paths of this server, by their words: each is opened, or copied to be sent to somebody."""
    with ui.element("div").classes("brickphys-links"):
        for words, path in links.items():
            ui.link(words, path, new_tab=True)
            copy = ui.button("Copy the link").props("outline dense")
            copy.on("click", js_handler=_COPY.format(path=json.dumps(path)))
