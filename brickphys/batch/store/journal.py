"""Journal: one line for each shard that a batch has written or removed; lines are chained and only appended."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from brickphys.chain import CHECK, START, content_of, is_sealed, sealed, written
from brickphys.errors import BatchFolderError, raised_as
from brickphys.files import sync_folder, write_synced
from brickphys.reading import read_lines

_MOST_FAULTS = 10_000
"""Number of faulty lines above which a journal is rejected. Each is listed, and damage makes only a few."""


class Journal:
    """The journal file of a batch, which need not exist.

    A last line without its end is passed over, as a power cut leaves it; it goes when the next one is written. A line
    that was edited is not believed, nor one whose predecessor is missing, nor one that is there twice.

    Parameters
    ----------
    path
        The file.
    study
        The fingerprint of the study, to which every line is bound.

    Attributes
    ----------
    faults
        Lines that were not believed when `entries` last came to its end, in words.
    """

    def __init__(self, path: Path, study: str) -> None:
        self._path, self._study = path, study
        self._before, self._end = START, 0
        self.faults: tuple[str, ...] = ()

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield the content of every line that is believed, in order, without its check.

        Raises
        ------
        BatchFolderError
            If the file cannot be read, is too large, or has too many lines that are not believed.
        """
        before, end, faults = START, 0, []
        # the checks that the next line may follow: of the last good line, and of a bad one since
        follows = [START]
        for number, line in enumerate(self._lines(), start=1):
            content = content_of(line.decode(errors="replace")[:-1])
            end += len(line)
            if content is None:
                faults.append(f"line {number} is not a line of a journal")
                self._check_few(faults)
                continue
            good = next(
                (check for check in follows if is_sealed(self._study + check, content)), None
            )
            before = content.pop(CHECK)
            if good is None:
                faults.append(
                    f"line {number} was edited, or the line before it is not the one that was"
                )
                self._check_few(faults)
                follows = [follows[0], before]
            else:
                follows = [before]
                yield content
        self._before, self._end, self.faults = before, end, tuple(faults)

    def append(self, entry: dict[str, Any]) -> None:
        """Write a line and flush it to the disk; `entries` must have come to its end before.

        Raises
        ------
        OSError
            If the disk is full; what was written of the line goes when the next one is written.
        """
        content = sealed(self._study + self._before, entry)
        line = written(content).encode() + b"\n"
        is_new = not self._path.exists()
        with self._path.open("w+b" if is_new else "r+b") as file:
            file.truncate(self._end)
            file.seek(self._end)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_folder(self._path.parent)
        self._before, self._end = content[CHECK], self._end + len(line)

    def write_anew(self, entries: Iterable[dict[str, Any]]) -> None:
        """Replace the journal by these lines.

        Raises
        ------
        OSError
            If it cannot be written; it is as it was then.
        """
        before, lines = START, []
        for entry in entries:
            content = sealed(self._study + before, entry)
            before = content[CHECK]
            lines.append(written(content) + "\n")
        data = "".join(lines).encode()
        write_synced(data, self._path)
        self._before, self._end, self.faults = before, len(data), ()

    def _check_few(self, faults: list[str]) -> None:
        if len(faults) > _MOST_FAULTS:
            raise BatchFolderError(
                f"{self._path}: more than {_MOST_FAULTS:,} lines are not those of this batch"
            )

    def _lines(self) -> Iterator[bytes]:
        """Yield every line that has its end."""
        if not self._path.exists():
            return
        if not self._path.is_file():
            raise BatchFolderError(f"{self._path}: is not a file")
        with raised_as(BatchFolderError):
            yield from (line for line in read_lines(self._path) if line.endswith(b"\n"))
