import filecmp
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import (
    BRICKS_AND_PLATES,
    MODELLED,
    colour_meshes,
    main,
    model_path,
    models_folder,
)

ROOT = Path(__file__).parents[2]
BODIES = [body for name in assembly_names() for body in assembly(name).bodies]


def test_committed_models_are_what_the_shapes_give(tmp_path):
    assert main([str(tmp_path)]) == 0
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


@pytest.mark.parametrize("name", MODELLED)
def test_urdf_carries_the_closed_form_in_kilograms_and_metres(name):
    body, path = parse_shape(name, edge_radius_mm=0.0), model_path(name)
    link = ElementTree.parse(path).getroot().find("link")
    assert float(link.find("inertial/mass").get("value")) == pytest.approx(body.mass_g / 1e3)
    inertia = link.find("inertial/inertia")
    for axis, moment in zip(("ixx", "iyy", "izz"), body.inertia_g_mm2, strict=True):
        assert float(inertia.get(axis)) == pytest.approx(moment / 1e9, rel=1e-6)
    for role in ("visual", "collision"):
        assert (path.parent / link.find(f"{role}/geometry/mesh").get("filename")).is_file()


@pytest.mark.parametrize("name", BRICKS_AND_PLATES)
def test_meshes_on_disk_are_closed_and_in_metres(name):
    body = parse_shape(name, edge_radius_mm=0.0)
    detail = trimesh.load_mesh(model_path(name, ".obj"), process=False)
    hull = trimesh.load_mesh(model_path(name, "_hull.obj"), process=False)
    assert detail.is_watertight
    assert hull.is_watertight
    assert hull.is_convex
    assert detail.volume * 1e9 == pytest.approx(body.volume_mm3, rel=1e-5)
    assert np.allclose(detail.center_mass, 0.0, atol=1e-8)
    assert hull.extents * 1e3 == pytest.approx(np.ptp(body.vertices_mm, axis=0))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_urdf_of_a_body_carries_the_sum_of_its_pieces_its_prism_and_its_colours(body):
    path = model_path(body.name)
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
    for colour, mesh in colour_meshes(body).items():
        read = trimesh.load_mesh(drawn[colour], process=False)
        assert np.allclose(np.sort(read.bounds, axis=0) * 1e3, bounds(mesh.vertices_mm), atol=1e-5)


def millimetres(text: str) -> list[float]:
    return [1e3 * float(word) for word in text.split()]


def bounds(points):
    return [points.min(axis=0), points.max(axis=0)]


def test_models_are_found_in_a_checkout():
    assert models_folder() == ROOT / "models"
    assert model_path("plate:2x2").read_text().startswith("<?xml")


def test_unknown_models_are_refused():
    with pytest.raises(InvalidValueError, match="did you mean '2x2'"):
        model_path("2x2x2")
    with pytest.raises(InvalidValueError, match="file of model d6:16"):
        model_path("d6:16", ".obj")
    with pytest.raises(InvalidValueError, match="unknown model 'jep': did you mean 'jeep'"):
        model_path("jep")
    with pytest.raises(InvalidValueError, match=r"body 'jeep/pilot': known: .*jeep/driver"):
        model_path("jeep/pilot")
    with pytest.raises(InvalidValueError, match=r"file of model jeep '\.obj'"):
        model_path("jeep", ".obj")


def test_the_command_needs_one_folder(capsys):
    assert main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
