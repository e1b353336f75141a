"""Shard: a file with the rows of a chunk, its line in the journal, and the shards in which both differ."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.batch.run.chunk import Chunk, ChunkResult

_NAME = re.compile(r"cell(\d+)-run(\d+)-(\d+)\.parquet")


@dataclass(frozen=True)
class Shard:
    """The Parquet file of a chunk: how many rows hold an error, its checksum as it was written, the seconds of work."""

    chunk: Chunk
    failed: int
    sha256: str
    seconds: float

    @property
    def file(self) -> str:
        """Its file name."""
        return f"{self.chunk.name}.parquet"

    @property
    def entry(self) -> dict[str, Any]:
        """Its line in the journal."""
        return {
            "cell": self.chunk.cell,
            "first": self.chunk.first,
            "count": self.chunk.count,
            "failed": self.failed,
            "sha256": self.sha256,
            "seconds": round(self.seconds, 4),
        }

    def data(self, folder: Path) -> bytes | None:
        """Return the content of the file, None if it is missing or has changed."""
        try:
            data = (folder / self.file).read_bytes()
        except FileNotFoundError:
            return None
        return data if hashlib.sha256(data).hexdigest() == self.sha256 else None


@dataclass(frozen=True)
class ShardProblems:
    """Names of the shards that differ from the journal.

    `unlisted` ones are in the folder, but the journal lists neither them nor their runs; `missing` ones are not in the
    folder; the bytes of `damaged` ones differ from those that were written.
    """

    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Shards of the journal whose runs must be done again."""
        return (*self.missing, *self.damaged)


def shard_of(result: ChunkResult) -> Shard:
    """Return the shard that holds the rows of a chunk."""
    digest = hashlib.sha256(result.parquet).hexdigest()
    return Shard(result.chunk, result.failed, digest, result.seconds)


def shard_in(entry: Mapping[str, Any]) -> Shard | None:
    """Return the shard in a line of a journal, None if the line has none."""
    try:
        chunk = Chunk(int(entry["cell"]), int(entry["first"]), int(entry["count"]))
        return Shard(chunk, int(entry["failed"]), str(entry["sha256"]), float(entry["seconds"]))
    except (KeyError, TypeError, ValueError):
        return None


def named_chunk(file: str) -> Chunk | None:
    """Return the chunk whose shard has this file name, None if it is not the name of a shard."""
    found = _NAME.fullmatch(file)
    return Chunk(*map(int, found.groups())) if found else None


def rows_in(data: bytes, columns: list[str] | None) -> pa.Table:
    """Return the rows in a file, only those of `columns` that it has; all if None."""
    file = pq.ParquetFile(pa.BufferReader(data))
    have = file.schema_arrow.names
    return file.read(None if columns is None else [name for name in columns if name in have])
