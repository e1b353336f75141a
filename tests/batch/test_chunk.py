"""A chunk that fails is halved at places that do not depend on how the work was cut, until what fails is alone."""

import io
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch import chunk as module
from brickphys.batch.chunk import TRIES, Chunk, ChunkJob, failed_result, prepare_chunk, run_chunk
from brickphys.batch.kinds.study_type import Times
from brickphys.batch.spec import canonical
from brickphys.errors import InvalidValueError, WorkerStartError, in_words
from brickphys.stamp import stamp_here
from tests.batch.batches import pebbles, spec


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


def test_what_is_a_single_grain_is_tried_three_times() -> None:
    for chunk, grain in ((Chunk(0, 64, 64), 64), (Chunk(0, 70, 58), 64), (Chunk(0, 5, 1), 1)):
        once, twice = replace(chunk, failures=1), replace(chunk, failures=2)
        assert chunk.after_failure(grain) == (once,)
        assert once.after_failure(grain) == (twice,)
        assert twice.after_failure(grain) == ()


@pytest.mark.parametrize(
    ("first", "count", "grain", "middle"),
    [(0, 10, 1, 5), (0, 11, 1, 5), (7, 2, 1, 8), (60, 10, 64, 64), (0, 191, 64, 64), (1, 66, 64, 64),
     (64, 320, 64, 192)],
)  # fmt: skip
def test_halves_meet_at_the_grain_at_or_before_the_middle(first, count, grain, middle) -> None:
    one, other = Chunk(3, first, count).after_failure(grain)
    assert one == Chunk(3, first, middle - first)
    assert other == Chunk(3, middle, first + count - middle)


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


def test_rows_are_compressed_by_zstandard() -> None:
    data = io.BytesIO(failed_result(Chunk(0, 0, 3), "why").parquet)
    columns = pq.ParquetFile(data).metadata.row_group(0)
    assert {columns.column(n).compression for n in range(3)} == {"ZSTD"}


def test_failed_rows_have_an_address_and_an_error() -> None:
    result = failed_result(Chunk(4, 7, 3), "why")
    assert (result.failed, result.seconds) == ((3,), 0.0)
    rows = pq.read_table(io.BytesIO(result.parquet))
    assert rows.to_pylist() == [{"cell": 4, "run": run, "error": "why"} for run in (7, 8, 9)]


def jobs_of(tables, chunks, **more) -> ChunkJob:
    one = job(tables, chunks[0])
    return replace(one, chunks=tuple(chunks), settings=one.settings * len(chunks), **more)


@pytest.mark.parametrize(("most_s", "begun"), [(0.5, 1), (1.0, 2), (2.0, 3), (9.0, 4)])
def test_no_chunk_begins_once_a_job_takes_too_long(most_s, begun, monkeypatch) -> None:
    """The clock goes on by a second whenever somebody looks: at the begin, before each chunk but the first, and at
    the end; the seconds are shared by the runs."""
    clock = count()
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: float(next(clock))))
    chunks = [Chunk(0, 10 * n, n + 1) for n in range(4)]
    (result,) = run_chunk(jobs_of(pebbles(), chunks, most_s=most_s))
    assert result.chunks == tuple(chunks[:begun])
    looked = begun + 1 if begun < 4 else 4
    assert result.seconds == pytest.approx(float(looked))
    rows = pq.read_table(io.BytesIO(result.parquet))
    assert rows["run"].to_pylist() == [
        run for one in chunks[:begun] for run in range(one.first, one.end)
    ]
    assert "stamp" not in rows.column_names


def test_rows_have_the_mark_of_their_job() -> None:
    (result,) = run_chunk(jobs_of(pebbles(), [Chunk(0, 0, 2), Chunk(0, 5, 1)], mark="m"))
    assert pq.read_table(io.BytesIO(result.parquet))["stamp"].to_pylist() == ["m"] * 3


@pytest.mark.parametrize("error", [OSError(2, "No such file"), InvalidValueError("no text")])
def test_no_row_is_kept_if_the_sources_cannot_be_read(error, monkeypatch) -> None:
    def gone(*_):
        raise error

    monkeypatch.setattr(module, "stamp_now", gone)
    with pytest.raises(WorkerStartError, match=r"continued: .*(No such file|no text)"):
        run_chunk(job(pebbles(), Chunk(0, 0, 1)))


def test_a_cell_is_warmed_up_once_before_its_runs(monkeypatch) -> None:
    done: list[str] = []

    class Work:
        grain = 1

        def warm_up(self) -> None:
            done.append("warm")

        def rows(self, first: int, count: int) -> pa.Table:
            done.append(f"{count} from {first}")
            return pa.table({"x": [0] * count})

        def times(self) -> dict[str, Times]:
            return {"x": Times(1, 0.5, 0.5)}

    monkeypatch.setattr(module, "study_type", lambda _: SimpleNamespace(work=lambda *_: Work()))
    one = replace(job(pebbles(), Chunk(0, 3, 2)), kind="warmed")
    prepare_chunk(one)
    assert done == ["warm"]
    (result,) = run_chunk(one)
    assert done == ["warm", "2 from 3"]
    assert result.times == {"x": Times(1, 0.5, 0.5)}


def test_an_error_is_one_line() -> None:
    assert in_words(InvalidValueError("height\n -1")) == "height -1"
    assert in_words(KeyError("x")) == "KeyError: 'x'"
    assert len(in_words(ValueError("x" * 10_000))) < 600
