"""A study of throws throws what `drop` throws."""

from batches import DROP, InProcess, run_here

from brickphys.batch.report.table import rows
from brickphys.calibration.drop import cell_of
from brickphys.calibration.tally import side_interval
from brickphys.calibration.throwers import ThrowChunk, throw


def test_the_same_address_gives_the_same_throws_and_the_same_interval(tmp_path):
    found = rows(run_here(tmp_path / "batch", DROP, InProcess(2, 1), 0.003))
    for number, row in enumerate(found):
        cell = cell_of(
            "2x2",
            "compiled",
            "hand",
            row["surface"],
            1,
            "plane",
            address=(number,),
            height_mm=tuple(row["height_mm"]),
        )
        tally = throw(5, ThrowChunk(cell, 0, 60))
        assert row["counts"] == tally.counts
        assert row["p_side"] == tally.sides / 60
        assert row["ci95"] == list(side_interval(tally))


def test_cells_do_not_share_their_throws(tmp_path):
    tables = {key: part for key, part in DROP.items() if key != "grid"} | {
        "cell": [{"spin_rad_s": 20.0}, {"spin_rad_s": 20.0}]
    }
    first, second = rows(run_here(tmp_path / "batch", tables, InProcess()))
    assert first["counts"] != second["counts"]
