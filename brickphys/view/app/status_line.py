"""Status line: a line that tells what came of something, or what is wrong; screen readers hear it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from nicegui import ui

from brickphys.errors import BrickphysError

_FAULT = "brickphys-fault"


class StatusLine:
    """The line.

    Parameters
    ----------
    role
        ``alert`` for a line that only tells faults: a screen reader reads it at once.
    fault
        What it tells at first.

    Attributes
    ----------
    results
        What is hidden while a fault is told, since it answers something else; None for nothing.
    """

    results: ui.element | None = None

    def __init__(self, role: Literal["status", "alert"] = "status", fault: str = "") -> None:
        self._label = ui.label().props(f"role={role}").classes("brickphys-line")
        self._told = 0
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
        """Write a text; a space after one that was there already lets it be read aloud again."""
        self._told += 1
        self._label.props(remove="aria-live") if aloud else self._label.props("aria-live=off")
        is_same = bool(text) and text == self._label.text
        self._label.text = f"{text}\N{NO-BREAK SPACE}" if is_same else text

    def _show_results(self, *, are_shown: bool) -> None:
        if self.results is not None:
            self.results.set_visibility(are_shown)

    def clear(self) -> None:
        """Tell nothing."""
        self.tell("")

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what is wrong in the block; clear the line if it was a fault, and nothing was told meanwhile."""
        told = self._told
        try:
            yield
        except BrickphysError as error:
            self.refuse(str(error))
        else:
            is_old = told == self._told and not self._label.is_deleted
            if is_old and _FAULT in self._label.classes:
                self.clear()
