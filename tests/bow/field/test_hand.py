"""The heights that a hand reaches (BOW 2.3.2, 2.4.2): a stud is 2.5 plates, and a hand is at 6."""

import pytest

from brickphys.bow.sight import reaches
from brickphys.geometry.polygon import TOLERANCE


@pytest.mark.parametrize("ground", [0.0, 20.0])
@pytest.mark.parametrize("studs", [1, 3])
@pytest.mark.parametrize(
    ("off", "is_reached"), [(-1.0, True), (0.0, True), (TOLERANCE / 2, True), (1e-6, False)]
)
def test_a_hand_reaches_as_high_and_as_deep_as_its_weapon_is_long(ground, studs, off, is_reached):
    high, low = ground + 6.0 + 2.5 * studs + off, ground + 6.0 - 2.5 * studs - off
    assert reaches(ground, (high, high + 9.0), studs) is is_reached
    assert reaches(ground, (low - 9.0, low), studs) is is_reached


def test_what_is_beside_the_hand_is_reached_however_large_it_is():
    assert reaches(0.0, (-50.0, 50.0), 0)
    assert reaches(0.0, (6.0, 6.0), 0)
    assert not reaches(0.0, (6.1, 9.0), 0)
