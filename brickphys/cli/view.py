"""View: throws, moves and battles in the browser."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared.echo import echo_line
from brickphys.cli.shared.options import FILE, json_option, unused_seed_option
from brickphys.cli.shared.output import print_json
from brickphys.errors import InvalidValueError, needing

if TYPE_CHECKING:
    from brickphys.view.app.entry import Entry, FirstPicture

_SHOWN = "replays, scenes, laws, sheets and folders of studies"
_Shown = tuple[Callable[[], Awaitable[None]], Callable[[], "FirstPicture"]]
"""What fills a page, and what makes its first picture."""


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address of the server. Other machines need the token in the printed address.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port of the server.  [default: 8765, or a free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address only; do not open a browser.")
@unused_seed_option
@json_option
def view(file: Path | None, host: str, port: int | None, no_browser: bool, as_json: bool) -> None:
    """Show throws, moves and studies in the browser, or FILE: a replay, scene, law, sheets or the folder of a study.

    The pages come from this machine, and nothing is fetched from anywhere. Ctrl-C stops.

    \b
    Examples:
      brickphys view
      brickphys view battle.jsonl
      brickphys view scene.toml --no-browser
    """
    with needing("view", "NiceGUI"):
        from brickphys.view.app.server.serve import serve
    opened = None if file is None else file_page(file)
    serve(opened, partial(_tell, as_json=as_json), host, port, show=not no_browser)


def _tell(address: str, *, as_json: bool) -> None:
    """Print the address of the pages."""
    if as_json:
        print_json("view", {"address": address})
    else:
        echo_line(f"{address} (Ctrl-C stops)", err=True)


def file_page(file: Path) -> "Entry":
    """Return the page of a file, which is read and checked now."""
    from brickphys.cli.shared.file_kinds import kind_of
    from brickphys.view.app.entry import Entry

    kind = kind_of(file)
    name = "" if kind is None else kind.name
    if name not in _KINDS:
        what = f"a {name}" if name else "of an unknown kind"
        raise InvalidValueError(f"{file}: is {what}; view shows {_SHOWN}")
    about = f"the {name} that the command was given"
    return Entry("/file", file.name, about, *_KINDS[name](file))


def _replay(file: Path) -> _Shown:
    from brickphys.odds.law_file import DEFAULT, find_law
    from brickphys.rules.registry import filed_game
    from brickphys.rules.replay.playback import play_back
    from brickphys.rules.replay.replay_file import read_replay
    from brickphys.view.app.battles.played_game import PlayedGame
    from brickphys.view.app.entry import ModulePage
    from brickphys.view.app.first_page import first_of_replay

    written = read_replay(file)
    game = filed_game(written.game)
    record = play_back(game, written, str(file))
    played = PlayedGame(game, record, find_law(DEFAULT))
    return ModulePage("battles.replay_page", (played,)), partial(first_of_replay, played)


def _scene(file: Path) -> _Shown:
    from brickphys.vehicles.scene_file import read_scene
    from brickphys.view.app.entry import ModulePage
    from brickphys.view.app.first_page import first_of_scene

    scene = read_scene(file)
    return ModulePage("scene_page", (scene,)), partial(first_of_scene, scene)


def _study(folder: Path) -> _Shown:
    from brickphys.batch.store.store import open_store
    from brickphys.view.app.entry import ModulePage
    from brickphys.view.app.first_page import first_of_study

    found = open_store(folder).folder
    return ModulePage("study_page", (found,)), partial(first_of_study, found)


def _unrun_study(file: Path) -> _Shown:
    raise InvalidValueError(
        f"{file}: is a study that has to be run first: brickphys batch run {file} --out DIR; "
        "then brickphys view DIR shows it, also while it runs"
    )


def _law(file: Path) -> _Shown:
    from brickphys.odds.law_file import find_law
    from brickphys.view.app.entry import ModulePage
    from brickphys.view.app.first_page import first_of_law

    law = replace(find_law(str(file)), name=file.name)
    return ModulePage("law_page", (law,)), partial(first_of_law, law)


def _sheets(file: Path) -> _Shown:
    from brickphys.cli.shared.file_kinds import read_by_game
    from brickphys.view.app.entry import ModulePage
    from brickphys.view.app.first_page import first_of_sheets

    game, sheets = read_by_game(file, lambda game: (game, game.sheets(str(file))))
    return ModulePage("sheet_page", (game, sheets)), partial(first_of_sheets, game, sheets)


_KINDS: dict[str, Callable[[Path], _Shown]] = {
    "replay": _replay,
    "scene": _scene,
    "law": _law,
    "sheets": _sheets,
    "batch": _study,
    "study": _unrun_study,
}
"""What shows a file, by its kind."""
