"""Shot laws: the aim law times an impact law, and shots thrown live."""

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.projectiles.live import live_shot
from brickphys.projectiles.shot import IMPACT_BINS, aim_law, shot_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon
from tests.projectiles.made_up_laws import made_up

INCH = 25.4
HERE = (0.0, 0.0)


def foot(inches, across_mm=0.0, facing_deg=180.0):
    return Standing(target("foot"), inches * INCH, across_mm, facing_deg)


def test_a_constant_impact_law_multiplies_the_hits():
    table = [foot(24), foot(26, 20.0)]
    law = shot_law(weapon("bow"), HERE, table, 0, {"foot": made_up(share=0.6)})
    assert law.knocked.share == pytest.approx(0.6 * law.aim.by_phase)
    assert law.knocked_by(1).share == pytest.approx(0.6 * law.aim.hit[1])


def test_intervals_are_inside_those_of_the_worst_cells():
    law = shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up(share=0.6)})
    low, high = wilson(240, 400)
    hit = law.aim.hit[0]
    assert low * hit < law.knocked_by(0).low < law.knocked_by(0).share
    assert law.knocked_by(0).share < law.knocked_by(0).high < high * hit


def test_phases_with_the_same_counts_have_intervals_as_wide_as_one():
    kept = []
    for inches in (12, 48):  # nearly all hits are direct; a third come after a bounce
        law = shot_law(weapon("bow"), HERE, [foot(inches)], 0, {"foot": made_up(share=0.6)})
        parts, whole = law.knocked, law.knocked_by(0)
        assert parts.share[0, 0] > parts.share[0, 1] > 0
        kept.append((whole.high - whole.low) / (parts.high - parts.low)[0].sum())
    assert kept == pytest.approx([1.0, 1.0])


def test_only_the_bins_that_knock_over_count():
    cell = (slice(None), slice(None), slice(None), 2, 0)
    only = made_up(share=1.0, only=cell)
    law = shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": only})
    aim = aim_law(weapon("bow"), HERE, [foot(24)], 0, IMPACT_BINS)
    assert law.knocked.share[0] == pytest.approx(aim.shares[0, :, 2, 0])
    assert 0 < law.knocked.share[0, 0] < aim.by_phase[0, 0]


def test_the_side_that_faces_the_shooter_decides():
    rear = made_up(share=1.0, only=(2,))
    for facing_deg, share in ((180.0, 0.0), (0.0, 1.0)):
        law = shot_law(weapon("bow"), HERE, [foot(24, 0.0, facing_deg)], 0, {"foot": rear})
        assert law.knocked_by(0).share == pytest.approx(share * law.aim.hit[0])


def test_a_law_of_another_weapon_or_body_is_refused():
    with pytest.raises(InvalidValueError, match="round_1x1"):
        shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up("round_1x1")})
    with pytest.raises(InvalidValueError, match="rider"):
        shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up(body="rider")})


def test_a_live_shot_is_the_same_by_seed():
    first, again, other = (live_shot(weapon("bow"), foot(6), 5, n) for n in (0, 0, 1))
    assert first == again
    assert first != other
    assert first.hit
    assert 0 < first.height_mm < 45
    assert abs(first.aside_mm) < 16
    assert first.speed_m_s == pytest.approx(8.0, rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "inches", "body"),
    [("bow", 18, "foot"), ("small_catapult", 18, "foot"), ("big_catapult", 20, "dog")],
)
def test_live_shots_hit_as_often_as_the_law_says(name, inches, body):
    # the big stone often touches the table beside the dog, and hits it after that bounce
    count, one = 250, Standing(target(body), inches * INCH, 0.0, 90.0)
    shots = [live_shot(weapon(name), one, 3, n) for n in range(count)]
    law = aim_law(weapon(name), HERE, [one], 0)
    hit = law.hit[0]
    # a cylinder meets the figure a little more or less often than the ball of its mean size
    spare = 0.0 if name == "bow" else 0.03
    error = 4 * np.sqrt(hit * (1 - hit) / count) + spare
    assert abs(np.mean([shot.hit for shot in shots]) - hit) < error
