"""Solids of meshes: shells that overlap, nest or do not quite close, beside plain bodies, voxels and closed forms."""

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.shapes import mesh_file as module
from brickphys.shapes.mesh import MESH_FILES, Mesh
from brickphys.shapes.mesh_file import mesh_solid, parse_mesh


def box(size, at=(0.0, 0.0, 0.0)):
    made = trimesh.creation.box(size)
    made.apply_translation(at)
    return made


def inside_out(mesh):
    made = mesh.copy()
    made.invert()
    return made


def solid(*shells):
    """Return the solid of shells that share no corner in the file, as in an STL file."""
    found = trimesh.util.concatenate(shells)
    return mesh_solid(Mesh(np.array(found.vertices), np.array(found.faces)), "a.stl")


def closely(found, wanted):
    """Assert that two solids have the same mass, place, inertia and extent."""
    assert found.mass.volume_mm3 == pytest.approx(wanted.mass.volume_mm3, rel=1e-9)
    assert found.mass.centre_mm == pytest.approx(wanted.mass.centre_mm, abs=1e-9)
    assert found.mass.inertia_g_mm2 == pytest.approx(wanted.mass.inertia_g_mm2, abs=1e-9)
    for end in (np.min, np.max):
        assert end(found.corners_mm, axis=0) == pytest.approx(end(wanted.corners_mm, axis=0))


PLAIN = box((10, 8, 6))


def test_a_shell_within_another_is_the_same_solid():
    found = solid(PLAIN, box((8, 6, 2), (0, 0, -1.9)))
    closely(found, solid(PLAIN))
    assert found.done == ("2 shells, of which some overlap, united",)
    assert solid(PLAIN).done == ()


def test_shells_that_overlap_are_united():
    """As of bricks of many programs: walls, and the tubes and studs that reach into them."""
    tubes = [box((5, 5, 6.7), (x, y, 3.15)) for x in (-5, 5) for y in (-5, 5)]
    found = solid(box((16, 16, 9.6)), *tubes)
    outside = 5 * 5 * (6.7 - 5.0)
    whole = 16 * 16 * 9.6
    assert found.mass.volume_mm3 == pytest.approx(whole + 4 * outside)
    height = (4 * outside * (9.6 + 0.85) + whole * 4.8) / (whole + 4 * outside)
    assert found.mass.centre_mm[2] + 4.8 == pytest.approx(height)


def test_an_inner_shell_that_faces_inwards_is_a_hollow():
    hollow = solid(PLAIN, inside_out(box((4, 4, 2), (0, 0, -1))))
    assert hollow.mass.volume_mm3 == pytest.approx(480 - 32)
    assert hollow.mass.centre_mm[2] == pytest.approx(32 / 448)
    assert hollow.done == ("1 inner shell kept hollow",)
    closely(hollow, solid(inside_out(PLAIN), box((4, 4, 2), (0, 0, -1))))  # all of it inside out


def test_a_body_in_a_hollow_is_there():
    found = solid(PLAIN, inside_out(box((4, 4, 4))), box((2, 2, 2)))
    assert found.mass.volume_mm3 == pytest.approx(480 - 64 + 8)
    assert found.done[-1] == "2 parts that do not touch taken as one body"


def test_a_hollow_is_that_of_the_smallest_shell_around_it():
    """A tube within a block: the block fills the bore."""
    found = solid(PLAIN, box((4, 4, 4)), inside_out(box((2, 2, 2))))
    closely(found, solid(PLAIN))


def test_a_shell_apart_that_faces_inwards_is_turned():
    found = solid(PLAIN, inside_out(box((2, 2, 2), (9, 0, 0))))
    closely(found, solid(PLAIN, box((2, 2, 2), (9, 0, 0))))
    assert "1 shell turned outwards" in found.done


def test_a_shell_that_is_there_twice_is_one():
    found = mesh_solid(
        Mesh(np.array(PLAIN.vertices), np.array([*PLAIN.faces, *np.roll(PLAIN.faces, 1, axis=1)])),
        "a.stl",
    )
    closely(found, solid(PLAIN))
    assert found.done == ("12 facets without area, or there twice, dropped",)


