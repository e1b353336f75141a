"""Pictures of a battlefield."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Ellipse

from brickphys.bow.board import Board
from brickphys.bow.field import Decor, Field, Kind, block
from brickphys.bow.terrain import terrain
from brickphys.bow.walk import walk
from brickphys.plots.field import Figure, Paint, draw_field, draw_path, draw_studs
from brickphys.vehicles.scene import Vehicle


@pytest.fixture
def ax():
    canvas = Canvas()
    FigureCanvasAgg(canvas)
    return canvas.subplots()


@pytest.fixture
def field():
    decor = (
        Decor("wall", Kind.WALL, block(2, 2, 3, 1), color="red"),
        Decor("gate", Kind.DOOR, block(5, 2, 2, 1), locked=True),
        Decor("lintel", Kind.WALL, block(5, 2, 2, 1), 15, 18),
        Decor("tree", Kind.TREE, ((8, 8), (9.5, 7.5), (9, 9)), 0, 20),
    )
    ground = tuple(6.0 if stud > 100 else 0.0 for stud in range(120))
    return Field(12, 10, decor, ground)


def test_ground_and_bricks_have_studs_and_figures_and_vehicles_their_names(field, ax):
    car = Vehicle("car", 4.0, 6.0, 30.0, 4.0, 2.0)
    figures = [Figure(1.5, 1.5, 90.0, "blue", "Anne"), Figure(9.5, 1.5, 225.0, "red")]
    draw_field(terrain(field), figures, [Paint(car, "orange")], ax)
    assert {text.get_text() for text in ax.texts} == {"Anne", "car"}
    shoulders = [patch for patch in ax.patches if type(patch) is Ellipse]
    assert [(patch.center, patch.angle) for patch in shoulders] == [
        ((1.5, 1.5), 90.0),
        ((9.5, 1.5), 225.0),
    ]
    studs = [len(c.get_offsets()) for c in ax.collections if isinstance(c, EllipseCollection)]
    assert studs == [
        120,
        120,
        3,
        3,
    ]  # each with its shadow; no stud fits on the tree, nor over the gate
    ax.figure.canvas.draw()


def test_reach_and_path_lie_on_their_studs(field, ax):
    found = walk(Board(terrain(field)), 0, 4)
    draw_studs(field, found.reached, "yellow", ax)
    squares = ax.collections[0].get_paths()
    corners = {tuple(path.vertices[0].astype(int).tolist()) for path in squares}
    assert corners == {field.xy(stud) for stud in found.steps}
    draw_path(field, found.path(field.stud(4, 1)), "blue", ax)
    way = np.column_stack(ax.lines[0].get_data())
    assert (way[0].tolist(), way[-1].tolist()) == ([0.5, 0.5], [4.5, 1.5])
