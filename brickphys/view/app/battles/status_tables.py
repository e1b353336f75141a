"""Status tables: the units of a game with their health, gear and the like, as the keyboard prints them."""

from itertools import zip_longest

from nicegui import ui

from brickphys.battles.table import Table, Waits
from brickphys.rules.report.status import Status
from brickphys.rules.report.status import Table as Rows
from brickphys.text import with_blanks
from brickphys.view.app.html_table import html_list, html_table

_MOST_COLUMNS = 6
"""More with names are too wide for the place beside the picture, and for a phone."""


class StatusTables:
    """Shows the tables of a game below each other."""

    def __init__(self) -> None:
        self._place = ui.element("section").classes("live-tables").props('aria-label="Units"')

    def clear(self) -> None:
        """Show nothing."""
        self._place.clear()

    def show(self, told: str) -> None:
        """Show the tables and notes of what a game describes."""
        self._place.clear()
        if not isinstance(told, Status):
            return
        with self._place:
            for number, rows in enumerate(filter(None, told.tables)):
                columns, *cells = _cells(rows)
                caption = next(filter(None, columns)) if number else with_blanks(told.headline)
                html = html_list if len([*filter(None, columns)]) > _MOST_COLUMNS else html_table
                ui.html(html(caption, columns, cells), sanitize=False).classes("brickphys-told")
            for note in told.notes:
                ui.label(with_blanks(note))


def described(table: Table) -> str:
    """Return how a game describes itself to who is at the screen; empty where something is hidden from them."""
    if table.waits is Waits.CHOICE:
        return table.asked.description
    viewer = table.viewer
    if viewer is None and table.game.hidden(table.state):
        return ""
    return table.game.describe(table.game.observe(table.state, viewer or 0))


def _cells(table: Rows) -> list[list[str]]:
    """Return rows of the same length, without empty columns, and without letters: they are those of maps in text."""
    columns = [column for column in zip_longest(*table, fillvalue="") if any(column)]
    if not columns[0][0] and all(len(letter) <= 1 for letter in columns[0]):
        del columns[0]
    return [list(map(with_blanks, row)) for row in zip(*columns, strict=True)]
