"""Files: atomic writing, fingerprints, names of shipped files, and sealed lines.

In a chain of JSON Lines every line has a checksum of its content and of the line before it. A line that was edited,
lost, moved or added is found without any other source. The checks guard against accidents and careless edits, not
against forgery.
"""

import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.notes import NOTES
from brickphys.reading import read_bytes, shipped_toml

_DRAFT = ".part"
"""End of the names of temporary files."""
_CHECK_BYTES = 32
"""Length of the digest before what is cached."""
_drafts: set[Path] = set()
"""Those that are being written."""


def is_there(name: Path | str) -> bool:
    """Return whether a file or folder has this name; False, too, in a folder that this user may not read."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def is_shipped(name: str, known: Collection[str]) -> bool:
    """Return whether `name` is a shipped one; a note says so if a file of that name is in the current folder."""
    if name in known and is_there(name) and Path(name).is_file():
        NOTES.info("%s: the shipped one is used; the file of that name is ./%s", name, name)
    return name in known


def write_whole(content: str | bytes, path: Path | str, *, force: bool = False) -> Path:
    """Write a file atomically, see `write_synced`; return its path, or that of its target if it is a symbolic link.

    InvalidValueError if the file exists and `force` is not given, or it cannot be written.

    Parameters
    ----------
    content
        Bytes, or text that is written as UTF-8.
    path
        Path of the file; its folder must exist.
    force
        Replace an existing file.
    """
    target = check_target(path, force=force)
    try:
        _replace(content.encode() if isinstance(content, str) else content, target)
    except OSError as error:
        raise InvalidValueError(f"{target}: cannot be written: {error.strerror}") from None
    try:
        sync_folder(target.parent)
    except OSError as error:
        NOTES.warning("%s is written, but a power cut may undo it: %s", target, error.strerror)
    return target


def write_synced(data: bytes, target: Path) -> None:
    """Write a file atomically: write and sync a temporary file beside it, then rename it to `target`.

    An existing file is replaced. Once this returns, the file survives a power cut. Raises OSError if the file cannot be
    written (then the temporary file is removed and an existing file is unchanged), or if its folder cannot be synced
    after that.
    """
    _replace(data, target)
    sync_folder(target.parent)


def _replace(data: bytes, target: Path) -> None:
    """Write a temporary file, sync it, and rename it to `target`."""
    draft = _draft(target)
    _drafts.add(draft)
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with suppress(OSError):  # the error is told; the next check of the target removes the draft
            draft.unlink()
        raise
    finally:
        _drafts.discard(draft)


def remove_drafts() -> None:
    """Remove the temporary files of this process, which is about to end."""
    for draft in tuple(_drafts):
        with suppress(OSError):
            draft.unlink()


def make_folder(path: Path | str) -> Path:
    """Return the path of a folder; make the folder if it does not exist, so that it survives a power cut.

    InvalidValueError if it cannot be made.
    """
    folder = _named(path)
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(folder.parent)
    except OSError as error:
        raise InvalidValueError(f"{folder}: the folder cannot be made: {error.strerror}") from None
    return folder


def cache_folder() -> Path:
    """Return the folder for what this user need not compute again; it may not exist, and then be none that can."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (root if root.is_absolute() else Path.home() / ".cache") / "brickphys"
    except RuntimeError:  # there is no home
        return Path(os.devnull) / "brickphys"


def cached(name: str) -> bytes | None:
    """Return what `cache` has kept under a name; None if it is not there, damaged, or where others may write."""
    path = cache_folder() / name
    with suppress(InvalidValueError):
        content = read_bytes(path)
        check, content = content[:_CHECK_BYTES], content[_CHECK_BYTES:]
        if sha256(content).digest() == check and stranger_in(path.parent) is None:
            return content
    return None


def cache(name: str, content: bytes, most: int) -> None:
    """Keep bytes under a name, such as ``hulls/x``, and no more than `most` in its folder; nothing if that fails."""
    path = cache_folder() / name
    with suppress(OSError, InvalidValueError):
        remove_oldest(make_folder(path.parent), path.suffix, most)
        write_synced(sha256(content).digest() + content, path)


def stranger_in(folder: Path) -> Path | None:
    """Return the folder, or one around it, into which others may write; None if none.

    A group of one's own, which has the user's number, is nobody else. Around the folder, others may write where they
    cannot replace what is not theirs (the sticky bit).
    """
    if not hasattr(os, "geteuid"):
        return None
    user, inner = os.geteuid(), folder.resolve()
    if inner.exists():
        found = inner.stat()
        by_group = found.st_mode & stat.S_IWGRP and found.st_gid != user
        if found.st_uid != user or by_group or found.st_mode & stat.S_IWOTH:
            return inner
    modes = {place: place.stat().st_mode for place in inner.parents if place.exists()}
    return next((one for one, mode in modes.items() if _is_replaceable(mode)), None)


