"""Checks of the folder of a batch: everything in it that follows from something else is compared with it."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.batch.report.report import cell_table
from brickphys.batch.report.table import summaries
from brickphys.batch.store.lock import is_running
from brickphys.batch.store.store import JOURNAL, MANIFEST, SHARDS, Store, open_store
from brickphys.checks import TRUSTED, Check
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_DATA_BYTES, read_text
from brickphys.text import counted, listed

REPORT = "report/report.md"


def checks(folder: Path | str) -> Iterator[Check]:
    """Yield what was checked of the batch in a folder, in the order of its files; nothing is changed."""
    try:
        store = open_store(folder)
    except InvalidValueError as error:
        yield Check(f"{MANIFEST}: its check, its study and its stamps", str(error))
        return
    stamps = counted(len(store.manifest.stamps), "stamp")
    yield Check(f"{MANIFEST}: its check, the fingerprint and the seed of its study, {stamps}")
    problems = store.shard_problems()
    lines = "every line follows the line before it, names runs of the study once, and a known stamp"
    yield Check(f"{JOURNAL}: {lines}", listed(problems.lines) or None)
    faults = {shard.file: store.fault(shard) for shard in store.shards}
    for shard in store.shards:
        what = f"SHA-256, {shard.runs:,} addresses, {shard.failed:,} failed, stamp"
        yield Check(f"{SHARDS}/{shard.file}: {what}", faults[shard.file])
    yield _unlisted(store, problems.unlisted)
    yield Check(f"{SHARDS}: a column has one type in all of them", _mixed(store, faults))
    if not any(faults.values()):
        yield from _report(store)
    yield Check(f"{TRUSTED}: results in rows, beyond that their files are as they were written")


def _unlisted(store: Store, unlisted: tuple[str, ...]) -> Check:
    """Return whether only a runner's remains are in the folder besides the shards of the journal."""
    others = sorted(store.files() - {shard.file for shard in store.shards})
    what = f"{SHARDS}: no files but those of the journal"
    if unlisted and not is_running(store.folder):
        return Check(what, listed(unlisted))
    if others:
        what += f", and what a runner has begun, which goes with the next run: {listed(others)}"
    return Check(what)


def _mixed(store: Store, faults: dict[str, str | None]) -> str | None:
    """Return the columns that have several types; shards with a fault are left out."""
    types: defaultdict[str, set[pa.DataType]] = defaultdict(set)
    for shard in store.shards:
        if faults[shard.file] is None:
            for column in pq.read_schema(store.folder / SHARDS / shard.file):
                types[column.name].add(column.type)
    mixed = (f"{name} is {' and '.join(map(str, t))}" for name, t in types.items() if len(t) > 1)
    return listed(list(mixed)) or None


def _report(store: Store) -> Iterator[Check]:
    """Yield whether the table of the report follows from the rows."""
    path = store.folder / REPORT
    if not path.exists():
        return
    fault = None
    try:
        text = read_text(path, MOST_DATA_BYTES)
        if cell_table(store, dict(summaries(store))) not in text:
            fault = "is not that of the rows: it was edited, or rows came since; batch report writes it anew"
    except InvalidValueError as error:
        fault = str(error)
    yield Check(f"{REPORT}: its table", fault)
