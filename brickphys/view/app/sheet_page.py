"""Sheet page: the description sheets in a file: built models, pictures, texts, and the totals of its armies."""

from html import escape

from nicegui import ui

from brickphys.rules.game import AnyGame
from brickphys.rules.registry import builder, painter
from brickphys.rules.report.sheets import SheetList
from brickphys.text import cleaned
from brickphys.view.app.elements import StatusLine, TableElement
from brickphys.view.app.jobs import quick
from brickphys.view.app.page_html import html_image, png_of, row_texts
from brickphys.view.app.player import ScenePlayer
from brickphys.view.builder import MOST_DRAWN, sheets_recording


async def sheet_page(game: AnyGame, found: SheetList) -> None:
    """Add the sheets of a game: what they describe in three dimensions, a picture, and each one as text."""
    drawn = found.sheets[:MOST_DRAWN]
    line, player = StatusLine(), ScenePlayer()
    picture = ui.html(sanitize=False).classes("brickphys-wide")
    for sheet in found.sheets:
        text = escape(cleaned(sheet.text(lambda letter, _: letter)))
        ui.html(f'<pre tabindex="0">{text}</pre>', sanitize=False).classes("brickphys-wide")
    if found.armies:
        rows = [army.document() for army in found.armies]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        headings = [name.replace("_", " ") for name in columns]
        TableElement().show("Armies", headings, (row_texts(row, columns) for row in rows))
    await ui.context.client.connected()
    if not drawn:
        return
    with line.reporting_faults():
        recording = await quick(sheets_recording, builder(game), drawn)
        player.element.set_visibility(recording is not None)
        if recording is not None:
            await player.show(recording)
    png = await quick(png_of, lambda: painter(game).sheets_figure(drawn))
    if png is not None:
        names = ", ".join(sheet.name for sheet in drawn)
        picture.content = html_image(png, f"The sheets of {names}; their text is below.")
