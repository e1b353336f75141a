"""Start page: the way to all others."""

from collections.abc import Iterable

from nicegui import ui

from brickphys.view.app.entry import Entry
from brickphys.view.app.heading import heading


def start_page(entries: Iterable[Entry]) -> None:
    """Add a link to each page."""
    heading("Throw, see, play", 1)
    for entry in entries:
        ui.link(f"{entry.title}: {entry.about}", entry.address)
    ui.label(
        "A replay or a scene is shown by: brickphys view FILE. Pages that can be sent by mail "
        "are written by --html of replay, play, collide and drop."
    )
