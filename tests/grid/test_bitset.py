"""Sets of squares as bits."""

from hypothesis import given
from hypothesis import strategies as st

from brickphys.grid.grid import each, squares_of


@given(st.sets(st.integers(0, 3000)), st.sets(st.integers(0, 3000)))
def test_bit_sets_are_read_back_in_order_and_combine_as_sets_do(one, other):
    assert list(each(squares_of(one))) == sorted(one)
    assert set(each(squares_of(one) | squares_of(other))) == one | other
    assert set(each(squares_of(one) & ~squares_of(other))) == one - other
