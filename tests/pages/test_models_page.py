"""The page about models shows what the models are."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from matplotlib.pyplot import imread

from brickphys.engines.camera import CameraView, render_assembly
from brickphys.shapes.assembly import assembly, assembly_names, build_assembly

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "models.md").read_text(encoding="utf-8")
COARSE = 4


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.M | re.S)
    return found


def test_the_table_is_the_one_that_the_command_writes():
    assert runpy.run_path(str(DOCS / "model_pictures.py"))["table"]() in PAGE


@pytest.mark.parametrize("name", assembly_names())
def test_the_picture_shows_the_thing_as_it_is(name):
    """Coarser than the picture on the page, and up to what smoothing and processors change."""
    usual = CameraView()
    width, height = usual.width // COARSE, usual.height // COARSE
    drawn = (
        render_assembly(assembly(name), CameraView(width=width, height=height, samples=3)) / 255.0
    )
    shown = imread(DOCS / "img" / "models" / f"{name}.png")[..., :3]
    blocks = shown.reshape(height, COARSE, width, COARSE, 3).mean(axis=(1, 3))
    assert np.abs(blocks - drawn).mean() < 0.01


def test_there_is_no_picture_of_what_is_gone():
    assert {path.stem for path in (DOCS / "img" / "models").iterdir()} == set(assembly_names())


def test_the_example_of_use_runs(capsys):
    exec(block("python"), {})  # the page's own words
    assert "['jeep', 'jeep/driver']" in capsys.readouterr().out


def test_the_example_of_a_new_thing_can_be_built():
    cart = build_assembly("cart", block("toml"))
    assert [body.name for body in cart.bodies] == ["cart", "cart/driver"]
    assert (cart.width_studs, cart.bottom_plates) == (5.6, 0)
