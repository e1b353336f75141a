"""Rows of several shards: in the order of addresses, with the columns that some have, each shard as it was written."""

import hashlib

import pyarrow as pa
import pytest

from brickphys.batch.chunk import to_parquet
from brickphys.batch.shard import RowBlock, Rows, Shard
from brickphys.errors import BatchFolderError

FIRST, OTHER = "first", "other"
COLUMNS = {**dict.fromkeys(range(2, 10), "value"), 10: "b", 11: "a"}
"""Cells whose rows have a column besides their address."""


def shard(folder, *blocks, digest=FIRST, **columns):
    """Write a shard, given ``(cell, cells, first, count, failed)`` of its blocks, and more columns; return it."""
    made = [RowBlock(*block) for block in blocks]
    addresses = [(cell, run) for one in made for cell in one.numbers
                 for run in range(one.first, one.end)]  # fmt: skip
    cells, runs = zip(*addresses, strict=True)
    table = pa.table({"cell": pa.array(cells, pa.int32()), "run": pa.array(runs, pa.int64())})
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    data = to_parquet(table)
    one = Shard(tuple(made), hashlib.sha256(data).hexdigest(), 1.0, digest)
    (folder / one.file).write_bytes(data)
    return one


@pytest.fixture
def rows(tmp_path):
    return Rows(tmp_path, [FIRST, OTHER], fields)


def fields(cell):
    return frozenset({pa.field(COLUMNS[cell], pa.int64())} if cell in COLUMNS else ())


def addresses(table):
    return list(zip(table["cell"].to_pylist(), table["run"].to_pylist(), strict=True))


def test_rows_of_shards_are_in_the_order_of_addresses(rows, tmp_path):
    shards = [
        shard(tmp_path, (1, 1, 4, 2, 0)),
        shard(tmp_path, (0, 2, 0, 2, 0), (1, 1, 2, 2, 0)),
        shard(tmp_path, (0, 1, 2, 3, 0)),
    ]
    expected = [(0, run) for run in range(5)] + [(1, run) for run in range(6)]
    assert addresses(rows.of_shards(shards, None)) == expected
    assert addresses(rows.of_shards(shards[::-1], ["run", "cell"])) == expected
    far = shard(tmp_path, (0, 1, 2**31 + 5, 1, 0))
    assert addresses(rows.of_shards([shards[0], far], None))[0] == (0, 2**31 + 5)


def test_rows_of_a_cell_are_taken_from_each_piece_of_it(rows, tmp_path):
    """The blocks are of cells 2 to 4, 3 to 4 and 7, of 2, 1 and 3 runs each."""
    values = list(range(11))
    one = shard(tmp_path, (2, 3, 0, 2, 0), (3, 2, 5, 1, 0), (7, 1, 1, 3, 0), value=values)
    found = {
        2: ([0, 1], [0, 1]),
        3: ([0, 1, 5], [2, 3, 6]),
        4: ([0, 1, 5], [4, 5, 7]),
        7: ([1, 2, 3], [8, 9, 10]),
    }
    for cell, (runs, value) in found.items():
        table = rows.of_cell([one], cell, None)
        assert addresses(table) == [(cell, run) for run in runs]
        assert table["value"].to_pylist() == value
    pair = shard(tmp_path, (4, 2, 0, 1, 0), (6, 1, 0, 2, 0), value=[0, 1, 2, 3])
    assert addresses(rows.of_cell([pair], 5, None)) == [(5, 0)]
    assert addresses(rows.of_cell([pair], 6, None)) == [(6, 0), (6, 1)]
    alone = shard(tmp_path, (9, 1, 0, 2, 0), value=[0, 1])
    assert addresses(rows.of_cell([alone], 9, ["run", "cell", "none"])) == [(9, 0), (9, 1)]


def test_without_shards_there_are_no_rows(rows):
    for table in (rows.of_shards([], None), rows.of_cell([], 3, ["cell", "run"])):
        assert (table.num_rows, table.column_names) == (0, ["cell", "run"])
        assert table.schema.types == [pa.int32(), pa.int64()]


def test_columns_that_some_shards_have_are_empty_in_the_others(rows, tmp_path):
    shards = [
        shard(tmp_path, (10, 1, 0, 1, 0), b=[1]),
        shard(tmp_path, (10, 1, 1, 1, 1), error=["why"]),
        shard(tmp_path, (11, 1, 0, 1, 0), a=[2]),
    ]
    table = rows.of_shards(shards, None)
    assert table.column_names == ["cell", "run", "b", "a", "error"]
    assert table["b"].to_pylist() == [1, None, None]
    assert table["error"].to_pylist() == [None, "why", None]
    assert rows.of_shards(shards, ["a", "run", "error"]).column_names == ["run", "a", "error"]
    assert "error" not in rows.of_cell(shards[:1], 10, None).column_names


def test_errors_of_other_cells_in_the_same_shard_are_no_column(rows, tmp_path):
    one = shard(tmp_path, (0, 1, 0, 1, 0), (1, 1, 0, 1, 1), error=[None, "why"])
    assert rows.of_cell([one], 0, None).column_names == ["cell", "run"]
    assert rows.of_cell([one], 1, None)["error"].to_pylist() == ["why"]


def test_rows_under_several_stamps_tell_theirs(rows, tmp_path):
    marked = shard(tmp_path, (9, 1, 2, 1, 0), digest=OTHER, value=[3], stamp=[OTHER])
    plain = shard(tmp_path, (9, 1, 0, 2, 0), value=[1, 2])
    table = rows.of_shards([plain, marked], None)
    assert table["stamp"].to_pylist() == [FIRST, FIRST, OTHER]
    assert table.column_names[-1] == "stamp"
    assert (rows.mark(FIRST), rows.mark(OTHER)) == (None, OTHER)


def test_a_shard_of_cells_with_other_columns_is_damaged(rows, tmp_path):
    """Also if that of its first cell is right."""
    one = shard(tmp_path, (9, 2, 0, 1, 0), value=[1, 2])
    assert "column" in str(rows.fault(one))


def test_a_shard_that_was_harmed_is_told_with_its_file(rows, tmp_path):
    one = shard(tmp_path, (0, 1, 0, 1, 0))
    assert rows.fault(one) is None
    (tmp_path / one.file).write_bytes(b"x")
    assert rows.fault(one) == "is not as it was written"
    with pytest.raises(
        BatchFolderError, match=f"{one.file}: is not as it was written; batch run repeats its runs"
    ):
        rows.of_cell([one], 0, None)


def test_the_last_eight_shards_are_read_once(rows, tmp_path):
    shards = [shard(tmp_path, (20 + n, 1, 0, 1, 0)) for n in range(10)]
    for one in (*shards[:8], shards[0], *shards[8:]):
        rows.of_cell([one], one.blocks[0].cell, None)
    for one in shards:
        (tmp_path / one.file).unlink()
    for number in (3, 0, *range(4, 10)):
        assert rows.of_cell([shards[number]], 20 + number, None).num_rows == 1
    for number in (1, 2):
        with pytest.raises(BatchFolderError, match="is missing"):
            rows.of_cell([shards[number]], 20 + number, None)
