"""How many runs a cell needs and a batch still lacks, judged at fixed numbers of runs."""

from types import SimpleNamespace

import pytest

from brickphys.batch.journal import Ledger
from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.plan import given_up, left, pending, target
from brickphys.batch.schema import Until
from brickphys.batch.shard import RowBlock

UNTIL = Until(column="x", half_width=0.125, first=10, at_most=70)  # looks: 10, 20, 40, 70
NEVER, AT_ONCE = 99, 0


def store(narrow, done, *, good=True, summary="x"):
    """Return a batch of cells; `narrow` says from which run on the interval of each is narrow, `done` its ranges."""
    ledger = Ledger()
    for cell, ranges in enumerate(done):
        for first, end in ranges:
            ledger.add(RowBlock(cell, 1, first, end - first, 0))

    def good_rows(_cell, look):
        return SimpleNamespace(num_rows=look if good else 0)

    def summed(cell, rows):
        half = 0.125 if rows.num_rows >= narrow[cell] else 0.1251
        return {summary: Estimate(5.0, 5.0 - half, 5.0 + half), "y": Estimate(5.0, 5.0, 5.0)}

    cells = [{}] * len(done)
    spec = SimpleNamespace(until=UNTIL, repeats=None, cells=cells, summary=summed)
    return SimpleNamespace(spec=spec, ledger=ledger, good_rows=good_rows)


@pytest.mark.parametrize(
    ("narrow", "done", "runs"),
    [
        (AT_ONCE, [], 10),
        (AT_ONCE, [(0, 9)], 10),
        (AT_ONCE, [(0, 70)], 10),
        (11, [(0, 10)], 20),
        (11, [(0, 70)], 20),
        (21, [(0, 15), (16, 70)], 20),  # judged only once all of its first runs are there
        (21, [(0, 70)], 40),
        (NEVER, [(0, 40)], 70),
        (NEVER, [(0, 70)], 70),
    ],
)
def test_a_cell_needs_the_runs_up_to_the_first_look_that_is_narrow_or_not_whole(narrow, done, runs):
    assert target(store([narrow], [done]), 0) == runs


def test_looks_that_are_known_to_be_too_few_are_not_asked_again():
    made = store([AT_ONCE], [[(0, 70)]])
    assert [target(made, 0, beyond) for beyond in (0, 9, 10, 19, 20, 69, 70, 99)] == [
        10, 10, 20, 20, 40, 70, 70, 70
    ]  # fmt: skip


def test_a_cell_of_which_every_run_failed_has_enough():
    assert target(store([NEVER], [[(0, 20)]], good=False), 0) == 10


def test_a_column_without_an_interval_is_never_narrow():
    assert target(store([AT_ONCE], [[(0, 70)]], summary="z"), 0) == 70
    plain = store([AT_ONCE], [[(0, 70)]])
    plain.spec.summary = lambda *_: {"x": 5.0}
    assert target(plain, 0) == 70


def test_given_up_are_the_cells_with_all_runs_and_no_narrow_interval():
    done = [[(0, 70)], [(0, 70)], [(0, 69)], [(0, 70)]]
    assert given_up(store([NEVER, 21, NEVER, 71], done)) == [0, 3]


def test_left_is_what_the_cells_that_go_on_lack_and_what_they_may_need():
    done = [[(0, 20)], [(0, 5), (12, 15)], [(0, 70)], []]
    made = store([15, NEVER, NEVER, AT_ONCE], done)
    assert left(made) == (5 + 10, (7 + 55) + 70)
    assert pending(made) == (5 + 2) + 10
    assert left(store([NEVER], [[(0, 20)]])) == (20, 50)


def test_what_repeats_a_given_number_of_times_lacks_the_others():
    spec = SimpleNamespace(until=None, repeats=30, most_runs=60, cells=[{}, {}])
    spec.least_runs_a_cell = 30
    ledger = Ledger()
    ledger.add(RowBlock(0, 1, 5, 4, 0))
    made = SimpleNamespace(spec=spec, ledger=ledger)
    assert (target(made, 0), target(made, 1)) == (30, 30)
    assert (pending(made), left(made), given_up(made)) == (56, (56, 56), [])
