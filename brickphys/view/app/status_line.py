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
    """

    def __init__(self, role: Literal["status", "alert"] = "status", fault: str = "") -> None:
        self._label = ui.label().props(f"role={role}").classes("brickphys-line")
        if fault:
            self.refuse(fault)

    @property
    def text(self) -> str:
        """What it tells."""
        return str(self._label.text)

    def tell(self, text: str) -> None:
        """Tell a result."""
        self._label.text = text
        self._label.classes(remove=_FAULT)

    def refuse(self, text: str) -> None:
        """Tell a fault."""
        self._label.text = text
        self._label.classes(add=_FAULT)

    def clear(self) -> None:
        """Tell nothing."""
        self.tell("")

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what is wrong in the block; clear the line if it was a fault that is mended."""
        try:
            yield
        except BrickphysError as error:
            self.refuse(str(error))
        else:
            if _FAULT in self._label.classes and not self._label.is_deleted:
                self.clear()
