"""Poses: points and polygons of a frame on the field, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.polygon import rectangle
from brickphys.geometry.pose import Pose

STUDS = st.floats(-300, 300)
POSES = st.builds(Pose, STUDS, STUDS, st.floats(-720, 720))


@given(POSES, STUDS, STUDS)
def test_a_point_comes_back_into_the_frame(pose, ahead, left):
    assert pose.in_frame(pose.on_field((ahead, left))) == pytest.approx((ahead, left), abs=1e-9)


@given(POSES)
def test_a_polygon_is_placed_as_its_corners_and_as_it_is_turned_and_moved(pose):
    shape = rectangle(2.0, 1.0, 30.0, 8.0, 3.0)
    placed = pose.placed(shape).vertices_studs
    corners = [pose.on_field((x, y)) for x, y in shape.vertices_studs.tolist()]
    turned = shape.turned((0.0, 0.0), pose.heading_deg).moved(pose.centre_studs)
    assert np.allclose(placed, corners, rtol=0, atol=1e-9)
    assert np.allclose(placed, turned.vertices_studs, rtol=0, atol=1e-9)
