"""Pictures of moves: names as people write them."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from brickphys.plots.charts import drawable
from brickphys.plots.vehicles import draw_scene, scene_figure
from brickphys.vehicles.collision import near_misses
from brickphys.vehicles.course import Mover, NamedObstacles, resolve
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle
from tests.cases import few


def test_characters_that_the_font_lacks_are_escaped_and_others_kept():
    assert drawable("Jeep é Ω 甲") == r"Jeep é Ω \u7532"


@pytest.mark.parametrize("name", few(["甲車", "$\\frac$", "50 $ car $", "_hidden", "🚙"], 2))
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
    entries = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [entry[0] for entry in entries[:2]] == ["1", "2"]
    assert entries[2:] == [
        "mover at the start",
        "path of its centre",
        "rest of the way, not travelled",
    ]


@pytest.mark.parametrize(
    ("bounds", "place", "speed", "units", "x", "y"),
    [
        ((48.0, 32.0), (40.0, 16.0), 4, (), (31.0, 54.0), (9.0, 23.0)),
        ((80.0, 80.0), (20.0, 16.0), 2, (Unit("man", 22.5, 30.5),), (11.0, 39.0), (9.0, 35.0)),
    ],
    ids=["and a vehicle that leaves it whole", "with things on it"],
)
def test_only_a_part_of_the_field_is_shown(bounds, place, speed, units, x, y):
    jeep = Vehicle("jeep", *place, 0.0, 10.0, 6.0, speed=speed)
    scene = Scene(Bounds(*bounds), "jeep", (jeep,), units)
    ax = Figure().add_subplot()
    draw_scene(scene, resolve(scene), ax)
    assert (ax.get_xlim(), ax.get_ylim()) == (x, y)


def test_sectors_are_shown_whole_and_ticks_are_whole_studs():
    jeep = Vehicle("jeep", 10.0, 16.0, 0.0, 10.0, 6.0, speed=4)
    truck = Vehicle("truck", 30.0, 18.0, 90.0, 16.0, 8.0)
    scene = Scene(Bounds(48.0, 28.0), "jeep", (jeep, truck))
    ax = Figure().add_subplot()
    draw_scene(scene, resolve(scene), ax)
    wheel = [patch.get_extents() for patch in ax.patches if isinstance(patch, Wedge)]
    low, high = ax.transData.transform(
        [(ax.get_xlim()[0], ax.get_ylim()[0]), (ax.get_xlim()[1], ax.get_ylim()[1])]
    )
    assert len(wheel) == 4
    assert all((box.min > low).all() and (box.max < high).all() for box in wheel)
    assert all(tick == round(tick) for tick in (*ax.get_xticks(), *ax.get_yticks()))


def test_gaps_are_drawn_between_the_nearest_points_and_sectors_are_in_the_legend():
    jeep = Vehicle("jeep", 10.0, 16.0, 0.0, 10.0, 6.0, speed=4)
    truck = Vehicle("truck", 34.0, 16.0, 90.0, 12.0, 6.0)
    scene = Scene(Bounds(48.0, 48.0), "jeep", (jeep, truck), (Unit("archer", 20.5, 22.5),))
    move = resolve(scene)
    misses = near_misses(Mover.of(jeep), move, NamedObstacles.of(scene.bounds, scene.things), 9.0)
    figure = scene_figure(scene, move, misses)
    (legend,), (ax,) = figure.legends, figure.axes
    (gap,) = [line for line in ax.lines if line.get_color() == "#7b2d8b" and len(line.get_xdata())]
    assert gap.get_xydata().tolist() == [[20.0, 19.0], [20.0, 22.0]]
    told = [text.get_text() for text in legend.get_texts()]
    assert told[-5:] == [
        "nearest gap (studs)",
        "front sector",
        "left sector",
        "right sector",
        "rear sector",
    ]


@pytest.mark.parametrize("hits", [5, 40])
def test_many_hits_are_told_below_the_field_and_cover_none_of_it(hits):
    bus = Vehicle("bus" * 30, 6.0, 6.0, 0.0, 8.0, 8.0, speed=12)
    units = tuple(Unit(f"knight of the royal guard {n}", 11.5 + n, 6.0) for n in range(hits))
    scene = Scene(Bounds(60.0, 12.0), bus.id, (bus,), units)
    figure = scene_figure(scene, resolve(scene))
    FigureCanvasAgg(figure).draw()
    (legend,), (ax,) = figure.legends, figure.axes
    told = [text.get_text() for text in legend.get_texts() if text.get_text()[0].isdigit()]
    assert len(told) == min(hits, 23)
    assert not legend.get_window_extent().overlaps(ax.get_tightbbox())
    assert ax.title.get_window_extent().width < figure.bbox.width
