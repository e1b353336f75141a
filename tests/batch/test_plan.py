"""Plan: small cells go together, up to the seconds of a job; how large chunks are, and which come next."""

import random
from dataclasses import replace
from math import inf
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.chunk import Chunk, ChunkResult, run_chunk
from brickphys.batch.journal import Ledger
from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.plan import RunPlan
from brickphys.batch.schema import Until
from brickphys.batch.shard import RowBlock
from brickphys.batch.store import running_store
from tests.batch.batches import pebbles, spec

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def plan(tmp_path):
    """A plan of jobs of a second, for 200 cells of four runs."""
    with running_store(tmp_path / "batch", cells_of(4, 200)) as store:
        yield RunPlan(store, 1.0)


def cells_of(runs, count):
    return spec(pebbles(runs) | {"grid": {"p": [number / count for number in range(count)]}})


def do(plan, chunk_s):
    """Do the next job, as if each of its chunks took so long; return how many it has."""
    job = plan.next_job()
    results = run_chunk(replace(plan.job(job), most_s=inf))  # however slow this machine is
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
        plan = RunPlan(store, 1.0)
        assert [do(plan, 0.125) for _ in range(6)] == [1, 8, 8, 8, 8, 7]
        assert store.ledger.total == 160
        assert plan.next_job() == ()


class Cells:
    """A batch of cells whose rows are counted only; `grain` of all of them, and which runs fail."""

    def __init__(self, cells, repeats, grain=1, until=None, narrow=0):
        self.ledger, self.mark, self.grain = Ledger(), None, grain
        self.spec = SimpleNamespace(
            cells=[{}] * cells,
            repeats=None if until else repeats,
            until=until,
            least_runs_a_cell=until.first if until else repeats,
            attached={},
            work=lambda _: SimpleNamespace(grain=grain),
            summary=lambda _, rows: {
                "x": Estimate(0.5, 0.4, 0.6 if rows.num_rows >= narrow else 1.0)
            },
        )
        self.kept, self.errors = [], []

    def add(self, result):
        for chunk, failed in zip(result.chunks, result.failed, strict=True):
            block = RowBlock(chunk.cell, 1, chunk.first, chunk.count, failed)
            assert not self.ledger.overlaps(block)
            self.ledger.add(block)
            self.kept.append((chunk, failed))
        if any(result.failed):
            self.errors.append(result)

    def good_rows(self, cell, end):
        """Return rows of which those of a chunk that failed are its first ones."""
        mine = [(chunk, failed) for chunk, failed in self.kept if chunk.cell == cell]
        good = [max(min(chunk.end, end) - chunk.first - failed, 0) for chunk, failed in mine]
        return SimpleNamespace(num_rows=sum(good))

    def rows(self, _cell):
        return {"error": [SimpleNamespace(as_py=lambda: "why")]}


def done(plan, job, run_s, failed=0):
    """Tell a plan that a job is done, a result for each chunk."""
    plan.done(job, tuple(
        ChunkResult((one,), (min(failed, one.count),), b"", run_s * one.count) for one in job
    ))  # fmt: skip


def sizes(plan, run_s):
    """Return ``(first, count)`` of the chunks of each job to the end, each done before the next one begins."""
    found = []
    while job := plan.next_job():
        found.append([(one.first, one.count) for one in job])
        done(plan, job, run_s)
    return found


def test_a_chunk_grows_from_its_trial_to_the_seconds_of_a_job():
    """After a trial of four runs chunks have at most 32 times as many, then what a second holds."""
    second = [(4 + 128 * n, 128) for n in range(8)]
    assert sizes(RunPlan(Cells(1, 3000), 1.0), 1 / 1024) == [
        [(0, 4)], second, [(1028, 1024)], [(2052, 948)]
    ]  # fmt: skip
    assert sizes(RunPlan(Cells(1, 3), 1.0), 1.0) == [[(0, 3)]]


