"""Checks: compares everything in a batch folder that follows from other data with that data."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from brickphys.batch.report.plot_data import plots_of_report
from brickphys.batch.report.report import report_html, report_markdown
from brickphys.batch.report.table import counts, summaries
from brickphys.batch.store.lock import is_running
from brickphys.batch.store.shard import Shard
from brickphys.batch.store.store import JOURNAL, MANIFEST, SHARDS, Store, open_store
from brickphys.checks import TRUSTED, Check
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_DATA_BYTES, read_text
from brickphys.text import counted, listed

REPORT = "report"
_MARKDOWN, _HTML = "report.md", "report.html"
_PICTURE = re.compile('(src="data:image/png;base64,)[A-Za-z0-9+/=]+')


def checks(folder: Path | str) -> Iterator[Check]:
    """Yield what was checked of the batch in a folder, in the order of its files; nothing is changed."""
    try:
        store = open_store(folder)
    except InvalidValueError as error:
        yield Check(f"{MANIFEST}: its checksum, its study and its stamps", str(error))
        return
    stamps = counted(len(store.manifest.stamps), "stamp")
    yield Check(f"{MANIFEST}: its checksum, the fingerprint and the seed of its study, {stamps}")
    problems = store.shard_problems()
    lines = "every line follows the line before it, names runs of the study once, and a known stamp"
    yield Check(f"{JOURNAL}: {lines}", listed(problems.lines) or None)
    faults = {shard.file: store.fault(shard) for shard in store.shards}
    good = [shard for shard in store.shards if not faults[shard.file]]
    if good:
        yield Check(f"{SHARDS}: {counted(len(good), 'file')}: {_looked_at(good)}")
    for shard in store.shards:
        if faults[shard.file]:
            yield Check(f"{SHARDS}/{shard.file}: {_looked_at([shard])}", faults[shard.file])
    yield _unlisted(store, problems.unlisted)
    if not any(faults.values()):
        yield from _report(store)
    yield Check(f"{TRUSTED}: results in rows, beyond that their files are as they were written")


def _looked_at(shards: Sequence[Shard]) -> str:
    """Return what was checked of shards, in words."""
    runs, failed = sum(one.runs for one in shards), sum(one.failed for one in shards)
    return f"SHA-256, {runs:,} addresses, {failed:,} failed, stamp, columns"


def _unlisted(store: Store, unlisted: tuple[str, ...]) -> Check:
    """Return whether only a runner's remains are in the folder besides the shards of the journal."""
    others = sorted(store.files() - {shard.file for shard in store.shards})
    what = f"{SHARDS}: no files but those of the journal"
    if unlisted and not is_running(store.folder):
        return Check(what, listed(unlisted))
    if others:
        what += f", and unfinished files of a runner, which the next run removes: {listed(others)}"
    return Check(what)


def _report(store: Store) -> Iterator[Check]:
    """Yield whether the pages of the report follow from the rows, but for their pictures."""
    folder = store.folder / REPORT
    if not any((folder / page).exists() for page in (_MARKDOWN, _HTML)):
        return
    try:
        pages = _pages(store)
    except InvalidValueError as error:
        yield Check(f"{REPORT}: its pages", str(error))
        return
    for page, right in pages.items():
        if (folder / page).exists():
            yield Check(f"{REPORT}/{page}: every line", _wrong_page(folder / page, right))
    yield Check(f"{TRUSTED}: pictures and cells.csv in {REPORT}")


def _pages(store: Store) -> dict[str, str]:
    """Return the pages that the rows give, with empty pictures."""
    found = dict(summaries(store))
    plots = plots_of_report(store, found)
    pictures = [(plot.file, plot.caption) for plot in plots]
    text = report_markdown(store, counts(store), found, pictures)
    empty = {plot.file: b"" for plot in plots}
    return {_MARKDOWN: text, _HTML: report_html(text, empty, store.spec.title)}


def _wrong_page(path: Path, right: str) -> str | None:
    """Return what is wrong with a page of the report, None if nothing is; pictures within it are left out."""
    try:
        if _PICTURE.sub(r"\1", read_text(path, MOST_DATA_BYTES)) == right:
            return None
    except InvalidValueError as error:
        return str(error)
    return (
        "differs from the rows: it was edited, rows were added since, or another version wrote it; batch report "
        "writes it again"
    )