def test_too_many_shells_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_SHELLS", 2)
    with pytest.raises(InvalidValueError, match=r"a\.stl: 3 shells, more than 2"):
        solid(*[box((1, 1, 1), (3 * n, 0, 0)) for n in range(3)])


def test_shells_are_told_apart_without_a_long_call_of_c(monkeypatch):
    """A call of C is not ended by a signal; each part is one solid before it is asked for its shells."""
    built = []
    real = module._manifold
    monkeypatch.setattr(
        module, "_manifold", lambda *mesh: built.append(len(mesh[1])) or real(*mesh)
    )
    found = solid(*[box((1, 1, 1), (3 * n, 0, 0)) for n in range(20)])
    assert found.mass.volume_mm3 == pytest.approx(20)
    assert built == [240, *[12] * 20]


def test_shells_that_touch_are_one():
    halves = solid(box((5, 8, 6), (-2.5, 0, 0)), box((5, 8, 6), (2.5, 0, 0)))
    closely(halves, solid(PLAIN))
    assert solid(box((2, 2, 2)), box((2, 2, 2), (2, 2, 0))).mass.volume_mm3 == pytest.approx(16)


SIDE = 6
CUBES = st.lists(
    st.tuples(*[st.integers(0, SIDE - 1)] * 3, *[st.integers(1, SIDE)] * 3), min_size=1, max_size=5
)


@given(CUBES)
def test_boxes_enclose_the_cells_that_any_of_them_fills(boxes):
    cells = np.zeros((2 * SIDE,) * 3, dtype=bool)
    shells = []
    for x, y, z, a, b, c in boxes:
        cells[x : x + a, y : y + b, z : z + c] = True
        shells.append(box((a, b, c), (x + a / 2, y + b / 2, z + c / 2)))
    found = solid(*shells).mass
    middles = np.argwhere(cells) + 0.5
    assert found.volume_mm3 == pytest.approx(len(middles))
    assert found.centre_mm == pytest.approx(middles.mean(axis=0))


FLAT = ("1 facet without area, or there twice, dropped",)


