"""Journal: the shards that a batch has written, one JSON object a line; lines are only appended."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Journal:
    """The journal file, which need not exist; lines that a power cut has torn are ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield every whole line, in order."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            for line in file:
                try:
                    entry = json.loads(line)
                except ValueError:  # torn, or written by another program: its runs are done again
                    continue
                if isinstance(entry, dict) and line.endswith(b"\n"):
                    yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write a line and flush it to the disk.

        Raises
        ------
        OSError
            If the disk is full; the next call begins a new line.
        """
        line = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
        with self._path.open("ab") as file:
            torn = file.tell() > 0 and not self._ends_whole()
            file.write(b"\n" + line if torn else line)
            file.flush()
            os.fsync(file.fileno())

    def _ends_whole(self) -> bool:
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == b"\n"
