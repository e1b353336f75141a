"""What follows in a batch folder is compared with what it follows from, and every edit is named."""

import hashlib
import json
import os
import shutil
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brickphys.batch.chunk import to_parquet
from brickphys.batch.journal import Journal
from brickphys.batch.report.report import checks, write_report
from brickphys.batch.report.table import counts, rows
from brickphys.batch.store import JOURNAL, MANIFEST, SHARDS, locked, open_store, running_store
from brickphys.errors import BatchFolderError, InvalidValueError
from brickphys.files import START, sealed
from brickphys.stamp import TRUSTED
from tests.batch.batches import PEBBLES, InProcess, run_here, spec, table_bytes

pytestmark = pytest.mark.usefixtures("quick_disk")

CHUNK_S, RUN_S = 0.003, 0.0003
"""Seconds of a chunk, and of a run as the executor tells them: ten runs make a chunk."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of a batch that is done, in many shards, with its report."""
    folder = tmp_path_factory.mktemp("made") / "batch"
    write_report(run_here(folder, PEBBLES, InProcess(3, run_s=RUN_S), CHUNK_S), folder / "report")
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "batch")


def faults(folder):
    """Return what is wrong, by the file that it is told of."""
    return {one.what.split(":")[0]: one.fault for one in checks(folder) if one.fault}


def whole(folder, made):
    """Return whether running a batch again brings it back to what was made."""
    return table_bytes(run_here(folder, PEBBLES)) == table_bytes(open_store(made))


def resealed(folder, change):
    """Change the lines of a journal, and make all checks anew, as somebody careful would."""
    journal = Journal(folder / JOURNAL, open_store(folder).spec.sha256)
    journal.write_anew(list(change(list(journal.entries()))))


def test_a_batch_without_fault_is_checked_line_by_line(made):
    found = list(checks(made))
    assert [one.fault for one in found if one.fault] == []
    told = "\n".join(one.what for one in found)
    shards = open_store(made).shards
    assert len(shards) > 2
    runs = sum(shard.runs for shard in shards)
    good = f"{len(shards)} files: SHA-256, {runs} addresses, 0 failed, stamp, columns"
    assert [one.what for one in found if "addresses" in one.what] == [f"{SHARDS}: {good}"]
    assert told.startswith(
        f"{MANIFEST}: its checksum, the fingerprint and the seed of its study, 1 stamp"
    )
    assert "report/report.md: every line" in told
    assert found[-1].what.startswith(TRUSTED)


def test_failed_counts_come_from_rows(folder, made):
    def edit(entries):
        entries[0]["blocks"][0][4] = 1
        return entries

    resealed(folder, edit)
    store = open_store(folder)
    (shard,) = (shard for shard in store.shards if shard.failed)
    name, words = shard.file, f"has 0 failed runs of cell {shard.blocks[0].cell}, 1 in the journal"
    assert faults(folder) == {f"{SHARDS}/{name}": words}
    with pytest.raises(BatchFolderError, match=words):
        rows(store)
    assert store.shard_problems().damaged == (name,)
    assert whole(folder, made)


def test_a_shard_under_the_name_of_another_cell_is_found(folder, made):
    """With its hash, and all checks made anew."""

    def edit(entries):
        zero, one = (
            next(e for e in entries if e["blocks"][0][0] == cell and e["blocks"][0][2] == 0)
            for cell in (0, 1)
        )
        for place, shard in (("from", zero), ("to", one)):
            names[place] = f"cell{shard['blocks'][0][0]:06d}-run0000000000-4.parquet"
        shutil.copy(folder / SHARDS / names["from"], folder / SHARDS / names["to"])
        one["sha256"] = zero["sha256"]
        return entries

    names: dict[str, str] = {}
    resealed(folder, edit)
    words = "holds run 0 of cell 0 in the place of run 0 of cell 1"
    assert faults(folder) == {f"{SHARDS}/{names['to']}": words}
    with pytest.raises(BatchFolderError, match=words):
        open_store(folder).rows(1)
    assert whole(folder, made)


