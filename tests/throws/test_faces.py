"""Oracles: closed forms, trimesh's stable poses, and flooding of a densely sampled sphere."""

from math import hypot, pi, sqrt

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body, Face
from brickphys.shapes.brick import BrickDimensions, brick
from brickphys.shapes.catalogue import SHAPE_EXAMPLES, parse_shape
from brickphys.shapes.export import MODELLED
from brickphys.throws.faces import LEANING, face_map, solid_angles
from tests.cases import examples

seeds = st.integers(0, 2**32 - 1)
edges = st.floats(1.0, 100.0)


def body_of(vertices, faces=(), name="a test body"):
    return Body(name, 1.0, 1.0, (1.0, 1.0, 1.0), np.asarray(vertices, float), tuple(faces), 0.0)


def random_body(seed, corners=12):
    """A random convex body about its centroid of corners, with a name for every facet."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(corners, 3)) * rng.uniform(0.5, 2.0, 3)
    body = body_of(points - points.mean(axis=0))
    normals = face_map(body, shallow=0.0).hull.normals
    return body_of(body.vertices_mm, [Face(f"f{i}", tuple(n)) for i, n in enumerate(normals)])


def directions(rng, count):
    down = rng.normal(size=(count, 3))
    return down / np.linalg.norm(down, axis=1, keepdims=True)


def rests(body):
    return {rest.pose: rest for rest in face_map(body).rests}


@given(edges, edges, edges)
def test_cuboid_matches_its_closed_form(a, b, c):
    assume(min(abs(a - b), abs(a - c), abs(b - c)) > 1e-3)
    found = rests(parse_shape(f"cuboid:{a!r}x{b!r}x{c!r}"))
    size = {"x": a / 2, "y": b / 2, "z": c / 2}
    assert sum(rest.solid_angle_share for rest in found.values()) == pytest.approx(1.0)
    for pose, rest in found.items():
        height = size[pose]
        p, q = (half for axis, half in size.items() if axis != pose)
        assert rest.faces == 2
        assert rest.rest_height_mm == pytest.approx(height)
        assert rest.barrier_mm == pytest.approx(hypot(height, min(p, q)) - height)
        seen = 4 * np.arctan(p * q / (height * sqrt(p * p + q * q + height * height)))
        assert rest.solid_angle_share == pytest.approx(2 * seen / (4 * pi))


@given(edges, edges, edges, st.floats(0.05, 0.95))
def test_rounded_cuboid_matches_its_closed_form(a, b, c, share):
    """The core is a smaller cuboid; its heights and barriers are raised by the radius."""
    assume(min(abs(a - b), abs(a - c), abs(b - c)) > 1e-3)
    radius = share * min(a, b, c) / 2
    found = rests(parse_shape(f"cuboid:{a!r}x{b!r}x{c!r}", edge_radius_mm=radius))
    core = {"x": a / 2 - radius, "y": b / 2 - radius, "z": c / 2 - radius}
    for pose, rest in found.items():
        height = core[pose]
        nearest = min(half for axis, half in core.items() if axis != pose)
        assert rest.faces == 2
        assert rest.rest_height_mm == pytest.approx(height + radius)
        assert rest.barrier_mm == pytest.approx(hypot(height, nearest) - height)


@pytest.mark.parametrize("radius", [0.1, 0.35, 3.0])
def test_rounded_coin_matches_its_closed_form(radius):
    found = rests(parse_shape("coin:20x7.08", edge_radius_mm=radius))
    over_the_rim = hypot(10 - radius, 3.54 - radius) + radius
    for pose, height in (("heads", 3.54), ("tails", 3.54), ("edge", 10.0)):
        assert found[pose].faces == 1
        assert found[pose].rest_height_mm == pytest.approx(height, abs=3e-3)
        assert found[pose].barrier_mm == pytest.approx(over_the_rim - height, abs=3e-3)


@pytest.mark.parametrize("radius", [0.1, 0.3])
def test_rounded_2x2_leaves_its_side_over_the_rim(radius):
    body = brick(2, 2, edge_radius_mm=radius)
    side = rests(body)["side"]
    over_the_rim = hypot(7.9 - radius, 9.6 - radius - body.centre_of_mass_mm) + radius
    assert side.faces == 4
    assert side.rest_height_mm == pytest.approx(7.9)
    assert side.barrier_mm == pytest.approx(over_the_rim - 7.9)


def test_every_number_of_a_die_has_one_sixth():
    found = face_map(parse_shape("d6:16")).rests
    assert [rest.pose for rest in found] == list("123456")
    for rest in found:
        assert rest.faces == 1
        assert rest.solid_angle_share == pytest.approx(1 / 6)
        assert rest.barrier_mm == pytest.approx(8 * (sqrt(2) - 1))


@pytest.mark.parametrize(("diameter", "thickness"), [(24, 2), (20, 7.08), (30, 30), (200, 5)])
def test_coin_matches_its_closed_form(diameter, thickness):
    found = rests(parse_shape(f"coin:{diameter}x{thickness}:r0"))
    radius, half = diameter / 2, thickness / 2
    ridge = hypot(radius, half)
    ripple = 3e-4 * radius  # the polygon's facets lie this much inside the circle
    for pose, height in (("heads", half), ("tails", half), ("edge", radius)):
        assert found[pose].faces == 1
        assert found[pose].rest_height_mm == pytest.approx(height, abs=ripple)
        assert found[pose].barrier_mm == pytest.approx(ridge - height, abs=ripple)
    share = half / ridge  # a spherical zone
    assert found["edge"].solid_angle_share == pytest.approx(share, rel=2e-3)
    assert found["heads"].solid_angle_share == pytest.approx((1 - share) / 2, rel=2e-3)


def test_2x2_rests_on_six_faces():
    found = rests(brick(2, 2, edge_radius_mm=0.0))
    assert {pose: rest.faces for pose, rest in found.items()} == {
        "studs_up": 1,
        "studs_down": 1,
        "side": 4,
    }
    over_the_rim = 9.6 - brick(2, 2, edge_radius_mm=0.0).centre_of_mass_mm
    assert found["side"].barrier_mm == pytest.approx(hypot(7.9, over_the_rim) - 7.9)
    assert found["side"].rest_height_mm == pytest.approx(7.9)


@pytest.mark.parametrize(("diameter", "height", "critical"), [(4.9, 1.8, 6.2), (4.8, 1.7, 5.65)])
def test_bevel_holds_only_below_a_critical_height_of_the_centre_of_mass(diameter, height, critical):
    body = brick(2, 2, BrickDimensions(stud_diameter_mm=diameter, stud_height_mm=height), 0.0)
    on_floor = body.vertices_mm + np.array([0, 0, body.centre_of_mass_mm])

    def leans(centre_of_mass_mm):
        moved = body_of(on_floor - [0, 0, centre_of_mass_mm], body.faces)
        return LEANING in {rest.pose for rest in face_map(moved, shallow=0.0).rests}

    low, high = 5.0, 7.0
    assert leans(low)
    assert not leans(high)
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if leans(middle) else (low, middle)
    assert low == pytest.approx(critical, abs=0.1)
    rim = 4 + diameter / 2  # there the foot of the centre of mass slips over the rim of the studs
    assert low == pytest.approx(9.6 + height - rim * (7.9 - rim) / height, abs=2e-3)


def test_leaning_is_listed_where_it_is_stable():
    body = brick(2, 2, BrickDimensions(stud_diameter_mm=4.9, stud_height_mm=1.8), 0.0)
    leaning = rests(body)[LEANING]
    assert leaning.faces == 4
    assert leaning.rest_height_mm > rests(body)["side"].rest_height_mm
    assert LEANING not in rests(brick(2, 2))


def test_dimples_of_a_polygon_are_no_rests():
    assert LEANING in {rest.pose for rest in face_map(brick(1, 1), shallow=0.0).rests}
    assert LEANING not in rests(brick(1, 1))


@pytest.mark.parametrize("name", [*MODELLED, *SHAPE_EXAMPLES])
def test_rests_of_every_shape_are_sound(name):
    body = parse_shape(name)
    found = face_map(body).rests
    assert sum(rest.solid_angle_share for rest in found) == pytest.approx(1.0)
    assert all(rest.barrier_mm > 0 for rest in found)
    assert [rest.pose for rest in found if rest.pose != LEANING] == list(body.poses)


def trimesh_shares(body):
    """Return the share of each pose by trimesh, which knows triangles and normals only."""
    mesh = trimesh.convex.convex_hull(body.vertices_mm)
    frames, shares = trimesh.poses.compute_stable_poses(mesh, center_mass=np.zeros(3))
    normals = np.array([face.normal for face in body.faces])
    found = dict.fromkeys(body.poses, 0.0)
    for frame, share in zip(frames, shares, strict=True):
        found[body.faces[int((normals @ -frame[2, :3]).argmax())].pose] += share
    return {pose: share for pose, share in found.items() if share > 0}


def topples_one_way(body):
    """Tell whether the foot of the centre of mass lies beyond at most one edge of each facet."""
    hull = face_map(body, shallow=0.0).hull
    for ring, normal in zip(hull.rings, hull.normals, strict=True):
        corners = hull.corners_mm[ring]
        outward = np.cross(np.roll(corners, -1, axis=0) - corners, normal)
        if (np.einsum("ni,ni->n", -corners, outward) > 0).sum() > 1:
            return False
    return True


def test_shares_match_trimesh_where_every_topple_has_one_way():
    bodies = [random_body(seed, corners) for seed in range(13) for corners in (6, 7, 8)]
    comparable = [body for body in bodies if topples_one_way(body)]
    assert len(comparable) >= 5
    for body in comparable:
        shares = {rest.pose: rest.solid_angle_share for rest in face_map(body, shallow=0.0).rests}
        assert shares == pytest.approx(trimesh_shares(body), abs=1e-6)


@pytest.mark.parametrize("name", ["2x2", "2x4", "plate:2x2", "d6:16", "cuboid:10x11x20"])
def test_shares_of_shapes_match_trimesh(name):
    body = parse_shape(name)
    shift = np.array([0.011, 0.017, 0.013])  # trimesh cannot break the ties of a symmetric body
    moved = body_of(body.vertices_mm - shift, body.faces)
    shares = {rest.pose: rest.solid_angle_share for rest in face_map(moved).rests}
    assert shares == pytest.approx(trimesh_shares(moved), abs=1e-6)


@given(seeds)
@settings(max_examples=40)
def test_rests_do_not_depend_on_the_frame_or_the_order_of_corners(seed):
    body = random_body(seed)
    rng = np.random.default_rng(seed)
    turn = Rotation.random(rng=rng)
    turned = body_of(
        turn.apply(rng.permutation(body.vertices_mm)),
        [Face(face.pose, tuple(turn.apply(face.normal))) for face in body.faces],
    )
    for one, other in zip(face_map(body).rests, face_map(turned).rests, strict=True):
        assert one.pose == other.pose
        assert one.faces == other.faces
        assert one.rest_height_mm == pytest.approx(other.rest_height_mm)
        assert one.barrier_mm == pytest.approx(other.barrier_mm, abs=1e-9)
        assert one.solid_angle_share == pytest.approx(other.solid_angle_share)


@given(seeds, st.floats(0.01, 100.0))
@settings(max_examples=40)
def test_rests_scale_with_the_body(seed, scale):
    body = random_body(seed)
    larger = body_of(body.vertices_mm * scale, body.faces)
    for one, other in zip(face_map(body).rests, face_map(larger).rests, strict=True):
        assert (one.pose, one.faces) == (other.pose, other.faces)
        assert one.rest_height_mm * scale == pytest.approx(other.rest_height_mm)
        assert one.barrier_mm * scale == pytest.approx(other.barrier_mm)
        assert one.solid_angle_share == pytest.approx(other.solid_angle_share)


@given(seeds)
@settings(max_examples=40)
def test_a_rest_is_lower_than_everything_near_it(seed):
    body = random_body(seed)
    faces = face_map(body, shallow=0.0)
    rng = np.random.default_rng(seed)
    for rest in faces.rests:
        normal = np.array(body.faces[faces.poses.index(rest.pose)].normal)
        near = normal + 1e-4 * rng.normal(size=(50, 3))
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        heights = (near @ body.vertices_mm.T).max(axis=1)
        assert heights.min() >= rest.rest_height_mm - 1e-9
        assert rest.barrier_mm > 0


class Flood:
    """Sublevel sets of the height on a dense graph on the sphere: the brute-force oracle.

    The nodes are random directions, and samples of every great arc between the normals of neighbouring facets, the
    valleys of the height. Between two nodes the height exceeds neither of them by more than `slack`: it is convex along
    the chord, which is at most longest**2 / 8 below the sphere.
    """

    def __init__(self, body, rng, count=5_000, samples=100):
        hull = face_map(body, shallow=0.0).hull
        turns = np.linspace(0, 1, samples)[:, None]
        arcs = [(1 - turns) * hull.normals[f] + turns * hull.normals[g] for *_, f, g in hull.edges]
        self.points = np.vstack([directions(rng, count), hull.normals, *arcs])
        self.points /= np.linalg.norm(self.points, axis=1, keepdims=True)
        self.heights = (self.points @ body.vertices_mm.T).max(axis=1)
        first = count + len(hull.normals) + samples * np.arange(len(arcs))
        along = first[:, None] + np.arange(samples - 1)
        paths = [np.column_stack([along.ravel(), along.ravel() + 1])]
        for side, at in ((2, 0), (3, samples - 1)):
            paths.append(np.column_stack([count + hull.edges[:, side], first + at]))
        triangles = ConvexHull(self.points).simplices
        sides = [triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]
        self.pairs = np.vstack([*paths, *sides])
        longest = np.linalg.norm(np.diff(self.points[self.pairs], axis=1)[:, 0], axis=1).max()
        self.slack = body.radius_mm * longest**2 / 8 * 1.1

    def components(self, level):
        """Label the nodes: same label, same component of what lies below the level."""
        below = (self.heights[self.pairs] <= level).all(axis=1)
        first, second = self.pairs[below].T
        count = len(self.points)
        graph = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
        return connected_components(graph, directed=False)[1]


@given(seeds)
@settings(max_examples=examples(0.24))
def test_basins_agree_with_flooding_a_sampled_sphere(seed):
    body = random_body(seed)
    faces, flood = face_map(body, shallow=0.0), Flood(body, np.random.default_rng(seed))
    decision = faces.decide(flood.points)
    for barrier in np.unique(decision.barrier_height_mm):
        mine = decision.barrier_height_mm == barrier
        label = flood.components(barrier - flood.slack)
        for component in np.unique(label[mine & (flood.heights < barrier - flood.slack)]):
            # below the barrier, whatever is connected has one pose
            assert len(np.unique(decision.pose_index[label == component])) == 1
        label = flood.components(barrier + flood.slack)
        for component in np.unique(label[mine & (flood.heights < barrier)]):
            # a little above it, another pose is connected
            assert len(np.unique(decision.pose_index[label == component])) > 1


def highest_on_arc(body, start, end):
    """Return the largest height on the great arcs between directions (n, 3): that of a corner is a sinusoid."""
    across = end - (start * end).sum(axis=1, keepdims=True) * start
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    x, y = start @ body.vertices_mm.T, across @ body.vertices_mm.T
    length = np.arctan2((across * end).sum(axis=1), (start * end).sum(axis=1))
    crest = np.arctan2(y, x)
    passed = (crest >= 0) & (crest <= length[:, None])
    ends = np.maximum(x, end @ body.vertices_mm.T)
    return np.where(passed, np.hypot(x, y), ends).max(axis=1)


@given(seeds)
@settings(max_examples=examples(0.24))
def test_going_down_by_small_random_steps_ends_in_the_basin_that_was_decided(seed):
    """From below its barrier no dissipative motion, however random, can end in another pose."""
    body = random_body(seed)
    rng = np.random.default_rng(seed)
    faces = face_map(body, shallow=0.0)
    down = directions(rng, 200)
    decision = faces.decide(down)
    heights = (down @ body.vertices_mm.T).max(axis=1)
    decided = heights < decision.barrier_height_mm
    step = 0.1
    for _ in range(400):
        tried = down + step * rng.normal(size=down.shape)
        tried /= np.linalg.norm(tried, axis=1, keepdims=True)
        level = (tried @ body.vertices_mm.T).max(axis=1)
        # a step must not jump over a ridge: the great arc stays below the level that the motion has
        on_the_way = highest_on_arc(body, down, tried)
        accept = (level < heights) & (on_the_way <= heights + 1e-12)
        down, heights = (np.where(accept[:, None], tried, down), np.where(accept, level, heights))
        step *= 0.985
    assert np.array_equal(faces.decide(down).pose_index[decided], decision.pose_index[decided])


@given(seeds)
def test_decisions_lie_between_rest_and_barrier(seed):
    body = random_body(seed)
    faces = face_map(body)
    down = directions(np.random.default_rng(seed), 100)
    decision = faces.decide(down)
    assert (decision.rest_height_mm < decision.barrier_height_mm).all()
    assert (decision.rest_height_mm <= (down @ body.vertices_mm.T).max(axis=1) + 1e-12).all()
    rested = {rest.pose for rest in faces.rests}
    assert {faces.poses[index] for index in decision.pose_index} <= rested


def test_facets_of_a_coins_rim_are_one_basin():
    body = parse_shape("coin:24x2")
    faces = face_map(body)
    turn = np.linspace(0, 2 * pi, 1000)
    down = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(1000)])
    decision = faces.decide(down)
    assert {faces.poses[index] for index in decision.pose_index} == {"edge"}
    assert np.ptp(decision.barrier_height_mm) < 1e-9
    assert (faces.pose_at_rest(down, 2.0) == faces.poses.index("edge")).all()


def test_pose_at_rest_is_leaning_beyond_the_tolerance():
    faces = face_map(brick(2, 2))
    tilt = np.radians([0.0, 0.9, 1.1, 45.0, 89.5])
    down = np.column_stack([np.sin(tilt), np.zeros(5), -np.cos(tilt)])
    found = [faces.poses[index] for index in faces.pose_at_rest(down, 1.0)]
    assert found == ["studs_up", "studs_up", LEANING, LEANING, "side"]


def test_solid_angles_fill_the_sphere():
    for name in ("2x2", "d6:16", "coin:24x2"):
        assert solid_angles(face_map(parse_shape(name)).hull).sum() == pytest.approx(4 * pi)


def test_a_body_with_one_pose_never_leaves_it():
    tetrahedron = body_of([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
    (rest,) = face_map(tetrahedron).rests
    assert (rest.pose, rest.faces, rest.barrier_mm) == (LEANING, 4, np.inf)


@pytest.mark.parametrize("shift", [1.0, 1.5, 100.0])
def test_centre_of_mass_must_be_inside_the_hull(shift):
    corners = parse_shape("cuboid:2x2x2").vertices_mm + np.array([shift, 0, 0])
    with pytest.raises(InvalidValueError, match="not inside the convex hull"):
        face_map(body_of(corners))


def test_flat_bodies_are_refused():
    with pytest.raises(InvalidValueError, match="flat or too few"):
        face_map(body_of([(1, 1, 0), (1, -1, 0), (-1, 1, 0), (-1, -1, 0)]))
