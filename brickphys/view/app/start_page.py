"""Start page: the way to all others, as plain HTML, so that it is there at once; and the page of unknown addresses."""

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
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{style}">
</head>
<body class="brickphys-start">
<main>
{content}
</main>
</body>
</html>
"""
_START = """<h1>Throw, see, play</h1>
<ul>
{links}
</ul>
<p>New here? Begin with <em>Play</em>: the game BOW and its scenario duel are chosen already.</p>
<p>Have you saved something? <em>Play</em> opens a game, the <em>odds desk</em> a law, the <em>crash view</em> a
scene. In a terminal, <code>brickphys view FILE</code> shows any of them.</p>"""
_UNKNOWN = """<h1>No such page</h1>
<p>There is no page at this address. The <a href="/">start page of brickphys</a> leads to all pages.</p>"""


def start_page(entries: Iterable[Entry]) -> str:
    """Return the page with a link to each of the others."""
    links = "\n".join(
        f'<li><a href="{one.address}">{escape(cleaned_line(one.title))}</a>: {escape(one.about)}</li>'
        for one in entries
    )
    content = _START.format(links=links)
    return _PAGE.format(title="brickphys", style=PAGE_STYLE, content=content)


def unknown_page() -> str:
    """Return the page of an address that has none."""
    return _PAGE.format(title="No such page: brickphys", style=PAGE_STYLE, content=_UNKNOWN)
