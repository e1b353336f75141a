"""The rows of a study do not depend on who does the work, how it is cut, in which order, or how often it is stopped."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brickphys.batch import runner
from brickphys.batch.chunk import Chunk, run_chunk
from brickphys.batch.plan import TRIAL, RunPlan, target
from brickphys.batch.report.table import RunCounts, counts, rows
from brickphys.batch.runner import local_executor, run
from brickphys.batch.store import open_store, running_store
from tests.batch.batches import (
    DROP,
    HANDS,
    PEBBLES,
    SCENES,
    InProcess,
    count_runs,
    local,
    pebbles,
    run_here,
    runs_of,
    spec,
    table_bytes,
    until,
)
from tests.cases import examples, few

pytestmark = pytest.mark.usefixtures("quick_disk")

GAMES = PEBBLES | {"repeats": 24}
STUDIES = {
    "drop": DROP | {"repeats": 12},
    "hands": HANDS | {"repeats": 2, "grid": {"surface": ["wood"]}},
    "collide": SCENES | {"repeats": 6},
    "battle": GAMES,
}
FAILING = pebbles(30, raises=0.2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return, by study, the table of a run that nobody disturbed."""
    made = {}

    def table(name: str, tables) -> bytes:
        if name not in made:
            store = run_here(tmp_path_factory.mktemp(name), tables)
            assert counts(store).pending == 0
            made[name] = table_bytes(store)
        return made[name]

    return table


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("chunk_s", few([0.02, 0.0001, 5]))
def test_rows_are_the_same_for_any_size_of_chunks_and_any_order(name, chunk_s, whole, tmp_path):
    executor = InProcess(room=5, seed=3)
    store = run_here(tmp_path / "batch", STUDIES[name], executor, chunk_s)
    assert table_bytes(store) == whole(name, STUDIES[name])


@pytest.mark.parametrize(
    ("name", "workers"),
    [("battle", 2), ("drop", 2), ("hands", 2), ("collide", 2), *((name, 1) for name in STUDIES)],
)
@pytest.mark.slow
def test_rows_are_the_same_for_any_number_of_processes(name, workers, whole, tmp_path):
    tables = STUDIES[name]
    store = run_here(tmp_path / "batch", tables, local(tables, workers), 0.02)
    assert table_bytes(store) == whole(name, tables)