def _is_replaceable(mode: int) -> bool:
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def by_age(paths: Iterable[Path]) -> list[Path]:
    """Return files, the oldest first."""
    dated = list[tuple[float, Path]]()
    for path in paths:
        with suppress(OSError):  # another program has just removed it
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated)]


def remove_oldest(folder: Path, ending: str, most: int) -> None:
    """Remove the oldest files of a folder with an ending, so that a further one makes no more than `most`."""
    for old in by_age(folder.glob(f"*{ending}"))[: 1 - most]:
        with suppress(OSError):
            old.unlink()


def _named(path: Path | str) -> Path:
    """Return a path; InvalidValueError if no file or folder can have this name."""
    try:
        if b"\0" not in os.fsencode(path):
            return Path(path)
    except UnicodeEncodeError:  # half of a pair
        pass
    raise InvalidValueError(f"{str(path)!r}: no file can have this name")


def check_target(path: Path | str, *, force: bool = False) -> Path:
    """Return `path`, its symbolic link resolved, if a file may be written there; call it before long work starts.

    InvalidValueError if the file exists and `force` is not given, if the path is a folder, device or pipe, or a
    symbolic link to itself, or if no file can be made in its folder.
    """
    if not str(path):
        raise InvalidValueError("the name of a file is empty")
    path = _named(path)
    target = Path(os.path.realpath(path)) if Path(path).is_symlink() else Path(path)
    if target.is_symlink():
        raise InvalidValueError(f"{target}: is a symbolic link that leads to itself")
    if target.is_dir():
        raise InvalidValueError(f"{target}: is a folder, not a file")
    if target.exists() and not target.is_file():
        raise InvalidValueError(f"{target}: is a device or pipe, not a file")
    if target.exists() and not force:
        raise InvalidValueError(
            f"{target}: exists already; --force replaces it (from Python force=True)"
        )
    if not target.parent.is_dir():
        raise InvalidValueError(f"{target}: there is no folder {target.parent}")
    _remove_lost_drafts(target)
    draft = _draft(target)
    try:
        draft.touch()
        draft.unlink()
    except OSError as error:
        raise InvalidValueError(f"{target}: cannot be written: {error.strerror}") from None
    return target


def fingerprint(path: Path | str) -> str:
    """Return the SHA-256 of a file's content in hexadecimal; InvalidValueError if it cannot be read."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a new file name in it survives a power cut (Windows cannot)."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _draft(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}{_DRAFT}")


def _remove_lost_drafts(target: Path) -> None:
    """Remove the temporary files that killed processes have left beside a file."""
    start = f".{target.name}."
    with suppress(OSError):
        for entry in target.parent.iterdir():
            writer = entry.name.removeprefix(start).removesuffix(_DRAFT)
            if entry.name == f"{start}{writer}{_DRAFT}" and writer.isdecimal() and _is_gone(writer):
                entry.unlink()


def _is_gone(process: str) -> bool:
    """Return whether no process of this machine has a number."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def shipped_tables(package: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML file in the folder ``data`` of a package, by its name without ending."""
    return shipped_toml(files(package) / "data" / f"{name}.toml")


CHECK = "check"
"""Key of the check."""
START = ""
"""The check before the first line."""
_DIGITS = 16


def digest(text: str) -> str:
    """Return 16 hexadecimal digits that tell texts apart."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def sealed(before: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a line with its check; TypeError, ValueError if the content is no JSON.

    Parameters
    ----------
    before
        Check of the line before, or `START`.
    body
        The content.
    """
    return {**body, CHECK: _check(before, body)}


def is_sealed(before: str, content: Mapping[str, Any]) -> bool:
    """Return whether a line, as `content_of` reads it, follows the line with the check `before`."""
    body = {key: value for key, value in content.items() if key != CHECK}
    return bool(content[CHECK] == _check(before, body))


def written(content: Mapping[str, Any]) -> str:
    """Return a line without its end."""
    return json.dumps(content, allow_nan=False)


def content_of(line: str) -> dict[str, Any] | None:
    """Return the content of a line without its end; None if it was not `written` or has no check."""
    try:
        content = json.loads(line)
        again = written(content)
    except (ValueError, RecursionError):  # ValueError: also NaN, and numbers of thousands of digits
        return None
    is_checked = isinstance(content, dict) and isinstance(content.get(CHECK), str)
    return content if is_checked and again == line else None


def _check(before: str, body: Mapping[str, Any]) -> str:
    return digest(f"{before}\n{written(body)}")
