"""Failed runs are tried again in full, wherever the one before was stopped."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.chunk import ChunkJob
from brickphys.batch.journal import Journal, shards_to_retry, without_gaps
from brickphys.batch.shard import RowBlock, Shard
from brickphys.batch.store import JOURNAL, SHARDS, Store, open_store, running_store
from tests.batch.batches import PEBBLES, InProcess, run_here, runs_of, spec, table_bytes, until
from tests.cases import few

pytestmark = pytest.mark.usefixtures("quick_disk")

UNTIL = {"column": "p_win_0", "half_width": 0.25, "first": 10, "at_most": 100}
STUDY = until(PEBBLES, **UNTIL)
BLOCKS = st.builds(
    RowBlock, st.integers(0, 3), st.integers(1, 3), st.integers(0, 9), st.just(2), st.integers(0, 1)
)
LISTS = st.lists(
    st.builds(
        Shard,
        st.lists(BLOCKS, min_size=1, max_size=3).map(tuple),
        st.uuids().map(str),
        st.just(1.0),
        st.just("s"),
    ),
    max_size=8,
    unique_by=lambda shard: shard.file,
)


@given(LISTS, st.booleans())
def test_what_is_left_of_a_retry_is_found_again(shards: list[Shard], until: bool) -> None:
    chosen = shards_to_retry(shards, until=until)
    assert len({*chosen}) == len(chosen)
    assert {shard for shard in shards if shard.failed} <= {*chosen}
    for done in range(len(chosen)):
        left = [shard for shard in shards if shard not in chosen[:done]]
        assert {*shards_to_retry(left, until=until)} == {*chosen[done:]}


def shard(name: str, *blocks: RowBlock) -> Shard:
    return Shard(blocks, name, 1.0, "s")


def test_failed_shards_come_out_from_the_last_one_and_later_runs_of_their_cells_before_them() -> (
    None
):
    """Runs 10 to 19 of cell 2 failed first, among them those of cell 3; of cell 4 none did."""
    kept = shard("kept", RowBlock(2, 1, 0, 10, 0), RowBlock(4, 1, 30, 10, 0))
    mixed = shard("mixed", RowBlock(1, 1, 10, 10, 0), RowBlock(2, 2, 10, 10, 1))
    again = shard("again", RowBlock(3, 1, 20, 10, 2))
    later = [shard("a", RowBlock(0, 4, 30, 5, 0)), shard("b", RowBlock(3, 1, 11, 1, 0))]
    same = shard("same run", RowBlock(2, 1, 10, 5, 0))
    other = shard("other cell", RowBlock(1, 1, 90, 5, 0))
    shards = [kept, mixed, later[0], again, same, other, later[1]]
    assert shards_to_retry(shards, until=False) == [again, mixed]
    assert shards_to_retry(shards, until=True) == [later[1], later[0], again, mixed]
    assert shards_to_retry([kept, *later], until=True) == []


PLACES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), unique=True, min_size=1)


@given(PLACES, st.integers(1, 3))
def test_shards_are_kept_before_whose_runs_none_of_their_cells_is_missing(
    places: list[tuple[int, int]], together: int
) -> None:
    """Blocks of two runs; `together` of them are in each shard but the last one."""
    blocks = [RowBlock(cell, 1, 2 * place, 2, 0) for cell, place in places]
    shards = [shard(f"{at}", *blocks[at : at + together]) for at in range(0, len(blocks), together)]
    kept, before = shards, None
    while kept != before:
        before, there = kept, {(one.cell, one.first) for each in kept for one in each.blocks}
        kept = [
            each
            for each in before
            if all(
                (one.cell, first) in there
                for one in each.blocks
                for first in range(0, one.first, 2)
            )
        ]
    assert without_gaps(shards) == kept


class KilledError(Exception):
    """The runner is no more."""


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch in which some early runs of each cell failed, and later ones took their place."""
    folder = tmp_path_factory.mktemp("failing") / "batch"
    run_here(folder, STUDY, InProcess(fails=lambda job: bool({12, 13} & runs_of(job))), 0.005)
    return folder


def retried(folder: Path, lines: float, patch: pytest.MonkeyPatch) -> set[str]:
    """Retry the failed runs of a batch, killed after so many lines of the journal; return the shards that are left."""
    written: Iterator[int] = iter(range(10**6))
    append = Journal.append

    def killed(journal: Journal, entry: dict[str, Any]) -> None:
        if next(written) >= lines:
            raise KilledError
        append(journal, entry)

    with patch.context() as context, running_store(folder, spec(STUDY)) as store:
        context.setattr(Journal, "append", killed)
        store.repair()
        store.retry_failed()
    return {shard.file for shard in open_store(folder).shards}


def test_a_retry_that_was_killed_at_any_line_is_made_whole(
    failing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shutil.copytree(failing, tmp_path / "whole")
    left = retried(whole, float("inf"), monkeypatch)
    before = (failing / JOURNAL).read_bytes().count(b"\n")
    taken = (whole / JOURNAL).read_bytes().count(b"\n") - before
    failed = sum(bool(shard.failed) for shard in open_store(failing).shards)
    assert taken > failed > 1
    for lines in range(taken):
        folder = shutil.copytree(failing, tmp_path / f"{lines}")
        with pytest.raises(KilledError):
            retried(folder, lines, monkeypatch)
        assert retried(folder, float("inf"), monkeypatch) == left


def lose_a_file(store: Store, shard: Shard) -> None:
    (store.folder / SHARDS / shard.file).unlink()


def edit_a_line(store: Store, shard: Shard) -> None:
    journal = store.folder / JOURNAL
    journal.write_text(journal.read_text().replace(shard.sha256, "0" * 64))


@pytest.mark.parametrize("damage", few([lose_a_file, edit_a_line]))
def test_failed_runs_that_are_lost_are_done_again_as_if_they_had_never_failed(
    damage: Callable[[Store, Shard], None], tmp_path: Path
) -> None:
    """They work now, so their cell may end sooner: later runs that were needed only without them go, too."""
    until = UNTIL | {"half_width": 0.2, "at_most": 2000}
    tables = STUDY | {"grid": {"bots": ["random"]}, "until": until}
    healthy = run_here(tmp_path / "healthy", tables)

    def has_bad_run(job: ChunkJob) -> bool:
        return any(12 <= run < 40 and run % 4 > 0 for run in runs_of(job))

    store = run_here(tmp_path / "batch", tables, InProcess(fails=has_bad_run), 0.005)
    assert store.ledger.total > healthy.ledger.total
    for shard in store.shards:
        if shard.failed:
            damage(store, shard)
    assert table_bytes(run_here(tmp_path / "batch", tables)) == table_bytes(healthy)
