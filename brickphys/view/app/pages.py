"""Pages: the list of all pages of the app, with their addresses."""

from nicegui import app, ui
from starlette.responses import HTMLResponse

from brickphys.view.app.entry import Entry, frame, module_page
from brickphys.view.app.start_page import start_page

ENTRIES = (
    Entry(
        "/throw",
        "Throw lab",
        "throw bricks and other bodies, and watch them",
        module_page("throw_page"),
    ),
    Entry(
        "/odds",
        "Odds desk",
        "the exact odds of an attack, and your own rolls beside the law",
        module_page("odds_page"),
    ),
    Entry(
        "/scene",
        "Crash view",
        "put vehicles, figures and walls together, sweep a move, and let them crash",
        module_page("scene_page"),
    ),
    Entry(
        "/play",
        "Play",
        "a battle against bots or with each other, by clicking; or go on with a saved one",
        module_page("battles.play_page"),
    ),
)
"""The pages that are always there, in the order of the start page."""


def add_pages(opened: Entry | None) -> None:
    """Add all pages to the server.

    Parameters
    ----------
    opened
        Page of the file that the command was given; None if there is none.
    """
    ui.button.default_props("no-caps")
    entries = ENTRIES if opened is None else (opened, *ENTRIES)
    for entry in entries:
        entry.add()

    @ui.page("/replay/{name}")
    async def replay(name: str) -> None:
        frame("Replay")
        await module_page("battles.named_replay", name)()

    start = start_page(entries)

    @app.get("/")
    def shown() -> HTMLResponse:
        return HTMLResponse(start)