@pytest.mark.parametrize("corner", [(0.0, 0.0, 0.0), (-5.0, -4.0, -3.0)])
def test_a_facet_without_area_is_dropped(corner):
    flat = trimesh.Trimesh([corner, corner, (16, 0, 0)], [[0, 1, 2]], process=False)
    found = solid(PLAIN, flat)
    closely(found, solid(PLAIN))
    assert found.done == FLAT
    line = trimesh.Trimesh([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [[0, 1, 2]], process=False)
    assert solid(PLAIN, line).done == FLAT


def test_facets_that_enclose_nothing_are_dropped_with_their_corners():
    sheet = trimesh.Trimesh(
        [(100, 0, 0), (120, 0, 0), (100, 20, 0)], [(0, 1, 2), (0, 2, 1)], process=False
    )
    found = solid(PLAIN, sheet)
    closely(found, solid(PLAIN))
    assert found.done == ("2 facets that enclose nothing dropped",)


def apart(mesh, distance):
    """Return a mesh whose facets share no corner: each is moved by up to a distance."""
    corners = mesh.triangles.reshape(-1, 3)
    moves = np.random.default_rng(1).uniform(-1, 1, corners.shape) * distance / np.sqrt(3)
    return trimesh.Trimesh(corners + moves, np.arange(len(corners)).reshape(-1, 3), process=False)


def test_corners_that_are_near_are_welded_and_others_are_not():
    """They may be apart by 1e-4 of the size, 0.001 mm."""
    found = solid(apart(PLAIN, 4e-4))
    assert found.mass.volume_mm3 == pytest.approx(480, rel=1e-3)
    assert found.done == ("corners nearer than 0.001 mm welded",)
    with pytest.raises(InvalidValueError, match=r"a.stl: the mesh is not closed: \d+ edges not"):
        solid(apart(PLAIN, 4e-2))


def test_a_mesh_that_closes_is_not_welded():
    """Its details may be finer than what is welded."""
    fine = trimesh.creation.cylinder(5, 6, sections=8_000)  # edges of 0.004 mm, and 60 mm long
    fine.apply_scale((1, 1, 10))
    found = solid(fine)
    assert found.done == ()
    assert len(found.corners_mm) == len(fine.vertices)


def test_a_mesh_with_facets_that_face_inwards_is_refused():
    faces = np.array(PLAIN.faces)
    faces[0] = faces[0, ::-1]
    with pytest.raises(InvalidValueError, match="some triangles of the mesh face inwards"):
        mesh_solid(Mesh(np.array(PLAIN.vertices), faces), "a.stl")


def test_a_shell_that_cuts_through_itself_is_refused():
    ball = trimesh.creation.icosphere(subdivisions=3, radius=5)
    pushed = ball.vertices.copy()
    pushed[pushed[:, 2] > 4, 2] -= 12
    with pytest.raises(InvalidValueError, match=r"cuts through itself: .* inside out; remesh it"):
        mesh_solid(Mesh(np.array(pushed), np.array(ball.faces)), "a.stl")
    rows = 200
    turn = np.linspace(0, 1.2 * 2 * np.pi, rows)  # a ring whose ends lie within each other
    outline = np.array([(4, -1), (6, -1), (6, 1), (4, 1)])
    path = [np.column_stack([r * np.cos(turn), r * np.sin(turn), 0 * turn + z]) for r, z in outline]
    corners = np.stack(path, axis=1).reshape(-1, 3)
    at = np.arange(rows - 1)[:, None] * 4 + np.arange(4)
    right = np.arange(rows - 1)[:, None] * 4 + (np.arange(4) + 1) % 4
    walls = np.concatenate(
        [np.stack([at, right, right + 4], -1), np.stack([at, right + 4, at + 4], -1)]
    )
    ends = np.array([(0, 2, 1), (0, 3, 2)]), np.array([(0, 1, 2), (0, 2, 3)]) + 4 * (rows - 1)
    faces = np.concatenate([walls.reshape(-1, 3), *ends])
    with pytest.raises(InvalidValueError, match="cuts through itself: 20 % of its inside"):
        mesh_solid(Mesh(corners, faces), "a.stl")


def test_a_flat_mesh_has_no_volume():
    with pytest.raises(InvalidValueError, match=r"a.stl: the mesh has no volume"):
        mesh_solid(
            Mesh(np.array([(0.0, 0, 0), (9, 0, 0), (0, 9, 0)]), np.array([(0, 1, 2), (0, 2, 1)])),
            "a.stl",
        )


@pytest.mark.parametrize("kind", MESH_FILES)
def test_every_kind_of_file_gives_the_same_solid(kind):
    tetrahedron = trimesh.Trimesh(
        [(0, 0, 0), (8, 0, 0), (0, 8, 0), (0, 0, 8)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    )
    scene = trimesh.Scene([PLAIN, tetrahedron])
    data = (scene if kind in ("glb", "3mf") else scene.to_mesh()).export(file_type=kind)
    data = data.encode() if isinstance(data, str) else data
    found = mesh_solid(parse_mesh(data, f"a.{kind.upper()}", 1.0), "a")
    wanted = solid(PLAIN, tetrahedron)
    assert found.mass.volume_mm3 == pytest.approx(wanted.mass.volume_mm3, rel=1e-6)
    assert found.mass.centre_mm == pytest.approx(wanted.mass.centre_mm, abs=1e-6)


@pytest.mark.parametrize("kind", ["obj", "off", "ply", "stl_ascii"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(kind):
    encoding = {"encoding": "ascii"} if kind == "ply" else {}
    data = PLAIN.export(file_type=kind, **encoding)
    data = data.encode() if isinstance(data, str) else data
    name = f"a.{kind.removesuffix('_ascii')}"
    plain = parse_mesh(data, name, 1.0)
    marked = parse_mesh(b"\xef\xbb\xbf" + data, name, 1.0)
    assert marked.vertices_mm == pytest.approx(plain.vertices_mm)
    assert (marked.triangles == plain.triangles).all()


def test_an_obj_file_with_a_byte_order_mark_is_not_another_body():
    """Without its first line the faces would name other corners."""
    text = b"v 50 50 50\nv 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    plain, marked = (parse_mesh(mark + text, "a.obj", 1.0) for mark in (b"", b"\xef\xbb\xbf"))
    assert mesh_solid(plain, "a").mass.volume_mm3 == mesh_solid(marked, "a").mass.volume_mm3
