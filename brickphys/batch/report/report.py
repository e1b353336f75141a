"""Report: one page about a batch, as Markdown with pictures and as one self-contained HTML file.

`checks` compares everything in a batch folder that follows from other data with that data.
"""

import base64
import csv
import html
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.plan import is_enough
from brickphys.batch.report.plot_data import PlotData, plots_of_report
from brickphys.batch.report.table import (
    RunCounts,
    bot_table,
    bot_wins,
    cell_columns,
    cell_line,
    counts,
    errors,
    first_cells,
    headings,
    row,
    stamps_in_words,
    summaries,
)
from brickphys.batch.schema import Until
from brickphys.batch.shard import Shard
from brickphys.batch.spec import Spec
from brickphys.batch.store import JOURNAL, MANIFEST, SHARDS, Store, is_running, open_store
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_whole
from brickphys.interface import drawer
from brickphys.reading import MOST_DATA_BYTES, read_text
from brickphys.stamp import TRUSTED, Check
from brickphys.text import cleaned, cleaned_line, counted, listed

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto }
th, td { padding: .25em .8em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
tbody tr:hover { background: #f4f4f4 }
pre { background: #f6f6f6; padding: 1em; overflow-x: auto }
img { max-width: 100% }
"""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""A browser loads nothing for the page, and runs no program in it."""
_MARKUP = re.compile(r"[\\`*\[\]|]")
"""Signs that Markdown would take for more than text, besides < and &."""


MOST_CELLS = 1000
"""Cells in the table of a page; of a study with more, the file ``cells.csv`` has all."""
_MOST_ERRORS = 100
"""Lines of errors on a page."""


def report_markdown(
    store: Store,
    counts: RunCounts,
    summaries: Mapping[int, Mapping[str, Any]],
    pictures: Sequence[tuple[str, str]],
) -> str:
    """Return the report as Markdown; `summaries` are by number of the cell, `pictures` are files with captions."""
    parts = [
        f"# {markdown_text(store.spec.title)}",
        _progress(store, counts),
        *_until(store, summaries),
        "## Cells",
        _cell_table(store, summaries),
        *_more_cells(store),
        _intervals(store),
        _meanings(store),
        *_bots(store, summaries),
        *(
            part
            for file, caption in pictures
            for part in (f"### {markdown_text(caption)}", f"![{markdown_text(caption)}]({file})")
        ),
        *_failures(store),
        "## The study",
        f"```toml\n{_toml(store)}```",
        *_origin(store),
    ]
    return "\n\n".join(parts) + "\n"


def fingerprint(spec: Spec) -> str:
    """Return the line with which a report names its study."""
    return f"fingerprint of the study `{spec.sha256[:16]}`"


def report_html(markdown: str, pictures: Mapping[str, bytes], title: str) -> str:
    """Return the report as one HTML page that holds its pictures, PNG by their file names in the Markdown."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "autolink"])
    parser.validateLink = lambda address: address in pictures  # type: ignore[assignment]
    body = parser.render(markdown)
    for name, data in pictures.items():
        inline = f"data:image/png;base64,{base64.b64encode(data).decode()}"
        body = body.replace(f'src="{name}"', f'src="{inline}"')
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{html.escape(cleaned_line(title))}</title><style>{_STYLE}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>\n'


def _progress(store: Store, counts: RunCounts) -> str:
    unit = store.spec.study_type.unit
    text = (
        f"{counts.done:,} {unit} in {counted(len(store.spec.cells), 'cell')}, "
        f"{counts.failed:,} failed, seed {store.spec.seed}."
    )
    if counts.pending:
        text += f" **Not finished: {counts.pending:,} {unit} are still to be done.**"
    if store.journal_faults:
        text += f" **Left out are the {unit} of the journal's {listed(store.journal_faults)}.**"
    return text


def _is_open(store: Store, cell: int, summary: Mapping[str, Any], until: Until) -> bool:
    """Return whether the interval of a cell is too wide, or its test has not decided."""
    if until.half_width is None:
        return not is_enough(store, cell, until.at_most)
    estimate = summary.get(until.column)
    return not isinstance(estimate, Estimate) or estimate.half_width > until.half_width


def _until(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    until = store.spec.until
    if until is None:
        return
    told = f"Each cell is repeated until {until.aim}, or {until.at_most:,} runs are done."
    if until.sprt is None:
        told += (
            f" It is checked after {until.first:,} runs and each time they have doubled. A cell is therefore slightly "
            "more likely to stop when its interval happens to be narrow."
        )
    yield told
    if left := [
        cell for cell, summary in summaries.items() if _is_open(store, cell, summary, until)
    ]:
        what = "Wider than that" if until.sprt is None else "Not decided"
        yield f"**{what}: {len(left)} of {len(summaries)} cells**, {first_cells(left)}."


def _cell_table(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> str:
    """Return the table of the cells as Markdown, at most `MOST_CELLS` of them."""
    columns = cell_columns(store, list(summaries.values()))
    lines = [
        cell_line(store, cell, summary, columns, ends=columns)
        for cell, summary in islice(summaries.items(), MOST_CELLS)
    ]
    return markdown_table(headings(store, columns), lines)


def markdown_table(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, the first column aligned to the left, the others to the right."""
    rows = [columns, ["---", *["---:"] * (len(columns) - 1)], *lines]
    return "\n".join(f"| {' | '.join(markdown_text(text) for text in row)} |" for row in rows)


def _more_cells(store: Store) -> Iterator[str]:
    if (more := len(store.spec.cells) - MOST_CELLS) > 0:
        yield f"... and {more:,} more cells: `cells.csv` has all of them."


def _intervals(store: Store) -> str:
    note = store.spec.study_type.interval_note
    return (
        f"In brackets the 95 % interval: Wilson's for shares{f' ({note})' if note else ''}, Student's for means. "
        "Each interval is for its cell alone: about one in twenty misses the true value."
    )


def _meanings(store: Store) -> str:
    known: dict[str, str] = {}
    for cell in range(len(store.spec.cells)):
        known.update(store.spec.columns(cell))
    lines = []
    for name, meaning in known.items():
        heading = store.spec.heading(name)
        called = f"{markdown_text(heading)} (`{name}`)" if heading != name else f"`{name}`"
        lines.append(f"- {called}: {markdown_text(meaning)}")
    return "\n".join(lines)


def _bots(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the wins of each bot over all its seats, if bots change seats in the study."""
    if found := bot_wins(store, summaries.items()):
        yield "## Each bot over all its seats"
        yield markdown_table(*bot_table(found))


def _failures(store: Store) -> Iterator[str]:
    lines = [
        f"- cell {one.cell}: {one.count:,} times, first in run {one.run:,}: {markdown_text(one.error)}"
        for one in errors(store)
    ]
    if lines:
        more = len(lines) - _MOST_ERRORS
        yield "## Failed runs"
        yield "\n".join(lines[:_MOST_ERRORS])
        if more > 0:
            yield f"... and {more:,} more lines: --sql finds them in the column `error` of `rows`"


def _toml(store: Store) -> str:
    """Return the study as TOML in which every string is a text that no page takes for markup."""
    import tomli_w

    return cleaned(tomli_w.dumps(dict(store.spec.document))).replace("<", "\\u003c")


def _origin(store: Store) -> Iterator[str]:
    if found := stamps_in_words(store):
        yield f"**{found}.** Rows may differ for that reason alone; their column `stamp` tells them apart."
    stamp = store.manifest.stamps[0]
    versions = ", ".join(f"{name} {number}" for name, number in stamp.versions.items())
    place = stamp.platform
    settings = "".join(f", {name}={value}" for name, value in stamp.kernels.items())
    yield (
        f"Made with {versions}; {place.get('system')} on {place.get('machine')} ({stamp.processor.get('name')}), "
        f"Python {place.get('python')}{settings}; stamp of the sources, settings, processor and versions "
        f"`{stamp.digest}`. The same study and stamp give the same rows; {fingerprint(store.spec)}."
    )


def markdown_text(text: str) -> str:
    """Return a text from anywhere as one line that Markdown shows as it is."""
    marked = _MARKUP.sub(r"\\\g<0>", cleaned_line(text))
    return marked.replace("&", "&amp;").replace("<", "&lt;")


REPORT = "report"
_MARKDOWN, _HTML = "report.md", "report.html"
_PICTURE = re.compile('(src="data:image/png;base64,)[A-Za-z0-9+/=]+')


def check_report_folder(store: Store, folder: Path, *, force: bool) -> None:
    """Raise InvalidValueError if a folder has files other than an earlier report of the study."""
    if force or not folder.is_dir():
        return
    found = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if found and not _holds_report(store, folder):
        raise InvalidValueError(
            f"{folder}: holds something other than a report of this study ({', '.join(found[:3])}): choose another "
            "folder, or --force writes there and overwrites files of the same names (from Python force=True)"
        )


def _holds_report(store: Store, folder: Path) -> bool:
    """Return whether the ``report.md`` of a folder names the fingerprint of the study."""
    page = folder / _MARKDOWN
    try:
        return page.is_file() and fingerprint(store.spec) in read_text(page, MOST_DATA_BYTES)
    except InvalidValueError:  # no text, so not our report
        return False


def write_report(store: Store, folder: Path) -> list[Path]:
    """Write ``report.md`` with its pictures, and the self-contained ``report.html``; earlier ones are replaced.

    Of a study with more cells than the page shows, ``cells.csv`` has the whole table.
    """
    make_folder(folder)
    found = dict(summaries(store))
    plots = plots_of_report(store, found)
    draw = drawer("batch:plot_png")
    drawn = {plot.file: draw(plot) for plot in plots}
    texts = _pages(store, found, plots, drawn)  # the first one marks the folder as a report
    if len(found) > MOST_CELLS:
        texts["cells.csv"] = _csv([row(store, cell, one) for cell, one in found.items()])
    files = [write_whole(texts.pop(_MARKDOWN), folder / _MARKDOWN, force=True)]
    for name, data in drawn.items():
        write_whole(data, folder / name, force=True)
    return files + [write_whole(text, folder / name, force=True) for name, text in texts.items()]


def _pages(
    store: Store,
    found: Mapping[int, Mapping[str, Any]],
    plots: Sequence[PlotData],
    drawn: Mapping[str, bytes],
) -> dict[str, str]:
    pictures = [(plot.file, plot.caption) for plot in plots]
    text = report_markdown(store, counts(store), found, pictures)
    return {_MARKDOWN: text, _HTML: report_html(text, drawn, store.spec.title)}


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table as CSV; intervals and other lists are JSON."""
    target = io.StringIO()
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(target, names, lineterminator="\n")
    writer.writeheader()
    for values in rows:
        lists = {n: json.dumps(v) for n, v in values.items() if isinstance(v, list | dict)}
        writer.writerow({**values, **lists})
    return target.getvalue()


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
        found = dict(summaries(store))
        plots = plots_of_report(store, found)
        pages = _pages(store, found, plots, {plot.file: b"" for plot in plots})
    except InvalidValueError as error:
        yield Check(f"{REPORT}: its pages", str(error))
        return
    for page, right in pages.items():
        if (folder / page).exists():
            yield Check(f"{REPORT}/{page}: every line", _wrong_page(folder / page, right))
    yield Check(f"{TRUSTED}: pictures and cells.csv in {REPORT}")


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
