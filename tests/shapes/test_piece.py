"""Pieces of assemblies, and models on disk."""

import filecmp
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import models
from brickphys.errors import InvalidValueError
from brickphys.shapes import export
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.shapes.brick import BRICK_DIMENSIONS
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.mesh import brick_mesh
from brickphys.shapes.piece import Piece, density_g_cm3, free_studs, piece_mass, piece_mesh
from brickphys.units import BRICK_MM, PLATE_MM, STUD_MM
from tests.cases import few

HEXAGON = ((0.3, 0.0), (1.0, 0.2), (0.9, 0.8), (0.5, 1.0), (0.1, 0.7), (0.0, 0.4))
place = st.tuples(*[st.floats(-20.0, 20.0)] * 3)
length = st.floats(0.1, 10.0)
outline = st.sampled_from(
    [HEXAGON, HEXAGON[::-1], ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), ((0, 0), (1, 0.4), (0.2, 1.0))]
)
axis = st.sampled_from("xyz")


def solid_of(piece: Piece) -> trimesh.Trimesh:
    mesh = piece_mesh(piece)
    return trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)


@pytest.mark.parametrize(
    "name", ["1x1", "1x3", "2x2", "2x8", "plate:1x1", "plate:1x6", "plate:2x4"]
)
def test_a_piece_of_the_family_weighs_what_is_thrown(name):
    body = parse_shape(name, edge_radius_mm=0.0)
    kind, _, size = name.rpartition(":")
    nx, ny = map(int, size.split("x"))
    total = piece_mass(
        Piece("plate" if kind else "brick", (3, -2, 4), (nx, ny, 1 if kind else 3), "red")
    )
    assert total.mass_g == pytest.approx(body.mass_g)
    assert np.diag(total.inertia_g_mm2) == pytest.approx(body.inertia_g_mm2)
    middle = [(3 + nx / 2) * STUD_MM, (-2 + ny / 2) * STUD_MM]
    assert total.centre_mm == pytest.approx([*middle, 4 * PLATE_MM + body.centre_of_mass_mm])


@pytest.mark.parametrize("size", few([(1, 5), (3, 3), (5, 1), (6, 4), (4, 10)], 2))
@pytest.mark.parametrize("form", ["brick", "plate"])
def test_a_piece_of_any_size_matches_the_integrals_over_its_hollow_mesh(form, size):
    layer = 3 if form == "brick" else 1
    total = piece_mass(Piece(form, (0, 0, 0), (*size, layer), "red"))
    mesh = brick_mesh(*size, layer * PLATE_MM, BRICK_DIMENSIONS)
    solid = trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)
    assert solid.is_watertight
    assert total.volume_mm3 == pytest.approx(solid.volume)
    weighed = solid.moment_inertia * total.mass_g / solid.volume
    assert np.allclose(total.inertia_g_mm2, weighed, atol=2e-5 * weighed.max())


def test_bricks_on_each_other_weigh_as_two():
    pair = piece_mass(Piece("brick", (0, 0, 0), (2, 2, 6), "red"))
    single = parse_shape("2x2:r0")
    assert pair.mass_g == pytest.approx(2 * single.mass_g)
    assert pair.centre_mm[2] == pytest.approx(single.centre_of_mass_mm + BRICK_MM / 2)
    tilt = 2 * single.inertia_g_mm2[0] + 2 * single.mass_g * (BRICK_MM / 2) ** 2
    assert pair.inertia_g_mm2[0, 0] == pytest.approx(tilt)


def test_only_the_top_layer_of_tiles_lacks_its_studs():
    plate, tile, pile, stack = (
        piece_mass(Piece(form, (0, 0, 0), (2, 2, layers), "red")).mass_g
        for form, layers in (("plate", 1), ("tile", 1), ("tile", 2), ("plate", 2))
    )
    assert tile < plate
    assert pile == pytest.approx(plate + tile)
    assert stack == pytest.approx(2 * plate)


