"""Reading: reads files, text, TOML, JSON and CSV, with limits that keep parsers fast and small.

Nothing but InvalidValueError is raised: one line with the name of the file, the fault and the limit.
"""

import csv
import gzip
import io
import json
import math
import os
import re
import stat
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.text import KeyPath, key_path, shown

CsvRow = tuple[int, list[str]]
"""The number of a line, from 1, and the cells of the row that ends there."""


class Size(int):
    """The most bytes of a file of one kind; `way_out` says how a user with more can do the same work."""

    way_out: str

    def __new__(cls, most_bytes: int, way_out: str) -> "Size":
        """Return the number with its way out."""
        size = super().__new__(cls, most_bytes)
        size.way_out = way_out
        return size


MOST_BYTES = Size(500_000, "it should be a few kB: is it the right file?")
"""Size of a law, and of the description of one thing (a body, a surface, measurements)."""
MOST_SETUP_BYTES = Size(4_000_000, "leave out what no unit of the battle uses")
"""Size of a scenario or of a file of sheets: 2,000 units, each with its own sheet, take 1 MB."""
MOST_STUDY_BYTES = Size(
    16_000_000, "write values at equal steps as {from = ..., to = ..., step = ...}, or split it"
)
"""Size of a study."""
MOST_SCENE_BYTES = Size(64_000_000, "write fewer digits, or leave out what the move cannot reach")
"""Size of a scene: 200,000 things with all digits."""
MOST_RECORD_BYTES = Size(30_000_000, "no game is so long: is it the right file?")
"""Size of a replay."""
MOST_MANIFEST_BYTES = Size(100_000_000, "split the study, or name fewer files in it")
"""Size of the manifest of a batch: a study with all files that it names."""
MOST_TABLE_BYTES = Size(10_000_000, "split it: each file with some of its rows")
"""Size of a CSV file whose rows are all kept: some 50,000 tosses."""
MOST_FILM_BYTES = Size(64_000_000, "split it: each file with all rows of some throws")
"""Size of a film, of which one throw is kept as text at once: 70,000 throws of 30 frames."""
MOST_COUNTS_BYTES = Size(100_000_000, "count equal hands in a column 'hands'")
"""Size of a CSV file whose rows are counted as they are read."""
MOST_MESH_BYTES = Size(200_000_000, "simplify the mesh")
"""Size of a mesh."""
MOST_DATA_BYTES = Size(50_000_000, "cut it to what is measured")
"""Size of any other file: a recording, tracks."""
MOST_JOURNAL_BYTES = 4_000_000_000
"""Size of the journal of a batch, which is read line by line: some twenty million lines."""
MOST_LINE_BYTES = 1_000_000
"""Size of one of its lines; with all the cells that share a shard it has some 40 kB."""
MOST_DEPTH = 20
"""Tables and arrays within each other, and parts of a dotted key."""
MOST_VALUES = 1_000_000
"""Values of a JSON document."""
MOST_DIGITS = 1000
"""Digits of a number as it is written."""
LARGEST_INTEGER = 2**63 - 1
"""TOML's own limit; such an integer fits into an array, and its conversion to a float is finite."""

_TOML_TEXTS = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+",
    re.DOTALL,
)
"""Strings and comments, in which brackets, dots and digits mean nothing."""
_JSON_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NO_BRACKETS = re.compile(r"[^][{}]++")
_SQUARE = str.maketrans("{}", "[]")
_LONG_NUMBER = re.compile(rf"(?<![\w-])[+-]?[0-9][0-9_.]{{{MOST_DIGITS},}}")
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MOST_DEPTH}}}")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_NO_CHARACTERS = "an invalid character: NUL, or half of a surrogate pair"
_TOO_DEEP = f"more than {MOST_DEPTH} tables or arrays within each other"
_LINE_END = re.compile("\r\n?")


