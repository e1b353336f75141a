"""A click on a field: how many functions the server calls for it; calls are counted, so no machine is too slow."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from statistics import mean

from benchmarks.clicks import clicks


@pytest.mark.parametrize(
    ("name", "setup", "most", "most_changes"),
    [("bow", "duel", 5_500, 2_600), ("minifig", "duel", 8_500, 3_300)],
)
def test_a_click_makes_few_calls(name, setup, most, most_changes):
    found = clicks(name, setup, 10)
    assert mean(one.total for one in found) < most
    assert mean(one.changes for one in found) < most_changes