def harm_data(folder, change):
    """Change the first shard of a batch, and its hash in the journal."""
    path = min((folder / SHARDS).iterdir())
    data = change(path.read_bytes())
    path.write_bytes(data)

    def edit(entries):
        for entry in entries:
            first = entry["blocks"][0]
            if path.name.startswith(f"cell{first[0]:06d}-run{first[2]:010d}-"):
                entry["sha256"] = hashlib.sha256(data).hexdigest()
        return entries

    resealed(folder, edit)
    return f"{SHARDS}/{path.name}"


def test_a_shard_that_is_no_parquet_file_is_named(folder, made):
    name = harm_data(folder, lambda _: b"PAR1 and nothing else")
    assert faults(folder)[name].startswith("is not a Parquet file: ")
    assert whole(folder, made)


@pytest.mark.parametrize(
    "change",
    [{"seconds": 10**400}, {"seconds": -1e308}, {"lost": {"x": 1}, "because": ""}, {"lost": "x"}],
)
def test_a_line_of_no_known_form_is_named_and_not_counted(change, folder, made):
    """With all checks made anew."""
    resealed(folder, lambda entries: [entries[0] | change, {"lost": {"x": 1}}, *entries[1:]])
    assert open_store(folder).ledger.total < 120
    assert faults(folder)[JOURNAL] == "a line names no shard; a line names no shard"
    assert whole(folder, made)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ([7, 1, 0, 4, 0], "names runs that the study does not have"),
        ([0, 10**12, 0, 4, 0], "names runs that the study does not have"),
        ([0, 1, 58, 4, 0], "names runs that the study does not have"),
        ([0, 1, 1, 2, 0], "names runs of another line"),
        ([0, 2, 3, 9, 0], "names runs twice"),
    ],
)
def test_lines_that_cannot_be_are_named_and_not_counted(block, words, folder, made):
    def edit(entries):
        blocks = [[0, 1, 9, 5, 0], [1, 1, 9, 5, 0], block] if "twice" in words else [block]
        return [*entries, entries[0] | {"blocks": blocks}]

    resealed(folder, edit)
    assert open_store(folder).ledger.total == 120
    assert words in faults(folder)[JOURNAL]
    assert whole(folder, made)
    assert set(faults(folder)) <= {"report/report.md", "report/report.html"}


def test_a_line_of_an_unknown_stamp_is_not_counted(folder, made):
    resealed(folder, lambda entries: [entries[0] | {"stamp": "0" * 16}, *entries[1:]])
    assert open_store(folder).ledger.total < 120
    assert "names an unknown stamp, 0000000000000000" in faults(folder)[JOURNAL]
    assert whole(folder, made)


def test_an_edited_line_is_not_believed_and_its_runs_are_done_again(folder, made):
    path = folder / JOURNAL
    path.write_text(path.read_text().replace(", 0]]", ", 9]]", 1))
    assert faults(folder)[JOURNAL].startswith("line 1 was edited, or")
    assert counts(open_store(folder)).failed == 0
    assert whole(folder, made)


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("report.md", "| greedy | 60 |", "| greedy | 61 |"),
        ("report.md", "seed 5.", "seed 6."),
        ("report.md", "## The study", "| greedy | 90 |\n\n## The study"),
        ("report.html", "seed 5.", "seed 6."),
        ("report.html", " % (", " % or more ("),
    ],
)
def test_a_page_of_the_report_that_was_edited_is_found(page, old, new, folder):
    path = folder / "report" / page
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert set(faults(folder)) == {f"report/{page}"}


EDITS = [
    (lambda spec: spec["document"]["fixed"].update(game="chess"), "unknown game 'chess'"),
    (lambda spec: spec["document"]["grid"].update(bots=[3, 4]), "cell 0: bots"),
    (lambda spec: spec["document"]["fixed"].pop("game"), "cell 0: "),
    (lambda spec: spec["document"].update(repeats=-1), "repeats: -1 should be"),
    (lambda spec: spec["document"].update(kind="brawl"), "unknown kind 'brawl'"),
    (lambda spec: spec["document"].update(seed="x"), "seed"),
    (lambda spec: spec["document"]["fixed"].update(draw=7), "cell 0: draw"),
]


