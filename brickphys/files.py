"""Files: written whole or not at all; TOML read with its place in every error; names that ship go before them."""

import os
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.notes import NOTES


def is_shipped(name: str, known: Collection[str]) -> bool:
    """Tell whether something of this name ships; it goes before a file of that name, which is noted."""
    if name in known and Path(name).is_file():
        NOTES.info("%s is the one that ships; the file of that name is ./%s", name, name)
    return name in known


def write_whole(content: str | bytes, path: Path | str, *, force: bool = False) -> Path:
    """Write a file: first beside its place and to the disk, then renamed, so that it is never half there.

    Parameters
    ----------
    content
        What to write; text as UTF-8.
    path
        Where to; its folder must exist.
    force
        Replace a file that is there.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    InvalidValueError
        If a file is there and `force` is not given, or the place cannot be written to.
    """
    target = check_target(path, force=force)
    try:
        write_synced(content.encode() if isinstance(content, str) else content, target)
    except OSError as error:
        raise InvalidValueError(f"{target}: cannot be written: {error.strerror}") from None
    return target


def write_synced(data: bytes, target: Path) -> None:
    """Write a file whole or not at all, replacing one that is there; it survives a power cut once this returns.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left of it.
    """
    draft = _draft(target)
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(target.parent)


def make_folder(path: Path | str) -> Path:
    """Return a folder, made if it is not there; InvalidValueError if it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidValueError(f"{folder}: no folder can be made: {error.strerror}") from None
    return folder


def check_target(path: Path | str, *, force: bool = False) -> Path:
    """Return `path` if a file may be written there; ask before the work whose result goes there.

    Raises
    ------
    InvalidValueError
        If a file is there and `force` is not given, if a folder or a device is there, or if no file can be made in
        its folder.
    """
    if not str(path):
        raise InvalidValueError("the name of a file is empty")
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    if target.is_dir():
        raise InvalidValueError(f"{target}: is a folder, not a file")
    if target.exists() and not target.is_file():
        raise InvalidValueError(f"{target}: is a device or pipe, not a file")
    if target.exists() and not force:
        raise InvalidValueError(f"{target}: exists already; --force replaces it")
    if not target.parent.is_dir():
        raise InvalidValueError(f"{target}: its folder does not exist")
    try:
        _draft(target).touch()
    except OSError as error:
        raise InvalidValueError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        _draft(target).unlink(missing_ok=True)
    return target


def read_text(path: Path | str) -> str:
    """Return the text of a file in UTF-8, without the mark that some editors put before it.

    Raises
    ------
    InvalidValueError
        If the file cannot be read, or is no such text.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidValueError(f"{path}: is not UTF-8 text") from None


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Return the tables in a text; `name` begins the message of an error.

    Raises
    ------
    InvalidValueError
        If it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidValueError(f"{name}: not TOML: {error}") from None


def read_toml(path: Path | str) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises
    ------
    InvalidValueError
        If the file cannot be read or is no TOML.
    """
    return parse_toml(read_text(path), str(path))


def _sync_folder(folder: Path) -> None:
    """Let the new name of a file survive a power cut too, where folders can be synced."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _draft(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.part")
