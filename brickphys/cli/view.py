"""View: throws, moves and battles in the browser."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urljoin

import click

from brickphys.battles.players import PERSON
from brickphys.battles.start import find_setup
from brickphys.cli.shared.options import FILE, json_options, trust_option
from brickphys.cli.shared.output import echo_line, print_json
from brickphys.cli.verify import FileKind, kind_of, read_by_game
from brickphys.errors import InvalidValueError, needing
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.registry import filed_game, game, is_trusting, trusting
from brickphys.rules.replay import play_back, read_replay
from brickphys.view.app import start_page

_SHOWN = "replays, scenes, laws, sheets and folders of studies"
_PAGES = {
    "scenario": "page Play",
    "body": "throw lab",
    "surface": "throw lab",
    "home counts": "odds desk",
}
"""By kind: the page that opens what the command does not show."""


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option(
    "--host",
    default="127.0.0.1",
    help="Address of the server. The printed address has a token, without which nobody comes in.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port of the server.  [default: 8765, or a free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address only; do not open a browser.")
@click.option(
    "--table",
    nargs=2,
    metavar="GAME SCENARIO",
    help="Lay a table: print a link for each seat, and one for all who watch.",
)
@click.option(
    "--clock", metavar="MINUTES+SECONDS", help="Time to think at the table, such as 20+15."
)
@click.option(
    "--certificate",
    nargs=2,
    type=FILE,
    metavar="FILE KEY",
    help="Encrypt what is sent, with a certificate and its key in PEM files.",
)
@trust_option
@json_options
def view(
    file: Path | None,
    host: str,
    port: int | None,
    no_browser: bool,
    table: tuple[str, str] | None,
    clock: str | None,
    certificate: tuple[Path, Path] | None,
    as_json: bool,
) -> None:
    """Show throws, moves and studies in the browser, or FILE: a replay, scene, law, sheets or the folder of a study.

    The pages come from this machine, and nothing is fetched from anywhere. Ctrl-C stops. With --host, people at other
    machines come in by the links of a table, and see no more than their seat may.

    \b
    Examples:
      brickphys view
      brickphys view battle.jsonl
      brickphys view scene.toml --no-browser
      brickphys view --table blade_and_bow marathon --host 0.0.0.0
    """
    with needing("view", "NiceGUI"):
        from brickphys.view.app.server import Certificate, serve
    if clock is not None and table is None:
        raise click.UsageError("--clock needs --table")
    opened = None if file is None else file_page(file)
    seats = {} if table is None else _lay(*table, clock)
    tell = partial(_tell, seats=seats, as_json=as_json)
    tls = None if certificate is None else Certificate(*certificate)
    serve(opened, tell, host, port, show=not no_browser, certificate=tls)


def _lay(name: str, scenario: str, clock: str | None) -> dict[str, str]:
    """Lay a table for persons; return the paths of its seats and that of who watches, by their words."""
    from brickphys.view.app.tables import laid_table

    played = game(name)
    return laid_table(played, find_setup(played, scenario, {}), PERSON, clock or "")


def _tell(address: str, *, seats: Mapping[str, str], as_json: bool) -> None:
    """Print the address of the pages, and those of a table."""
    links = {words: urljoin(address, path) for words, path in seats.items()}
    if as_json:
        print_json("view", {"address": address, **({"table": links} if links else {})})
        return
    for words, link in links.items():
        echo_line(f"{words}: {link}", err=True)
    if links and (told := start_page.alone(address)):
        echo_line(told, err=True)
    echo_line(f"{address} (Ctrl-C stops)", err=True)


def file_page(file: Path) -> start_page.PageEntry:
    """Return the page of a file, whose kind is known; what is in it is read and checked later."""
    kind = kind_of(file)
    name = "" if kind is None else kind.name
    if name == "study":
        raise InvalidValueError(
            f"{file}: this study has to be run first, by brickphys batch run {file} --out DIR; "
            "then brickphys view DIR shows it, also while it runs"
        )
    if name not in _KINDS:
        raise InvalidValueError(_refusal(file, kind))
    page, reader, first, is_drawn = _KINDS[name]
    trust = is_trusting()

    @cache
    def read() -> tuple[object, ...]:
        with trusting(trust):  # in whatever thread
            return reader(file)

    what = "study" if name == "batch" else name
    return start_page.PageEntry(
        "/file",
        file.name,
        f"the {what} with which brickphys view was started",
        start_page.ModulePage(page, read),
        read,
        lambda: first(*read()),
        is_drawn,
    )


def _refusal(file: Path, kind: FileKind | None) -> str:
    if kind is None:
        return f"{file}: brickphys does not know what this file holds; view shows {_SHOWN}"
    if kind.name == "TOML":  # which is only known to be faulty
        return str(next(kind.checks(file)).fault)
    where = f", but its {_PAGES[kind.name]} opens them" if kind.name in _PAGES else ""
    return f"{file}: view does not show files of the kind {kind.name}{where}; it shows {_SHOWN}"


def _read_replay(file: Path) -> tuple[object, ...]:
    from brickphys.view.battle import PlayedGame

    written = read_replay(file)
    game = filed_game(written.game)
    return (PlayedGame(game, play_back(game, written, str(file)), find_law(DEFAULT)),)


def _read_scene(file: Path) -> tuple[object, ...]:
    from brickphys.vehicles.scene_file import read_scene

    return (read_scene(file),)


def _read_study(folder: Path) -> tuple[object, ...]:
    from brickphys.batch.store import open_store

    return open_store(folder).folder, is_trusting()


def _read_law(file: Path) -> tuple[object, ...]:
    return (replace(find_law(str(file)), name=file.name),)


def _read_sheets(file: Path) -> tuple[object, ...]:
    return read_by_game(file, lambda game, path: (game, game.sheets(str(path))))


_Kind: TypeAlias = tuple[
    str, Callable[[Path], tuple[object, ...]], Callable[..., start_page.FirstPicture], bool
]
_KINDS: dict[str, _Kind] = {
    "replay": ("battles.replay:replay_page", _read_replay, start_page.first_of_replay, True),
    "scene": ("scene_page:scene_page", _read_scene, start_page.first_of_scene, True),
    "law": ("odds_page:law_page", _read_law, start_page.first_of_law, False),
    "sheets": ("sheet_page:sheet_page", _read_sheets, start_page.first_of_sheets, True),
    "batch": ("study_page:study_page", _read_study, start_page.first_of_study, False),
}
"""By kind: the page that shows a file, what reads it, what makes its first picture, and whether that is drawn."""
