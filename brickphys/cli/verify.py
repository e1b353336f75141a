"""Verify: checks that stored results follow from the data that they rest on.

Files and folders are recognized by their content, and each kind has its checks.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple, TypeVar

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import FILE, json_options, trust_option
from brickphys.cli.shared.output import echo, echo_text
from brickphys.errors import InvalidValueError, system_fault
from brickphys.notes import bar
from brickphys.reading import (
    MOST_COUNTS_BYTES,
    MOST_DATA_BYTES,
    MOST_MANIFEST_BYTES,
    MOST_RECORD_BYTES,
    MOST_SCENE_BYTES,
    decode,
    parse_json,
    parse_toml,
    read_bytes,
    read_rows,
    read_text,
)
from brickphys.rules import registry
from brickphys.stamp import NO_STAMP, TRUSTED, WARNING, Check
from brickphys.text import counted

T = TypeVar("T")


class _Found(NamedTuple):
    """A file, its kind, and what was found out about it."""

    path: Path
    kind: str
    checks: list[Check]


@click.command()
@click.argument("paths", metavar="FILE|DIR...", type=FILE, nargs=-1, required=True)
@trust_option
@json_options
def verify(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check laws, replays, saved games, batch folders and other files of brickphys, and list what was checked.

    Derived values in a file are computed again and compared. A replay is played. Values that cannot be checked are
    listed as "taken on trust". A stamp says whether the present sources, processor and versions computed the file.
    Another stamp is no error, and files of earlier versions have no stamp. The content decides the kind of a file. In
    a folder, every batch and every .json, .jsonl, .toml and .csv of a known kind is checked; the others are listed as
    skipped.

    The exit status is 0 if everything is right. It is 2 if there is an error, or nothing to check in a folder.

    \b
    Examples:
      brickphys verify mine.json
      brickphys verify duel.jsonl results
      brickphys verify . --json
    """
    found, passed_over = _found(paths)
    faulty = sum(any(check.fault for check in checks) for _, _, checks in found)
    told = f"{counted(len(found), 'file')}: "
    told += f"{faulty} with faults" if faulty else "all right"
    if warned := sum(any(check.what.startswith(WARNING) for check in one.checks) for one in found):
        told += f", {warned} with warnings"
    if passed_over:
        told += f", {len(passed_over):,} skipped"
    if as_json:
        output.print_json("verify", _document(found, passed_over, ok=not faulty))
    else:
        for path, kind, checks in found:
            echo_text(f"{path}: {kind}")
            for check in checks:
                echo_text(_line(check), "  ")
        for path in passed_over:
            echo_text(f"{path}: skipped: unknown kind of file")
    if faulty:
        raise InvalidValueError(told)
    if not as_json:
        echo(told)


def _found(paths: tuple[Path, ...]) -> tuple[list[_Found], list[Path]]:
    """Return what was found out about each file, and the files of no known kind below folders."""
    for path in paths:
        if not os.access(path, os.F_OK):
            raise InvalidValueError(f"{path}: there is no such file or folder")
    inner = {path: list(files_in(path)) for path in paths}
    files = dict.fromkeys(file for path in paths for file in inner[path])
    checked: dict[Path, _Found | None] = {}
    with bar("files") as advance:
        for number, file in enumerate(files, start=1):
            checked[file] = _checked(file)
            advance("verify", number, len(files))
    found = [one for one in checked.values() if one]
    found += [_nothing(path) for path in paths if not any(checked[file] for file in inner[path])]
    return found, [file for file, one in checked.items() if one is None and file not in paths]


def _checked(file: Path) -> _Found | None:
    """Return a file with its kind and what was found out about it; None if it is of no known kind."""
    try:
        kind = kind_of(file)
    except InvalidValueError as error:
        return _Found(file, "unknown", [_bare(file, Check("its content", str(error)))])
    if kind is None:
        return None
    return _Found(file, kind.name, [_bare(file, check) for check in _checks(kind, file)])


def _checks(kind: "FileKind", file: Path) -> "Iterator[Check]":
    """Yield what a kind finds out about a file; what stops it is a fault, and other files are checked all the same."""
    try:
        yield from kind.checks(file)
    except InvalidValueError as error:
        yield Check("all that is in it", str(error))
    except OSError as error:
        yield Check("all that is in it", system_fault(error))


def _bare(file: Path, check: "Check") -> "Check":
    """Return a check whose fault does not begin with the file: that is told before it."""
    if check.fault is None:
        return check
    fault, inner = check.fault, check.what.partition(":")[0]
    for place in (file, os.path.realpath(file), file / inner):
        fault = fault.removeprefix(f"{place}: ")
    return replace(check, fault=fault)


