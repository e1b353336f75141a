"""What ships reach by poses alone: rounding does not decide what hulls side by side can do."""

import numpy as np
import pytest

from brickphys.pirate_wars.helm import reach_kernel
from tests.plain_kernels import plain

HULL = np.array([[8.0, 0.0], [3.0, 2.0], [-8.0, 2.0], [-8.0, -2.0], [3.0, -2.0]])
WALL = np.array([[0.0, -30.0], [0.0, 30.0], [-4.0, 30.0], [-4.0, -30.0]])


@pytest.mark.parametrize("rounding_studs", [-1e-11, 0.0, 1e-11])
def test_who_lies_side_by_side_leaves_freely_and_is_stopped_at_once_on_the_way_in(rounding_studs):
    touch, rng = plain(reach_kernel)._touch, np.random.default_rng(7)
    for heading, bearing in rng.uniform(0.0, 2.0 * np.pi, (200, 2)):
        c, s = np.cos(heading), np.sin(heading)
        hull = HULL @ np.array([[c, s], [-s, c]])
        hull[:, 0] += rounding_studs - hull[:, 0].min()
        way = float(np.cos(bearing)), float(np.sin(bearing))
        far, _ = touch(hull, WALL, *way, 5.0)
        assert far > 5.0 if way[0] > 0.0 else far < 1e-6
