"""Journal: what a batch folder says of its study and of its runs.

The manifest has the study, and the stamps of what has computed its rows. The journal has one line for each shard that
was written or removed; lines are chained and only appended. The ledger has the runs of each cell that are done, and
those that are missing.

Failed runs may be done again: the shards with them are removed. Cells that repeat until their interval is narrow may
end sooner then. So the shards with later runs of these cells are removed, too. They are removed first: if the process
stops in between, the failed runs remain, and the shards are found again.
"""

import json
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from brickphys import files
from brickphys.batch.shard import RowBlock, Shard
from brickphys.batch.spec import Spec, spec_of
from brickphys.errors import BatchFolderError, InvalidValueError, raised_as
from brickphys.reading import read_lines
from brickphys.stamp import Stamp, stamp_here, stamp_of
from brickphys.text import LONGEST

SCHEMA = "brickphys.batch/2"
_OLDER = "brickphys.batch/1"


@dataclass(frozen=True)
class Manifest:
    """The manifest of a batch folder: its study, and the stamps, that of its beginning first."""

    spec: Spec
    stamps: tuple[Stamp, ...]

    def text(self) -> str:
        """Return the content of the file."""
        body = {
            "schema": SCHEMA,
            "seed": self.spec.seed,
            "spec_sha256": self.spec.sha256,
            "stamps": [stamp.document() for stamp in self.stamps],
            "spec": self.spec.content,
        }
        return json.dumps(files.sealed(files.START, body), indent=2) + "\n"

    def spec_differences(self, other: Spec) -> list[str]:
        """Return the differences from another study, key by key."""
        return list(_differences("", self.spec.content, other.content))

    def stamp_differences(self, other: Stamp) -> list[str]:
        """Return the differences of a stamp from that of these which is nearest to it; none if it is one of them."""
        return min((stamp.differences(other) for stamp in self.stamps), key=len)

    def like(self, stamp: Stamp) -> Stamp:
        """Return that of its stamps from which a stamp does not differ, else the stamp itself."""
        return next((one for one in self.stamps if not one.differences(stamp)), stamp)


def manifest_here(spec: Spec) -> Manifest:
    """Return the manifest of a study that begins now on this machine."""
    return Manifest(spec, (stamp_here(*spec.packages),))


def manifest_of(document: Any) -> Manifest:
    """Return the manifest in a JSON value; InvalidValueError if it is not a manifest, or was edited."""
    if isinstance(document, Mapping) and document.get("schema") == _OLDER:
        raise InvalidValueError(
            "an earlier version wrote it: run the study again in another folder"
        )
    tables = _table(document, ("spec", "stamps", files.CHECK), "the manifest")
    spec = _table(tables["spec"], ("document", "attached"), "spec")
    _table(spec["document"], ("kind", "seed"), "spec.document")
    _table(spec["attached"], (), "spec.attached")
    if not files.is_sealed(files.START, tables):
        raise InvalidValueError("it was edited")
    if tables.get("schema") != SCHEMA:
        raise InvalidValueError(f"its schema is not {SCHEMA}")
    if not isinstance(tables["stamps"], list) or not tables["stamps"]:
        raise InvalidValueError("stamps is not a list, or is empty")
    made = Manifest(spec_of(spec), tuple(map(stamp_of, tables["stamps"])))
    if (tables.get("spec_sha256"), tables.get("seed")) != (made.spec.sha256, made.spec.seed):
        raise InvalidValueError("it was edited: its study has another fingerprint or seed")
    return made


