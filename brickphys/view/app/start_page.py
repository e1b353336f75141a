"""Start page, and all else that is there before NiceGUI is loaded.

- The files of the player, as a server gives them out: only files with known names are ever read.
- Pages as values, and the list of those that are always there.
- The start page, as plain HTML, and the page of unknown addresses.
- The first page of an opened file: what is seen of it while its page is being loaded.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from brickphys.reading import shipped_text
from brickphys.text import cleaned_line

if TYPE_CHECKING:
    from brickphys.odds.law import Law
    from brickphys.rules.game import AnyGame
    from brickphys.rules.report.sheets import SheetList
    from brickphys.vehicles.scene import Scene
    from brickphys.view.battle import PlayedGame
    from brickphys.view.recording import SceneRecording

FOLDER = "/brickphys"
"""Address below which the files of the player are."""
STYLE = f"{FOLDER}/player/player.css"
PAGE_STYLE = f"{FOLDER}/app/app.css"
TOKENS = f"{FOLDER}/player/tokens.css"
_IMPORT = '@import url("../player/tokens.css");'
FIRST_STYLE = f"{FOLDER}/player/page.css"
SHOW = f"{FOLDER}/app/show.js"
STILL = f"{FOLDER}/app/still.js"
AWAY = f"{FOLDER}/app/away.js"
FIRST = f"{FOLDER}/app/first.js"
PICTURE = f"{FOLDER}/picture"
"""The first picture of a file."""
WHOLE = f"{FOLDER}/whole"
"""Is answered once all pages are loaded."""
HOME = f"{FOLDER}/app/home.js"
TABLES = "/tables.json"
"""The tables that are open on this server, and the last games; they are given to who has the token alone."""
LIVE = f"{FOLDER}/app/live.js"
LIVE_STYLE = f"{FOLDER}/app/live.css"
_PLACES = {
    "three": f"{FOLDER}/three/three.module.min.js",
    "three/addons/controls/OrbitControls.js": f"{FOLDER}/three/OrbitControls.js",
}
PRELOADS = "".join(
    f'<link rel="modulepreload" href="{FOLDER}/{name}">'
    for name in (
        "app/show.js",
        "player/player.js",
        "player/picture.js",
        "three/three.module.min.js",
        "three/three.core.min.js",
    )
)
"""Lets the browser load the largest modules of the player while the rest of a page is being made."""
_BARE = re.compile(r"""(from\s*)(["'])(three[\w./]*)\2""")
_KINDS = {".js": "text/javascript", ".css": "text/css", ".webp": "image/webp"}


@lru_cache
def module_files() -> dict[str, tuple[str | bytes, str]]:
    """Return the content and its type of each file, by its address."""
    static = files("brickphys.view") / "static"
    return {
        f"{FOLDER}/{folder}/{entry.name}": (_content(entry), _KINDS[suffix])
        for folder in ("app", "player", "three")
        for entry in (static / folder).iterdir()
        for suffix in [entry.name[entry.name.rfind(".") :]]
        if suffix in _KINDS
    }


def _content(entry: Traversable) -> str | bytes:
    """Return a file; the imports of a module are addresses of this server, not names."""
    if entry.name.endswith(".webp"):
        return entry.read_bytes()
    text = shipped_text(entry)
    if not entry.name.endswith(".js"):
        return text
    return _BARE.sub(lambda found: f"{found[1]}{found[2]}{_PLACES[found[3]]}{found[2]}", text)


@dataclass(frozen=True)
class FirstPicture:
    """What is seen of a file first."""

    text: str
    """The document of a recording, or HTML."""
    kind: str
    """Media type of that."""


@dataclass(frozen=True)
class PageEntry:
    """A page to which the start page leads."""

    address: str
    """Its path on the server."""
    title: str
    about: str
    """What one does there, as the start page tells it."""
    fill: "Callable[[], Awaitable[None]] | ModulePage"
    """Adds what is on it, and may wait for the browser; or the function of a module that does."""
    read: Callable[[], object] | None = None
    """Reads and checks the file that it shows; BrickphysError if that cannot be shown. None for no file."""
    first: Callable[[], FirstPicture] | None = None
    """Returns what is seen of that file while NiceGUI is being loaded; None for nothing."""
    is_drawn: bool = False
    """Whether that is drawn in three dimensions, for which the browser gets ready."""


@dataclass(frozen=True)
class ModulePage:
    """Fills a page by a function of a module, which is loaded when it is wanted."""

    name: str
    """``module:function`` below this package."""
    given: Callable[[], Sequence[object]] = tuple
    """Returns what the function is called with."""

    def load(self) -> None:
        """Load the module, and with it NiceGUI; the first visitor waits that much less."""
        import_module(f"{__package__}.{self.name.partition(':')[0]}")


ENTRIES = (
    PageEntry(
        "/play",
        "Play",
        "fight a battle against the computer or each other, by clicking; or go on with a saved one",
        ModulePage("battles.play_page:play_page"),
    ),
    PageEntry(
        "/tournament",
        "Tournament",
        "pair people and programs round by round, give each a link to a table, and watch all boards",
        ModulePage("battles.tournament_page:tournament_page"),
    ),
    PageEntry(
        "/throw",
        "Throw lab",
        "throw bricks in slow motion, one or a hundred or ten thousand, and see how often they stop on a side",
        ModulePage("throw_page:throw_page"),
    ),
    PageEntry(
        "/odds",
        "Odds desk",
        "how likely your attack succeeds, what one more brick is worth, and whether your own bricks are usual",
        ModulePage("odds_page:odds_page"),
    ),
    PageEntry(
        "/scene",
        "Crash view",
        "set up vehicles, figures and walls, drive, and see what is hit and who has to resist",
        ModulePage("scene_page:scene_page"),
    ),
)
"""The pages that are always there, in the order of the start page."""


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{links}
</head>
<body{kind}>
{content}
</body>
</html>
"""
_PLAIN = ' class="brickphys-start"'
_START = """<main>
<header>
<h1>brickphys</h1>
<p>The odds of brick wargames, thrown in a physics engine; battles by the book, against the computer or each other.</p>
<p class="brickphys-begin"><a href="/play?now">Play now</a>
<a href="/play?learn">Learn in ten minutes</a>
<a id="go-on" href="/play" hidden>Go on with your game</a></p>
</header>
<ul class="brickphys-cards">
{links}
</ul>
<section id="tables" aria-label="Tables" hidden><h2>Tables that are open</h2>
<p class="brickphys-note">Whoever opens the link of a seat sees its hand and plays for it: open only your own, and send
each other one to its player.</p>
<ul></ul></section>
<section id="games" aria-label="Games" hidden><h2>Last games</h2><ul></ul></section>
<script type="module" src="{home}"></script>
<p>New here? Begin with <em>Learn in ten minutes</em>: it teaches BOW. The button <em>Learn</em> of the page
<em>Play</em> teaches the other games, too.</p>
<p>Have you saved something? <em>Play</em> opens a game, the <em>odds desk</em> a law, the <em>crash view</em> a
scene. In a terminal, <code>brickphys view FILE</code> shows any of them.</p>
</main>"""
_MESSAGE = """<nav class="brickphys-top" aria-label="Home"><a href="/">brickphys</a></nav>
<main class="brickphys-message">
<h1>{title}</h1>
<p>{text}</p>
<p class="brickphys-begin"><a href="{address}">{words}</a></p>
</main>"""
_REFUSED = """{reason}</p>
<p><b>You were invited to a table?</b> Copy the whole link, or ask for a new one; an old table may be gone.</p>
<p><b>You have started the server?</b> Open the address that it has printed last, in this browser."""


def start_page(entries: Iterable[PageEntry]) -> str:
    """Return the page with a link to each of the others."""
    links = "\n".join(
        f'<li><a href="{one.address}">{_picture(one)}{escape(cleaned_line(one.title))}</a>'
        f"<span>{escape(one.about)}</span></li>"
        for one in entries
    )
    content = _START.format(links=links, home=HOME)
    return _PAGE.format(title="brickphys", links=_styles(PAGE_STYLE), kind=_PLAIN, content=content)


def _picture(entry: PageEntry) -> str:
    """Return the picture of a page, where there is one."""
    address = f"{FOLDER}/app{entry.address}.webp"
    size = 'width="480" height="300"'
    return f'<img src="{address}" alt="" {size}>' if address in module_files() else ""


def message_page(title: str, html: str, address: str = "", words: str = "Try again") -> str:
    """Return a page that tells what has happened, with the link that helps; without an address to the page itself.

    It has all of its style: who may not come in is given no other file.
    """
    sheets = [str(module_files()[address][0]) for address in (TOKENS, PAGE_STYLE)]
    style = "".join(f"<style>{one}</style>" for one in sheets).replace(_IMPORT, "")
    content = _MESSAGE.format(title=title, text=html, address=address, words=words)
    return _PAGE.format(title=f"{title}: brickphys", links=style, kind=_PLAIN, content=content)


def refused_page(reason: str) -> str:
    """Return the page of who may not come in."""
    told = escape(f"{reason[:1].upper()}{reason[1:]}.")
    return message_page("No way in", _REFUSED.format(reason=told))


def alone(address: str) -> str:
    """Return a line for who lays a table, if links with the host of an address lead nowhere on other machines."""
    if urlsplit(address).hostname not in ("127.0.0.1", "localhost", "::1"):
        return ""
    return (
        "Only this machine reaches these links: for others start `brickphys view --host 0.0.0.0`."
    )


def _styles(*addresses: str) -> str:
    return "".join(f'<link rel="stylesheet" href="{address}">' for address in addresses)


_FIRST = """<header>
<h1>{title}</h1>
<p id="about"></p>
</header>
<p id="whole" role="status">The file is being drawn ...</p>
<noscript><p class="notice">These pages need JavaScript.</p></noscript>
<main id="playing"{drawn}></main>
<script type="module" src="{first}"></script>"""


def first_page(title: str, *, is_drawn: bool) -> str:
    """Return the page that waits for the first picture of a file; if that is drawn, the browser gets ready for it."""
    title = escape(cleaned_line(title))
    drawn, preloads = (" data-is-drawn", PRELOADS) if is_drawn else ("", "")
    content = _FIRST.format(title=title, drawn=drawn, first=FIRST)
    links = _styles(PAGE_STYLE, STYLE, FIRST_STYLE) + preloads
    return _PAGE.format(title=title, links=links, kind="", content=content)


def first_of_replay(played: "PlayedGame") -> FirstPicture:
    """Return a game that was played, without odds."""
    from brickphys.view.battle import battle_page

    game = played.game
    found = game.trajectories(played.record, None)
    return _recorded(battle_page(game, found, played.title))


def first_of_scene(scene: "Scene") -> FirstPicture:
    """Return the move of a scene."""
    from brickphys.vehicles.collision import resolve
    from brickphys.view.collision import WHOLE_FIELD, sweep_recording

    return _recorded(sweep_recording(resolve(scene)).seen_first(WHOLE_FIELD))


def first_of_sheets(game: "AnyGame", found: "SheetList") -> FirstPicture:
    """Return what sheets describe, as built models."""
    from brickphys.rules.registry import builder
    from brickphys.view.builder import MOST_DRAWN, sheets_recording

    recording = sheets_recording(builder(game), found.sheets[:MOST_DRAWN])
    if recording is None:
        return _written(f"<p>{len(found.sheets)} sheets have no models.</p>")
    return _recorded(recording)


def first_of_law(law: "Law") -> FirstPicture:
    """Return a law: how bricks came to rest."""
    from brickphys.view.app.page_html import law_line, law_table

    return _written(f"<p>{escape(law_line(law))}</p>{law_table(law)}")


def first_of_study(folder: Path, _trust: bool) -> FirstPicture:
    """Return the title of a study, and how far it is."""
    from brickphys.batch.report.table import counts
    from brickphys.batch.store import open_store

    store = open_store(folder)
    title = escape(cleaned_line(store.spec.title))
    return _written(f"<h2>{title}</h2><p>{counts(store).line(store.spec.study_type.unit)}.</p>")


def _recorded(recording: "SceneRecording") -> FirstPicture:
    from brickphys.view.document import text_of

    return FirstPicture(text_of(recording), "application/json")


def _written(text: str) -> FirstPicture:
    return FirstPicture(f'<section id="text">{text}</section>', "text/html")
