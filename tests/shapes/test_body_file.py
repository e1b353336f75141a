"""Bodies of files: the mesh of a brick is the brick, and every fault is one line."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh

from brickphys.errors import InvalidValueError
from brickphys.notes import NOTES
from brickphys.shapes.assembly import assembly
from brickphys.shapes.body_file import of_document, parse_body_file, read_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.hull import convex_hull

MODELS = Path(__file__).parent.parent.parent / "models"
HEAD = 'name = "thing"\nsource = "a test"\nmesh = "thing.obj"\n'
BRICK = 'unit = "m"\nmass_g = 2.0\nscores = ["side"]\n'
POSES = """[poses]
studs_up = [[0, 0, -1]]
studs_down = [[0, 0, 1]]
side = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]
"""


@pytest.fixture
def written(tmp_path):
    """Write a body file and its mesh, and return the path of the first."""

    def write(text, mesh=None, name="thing.obj"):
        if mesh is not None:
            mesh.export(tmp_path / name)
        path = tmp_path / "thing.toml"
        path.write_text(text)
        return path

    return write


def test_a_text_is_read_as_a_file_is_and_asks_for_what_it_names(tmp_path, written):
    mesh = (MODELS / "2x2.obj").read_bytes()
    (tmp_path / "thing.obj").write_bytes(mesh)
    text = HEAD + BRICK + POSES
    asked = []

    def read(name, most):
        asked.append(name)
        return mesh

    found = parse_body_file(text.encode(), "typed.toml", read)
    filed = read_body_file(written(text))
    assert replace(found, files=()) == replace(filed, files=())
    assert [digest for _, digest in found.files] == [digest for _, digest in filed.files]
    assert asked == ["thing.obj"]


def box(*size):
    return trimesh.creation.box(size)


def test_the_mesh_of_a_brick_is_the_brick(tmp_path, written):
    (tmp_path / "thing.obj").write_bytes((MODELS / "2x2.obj").read_bytes())
    found = read_body_file(written(HEAD + BRICK + POSES)).body()
    brick = parse_shape("2x2:r0")
    assert (found.mass_g, found.poses, found.scoring) == (2.0, brick.poses, ("side",))
    assert found.volume_mm3 == pytest.approx(brick.volume_mm3, rel=1e-5)
    # circles are polygons of 16 corners and the same area
    inertia = np.array(brick.inertia_g_mm2) * 2.0 / brick.mass_g
    assert found.inertia_g_mm2 == pytest.approx(inertia, rel=1e-3)
    assert found.centre_of_mass_mm == pytest.approx(brick.centre_of_mass_mm, abs=1e-4)
    lowest, exact = (convex_hull(body.vertices_mm).offsets_mm for body in (found, brick))
    assert lowest.min() == pytest.approx(exact.min(), abs=1e-4)


@pytest.mark.parametrize("radius", [0.2, 1.0])
def test_a_rounded_mesh_of_a_die_is_the_rounded_die(written, radius):
    text = f"{HEAD}mass_g = 1.0\nedge_radius_mm = {radius}\n[poses]\nface = [[0, 0, 1]]\n"
    found = read_body_file(written(text, box(16, 16, 16))).body()
    die = parse_shape("d6:16", edge_radius_mm=radius)
    assert np.allclose(sorted(found.vertices_mm.tolist()), sorted(die.vertices_mm.tolist()))
    assert found.edge_radius_mm == radius


def test_a_turned_mesh_has_the_moments_of_the_straight_one(written):
    straight = box(6, 10, 16)
    turned = straight.copy()
    turned.apply_transform(trimesh.transformations.rotation_matrix(0.7, [1, 2, 3]))
    normal = turned.face_normals[0].tolist()
    text = f"{HEAD}density_g_cm3 = 1.2\n[poses]\nbroad = [{normal}]\n"
    found = read_body_file(written(text, turned)).body()
    assert found.mass_g == pytest.approx(1.2e-3 * 960)
    moments = found.mass_g / 12 * np.array([6**2 + 10**2, 6**2 + 16**2, 10**2 + 16**2])
    assert sorted(found.inertia_g_mm2) == pytest.approx(moments, rel=1e-5)
    hull = convex_hull(found.vertices_mm)
    assert np.abs(hull.normals).max(axis=1) == pytest.approx(np.ones(6), abs=1e-5)
    assert (hull.normals @ np.array(found.faces[0].normal)).max() == pytest.approx(1.0)


@pytest.mark.parametrize(("unit", "millimetres"), [("mm", 1), ("cm", 10), ("in", 25.4)])
def test_a_unit_scales_the_mesh(written, unit, millimetres):
    text = f'{HEAD}unit = "{unit}"\ndensity_g_cm3 = 1.0\nother_pose = "any"\n'
    found = read_body_file(written(text, box(1, 2, 3))).body()
    assert found.volume_mm3 == pytest.approx(6 * millimetres**3)


def test_an_stl_file_and_an_inside_out_mesh_are_the_same_body(written):
    text = f'{HEAD}mass_g = 1.0\nother_pose = "any"\n'
    first = read_body_file(written(text, box(10, 12, 14)))
    second = read_body_file(written(text.replace(".obj", ".stl"), box(10, 12, 14), "thing.stl"))
    inverted = box(10, 12, 14)
    inverted.invert()
    third = read_body_file(written(text, inverted))
    for other in (second, third):
        assert np.allclose(sorted(other.corners_mm), sorted(first.corners_mm), atol=1e-5)
        assert other.inertia_g_mm2 == pytest.approx(first.inertia_g_mm2, rel=1e-6)


def test_a_mesh_with_a_hollow_collides_as_its_hull(written, caplog):
    caplog.set_level("INFO", NOTES.name)
    text = f'{HEAD}mass_g = 1.0\nother_pose = "any"\n'
    ring = read_body_file(written(text, trimesh.creation.annulus(5, 10, 4, sections=32))).body()
    assert caplog.messages == ["thing is not convex: it collides as its convex hull"]
    disc = read_body_file(written(text, trimesh.creation.cylinder(10, 4, sections=32))).body()
    assert np.allclose(sorted(ring.vertices_mm.tolist()), sorted(disc.vertices_mm.tolist()))
    assert len(caplog.messages) == 1
    assert ring.inertia_g_mm2[2] > disc.inertia_g_mm2[2]


def test_stated_centre_and_moments_replace_those_of_the_mesh(written):
    text = f"{HEAD}mass_g = 1.0\ncentre_of_mass_mm = [0, 0, -4]\ninertia_g_mm2 = [20, 21, 22]\n"
    found = read_body_file(written(f'{text}other_pose = "any"\n', box(10, 10, 10))).body()
    assert found.inertia_g_mm2 == (20, 21, 22)
    assert found.centre_of_mass_mm == pytest.approx(1.0)
    assert convex_hull(found.vertices_mm).offsets_mm.min() == pytest.approx(1.0)


def test_facets_take_the_nearest_pose_within_the_angle(written):
    text = f'{HEAD}mass_g = 1.0\nwithin_deg = 40\nother_pose = "rim"\n'
    poses = "[poses]\ntop = [[0, 0, 1]]\nbottom = [[0, 0.2, -1]]\n"
    mesh = trimesh.creation.cylinder(10, 4, sections=24)
    body = read_body_file(written(text + poses, mesh)).body()
    counts = {pose: sum(face.pose == pose for face in body.faces) for pose in body.poses}
    assert counts == {"top": 1, "bottom": 1, "rim": 24}


def test_a_built_model_is_a_body(written):
    text = 'name = "own_jeep"\nsource = "a test"\nmodel = "jeep"\n[poses]\nwheels = [[0, 0, -1]]\n'
    found = read_body_file(written(text)).body()
    jeep = assembly("jeep")
    assert found.mass_g == pytest.approx(jeep.mass_g)
    height = np.ptp(found.vertices_mm[:, 2])
    assert height == pytest.approx(max(body.prism.top_plates for body in jeep.bodies) * 3.2, abs=2)
    heavier = read_body_file(written(text.replace("[poses]", "mass_g = 40.0\n[poses]"))).body()
    ratio = np.array(heavier.inertia_g_mm2) / found.inertia_g_mm2
    assert ratio == pytest.approx(np.full(3, 40 / jeep.mass_g))


def test_pieces_in_a_file_are_a_body(tmp_path, written):
    (tmp_path / "two.toml").write_text(
        'kind = "decor"\nabout = "two bricks"\n'
        'pieces = [{form = "brick", at = [0, 0, 0], size = [2, 2, 3], colour = "red", copies = [[0, 0, 3]]}]\n'
    )
    text = 'name = "tower"\nsource = "a test"\nmodel = "two.toml"\n[poses]\nup = [[0, 0, -1]]\n'
    found = read_body_file(written(text))
    assert found.mass_g == pytest.approx(2 * parse_shape("2x2:r0").mass_g)
    assert [name for name, _ in found.files] == [str(tmp_path / "thing.toml"), "two.toml"]


def test_the_value_of_a_body_file_survives_as_json(written):
    text = (
        f'{HEAD}mass_g = 1.0\nedge_radius_mm = [0.1, 0.5]\nother_pose = "any"\nscores = ["any"]\n'
    )
    found = read_body_file(written(text, box(10, 12, 14)))
    again = of_document(json.loads(json.dumps(found.document())))
    assert again == found
    assert hash(again) == hash(found)
    assert (found.usual_radius_mm, found.rounded(0.4).name) == (0.3, "thing:r0.4")
    assert found.rounded(0.4).body().edge_radius_mm == 0.4
    assert replace(found, name="other") != found


GOOD = f'{HEAD}mass_g = 1.0\nother_pose = "any"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD + "edge_radius_mm = 5.0\n", "edge_radius_mm 5 is not from 0 to below 5"),
        (GOOD + "edge_radius_mm = -0.1\n", "edge_radius_mm -0.1 is not from 0"),
        (GOOD + "edge_radius_mm = nan\n", "edge_radius_mm: nan should be a number"),
        (GOOD + "edge_radius_mm = [0.5, 0.1]\n", r"edge_radius_mm \[0.5, 0.1\] is reversed"),
        (GOOD + "edge_radius_mm = [0.5, 6.0]\n", "edge_radius_mm 6 is not from 0"),
        (GOOD + 'scores = ["sidee"]\n', "unknown pose in scores 'sidee'"),
        (GOOD + "[poses]\nup = [[1, 1, 1]]\n", "poses.up: no face .* the nearest is 54.7 deg off"),
        (GOOD + "[poses]\nup = [[0, 0, 0]]\n", "poses.up: .* is not a direction"),
        (GOOD + "[poses]\nup = [[1e12, 1e12, 1e12]]\n", "poses.up: no face .* is 54.7 deg off"),
        (GOOD + "[poses]\nleaning = [[0, 0, 1]]\n", "'leaning'"),
        (GOOD + "mas_g = 3\n", "mas_g: unknown key, did you mean 'mass_g'"),
        (GOOD + 'unit = "km"\n', "unit"),
        (GOOD + 'unit = "m"\n', "unit 'm': the extent along x, 10000 mm is outside 0.5 mm to 500"),
        (GOOD + "density_g_cm3 = 1.0\n", "a mesh needs exactly one of them"),
        (GOOD + 'model = "jeep"\n', "mesh, model: exactly one of them"),
        (GOOD + "inertia_g_mm2 = [1, 1, 3]\n", "are of no body"),
        (
            GOOD + "inertia_g_mm2 = [1e9, 1e9, 1e9]\n",
            r"inertia_g_mm2 1e\+09 is outside 7.5e-05 to 75",
        ),
        (GOOD + "inertia_g_mm2 = [1e-9, 1e-9, 1e-9]\n", "inertia_g_mm2 1e-09 is outside"),
        (GOOD.replace("1.0", "1e3"), r"mass 1000 g is 1000 g/cm3 of the hull, outside 0.001 to 25"),
        (
            GOOD.replace("1.0", "1e300"),
            r"mass_g: 1e\+300 is beyond 1e\+12, the largest number in a file",
        ),
        (GOOD.replace("1.0", "1e-300"), "mass 1e-300 g is 1e-300 g/cm3"),
        (GOOD + "centre_of_mass_mm = [9, 0, 0]\n", "no stable face: its centre of mass"),
        (GOOD.replace("1.0", "0.0"), "mass_g"),
        (GOOD.replace('other_pose = "any"\n', ""), "no face has a pose"),
        (GOOD.replace("thing.obj", "no_such.obj"), "no_such.obj: cannot be read"),
        (
            GOOD.replace("thing.obj", "thing.blend"),
            r"thing.blend: .*cannot be read|a mesh is a file",
        ),
        (GOOD.replace('mesh = "thing.obj"', 'model = "jep"').replace("mass", "#"), "did you mean"),
        (GOOD + "[", "not TOML"),
    ],
)
def test_a_fault_of_a_body_file_is_one_line(written, text, fault):
    path = written(text, box(10, 10, 10))
    with pytest.raises(InvalidValueError, match=fault) as error:
        read_body_file(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def opened(mesh):
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    return mesh


def test_a_mesh_that_is_open_flat_or_damaged_is_refused(tmp_path, written):
    path = written(GOOD, opened(box(10, 10, 10)))
    with pytest.raises(InvalidValueError, match="not closed: 3 edges not shared by two triangles"):
        read_body_file(path)
    faces = f"f 1 2 \\\n{'3 1 ' * 3_000_001}"
    (tmp_path / "thing.obj").write_text(f"v 0 0 0\nv 9 0 0\nv 0 9 0\n{faces}\n")
    with pytest.raises(InvalidValueError, match=r"6,000,00\d triangles, more than 6,000,000;"):
        read_body_file(path)
    (tmp_path / "thing.obj").write_text("v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\nf 1 3 2\n")
    with pytest.raises(InvalidValueError, match=r"the extent along z, 0 mm is outside 0.5 mm"):
        read_body_file(path)
    for text in (
        "",
        "not a mesh",
        "v 0 0 0\n",
        "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "f 7 8 9",
    ):
        (tmp_path / "thing.obj").write_text(text)
        with pytest.raises(InvalidValueError, match=r"thing\.obj: "):
            read_body_file(path)
    stl = written(GOOD.replace(".obj", ".stl"))
    (tmp_path / "thing.stl").write_bytes(b"\x00" * 90)
    with pytest.raises(InvalidValueError, match=r"thing\.stl: "):
        read_body_file(stl)
    (tmp_path / "thing.stl").write_bytes(b"\x00" * 84 + bytes(range(256)))
    with pytest.raises(InvalidValueError, match="neither a binary STL file nor UTF-8 text"):
        read_body_file(stl)


@pytest.mark.filterwarnings("error")
def test_a_mesh_of_absurd_lengths_is_one_line(tmp_path, written):
    path = written(GOOD, box(10, 10, 10))
    mesh = tmp_path / "thing.obj"
    mesh.write_text(mesh.read_text().replace(".00000000", "e300"))
    with pytest.raises(InvalidValueError, match=r"not closed|is outside"):
        read_body_file(path)


def test_comments_of_a_mesh_may_have_any_encoding(tmp_path, written):
    path = written(GOOD, box(10, 10, 10))
    plain = (tmp_path / "thing.obj").read_bytes()
    before = read_body_file(path)
    (tmp_path / "thing.obj").write_bytes("# Größe\n".encode("latin-1") + plain)
    assert replace(read_body_file(path), files=before.files) == before


@pytest.mark.parametrize(
    ("fineness", "corners", "smaller"),
    [
        (4, "2,562", "0.04[0-9] mm, its volume by 0.5 %"),
        pytest.param(6, "40,962", "0.05[0-9] mm, its volume by 0.7[0-9] %", marks=pytest.mark.slow),
    ],
)
def test_a_round_mesh_is_thrown_with_fewer_corners_and_tells_by_how_much_it_is_smaller(
    written, caplog, fineness, corners, smaller
):
    """Of a ball of 10 mm; its mass is that of the whole mesh."""
    caplog.set_level("INFO", NOTES.name)
    mesh = trimesh.creation.icosphere(subdivisions=fineness, radius=10)
    body = read_body_file(written(GOOD, mesh)).body()
    assert f"1,000 of the {corners} corners of its hull" in caplog.text
    assert re.search(f"smaller by at most {smaller}", caplog.text)
    assert 990 < len(body.vertices_mm) < 1030  # facets that are nearly one are made one
    hull = convex_hull(body.vertices_mm)
    assert 9.94 < hull.offsets_mm.min() < np.linalg.norm(body.vertices_mm, axis=1).max() < 10.001
    assert body.volume_mm3 == pytest.approx(4 / 3 * math.pi * 1000, rel=5e-3)
    assert body.inertia_g_mm2 == pytest.approx((0.4 * 100,) * 3, rel=5e-3)


def test_what_was_done_to_a_mesh_is_one_line(written, caplog):
    caplog.set_level("INFO", NOTES.name)
    path = written(GOOD, trimesh.util.concatenate([box(10, 8, 6), box(6, 6, 4)]))
    assert read_body_file(path).centre_of_mass_mm == pytest.approx(3.0)
    assert caplog.messages == ["thing.obj: 2 shells, of which some overlap, united"]


def test_pieces_of_a_model_that_overlap_are_refused(tmp_path, written):
    (tmp_path / "two.toml").write_text(
        'kind = "decor"\nabout = "two blocks in one place"\n'
        'pieces = [{form = "block", at = [0, 0, 0], size = [2, 2, 3], colour = "red", material = "abs",'
        " copies = [[0, 0, 0]]}]\n"
    )
    text = 'name = "thing"\nsource = "a test"\nmodel = "two.toml"\nother_pose = "any"\n'
    with pytest.raises(InvalidValueError, match=r"the volume, .* is above that of the convex hull"):
        read_body_file(written(text))


def test_an_edge_radius_that_is_no_number_is_refused(written):
    found = read_body_file(written(GOOD, box(10, 10, 10)))
    for radius in (math.nan, -1.0, 5.0, math.inf):
        with pytest.raises(InvalidValueError, match="edge_radius_mm"):
            found.rounded(radius).body()