@pytest.mark.parametrize(
    ("run_s", "counts"),
    [
        (1 / 64, [64, 64, 64, 64, 44]),
        (1 / 127, [64, 64, 64, 64, 44]),
        (1 / 128, [64, 128, 108]),
        (1 / 150, [64, 128, 108]),
        (10.0, [64, 64, 64, 64, 44]),
    ],
)
def test_chunks_end_at_multiples_of_the_grain(run_s, counts):
    jobs = sizes(RunPlan(Cells(1, 300, grain=64), 1.0), run_s)
    assert [count for job in jobs for _, count in job] == counts


def test_no_other_run_of_a_cell_starts_before_its_trial_is_done():
    plan = RunPlan(Cells(2, 100), 1.0)
    first, second = plan.next_job(), plan.next_job()
    assert (first, second) == ((Chunk(0, 0, 4),), (Chunk(1, 0, 4),))
    assert plan.next_job() == ()
    done(plan, second, 0.01)
    assert plan.next_job() == (Chunk(1, 4, 96),)
    assert plan.next_job() == ()
    done(plan, first, 0.5)
    assert plan.next_job() == (Chunk(0, 4, 2),)
    assert plan.next_job() == (Chunk(0, 6, 2),)


def test_gaps_between_what_is_done_and_what_is_running_are_filled():
    cells = Cells(1, 40)
    for first, count in ((0, 4), (10, 5), (30, 2)):
        cells.ledger.add(RowBlock(0, 1, first, count, 0))
    plan = RunPlan(cells, 1.0)
    jobs = [plan.next_job() for _ in range(9)]
    assert [(one.first, one.count) for job in jobs for one in job] == [
        (4, 4), (8, 2), (15, 4), (19, 4), (23, 4), (27, 3), (32, 4), (36, 4)
    ]  # fmt: skip
    assert plan.expected == 40


def test_a_cell_whose_trial_failed_is_given_up_in_shards_of_a_hundred_thousand():
    plan = RunPlan(Cells(2, 250_000), 1.0)
    job = plan.next_job()
    done(plan, job, 0.01, failed=4)
    store = plan.store
    given_up = [result.chunks[0] for result in store.errors[1:]]
    assert given_up == [
        Chunk(0, 4, 100_000), Chunk(0, 100_004, 100_000), Chunk(0, 200_004, 49_996)
    ]  # fmt: skip
    assert (store.ledger.failed(0), store.ledger.done(0)) == (250_000, 250_000)
    assert plan.next_job() == (Chunk(1, 0, 4),)


def test_a_cell_of_which_one_run_of_the_trial_works_goes_on():
    plan = RunPlan(Cells(1, 100), 1.0)
    done(plan, plan.next_job(), 0.01, failed=3)
    assert plan.store.ledger.total == 4
    assert plan.next_job() == (Chunk(0, 4, 96),)


def test_a_chunk_that_fails_comes_again_until_it_has_failed_three_times():
    plan = RunPlan(Cells(1, 4), 1.0)
    (chunk,) = plan.next_job()
    plan.failed((chunk,), "died")
    halves = [plan.next_job(), plan.next_job()]
    assert halves == [(Chunk(0, 0, 2),), (Chunk(0, 2, 2),)]
    assert plan.next_job() == ()
    done(plan, halves[0], 0.01)
    plan.failed(halves[1], "died")
    one, other = plan.next_job(), plan.next_job()
    done(plan, other, 0.01)
    for failures in (1, 2):
        plan.failed(one, "died")
        one = plan.next_job()
        assert one == (Chunk(0, 2, 1, failures),)
    plan.failed(one, "died")
    assert (plan.store.ledger.done(0), plan.store.ledger.failed(0)) == (4, 1)
    assert plan.next_job() == ()


def test_chunks_that_were_not_begun_come_again():
    plan = RunPlan(Cells(3, 4), 1.0)
    plan._seconds_a_chunk = 0.01
    plan._last_job = 1
    job = plan.next_job()
    assert job == (Chunk(0, 0, 4), Chunk(1, 0, 4), Chunk(2, 0, 4))
    plan.done(job, (ChunkResult(job[:1], (0,), b"", 1.0),))
    assert {plan.next_job(), plan.next_job()} == {(Chunk(1, 0, 4),), (Chunk(2, 0, 4),)}
    assert plan.next_job() == ()


