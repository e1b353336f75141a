"""Who fought whom, read from the rows of a study."""

import numpy as np
import pyarrow as pa
import pytest

from brickphys.batch.unit_values import drawn_battles
from brickphys.errors import InvalidValueError

KNOWN = ("knight", "trooper", "archer")


def rows(*battles: tuple[str | None, int]) -> pa.Table:
    setups, winners = zip(*battles, strict=True)
    return pa.table(
        {"setup": pa.array(setups, pa.string()), "winner": pa.array(winners, pa.int8())}
    )


def test_armies_are_counted_and_draws_are_halves():
    table = rows(
        ("knight+trooper*12 | archer", 0), ("archer*2 | archer", 1), ("archer | archer", -1)
    )
    battles = drawn_battles(table, KNOWN)
    assert battles.units == KNOWN
    assert battles.first.tolist() == [[1, 12, 0], [0, 0, 2], [0, 0, 1]]
    assert battles.second.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 1]]
    assert battles.score.tolist() == [1.0, 0.0, 0.5]
    assert battles.drawn.tolist() == [1, 12, 6]


def test_units_that_never_fought_are_left_out():
    assert drawn_battles(rows(("archer | trooper", 0)), KNOWN).units == ("trooper", "archer")


def test_some_of_the_battles():
    battles = drawn_battles(rows(("archer | trooper", 0), ("trooper | archer", 0)), KNOWN)
    assert battles.those(np.array([False, True])).first.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        (None, "does not name two armies"),
        ("knight", "does not name two armies"),
        ("knight | archer | knight", "does not name two armies"),
        ("knight | ", "'' is not a unit"),
        ("knight*0 | archer", "'knight\\*0' is not a unit"),
        ("knigt | archer", "unknown unit 'knigt': did you mean 'knight'"),
    ],
)
def test_what_is_no_drawn_setup_is_refused(setup, told):
    with pytest.raises(InvalidValueError, match=told):
        drawn_battles(rows((setup, 0)), KNOWN)
