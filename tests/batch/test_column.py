"""Values of columns are those of pyarrow, without pandas."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brickphys.batch.kinds.study_type import values

COLUMNS = [
    pa.chunked_array([], pa.int32()),
    pa.chunked_array([[]], pa.int64()),
    pa.chunked_array([[3, 1], [2]], pa.uint8()),
    pa.chunked_array([[0.5, -1.0], [2.0]]).slice(1),
    pa.chunked_array([[True, False], [True]]),
]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.type}")
def test_values_are_those_of_pyarrow(column):
    expected = column.to_numpy()
    assert values(column).dtype == expected.dtype
    np.testing.assert_array_equal(values(column), expected)


def test_values_need_no_pandas(tmp_path):
    pq.write_table(pa.table({"run": [0, 1, 2]}), tmp_path / "rows.parquet")
    code = (
        "import sys, pyarrow.parquet as pq\n"
        "from brickphys.batch.kinds.study_type import values\n"
        "rows = pq.ParquetFile(sys.argv[1]).read()\n"
        "assert values(rows['run']).tolist() == [0, 1, 2]\n"
        "assert 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "rows.parquet"], check=True)
