"""A shard is compared with its line in the journal: rows, addresses, errors and marks."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.chunk import Chunk, ChunkResult, failed_result, to_parquet
from brickphys.batch.shard import (
    RowBlock,
    Shard,
    lost_entry,
    lost_in,
    named_block,
    shard_in,
    shard_of,
)
from brickphys.errors import InvalidValueError

CHUNKS = (Chunk(2, 4, 2), Chunk(3, 4, 2), Chunk(4, 4, 2), Chunk(4, 9, 1))
CELLS, RUNS = [2, 2, 3, 3, 4, 4, 4], [4, 5, 4, 5, 4, 5, 9]


OWN = [frozenset({pa.field("value", pa.int64(), nullable=False)})]
"""The columns of the cells."""


def table(cells=CELLS, runs=RUNS, **more):
    columns = {"cell": pa.array(cells, pa.int32()), "run": pa.array(runs, pa.int64())}
    return pa.table({**columns, "value": pa.array(range(len(cells))), **more})


def shard(rows, folder, failed=(0, 0, 0, 0)):
    """Write rows as the shard of the chunks; return it."""
    made = shard_of(ChunkResult(CHUNKS, failed, to_parquet(rows), 0.25), "abcd")
    (folder / made.file).write_bytes(to_parquet(rows))
    return made


def fault(rows, folder, mark=None, failed=(0, 0, 0, 0)):
    with pytest.raises(InvalidValueError) as caught:
        shard(rows, folder, failed).rows(folder, OWN, mark)
    return str(caught.value)


def test_chunks_of_neighbouring_cells_that_are_alike_are_one_block(tmp_path):
    made = shard(table(), tmp_path)
    assert made.blocks == (RowBlock(2, 3, 4, 2, 0), RowBlock(4, 1, 9, 1, 0))
    assert made.file == "cell000002-run0000000004-7.parquet"
    assert (made.runs, made.failed, list(made.cells)) == (7, 0, [2, 3, 4, 4])
    assert made.chunks == CHUNKS
    apart = shard(
        table(error=pa.array([*[None] * 2, "x", "x", *[None] * 3])), tmp_path, (0, 2, 0, 0)
    )
    assert apart.blocks == (
        RowBlock(2, 1, 4, 2, 0), RowBlock(3, 1, 4, 2, 2), RowBlock(4, 1, 4, 2, 0), RowBlock(4, 1, 9, 1, 0)
    )  # fmt: skip
    assert apart.failed == 2
    alike = ChunkResult(
        (Chunk(1, 0, 3), Chunk(2, 0, 3), Chunk(3, 0, 4), Chunk(5, 0, 4)), (1,) * 4, b"", 0
    )
    blocks = (RowBlock(1, 2, 0, 3, 1), RowBlock(3, 1, 0, 4, 1), RowBlock(5, 1, 0, 4, 1))
    assert shard_of(alike, "").blocks == blocks
    assert shard_of(alike, "").failed == 4


def test_a_shard_comes_back_from_its_line(tmp_path):
    made = shard(table(), tmp_path)
    assert shard_in(made.entry) == made
    assert made.entry["seconds"] == 0.25
    assert replace(made, seconds=0.123456).entry["seconds"] == 0.1235


def test_its_rows_have_the_columns_of_the_study_in_any_order(tmp_path):
    rows = table()
    assert shard(rows, tmp_path).rows(tmp_path, OWN) == rows
    turned = rows.select(["value", "run", "cell"])
    assert shard(turned, tmp_path).rows(tmp_path, OWN) == turned


def test_runs_that_failed_have_no_values(tmp_path):
    value = pa.array([None, None, *range(5)])
    some = table(error=pa.array(["why"] * 2 + [None] * 5)).set_column(2, "value", value)
    assert shard(some, tmp_path, (2, 0, 0, 0)).rows(tmp_path, OWN) == some
    bare = table(error=pa.array(["why"] * 7)).drop_columns(["value"])
    assert shard(bare, tmp_path, (2, 2, 2, 1)).rows(tmp_path, OWN) == bare
    errors = pa.array(["why"] * 6 + [None])
    words = "lacks the column value"
    assert fault(bare.set_column(2, "error", errors), tmp_path, None, (2, 2, 2, 0)) == words


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (table(CELLS[1:], RUNS[1:]), "has 6 rows, 7 in the journal"),
        (table().drop_columns(["cell"]), "lacks the column cell"),
        (table().drop_columns(["run"]), "lacks the column run"),
        (
            table().set_column(0, "cell", pa.array(CELLS, pa.int64())),
            "its column cell has the type int64, not int32",
        ),
        (table().drop_columns(["value"]), "lacks the column value"),
        (table(more=pa.array(range(7))), "has a column more, which the study does not have"),
        (table().append_column("value", pa.array(range(7))), "has the column value twice"),
        (table().append_column("cell", pa.array(CELLS)), "has the column cell twice"),
        (
            table().set_column(2, "value", pa.array(range(7), pa.int8())),
            "its column value has the type int8, not int64",
        ),
        (
            table().set_column(2, "value", pa.array([*range(6), None])),
            "has no value of value in a run that did not fail",
        ),
        (table(error=pa.array([1] * 7)), "its column error has the type int64, not string"),
        (table([None, *CELLS[1:]]), "has rows without an address"),
        (table(CELLS, [*RUNS[:6], None]), "has rows without an address"),
        (table(CELLS, [*RUNS[:6], 8]), "holds run 8 of cell 4 in the place of run 9 of cell 4"),
        (table([2, 2, 3, 2, 4, 4, 4]), "holds run 5 of cell 2 in the place of run 5 of cell 3"),
        (
            table(error=pa.array([None, None, "x", None, None, None, None])),
            "has 1 failed runs of cell 3, 0 in the journal",
        ),
        (
            table(error=pa.array([*[None] * 6, "x"])),
            "has 1 failed runs of cell 4, 0 in the journal",
        ),
        (table(stamp=pa.array(["abcd"] * 7)), "its rows have a column stamp"),
        (table(stamp=pa.array([7] * 7)), "its column stamp has the type int64, not string"),
    ],
)
def test_what_differs_from_the_line_is_told(rows, words, tmp_path):
    assert fault(rows, tmp_path) == words


def test_rows_are_counted_before_they_are_read(tmp_path, monkeypatch):
    """A million rows that are alike take a few kilobytes on the disk."""
    monkeypatch.setattr(pq.ParquetFile, "read", None)
    many = 1_000_000
    rows = table([2] * many, [4] * many).set_column(2, "value", pa.array([0] * many))
    assert fault(rows, tmp_path) == "has 1,000,000 rows, 7 in the journal"


def test_errors_that_are_not_there_are_told(tmp_path):
    words = "has 0 failed runs of cell 3, 2 in the journal"
    assert fault(table(), tmp_path, failed=(0, 2, 0, 0)) == words


def test_rows_of_another_stamp_are_told(tmp_path):
    marked = table(stamp=pa.array(["abcd"] * 7))
    assert shard(marked, tmp_path).rows(tmp_path, OWN, "abcd").num_rows == 7
    assert fault(table(), tmp_path, "abcd") == "its rows lack the column stamp"
    assert fault(marked, tmp_path, "beef") == "its rows have the stamp abcd, not beef"
    mixed = table(stamp=pa.array(["beef"] * 6 + ["abcd"]))
    assert fault(mixed, tmp_path, "beef").startswith("its rows have the stamp ")


def test_a_file_that_is_missing_or_changed_is_told(tmp_path):
    made = shard(table(), tmp_path)
    with pytest.raises(InvalidValueError, match="is not as it was written"):
        replace(made, sha256="0" * 64).rows(tmp_path, OWN)
    (tmp_path / made.file).unlink()
    with pytest.raises(InvalidValueError, match="is missing"):
        made.rows(tmp_path, OWN)
    (tmp_path / made.file).mkdir()
    with pytest.raises(InvalidValueError, match="cannot be read: "):
        made.rows(tmp_path, OWN)


@pytest.mark.parametrize(
    "change",
    [
        {"blocks": []},
        {"blocks": [[1, 1, 0, 4]]},
        {"blocks": [[1, 0, 0, 4, 0]]},
        {"blocks": [[1, 1, 0, 0, 0]]},
        {"blocks": [[1, 1, 0, 4, 5]]},
        {"blocks": [[-1, 1, 0, 4, 0]]},
        {"blocks": [[1, 1, 0.0, 4, 0]]},
        {"blocks": [[1, 1, 0, True, 0]]},
        {"blocks": 3},
        {"sha256": None},
        {"stamp": 7},
        {"blocks": [[10**3000, 1, 0, 10**3000, 0]]},
        {"seconds": "long"},
        {"seconds": "1"},
        {"seconds": True},
        {"seconds": 10**400},
        {"seconds": 1e308},
        {"seconds": -1e308},
        {"seconds": -0.1},
    ],
)
def test_a_line_that_cannot_be_names_no_shard(change):
    entry = {"blocks": [[1, 1, 0, 4, 4]], "sha256": "ab", "seconds": 0.5, "stamp": "cd"}
    assert shard_in(entry) == Shard((RowBlock(1, 1, 0, 4, 4),), "ab", 0.5, "cd")
    assert shard_in(entry | change) is None
    (key,) = change
    del entry[key]
    assert shard_in(entry) is None


def test_a_line_with_more_than_a_shard_names_none():
    entry = {"blocks": [[1, 1, 0, 4, 4]], "sha256": "ab", "seconds": 1, "stamp": "cd"}
    assert shard_in(entry)
    assert shard_in(entry | {"lost": "x"}) is None


LOST = "cell000001-run0000000000-4.parquet"


def test_a_line_that_takes_a_shard_out_has_its_name_and_the_reason():
    entry = lost_entry(LOST, "damaged")
    assert lost_in(entry) == LOST
    wrong = [{"lost": {"x": 1}}, {"lost": 7}, {"lost": "x"}, {"because": 3}, {"blocks": []}]
    for change in wrong:
        assert lost_in(entry | change) is None
    assert lost_in({"lost": LOST}) is None
    assert lost_in({"because": "damaged"}) is None


def test_the_name_of_a_shard_tells_its_first_run():
    made = shard_of(failed_result(Chunk(12, 345, 6), "why"), "")
    assert named_block(made.file) == RowBlock(12, 1, 345, 1, 0)
    long = made.file.replace("cell", f"cell{'9' * 5000}")
    for other in (
        "lock",
        f"{made.file}.part",
        made.file[1:],
        "",
        long,
        "cell\u0661-run\u0662-\u0663.parquet",
    ):
        assert named_block(other) is None


BLOCKS = st.builds(
    RowBlock, st.integers(0, 4), st.integers(1, 3), st.integers(0, 9), st.integers(1, 4), st.just(0)
)


@given(st.lists(BLOCKS, min_size=1, max_size=5).map(tuple))
def test_a_shard_is_disjoint_if_no_address_is_there_twice(blocks):
    addresses = [
        (cell, run)
        for block in blocks
        for cell in block.numbers
        for run in range(block.first, block.end)
    ]
    assert Shard(blocks, "", 0.0, "").is_disjoint is (len({*addresses}) == len(addresses))
