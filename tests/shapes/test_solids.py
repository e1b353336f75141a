"""Solids, hulls and meshes have the volumes and moments of closed forms."""

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull

from brickphys.errors import InvalidValueError
from brickphys.shapes import catalogue
from brickphys.shapes.brick import BRICK_DIMENSIONS, PLATE_1X1_DIMENSIONS
from brickphys.shapes.export import BRICKS_AND_PLATES
from brickphys.shapes.hull import convex_hull, groups, inner_corners
from brickphys.shapes.mesh import brick_mesh
from brickphys.shapes.solids import box, compose, cylinder, join
from brickphys.units import BRICK_MM, PLATE_MM
from tests.cases import few

length = st.floats(0.5, 20.0)
place = st.tuples(*[st.floats(-20.0, 20.0)] * 3)


@given(place, st.tuples(length, length, length), place, st.tuples(length, length, length))
def test_two_boxes_match_the_integrals_over_their_meshes(at, size, there, other):
    meshes = [
        trimesh.creation.box(extents, trimesh.transformations.translation_matrix(centre))
        for centre, extents in ((at, size), (there, other))
    ]
    union = trimesh.util.concatenate(meshes)
    total = compose([box(at, size), box(there, other)], 1000.0)
    assert total.volume_mm3 == pytest.approx(union.volume)
    assert np.allclose(total.centre_mm, union.center_mass, atol=1e-8)
    near = 1e-9 * np.trace(union.moment_inertia) + 1e-5
    assert np.allclose(total.inertia_g_mm2, union.moment_inertia, rtol=1e-7, atol=near)


@given(place, st.tuples(length, length, length), length, length)
def test_cutting_out_what_was_added_leaves_the_rest(at, size, diameter, height):
    alone = compose([box((1, 2, 3), (4, 5, 6))], 1.0)
    parts = [box((1, 2, 3), (4, 5, 6))]
    parts += [box(at, size), box(at, size, -1)]
    parts += [cylinder(at, diameter, height), cylinder(at, diameter, height, -1)]
    total = compose(parts, 1.0)
    assert total.mass_g == pytest.approx(alone.mass_g)
    assert np.allclose(total.inertia_g_mm2, alone.inertia_g_mm2, atol=1e-7)


def test_cylinder_has_its_textbook_inertia():
    total = compose([cylinder((5, 0, 0), 4.0, 6.0)], 1000.0)
    across, along = total.mass_g * (3 * 2**2 + 6**2) / 12, total.mass_g * 2**2 / 2
    assert np.allclose(total.inertia_g_mm2, np.diag([across, across, along]))


@given(place, st.tuples(length, length, length), place, length, length, st.sampled_from([0, 1, 2]))
def test_joined_parts_of_one_material_are_the_composed_whole(
    at, size, there, diameter, height, axis
):
    solids = [box(at, size), cylinder(there, diameter, height, axis=axis)]
    whole = compose(solids, 1.05)
    joined = join(compose([solid], 1.05) for solid in solids)
    assert joined.mass_g == pytest.approx(whole.mass_g)
    assert np.allclose(joined.centre_mm, whole.centre_mm)
    assert np.allclose(joined.inertia_g_mm2, whole.inertia_g_mm2, atol=1e-9)


def test_cuboid_has_its_textbook_mass_properties():
    body = catalogue.cuboid(2.0, 3.0, 4.0, density_g_cm3=1.0)
    assert body.mass_g == pytest.approx(0.024)
    assert body.inertia_g_mm2 == pytest.approx((0.05, 0.04, 0.026))
    assert body.poses == ("x", "y", "z")
    assert len(body.faces) == 6
    assert body.centre_of_mass_mm == 2.0


def test_coin_is_as_heavy_as_the_round_one_and_deviates_evenly():
    body = catalogue.coin(24.0, 2.0, density_g_cm3=1.0, edge_radius_mm=0.0)
    assert body.mass_g == pytest.approx(np.pi * 0.288)
    assert body.poses == ("heads", "tails", "edge")
    corner = np.linalg.norm(body.vertices_mm[0, :2])
    facet = corner * np.cos(2 * np.pi / len(body.vertices_mm))
    assert corner - 12.0 == pytest.approx(12.0 - facet)
    assert corner - 12.0 < 12.0 * 3e-4


