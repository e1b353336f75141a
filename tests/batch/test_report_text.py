"""How intervals are written for people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.table import cell_columns, cell_line, uneven_columns, value_in_words
from brickphys.odds.distribution import wilson
from tests.batch.batches import pebbles, run_here


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return run_here(tmp_path_factory.mktemp("made") / "batch", pebbles(8))


def written(store, *estimates):
    """Return how a column with these estimates is written, which are all of one cell here."""
    told = [{"p_win_0": estimate} for estimate in estimates]
    columns, ends = cell_columns(store, told), uneven_columns(told)
    return [cell_line(store, 0, summary, columns, ends)[-1] for summary in told]


def share(hits, n):
    return Estimate(hits / n, *wilson(hits, n))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            [["soldier,axe*4"], ["soldier,axe*4", "soldier"]],
            "soldier,axe*4; soldier,axe*4, soldier",
        ),
        ([[50, 100], [0.25, 3]], "50:100; 0.25:3"),
        (["greedy", "random"], "greedy, random"),
        ([], ""),
    ],
)
def test_lists_are_written_without_brackets(value, text):
    assert value_in_words(value) == text


def test_intervals_that_are_even_are_written_short(store):
    assert written(store, share(1176, 4000)) == ["29.4 ±1.4 %"]
    assert written(store, Estimate(5.0, 4.5, 5.5)) == ["500 ±50 %"]


def test_intervals_at_the_ends_are_written_themselves(store):
    assert written(store, share(0, 8)) == ["0 % (0 to 32)"]
    assert written(store, share(8, 8)) == ["100 % (68 to 100)"]
    assert written(store, share(57, 60)) == ["95.0 % (86.3 to 98.3)"]


def test_a_column_is_written_in_one_way(store):
    assert written(store, share(2000, 4000), share(0, 8)) == [
        "50.0 % (48.5 to 51.5)",
        "0 % (0 to 32)",
    ]


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_half_a_width_never_reaches_beyond_0_and_1(hits):
    value = share(*hits)
    if not uneven_columns([{"p": value}]):
        assert value.value - value.half_width >= 0
        assert value.value + value.half_width <= 1
