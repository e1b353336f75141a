"""Law page: what a law of brick rolls says: its shares, its picture, and the odds by it."""

from nicegui import ui

from brickphys.odds.law import Law
from brickphys.view.app.glossary import glossary
from brickphys.view.app.html_image import html_image, png_of
from brickphys.view.app.jobs import quick
from brickphys.view.app.law_table import law_line, law_table
from brickphys.view.app.odds_page import odds_page


async def law_page(law: Law) -> None:
    """Add what a law says in a line, the odds desk with it, the shares of its poses, and its picture when it is drawn.

    Parameters
    ----------
    law
        The law, with the name of its file.
    """
    ui.label(law_line(law)).classes("text-lg")
    await odds_page(law)
    ui.html(law_table(law), sanitize=False)
    picture = ui.html("Drawing ...", sanitize=False).classes("brickphys-wide")
    glossary("Law", "Pose", "95 % interval", "90 % range")
    await ui.context.client.connected()
    png = await quick(png_of, law.plot)
    picture.content = html_image(png, law.line())