def test_thinner_coins_have_rounder_rims_up_to_a_limit():
    for d, t, facets in ((24, 10, 96), (24, 2, 96), (24, 1, 192), (24, 0.5, 384), (500, 0.5, 480)):
        assert len(catalogue.coin(d, t, edge_radius_mm=0.0).vertices_mm) == 2 * facets


def test_opposite_faces_of_a_die_add_up_to_seven_and_the_pose_is_on_top():
    normals = {face.pose: np.array(face.normal) for face in catalogue.d6(16.0).faces}
    assert sorted(normals) == list("123456")
    for one, other in catalogue.D6_NUMBERS:
        assert one + other == 7
        assert np.allclose(normals[str(one)], -normals[str(other)])
    assert normals["1"] @ [1, 0, 0] == -1  # the number 1 is on +x: that side is up when -x is down


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf"), 501.0, 0.4])
def test_sizes_without_trust_are_refused(bad):
    for make in (
        lambda: catalogue.cuboid(bad, 1, 1),
        lambda: catalogue.coin(1, bad),
        lambda: catalogue.d6(bad),
    ):
        with pytest.raises(InvalidValueError, match="outside"):
            make()


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_densities_are_refused(bad):
    with pytest.raises(InvalidValueError, match="density"):
        catalogue.d6(16.0, bad)


@pytest.mark.parametrize(
    "shape", ["cuboid:10x10.5x20", "cuboid:16x16x16:r0.6", "coin:20x2", "d6:16"]
)
def test_the_poses_of_a_solid_are_explained_by_their_names(shape):
    body = catalogue.parse_shape(shape)
    names, _, meaning = catalogue.pose_legend(body.name).partition(": ")
    assert meaning
    told = names.replace("1 to 6", "1, 2, 3, 4, 5, 6").split(", ")
    assert sorted(told) == sorted(body.poses)


def test_a_cuboid_names_its_edges_in_order_and_a_brick_needs_no_legend():
    assert "edge of 10, 10.5 or 20 mm" in catalogue.pose_legend(
        catalogue.cuboid(10.0, 10.5, 20.0).name
    )
    assert catalogue.pose_legend("2x2") == catalogue.pose_legend("bottle_cap") == ""


CUBE = np.array([(x, y, z) for x in (-1.0, 1) for y in (-1, 1) for z in (-1, 1)])


@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_points_inside_faces_and_edges_are_no_corners(seed, extra):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(4), extra)
    face = CUBE[CUBE[:, 0] == 1]
    points = np.vstack([CUBE, weights @ face, (CUBE[:1] + CUBE[1:2]) / 2, [[0, 0, 0]]])
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    hull = convex_hull(rng.permutation(points) @ rotation.T)
    assert (len(hull.corners_mm), len(hull.edges), len(hull.rings)) == (8, 12, 6)
    assert np.allclose(hull.offsets_mm, 1.0)


@given(st.integers(0, 2**32 - 1), st.integers(4, 30))
def test_rings_run_counter_clockwise_around_their_normals(seed, count):
    hull = convex_hull(np.random.default_rng(seed).normal(size=(count, 3)))
    for ring, normal, offset in zip(hull.rings, hull.normals, hull.offsets_mm, strict=True):
        corners = hull.corners_mm[ring]
        assert np.allclose(corners @ normal, offset)
        area = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0) / 2
        assert area @ normal > 0
    for a, b, f, g in hull.edges:
        ring = list(hull.rings[f])
        assert ring[(ring.index(a) + 1) % len(ring)] == b
        ring = list(hull.rings[g])
        assert ring[(ring.index(b) + 1) % len(ring)] == a


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        CUBE[:3],
        CUBE[CUBE[:, 0] == 1],
        np.zeros((8, 3)),
        CUBE * [1, 1, np.nan],
        CUBE[:, :2],
    ],
    ids=["none", "three", "flat", "one point", "nan", "plane"],
)
def test_what_is_no_body_is_refused(points):
    with pytest.raises(InvalidValueError):
        convex_hull(points)


