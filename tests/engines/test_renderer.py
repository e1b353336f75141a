import numpy as np
import pytest

from benchmarks.renderer import render_assembly
from brickphys.plots.camera import CameraView
from brickphys.shapes.assembly import assembly, assembly_names

SMALL = CameraView(width=80, height=60, samples=2)


@pytest.mark.parametrize("name", assembly_names())
def test_a_thing_fills_the_picture_and_leaves_a_margin(name):
    image = render_assembly(assembly(name), SMALL)
    assert image.shape == (60, 80, 3)
    drawn = (np.ptp(image.astype(int), axis=2) > 12) | (
        image.max(axis=2) < 120
    )  # no white, no shadow
    rows, columns = np.nonzero(drawn.any(axis=1))[0], np.nonzero(drawn.any(axis=0))[0]
    assert rows.min() >= 1
    assert rows.max() <= 58
    assert columns.min() >= 1
    assert columns.max() <= 78
    assert max(np.ptp(rows) / 60, np.ptp(columns) / 80) > 0.6


def test_the_light_side_of_a_red_shirt_is_red_and_the_sky_is_white():
    image = render_assembly(assembly("minifig"), SMALL).astype(int)
    red, green, blue = np.moveaxis(image, 2, 0)
    assert ((red > 100) & (green < 60) & (blue < 60)).sum() > 20
    assert (image[0] == 255).all()


def test_a_thing_throws_a_shadow_on_white_ground():
    image = render_assembly(assembly("wall"), SMALL).astype(int)
    grey = (np.ptp(image, axis=2) == 0) & (image[..., 0] > 150) & (image[..., 0] < 250)
    assert grey.sum() > 10


def test_the_same_thing_gives_the_same_picture_and_another_side_another():
    front, again, rear = (
        render_assembly(assembly("jeep"), CameraView(azimuth, width=40, height=30, samples=1))
        for azimuth in (-35.0, -35.0, 145.0)
    )
    assert (front == again).all()
    assert (front != rear).any()
