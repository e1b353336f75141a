"""Tables: the games of this server that people play on several machines, as they are kept on its disk.

Each change of a table is kept, so a table goes on after the server was stopped. The files have the keys of all seats
and all that is hidden: nobody else may read them. A file that was changed by anything else is refused.
"""

import hmac
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brickphys.battles.players import installed_players
from brickphys.battles.start import GameStart, keep_private, state_folder, title_of
from brickphys.battles.table import Table, is_same_key, parse_clock, table_name
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_RECORD_BYTES, read_json
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup
from brickphys.seeds import chosen_root
from brickphys.text import as_title
from brickphys.view.app.access import TABLE, kept_token

WATCH = "to watch"
"""The words for the place of who watches."""
_MOST_KEPT = 500
"""Tables on disk; those that were changed last stay."""

_open: dict[str, Table] = {}
_kept: dict[str, tuple[int, int]] = {}
"""By the name of a table, its file as this server knows it (see `_version`)."""


def links(table: Table) -> dict[str, str]:
    """Return the paths of all seats, and of the place of who watches, by words for people."""
    seats = {table.player_name(n): TABLE + key for n, key in enumerate(table.keys) if key}
    return seats | {WATCH: TABLE + table.watch_key}


def laid_table(
    game: AnyGame, setup: Setup, players: str, clock: str = "", called: Sequence[str] = ()
) -> dict[str, str]:
    """Open a new table, whose rolls nobody can foresee, and return its `links`.

    Raises InvalidValueError if a name or the clock is wrong.

    Parameters
    ----------
    game, setup, players
        As for `OngoingGame`.
    clock
        See `parse_clock`; empty for none.
    called
        By player, what people are called at a board of a tournament; empty if they say so themselves.
    """
    installed_players(players, "the game")
    start = GameStart(setup, chosen_root(None))
    table = Table.of(game, start, players, parse_clock(clock) if clock else None)
    table.is_official = bool(called)
    for player, name in enumerate(called):
        table.call(player, name)
    _open[table.name] = table
    keep(table)
    return links(table)


def keep(table: Table) -> None:
    """Keep a table as it is now.

    Raises InvalidValueError if no file can be written, or another server has kept the table since; it is read from disk
    then when it is asked for again.
    """
    folder = state_folder("tables")
    content = json.dumps(table.document(), separators=(",", ":"))
    if folder is None:
        return
    if len(content) > MOST_RECORD_BYTES:
        raise InvalidValueError("This table is too long to be kept: it ends when the server does.")
    sealed, path = json.dumps([_seal(content), content]).encode(), folder / f"{table.name}.json"
    if (now := _version(path)) is not None and now != _kept.get(table.name):
        _open.pop(table.name, None)
        raise InvalidValueError("This table goes on at another server: load this page again.")
    try:
        keep_private(path, sealed, _MOST_KEPT)
    except InvalidValueError as error:
        raise InvalidValueError(f"This table is not kept: {error}.") from None
    _note(table.name, path)


def find_table(key: str) -> Table:
    """Return the table of a key, opened from disk if need be; it takes a moment then.

    Raises InvalidValueError if the key is of no table, or its file was changed by something else.
    """
    name = table_name(key)
    if name not in _open:
        if (path := _path(key)) is None:
            raise InvalidValueError("There is no such table here any more: make a new one.")
        _note(name, path)
        _open.setdefault(name, Table.from_document(_unsealed(path)))
    _open[name].player_of(key)
    return _open[name]


def close(table: Table) -> None:
    """Leave a table to the disk, if it is kept there."""
    if state_folder("tables") is not None and _open.get(table.name) is table:
        del _open[table.name]


def is_key(key: str) -> bool:
    """Whether a key is of a seat at a table here, or of who watches; no game is played back for that.

    InvalidValueError if the file of its table was changed by something else.
    """
    if (table := _open.get(table_name(key))) is not None:
        keys = [*table.keys, table.watch_key]
    elif (path := _path(key)) is not None:
        found = _unsealed(path)
        keys = [*found["keys"], found["watch_key"]]
    else:
        return False
    return any(one and is_same_key(key, one) for one in keys)


def open_tables() -> list[Table]:
    """Return the tables that are open, the last one first."""
    return [*_open.values()][::-1]


def told() -> list[dict[str, Any]]:
    """Return the tables that go on: who plays what, and the `links`."""
    return [
        {"title": f"{as_title(one.ongoing.game.name)}, {_title(one)}", "links": links(one)}
        for one in open_tables()
        if not one.is_over
    ]


def _title(table: Table) -> str:
    return title_of(table.ongoing.game, table.ongoing.start.setup) or "an own scenario"


def _path(key: str) -> Path | None:
    """Return the file of the table of a key; None if there is none. What a visitor has sent is never part of a path."""
    folder = state_folder("tables")
    known = {path.stem: path for path in folder.glob("*.json")} if folder else {}
    return known.get(table_name(key))


def _version(path: Path) -> tuple[int, int] | None:
    """Return what differs after each writing of a file, which replaces it; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _note(name: str, path: Path) -> None:
    """Note that the file of a table is as this server has it."""
    if (now := _version(path)) is not None:
        _kept[name] = now


def _unsealed(path: Path) -> dict[str, Any]:
    wrong = InvalidValueError(
        "The file of this table was changed or is damaged: it goes on no more."
    )
    try:
        seal, content = read_json(path, MOST_RECORD_BYTES)
        if not hmac.compare_digest(str(seal), _seal(str(content))):
            raise wrong
        found = json.loads(content)
    except (ValueError, TypeError):
        raise wrong from None
    if not isinstance(found, dict):
        raise wrong
    return found


def _seal(content: str) -> str:
    """Return what only a program that may read the token of this user can write."""
    return hmac.digest(kept_token().encode(), content.encode(), "sha256").hex()