def _nothing(path: Path) -> _Found:
    """Return the fault of a path that holds nothing to check."""
    if path.is_dir():
        return _Found(path, "folder", [Check("files of brickphys", "there are none")])
    return _Found(path, "unknown", [Check("the kind of the file", "is not known to brickphys")])


def _line(check: "Check") -> str:
    if check.fault is not None:
        return f"fault: {check.what}: {check.fault}"
    return (
        check.what if check.what.startswith((TRUSTED, WARNING, NO_STAMP)) else f"ok: {check.what}"
    )


def _document(found: Sequence[_Found], passed_over: Sequence[Path], *, ok: bool) -> dict[str, Any]:
    return {
        "ok": ok,
        "passed_over": [str(path) for path in passed_over],
        "checks": [
            {"file": str(path), "kind": kind, "what": check.what, "fault": check.fault}
            for path, kind, checks in found
            for check in checks
        ],
    }


_OF_BATCHES = ("manifest.json", "journal.jsonl", "shards")
"""What only folders of batches hold together; any of these names alone may be that of another thing."""
_REPORT = "report"
"""The folder in that of a batch that is checked with it."""
_SUFFIXES = (".json", ".jsonl", ".toml", ".csv")
_SCHEMA = re.compile(r'"(brickphys\.[a-z_]+)/')
"""The value alone, so that a file whose key ``schema`` is damaged is read, and refused, as what it was."""
_HEAD = 100_000
"""Characters in which the schema of a JSON file is looked for."""


@dataclass(frozen=True)
class FileKind:
    """A kind of file or folder: its name, and the function that yields what is found out about one."""

    name: str
    checks: Callable[[Path], Iterator[Check]]


def files_in(path: Path) -> Iterator[Path]:
    """Yield a file itself, or what is to be looked at in a folder, in order: folders of batches, and files below.

    Left out are names that begin with a dot, links to a folder that was looked at before, and what is checked with the
    folder of a batch. A link that leads nowhere is an error, whatever its name.
    """
    waiting, seen = [path], set[str]()
    while waiting:
        here = waiting.pop()
        if not is_folder(here):
            yield here
            continue
        real = os.path.realpath(here)
        if real in seen:
            continue
        seen.add(real)
        own: tuple[str, ...] = ()
        if is_batch(here):
            yield here
            own = (*_OF_BATCHES, _REPORT)
        try:
            inner = _entries(here)
        except InvalidValueError:
            yield here  # `kind_of` tells the reason
            continue
        waiting += (one for one in inner if one.name not in own)


def _entries(folder: Path) -> list[Path]:
    """Return what is to be looked at in a folder, the last first."""
    try:
        with os.scandir(folder) as entries:
            found = [
                folder / entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False)
                or is_folder(entry)
                or entry.name.lower().endswith(_SUFFIXES)
                or (entry.is_symlink() and not os.path.exists(entry))  # noqa: PTH110
            ]
    except OSError as error:
        raise InvalidValueError(f"{folder}: cannot be read: {error.strerror}") from None
    return sorted((path for path in found if not path.name.startswith(".")), reverse=True)


def is_folder(path: "Path | os.DirEntry[str]") -> bool:
    """Tell whether a path is a folder; not if that cannot be found out, where `Path.is_dir` raises PermissionError."""
    return os.path.isdir(path)  # noqa: PTH112


def is_batch(folder: Path) -> bool:
    """Tell whether a folder is that of a batch: by the schema of its manifest, or by two of its names."""
    try:
        if sum((folder / name).exists() for name in _OF_BATCHES) > 1:
            return True
        head = read_bytes(folder / _OF_BATCHES[0], MOST_MANIFEST_BYTES)[:_HEAD]
    except (InvalidValueError, OSError):
        return False
    return b'"brickphys.batch/' in head


def kind_of(path: Path) -> FileKind | None:
    """Return the kind of a file, or of the folder of a batch; None if it is of no known kind.

    InvalidValueError if it cannot be read.
    """
    if is_folder(path):
        _entries(path)
        return _BATCH
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _kind_of_csv(path)
    is_toml = suffix == ".toml"
    text = decode(read_bytes(path, MOST_SCENE_BYTES if is_toml else MOST_DATA_BYTES), str(path))
    if is_toml:
        return _kind_of_toml(path, text)
    seen = (found[1] for found in _SCHEMA.finditer(text[:_HEAD]))
    kind = next((_JSON[schema] for schema in seen if schema in _JSON), None)
    return kind or _JSON.get("brickphys.replay" if suffix == ".jsonl" else _schema_in(text))