def _table(value: Any, keys: Sequence[str], place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidValueError(f"{place} is not a JSON object")
    if missing := [key for key in keys if key not in value]:
        raise InvalidValueError(f"{place} lacks {', '.join(missing)}")
    return value


def _differences(path: str, ours: Any, theirs: Any) -> Iterator[str]:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in dict.fromkeys([*ours, *theirs]):
            place = f"{path}.{key}".removeprefix(".").removeprefix("document.")
            place = place.removeprefix("attached.the ")  # version of a bot
            yield from _differences(place, ours.get(key), theirs.get(key))
    elif ours != theirs:
        yield f"{path} {_change(ours, theirs)}"


def _change(was: Any, now: Any) -> str:
    """Return how a value has changed, in words; tables are not written out."""
    if was is None or now is None:
        return "is new" if was is None else "is left out"
    texts = [json.dumps(value) for value in (now, was)]
    if any("{" in text or len(text) > LONGEST for text in texts):
        return "has changed"
    return f"is {texts[0]}, was {texts[1]}"


_MOST_FAULTS = 10_000
"""Number of faulty lines above which a journal is rejected. Each is listed, and damage makes only a few."""


class Journal:
    """The journal file of a batch, which need not exist.

    A last line without its end is passed over, as a power cut leaves it; it goes when the next one is written. A line
    that was edited is not believed, nor one whose predecessor is missing, nor one that is there twice. Every line is
    bound to `study`, the fingerprint of the study.

    Attributes
    ----------
    faults
        Lines that were not believed when `entries` last came to its end, in words.
    """

    def __init__(self, path: Path, study: str) -> None:
        self._path, self._study = path, study
        self._before, self._end = files.START, 0
        self.faults: tuple[str, ...] = ()

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield the content of every line that is believed, in order, without its check.

        BatchFolderError if the file cannot be read, is too large, or has too many lines that are not believed.
        """
        before, end, faults = files.START, 0, []
        # the checks that the next line may follow: of the last good line, and of a bad one since
        follows = [files.START]
        for number, line in enumerate(self._lines(), start=1):
            content = files.content_of(line.decode(errors="replace")[:-1])
            end += len(line)
            if content is None:
                faults.append(f"line {number} is not a line of a journal")
                self._check_few(faults)
                continue
            good = next(
                (check for check in follows if files.is_sealed(self._study + check, content)), None
            )
            before = content.pop(files.CHECK)
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

        OSError if the disk is full; what was written of the line goes when the next one is written.
        """
        content = files.sealed(self._study + self._before, entry)
        line = files.written(content).encode() + b"\n"
        is_new = not self._path.exists()
        with self._path.open("w+b" if is_new else "r+b") as file:
            file.truncate(self._end)
            file.seek(self._end)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            files.sync_folder(self._path.parent)
        self._before, self._end = content[files.CHECK], self._end + len(line)

    def write_anew(self, entries: Iterable[dict[str, Any]]) -> None:
        """Replace the journal by these lines; OSError if it cannot be written: it is as it was then."""
        before, lines = files.START, []
        for entry in entries:
            content = files.sealed(self._study + before, entry)
            before = content[files.CHECK]
            lines.append(files.written(content) + "\n")
        data = "".join(lines).encode()
        files.write_synced(data, self._path)
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


class Ledger:
    """Disjoint ranges of runs by cell.

    Attributes
    ----------
    total
        Number of runs that are done, in all cells.
    total_failed
        How many of them failed.
    """

    def __init__(self) -> None:
        self.total = self.total_failed = 0
        self._ranges: dict[int, list[tuple[int, int]]] = {}  # in order; none ends where one begins
        self._failed = Counter[int]()

    def overlaps(self, block: RowBlock) -> bool:
        """Return whether some of the runs of a block are done."""
        return any(_meets(self._ranges.get(cell, []), block) for cell in block.numbers)

    def add(self, block: RowBlock) -> None:
        """Count the runs of a block as done; none may be done already."""
        for cell in block.numbers:
            ranges, first, end = self._ranges.setdefault(cell, []), block.first, block.end
            place = bisect_left(ranges, (first, end))
            if place < len(ranges) and ranges[place][0] == end:
                end = ranges.pop(place)[1]
            if place and ranges[place - 1][1] == first:
                place -= 1
                first = ranges.pop(place)[0]
            ranges.insert(place, (first, end))
        if block.failed:
            self._failed.update(dict.fromkeys(block.numbers, block.failed))
        self.total += block.count * block.cells
        self.total_failed += block.failed * block.cells

    def done(self, cell: int) -> int:
        """Return how many runs of a cell are done, failed ones included."""
        return sum(end - first for first, end in self._ranges.get(cell, ()))

    def failed(self, cell: int) -> int:
        """Return how many runs of a cell failed."""
        return self._failed[cell]

    def end(self, cell: int) -> int:
        """Return the end of the last range of a cell; 0 if none of its runs is done."""
        return max((end for _, end in self._ranges.get(cell, ())), default=0)

    def gaps(self, cell: int, target: int) -> Iterator[tuple[int, int]]:
        """Yield ``(first, end)`` of each range that is missing among the first `target` runs of a cell."""
        at = 0
        for first, end in (*self._ranges.get(cell, ()), (target, target)):
            if at < min(first, target):
                yield at, min(first, target)
            at = end


def _meets(ranges: list[tuple[int, int]], block: RowBlock) -> bool:
    """Return whether one of the ranges of a cell has runs of a block."""
    place = bisect_left(ranges, (block.end, 0))  # the ranges before it begin before the block ends
    return place > 0 and ranges[place - 1][1] > block.first


def shards_to_retry(shards: Sequence[Shard], *, until: bool) -> list[Shard]:
    """Return the shards with failed runs, last ones first, after those with later runs if cells repeat `until`."""
    failed = [shard for shard in reversed(shards) if shard.failed]
    return [*(later_shards(shards, failed) if until else ()), *failed]


def later_shards(shards: Sequence[Shard], taken: Sequence[Shard]) -> list[Shard]:
    """Return the shards that may not be needed once the failed runs of others, `taken`, are done again, last first.

    They have runs of a cell after the first one of that cell that failed in the others, or in such a shard.
    """
    begins: dict[int, int] = {}
    left, more, found = [*reversed(shards)], [*taken], list[Shard]()
    while more:
        for block in (block for shard in more for block in shard.blocks if block.failed):
            for cell in block.numbers:
                begins[cell] = min(block.first, begins.get(cell, block.first))
        gone = {*more}
        left = [shard for shard in left if shard not in gone]
        more = [shard for shard in left if _is_later(shard, begins)]
        found = [*more, *found]
    return found


def _is_later(shard: Shard, begins: Mapping[int, int]) -> bool:
    blocks = shard.blocks
    return any(one.first > begins.get(cell, inf) for one in blocks for cell in one.numbers)


def without_gaps(shards: Sequence[Shard]) -> list[Shard]:
    """Return the shards before whose runs no run of the same cell is missing.

    If a journal has lost lines, they may be those of failed runs, and nobody knows of which.
    """
    left, found = list[Shard](), [*shards]
    while len(left) != len(found):
        left, ledger = found, Ledger()
        for block in (block for shard in left for block in shard.blocks):
            ledger.add(block)
        found = [
            shard
            for shard in left
            if not any(any(ledger.gaps(one.cell, one.first)) for one in shard.chunks)
        ]
    return found