def read_bytes(path: Path | str, most_bytes: int = MOST_DATA_BYTES) -> bytes:
    """Return the content of a file, or of a pipe that something writes to.

    InvalidValueError if it cannot be read, is a device, or has more than `most_bytes` bytes.
    """
    try:
        found = Path(path).stat()
        if stat.S_ISFIFO(found.st_mode):
            content = _piped(path, most_bytes)
        elif found.st_size > most_bytes:
            raise _too_large(str(path), most_bytes)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):  # a folder says so itself
            with Path(path).open("rb") as file:
                content = file.read(most_bytes + 1)  # it may grow
        else:
            raise InvalidValueError(f"{path}: is a device, not a file")
    except OSError as error:
        raise InvalidValueError(f"{path}: cannot be read: {error.strerror}") from None
    except InvalidValueError:
        raise
    except ValueError as error:  # of a name with a NUL character, or half of a pair
        raise InvalidValueError(f"{str(path)!r}: cannot be read: {error}") from None
    if len(content) > most_bytes:
        raise _too_large(str(path), most_bytes)
    return content


def _piped(path: Path | str, most_bytes: int) -> bytes:
    """Return what is written to a pipe; without a writer, opening it the usual way would wait for ever."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(number, "rb") as pipe:
        first = pipe.raw.read(1)  # None if there is a writer, but nothing yet
        if first == b"":
            raise InvalidValueError(f"{path}: is a pipe that nothing writes to")
        os.set_blocking(number, True)
        return (first or b"") + pipe.read(most_bytes + 1)


def _too_large(name: str, most_bytes: int) -> InvalidValueError:
    way_out = f"; {most_bytes.way_out}" if isinstance(most_bytes, Size) else ""
    return InvalidValueError(f"{name}: larger than {most_bytes / 1e6:g} MB{way_out}")


def read_lines(path: Path | str, most_bytes: int = MOST_LINE_BYTES) -> Iterator[bytes]:
    """Yield the lines of a file with their ends, the last one perhaps without; only one is in memory at once.

    A file has at most `MOST_JOURNAL_BYTES` bytes, a line `most_bytes`. One whose name ends in .gz is unpacked.
    InvalidValueError if it cannot be read, or it or a line exceeds a limit of this module.
    """
    try:
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size > MOST_JOURNAL_BYTES:
                raise _too_large(str(path), MOST_JOURNAL_BYTES)
            is_packed = Path(path).suffix.lower() == ".gz"
            plain: Any = gzip.GzipFile(fileobj=file) if is_packed else file
            lines = iter(lambda: plain.readline(most_bytes + 1), b"")
            for number, line in enumerate(lines, start=1):
                if len(line) > most_bytes:
                    raise _too_large(f"{path}: line {number}", most_bytes)
                if is_packed and plain.tell() > MOST_JOURNAL_BYTES:
                    raise _too_large(f"{path}: unpacked", MOST_JOURNAL_BYTES)
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InvalidValueError(f"{path}: not a whole gzip file: {error}") from None
    except OSError as error:
        raise InvalidValueError(f"{path}: cannot be read: {error.strerror}") from None


def decode(content: bytes, name: str) -> str:
    """Return UTF-8 bytes as text without a byte order mark; ends of line stay as they are.

    InvalidValueError if the bytes are not UTF-8 or have a NUL character; the message names the line.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InvalidValueError(f"{name}: line {line}: is not UTF-8 text") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InvalidValueError(f"{name}: line {line}: is not text: it has a NUL character")
    return text


