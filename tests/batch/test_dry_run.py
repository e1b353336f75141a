"""A dry run costs less than the run that it judges."""

from itertools import combinations
from math import sqrt
from statistics import mean, pvariance, variance
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from brickphys.batch import runner as dry_run
from brickphys.batch.runner import TimedRuns
from tests.batch.batches import PEBBLES, spec, until


class Clock:
    """A clock that only the runs of a study move on."""

    def __init__(self) -> None:
        self.now, self.runs = 0.0, 0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(dry_run, "time", made)
    return made


def study(clock: Clock, cells: int, repeats: int, run_s: float, grain: int) -> Any:
    """Return a study whose runs take so many seconds each."""

    warm: list[bool] = []

    def rows(_first: int, count: int) -> None:
        clock.now += run_s * count + 1000.0 * (not warm)
        clock.runs += count

    work = SimpleNamespace(grain=grain, warm_up=lambda: warm.append(True), rows=rows)
    return SimpleNamespace(
        cells=[{}] * cells,
        repeats=repeats,
        most_runs=cells * repeats,
        least_runs_a_cell=repeats,
        until=None,
        work=lambda _cell: work,
    )


@pytest.mark.parametrize("grain", [1, 100])
@pytest.mark.parametrize("run_s", [1e-5, 0.01, 60.0])
@pytest.mark.parametrize("repeats", [100, 1000])
@pytest.mark.parametrize("cells", [1, 2, 3, 8, 1000])
def test_the_trial_costs_less_than_the_run(
    cells: int, repeats: int, run_s: float, grain: int, clock: Clock
) -> None:
    cost = dry_run.dry_run(study(clock, cells, repeats, run_s, grain), workers=1)
    assert cost.seconds(cells * repeats) == pytest.approx(cells * repeats * run_s)
    at_least = min(grain, repeats)  # one group of runs of one cell
    assert clock.runs <= max(cells * repeats * 2 / 3, at_least)
    assert clock.now <= max(grain * run_s, dry_run._ALL_S) + 3 * dry_run._SECONDS
    low, high = cost.range_s(cells * repeats)
    assert low < cells * repeats * run_s < high


def test_the_cost_of_a_batch_that_has_begun_is_that_of_what_is_left() -> None:
    made = spec(PEBBLES)
    tried = {0: [TimedRuns(10, 5.0), TimedRuns(20, 10.0)], 1: [TimedRuns(20, 30.0)]}
    new = dry_run.CostEstimate(made, 2, tried)
    assert "left" not in new.document()
    assert new.document()["estimated_seconds"] == [60.0, 60.0]
    assert "left to do" not in new.text()
    begun = dry_run.CostEstimate(made, 2, tried, (10, 30))
    assert begun.document() | {"left": [10, 30]} == begun.document()
    assert begun.document()["estimated_seconds"] == [5.0, 15.0]
    assert "\n10 to 30 games left to do\n" in begun.text()
    low, high = begun.document()["estimated_range"]
    assert (low, high) == (begun.range_s(10)[0], begun.range_s(30)[1])
    assert begun.text().endswith(
        f"about {low:.0f} s to {high:.0f} s with 2 workers, without their start, estimated from a trial of 2 of 2 cells"
    )