@given(place, st.tuples(length, length, length), axis, outline)
def test_a_prism_matches_the_integrals_over_the_hull_of_its_corners(corner, size, along, base):
    piece = Piece("prism", corner, size, "red", along, base, material="abs")
    total, solid = piece_mass(piece), solid_of(piece)
    hull = solid.convex_hull
    assert solid.is_watertight
    assert solid.volume == pytest.approx(hull.volume)
    assert total.volume_mm3 == pytest.approx(hull.volume)
    assert np.allclose(total.centre_mm, hull.center_mass, atol=1e-7)
    weighed = hull.moment_inertia * density_g_cm3("abs") / 1000.0
    assert np.allclose(total.inertia_g_mm2, weighed, atol=1e-7 * weighed.max())


@given(place, length, length, axis, st.sampled_from([0.0, 0.3, 0.8]))
def test_a_ring_matches_the_integrals_over_a_ring_of_many_corners(
    corner, width, depth, along, bore
):
    sizes = {"x": (depth, width, 2.5 * width), "y": (width, depth, 2.5 * width)}
    piece = Piece(
        "cylinder", corner, sizes.get(along, (width, width, depth)), "red", along, bore=bore
    )
    radius = width * STUD_MM / 2
    long = depth * (PLATE_MM if along == "z" else STUD_MM)
    ring = (
        trimesh.creation.annulus(bore * radius, radius, long, sections=256)
        if bore
        else trimesh.creation.cylinder(radius, long, sections=256)
    )
    order = {"x": [2, 0, 1], "y": [1, 2, 0], "z": [0, 1, 2]}[along]
    total = piece_mass(piece)
    assert total.volume_mm3 == pytest.approx(ring.volume, rel=3e-4)
    weighed = ring.moment_inertia[np.ix_(order, order)] * density_g_cm3("hollow") / 1000.0
    assert np.allclose(total.inertia_g_mm2, weighed, atol=1e-3 * weighed.max())
    drawn = solid_of(piece)
    assert drawn.is_watertight
    assert np.allclose(drawn.bounds, [piece.low_mm, piece.low_mm + piece.size_mm])
    assert 0.98 < drawn.volume / total.volume_mm3 < 1.0


@given(place, st.tuples(length, length, length), axis, outline, st.sampled_from([0, 1]))
def test_a_mirror_image_has_mirrored_mass(corner, size, along, base, mirror):
    piece = Piece("prism", corner, size, "red", along, base)
    image = piece.reflected(mirror)
    flip = np.ones(3)
    flip[mirror] = -1.0
    total, reflected = piece_mass(piece), piece_mass(image)
    assert reflected.mass_g == pytest.approx(total.mass_g)
    assert np.allclose(reflected.centre_mm, flip * total.centre_mm, atol=1e-7)
    mirrored = total.inertia_g_mm2 * np.outer(flip, flip)
    assert np.allclose(reflected.inertia_g_mm2, mirrored, atol=1e-7 * mirrored.max())
    assert solid_of(image).is_winding_consistent
    assert solid_of(image).volume == pytest.approx(solid_of(piece).volume)


def test_a_weighed_piece_has_the_weight_of_the_scale_and_its_form_spreads_it():
    light, weighed = (
        piece_mass(Piece("block", (0, 0, 0), (1, 2, 3), "red", mass_g=mass)) for mass in (None, 5.0)
    )
    assert weighed.mass_g == 5.0
    ratio = 5.0 / light.mass_g
    assert np.allclose(weighed.inertia_g_mm2, ratio * light.inertia_g_mm2)


