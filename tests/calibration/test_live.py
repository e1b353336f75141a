"""Live throws answer brick rolls by address."""

import pytest

from brickphys.calibration.live import LiveChance
from brickphys.errors import InvalidValueError
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.sources import RollSource


def test_live_throws_answer_chance_events_and_count_sides() -> None:
    roll = LiveChance(1).roll(3, (0, 1))
    assert roll.poses is not None
    assert len(roll.poses) == 3
    assert roll.score == roll.poses.count("side")
    assert RollSource(LiveChance(1).roll).answer(BrickRoll(3, "attack"), (0, 1)) == roll.score


def test_the_same_address_falls_the_same_way_in_any_order() -> None:
    source = LiveChance(1)
    first = [source.roll(2, (i,)) for i in range(3)]
    assert [source.roll(2, (i,)) for i in reversed(range(3))] == first[::-1]
    assert len({roll.poses for roll in first}) > 1


def test_no_bricks_score_nothing() -> None:
    assert LiveChance(1).roll(0, ()).score == 0


@pytest.mark.parametrize(
    "values", [{"root": -1}, {"root": 1, "shape": "9x9"}, {"root": 1, "engine_name": "x"}]
)
def test_a_source_that_cannot_throw_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidValueError):
        LiveChance(**values)
