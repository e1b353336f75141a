"""The functions of the aim kernel alone: paths against integrals, contacts against geometry and mechanics."""

from math import exp, hypot, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr

from brickphys.projectiles import aim_kernel
from brickphys.units import GRAVITY_M_S2
from tests.plain_kernels import plain

KERNEL = plain(aim_kernel)
GRAVITY = 1000.0 * GRAVITY_M_S2


@pytest.mark.parametrize("drag_per_mm", [0.0, 2e-4])
@pytest.mark.parametrize("way_mm", [0.0, 60.0, 250.0])
def test_a_path_in_air_has_the_height_slope_and_speed_of_quadratic_drag(way_mm, drag_per_mm):
    """The horizontal speed falls by the drag times the way, and gravity bends the path by g / speed2."""
    at, height, slope, speed = 100.0, 40.0, 0.3, 2500.0
    arc = np.array([at, height, slope, speed, drag_per_mm, 0.0])

    def bend(x):
        return GRAVITY / (speed * exp(-drag_per_mm * x)) ** 2

    found = KERNEL._passing(arc, at + way_mm, 500.0)
    rise = quad(lambda x: (way_mm - x) * bend(x), 0, way_mm)[0]
    assert found[0] == pytest.approx(height + slope * way_mm - rise, abs=1e-6)
    assert found[1] == pytest.approx(slope - quad(bend, 0, way_mm)[0], abs=1e-7)
    assert found[2] == pytest.approx(speed * exp(-drag_per_mm * way_mm), rel=1e-12)


def test_a_path_that_rolls_is_level_and_slows_down_to_rest():
    arc = np.array([100.0, 8.0, 0.3, 300.0, 0.0, KERNEL._ROLLED])
    assert KERNEL._passing(arc, 140.0, 500.0) == (8.0, 0.0, sqrt(300.0**2 - 2 * 500.0 * 40.0))
    assert KERNEL._passing(arc, 200.0, 500.0) == (8.0, 0.0, 0.0)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 0.02])
def test_the_table_of_the_normal_integral_is_right_within_1e_10(sigma):
    """In every cell, and constant beyond the azimuths that count."""
    edges = np.linspace(-KERNEL._WIDEST, KERNEL._WIDEST, KERNEL._CELLS + 1)
    places = np.concatenate([edges, edges[:-1] + 0.37 * KERNEL._STEP])
    found = [KERNEL._normal(sigma * place, sigma) for place in places.tolist()]
    assert found == pytest.approx(ndtr(places), abs=1e-10)
    for end in (-KERNEL._WIDEST, KERNEL._WIDEST):
        beyond = KERNEL._normal(sigma * 1.3 * end, sigma)
        assert beyond == pytest.approx(ndtr(end), abs=1e-14)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=9))
def test_covered_intervals_stay_disjoint_in_order_and_cover_what_was_added(added):
    covered, count, cells = np.full((len(added) + 1, 2), np.nan), 0, set()
    for low, length in added:
        count = KERNEL._cover(float(low), float(low + length), covered, count)
        cells |= set(range(low, low + length))
    assert [cell for low, high in covered[:count] for cell in range(int(low), int(high))] == sorted(
        cells
    )
    assert all(covered[k, 1] < covered[k + 1, 0] for k in range(count - 1))


@given(
    st.floats(1.0, 30.0),
    st.floats(0.0, 40.0),
    st.floats(1.0, 40.0),
    st.floats(-20.0, 90.0),
    st.floats(-2.0, 2.0),
)
def test_a_path_reaches_beyond_a_part_by_what_its_gap_leaves_of_the_radius(
    depth, bottom, high, height, slope
):
    """The gap is that of the tangent abreast of the middle of the part from the rectangle in the plane of flight."""
    radius, bend, top = 8.0, 1e-3, bottom + high
    box = np.array([100.0, 100.0 + depth, -5.0, 5.0, bottom, top, 0.0, 1.0])
    middle = 100.0 + depth / 2
    path = (80.0, height - slope * (middle - 80.0) + bend / 2 * (middle - 80.0) ** 2, slope, bend)
    assert KERNEL._height(path, middle) == pytest.approx(height)
    tangent = slope - bend * (middle - 80.0)
    beside = [
        (z - height - tangent * (x - middle)) / hypot(1.0, tangent)
        for x in box[:2].tolist()
        for z in (bottom, top)
    ]
    gap = 0.0 if min(beside) <= 0.0 <= max(beside) else min(map(abs, beside))
    found = KERNEL._reach(box, bottom, path, radius)
    if gap < radius:
        assert found**2 == pytest.approx(radius**2 - gap**2, abs=1e-6)
    else:
        assert found == -1.0
    assert KERNEL._reach(box, top, path, radius) == -1.0


@given(
    st.floats(1.0, 50.0),
    st.floats(0.0, 1.0),
    st.floats(1.0, 50.0),
    st.floats(-20.0, 20.0),
    st.floats(-20.0, 20.0),
)
def test_a_blow_keeps_the_momentum_and_parts_the_two_by_the_restitution(
    mass, restitution, struck, up, aside
):
    """Of the projectile, the body's motion, and its two spins; the point that is struck goes with all three."""
    middle, across, upright = 15.0, 900.0, 700.0
    body = np.array([500.0, 0.0, struck, middle, across, upright, 0.0, 0.0, 0.0])
    # Unknown: impulse, speed of the projectile, of the body, and the body's spins; it came with speed 1.
    equations = np.array(
        [
            [1.0, mass, 0.0, 0.0, 0.0],
            [-1.0, 0.0, struck, 0.0, 0.0],
            [-up, 0.0, 0.0, across, 0.0],
            [-aside, 0.0, 0.0, 0.0, upright],
            [0.0, -1.0, 1.0, up, aside],
        ]
    )
    speed = np.linalg.solve(equations, [mass, 0.0, 0.0, 0.0, restitution])[1]
    found = KERNEL._kept(mass, restitution, body, middle + up, aside)
    assert found == pytest.approx(max(speed, 0.0), abs=1e-9)
