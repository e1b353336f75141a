"""Frame: what all pages of the app have, and how the rest of a page is loaded."""

import asyncio
from collections.abc import Sequence
from importlib import import_module

from nicegui import ui

from brickphys.errors import BrickphysError, in_words
from brickphys.view.app.heading import heading
from brickphys.view.app.jobs import quick
from brickphys.view.app.modules import AWAY, PAGE_STYLE, PRELOADS
from brickphys.view.app.status_line import StatusLine

_PRIMARY = "#0b4a94"
"""Colour of buttons and links: white on it can be read, and it on white."""

_MORE = "More is told where the server was started. Load the page again to go on."


async def fill_by_module(name: str, given: Sequence[object]) -> None:
    """Fill a page by the function of a module of the same name.

    The module is loaded when somebody comes, while the browser loads the rest of the page: physics takes a second.
    """
    waiting = ui.label("Loading ...").props("role=status").classes("brickphys-waiting")
    loading = asyncio.ensure_future(quick(import_module, f"{__package__}.{name}"))
    client = ui.context.client
    await client.connected()
    module = await loading
    if client.is_deleted:  # its visitor has gone, or was a program that loads no more than the page
        return
    try:
        await getattr(module, name.rpartition(".")[2])(*given)
    except BrickphysError as error:  # a study whose folder has gone is no fault of the program
        StatusLine("alert", str(error))
    finally:
        if not client.is_deleted:
            waiting.delete()


def frame(title: str) -> None:
    """Add what all pages have: the title, the way back, and a line for faults that no other line tells."""
    ui.page_title(title or "brickphys")
    ui.add_head_html(f'<link rel="stylesheet" href="{PAGE_STYLE}">{PRELOADS}')
    ui.add_body_html(f'<script type="module" src="{AWAY}"></script>')
    ui.colors(primary=_PRIMARY)
    with ui.row().classes("items-baseline"):
        ui.link("brickphys", "/").classes("text-h6")
        if title:
            heading(title, 1)
    line = StatusLine("alert")
    ui.context.client.on_exception(lambda error: line.refuse(fault_text(error)))


def fault_text(error: Exception) -> str:
    """Return an error as a line of a page; one that is not meant for people leads to the log of the server."""
    if isinstance(error, BrickphysError):
        return str(error)
    return f"This is a fault of the program: {in_words(error)}. {_MORE}"