def read_text(path: Path | str, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of a UTF-8 file, without a byte order mark, each end of line as one character.

    InvalidValueError as `read_bytes` and `decode`.
    """
    return as_text(read_bytes(path, most_bytes), str(path))


def as_text(content: bytes, name: str) -> str:
    """Return the text of the bytes of a file, as `read_text`."""
    return _LINE_END.sub("\n", decode(content, name))


def shipped_text(entry: Traversable) -> str:
    """Return the text of a file of a package."""
    return decode(entry.read_bytes(), entry.name)


def shipped_toml(entry: Traversable) -> dict[str, Any]:
    """Return the tables of a TOML file of a package."""
    return parse_toml(shipped_text(entry), entry.name)


def read_toml(path: Path | str, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Return the tables of a TOML file; InvalidValueError as `read_text` and `parse_toml`."""
    return parse_toml(read_text(path, most_bytes), str(path))


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML text; error messages start with `name`.

    InvalidValueError if the text is not TOML, is larger than a file of any kind may be, or exceeds a limit of this
    module.
    """
    if len(text) > MOST_SCENE_BYTES:
        raise _too_large(name, MOST_SCENE_BYTES)
    bare = _TOML_TEXTS.sub("s", text)
    _check_bare(bare, name)
    if any(line.count(".") >= MOST_DEPTH and _DEEP_KEY.search(line) for line in bare.split("\n")):
        raise InvalidValueError(f"{name}: a dotted key of more than {MOST_DEPTH} parts")
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(f"{name}: not TOML: {error}") from None
    _check_values(tables, name, _value_fault)  # nan and inf are TOML: the schemas refuse them
    return tables


def read_json(path: Path | str, most_bytes: int = MOST_BYTES) -> Any:
    """Return the value of a JSON file; InvalidValueError as `read_text` and `parse_json`."""
    return parse_json(read_text(path, most_bytes), str(path))


def parse_json(text: str, name: str) -> Any:
    """Return the value of a JSON text; error messages start with `name`.

    InvalidValueError if the text is not JSON, has a key twice in an object, NaN or an infinity, is larger than a file
    of any kind may be, or exceeds a limit of this module.
    """
    if len(text) > MOST_MANIFEST_BYTES:
        raise _too_large(name, MOST_MANIFEST_BYTES)
    bare = _JSON_TEXTS.sub("s", text)
    if bare.count(",") >= MOST_VALUES:
        raise InvalidValueError(f"{name}: more than {MOST_VALUES:,} values")
    _check_bare(bare, name)
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(f"{name}: not JSON: {error}") from None
    _check_values(value, name, _json_fault)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {shown(twice)} is there twice")
    return made


def read_rows(path: Path | str, most_bytes: int = MOST_TABLE_BYTES) -> Iterator[CsvRow]:
    """Yield the rows of a CSV file, see `parse_csv`; only its bytes are in memory at once.

    InvalidValueError as `read_text` and `parse_csv`.
    """
    content = read_bytes(path, most_bytes)
    yield from _rows(_lines(content, str(path)), str(path))


def _lines(content: bytes, name: str) -> Iterator[str]:
    try:
        for line in io.TextIOWrapper(io.BytesIO(content), "utf-8-sig"):
            if "\0" in line:
                decode(content, name)
            yield line
    except UnicodeDecodeError:
        decode(content, name)


def parse_csv(text: str, name: str) -> Iterator[CsvRow]:
    """Yield the rows of a CSV text, each with the number of its last line, from 1; messages start with `name`.

    InvalidValueError if the text is not CSV.
    """
    return _rows(io.StringIO(text), name)


def _rows(lines: Iterable[str], name: str) -> Iterator[CsvRow]:
    reader = csv.reader(lines)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InvalidValueError(
            f"{name}: not a CSV file: line {reader.line_num}: {error}"
        ) from None


def _check_bare(bare: str, name: str) -> None:
    """Refuse depth and digits that a parser should not see, in a text without strings and comments."""
    brackets = _NO_BRACKETS.sub("", bare).translate(_SQUARE)
    for _ in range(MOST_DEPTH):
        brackets = brackets.replace("[]", "")
    if "[]" in brackets or brackets.count("[") > MOST_DEPTH:
        raise InvalidValueError(f"{name}: {_TOO_DEEP}")
    if any(len(line) > MOST_DIGITS and _LONG_NUMBER.search(line) for line in bare.split("\n")):
        raise InvalidValueError(f"{name}: a number of more than {MOST_DIGITS} digits")


def _check_values(document: Any, name: str, fault_of: Callable[[Any], str | None]) -> None:
    """Refuse values that are too deep, too large, not finite, or text with a character that is none."""
    containers: list[tuple[KeyPath, Any]] = [((), [document])]
    while containers:
        path, container = containers.pop()
        entries = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in entries:
            fault = fault_of(key) or fault_of(value)
            if isinstance(value, (dict, list)):
                containers.append(((*path, key), value))
                fault = fault or (_TOO_DEEP if len(path) > MOST_DEPTH else None)
            if fault:
                place = key_path((*path, key)[1:])
                raise InvalidValueError(": ".join(part for part in (name, place, fault) if part))


def _value_fault(value: Any) -> str | None:
    """Return the fault of a key or of a value that is no table and no array."""
    if isinstance(value, str):
        return f"{shown(value)} has {_NO_CHARACTERS}" if _NO_CHARACTER.search(value) else None
    if isinstance(value, int):
        return f"an integer beyond {LARGEST_INTEGER}" if abs(value) > LARGEST_INTEGER else None
    return None


def _json_fault(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a finite number"
    return _value_fault(value)
