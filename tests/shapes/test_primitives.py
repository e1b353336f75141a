import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import (
    D6_NUMBERS,
    coin,
    cuboid,
    d6,
    parse_shape,
    pose_legend,
    rim_facets,
)


def test_cuboid_has_its_textbook_mass_properties():
    body = cuboid(2.0, 3.0, 4.0, density_g_cm3=1.0)
    assert body.mass_g == pytest.approx(0.024)
    assert body.inertia_g_mm2 == pytest.approx((0.05, 0.04, 0.026))
    assert body.poses == ("x", "y", "z")
    assert len(body.faces) == 6
    assert body.centre_of_mass_mm == 2.0


def test_coin_is_as_heavy_as_the_round_one_and_deviates_evenly():
    body = coin(24.0, 2.0, density_g_cm3=1.0)
    assert body.mass_g == pytest.approx(np.pi * 0.288)
    assert body.poses == ("heads", "tails", "edge")
    corner = np.linalg.norm(body.vertices_mm[0, :2])
    facet = corner * np.cos(np.pi / rim_facets(24.0, 2.0))
    assert corner - 12.0 == pytest.approx(12.0 - facet)
    assert corner - 12.0 < 12.0 * 3e-4


def test_thinner_coins_have_rounder_rims_up_to_a_limit():
    assert [rim_facets(24.0, t) for t in (10.0, 2.0, 1.0, 0.5)] == [96, 96, 192, 384]
    assert rim_facets(500.0, 0.5) == 480


def test_opposite_faces_of_a_die_add_up_to_seven_and_the_pose_is_on_top():
    normals = {face.pose: np.array(face.normal) for face in d6(16.0).faces}
    assert sorted(normals) == list("123456")
    for one, other in D6_NUMBERS:
        assert one + other == 7
        assert np.allclose(normals[str(one)], -normals[str(other)])
    assert normals["1"] @ [1, 0, 0] == -1  # the number 1 is on +x: that side is up when -x is down


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf"), 501.0, 0.4])
def test_sizes_without_trust_are_refused(bad):
    for make in (lambda: cuboid(bad, 1, 1), lambda: coin(1, bad), lambda: d6(bad)):
        with pytest.raises(InvalidValueError, match="outside"):
            make()


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_densities_are_refused(bad):
    with pytest.raises(InvalidValueError, match="density"):
        d6(16.0, bad)


@pytest.mark.parametrize(
    "shape", ["cuboid:10x10.5x20", "cuboid:16x16x16:r0.6", "coin:20x2", "d6:16"]
)
def test_the_poses_of_a_solid_are_explained_by_their_names(shape):
    body = parse_shape(shape)
    names, _, meaning = pose_legend(body.name).partition(": ")
    assert meaning
    told = names.replace("1 to 6", "1, 2, 3, 4, 5, 6").split(", ")
    assert sorted(told) == sorted(body.poses)


def test_a_cuboid_names_its_edges_in_order_and_a_brick_needs_no_legend():
    assert "edge of 10, 10.5 or 20 mm" in pose_legend(cuboid(10.0, 10.5, 20.0).name)
    assert pose_legend("2x2") == pose_legend("bottle_cap") == ""