def test_a_study_is_told_with_its_cells_and_the_ends_of_its_runs() -> None:
    aim = {"column": "p_win_0", "half_width": 0.1, "first": 10, "at_most": 2000}
    open_ended = spec(until(PEBBLES, **aim))
    tried = {0: [TimedRuns(10_000, 20_000.0)], 1: [TimedRuns(10_000, 40_000.0)]}
    cost = dry_run.CostEstimate(open_ended, 4, tried)
    assert cost.text() == (  # 15 s and 50 minutes, each by a fifth
        "A study of games: 2 cells (bots), 20 to 4,000 games, seed 5\n"
        "about 12 s to 60 minutes with 4 workers, without their start, estimated from a trial of 2 of 2 cells"
    )
    told = cost.document()
    assert (told["kind"], told["seed"], told["cells"], told["factors"]) == (
        "battle",
        5,
        2,
        ["bots"],
    )
    assert (told["runs"], told["workers"]) == ([20, 4000], 4)
    done = dry_run.CostEstimate(open_ended, 4, {}, (0, 0))
    assert done.text().endswith("\n0 games left to do")
    assert done.document()["estimated_seconds"] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("cells", "tried"),
    [
        (1, [0]),
        (2, [0, 1]),
        (3, [0, 1, 2]),
        (8, [0, 1, 2, 3, 4, 5, 6, 7]),
        (16, [0, 2, 4, 6, 9, 11, 13, 15]),
        (701, [0, 100, 200, 300, 400, 500, 600, 700]),
    ],
)
def test_cells_of_the_trial_are_spread_from_the_first_to_the_last(
    cells: int, tried: list[int], clock: Clock
) -> None:
    cost = dry_run.dry_run(study(clock, cells, 1000, 1e-5, 1), workers=1)
    assert list(cost.seconds_a_run) == tried
    assert list(cost.seconds_a_run.values()) == pytest.approx([1e-5] * len(tried))


def test_a_trial_doubles_the_runs_of_a_cell_and_ends_after_some_seconds(clock: Clock) -> None:
    dry_run.dry_run(study(clock, 1, 1000, 0.125, 1), workers=1)
    assert clock.runs == 1 + 2 + 4  # the last of them took half a second
    clock.runs = 0
    dry_run.dry_run(study(clock, 1, 30, 1e-5, 1), workers=1)
    assert clock.runs == 1 + 2 + 4 + 8  # half of all
    clock.runs = 0
    dry_run.dry_run(study(clock, 1, 29, 1e-5, 1), workers=1)
    assert clock.runs == 1 + 2 + 4
    clock.runs = 0
    assert [*dry_run.dry_run(study(clock, 9, 9, 4.0, 1), workers=1).trials] == [0, 1, 8]


def test_a_cheap_first_cell_does_not_make_the_study_cheap(clock: Clock) -> None:
    """Random bots in the first cell take a hundredth of the time of greedy ones in the second."""
    runs_s = {0: 0.01, 1: 1.0}
    made = study(clock, 2, 20, 0.0, 1)
    made.work = lambda cell: study(clock, 1, 20, runs_s[cell], 1).work(0)
    cost = dry_run.dry_run(made, workers=1)
    low, high = cost.range_s(40)
    assert low < 20 * 0.01 + 20 * 1.0 < high
    assert high < 100


