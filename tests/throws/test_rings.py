"""Which bodies are bodies of revolution, and their rests against closed forms and against the polyhedron."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.shapes.body import Body, Face
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.faces import face_map
from brickphys.throws.rings import rings_of


def turned_body(profile, facets=24, named=True):
    """Return a body with the corners of a lathe, (z, radius) for each ring, about z = 0."""
    turn = 2 * np.pi * np.arange(facets) / facets
    corners = [
        corner
        for z, radius in profile
        for corner in (
            [(0.0, 0.0, z)]
            if radius == 0
            else [(radius * np.cos(t), radius * np.sin(t), z) for t in turn]
        )
    ]
    ends = (Face("bottom", (0.0, 0.0, -1.0)), Face("top", (0.0, 0.0, 1.0)))
    middle = turn + np.pi / facets
    sides = tuple(
        Face("rim" if named else f"rim{k}", (float(np.cos(t)), float(np.sin(t)), 0.0))
        for k, t in enumerate(middle)
    )
    inertia = (40.0, 40.0, 50.0)
    return Body("lathe", 1.0, 1000.0, inertia, np.array(corners), (*ends, *sides), 5.0)


@pytest.mark.parametrize("radius", [0.0, 0.35])
def test_a_coin_is_two_rings_with_the_barriers_of_its_closed_form(radius):
    found = rings_of(parse_shape("coin:20x7.08", edge_radius_mm=radius))
    reach = np.hypot(10 - radius, 3.54 - radius) + radius
    assert found.z_mm == pytest.approx([radius - 3.54, 3.54 - radius])
    assert found.radius_mm == pytest.approx(10 - radius)
    assert found.rest_mm == pytest.approx([3.54, 10.0, 3.54])
    assert found.barrier_mm == pytest.approx(reach)
    assert found.pose.tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    "profile",
    [
        [(-3, 10), (3, 10)],
        [(-3, 10), (4, 6)],
        [(-3, 10), (9, 0)],
        [(-4, 5), (-3, 7), (0, 8), (3, 7), (4, 5)],
        [(-6, 0), (-5, 6), (5, 6), (6, 0)],
    ],
)
def test_rests_are_those_of_a_fine_polyhedron(profile):
    body = turned_body(profile, facets=180)
    found, faces = rings_of(body), face_map(body)
    tilt = np.arccos(-np.concatenate([[-1.0], found.pass_sink, [1.0]]))
    for k, rest_mm in enumerate(found.rest_mm):
        tilts = np.linspace(tilt[k], tilt[k + 1], 2001)
        down = np.stack([np.sin(tilts), 0 * tilts, -np.cos(tilts)], axis=1)
        heights = (down @ body.vertices_mm.T).max(axis=1)
        assert heights.min() == pytest.approx(rest_mm, abs=0.01)
        least = faces.decide(down[[heights.argmin()]])
        assert least.pose_index == found.pose[k]
        assert least.barrier_height_mm == pytest.approx(found.barrier_mm[k], abs=0.01)


def test_few_facets_corners_beside_the_circle_and_poses_of_single_facets_make_a_polygon():
    profile = [(-3, 10), (3, 10)]
    assert rings_of(turned_body(profile, facets=12)) is not None
    assert rings_of(turned_body(profile, facets=11)) is None
    assert rings_of(turned_body(profile, named=False)) is None
    body = turned_body(profile)
    aside = body.vertices_mm + np.array([0.5, 0.0, 0.0])
    assert rings_of(replace(body, vertices_mm=aside)) is None
    assert rings_of(replace(body, inertia_g_mm2=(40.0, 45.0, 50.0))) is None
    for shape in ("2x2", "1x1", "plate:1x1", "d6:16", "cuboid:10x10x20"):
        assert rings_of(parse_shape(shape)) is None