def _schema_in(text: str) -> str:
    """Return the schema of a JSON document, or of its first line, without its version; nothing if it has none."""
    for part in (text[:MOST_RECORD_BYTES], text.lstrip().partition("\n")[0]):
        with suppress(InvalidValueError):
            document = parse_json(part, "")
            schema = document.get("schema") if isinstance(document, dict) else None
            return str(schema).partition("/")[0]
    return ""


def _kind_of_toml(path: Path, text: str) -> FileKind | None:
    try:
        tables = parse_toml(text, str(path))
    except InvalidValueError:
        return _read("TOML", lambda path: parse_toml(text, str(path)))
    return next((kind for key, kind in _TOML.items() if key in tables), None)


def _kind_of_csv(path: Path) -> FileKind | None:
    rows = ({name.strip().lower() for name in row} for _, row in read_rows(path, MOST_COUNTS_BYTES))
    header = next((row for row in rows if row - {""}), set())
    return next((kind for names, kind in _CSV.items() if set(names) <= header), None)


def _read(name: str, reader: Callable[[Path], Any]) -> FileKind:
    """Return a kind of which nothing but what its reader finds is checked."""

    def checks(path: Path) -> Iterator[Check]:
        try:
            reader(path)
        except InvalidValueError as error:
            yield Check(f"{name}: keys, values and what they mean", str(error))
        else:
            yield Check(f"{name}: keys, values and what they mean")

    return FileKind(name, checks)


def read_by_game(path: Path, read: Callable[[Any, Path], T]) -> T:
    """Read a file as the first game that can; the fault is that of the game that comes furthest: the fewest."""
    faults = {}
    for name in registry.games():
        try:
            return read(registry.game(name), path)
        except InvalidValueError as error:
            faults[name] = str(error)
    about = {name: fault for name, fault in faults.items() if _is_about(path, fault)} or faults
    if not about:
        raise InvalidValueError("there are no games")
    nearest = min(about, key=lambda name: _number(about[name]))
    fault = about[nearest].removeprefix(f"{path}: ")
    raise InvalidValueError(f"{path}: as a file of {nearest}: {fault}")


def _is_about(path: Path, fault: str) -> bool:
    """Tell whether a game took the file for one of its own: other ones have no such files, or say whose it may be."""
    from brickphys.schema import LOOKS_LIKE

    return fault.startswith(f"{path}: ") and not fault.startswith(f"{path}: {LOOKS_LIKE}")


def _number(fault: str) -> int:
    """Return how many faults a message lists, see `brickphys.text.listed`."""
    more = re.search(r"; and (\d+) more$", fault)
    return fault.count("; ") + (int(more[1]) if more else 1)


def _by(
    place: str, form: Callable[[Path], object] = lambda path: path, **how: Any
) -> Callable[[Path], Any]:
    """Return the function at ``module:name`` of a path in some form; it is loaded when a file needs it."""
    return lambda path: resolve_name(f"brickphys.{place}")(form(path), **how)


def _by_game(name: str, read: Callable[[Any, Path], Any]) -> FileKind:
    """Return a kind of files that each game reads by itself."""
    return _read(name, partial(read_by_game, read=read))


_BATCH = FileKind("batch", _by("batch.report.report:checks"))
_BODY = _read("body", _by("calibration.throwers:thrown_body", str))
_SHEETS = _by_game("sheets", lambda game, path: game.sheets(str(path)))
_JSON: Mapping[str, FileKind] = {
    "brickphys.law": FileKind("law", _by("calibration.law_origin:checks")),
    "brickphys.impact_law": FileKind("impact law", _by("projectiles.measure:checks")),
    "brickphys.replay": FileKind("replay", _by("rules.replay:checks")),
}
_TOML: Mapping[str, FileKind] = {
    "schema": _read("measurements", _by("calibration.measure.measurement_file:read_measurements")),
    "players": _by_game("scenario", lambda game, path: game.initial(game.read_setup(path))),
    "survivor": _by_game("roster", lambda game, path: game.read_roster(read_text(path), str(path))),
    "move": _read("scene", _by("vehicles.scene_file:read_scene")),
    "kind": _read("study", _by("batch.spec:find_spec", Path.resolve, usual_seed=0)),
    **dict.fromkeys(("mesh", "model"), _BODY),
    **dict.fromkeys(("army", "weapon", "unit"), _SHEETS),
    "friction": _read("surface", _by("throws.conditions:surface", str)),
}
"""Key on top that only files of a kind have -> the kind."""
_CSV: Mapping[tuple[str, ...], FileKind] = {
    ("bricks", "score"): _read("home counts", _by("calibration.home_counts:read_home_counts")),
    ("throw", "frame"): _read("film", _by("calibration.measure.film:read_film", fps=1.0)),
    ("initial_bottom_face",): _read(
        "tosses", _by("calibration.experiments.toss_tracks:read_tosses")
    ),
}