@pytest.mark.parametrize("cells", [1, 4, 40])
def test_a_range_holds_the_cost_of_most_studies(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games take times of which the logarithm is normal, with a factor of 2; cells differ by a factor of 3."""
    rng, inside = np.random.default_rng(5), 0
    for _ in range(100):
        clock = Clock()
        monkeypatch.setattr(dry_run, "time", clock)
        runs_s = rng.lognormal(0, np.log(3), (cells, 1)) * rng.lognormal(0, np.log(2), (cells, 50))

        def work(cell: int, clock: Clock = clock, runs_s: Any = runs_s) -> Any:
            def rows(first: int, count: int) -> None:
                clock.now += runs_s[cell, first : first + count].sum()

            return SimpleNamespace(grain=1, warm_up=lambda: None, rows=rows)

        made = study(clock, cells, 50, 0.0, 1)
        made.work = work
        low, high = dry_run.dry_run(made, workers=1).range_s(50 * cells)
        inside += low <= runs_s.sum() <= high
    assert inside >= 75


def test_nothing_is_tried_of_a_batch_that_is_done(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lacks, runs in (((0, 0), 0), ((0, 9), 9)):
        monkeypatch.setattr(dry_run, "left", lambda _store, lacks=lacks: lacks)
        cost = dry_run.dry_run(study(clock, 1, 9, 1.0, 9), 1, SimpleNamespace())  # type: ignore[arg-type]
        assert (cost.left, clock.runs) == (lacks, runs)


def trials_of(*seconds: float) -> list[TimedRuns]:
    """Return trials of a run each."""
    return [TimedRuns(1, each) for each in seconds]


def test_the_spread_is_the_variance_in_cells_and_one_more_observation_that_it_is_1() -> None:
    cells = [(1.0, 3.0), (5.0, 5.0, 2.0), (4.0,)]
    within = [(len(cell) - 1) * variance(cell) / mean(cell) ** 2 for cell in cells if cell[1:]]
    assert dry_run._spread([trials_of(*cell) for cell in cells]) == pytest.approx(
        (sum(within) + 1) / (3 + 1)
    )
    assert (
        dry_run._spread([trials_of(0.0, 0.0), trials_of(2.0)]) == 1.0
    )  # what takes no time says nothing


def test_runs_that_are_timed_together_have_the_spread_of_runs() -> None:
    """Trials of 1, 2, 4 and 8 runs; the seconds of a run have a variance of 0.3 of their mean squared."""
    rng = np.random.default_rng(3)
    counts = np.array([1, 2, 4, 8])
    seconds = rng.gamma(counts / 0.3, 0.3 * 7.0, (4000, 4))  # sums of so many runs of 7 s each
    cells = [[TimedRuns(*trial) for trial in zip(counts, cell, strict=True)] for cell in seconds]
    assert dry_run._spread(cells) == pytest.approx(0.3, rel=0.05)


def error_of(cells: int, *tried: list[TimedRuns]) -> float:
    """Return the relative error of a cost of which some cells were tried."""
    spec = SimpleNamespace(cells=[{}] * cells)
    return dry_run.CostEstimate(spec, 1, dict(enumerate(tried)))._relative_error()  # type: ignore[arg-type]


def test_the_error_of_cells_that_were_not_tried_is_that_of_samples_without_replacement() -> None:
    """Its square is the variance of the mean, averaged over all samples; runs are too many to differ."""
    seconds = (1.0, 2.0, 4.0, 4.5, 9.0, 20.0)
    samples = list(combinations(seconds, 3))
    errors = [
        error_of(6, *([TimedRuns(10**15, 10**15 * each)] for each in sample)) * mean(sample)
        for sample in samples
    ]
    actual = pvariance([mean(sample) for sample in samples])
    assert mean(error**2 for error in errors) == pytest.approx(actual)


def test_the_error_of_runs_falls_with_their_number() -> None:
    """All cells are tried. Each trial alone says nothing of the spread, which is 1 then."""
    assert error_of(1, [TimedRuns(16, 3.0)]) == pytest.approx(1 / 4)
    alike = [[TimedRuns(9, 18.0)]] * 4  # 36 runs
    assert error_of(4, *alike) == pytest.approx(1 / 6)
    apart = error_of(
        2, [TimedRuns(4, 4.0)], [TimedRuns(9, 27.0)]
    )  # 1 s and 3 s, each with its own error
    assert apart == pytest.approx(sqrt((1 / 2) ** 2 + (3 / 3) ** 2) / (1 + 3))


def test_one_cell_of_many_may_differ_from_the_others_by_as_much_as_it_takes() -> None:
    assert error_of(10, [TimedRuns(10**15, 2e15)]) == pytest.approx(sqrt(0.9))
    assert error_of(3, [TimedRuns(2, 0.0)]) == 0.0


def test_the_range_of_a_single_run_is_from_a_third_to_three_times() -> None:
    """Two errors of 100 % to both sides; many runs still leave a fifth."""
    spec: Any = SimpleNamespace(cells=[{}])
    single = dry_run.CostEstimate(spec, 1, {0: [TimedRuns(1, 6.0)]})
    assert single.range_s(10) == pytest.approx((60 / 3, 60 * 3))
    many = dry_run.CostEstimate(spec, 1, {0: [TimedRuns(10**6, 6e6)]})
    assert many.range_s(10) == pytest.approx((60 * 0.8, 60 * 1.2))
    some = dry_run.CostEstimate(spec, 1, {0: [TimedRuns(16, 96.0)]})
    assert some.range_s(10) == pytest.approx((60 * 0.5, 60 * 1.5))
