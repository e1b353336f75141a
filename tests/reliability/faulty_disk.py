"""A disk that fails: the n-th thing that a program asks of a folder does not happen, or the power goes."""

import builtins
import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import util
from pathlib import Path
from typing import Any
from unittest.mock import patch

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
"""A full disk, a broken one, and one that may not be written."""
_CALLS = ("open", "replace", "rename", "unlink", "remove", "mkdir", "rmdir")
"""The functions of `os` that name a file."""


class PowerCut(BaseException):
    """The machine stands still: nothing more is done, and no handler of an error reaches the disk."""


Fault = Callable[[int], BaseException | None]
"""The error of the n-th thing that is asked, counted from 1; None if it is done."""


def fails(at: int, number: int, *, for_ever: bool = False) -> Fault:
    """Return the fault of one call, or of it and all that follow."""

    def error(count: int) -> OSError | None:
        hit = count >= at if for_ever else count == at
        return OSError(number, os.strerror(number)) if hit else None

    return error


def power_fails(at: int) -> Fault:
    """Return the fault of a machine that stops at one call."""
    return lambda count: PowerCut() if count >= at else None


def works(_count: int) -> None:
    """Let everything be done."""


class FaultyDisk:
    """What a program asks of the files below a folder: counted, refused as `fault` says, and remembered.

    Reading and writing of open files, their sync, names made, replaced and removed, folders made, and processes that
    are started are counted; files elsewhere (the package, caches) are left alone.

    Attributes
    ----------
    asked
        What was asked so far, in order.
    """

    def __init__(self, folder: Path, fault: Fault = works) -> None:
        self.folder, self.fault = folder.resolve(), fault
        self.asked: list[str] = []
        self.injected = 0
        self._synced: dict[int, bytes] = {}
        self._names: dict[Path, dict[str, int]] = {}
        for path in [self.folder, *self.folder.rglob("*")]:
            self._sync(path)

    def ask(self, what: str) -> None:
        """Count a call; raise its fault."""
        self.asked.append(what)
        if error := self.fault(len(self.asked)):
            self.injected += 1
            raise error

    def has(self, path: Any) -> bool:
        """Return whether a path is one of this disk."""
        if not isinstance(path, str | os.PathLike):
            return False
        found = Path.cwd() / path
        return found == self.folder or self.folder in found.parents

    @contextmanager
    def mounted(self) -> Iterator["FaultyDisk"]:
        """Let all of this process use the disk while the block runs."""
        with ExitStack() as stack:
            for name in _CALLS:
                stack.enter_context(patch.object(os, name, self._named(name)))
            for name in ("fsync", "fdatasync"):
                stack.enter_context(patch.object(os, name, self._fsync(getattr(os, name))))
            opened = self._opened(io.open)
            stack.enter_context(patch.object(io, "open", opened))
            stack.enter_context(patch.object(builtins, "open", opened))
            spawned = self._spawned(util.spawnv_passfds)
            stack.enter_context(patch.object(util, "spawnv_passfds", spawned))
            yield self

    def lose_power(self, to: Path, *, names_stay: bool) -> None:
        """Make the folder that a machine finds after a power cut: what was not synced is lost.

        Parameters
        ----------
        to
            Where it is made.
        names_stay
            Names are as they were last, and only what was written into the files is lost; otherwise names that were
            made, replaced or removed since their folder was synced are as they were then.
        """
        self._rebuild(self.folder, to, names_stay=names_stay)

    def _rebuild(self, folder: Path, to: Path, *, names_stay: bool) -> None:
        to.mkdir()
        names = _entries(folder) if names_stay else self._names.get(folder, {})
        for name, inode in names.items():
            path = folder / name
            if path in self._names or path.is_dir():
                self._rebuild(path, to / name, names_stay=names_stay)
            else:
                (to / name).write_bytes(self._synced.get(inode, b""))

    def _sync(self, path: Path) -> None:
        if path.is_dir():
            self._names[path] = _entries(path)
        else:
            self._synced[path.stat().st_ino] = path.read_bytes()

    def _named(self, name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(path: Any, *more: Any, **options: Any) -> Any:
            if self.has(path) or options.get("dir_fd") is not None:
                self.ask(f"{name} {path}")
            return real(path, *more, **options)

        return call

    def _fsync(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def call(file: int) -> None:
            path = Path(f"/proc/self/fd/{file}").readlink()
            if not self.has(path):
                return real(file)
            self.ask(f"fsync {path}")
            if path.is_dir():
                self._sync(path)
            else:
                self._synced[os.fstat(file).st_ino] = Path(f"/proc/self/fd/{file}").read_bytes()
            return None

        return call

    def _opened(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(file: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
            if not self.has(file):
                return real(file, mode, *more, **options)
            self.ask(f"open {mode} {file}")
            if mode.strip("bt") == "r":
                return real(file, mode, *more, **options)
            raw = _Raw(self, file, mode.translate({ord("b"): None, ord("t"): None}))
            buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            if "b" in mode:
                return buffered
            return io.TextIOWrapper(buffered, *more[1:], **options)

        return call

    def _spawned(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            self.ask("spawn")
            return real(*arguments)

        return call


class _Raw(io.FileIO):
    """An open file; a write that fails has written half, as on a disk that fills."""

    def __init__(self, disk: FaultyDisk, path: Any, mode: str) -> None:
        super().__init__(path, mode)
        self._disk = disk

    def write(self, data: Any) -> int:
        try:
            self._disk.ask(f"write {self.name!s}")
        except OSError:
            super().write(bytes(data)[: len(data) // 2])
            raise
        return super().write(data) or 0


def _entries(folder: Path) -> dict[str, int]:
    return {entry.name: entry.inode() for entry in os.scandir(folder)} if folder.is_dir() else {}


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder and their contents."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def copied(folder: Path, to: Path) -> Path:
    """Return a new copy of a folder."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    return to
