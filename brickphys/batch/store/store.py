"""Store: the folder of a batch: manifest, shards and journal; no run is lost or counted twice."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from brickphys.batch.run.chunk import CELL, ERROR, RUN, ChunkResult
from brickphys.batch.store.journal import Journal
from brickphys.batch.store.ledger import Ledger
from brickphys.batch.store.lock import LOCK, check_free, locked
from brickphys.batch.store.manifest import Manifest, manifest_here, manifest_of
from brickphys.batch.store.shard import (
    Shard,
    ShardProblems,
    named_chunk,
    rows_in,
    shard_in,
    shard_of,
)
from brickphys.batch.study.spec import Spec
from brickphys.errors import BatchFolderError, InterruptedRunError, raised_as
from brickphys.files import check_target, make_folder, write_synced, write_whole
from brickphys.reading import MOST_RECORD_BYTES, read_json

MANIFEST, JOURNAL, SHARDS = "manifest.json", "journal.jsonl", "shards"
_OURS = {MANIFEST, JOURNAL, SHARDS, LOCK, "report"}


@dataclass
class Store:
    """A batch on the disk.

    Attributes
    ----------
    folder
        Its folder.
    manifest
        Its study, versions and platform.
    ledger
        The runs that are done.
    """

    folder: Path
    manifest: Manifest
    ledger: Ledger = field(default_factory=Ledger)
    _shards: dict[int, dict[str, Shard]] = field(default_factory=dict)  # by cell and name

    @property
    def spec(self) -> Spec:
        """The study."""
        return self.manifest.spec

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards, in the order of addresses."""
        return tuple(shard for cell in sorted(self._shards) for shard in self.shards_of(cell))

    def shards_of(self, cell: int) -> list[Shard]:
        """Return the shards of a cell, in the order of runs."""
        return sorted(self._shards.get(cell, {}).values(), key=lambda shard: shard.chunk.first)

    def add(self, result: ChunkResult) -> None:
        """Keep the rows of a chunk: write them under a temporary name, rename the file, list it in the journal.

        Raises
        ------
        InterruptedRunError
            If the disk is full; the rows that were kept before stay.
        """
        if self.ledger.overlaps(result.chunk):
            return  # a worker that was given up has sent its result after all
        shard = shard_of(result)
        try:
            write_synced(result.parquet, self.folder / SHARDS / shard.file)
            self._journal.append(shard.entry)
        except OSError as error:
            raise InterruptedRunError(
                f"{self.folder}: {error.strerror}: stopped after {self.ledger.total:,} runs, which are kept; "
                "the same command goes on"
            ) from None
        self._note(shard)

    def _take(self, shards: Iterable[Shard]) -> None:
        """Count only these shards."""
        chosen = tuple(shards)
        self._shards, self.ledger = {}, Ledger()
        for shard in chosen:
            self._note(shard)

    def _note(self, shard: Shard) -> None:
        """Count a shard, unless some of its runs are counted already."""
        if not self.ledger.overlaps(shard.chunk):
            self._shards.setdefault(shard.chunk.cell, {})[shard.file] = shard
            self.ledger.add(shard.chunk, shard.failed)

    def rows(self, cell: int | None = None, columns: list[str] | None = None) -> pa.Table:
        """Return the rows of a cell, or of all, in the order of addresses.

        Parameters
        ----------
        cell
            Number of the cell; None for all.
        columns
            Columns to read, where a shard has them; None for all.

        Raises
        ------
        BatchFolderError
            If a shard is missing or has changed.
        """
        wanted = self.shards if cell is None else self.shards_of(cell)
        tables = [rows_in(self._whole(shard), columns) for shard in wanted]
        if not tables:
            return pa.table({CELL: pa.array([], pa.int32()), RUN: pa.array([], pa.int64())})
        rows = pa.concat_tables(tables, promote_options="default")
        names = sorted(rows.column_names, key=lambda name: name == ERROR)  # it goes last
        return rows.select(names)

    def good_rows(self, cell: int, end: int | None = None) -> pa.Table:
        """Return the rows of a cell whose run did not fail, of the first `end` runs if given."""
        rows = self.rows(cell)
        if end is not None:
            rows = rows.filter(pc.less(rows[RUN], end))
        return rows.filter(pc.is_null(rows[ERROR])) if ERROR in rows.column_names else rows

    @property
    def _journal(self) -> Journal:
        return Journal(self.folder / JOURNAL)

    def load(self) -> None:
        """Read the journal again."""
        listed: dict[str, Shard] = {}
        for entry in self._journal.entries():
            if "lost" in entry:
                listed.pop(entry["lost"], None)
            elif shard := shard_in(entry):
                listed[shard.file] = shard
        self._take(listed.values())

    def shard_problems(self) -> ShardProblems:
        """Return the shards that do not match the journal."""
        files = self._files()
        others = sorted(files - {shard.file for shard in self.shards})
        chunks = {file: chunk for file in others if (chunk := named_chunk(file))}
        unlisted = [file for file, chunk in chunks.items() if not self.ledger.overlaps(chunk)]
        lost = [s.file for s in self.shards if s.data(self.folder / SHARDS) is None]
        return ShardProblems(
            tuple(unlisted) if len(unlisted) > 1 else (),  # a runner that died may leave one
            tuple(file for file in lost if file not in files),
            tuple(file for file in lost if file in files),
        )

    def repair(self) -> ShardProblems:
        """Remove files without a line in the journal and lost shards from the journal; return what did not match."""
        problems = self.shard_problems()
        for file in self._files() - {shard.file for shard in self.shards}:
            (self.folder / SHARDS / file).unlink()
        self._lose([shard for shard in self.shards if shard.file in problems.lost], "damaged")
        return problems

    def _files(self) -> set[str]:
        folder = self.folder / SHARDS
        return {path.name for path in folder.iterdir()} if folder.is_dir() else set()

    def retry_failed(self) -> int:
        """Take shards with failed runs out of the batch, so that they are done again; return how many runs had failed.

        The other rows of such a shard come out the same, since they depend on their address only. A cell that repeats
        until its interval is narrow may now end sooner, so all shards from its first failed run on are taken out.
        """
        failed = [shard for shard in self.shards if shard.failed]
        begins = {shard.chunk.cell: shard.chunk.first for shard in reversed(failed)}
        later = [
            shard
            for shard in self.shards
            if self.spec.until and shard.chunk.first > begins.get(shard.chunk.cell, inf)
        ]
        self._lose(list(dict.fromkeys([*failed, *later])), "its failed runs are tried again")
        return sum(shard.failed for shard in failed)

    def exclude(self, files: Collection[str]) -> None:
        """Count some shards as not done; the folder does not change."""
        self._take(shard for shard in self.shards if shard.file not in files)

    def _lose(self, shards: Sequence[Shard], because: str) -> None:
        """Take shards out of the batch: first out of the journal, which must not list missing files."""
        for shard in shards:
            self._journal.append({"lost": shard.file, "because": because})
            (self.folder / SHARDS / shard.file).unlink(missing_ok=True)
        if shards:
            self.load()

    def _whole(self, shard: Shard) -> bytes:
        data = shard.data(self.folder / SHARDS)
        if data is None:
            raise BatchFolderError(
                f"{self.folder / SHARDS / shard.file}: is not as it was written; batch run does its runs again"
            )
        return data


