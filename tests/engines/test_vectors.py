"""Each operation on vectors, compiled, against the same function on arrays of NumPy, with NaN, infinity and -0."""

import itertools
import operator
from fractions import Fraction

import numba
import numpy as np
import pytest

from brickphys.engines.kernels import vectors
from brickphys.engines.kernels.vectors import LANES, load, store

ODD = [0.0, -0.0, 1.0, -1.5, 2.5, 3.5, np.inf, -np.inf, np.nan, 1e308, 5e-324, -1e-300]
PAIRS = np.array(list(itertools.product(ODD, ODD))).T
LEFT, RIGHT = (np.resize(side, (9, LANES)) for side in PAIRS)
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
ORDER = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq]

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")


def compiled(function):
    return numba.njit(error_model="numpy")(function)


def same(found, expected):
    """Whether two arrays have the same bits, all NaN being one."""
    both_nan = np.isnan(found) & np.isnan(expected)
    equal = (found == expected) & (np.signbit(found) == np.signbit(expected))
    return bool(np.all(both_nan | equal))


def on_rows(function):
    """Return a compiled function that applies another one to all rows of two arrays."""
    inner = compiled(function)

    @compiled
    def apply(a, b, out):
        for row in range(len(a)):
            store(out, row, inner(load(a, row), load(b, row)))

    def applied(a, b):
        out = np.zeros(a.shape)
        apply(a, b, out)
        return out

    return applied


@pytest.mark.parametrize("function", [*ARITHMETIC, vectors.least, vectors.most])
def test_operation_on_two_vectors_is_that_of_numpy(function):
    found = on_rows(lambda a, b: function(a, b))(LEFT, RIGHT)
    assert same(found, np.array(function(LEFT, RIGHT)))


@pytest.mark.parametrize("function", ARITHMETIC)
def test_a_number_is_a_vector_that_has_it_in_each_lane(function):
    assert same(on_rows(lambda a, b: function(a, 2.5))(LEFT, RIGHT), function(LEFT, 2.5))
    assert same(on_rows(lambda a, b: function(2, b))(LEFT, RIGHT), function(2, RIGHT))
    spread = on_rows(lambda a, b: vectors.spread(-7, a))(LEFT, RIGHT)
    assert same(spread, np.full(LEFT.shape, -7.0))


@pytest.mark.parametrize("function", ORDER)
def test_select_takes_by_a_comparison_that_is_that_of_numpy(function):
    found = on_rows(lambda a, b: vectors.select(function(a, b), a, b))(LEFT, RIGHT)
    assert same(found, np.where(function(LEFT, RIGHT), LEFT, RIGHT))
    numbers = on_rows(lambda a, b: vectors.select(function(a, 1.0), 3.0, b))(LEFT, RIGHT)
    assert same(numbers, np.where(function(LEFT, 1.0), 3.0, RIGHT))


def test_masks_are_joined_and_turned_as_those_of_numpy():
    found = on_rows(lambda a, b: vectors.select((a < b) & ~(b > 1.0) | (a == 2.5), 1.0, 0.0 * a))
    left, right = np.nan_to_num(LEFT), np.nan_to_num(RIGHT)
    expected = (left < right) & ~(right > 1.0) | (left == 2.5)
    assert np.array_equal(found(left, right) == 1.0, expected)


@pytest.mark.parametrize(
    "function",
    [operator.neg, vectors.root, vectors.size, vectors.nearest],
    ids=lambda f: f.__name__,
)
def test_function_of_one_vector_is_that_of_numpy(function):
    assert same(on_rows(lambda a, b: function(a))(LEFT, RIGHT), np.array(function(LEFT)))


def test_fused_multiply_add_is_rounded_once():
    a, b = np.random.default_rng(2).normal(size=(2, 20, LANES))
    fused = on_rows(lambda a, b: vectors.fused(a, b, -(a * b)))(a, b)
    numbers = zip(a.flat, b.flat, (a * b).flat, strict=True)
    exact = [float(Fraction(x) * Fraction(y) - Fraction(z)) for x, y, z in numbers]
    assert same(fused, np.reshape(exact, a.shape))
    assert np.any(fused)
    assert same(on_rows(lambda a, b: vectors.fused(2, b, 0.5))(LEFT, RIGHT), 2 * RIGHT + 0.5)
    assert same(vectors.fused(LEFT, RIGHT, 1.0), LEFT * RIGHT + 1.0)  # without compilation


def test_sine_and_cosine_are_exact_within_rounding_and_nan_for_infinite_angles():
    angles = np.concatenate([np.linspace(-1e4, 1e4, 48 * LANES), np.linspace(-7, 7, 48 * LANES)])
    rows = angles.reshape(-1, LANES)
    sine = on_rows(lambda a, b: vectors.sine_cosine(a)[0])
    cosine = on_rows(lambda a, b: vectors.sine_cosine(a)[1])
    error = 1e-15 + 2.3e-16 * np.abs(rows)  # the second part where products are not fused
    assert np.all(np.abs(sine(rows, rows) - np.sin(rows)) <= error)
    assert np.all(np.abs(cosine(rows, rows) - np.cos(rows)) <= error)
    odd = np.resize([np.inf, -np.inf, np.nan], (1, LANES))
    assert np.isnan(sine(odd, odd)).all()
    plain = vectors.sine_cosine.py_func(rows)  # without compilation
    assert np.all(np.abs(plain[0] - np.sin(rows)) <= error)


@compiled
def told(a, b, found):
    """Write what masks tell of each row as numbers."""
    for row in range(len(a)):
        mask = load(a, row) < load(b, row)
        lanes = vectors.lanes_of(mask)
        found[row, 0], found[row, 1] = lanes, vectors.some(mask)
        found[row, 2] = vectors.first_lane(lanes) if lanes != 0 else -1


def test_a_mask_tells_whether_and_in_which_lanes_it_holds():
    rng = np.random.default_rng(1)
    a = rng.normal(size=(40, LANES)) + np.linspace(-3, 5, 40)[:, None]
    b, found = np.zeros(a.shape), np.zeros((40, 3), dtype=np.int64)
    told(a, b, found)
    assert {0, 1} == set(found[:, 1].tolist())
    for row, (lanes, some, first) in enumerate(found.tolist()):
        holds = a[row] < b[row]
        assert lanes == vectors.lanes_of(holds) == sum(1 << k for k in range(LANES) if holds[k])
        assert bool(some) == vectors.some(holds) == holds.any()
        assert first == (vectors.first_lane(lanes) if lanes else -1)
        assert first == (int(holds.argmax()) if holds.any() else -1)


def test_store_writes_its_row_alone():
    out = np.zeros((3, LANES))

    @compiled
    def written(a, out):
        store(out, 1, load(a, 2))

    written(LEFT[:3].copy(), out)
    plain = np.zeros((3, LANES))
    store(plain, 1, load(LEFT, 2))
    assert same(out, plain)
    assert not out[[0, 2]].any()


@pytest.mark.parametrize("rows", [np.zeros((2, LANES), dtype=np.float32), np.zeros((2, 2, LANES))])
def test_what_is_not_rows_of_double_precision_is_not_compiled(rows):
    with pytest.raises(numba.TypingError):
        compiled(lambda a: vectors.some(load(a, 0) > 0.0))(rows)
