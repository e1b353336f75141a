"""What is told of throws besides their counts."""

import pytest

from brickphys.calibration.throw import cell_of, drop


@pytest.mark.parametrize(
    ("shape", "warns"), [("coin:21.21x1.95", True), ("coin:20x7", False), ("2x2", False)]
)
def test_thin_coins_are_told_to_stop_on_their_edge_too_often(shape, warns, caplog):
    drop(cell_of(shape, "compiled", "hand"), 2, seed=1, workers=1)
    assert ("far too often" in caplog.text) == warns
