"""A ledger counts every run once, however the work was cut."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.journal import Ledger
from brickphys.batch.shard import RowBlock

END = 40
cuts = st.sets(st.integers(1, END - 1)).map(lambda found: [0, *sorted(found), END])


@st.composite
def shuffled_blocks(draw) -> list[RowBlock]:
    """Two cells cut into blocks, one run of each failed, some of them, in any order."""
    found = []
    for cell in (0, 3):
        ends = draw(cuts)
        found += [RowBlock(cell, 1, a, b - a, 1) for a, b in itertools.pairwise(ends)]
    order = draw(st.permutations(found))
    return order[: draw(st.integers(0, len(order)))]


@given(shuffled_blocks(), st.integers(0, END + 10))
def test_what_is_done_and_what_is_missing_make_the_whole(
    blocks: list[RowBlock], target: int
) -> None:
    ledger = Ledger()
    for block in blocks:
        assert not ledger.overlaps(block)
        ledger.add(block)
        assert ledger.overlaps(block)
    for cell in (0, 3):
        mine = [block for block in blocks if block.cell == cell]
        done = {run for one in mine for run in range(one.first, one.first + one.count)}
        gaps = list(ledger.gaps(cell, target))
        missing = [run for first, end in gaps for run in range(first, end)]
        assert missing == [run for run in range(target) if run not in done]
        assert all(first < end for first, end in gaps)
        assert ledger.done(cell) == len(done)
        assert ledger.failed(cell) == len(mine)
    assert ledger.total == sum(block.count for block in blocks)


@given(shuffled_blocks(), st.integers(0, END - 1), st.integers(1, END))
def test_a_block_overlaps_exactly_if_one_of_its_runs_is_done(
    blocks: list[RowBlock], first: int, count: int
) -> None:
    ledger = Ledger()
    for block in blocks:
        ledger.add(block)
    done = {
        run for one in blocks if one.cell == 0 for run in range(one.first, one.first + one.count)
    }
    expected = not done.isdisjoint(range(first, first + count))
    assert ledger.overlaps(RowBlock(0, 1, first, count, 0)) is expected
    assert not ledger.overlaps(RowBlock(1, 1, first, count, 0))
    assert not ledger.overlaps(RowBlock(2, 1, first, count, 0))  # the next cell has runs


@given(shuffled_blocks())
def test_ranges_that_touch_are_one(blocks: list[RowBlock]) -> None:
    ledger = Ledger()
    for block in blocks:
        ledger.add(block)
    for cell in (0, 3):
        ranges = ledger._ranges.get(cell, [])
        assert all(a[1] < b[0] for a, b in itertools.pairwise(ranges))


@given(
    st.lists(
        st.tuples(
            st.integers(0, 5), st.integers(1, 4), st.integers(0, 12), st.integers(1, 6),
            st.integers(0, 2),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_the_same_runs_of_several_cells_are_those_of_each(blocks) -> None:
    """Each block is kept unless some of its runs are there; a set of addresses says what comes of it."""
    ledger, done, failures = Ledger(), set(), dict.fromkeys(range(9), 0)
    for cell, cells, first, count, failed in blocks:
        block = RowBlock(cell, cells, first, count, failed)
        mine = set(itertools.product(range(cell, cell + cells), range(first, first + count)))
        assert ledger.overlaps(block) is not done.isdisjoint(mine)
        if done.isdisjoint(mine):
            ledger.add(block)
            done |= mine
            for one in range(cell, cell + cells):
                failures[one] += failed
    for cell in range(9):
        runs = {run for one, run in done if one == cell}
        assert ledger.done(cell) == len(runs)
        assert ledger.end(cell) == max(runs, default=-1) + 1
        assert ledger.failed(cell) == failures[cell]
        gaps = [run for ends in ledger.gaps(cell, 20) for run in range(*ends)]
        assert gaps == sorted(set(range(20)) - runs)
    assert (ledger.total, ledger.total_failed) == (len(done), sum(failures.values()))
