"""Status tables: the units of a game with their health, gear and the like, as the keyboard prints them."""

from itertools import zip_longest

from nicegui import ui

from brickphys.battles.table import Table, Waits
from brickphys.rules.report.status import Status
from brickphys.view.app.table_element import TableElement


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
                columns, *cells = zip(*zip_longest(*rows, fillvalue=""), strict=True)
                caption = next(filter(None, columns), "") if number else told.headline
                words = ([_words(cell) for cell in row] for row in cells)
                TableElement().show(_words(caption), columns, words)
            for note in told.notes:
                ui.label(_words(note))


def described(table: Table) -> str:
    """Return how a game describes itself to who is at the screen; empty where something is hidden from them."""
    if table.waits is Waits.CHOICE:
        return table.asked.description
    viewer = table.viewer
    if viewer is None and table.game.hidden(table.state):
        return ""
    return table.game.describe(table.game.observe(table.state, viewer or 0))


def _words(text: str) -> str:
    """Write names as they are read."""
    return text.replace("_", " ")
