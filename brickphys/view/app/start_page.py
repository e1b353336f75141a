"""Start page: the way to all others, as plain HTML, so that it is there at once."""

from collections.abc import Iterable
from html import escape

from brickphys.text import cleaned_line
from brickphys.view.app.entry import Entry
from brickphys.view.app.modules import PAGE_STYLE

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>brickphys</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{style}">
</head>
<body class="brickphys-start">
<main>
<h1>Throw, see, play</h1>
<ul>
{links}
</ul>
<p>New here? Begin with <em>Play</em>: the game BOW and its scenario duel are chosen already.</p>
<p>Have you saved something? <em>Play</em> opens a game, the <em>odds desk</em> a law, the <em>crash view</em> a
scene. In a terminal, <code>brickphys view FILE</code> shows any of them.</p>
</main>
</body>
</html>
"""


def start_page(entries: Iterable[Entry]) -> str:
    """Return the page with a link to each of the others."""
    links = "\n".join(
        f'<li><a href="{one.address}">{escape(cleaned_line(one.title))}</a>: {escape(one.about)}</li>'
        for one in entries
    )
    return _PAGE.format(style=PAGE_STYLE, links=links)
