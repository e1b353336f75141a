"""First page: what is seen of an opened file while its page, and NiceGUI, are being loaded."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from brickphys.text import cleaned_line
from brickphys.view.app.entry import FirstPicture
from brickphys.view.app.modules import FIRST, FIRST_STYLE, PAGE_STYLE, PRELOADS, STYLE

if TYPE_CHECKING:
    from brickphys.odds.law import Law
    from brickphys.rules.game import AnyGame
    from brickphys.rules.report.sheets import SheetList
    from brickphys.vehicles.scene import Scene
    from brickphys.view.app.battles.played_game import PlayedGame
    from brickphys.view.recording import SceneRecording

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{styles}{preloads}
</head>
<body>
<header>
<h1>{title}</h1>
<p id="about"></p>
</header>
<p id="whole" role="status">The file is being drawn ...</p>
<noscript><p class="notice">These pages need JavaScript.</p></noscript>
<main id="playing"{drawn}></main>
<script type="module" src="{first}"></script>
</body>
</html>
"""


def first_page(title: str, *, is_drawn: bool) -> str:
    """Return the page that waits for the first picture of a file; if that is drawn, the browser gets ready for it."""
    styles = "".join(
        f'<link rel="stylesheet" href="{address}">' for address in (PAGE_STYLE, STYLE, FIRST_STYLE)
    )
    title = escape(cleaned_line(title))
    drawn, preloads = (" data-is-drawn", PRELOADS) if is_drawn else ("", "")
    return _PAGE.format(title=title, styles=styles, preloads=preloads, drawn=drawn, first=FIRST)


def first_of_replay(played: "PlayedGame") -> FirstPicture:
    """Return a game that was played, without odds."""
    from brickphys.view.battle import battle_page

    game = played.game
    found = game.trajectories(played.record, None)
    return _recorded(battle_page(game, found, played.title))


def first_of_scene(scene: "Scene") -> FirstPicture:
    """Return the move of a scene."""
    from brickphys.vehicles.collision import resolve
    from brickphys.view.field import WHOLE_FIELD
    from brickphys.view.sweep import sweep_recording

    return _recorded(sweep_recording(resolve(scene)).seen_first(WHOLE_FIELD))


def first_of_sheets(game: "AnyGame", found: "SheetList") -> FirstPicture:
    """Return what sheets describe, as built models."""
    from brickphys.rules.registry import builder
    from brickphys.view.sheet_scene import MOST_DRAWN, sheets_recording

    recording = sheets_recording(builder(game), found.sheets[:MOST_DRAWN])
    if recording is None:
        return _written(f"<p>{len(found.sheets)} sheets have no models.</p>")
    return _recorded(recording)


def first_of_law(law: "Law") -> FirstPicture:
    """Return a law: how bricks came to rest."""
    from brickphys.view.app.law_table import law_line, law_table

    return _written(f"<p>{escape(law_line(law))}</p>{law_table(law)}")


def first_of_study(folder: Path, _trust: bool) -> FirstPicture:
    """Return the title of a study, and how far it is."""
    from brickphys.batch.report.table import counts
    from brickphys.batch.store.store import open_store

    store = open_store(folder)
    title = escape(cleaned_line(store.spec.title))
    return _written(f"<h2>{title}</h2><p>{counts(store).line(store.spec.study_type.unit)}.</p>")


def _recorded(recording: "SceneRecording") -> FirstPicture:
    from brickphys.view.document import text_of

    return FirstPicture(text_of(recording), "application/json")


def _written(text: str) -> FirstPicture:
    return FirstPicture(f'<section id="text">{text}</section>', "text/html")
