"""Pictures of moves: names as people write them."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from brickphys.plots.glyphs import drawable
from brickphys.plots.scene import draw_scene, scene_figure
from brickphys.vehicles.resolve import resolve
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle


def test_characters_that_the_font_lacks_are_escaped_and_others_kept():
    assert drawable("Jeep é Ω 甲") == r"Jeep é Ω \u7532"


@pytest.mark.parametrize("name", ["甲車", "$\\frac$", "50 $ car $", "_hidden", "🚙"])
def test_any_name_can_be_drawn(name):
    """Matplotlib warns of missing glyphs, and warnings are errors here."""
    wall = Fixture(f"{name} wall", ((22.0, 10.0), (23.0, 10.0), (23.0, 22.0), (22.0, 22.0)))
    scene = Scene(
        Bounds(48.0, 32.0),
        name,
        (Vehicle(name, 10.0, 16.0, 0.0, 10.0, 6.0, speed=4),),
        (Unit(f"{name} unit", 18.5, 16.0),),
        (wall,),
    )
    figure = Figure()
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    draw_scene(scene, resolve(scene), ax)
    figure.canvas.draw()
    assert drawable(name) in ax.get_title().replace("\\$", "$")
    assert len(ax.get_legend().get_texts()) == 2


def test_a_vehicle_that_leaves_the_field_is_shown_whole():
    jeep = Vehicle("jeep", 40.0, 16.0, 0.0, 10.0, 6.0, speed=4)
    scene = Scene(Bounds(48.0, 32.0), "jeep", (jeep,))
    ax = Figure().add_subplot()
    draw_scene(scene, resolve(scene), ax)
    assert ax.get_xlim() == (-1.0, 54.0)
    assert ax.get_ylim() == (-1.0, 33.0)


@pytest.mark.parametrize("hits", [5, 40])
def test_many_hits_are_told_below_the_field_and_cover_none_of_it(hits):
    bus = Vehicle("bus" * 30, 6.0, 6.0, 0.0, 8.0, 8.0, speed=12)
    units = tuple(Unit(f"knight of the royal guard {n}", 11.5 + n, 6.0) for n in range(hits))
    scene = Scene(Bounds(60.0, 12.0), bus.id, (bus,), units)
    figure = scene_figure(scene, resolve(scene))
    FigureCanvasAgg(figure).draw()
    (legend,), (ax,) = figure.legends, figure.axes
    assert len(legend.get_texts()) == min(hits, 24)
    assert not legend.get_window_extent().overlaps(ax.get_tightbbox())
    assert ax.title.get_window_extent().width < figure.bbox.width