@settings(max_examples=examples(0.12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    stops=st.lists(st.integers(0, 12), max_size=6),
    room=st.integers(1, 4),
    seed=st.integers(0, 100),
    chunk_s=st.sampled_from([0.0001, 0.003, 0.05]),
    failing=st.booleans(),
)
def test_stopped_after_any_chunk_it_goes_on(
    stops, room, seed, chunk_s, failing, whole, tmp_path_factory
):
    name, tables = ("failing", FAILING) if failing else ("battle", GAMES)
    folder = tmp_path_factory.mktemp("stopped")
    for stop in stops:
        run_here(folder, tables, InProcess(room, seed), chunk_s, stop)
    store = run_here(folder, tables, InProcess(room, seed + 1), chunk_s)
    assert table_bytes(store) == whole(name, tables)


@settings(max_examples=examples(0.12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 100), chance=st.integers(0, 3), room=st.integers(1, 4))
def test_workers_that_die_change_nothing(seed, chance, room, whole, tmp_path_factory):
    tries = {}

    def dies(job) -> bool:
        runs = tuple((one.cell, one.first, one.count) for one in job.chunks)
        tries[runs] = tries.get(runs, 0) + 1
        return hash((seed, runs, tries[runs])) % 4 < chance and tries[runs] < 3

    executor = InProcess(room, seed, dies)
    store = run_here(tmp_path_factory.mktemp("dying"), GAMES, executor, 0.003)
    assert table_bytes(store) == whole("battle", GAMES)


@pytest.mark.parametrize(
    "aim",
    few(
        [
            {"column": "p_win_0", "half_width": 0.2, "first": 10, "at_most": 500},
            {"column": "p_win_0", "half_width": 1e-6, "first": 15, "at_most": 50},
            {"column": "p_win_0", "half_width": 0.2, "first": 2, "at_most": 500},
            {"column": "rounds", "half_width": 0.01, "first": 40, "at_most": 40},
        ],
        2,
    ),
)
def test_until_stops_at_the_same_run_however_cut(aim, tmp_path):
    tables = until(FAILING, **aim)
    first = run_here(tmp_path / "first", tables)
    looks = list(spec(tables).until.looks())
    assert first.ledger.done(0) in looks
    assert counts(first).pending == 0
    for number, (room, chunk_s, stops) in enumerate(
        [(1, 0.001, [3, 1, 4]), (4, 0.01, [0, 0, 0]), (3, 1.0, [2])]
    ):
        folder = tmp_path / str(number)
        for stop in stops:
            run_here(folder, tables, InProcess(room, number), chunk_s, stop)
        store = run_here(folder, tables, InProcess(room, number), chunk_s)
        assert table_bytes(store) == table_bytes(first)
        assert rows(store) == rows(first)


def test_until_stops_at_the_first_look_whose_interval_is_narrow(tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.1, first=10, at_most=5000)
    store = run_here(tmp_path / "batch", tables)
    for cell in range(2):
        done = store.ledger.done(cell)
        looks = [look for look in store.spec.until.looks() if look <= done]
        widths = [
            store.spec.summary(cell, store.good_rows(cell, look))["p_win_0"].half_width
            for look in looks
        ]
        assert [width <= 0.1 for width in widths] == [False] * (len(looks) - 1) + [True]
        assert target(store, cell) == done


def test_failed_runs_of_an_until_cell_are_tried_again_as_if_they_had_never_failed(tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.15, first=10, at_most=5000)
    healthy = run_here(tmp_path / "healthy", tables)
    folder = tmp_path / "failing"

    def has_bad_run(job) -> bool:
        return any(20 <= run < 70 and run % 4 > 0 for run in runs_of(job))

    store = run_here(folder, tables, InProcess(fails=has_bad_run), 0.005)
    failed = sum(store.ledger.failed(cell) for cell in range(2))
    assert failed == 2 * sum(20 <= run < 70 and run % 4 > 0 for run in range(70))
    assert store.ledger.total > healthy.ledger.total  # it took more runs to know as much
    with running_store(folder, spec(tables)) as store:
        assert store.retry_failed() == failed
        assert counts(store).pending > 0
    assert table_bytes(run_here(folder, tables)) == table_bytes(healthy)


def test_a_hole_far_below_the_end_of_an_until_cell_is_pending(tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.15, first=10, at_most=5000)
    store = run_here(tmp_path / "batch", tables, chunk_s=0.005)
    shard = store.shards_of(0)[1]
    store.exclude([shard.file])
    assert counts(store).pending == shard.runs


def test_a_cell_in_which_nothing_works_is_given_up_after_its_trial(tmp_path):
    tables = pebbles(repeats=250_000, raises=1.0)
    executor = InProcess(2)
    store = run_here(tmp_path / "batch", tables, executor)
    assert count_runs(executor.done) == TRIAL
    assert counts(store) == RunCounts(done=0, failed=250_000, pending=0)
    errors = store.rows(columns=["error"])["error"].value_counts().to_pylist()
    assert [(entry["values"], entry["counts"]) for entry in errors] == [
        ("ZeroDivisionError: no pebble left", 4),
        ("given up: the first 4 runs failed: ZeroDivisionError: no pebble left", 249_996),
    ]
    assert rows(store)[0]["p_win_0"] is None


@pytest.mark.parametrize("stop", range(4))
def test_a_runner_that_dies_between_the_trial_and_the_verdict_comes_to_the_same(stop, tmp_path):
    tables = pebbles(repeats=50, raises=1.0)
    whole = run_here(tmp_path / "whole", tables)
    folder = tmp_path / "batch"
    with running_store(folder, spec(tables)) as store:
        plan = RunPlan(store, 1.0)
        for part in [Chunk(0, stop, TRIAL - stop), Chunk(0, 0, stop)]:
            if part.count:
                store.add(*run_chunk(plan.job([part])))
    assert table_bytes(run_here(folder, tables)) == table_bytes(whole)


def test_a_run_that_always_kills_its_worker_fails_alone(tmp_path):
    bad = {13, 40}

    def dies(job) -> bool:
        return bool(bad & runs_of(job))

    store = run_here(tmp_path / "batch", pebbles(), InProcess(3, 1, dies))
    failed = [row for row in store.rows().to_pylist() if row.get("error")]
    assert [(row["run"], row["error"]) for row in failed] == [
        (13, "it fell over"),
        (40, "it fell over"),
    ]
    assert counts(store).done == 58


def test_progress_and_expectation_end_together(tmp_path):
    told = []
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store, InProcess(2) as executor:
        assert run(store, executor, progress=lambda *numbers: told.append(numbers))
    assert told[0] == (0, 120)
    assert told[-1] == (120, 120)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_nobody_waits_while_rows_go_to_the_disk(tmp_path, monkeypatch):
    """What comes next is given out before what has come is kept."""
    events = []

    class Told(InProcess):
        def submit(self, job):
            events.append("submit")
            return super().submit(job)

    with running_store(tmp_path / "batch", spec(pebbles(30))) as store, Told() as executor:
        add = store.add
        monkeypatch.setattr(store, "add", lambda result: (events.append("add"), add(result)))
        run(store, executor, chunk_s=1e-6)
    middle = events[6:-4]
    assert middle.count("add") > 3
    assert all(a != b for a, b in itertools.pairwise(middle))


def test_an_executor_without_free_workers_is_waited_for(tmp_path):
    class Late(InProcess):
        asked = 0

        @property
        def free(self) -> int:
            self.asked += 1
            return super().free if self.asked > 5 else 0

    executor = Late(2)
    assert counts(run_here(tmp_path / "batch", PEBBLES, executor)).pending == 0
    assert executor.asked > 5


def test_the_table_while_nothing_is_done_yet(tmp_path):
    for name, tables in STUDIES.items():
        with running_store(tmp_path / name, spec(tables)):
            pass
        store = open_store(tmp_path / name)
        found = rows(store)
        assert len(found) == len(store.spec.cells)
        assert counts(store).pending == store.spec.most_runs


def test_a_study_in_a_row_lists_the_address_in_order(tmp_path: Path) -> None:
    store = run_here(tmp_path / "batch", GAMES, InProcess(4, 2), 0.001)
    addresses = store.rows().select(["cell", "run"]).to_pylist()
    assert addresses == [{"cell": cell, "run": run} for cell in (0, 1) for run in range(24)]


def test_small_cells_share_shards_and_have_the_same_rows(tmp_path):
    """Bodies with other poses, and cells in which a run fails or all do, among them."""
    many = pebbles(4, raises=0.1) | {"grid": {"p": [number / 100 for number in range(20)]}}
    mixed = {
        "kind": "drop",
        "seed": 5,
        "repeats": 2,
        "fixed": {"engine": "compiled"},
        "grid": {"shape": ["2x2", "coin:24x2", "d6:16"], "friction": [0.3, 0.4, 0.5]},
    }
    for name, tables in {"many": many, "mixed": mixed}.items():
        together = run_here(tmp_path / name, tables, chunk_s=60.0)
        alone = run_here(tmp_path / f"{name} alone", tables, InProcess(3, 2), 1e-9)
        cells = len(together.spec.cells)
        assert len(together.shards) < cells <= len(alone.shards)
        assert table_bytes(together) == table_bytes(alone)
        assert rows(together) == rows(alone)
        for cell in range(cells):
            assert together.rows(cell).equals(alone.rows(cell))


def test_the_workers_of_this_machine_have_the_limits_of_the_study(monkeypatch):
    asked = []

    def executor(run, workers, **limits):
        asked.append((workers, limits["time_s"], limits["memory_mb"]))

    monkeypatch.setattr(runner, "LocalExecutor", executor)
    limited = spec(PEBBLES | {"limits": {"time_s": 9, "memory_mb": 2048}})
    for workers in (1, 3):
        local_executor(limited, workers)
    assert asked == [(1, 9, 2048), (3, 9, 2048)]
