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
<p>Files: <em>Play</em> opens a replay, the <em>crash view</em> a scene, the <em>odds desk</em> a law. Typed in a
terminal, <code>brickphys view FILE</code> shows each of these, and sheets and studies, too. The option
<code>--html</code> of replay, play, collide and drop writes pages that can be sent by mail.</p>
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
