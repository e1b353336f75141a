"""Pictures of a battlefield."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure as Canvas

from brickphys.bow.field import Decor, DecorType, Field, block
from brickphys.bow.game import Bow
from brickphys.bow.terrain import terrain
from brickphys.geometry.polygon import unit_vector
from brickphys.plots.colors import array_of
from brickphys.plots.games.bow import BowPainter, draw_terrain, height_patches
from brickphys.plots.games.bow_colors import ground_colors
from brickphys.plots.labels import Extent, draw_areas, draw_labels, draw_marks
from brickphys.plots.painter import Figure, frame_field, pieces_of
from brickphys.rules.scenario import NamedArea


@pytest.fixture
def ax():
    canvas = Canvas()
    FigureCanvasAgg(canvas)
    return canvas.subplots()


@pytest.fixture
def field():
    decor = (
        Decor("wall", DecorType.WALL, block(2, 2, 3, 1), color="red"),
        Decor("gate", DecorType.DOOR, block(5, 2, 2, 1), locked=True),
        Decor("lintel", DecorType.WALL, block(5, 2, 2, 1), 15, 18),
        Decor("tree", DecorType.TREE, ((8, 8), (9.5, 7.5), (9, 9)), 0, 20),
    )
    ground = tuple(6.0 if stud > 100 else 0.0 for stud in range(120))
    return Field(12, 10, decor, ground)


def test_ground_and_bricks_have_studs_and_figures_their_names(field, ax):
    figures = [Figure(1.5, 1.5, 90.0, "blue", "Anne"), Figure(9.5, 1.5, 225.0, "red")]
    frame_field(field.width, field.length, "studs", ax)
    draw_terrain(terrain(field), ax)
    pieces = pieces_of(figures)
    draw_marks(pieces.marks, ax)
    draw_labels(pieces.labels, pieces.taken, ax)
    assert {text.get_text() for text in ax.texts} == {"Anne"}
    bodies = [one.get_paths() for one in ax.collections if one.get_zorder() == 6.2]
    assert len(bodies) == len(figures)
    for figure, (*_, shoulders, nose, head) in zip(figures, bodies, strict=True):
        for round_part in (shoulders, head):
            assert round_part.vertices[:-1].mean(axis=0) == pytest.approx((figure.x, figure.y))
        tip = nose.vertices[2] - (figure.x, figure.y)
        assert tip == pytest.approx(0.5 * np.array(unit_vector(figure.heading_deg)))
    studs = [len(c.get_offsets()) for c in ax.collections if isinstance(c, EllipseCollection)]
    assert studs == [
        120,
        120,
        3,
        3,
    ]  # each with its shadow; no stud fits on the tree, nor over the gate
    ax.figure.canvas.draw()


def test_heights_and_water_are_told_apart_from_each_other_and_from_the_armies():
    low = ground_colors(np.array([-6.0, 0.0, 3.0, 6.0, 9.0]))
    armies = [array_of(color) for color in ("red", "blue", "yellow", "orange", "white", "black")]
    for one, other in combinations([*low, *armies[:4]], 2):
        assert np.abs(one - other).max() > 0.2
    lightness = ground_colors(np.arange(0.0, 28.0, 3.0)).sum(axis=1)
    assert (np.diff(lightness) > 0).all()


def test_an_open_door_has_its_own_line_in_the_legend(field):
    closed = [handle.get_label() for handle in height_patches(terrain(field))]
    handles = height_patches(terrain(field, frozenset({"gate"})))
    (door,) = (handle for handle in handles if handle.get_label() == "open door, 5 bricks")
    assert "door, 5 bricks" in closed
    assert "open door, 5 bricks" not in closed
    assert door.get_facecolor()[3] < 0.5  # the ground is seen through it, as on the field


def test_ground_of_several_depths_is_one_line_of_the_legend():
    sunk = Field(2, 1, (), (-6.0, -3.0))
    (handle,) = height_patches(terrain(sunk))
    assert handle.get_label() == "ground, -2 to -1 bricks"


def test_the_name_of_an_area_is_in_it_or_else_beside_it(field, ax):
    frame_field(field.width, field.length, "studs", ax)
    large, small = NamedArea("yard", 0, 0, 8, 8), NamedArea("gate of the north", 9, 4, 1, 1)
    written, beside = draw_areas([large, small], ax)
    assert [text.get_text() for text in ax.texts] == ["yard"]
    assert [(box.x, box.y) for box in written] == [(4, 4)]
    assert [(label.text, label.thing) for label in beside] == [
        ("gate of the north", Extent(9.5, 4.5, 0.5, 0.5))
    ]


def test_the_axes_of_a_battle_count_studs_as_they_are_typed(ax):
    """The number of a stud stands at its middle, as on the map in characters."""
    state = Bow().initial(Bow().setups["duel"])
    painter = BowPainter()
    frame_field(*painter.size(state), "studs", ax)
    painter.draw_ground(state, ax)
    for axis, count in zip((ax.xaxis, ax.yaxis), painter.size(state), strict=True):
        found = {
            label.get_text(): at
            for label, at in zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
        }
        assert found == {str(stud): stud + 0.5 for stud in range(0, int(count), 5)}
