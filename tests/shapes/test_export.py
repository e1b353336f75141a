import filecmp
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh

from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import MODELLED, STUDDED, main, model_path, models_folder

ROOT = Path(__file__).parents[2]


def test_committed_models_are_what_the_shapes_give(tmp_path):
    assert main([str(tmp_path)]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    committed = {path.name for path in (ROOT / "models").iterdir()}
    assert set(names) <= committed
    _, different, missing = filecmp.cmpfiles(tmp_path, ROOT / "models", names, shallow=False)
    assert (different, missing) == ([], [])


@pytest.mark.parametrize("name", MODELLED)
def test_urdf_carries_the_closed_form_in_kilograms_and_metres(name):
    body, path = parse_shape(name), model_path(name)
    link = ElementTree.parse(path).getroot().find("link")
    assert float(link.find("inertial/mass").get("value")) == pytest.approx(body.mass_g / 1e3)
    inertia = link.find("inertial/inertia")
    for axis, moment in zip(("ixx", "iyy", "izz"), body.inertia_g_mm2, strict=True):
        assert float(inertia.get(axis)) == pytest.approx(moment / 1e9, rel=1e-6)
    for role in ("visual", "collision"):
        assert (path.parent / link.find(f"{role}/geometry/mesh").get("filename")).is_file()


@pytest.mark.parametrize("name", STUDDED)
def test_meshes_on_disk_are_closed_and_in_metres(name):
    body = parse_shape(name)
    detail = trimesh.load_mesh(model_path(name, ".obj"), process=False)
    hull = trimesh.load_mesh(model_path(name, "_hull.obj"), process=False)
    assert detail.is_watertight
    assert hull.is_watertight
    assert hull.is_convex
    assert detail.volume * 1e9 == pytest.approx(body.volume_mm3, rel=1e-5)
    assert np.allclose(detail.center_mass, 0.0, atol=1e-8)
    assert hull.extents * 1e3 == pytest.approx(np.ptp(body.vertices_mm, axis=0))


def test_models_are_found_in_a_checkout():
    assert models_folder() == ROOT / "models"
    assert model_path("plate:2x2").read_text().startswith("<?xml")


def test_unknown_models_are_refused():
    with pytest.raises(InvalidValueError, match="did you mean '2x2'"):
        model_path("2x2x2")
    with pytest.raises(InvalidValueError, match="file of model d6:16"):
        model_path("d6:16", ".obj")


def test_the_command_needs_one_folder(capsys):
    assert main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
