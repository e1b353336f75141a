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
        return str(self._label.text)

    def tell(self, text: str) -> None:
        """Tell a result."""
        self._told += 1
        self._label.text = text
        self._label.classes(remove=_FAULT)
        self._show_results(are_shown=True)

    def refuse(self, text: str) -> None:
        """Tell a fault."""
        self._told += 1
        self._label.text = text
        self._label.classes(add=_FAULT)
        self._show_results(are_shown=False)
        self._label.client.run_javascript(
            f"getHtmlElement({self._label.id})?.scrollIntoView({{block: 'nearest'}})"
        )

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