def solids_of_files(rng):
    """Point clouds, frustums and lattices, rounded as files round them, and turned or not."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    angle = np.arange(21) * 2 * np.pi / 21
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(21)])
    lattice = np.array(np.meshgrid(*[np.linspace(-1, 1, 4)] * 3)).reshape(3, -1).T
    for points in (
        rng.normal(size=(60, 3)),
        np.vstack([circle * 1.3 + [0, 0, 0.8], circle]),
        lattice * rng.uniform(0.5, 2, 3),
    ):
        for turned in (points, points @ turn):
            scaled = 10 * (turned - turned.mean(axis=0))
            yield from (scaled.astype(np.float32).astype(float), scaled.round(3), scaled.round(5))


@pytest.mark.parametrize("seed", few(range(3)))
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5])
def test_an_inner_parallel_body_is_as_far_from_every_facet(seed, share):
    rounding = 2e-3  # of coordinates with three decimals, and of planes through them
    for points in solids_of_files(np.random.default_rng(seed)):
        outer = ConvexHull(points).equations
        distance = share * -outer[:, 3].max()
        inner = inner_corners(points, distance)
        depth = -(inner @ outer[:, :3].T + outer[:, 3])
        assert depth.min() > distance - rounding
        assert convex_hull(inner).offsets_mm.min() == pytest.approx(
            -outer[:, 3].max() - distance, abs=rounding
        )


def test_the_inner_parallel_body_of_a_box_is_a_box():
    inner = inner_corners(catalogue.parse_shape("cuboid:10x12x14").vertices_mm, 2.0)
    box = catalogue.parse_shape("cuboid:6x8x10").vertices_mm
    assert np.allclose(sorted(inner.tolist()), sorted(box.tolist()), atol=1e-12)


def test_a_body_of_exact_planes_leaves_out_what_only_rounding_lifts():
    cube = np.array([(x, y, z) for x in (-10, 10) for y in (-10, 10) for z in (-10, 10)])
    for lift, corners in ((0.0002, 8), (0.1, 9)):
        assert len(inner_corners(np.vstack([cube, [(0, 0, 10 + lift)]]))) == corners


def surface(name, segments=16):
    kind, _, size = name.rpartition(":")
    nx, ny = map(int, size.split("x"))
    dimensions = PLATE_1X1_DIMENSIONS if name == "plate:1x1" else BRICK_DIMENSIONS
    mesh = brick_mesh(nx, ny, PLATE_MM if kind else BRICK_MM, dimensions, segments)
    return trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)


@pytest.mark.parametrize("name", BRICKS_AND_PLATES)
def test_mesh_is_closed_and_weighs_what_the_closed_form_says(name):
    mesh, body = surface(name), catalogue.parse_shape(name, edge_radius_mm=0.0)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.body_count == 1
    assert mesh.volume == pytest.approx(body.volume_mm3, rel=1e-12)
    assert mesh.center_mass == pytest.approx([0, 0, body.centre_of_mass_mm], abs=1e-10)
    inertia = mesh.moment_inertia * body.mass_g / mesh.volume
    assert np.diag(inertia) == pytest.approx(body.inertia_g_mm2, rel=1e-5)
    assert np.abs(inertia - np.diag(np.diag(inertia))).max() < 1e-10 * inertia.max()


def test_inertia_of_the_mesh_converges_with_the_fourth_power_of_the_segments():
    exact = catalogue.parse_shape("2x3:r0").inertia_g_mm2
    errors = []
    for segments in (8, 16, 32):
        mesh = surface("2x3", segments)
        inertia = np.diag(mesh.moment_inertia) * 1.05e-3
        errors.append(np.abs(inertia / exact - 1).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.2)


def test_hull_of_the_mesh_is_the_body_that_touches_the_world():
    body = catalogue.parse_shape("2x4:r0")
    extents = surface("2x4").extents
    assert extents == pytest.approx(np.ptp(body.vertices_mm, axis=0))


@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39))))
def test_groups_are_the_connected_components_of_a_graph(number, pairs):
    first, second = (np.array(pairs, dtype=np.intp).reshape(-1, 2) % number).T
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(number, number))
    count, labels = connected_components(graph, directed=False)
    found, group = groups(number, first, second)
    assert (found, group.tolist()) == (count, labels.tolist())


def test_a_hull_is_kept_for_the_next_process_and_made_anew_if_its_file_is_damaged(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    points = np.random.default_rng(4).normal(size=(50, 3))
    made = convex_hull(points)
    (path,) = (tmp_path / "brickphys" / "hulls").iterdir()
    content = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("scipy.spatial.ConvexHull", None)
        assert np.array_equal(convex_hull(points).normals, made.normals)
    for damage in (b"", content[:-30], content.replace(b"arr_1", b"arr_9"), b"x" + content[9:]):
        path.write_bytes(damage)
        again = convex_hull(points)
        assert np.array_equal(again.normals, made.normals)
        assert np.array_equal(again.edges, made.edges)
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert np.array_equal(convex_hull(points).normals, made.normals)
