"""Table element: a table of a page whose rows can change."""

from collections.abc import Iterable, Sequence

from nicegui import ui

from brickphys.view.app.html_table import Cell, html_table


class TableElement:
    """A table in a page, whose rows can change."""

    def __init__(self) -> None:
        self._html = ui.html("", sanitize=False).classes("brickphys-told")

    def show(self, caption: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Show other rows."""
        self._html.content = html_table(caption, columns, rows)

    def clear(self) -> None:
        """Show nothing."""
        self._html.content = ""
