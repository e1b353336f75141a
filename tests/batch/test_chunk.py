"""A chunk that fails is halved at places that do not depend on how the work was cut, until what fails is alone."""

import io

import pyarrow.parquet as pq
import pytest
from batches import pebbles, spec
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.run.chunk import TRIES, Chunk, ChunkJob, failed_result, run_chunk
from brickphys.batch.study.spec import canonical
from brickphys.errors import InvalidValueError, in_words
from brickphys.stamp import stamp_here


def job(tables, chunk: Chunk) -> ChunkJob:
    made = spec(tables)
    settings = canonical(made.settings(chunk.cell))
    kind = made.study_type.name
    stamp = stamp_here(*made.packages)
    return ChunkJob((chunk,), (settings,), kind, "{}", made.seed, made.limits, stamp, made.packages)


def ends_of(chunk: Chunk, grain: int) -> list[Chunk]:
    """Return the chunks that are left when all fail, each as often as it is tried."""
    again = chunk.after_failure(grain)
    return [one for part in again for one in ends_of(part, grain)] or [chunk]


@given(st.integers(0, 300), st.integers(1, 200), st.sampled_from([1, 3, 16, 64]))
def test_halves_end_at_single_grains(first: int, count: int, grain: int) -> None:
    ends = ends_of(Chunk(2, first, count), grain)
    edges = [one.first for one in ends] + [first + count]
    assert edges == sorted(
        {first, *range(-(-first // grain) * grain, first + count, grain), edges[-1]}
    )
    assert all(one.count == b - a for one, a, b in zip(ends, edges, edges[1:], strict=False))
    assert {one.failures for one in ends} == {TRIES - 1}


def test_halves_are_halves() -> None:
    sizes = [part.count for part in Chunk(0, 64, 640).after_failure(64)]
    assert sizes == [320, 320]


@pytest.mark.parametrize("fault", ["raises", "exits"])
def test_a_run_that_raises_fails_alone(fault: str) -> None:
    chunk = Chunk(0, 10, 40)
    (result,) = run_chunk(job(pebbles(**{fault: 0.2}), chunk))
    rows = pq.read_table(io.BytesIO(result.parquet))
    assert rows["run"].to_pylist() == list(range(10, 50))
    work = spec(pebbles(**{fault: 0.2}))
    drawn = [
        work.study_type.work(work.settings(0), {}, work.seed, 0, work.limits).setup(run)[0]
        for run in range(10, 50)
    ]
    errors = rows["error"].to_pylist()
    assert [error is not None for error in errors] == [name == fault for name in drawn]
    assert 0 < drawn.count(fault) < 40
    expected = "ZeroDivisionError: no pebble left" if fault == "raises" else "SystemExit: 3"
    assert {error for error in errors if error} == {expected}
    assert result.failed == (drawn.count(fault),)


def test_failed_rows_have_an_address_and_an_error() -> None:
    result = failed_result(Chunk(4, 7, 3), "why")
    assert (result.failed, result.seconds) == ((3,), 0.0)
    rows = pq.read_table(io.BytesIO(result.parquet))
    assert rows.to_pylist() == [{"cell": 4, "run": run, "error": "why"} for run in (7, 8, 9)]


def test_an_error_is_one_line() -> None:
    assert in_words(InvalidValueError("height\n -1")) == "height -1"
    assert in_words(KeyError("x")) == "KeyError: 'x'"
    assert len(in_words(ValueError("x" * 10_000))) < 600
