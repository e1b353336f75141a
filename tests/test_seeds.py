import platform

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import kstest

from brickphys.errors import InvalidValueError
from brickphys.seeds import (
    MAX_ROOT,
    check_root,
    fresh_root,
    generator,
    normal_quantiles,
    uniforms,
)

roots = st.integers(0, MAX_ROOT - 1)
cells = st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple)
widths = st.integers(1, 40)
BAD_ROOTS = (-1, MAX_ROOT, 2**64)


@given(roots, cells, widths, st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_any_chunking_reads_the_same_numbers(root, cell, width, chunks):
    firsts = np.cumsum([0, *chunks])
    parts = [
        uniforms(root, cell, int(first), count, width)
        for first, count in zip(firsts, chunks, strict=False)
    ]
    whole = uniforms(root, cell, 0, sum(chunks), width)
    assert np.array_equal(np.concatenate(parts), whole)


@given(roots, cells, st.integers(0, 10**15), widths)
def test_throw_far_out_is_reached_in_one_jump(root, cell, first, width):
    pair = uniforms(root, cell, first, 2, width)
    assert np.array_equal(pair[1:], uniforms(root, cell, first + 1, 1, width))


@given(roots, cells, roots, cells)
def test_other_roots_and_cells_read_other_numbers(root, cell, other_root, other_cell):
    same = (root, cell) == (other_root, other_cell)
    mine = uniforms(root, cell, 0, 2, 4)
    assert np.array_equal(mine, uniforms(other_root, other_cell, 0, 2, 4)) == same


def test_cells_that_end_in_zero_differ():
    # a sequence that were padded with zeros would confuse these
    found = [uniforms(1, cell, 0, 1, 4).tolist() for cell in ((), (0,), (0, 0), (1,), (1, 0))]
    assert all(found[i] != found[j] for i in range(5) for j in range(i))


def test_throws_of_one_cell_share_no_number():
    numbers = uniforms(5, (1,), 0, 20_000, 5)
    assert len(np.unique(numbers)) == numbers.size  # false alarm: 1e10/2 pairs over 2^52, 1e-6


def test_uniforms_are_strictly_inside_0_and_1(monkeypatch):
    class Extreme:
        def __init__(self, key):
            pass

        def advance(self, delta):
            pass

        def random_raw(self, size):
            return np.where(np.arange(size) % 2, np.uint64(2**64 - 1), np.uint64(0))

    monkeypatch.setattr(np.random, "Philox", Extreme)
    numbers = uniforms(1, (), 0, 4, 4)
    assert 0.0 < numbers.min() < 1e-15
    assert 1.0 - 1e-15 < numbers.max() < 1.0


def test_uniforms_are_uniform_and_independent_within_a_throw():
    # 4 + 6 tests at fixed seeds; one false alarm in 1e4 each
    numbers = uniforms(2, (3, 4), 0, 100_000, 4)
    assert all(kstest(column, "uniform").pvalue > 1e-4 for column in numbers.T)
    correlation = np.corrcoef(numbers.T)[np.triu_indices(4, k=1)]
    assert np.abs(correlation).max() < 3.9 / np.sqrt(len(numbers))


def test_address_scheme_is_the_one_of_published_laws():
    # changed numbers here mean that no published law can be reproduced any more
    assert uniforms(20_240_229, (1, 2), 1000, 2, 5).tolist() == [
        [0.3993259427079724, 0.344470157658067, 0.635209100675684, 0.44455279662192637, 0.67980835821497],
        [0.5707410649912493, 0.7244907106589701, 0.7468515242364974, 0.929889484254785, 0.5137457568211564],
    ]  # fmt: skip


def test_width_is_part_of_the_address():
    assert not np.array_equal(uniforms(1, (), 1, 1, 4)[0], uniforms(1, (), 1, 1, 5)[0, :4])


@pytest.mark.parametrize("root", BAD_ROOTS)
def test_roots_that_json_cannot_hold_are_refused(root):
    for use in (check_root, generator, lambda bad: uniforms(bad, (), 0, 1, 1)):
        with pytest.raises(InvalidValueError, match=f"seed {root} is outside"):
            use(root)


def test_fresh_roots_are_valid_and_differ():
    drawn = {check_root(fresh_root()) for _ in range(100)}
    assert len(drawn) == 100  # false alarm: 5e3 pairs over 2^53, 1e-12


def test_generators_of_one_address_agree_and_of_others_differ():
    draws = [generator(7, *address).random() for address in ((), (1,), (1, 2), (2,))]
    assert draws == [generator(7, *address).random() for address in ((), (1,), (1, 2), (2,))]
    assert len(set(draws)) == 4


def test_normal_quantiles_are_those_of_scipy():
    """Bit for bit on x86-64, up to rounding elsewhere, and in the farthest tails, which no throw reaches."""
    p = uniforms(7, (3,), 0, 100_000, 3)
    assert normal_quantiles(p) == pytest.approx(ndtri(p), rel=4e-15, abs=1e-15)
    if platform.machine() == "x86_64":
        assert np.array_equal(normal_quantiles(p), ndtri(p))
        assert np.array_equal(normal_quantiles(p[:99]), ndtri(p[:99]))  # of so few without SciPy
    ends = np.array([2.0**-53, 1e-13, 0.5, 1 - 1e-13, 1 - 2.0**-53])
    assert normal_quantiles(ends) == pytest.approx(ndtri(ends), rel=1e-14)