@pytest.mark.parametrize(("edit", "words"), EDITS)
def test_a_manifest_edited_with_a_fingerprint_made_anew_is_one_line(edit, words, folder):
    path = folder / MANIFEST
    document = json.loads(path.read_text())
    edit(document["spec"])
    text = json.dumps(document["spec"], sort_keys=True, separators=(",", ":"))
    document |= {
        "spec_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "seed": document["spec"]["document"]["seed"],
    }
    document.pop("check")
    path.write_text(json.dumps(sealed(START, document), indent=2))
    (folder / JOURNAL).unlink()
    with pytest.raises(InvalidValueError, match=words) as found:
        rows(open_store(folder))
    assert "\n" not in str(found.value)


def pipe(path):
    os.mkfifo(path)


@pytest.mark.parametrize("make", [os.mkdir, pipe])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (MANIFEST, "holds no batch: there is no file"),
        (JOURNAL, "journal.jsonl: is not a file"),
        (f"{SHARDS}/more", "shards/more: is not a file of a batch: move it away"),
        (f"{SHARDS}/cell000000-run0000000000-4.parquet", "-4.parquet: is not a file of a batch"),
    ],
)
def test_folders_and_pipes_in_the_place_of_files_are_one_line(make, name, words, folder):
    path = folder / name
    path.unlink(missing_ok=True)
    make(path)
    for look in (lambda: open_store(folder).shard_problems(), lambda: run_here(folder, PEBBLES)):
        with pytest.raises(BatchFolderError, match=words) as found:
            look()
        assert "Errno" not in str(found.value)
        assert "\n" not in str(found.value)


def test_a_note_among_the_shards_is_not_deleted(folder):
    note = folder / SHARDS / "notes.txt"
    note.write_text("mine")
    with (
        pytest.raises(
            BatchFolderError, match=r"notes\.txt: is not a file of a batch: move it away"
        ),
        running_store(folder, spec(PEBBLES)) as store,
    ):
        store.repair()
    assert note.read_text() == "mine"


def test_rows_that_are_twice_in_one_shard_are_not_believed(folder, made):
    """With their hash, and all checks made anew."""
    store = open_store(folder)
    first = store.shards[0]
    rows_twice = to_parquet(pa.concat_tables([pq.read_table(folder / SHARDS / first.file)] * 2))
    digest = hashlib.sha256(rows_twice).hexdigest()
    double = replace(first, blocks=first.blocks * 2, sha256=digest)
    (folder / SHARDS / double.file).write_bytes(rows_twice)
    resealed(folder, lambda entries: [double.entry, *entries[1:]])
    assert "names runs twice" in faults(folder)[JOURNAL]
    assert open_store(folder).ledger.total == store.ledger.total - first.runs
    assert whole(folder, made)


def test_what_a_runner_has_begun_is_no_fault(folder):
    begun = (".cell000000-run0000000000-4.parquet.1.part", "cell000001-run0000000090-4.parquet")
    for name in begun:
        (folder / SHARDS / name).write_bytes(b"half")
    assert faults(folder) == {}
    what = f"{SHARDS}: no files but those of the journal, and unfinished files of a runner, which"
    assert f"{what} the next run removes: {'; '.join(begun)}" in [
        one.what for one in checks(folder)
    ]


def test_two_shards_that_no_line_names_are_a_fault(folder):
    names = [f"cell000001-run00000000{n}-4.parquet" for n in (90, 94)]
    for name in names:
        (folder / SHARDS / name).write_bytes(b"half")
    assert faults(folder) == {SHARDS: "; ".join(names)}
    with locked(folder):  # its runner has not listed them yet
        assert faults(folder) == {}


def test_a_batch_without_its_folder_of_shards_misses_each_of_them(folder):
    files = {f"{SHARDS}/{shard.file}" for shard in open_store(folder).shards}
    shutil.rmtree(folder / SHARDS)
    assert faults(folder) == dict.fromkeys(files, "is missing")


def test_of_a_report_the_pages_that_are_there_are_checked(folder):
    (folder / "report" / "report.html").unlink()
    told = [one.what for one in checks(folder)]
    assert "report/report.md: every line" in told
    assert not any("report.html" in what for what in told)
    (folder / "report" / "report.md").write_bytes(b"\xff")
    assert "is not UTF-8 text" in faults(folder)["report/report.md"]
    shutil.rmtree(folder / "report")
    assert not any("report" in one.what for one in checks(folder))


def test_a_folder_without_batch_has_one_check(tmp_path):
    (only,) = checks(tmp_path)
    assert "holds no batch" in only.fault
