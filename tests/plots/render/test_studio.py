"""The renderer: what hides what, where shadows fall, and that things that stand are drawn as if they moved."""

import numpy as np
import pytest

from brickphys.plots.camera import CameraView
from brickphys.plots.solid import board, joined, model, prism, thrown
from brickphys.plots.studio import LIGHT, Studio
from brickphys.shapes.catalogue import parse_shape

REST = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
SQUARE = np.array([(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)])
POINTS = np.array([(x, y, z) for x in (-40, 40) for y in (-40, 40) for z in (0, 30)], dtype=float)
TOP = CameraView(-90.0, 89.9, 2.0, 180, 180, samples=1)
FRONT = CameraView(-90.0, 0.0, 2.0, 180, 180, samples=1)
RED, BLUE, GREY = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.8, 0.8, 0.8)


def box(low, high, colour):
    below, above = (np.column_stack([SQUARE, np.full(4, z)]) for z in (low, high))
    return prism(np.vstack([below, above]), colour)


def at(*place, turn=(0.0, 0.0, 0.0, 1.0)):
    return np.array([*place, *turn])


def table():
    return board(np.full(2, -40.0), np.full(2, 40.0), 0.0, 5.0, 80.0, (GREY, GREY), GREY)


def pixels(image, colour):
    """Where a picture has the hue of a colour, rows and columns."""
    bright, dark = np.array(colour) > 0.5, np.array(colour) < 0.5
    return np.argwhere(
        (image[..., bright].min(axis=-1, initial=255) > 100)
        & (image[..., dark].max(axis=-1, initial=0) < 60)
    )


def test_the_nearer_thing_hides_the_farther_one_and_lengths_are_true():
    red, blue = box(0, 20, RED), box(0, 10, BLUE)
    studio = Studio(FRONT, POINTS, [], [red, blue])
    found = studio.picture(np.array([at(0, 20, 0), at(0, -20, 0)]))
    upper, lower = pixels(found, RED), pixels(found, BLUE)
    assert upper[:, 0].max() < lower[:, 0].min()
    width = np.ptp(lower[:, 1]) + 1
    assert np.ptp(lower[:, 0]) + 1 == pytest.approx(width, abs=2)
    hidden = studio.picture(np.array([at(0, -20, 0), at(0, 20, 0)]))
    assert len(pixels(hidden, BLUE)) == 0
    assert len(pixels(hidden, RED)) == pytest.approx(2 * width**2, rel=0.1)


def test_a_shadow_falls_where_the_light_says():
    plate, height = box(0, 0.5, RED), 20.0
    studio = Studio(TOP, POINTS, [table()], [plate])
    bare = studio.picture(np.array([at(0, 0, 200.0)])).astype(int)
    found = studio.picture(np.array([at(0, 0, height)])).astype(int)
    dark = np.argwhere((bare - found)[..., 1] > 15)
    dark = dark[[tuple(place) not in set(map(tuple, pixels(found, RED))) for place in dark]]
    red = pixels(found, RED)
    per_mm = (np.ptp(red[:, 1]) + 1) / 10.0
    shift = -height * LIGHT[:2] / LIGHT[2] * per_mm
    right, up = dark[:, 1].mean() - red[:, 1].mean(), red[:, 0].mean() - dark[:, 0].mean()
    assert (right, up) == pytest.approx(tuple(shift), abs=2.5)


def test_things_that_stand_are_drawn_as_those_that_move():
    tree, brick = model("tree"), thrown(parse_shape("2x2"), BLUE)
    turned = at(-15.0, 4.0, 12.0, turn=(0.5, 0.5, 0.5, 0.5))
    view = CameraView(-70.0, 35.0, 20.0, 160, 120, samples=1)
    stands = Studio(view, POINTS, [table(), tree], [brick]).picture(turned[None])
    moves = Studio(view, POINTS, [], [table(), tree, brick])
    assert np.array_equal(stands, moves.picture(np.array([REST, REST, turned])))
    assert len(np.unique(stands.reshape(-1, 3), axis=0)) > 20


def test_nothing_moves_the_next_picture():
    studio = Studio(TOP, POINTS, [table()], [box(0, 5, RED)])
    first = studio.picture(at(0, 0, 0)[None])
    studio.picture(at(20, 9, 3)[None])
    assert np.array_equal(studio.picture(at(0, 0, 0)[None]), first)


def test_what_is_behind_the_camera_is_not_seen():
    view = CameraView(-90.0, 10.0, 20.0, 60, 60, samples=1)
    far = board(np.full(2, -3000.0), np.full(2, 3000.0), 0.0, 5.0, 500.0, (GREY, GREY), GREY)
    shown = Studio(view, POINTS, [far], [box(0, 20, RED)]).picture(at(0, 0, 0)[None])
    assert len(pixels(shown, RED)) > 50


@pytest.mark.parametrize("name", ["2x2", "plate:1x4", "coin:24x2", "d6:16", "cuboid:10x20x30:r2"])
def test_thrown_bodies_are_as_large_as_they_are(name):
    body = parse_shape(name)
    solid = thrown(body, RED)
    reach = np.linalg.norm(solid.corners_mm.reshape(-1, 3), axis=1).max()
    assert reach == pytest.approx(body.radius_mm, rel=0.04)
    first, second, third = np.moveaxis(solid.corners_mm, 1, 0)
    volume = (np.cross(first, second) * third).sum() / 6.0
    assert volume > 0  # triangles look outwards


def test_solids_that_are_joined_keep_their_faces():
    red, blue = box(0, 1, RED), box(0, 2, BLUE)
    both = joined([red, blue])
    assert len(both.corners_mm) == len(both.colours) == 24
    assert np.array_equal(both.corners_mm[:12], red.corners_mm)
