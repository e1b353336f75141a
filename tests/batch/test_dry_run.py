"""A dry run costs less than the run that it judges."""

from types import SimpleNamespace
from typing import Any

import pytest
from batches import PEBBLES, spec

from brickphys.batch.run import dry_run


class Clock:
    """A clock that only the runs of a study move on."""

    def __init__(self) -> None:
        self.now, self.runs = 0.0, 0

    def perf_counter(self) -> float:
        return self.now


def study(clock: Clock, cells: int, repeats: int, run_s: float, grain: int) -> Any:
    """Return a study whose runs take so many seconds each."""

    def rows(_first: int, count: int) -> None:
        clock.now += run_s * count
        clock.runs += count

    work = SimpleNamespace(grain=grain, warm_up=lambda: None, rows=rows)
    return SimpleNamespace(
        cells=[{}] * cells,
        repeats=repeats,
        most_runs=cells * repeats,
        until=None,
        work=lambda _cell: work,
    )


@pytest.mark.parametrize("grain", [1, 100])
@pytest.mark.parametrize("run_s", [1e-5, 0.01, 60.0])
@pytest.mark.parametrize("repeats", [100, 1000])
@pytest.mark.parametrize("cells", [1, 2, 3, 8, 1000])
def test_the_trial_costs_less_than_the_run(
    cells: int, repeats: int, run_s: float, grain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(dry_run, "time", clock)
    cost = dry_run.dry_run(study(clock, cells, repeats, run_s, grain), workers=1)
    assert cost.seconds(cells * repeats) == pytest.approx(cells * repeats * run_s)
    at_least = min(grain, repeats)  # one group of runs of one cell
    assert clock.runs <= max(cells * repeats * 2 / 3, at_least)
    assert clock.now <= max(grain * run_s, dry_run._ALL_S) + 3 * dry_run._SECONDS


def test_the_cost_of_a_batch_that_has_begun_is_that_of_what_is_left() -> None:
    made = spec(PEBBLES)
    new = dry_run.CostEstimate(made, 2, {0: 0.5, 1: 1.5})
    assert "left" not in new.document()
    assert new.document()["estimated_seconds"] == [60.0, 60.0]
    assert "left to do" not in new.text()
    begun = dry_run.CostEstimate(made, 2, {0: 0.5, 1: 1.5}, (10, 30))
    assert begun.document() | {"left": [10, 30]} == begun.document()
    assert begun.document()["estimated_seconds"] == [5.0, 15.0]
    assert "\n10 to 30 games left to do\n" in begun.text()
    assert begun.text().endswith("about 5 s to 15 s with 2 workers, by a trial of 2 cells")
