"""Store: the folder of a batch: manifest, shards and journal; no run is lost or counted twice.

A lock lets only one runner work in a folder.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from pathlib import Path
from time import perf_counter

import pyarrow as pa
import pyarrow.compute as pc
from filelock import FileLock, Timeout

from brickphys.batch import journal
from brickphys.batch.chunk import ERROR, RUN, ChunkResult
from brickphys.batch.kinds.study_type import CellWork
from brickphys.batch.shard import (
    Rows,
    Shard,
    ShardProblems,
    lost_entry,
    lost_in,
    named_block,
    shard_in,
    shard_of,
)
from brickphys.batch.spec import Spec
from brickphys.errors import BatchFolderError, InterruptedRunError, InvalidValueError, raised_as
from brickphys.files import check_target, make_folder, write_synced, write_whole
from brickphys.notes import NOTES
from brickphys.reading import MOST_MANIFEST_BYTES, read_json
from brickphys.stamp import Stamp
from brickphys.text import listed

LOCK = "lock"


def locked(folder: Path) -> AbstractContextManager[object]:
    """Return the lock of a folder, held until its block ends.

    BatchFolderError if another process holds it, or the folder cannot be written.
    """
    try:
        return FileLock(folder / LOCK).acquire(timeout=0)
    except Timeout:
        raise BatchFolderError(f"{folder}: is being run by another process") from None
    except OSError as error:
        raise BatchFolderError(f"{folder}: cannot be written: {error.strerror}") from None


def check_free(folder: Path) -> None:
    """Raise BatchFolderError as `locked` would, without creating a file."""
    if (folder / LOCK).exists():
        with locked(folder):
            pass


def is_running(folder: Path) -> bool:
    """Return whether another process seems to run the batch in a folder."""
    try:
        check_free(folder)
    except BatchFolderError:
        return True
    return False


MANIFEST, JOURNAL, SHARDS = "manifest.json", "journal.jsonl", "shards"
_AGAIN_S, _PLACES_AGAIN, _ROWS_AGAIN = 2.0, 64, 16
"""How long rows are computed again at most, of how many chunks, and how many of each."""
_OURS = {MANIFEST, JOURNAL, SHARDS, LOCK, "report"}


@dataclass
class Store:
    """A batch on the disk."""

    folder: Path
    manifest: journal.Manifest
    """Its study, and the stamps of what has computed its rows."""
    stamp: Stamp
    """What computes the rows that are added now."""
    ledger: journal.Ledger = field(default_factory=journal.Ledger)
    """The runs that are done."""
    _shards: dict[str, Shard] = field(default_factory=dict)  # by file name
    _of_cell: dict[int, list[Shard]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._journal = journal.Journal(self.folder / JOURNAL, self.spec.sha256)
        self._digests = [stamp.digest for stamp in self.manifest.stamps]
        self._digest = self.stamp.digest
        self.journal_faults: tuple[str, ...] = ()
        """Lines of the journal that are not believed, each with the reason; their rows are left out."""
        self._rows = Rows(self.folder / SHARDS, self._digests, self.spec.fields)

    @property
    def spec(self) -> Spec:
        """The study."""
        return self.manifest.spec

    @property
    def mark(self) -> str | None:
        """What is written into rows that are added now: the digest of their stamp, None for the first stamp."""
        return self._rows.mark(self._digest)

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards, in the order of their first addresses."""
        return tuple(sorted(self._shards.values(), key=lambda shard: shard.blocks[0]))

    def shards_of(self, cell: int) -> list[Shard]:
        """Return the shards with rows of a cell, in the order of their first addresses."""
        return sorted(self._of_cell.get(cell, []), key=lambda shard: shard.blocks[0])

    def add(self, result: ChunkResult) -> None:
        """Keep the rows of chunks: write them under a temporary name, rename the file, list it in the journal.

        InterruptedRunError if the disk is full; the rows that were kept before stay.
        """
        shard = shard_of(result, self._digest)
        if self._is_counted(shard):
            return  # a worker that was given up has sent its result after all
        try:
            write_synced(result.parquet, self.folder / SHARDS / shard.file)
            self._journal.append(shard.entry)
        except OSError as error:
            raise InterruptedRunError(
                f"{self.folder}: {error.strerror}: stopped after {self.ledger.total:,} runs, which are kept; "
                "the same command continues"
            ) from None
        self._note(shard)

    def _take(self, shards: Iterable[Shard]) -> None:
        """Count only these shards."""
        chosen = tuple(shards)
        self._shards, self._of_cell, self.ledger = {}, {}, journal.Ledger()
        for shard in chosen:
            if not self._is_counted(shard):
                self._note(shard)

    def _note(self, shard: Shard) -> None:
        """Count a shard of which no run is counted yet."""
        self._shards[shard.file] = shard
        for block in shard.blocks:
            self.ledger.add(block)
        for cell in dict.fromkeys(shard.cells):
            self._of_cell.setdefault(cell, []).append(shard)

    def _is_counted(self, shard: Shard) -> bool:
        return any(map(self.ledger.overlaps, shard.blocks))

    def rows(self, cell: int | None = None, columns: list[str] | None = None) -> pa.Table:
        """Return the rows of a cell, or of all, in the order of addresses.

        Where rows have been computed under several stamps, a column tells the digest of each row's stamp.
        BatchFolderError if a shard is missing, has changed, or holds something else than the journal says. Only some
        columns are read, if given, where a shard has them.
        """
        if cell is None:
            return self._rows.of_shards(self.shards, columns)
        return self._rows.of_cell(self.shards_of(cell), cell, columns)

    def computed_again(self, stamps: Collection[str]) -> tuple[int, int]:
        """Compute some rows of some stamps again; return how many, and how many of them come out otherwise.

        They are of cells all over the study: for two seconds, and at least one.
        """
        shards = [shard for shard in self.shards if shard.stamp in stamps]
        places = [(shard, chunk) for shard in shards for chunk in shard.chunks]
        places = places[:: -(-len(places) // _PLACES_AGAIN) or 1]
        found: list[bool] = []
        work = cache(self.spec.work)
        end = inf
        for number in range(_ROWS_AGAIN):
            for shard, chunk in places:
                if perf_counter() > end:
                    break
                if number < chunk.count:
                    found += self._is_same(work, shard, chunk.cell, chunk.first + number)
                if len(found) == 1:  # what is loaded once is loaded
                    end = perf_counter() + _AGAIN_S
        return len(found), found.count(False)

    def _is_same(
        self, work: Callable[[int], CellWork], shard: Shard, cell: int, run: int
    ) -> list[bool]:
        """Return whether a row comes out the same; nothing if its run failed, or cannot be read or done here."""
        try:
            rows, again_work = self._rows.of_cell([shard], cell, None), work(cell)
        except InvalidValueError:
            return []
        (row,) = rows.filter(pc.equal(rows[RUN], run)).to_pylist()
        if row.get(ERROR):
            return []
        try:
            (again,) = again_work.rows(run, 1).to_pylist()
        except (Exception, SystemExit):  # of a game by anyone
            return [False]
        return [repr(again) == repr({name: row.get(name) for name in again})]

    def good_rows(self, cell: int, end: int | None = None) -> pa.Table:
        """Return the rows of a cell whose run did not fail, of the first `end` runs if given."""
        rows = self.rows(cell)
        if end is not None:
            rows = rows.filter(pc.less(rows[RUN], end))
        return rows.filter(pc.is_null(rows[ERROR])) if ERROR in rows.column_names else rows

    def load(self) -> None:
        """Read the journal again; BatchFolderError if it cannot be read."""
        found: dict[str, Shard] = {}
        faults = []
        for entry in self._journal.entries():
            if (file := lost_in(entry)) is not None:
                found.pop(file, None)
            elif (shard := shard_in(entry)) is None:
                faults.append("a line names no shard")
            elif fault := self._impossible(shard):
                faults.append(f"the line of {shard.file} {fault}")
            else:
                found[shard.file] = shard
        self._take(found.values())
        twice = [
            f"the line of {file} names runs of another line" for file in found.keys() - self._shards
        ]
        self.journal_faults = (*self._journal.faults, *faults, *twice)

    def _impossible(self, shard: Shard) -> str | None:
        """Return in words why a shard cannot be one of the study."""
        cells, most = len(self.spec.cells), self.spec.most_runs_a_cell
        if any(one.numbers.stop > cells or one.end > most for one in shard.blocks):
            return "names runs that the study does not have"
        if not shard.is_disjoint:
            return "names runs twice"
        return None if shard.stamp in self._digests else f"names an unknown stamp, {shard.stamp}"

    def shard_problems(self) -> ShardProblems:
        """Return what does not match the journal; every row's address, and every failed run, is looked at."""
        files = self.files()
        others = sorted(files - {*self._shards})
        unlisted = [
            file
            for file in others
            if (first := named_block(file)) and not self.ledger.overlaps(first)
        ]
        lost = [shard.file for shard in self.shards if self.fault(shard)]
        return ShardProblems(
            tuple(unlisted) if len(unlisted) > 1 else (),  # a runner that died may leave one
            tuple(file for file in lost if file not in files),
            tuple(file for file in lost if file in files),
            self.journal_faults,
        )

    def fault(self, shard: Shard) -> str | None:
        """Return what is wrong with the file of a shard, None if nothing is."""
        return self._rows.fault(shard)

    def repair(self) -> ShardProblems:
        """Take lost shards out, and those that may not be needed without them; return what did not match."""
        problems = self.shard_problems()
        if problems.lines:
            kept = journal.without_gaps(self.shards) if self.spec.until else self.shards
            self._journal.write_anew(shard.entry for shard in kept)
            self.load()
        for file in self.files() - {*self._shards}:
            (self.folder / SHARDS / file).unlink()
        lost = [self._shards[file] for file in problems.lost if file in self._shards]
        if self.spec.until:
            self._lose(
                journal.later_shards(self.shards, lost), "it follows failed runs that are damaged"
            )
        self._lose(lost, "damaged")
        return problems

    def files(self) -> set[str]:
        """Return the names of the files in the folder of shards.

        BatchFolderError if the folder cannot be read, or holds anything that is none of ours.
        """
        folder = self.folder / SHARDS
        if not folder.exists():
            return set()
        try:
            for path in folder.iterdir():
                ours = named_block(path.name) or path.name.endswith(".part")
                if not (ours and path.is_file()):
                    raise BatchFolderError(f"{path}: is not a file of a batch: move it away")
            return {path.name for path in folder.iterdir()}
        except OSError as error:
            raise BatchFolderError(f"{folder}: cannot be read: {error.strerror}") from None

    def retry_failed(self) -> int:
        """Take shards with failed runs out of the batch, so that they are done again; return how many runs had failed.

        The other rows of such a shard come out the same, since they depend on their address only. A cell that repeats
        until its interval is narrow may now end sooner, so all its shards from its first failed run on are taken out.
        """
        chosen = journal.shards_to_retry(self.shards, until=bool(self.spec.until))
        retried = sum(shard.failed for shard in chosen)
        self._lose(chosen, "its failed runs are tried again")
        return retried

    def exclude(self, files: Collection[str]) -> None:
        """Count some shards as not done; the folder does not change."""
        if files:
            self._take(shard for shard in self.shards if shard.file not in files)

    def _lose(self, shards: Sequence[Shard], because: str) -> None:
        """Take shards out of the batch: first out of the journal, which must not list missing files."""
        for shard in shards:
            self._journal.append(lost_entry(shard.file, because))
            (self.folder / SHARDS / shard.file).unlink(missing_ok=True)
        if shards:
            self.load()


def open_store(folder: Path | str) -> Store:
    """Return the batch in a folder, to read it; it may be running.

    BatchFolderError if the folder holds no batch, or its manifest was edited.
    """
    manifest = _read_manifest(Path(folder))
    store = Store(Path(folder), manifest, manifest.stamps[0])
    store.load()
    return store


def stored_seed(folder: Path | str) -> int | None:
    """Return the root seed of the batch in a folder, None without a batch; a study without a seed keeps it."""
    if not (Path(folder) / MANIFEST).exists():
        return None
    return _read_manifest(Path(folder)).spec.seed


@contextmanager
def running_store(
    folder: Path | str, spec: Spec, *, continue_anyway: bool = False
) -> Iterator[Store]:
    """Yield the batch of a study in a folder, new or begun before, for one runner.

    BatchFolderError if the folder holds other files, another study or a study begun under another stamp, or is being
    run; the message lists the differences.

    Parameters
    ----------
    folder
        A new or empty folder, or one with the same study.
    continue_anyway
        Continue even if other sources, settings, versions or another processor compute now; new rows are marked.
    """
    folder = Path(folder)
    _check_folder(folder)
    here = journal.manifest_here(spec)
    make_folder(folder)
    with locked(folder):
        if not (folder / MANIFEST).exists():
            write_whole(here.text(), folder / MANIFEST)
        manifest = _read_manifest(folder)
        _check_same(folder, manifest, here, continue_anyway=continue_anyway)
        check_target(make_folder(folder / SHARDS) / "shard")
        stamp = manifest.like(here.stamps[0])
        if stamp not in manifest.stamps:
            manifest = replace(manifest, stamps=(*manifest.stamps, stamp))
            write_whole(manifest.text(), folder / MANIFEST, force=True)
        store = Store(folder, manifest, stamp)
        store.load()
        yield store


def existing_store(
    folder: Path | str, spec: Spec, *, continue_anyway: bool = False
) -> Store | None:
    """Return the batch that `running_store` would continue, None if it would begin one; nothing is written.

    BatchFolderError if `running_store` would refuse the folder.
    """
    folder = Path(folder)
    _check_folder(folder)
    check_free(folder)
    if not (folder / MANIFEST).exists():
        return None
    store = open_store(folder)
    _check_same(
        folder, store.manifest, journal.manifest_here(spec), continue_anyway=continue_anyway
    )
    return store


def _read_manifest(folder: Path) -> journal.Manifest:
    path = folder / MANIFEST
    if folder.is_file():
        raise BatchFolderError(f"{folder}: is a file, not the folder of a batch")
    if not path.is_file():
        raise BatchFolderError(f"{folder}: holds no batch: there is no file {path}")
    with raised_as(BatchFolderError):
        document = read_json(path, MOST_MANIFEST_BYTES)
    try:
        return journal.manifest_of(document)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BatchFolderError(f"{path}: is not a manifest of a batch: {error}") from None


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BatchFolderError(f"{folder}: is a file, not a folder")
    try:
        found = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise BatchFolderError(f"{folder}: cannot be read: {error.strerror}") from None
    if MANIFEST in found:
        return
    others = sorted(name for name in found - _OURS if not name.startswith(f".{MANIFEST}"))
    if others:
        raise BatchFolderError(f"{folder}: holds other files ({', '.join(others[:3])})")
    if found & {JOURNAL, SHARDS}:  # the manifest is written before them
        raise BatchFolderError(
            f"{folder}: holds the rows of a batch without its {MANIFEST}: put it back, or choose another folder"
        )


def _check_same(
    folder: Path, manifest: journal.Manifest, here: journal.Manifest, *, continue_anyway: bool
) -> None:
    if differences := manifest.spec_differences(here.spec):
        raise BatchFolderError(
            f"{folder}: holds another study: {'; '.join(differences[:5])}; "
            "choose another folder, or undo the changes"
        )
    (stamp,) = here.stamps
    differences = manifest.stamp_differences(stamp)
    if not differences or continue_anyway:
        return
    like = [one.digest for one in manifest.stamps if not one.setting_differences(stamp)]
    again, others = open_store(folder).computed_again(like) if like else (0, 0)
    told = listed(differences)
    if again and not others:
        NOTES.info("%s: %s; %s rows computed again are the same", folder, told, again)
        return
    if others:
        told += f", and {others} of {again} rows computed again are different"
    raise BatchFolderError(
        f"{folder}: was computed by another program: {told}; rows may then differ, and --continue-anyway continues "
        "and marks every new row"
    )
