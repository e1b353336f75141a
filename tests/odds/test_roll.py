import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.roll import Roll


def test_a_roll_holds_its_score_and_poses():
    roll = Roll(3, 1, ("side", "studs_up", "leaning"))
    assert (roll.bricks, roll.score) == (3, 1)
    assert Roll(0, 0).poses is None
    assert (Roll(60, 60).score, Roll(60, 0).score) == (60, 0)


@pytest.mark.parametrize(
    "values",
    [
        (3, 4),
        (3, -1),
        (-1, 0),
        (61, 0),
        (2, 1, ("side",)),
        (2, 1, ("side", "side")),
        (1.0, 1),
        (True, 1),
    ],
)
def test_impossible_rolls_are_refused(values):
    with pytest.raises(InvalidValueError):
        Roll(*values)
