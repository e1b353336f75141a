"""File kinds: recognizes files and folders by their content, and checks each kind."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brickphys.checks import Check
from brickphys.errors import InvalidValueError
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
from brickphys.schema import LOOKS_LIKE

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

    Raises
    ------
    InvalidValueError
        If it cannot be read.
    """
    if is_folder(path):
        _entries(path)
        return FileKind("batch", _batch)
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
    return next((kind for keys, kind in _TOML.items() if set(keys) <= set(tables)), None)


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


def _law(path: Path) -> Iterator[Check]:
    from brickphys.calibration.law_origin import checks

    return checks(path)


def _impact_law(path: Path) -> Iterator[Check]:
    from brickphys.projectiles.impact.law_checks import checks

    return checks(path)


def _replay(path: Path) -> Iterator[Check]:
    from brickphys.rules.replay.replay_checks import checks

    return checks(path)


def _batch(path: Path) -> Iterator[Check]:
    from brickphys.batch.report.checks import checks

    return checks(path)


def _measurements(path: Path) -> Any:
    from brickphys.calibration.measure.measurement_file import read_measurements

    return read_measurements(path)


def _study(path: Path) -> Any:
    from brickphys.batch.study.spec import find_spec

    return find_spec(path.resolve(), usual_seed=0)


def _scene(path: Path) -> Any:
    from brickphys.vehicles.scene_file import read_scene

    return read_scene(path)


def _body(path: Path) -> Any:
    from brickphys.calibration.throwers import thrown_body

    return thrown_body(str(path))


def _surface(path: Path) -> Any:
    from brickphys.throws.surfaces import surface

    return surface(str(path))


def _home_counts(path: Path) -> Any:
    from brickphys.calibration.home_counts import read_home_counts

    return read_home_counts(path)


def _film(path: Path) -> Any:
    from brickphys.calibration.measure.film_file import read_film

    return read_film(path, fps=1.0)


def _tosses(path: Path) -> Any:
    from brickphys.calibration.tosses.toss_file import read_tosses

    return read_tosses(path)


def _scenario(path: Path) -> Any:
    return read_by_game(path, lambda game: game.initial(game.read_setup(path)))


def _sheets(path: Path) -> Any:
    return read_by_game(path, lambda game: game.sheets(str(path)))


def _roster(path: Path) -> Any:
    return read_by_game(path, lambda game: game.read_roster(read_text(path), str(path)))


def read_by_game(path: Path, read: Callable[[Any], Any]) -> Any:
    """Read a file as the first game that can; the fault is that of the game that comes furthest: the fewest."""
    from brickphys.rules import registry

    faults = {}
    for name in registry.games():
        try:
            return read(registry.game(name))
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
    return fault.startswith(f"{path}: ") and not fault.startswith(f"{path}: {LOOKS_LIKE}")


def _number(fault: str) -> int:
    """Return how many faults a message lists, see `brickphys.text.listed`."""
    more = re.search(r"; and (\d+) more$", fault)
    return fault.count("; ") + (int(more[1]) if more else 1)


_JSON: Mapping[str, FileKind] = {
    "brickphys.law": FileKind("law", _law),
    "brickphys.impact_law": FileKind("impact law", _impact_law),
    "brickphys.replay": FileKind("replay", _replay),
}
_TOML: Mapping[tuple[str, ...], FileKind] = {
    ("schema",): _read("measurements", _measurements),
    ("players",): _read("scenario", _scenario),
    ("survivor",): _read("roster", _roster),
    ("move",): _read("scene", _scene),
    ("kind",): _read("study", _study),
    ("mesh",): _read("body", _body),
    ("model",): _read("body", _body),
    ("army",): _read("sheets", _sheets),
    ("weapon",): _read("sheets", _sheets),
    ("unit",): _read("sheets", _sheets),
    ("friction",): _read("surface", _surface),
}
"""Keys on top that only files of a kind have -> the kind."""
_CSV: Mapping[tuple[str, ...], FileKind] = {
    ("bricks", "score"): _read("home counts", _home_counts),
    ("throw", "frame"): _read("film", _film),
    ("initial_bottom_face",): _read("tosses", _tosses),
}
