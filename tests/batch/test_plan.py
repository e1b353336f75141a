"""Plan: small cells go together, up to the seconds of a job."""

from dataclasses import replace

import pytest
from batches import pebbles, spec

from brickphys.batch.run.chunk import run_chunk
from brickphys.batch.run.plan import Plan
from brickphys.batch.store.store import running_store


@pytest.fixture
def plan(tmp_path):
    """A plan of jobs of a second, for 200 cells of four runs."""
    with running_store(tmp_path / "batch", cells_of(4, 200)) as store:
        yield Plan(store, 1.0)


def cells_of(runs, count):
    return spec(pebbles(runs) | {"grid": {"p": [number / count for number in range(count)]}})


def do(plan, chunk_s):
    """Do the next job, as if each of its chunks took so long; return how many it has."""
    job = plan.next_job()
    results = run_chunk(plan.job(job))
    plan.done(job, [replace(one, seconds=len(one.chunks) * chunk_s) for one in results])
    return len(job)


def test_a_job_has_as_many_small_cells_as_its_seconds_hold(plan):
    assert [do(plan, 0.125) for _ in range(4)] == [1, 8, 8, 8]
    assert do(plan, 2.0) == 8
    assert do(plan, 0.25) == 1
    assert do(plan, 1e-6) == 4
    assert do(plan, 1e-6) == 4 * 32
    assert plan.store.ledger.total == 4 * (1 + 4 * 8 + 1 + 4 + 4 * 32)


def test_a_job_that_failed_comes_again_in_halves(plan):
    do(plan, 0.125)
    job = plan.next_job()
    plan.failed(job, "it fell over")
    assert [plan.next_job(), plan.next_job()] == [job[:4], job[4:]]
    assert plan.store.ledger.total == 4


def test_what_a_cell_took_counts_for_its_next_chunk(tmp_path):
    """Forty chunks of an eighth of a second, two of each cell."""
    with running_store(tmp_path / "batch", cells_of(8, 20)) as store:
        plan = Plan(store, 1.0)
        assert [do(plan, 0.125) for _ in range(6)] == [1, 8, 8, 8, 8, 7]
        assert store.ledger.total == 160
        assert plan.next_job() == ()