def test_a_studded_piece_is_drawn_with_the_studs_that_nothing_covers():
    piece = Piece("plate", (0, 0, 0), (2, 3, 1), "red")
    cover = Piece("tile", (0, 0, 1), (1, 2, 1), "blue")
    free = free_studs(piece, [piece, cover])
    assert sorted(map(tuple, free / STUD_MM)) == [(0.5, 2.5), (1.5, 0.5), (1.5, 1.5), (1.5, 2.5)]
    mesh = piece_mesh(piece, [piece, cover])
    solid = trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)
    assert solid.is_watertight
    assert solid.body_count == 1 + len(free)
    assert solid.bounds[1][2] == pytest.approx(PLATE_MM + BRICK_DIMENSIONS.stud_height_mm)


def test_hollow_parts_are_as_dense_as_a_2x2_brick_in_its_box():
    block = piece_mass(Piece("block", (0, 0, 0), (2, 2, 3), "red"))
    assert block.mass_g == pytest.approx(parse_shape("2x2:r0").mass_g)


@pytest.mark.parametrize(
    ("piece", "fault"),
    [
        ({"form": "ball"}, "unknown form"),
        ({"material": "gold"}, "unknown material 'gold'"),
        ({"colour": "pink"}, "unknown colour 'pink'"),
        ({"axis": "w"}, "unknown axis 'w'"),
        ({"size": (1, 0, 1)}, r"size \[1, 0, 1\] is not positive"),
        ({"size": (1, float("nan"), 1)}, "is not positive"),
        ({"form": "brick", "size": (1, 1, 2)}, "not in whole studs and layers"),
        ({"form": "plate", "size": (1.5, 1, 1)}, "not in whole studs and layers"),
        ({"form": "cylinder", "size": (1, 2, 1)}, "is not round"),
        ({"bore": 1.0}, "bore 1 is outside 0 to 1"),
        ({"form": "prism"}, "outline is not convex"),
        ({"form": "prism", "outline": ((0, 0), (1, 0), (0.4, 0.4), (0, 1))}, "not convex"),
        ({"form": "prism", "outline": ((0, 0), (0.9, 0), (0, 1))}, "not convex"),
        ({"form": "prism", "outline": ((0, 0), (1e308, 0), (0, 1e308))}, "not convex"),
        ({"mass_g": 0.0}, "mass is not positive"),
        ({"mass_g": 1e308}, "mass is not below 1,000,000 g"),
        ({"form": "cylinder", "size": (1e308, 1, 1)}, "beyond 1000 studs or plates"),
        ({"corner": (0, -1e308, 0)}, "beyond 1000 studs or plates"),
    ],
)
def test_impossible_pieces_are_refused(piece, fault):
    with pytest.raises(InvalidValueError, match=fault):
        Piece(**{"form": "block", "corner": (0, 0, 0), "size": (1, 1, 1), "colour": "red", **piece})


ROOT = Path(__file__).parents[2]
BODIES = [body for name in assembly_names() for body in assembly(name).bodies]


def test_committed_models_are_what_the_shapes_give(tmp_path):
    assert models.main([str(tmp_path)]) == 0
    names, committed = (
        sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        for folder in (tmp_path, ROOT / "models")
    )
    assert names == committed
    _, different, missing = filecmp.cmpfiles(tmp_path, ROOT / "models", names, shallow=False)
    # the order of a hull's faces depends on the processor
    hulls = [name for name in different if name.endswith("_hull.obj")]
    lines = [
        (sorted_lines(tmp_path / name), sorted_lines(ROOT / "models" / name)) for name in hulls
    ]
    assert all(one == other for one, other in lines)
    assert (sorted(set(different) - set(hulls)), missing) == ([], [])