def test_a_cell_that_repeats_until_is_judged_when_all_of_its_runs_are_there():
    until = Until(column="x", half_width=0.1, first=10, at_most=70)
    plan = RunPlan(Cells(1, 0, until=until, narrow=40), 1.0)
    assert plan.expected == 10
    seen = []
    while job := plan.next_job():
        seen.append((job[0].first, job[-1].end, plan.expected))
        done(plan, job, 0.001)
    assert seen == [(0, 4, 10), (4, 10, 10), (10, 20, 20), (20, 40, 40)]
    assert plan.expected == 40


def test_a_job_has_at_most_1024_chunks():
    plan = RunPlan(Cells(3000, 4), 1.0)
    counts = []
    for _ in range(5):
        job = plan.next_job()
        counts.append(len(job))
        done(plan, job, 1e-9)
    assert counts == [1, 32, 1024, 1024, 919]


def test_a_cell_is_not_given_up_before_its_trial_is_whole():
    """A shard was lost: of the runs that are left all failed, but the first four are to be done again."""
    cells = Cells(1, 100)
    cells.add(ChunkResult((Chunk(0, 4, 8),), (8,), b"", 1.0))
    plan = RunPlan(cells, 1.0)
    trial = plan.next_job()
    assert trial == (Chunk(0, 0, 4),)
    done(plan, trial, 0.01, failed=3)
    assert plan.next_job() == (Chunk(0, 12, 88),)


@given(
    st.integers(1, 3), st.integers(1, 90), st.integers(1, 7), st.integers(1, 4), st.randoms()
)  # fmt: skip
def test_every_run_is_done_once_whatever_becomes_of_jobs(cells, repeats, grain, room, rng):
    """A job is done, or half of it, or its worker dies; some runs fail. All cells come to their end."""
    plan = RunPlan(Cells(cells, repeats, grain), 1.0)
    running = []
    while (job := plan.next_job() if len(running) < room else ()) or running:
        if job:
            running.append(job)
            check(plan.store, running, repeats, grain)
        if not job or rng.random() < 0.3:
            settle(plan, running.pop(rng.randrange(len(running))), rng)
    ledger = plan.store.ledger
    assert [list(ledger.gaps(cell, repeats)) for cell in range(cells)] == [[]] * cells
    assert (ledger.total, plan.expected) == (cells * repeats,) * 2
    assert plan._cells == {}  # nothing is kept of cells that have ended


def check(store, running, repeats, grain):
    """Compare the job that begins with what is done and running."""
    *before, chunks = running
    for one in chunks:
        assert one.count > 0
        assert not store.ledger.overlaps(RowBlock(one.cell, 1, one.first, one.count, 0))
        others = [other for job in before for other in job if other.cell == one.cell]
        assert all(one.end <= other.first or other.end <= one.first for other in others)
        trial = min(max(4, grain), repeats)
        assert one.end <= (trial if any(store.ledger.gaps(one.cell, trial)) else repeats)


def settle(plan: RunPlan, job, rng: random.Random) -> None:
    if rng.random() < 0.2:
        plan.failed(job, "it fell over")
        return
    begun = job[: rng.randint(1, len(job))]
    plan.done(job, tuple(
        ChunkResult((one,), (rng.choice([0, 0, 0, one.count]),), b"", rng.choice([1e-6, 0.1, 3.0]))
        for one in begun
    ))  # fmt: skip


def test_a_worker_is_told_when_to_begin_no_more_chunks(plan):
    told = plan.job(plan.next_job())
    assert told.most_s == 4.0
    assert (told.root, told.limits, told.kind) == (5, plan.spec.limits, "battle")
    assert (told.stamp, told.packages, told.mark) == (plan.store.stamp, ("pebbles_game",), None)
