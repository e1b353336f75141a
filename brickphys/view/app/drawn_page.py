"""Drawn page: a value with its line, its table and its picture: a law."""

from nicegui import run, ui

from brickphys.display import Drawn
from brickphys.view.app.picture import html_picture, png_of
from brickphys.view.app.table import html_table, row_texts


async def drawn_page(value: Drawn) -> None:
    """Add what a value says in a line, its rows, and its picture as soon as that is drawn."""
    ui.label(f"{value.line()[:1].upper()}{value.line()[1:]}.").classes("text-lg")
    rows = value.rows()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    headings = [name.replace("_", " ") for name in columns]
    table = html_table("In numbers", headings, (row_texts(row, columns) for row in rows))
    ui.html(table, sanitize=False).classes("brickphys-wide")
    picture = ui.html(sanitize=False).classes("brickphys-wide")
    await ui.context.client.connected()
    if (png := await run.io_bound(png_of, value.plot)) is not None:
        picture.content = html_picture(png, value.line())