def open_store(folder: Path | str) -> Store:
    """Return the batch in a folder, to read it; it may be running.

    Raises
    ------
    BatchFolderError
        If the folder holds no batch.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    if folder.is_file():
        raise BatchFolderError(f"{folder}: is a file, not the folder of a batch")
    if not path.is_file():
        raise BatchFolderError(f"{folder}: holds no batch: there is no {path}")
    with raised_as(BatchFolderError):
        document = read_json(path, MOST_RECORD_BYTES)
    try:
        manifest = manifest_of(document)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BatchFolderError(f"{path}: is no manifest of a batch: {error}") from None
    if document.get("spec_sha256") != manifest.spec.sha256:
        raise BatchFolderError(f"{path}: was edited: its study has another fingerprint")
    store = Store(folder, manifest)
    store.load()
    return store


def stored_seed(folder: Path | str) -> int | None:
    """Return the root seed of the batch in a folder, None without a batch; a study without a seed keeps it."""
    if not (Path(folder) / MANIFEST).is_file():
        return None
    return open_store(folder).spec.seed


@contextmanager
def running_store(folder: Path | str, spec: Spec, *, elsewhere: bool = False) -> Iterator[Store]:
    """Yield the batch of a study in a folder, new or begun before, for one runner.

    Parameters
    ----------
    folder
        A new or empty folder, or one with the same study.
    spec
        The study.
    elsewhere
        Continue even with other versions or on another platform.

    Raises
    ------
    BatchFolderError
        If the folder holds other files, another study or a study begun elsewhere, or is being run; the message lists
        the differences.
    """
    folder = Path(folder)
    _check_folder(folder)
    here = manifest_here(spec)
    make_folder(folder)
    with locked(folder):
        if not (folder / MANIFEST).exists():
            write_whole(json.dumps(here.document(), indent=2) + "\n", folder / MANIFEST)
        store = open_store(folder)
        _check_same(store, here, elsewhere=elsewhere)
        check_target(make_folder(folder / SHARDS) / "shard")
        yield store


def existing_store(folder: Path | str, spec: Spec, *, elsewhere: bool = False) -> Store | None:
    """Return the batch that `running_store` would continue, None if it would begin one; nothing is written.

    Raises
    ------
    BatchFolderError
        If `running_store` would refuse the folder.
    """
    folder = Path(folder)
    _check_folder(folder)
    check_free(folder)
    if not (folder / MANIFEST).exists():
        return None
    store = open_store(folder)
    _check_same(store, manifest_here(spec), elsewhere=elsewhere)
    return store


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BatchFolderError(f"{folder}: is a file, not a folder")
    found = {path.name for path in folder.iterdir()} if folder.exists() else set()
    others = sorted(name for name in found - _OURS if not name.startswith(f".{MANIFEST}"))
    if others and MANIFEST not in found:
        raise BatchFolderError(f"{folder}: holds something else ({', '.join(others[:3])})")


def _check_same(store: Store, here: Manifest, *, elsewhere: bool) -> None:
    if differences := store.manifest.spec_differences(here.spec):
        raise BatchFolderError(
            f"{store.folder}: holds another study: {'; '.join(differences[:5])}; "
            "choose another folder, or undo the changes in the study's file"
        )
    if not elsewhere and (differences := store.manifest.place_differences(here)):
        raise BatchFolderError(
            f"{store.folder}: was begun elsewhere: {'; '.join(differences[:5])}; rows may then differ in "
            "their last bits, and --elsewhere goes on all the same"
        )
