"""Standing bodies: the barrier against tipping, energies, and which side of the edge a body is on."""

import numpy as np
import pytest

from brickphys.engines.shot_world import StandingBody
from brickphys.shapes.body import Part
from brickphys.shapes.solids import box, compose, cylinder
from brickphys.throws.flight import States, multiply, rotate, turn

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def tower(shift_mm: float = 0.0) -> StandingBody:
    """A box of 8 x 16 x 30 mm under a drum off its middle."""
    parts = (Part((0, 0, 15), (8, 16, 30)), Part((shift_mm, 1, 34), (6, 6, 8), is_round=True))
    mass = compose([box((0, 0, 15), (8, 16, 30)), cylinder((shift_mm, 1, 34), 6, 8)], 1.0)
    return StandingBody(parts, mass, CORNERS * np.array([4, 8]))


def leaning(body: StandingBody, way: float, angles: np.ndarray) -> States:
    """The body at rest, leaning by angles towards an azimuth, with its lowest corner on the table."""
    axis = np.array([-np.sin(way), np.cos(way), 0.0])
    turned = turn(angles[:, None] * axis)
    lowest = rotate(turned[:, None], body.corners_mm)[..., 2].min(axis=1)
    place = np.column_stack([np.zeros((len(angles), 2)), -lowest])
    rest = np.zeros_like(place)
    return States(place, multiply(turned, np.broadcast_to(body.axes[1], turned.shape)), rest, rest)


@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_barrier_is_the_lowest_pass_of_all_directions(shift):
    body, angles = tower(shift), np.radians(np.linspace(0, 45, 451))
    peaks = [
        body.energy_mm(leaning(body, way, angles)).max()
        for way in np.radians(np.arange(0, 360, 2.0))
    ]
    assert min(peaks) == pytest.approx(body.barrier_mm, abs=2e-4)


def test_a_body_is_upright_until_its_centre_passes_the_edge():
    body = tower()
    x, _, height = body.mass.centre_mm
    over = np.arctan2(4 - x, height)
    angles = np.array([0.0, 0.5, 0.99, 1.01, 2.0, 0.5 * np.pi / over])
    assert body.upright(leaning(body, 0.0, over * angles)).tolist() == [True] * 3 + [False] * 3


def test_energy_is_height_plus_motion_and_sinking_takes_none():
    body = tower()
    rest = body.start.map(lambda array: np.tile(array, (3, 1)))
    position = rest.position_mm - [[0, 0, 0], [0, 0, 0.2], [0, 0, 0]]
    velocity = np.array([[0.0, 0, 0], [0, 0, 0], [0.6, 0, 0.8]])
    energy = body.energy_mm(States(position, rest.quaternion, velocity, rest.spin_rad_s))
    still = body.mass.centre_mm[2]
    assert energy == pytest.approx([still, still, still + 1000 / (2 * 9.81)])