def sorted_lines(path):
    return sorted(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", export.MODELLED)
def test_urdf_carries_the_closed_form_in_kilograms_and_metres(name):
    body, path = parse_shape(name, edge_radius_mm=0.0), export.model_path(name)
    link = ElementTree.parse(path).getroot().find("link")
    assert float(link.find("inertial/mass").get("value")) == pytest.approx(body.mass_g / 1e3)
    inertia = link.find("inertial/inertia")
    for axis, moment in zip(("ixx", "iyy", "izz"), body.inertia_g_mm2, strict=True):
        assert float(inertia.get(axis)) == pytest.approx(moment / 1e9, rel=1e-6)
    for role in ("visual", "collision"):
        assert (path.parent / link.find(f"{role}/geometry/mesh").get("filename")).is_file()


@pytest.mark.parametrize("name", export.BRICKS_AND_PLATES)
def test_meshes_on_disk_are_closed_and_in_metres(name):
    body = parse_shape(name, edge_radius_mm=0.0)
    detail = trimesh.load_mesh(export.model_path(name, ".obj"), process=False)
    hull = trimesh.load_mesh(export.model_path(name, "_hull.obj"), process=False)
    assert detail.is_watertight
    assert hull.is_watertight
    assert hull.is_convex
    assert detail.volume * 1e9 == pytest.approx(body.volume_mm3, rel=1e-5)
    assert np.allclose(detail.center_mass, 0.0, atol=1e-8)
    assert hull.extents * 1e3 == pytest.approx(np.ptp(body.vertices_mm, axis=0))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_urdf_of_a_body_carries_the_sum_of_its_pieces_its_prism_and_its_colours(body):
    path = export.model_path(body.name)
    root = ElementTree.parse(path).getroot()
    link = root.find("link")
    assert float(link.find("inertial/mass").get("value")) == pytest.approx(
        body.mass.mass_g / 1e3, rel=1e-6
    )
    inertia = link.find("inertial/inertia")
    scale = np.trace(body.mass.inertia_g_mm2)
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        told = float(inertia.get(f"i{'xyz'[i]}{'xyz'[j]}")) * 1e9
        assert told == pytest.approx(body.mass.inertia_g_mm2[i, j], abs=1e-6 * scale)
    assert millimetres(link.find("inertial/origin").get("xyz")) == pytest.approx(
        body.mass.centre_mm, abs=1e-5
    )
    assert millimetres(link.find("collision/origin").get("xyz")) == pytest.approx(
        body.prism.centre_mm
    )
    assert millimetres(link.find("collision/geometry/box").get("size")) == pytest.approx(
        body.prism.size_mm
    )
    drawn = {
        visual.find("material").get("name"): path.parent
        / visual.find("geometry/mesh").get("filename")
        for visual in link.findall("visual")
    }
    assert set(drawn) == {piece.colour for piece in body.pieces}
    assert set(drawn) == {material.get("name") for material in root.findall("material")}
    for colour, mesh in export.colour_meshes(body).items():
        read = trimesh.load_mesh(drawn[colour], process=False)
        assert np.allclose(np.sort(read.bounds, axis=0) * 1e3, bounds(mesh.vertices_mm), atol=1e-5)


def millimetres(text: str) -> list[float]:
    return [1e3 * float(word) for word in text.split()]


def bounds(points):
    return [points.min(axis=0), points.max(axis=0)]


def test_models_are_found_in_a_checkout():
    assert export.models_folder() == ROOT / "models"
    assert export.model_path("plate:2x2").read_text().startswith("<?xml")


def test_unknown_models_are_refused():
    with pytest.raises(InvalidValueError, match="did you mean '2x2'"):
        export.model_path("2x2x2")
    with pytest.raises(InvalidValueError, match="file of model d6:16"):
        export.model_path("d6:16", ".obj")
    with pytest.raises(InvalidValueError, match="unknown model 'jep': did you mean 'jeep'"):
        export.model_path("jep")
    with pytest.raises(InvalidValueError, match=r"body 'jeep/pilot': known: .*jeep/driver"):
        export.model_path("jeep/pilot")
    with pytest.raises(InvalidValueError, match=r"file of model jeep '\.obj'"):
        export.model_path("jeep", ".obj")


def test_the_command_needs_one_folder(capsys):
    assert models.main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
