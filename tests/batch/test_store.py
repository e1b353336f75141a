"""A batch folder loses nothing and counts nothing twice, whatever happens to its files."""

import io
import json
import re
import shutil
from contextlib import contextmanager
from dataclasses import replace as replace_in

import pyarrow.parquet as pq
import pytest

from brickphys.batch import chunk
from brickphys.batch import journal as manifest
from brickphys.batch.chunk import Chunk, failed_result, to_parquet
from brickphys.batch.kinds.battles import BattleWork
from brickphys.batch.report.sql import query
from brickphys.batch.report.table import counts, rows, stamped_rows, stamps_in_words
from brickphys.batch.runner import run
from brickphys.batch.shard import ShardProblems, shard_of
from brickphys.batch.store import (
    JOURNAL,
    MANIFEST,
    SHARDS,
    existing_store,
    open_store,
    running_store,
    stored_seed,
)
from brickphys.errors import BatchFolderError, InterruptedRunError, WorkerStartError
from brickphys.stamp import Stamp, stamp_here
from tests.batch.batches import (
    PEBBLES,
    InProcess,
    count_runs,
    everything,
    pebbles,
    run_here,
    spec,
    table_bytes,
)

CHUNK_S, RUN_S = 0.003, 0.0003
"""Seconds of a chunk, and of a run as the executor tells them: ten runs make a chunk."""
NOT_BELIEVED = "was edited, or the line before it is not the one that was"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of a batch that is done, in many shards."""
    folder = tmp_path_factory.mktemp("made") / "batch"
    run_here(folder, PEBBLES, InProcess(3, run_s=RUN_S), CHUNK_S)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "batch")


def again(folder):
    """Run a batch to its end; return how many runs were done for that, and its table."""
    executor = InProcess(2, 1, run_s=RUN_S)
    store = run_here(folder, PEBBLES, executor, 10 * CHUNK_S)
    assert counts(store).pending == 0
    return count_runs(executor.done), table_bytes(store)


def shard(folder, number=2):
    return sorted((folder / SHARDS).iterdir())[number]


def test_shards_carry_their_checksum_and_their_rows(made):
    store = open_store(made)
    assert len(store.shards) > 4
    for one in store.shards:
        rows = pq.read_table(made / SHARDS / one.file)
        addresses = [(each.cell, run) for each in one.chunks for run in range(each.first, each.end)]
        found = zip(rows["cell"].to_pylist(), rows["run"].to_pylist(), strict=True)
        assert list(found) == addresses
    names = {path.name for path in made.iterdir()}
    assert names <= {MANIFEST, JOURNAL, SHARDS, "lock"}


def test_a_batch_that_is_done_does_nothing(made, folder):
    before = {path.name: path.read_bytes() for path in (folder / SHARDS).iterdir()}
    assert again(folder) == (0, table_bytes(open_store(made)))
    assert {path.name: path.read_bytes() for path in (folder / SHARDS).iterdir()} == before


def truncate(path):
    path.write_bytes(path.read_bytes()[:-40])


def empty(path):
    path.write_bytes(b"")


def alter(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def replace(path):
    """Put other rows there, in a file without a fault."""
    path.write_bytes(to_parquet(pq.read_table(path).slice(1)))


def remove(path):
    path.unlink()


def refused(words, folder, study=None, *, also_looked_at=False):
    """Assert that a folder is refused to a runner, and perhaps to whoever looks; return what the runner is told."""
    study = study or spec(PEBBLES)
    if also_looked_at:
        with pytest.raises(BatchFolderError, match=words):
            existing_store(folder, study)
    with pytest.raises(BatchFolderError, match=words) as told, running_store(folder, study):
        pass
    return str(told.value)


@pytest.mark.parametrize("harm", [truncate, empty, alter, replace, remove])
def test_a_shard_that_was_harmed_is_told_of_and_done_again(harm, made, folder):
    path = shard(folder)
    count = pq.read_metadata(path).num_rows
    harm(path)
    with pytest.raises(
        BatchFolderError, match=f"{path.name}: is (missing|not as it was written); batch run"
    ):
        rows(open_store(folder))
    with running_store(folder, spec(PEBBLES)) as store:
        assert store.repair().lost == (path.name,)
        assert counts(store).pending == count
    assert again(folder) == (count, table_bytes(open_store(made)))


def test_what_a_runner_left_half_done_is_removed(made, folder):
    orphan = folder / SHARDS / "cell000000-run0000000000-9.parquet"
    part = folder / SHARDS / ".cell000000-run0000000000-9.parquet.part"
    for path in (orphan, part):
        path.write_bytes(b"half")
    assert again(folder) == (0, table_bytes(open_store(made)))
    assert not orphan.exists()
    assert not part.exists()


def test_a_journal_torn_at_any_place_is_mended(made, folder):
    whole = (made / JOURNAL).read_bytes()
    expected = table_bytes(open_store(made))
    for cut in [0, 1, *range(len(whole) - 140, len(whole), 47)]:
        (folder / JOURNAL).write_bytes(whole[:cut])
        assert again(folder)[1] == expected


def test_the_runs_of_a_line_that_was_edited_are_done_again_and_no_others(made, folder):
    path = folder / JOURNAL
    text = path.read_text()
    blocks = json.loads(text.splitlines()[0])["blocks"]
    path.write_text(text.replace(", 0]]", ", 9]]", 1))
    runs = sum(cells * count for _, cells, _, count, _ in blocks)
    assert again(folder) == (runs, table_bytes(open_store(made)))


def test_a_journal_told_twice_counts_once(made, folder):
    path = folder / JOURNAL
    whole = path.read_bytes()
    path.write_bytes(whole * 2)
    store = open_store(folder)
    assert store.ledger.total == 120
    first = whole.count(b"\n") + 1
    assert store.shard_problems().lines == (f"line {first} {NOT_BELIEVED}",)
    assert again(folder) == (0, table_bytes(open_store(made)))
    assert open_store(folder).shard_problems() == ShardProblems()


def test_shards_that_overlap_count_once(made, folder):
    more = Chunk(0, 1, 1)
    result = failed_result(more, "why")
    store = open_store(folder)
    shard = shard_of(result, store.stamp.digest)
    (folder / SHARDS / shard.file).write_bytes(result.parquet)
    store._journal.append(shard.entry)
    assert table_bytes(open_store(folder)) == table_bytes(open_store(made))
    assert open_store(folder).ledger.total == 120


def test_a_chunk_that_comes_twice_is_kept_once(tmp_path):
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store:
        for one in (Chunk(0, 0, 4), Chunk(0, 2, 4), Chunk(0, 0, 4)):
            store.add(failed_result(one, "why"))
        assert store.ledger.total == 4
        assert len(list((tmp_path / "batch" / SHARDS).iterdir())) == 1


@contextmanager
def no_room_for(monkeypatch, name):
    """Let the disk be full when that is written."""

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(name, refuse)
        yield


@pytest.mark.parametrize("name", ["os.fsync", "brickphys.batch.journal.Journal.append"])
def test_no_room_is_one_line_and_loses_nothing(name, made, tmp_path, monkeypatch):
    folder = tmp_path / "batch"
    run_here(folder, PEBBLES, InProcess(run_s=RUN_S), CHUNK_S, stop=3)
    before = open_store(folder).ledger.total
    with (
        running_store(folder, spec(PEBBLES)) as store,
        InProcess() as executor,
        no_room_for(monkeypatch, name),
        pytest.raises(InterruptedRunError, match=f"No space left on device: .* {before} runs"),
    ):
        run(store, executor)
    assert open_store(folder).ledger.total >= before
    assert again(folder)[1] == table_bytes(open_store(made))


def test_a_second_runner_is_refused(tmp_path):
    folder = tmp_path / "batch"
    with running_store(folder, spec(PEBBLES)):
        refused("is being run by another process", folder, also_looked_at=True)
    with running_store(tmp_path / "batch", spec(PEBBLES)):
        pass


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 6}, "holds another study: seed is 6, was 5"),
        ({"repeats": 61}, "repeats is 61, was 60"),
        ({"title": "new"}, "title is new"),
        ({"grid": {"bots": ["random"]}}, r'grid.bots is \["random"\], was \["random", "greedy"\]'),
        ({"limits": {"time_s": 9}}, "limits.* is new"),
    ],
)
def test_a_study_that_was_edited_is_refused_and_told(change, words, folder):
    refused(words, folder, spec(PEBBLES | change))


def test_of_many_changes_of_a_study_five_are_told(folder):
    other = PEBBLES | {"seed": 6, "repeats": 61, "title": "new", "limits": {"time_s": 9}}
    other |= {"grid": {"bots": ["random"]}, "fixed": {"game": "pebbles", "draw": {"raises": 0.5}}}
    told = refused("holds another study", folder, spec(other))
    assert told.count("; ") == 5  # the last one before what to do


def test_a_file_that_a_study_names_belongs_to_it(tmp_path):
    tables = pebbles() | {"fixed": {"game": "pebbles", "scenario": "mine.toml"}}
    (tmp_path / "mine.toml").write_text("left = 7\n")
    with running_store(tmp_path / "batch", spec(tables, tmp_path)):
        pass
    (tmp_path / "mine.toml").write_text("left = 8\n")
    words = r"attached\.mine\.toml\.left is 8, was 7"
    refused(words, tmp_path / "batch", spec(tables, tmp_path))


@pytest.fixture
def computed_by(monkeypatch):
    """Return what lets something else compute from now on, here and in the workers: a table of the stamp changes."""

    def change(table: str, **values: str) -> Stamp:
        here = stamp_here("pebbles_game")
        other = replace_in(here, **{table: {**getattr(here, table), **values}})
        for module in (manifest, chunk):
            monkeypatch.setattr(module, "stamp_here", lambda *_: other)
        monkeypatch.setattr(chunk, "stamp_now", lambda *_: other)
        chunk._stamp_here.cache_clear()
        return other

    yield change
    chunk._stamp_here.cache_clear()


@pytest.mark.parametrize(
    ("table", "values", "words"),
    [
        ("versions", {"numpy": "9.9"}, r"versions numpy is 9\.9, was \d"),
        ("platform", {"machine": "abacus"}, "platform machine is abacus, was "),
        ("processor", {"name": "generic"}, "processor name is generic, was "),
        ("kernels", {"NUMBA_OPT": "0"}, "kernels NUMBA_OPT is 0, was not there"),
    ],
)
def test_another_stamp_is_refused(table, values, words, folder, computed_by):
    before = everything(folder)
    computed_by(table, **values)
    refused(f"by another program: {words}", folder, also_looked_at=True)
    assert everything(folder) == before


@pytest.mark.parametrize("name", ["vehicles", "pebbles_game"])
def test_other_sources_that_give_the_same_rows_are_told_and_go_on(
    name, folder, computed_by, caplog
):
    first = open_store(folder).manifest.stamps[0]
    other = computed_by("sources", **{name: "0"})
    with caplog.at_level("INFO", "brickphys"), running_store(folder, spec(PEBBLES)) as store:
        assert store.manifest.stamps == (first, other)
    (told,) = caplog.messages
    words = rf": the sources of {name} have changed; \d+ rows computed again are the same"
    assert re.search(words, told)


def test_other_sources_that_give_other_rows_are_refused(folder, computed_by, monkeypatch):
    before = everything(folder)
    computed_by("sources", pebbles_game="0")
    work = BattleWork.rows
    monkeypatch.setattr(BattleWork, "rows", lambda self, first, count: work(self, first + 1, count))
    words = (
        r"program: the sources of pebbles_game have changed, and \d+ of \d+ rows computed again are"
    )
    refused(words, folder, also_looked_at=True)
    assert everything(folder) == before


def test_rows_of_another_stamp_are_marked(tmp_path, computed_by):
    folder = tmp_path / "batch"
    begun = run_here(folder, PEBBLES, InProcess(run_s=RUN_S), CHUNK_S, stop=3)
    first, before = begun.manifest.stamps[0].digest, begun.ledger.total
    assert "stamp" not in begun.rows().column_names
    second = computed_by("sources", vehicles="0").digest
    with (
        running_store(folder, spec(PEBBLES), continue_anyway=True) as store,
        InProcess() as working,
    ):
        run(store, working, chunk_s=CHUNK_S)
    done = open_store(folder)
    stamps = done.rows()["stamp"].to_pylist()
    assert (stamps.count(first), stamps.count(second)) == (before, 120 - before)
    assert [one.digest for one in done.manifest.stamps] == [first, second]
    told = stamped_rows(done)
    assert [(one.digest, one.rows) for one in told] == [(first, before), (second, 120 - before)]
    assert "the sources of vehicles have changed" in stamps_in_words(done)
    frame = query(done, "select stamp, count(*) as n from rows group by stamp").to_pylist()
    assert {row["stamp"]: row["n"] for row in frame} == {first: before, second: 120 - before}
    run_here(folder, PEBBLES)  # what was accepted once is not asked again


def test_a_worker_of_another_stamp_does_nothing(tmp_path, monkeypatch):
    """Somebody has edited the sources since the runner began."""
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store, InProcess() as working:
        other = replace_in(store.stamp, sources={**store.stamp.sources, "bow": "0"})
        monkeypatch.setattr(chunk, "_stamp_here", lambda _: other)
        words = "its program differs from the runner's: the sources of bow have changed"
        with pytest.raises(WorkerStartError, match=words):
            run(store, working)
        assert store.ledger.total == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"repeats": 60', '"repeats": 59', "was edited"),
        ('"spec"', '"species"', "is not a manifest"),
        ("{", "[", "not JSON"),
        ('"kind": "battle"', '"kind": "brawl"', "was edited"),
    ],
)
def test_a_manifest_that_was_edited_is_refused(old, new, words, folder):
    path = folder / MANIFEST
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(BatchFolderError, match=words):
        open_store(folder)
    refused(words, folder)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{}", "is not a manifest of a batch: the manifest lacks spec, stamps, check"),
        (b"[]", "is not a manifest of a batch: the manifest is not a JSON object"),
        (b"\xff\xfe", "manifest.json: line 1: is not UTF-8 text"),
        (b'{"schema": "brickphys.batch/1"}', "an earlier version wrote it: run the study again"),
    ],
)
def test_what_a_manifest_lacks_is_told(content, told, folder):
    (folder / MANIFEST).write_bytes(content)
    with pytest.raises(BatchFolderError, match=re.escape(told)):
        open_store(folder)


def test_a_file_is_no_batch(folder):
    with pytest.raises(BatchFolderError, match=r"manifest\.json: is a file, not the folder of a"):
        open_store(folder / MANIFEST)


def test_three_of_the_files_that_are_in_the_way_are_named(tmp_path):
    for name in "dbca":
        (tmp_path / name).touch()
    refused(r"holds other files \(a, b, c\)$", tmp_path)


def test_a_manifest_that_was_never_finished_is_not_in_the_way(tmp_path):
    (tmp_path / f".{MANIFEST}.17.part").write_text("half")
    with running_store(tmp_path, spec(PEBBLES)) as store:
        assert store.ledger.total == 0


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("x")
    refused(r"holds other files \(thesis.txt\)", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    refused("is a file, not a folder", tmp_path / "thesis.txt")
    with pytest.raises(BatchFolderError, match="holds no batch"):
        open_store(tmp_path)


@pytest.mark.parametrize("also", [(), (JOURNAL,), (SHARDS,)])
def test_rows_without_their_manifest_are_left_alone(also, folder):
    """Nobody can tell whose they are; a runner would delete them as shards that no journal lists."""
    for name in (MANIFEST, *also):
        shutil.rmtree(folder / name) if name == SHARDS else (folder / name).unlink()
    before = everything(folder)
    words = r"holds the rows of a batch without its manifest\.json: put it back"
    refused(words, folder, also_looked_at=True)
    assert everything(folder) == before


@pytest.mark.parametrize(
    ("hidden", "ask"),
    [
        (SHARDS, lambda folder: open_store(folder).files()),
        ("", lambda folder: existing_store(folder, spec(PEBBLES))),
    ],
)
def test_folders_that_cannot_be_read_are_one_line(hidden, ask, folder, monkeypatch):
    iterdir = type(folder).iterdir

    def refuse(path):
        if path == folder / hidden:
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(type(folder), "iterdir", refuse)
    with pytest.raises(BatchFolderError, match=r": cannot be read: Permission denied$"):
        ask(folder)


def test_shards_are_counted_and_removed_one_by_one(folder):
    store = open_store(folder)
    one, other = store.shards[:2]
    store.exclude([])
    assert store.ledger.total == 120
    store.exclude([one.file, other.file])
    assert store.ledger.total == 120 - one.runs - other.runs
    assert {one.file, other.file}.isdisjoint(shard.file for shard in store.shards)
    assert open_store(folder).ledger.total == 120
    assert existing_store(folder.with_name("none"), spec(PEBBLES)) is None


def test_the_seed_of_a_batch_is_known(folder, tmp_path):
    assert stored_seed(folder) == 5
    assert stored_seed(tmp_path / "none") is None


def test_rows_of_some_columns(made):
    store = open_store(made)
    assert store.rows(1, ["run", "winner", "error"]).column_names == ["run", "winner"]
    assert store.rows(1).num_rows == 60
    assert store.good_rows(1, 7)["run"].to_pylist() == list(range(7))
    assert store.rows(99).num_rows == 0


def test_errors_are_the_last_column(tmp_path):
    store = run_here(tmp_path / "batch", pebbles(raises=0.3), InProcess(run_s=RUN_S), CHUNK_S)
    assert store.rows().column_names[-1] == "error"
    assert store.rows().column_names[:2] == ["cell", "run"]
    data = io.BytesIO(to_parquet(store.rows()))
    assert pq.read_table(data).equals(store.rows())


def test_the_code_of_a_game_belongs_to_the_stamp(tmp_path):
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store:
        assert store.stamp.sources["pebbles_game"]


@pytest.mark.parametrize(
    ("length", "words"), [(58, f'title is "{"y" * 58}", was "x"'), (59, "title has changed")]
)
def test_long_values_of_a_study_are_not_written_out(length, words):
    """A value has 60 characters at most, its quotation marks among them."""
    one, other = (spec(PEBBLES | {"title": title}) for title in ("x", "y" * length))
    assert manifest.manifest_here(one).spec_differences(other) == [words]
