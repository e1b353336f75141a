"""First page: what is seen of an opened file while its page, and NiceGUI, are being loaded."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from brickphys.text import cleaned_line
from brickphys.view.app.modules import FIRST, FOLDER, PAGE_STYLE
from brickphys.view.page import page
from brickphys.view.recording import SceneRecording

if TYPE_CHECKING:
    from brickphys.odds.law import Law
    from brickphys.rules.game import AnyGame
    from brickphys.rules.report.sheets import SheetList
    from brickphys.vehicles.scene import Scene
    from brickphys.view.app.battles.played_game import PlayedGame

_NOTICE = f"""<p id="whole" role="status">The rest of this page is being loaded ...</p>
<script type="module" src="{FIRST}"></script>
"""
_TABLES = """<!DOCTYPE html>
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
<h1>{title}</h1>
{notice}{content}
</main>
</body>
</html>
"""


def first_of_replay(played: "PlayedGame") -> str:
    """Return the page of a game that was played: its player, without odds."""
    from brickphys.view.battle import battle_page

    game = played.game
    found = game.trajectories(played.record, None)
    return _player(battle_page(game, found, played.title))


def first_of_scene(scene: "Scene") -> str:
    """Return the page of a scene: its move."""
    from brickphys.vehicles.collision import resolve
    from brickphys.view.field import WHOLE_FIELD
    from brickphys.view.sweep import sweep_recording

    return _player(sweep_recording(resolve(scene)).seen_first(WHOLE_FIELD))


def first_of_sheets(game: "AnyGame", found: "SheetList") -> str:
    """Return the page of sheets: what they describe as built models."""
    from brickphys.rules.registry import builder
    from brickphys.view.sheet_scene import MOST_DRAWN, sheets_recording

    recording = sheets_recording(builder(game), found.sheets[:MOST_DRAWN])
    if recording is None:
        return _tables("Sheets", f"<p>{len(found.sheets)} sheets have no models.</p>")
    return _player(recording)


def first_of_law(law: "Law") -> str:
    """Return the page of a law: how bricks came to rest."""
    from brickphys.view.app.law_table import law_line, law_table

    return _tables(law.name, f"<p>{escape(law_line(law))}</p>{law_table(law)}")


def first_of_study(folder: Path) -> str:
    """Return the page of a study: how far it is."""
    from brickphys.batch.report.table import counts
    from brickphys.batch.store.store import open_store

    store = open_store(folder)
    return _tables(store.spec.title, f"<p>{counts(store).line(store.spec.study_type.unit)}.</p>")


def _player(recording: SceneRecording) -> str:
    return page(recording, {"player/page.js": f"{FOLDER}/player/page.js"}, _NOTICE)


def _tables(title: str, content: str) -> str:
    title = escape(cleaned_line(title))
    return _TABLES.format(title=title, style=PAGE_STYLE, notice=_NOTICE, content=content)
