"""Pictures of Minifig battles: the table with its pieces, and sheets."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, Rectangle, RegularPolygon

from brickphys.minifig.scenario import scenario_report, sheets
from brickphys.minifig.setting import WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, charts
from brickphys.plots.battle import scenario_figure
from brickphys.plots.colors import player_rgb, rgb
from brickphys.plots.games.minifig import MinifigPainter, wall_color
from brickphys.plots.games.minifig_figures import _BASE_PART
from brickphys.plots.painter import FieldPicture, legend_patches
from tests.minifig.small_battle import SQUARE, battle, fighter


def drawn(state):
    """The axes of a picture of a battle, and its texts with their boxes in pixels."""
    stage = FieldPicture(MinifigPainter(), state, ())
    stage.make_room(1)
    stage.draw_field(state)
    MinifigPainter().draw_pieces(state, stage.labels, stage.written, stage.ax)
    return stage.ax, boxes_of(stage.canvas, stage.ax)


def boxes_of(canvas, ax):
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    return {
        text: text.get_window_extent(agg.get_renderer()) for text in ax.texts if text.get_text()
    }


def line(count, **changes):
    row = [
        fighter(f"red_{n}", 5 + 3 * n, 5, "sword", "shield", "helmet", experience=n % 8)
        for n in range(count)
    ]
    return battle(*row, fighter("blue_1", 40, 30, player=1, facing=180, kind="dog"), **changes)


def discs(ax, radius):
    return {
        tuple(np.round(one.center, 4)): to_hex(one.get_facecolor())
        for one in ax.patches
        if isinstance(one, Circle) and one.radius == radius
    }


def test_every_living_figure_stands_on_a_base_of_its_experience_with_a_rim_of_its_player():
    """MF Experience: green, brown, yellow, white, blue, red, grey, black."""
    state = line(8).change_figure(3, is_alive=False)
    ax, _ = drawn(state)
    assert discs(ax, _BASE_PART * BASE_RADIUS_IN) == {
        state.figures[number].place_in: to_hex(rgb(charts().colours[number % 8]))
        for number in state.alive
    }
    red, blue = (to_hex(player_rgb(name)) for name in ("red", "blue"))
    rims = {state.figures[number].place_in: red for number in state.alive[:-1]}
    assert discs(ax, BASE_RADIUS_IN) == {**rims, (40.0, 30.0): blue}


@pytest.mark.parametrize(("count", "first"), [(8, "0"), (17, "A")])
def test_figures_have_names_or_letters_if_they_are_many(count, first):
    state = line(count + 2)
    _, boxes = drawn(state)
    said = [text.get_text() for text in boxes]
    assert len(said) == len(state.alive)
    assert first in said
    assert not any(one.overlaps(other) for one, other in combinations(boxes.values(), 2))


def test_what_lies_and_stands_about_is_drawn_and_named():
    things = {"bay": ("horse", 10, 20), "cart": ("wagon", 20, 20), "ram": ("big_catapult", 30, 20)}
    state = line(2, things=things, lying={"a": ("axe", 15, 30), "b": ("bow", 15, 30)})
    ax, boxes = drawn(state)
    (diamond,) = (one for one in ax.patches if isinstance(one, RegularPolygon))
    assert diamond.xy == (15.0, 30.0)
    assert {"bay", "cart", "ram", "axe, bow"} <= {text.get_text() for text in boxes}
    assert MinifigPainter().signs(state) == "White diamond: items."
    assert MinifigPainter().signs(line(2)) == ""
    assert MinifigPainter().signs(line(20)) == (
        "Letters: A to T: red, a: blue. Rim of a base: player."
    )


def test_walls_of_other_heights_have_other_greys():
    greys = [wall_color(bricks)[0] for bricks in range(1, 5)]
    assert all(higher - lower > 0.09 for lower, higher in pairwise(greys))


def test_the_legend_names_the_ground_and_the_walls_that_are_there():
    zones = (Zone(ZoneKind.WOODS, SQUARE), Zone(ZoneKind.HILL, SQUARE, 2))
    wall = WallSpec("keep", 30.0, 18.0, 0.0, 16, 3)
    state, painter = line(2, zones=zones, walls=(wall,)), MinifigPainter()
    labels = [patch.get_label() for patch in legend_patches(painter, state)]
    ground = ["woods", "hill, 2 bricks high", "wall, 3 bricks high"]
    assert labels == [
        "red",
        "blue",
        *ground,
        *(f"middle of the base: experience {n}" for n in (0, 1)),
    ]
    breached = state.without_brick(0, 0)
    assert painter.ground(breached) != painter.ground(state)
    more = len(painter.legend(breached)) - len(painter.legend(state))
    assert 0 < more <= painter.later_entries(state)


def brick_count(ax, color):
    return sum(
        isinstance(one, Rectangle) and to_hex(one.get_facecolor()) == to_hex(color)
        for one in ax.patches
    )


@pytest.mark.parametrize(
    "name", ["soldier", "dog", "peasant,spear", "soldier,sword,shield,helmet,plate,mounted"]
)
def test_the_sheet_of_a_figure_shows_its_bricks_and_is_legible(name):
    (sheet,) = sheets(name).sheets
    canvas = MinifigPainter().sheets_figure([sheet])
    (ax,) = canvas.axes
    for side, color in (("attack", "red"), ("defence", "blue")):
        assert brick_count(ax, rgb(color)) == sheet.sides[side].total
    more = sum(bricks for side in sheet.sides for _, bricks, _ in sheet.more(side))
    assert brick_count(ax, "white") == more
    boxes, picture = boxes_of(canvas, ax).values(), canvas.bbox
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(picture.x0 <= box.x0 <= box.x1 <= picture.x1 for box in boxes)


def test_several_sheets_are_drawn_below_each_other():
    assert len(MinifigPainter().sheets_figure(sheets().sheets[:3]).axes) == 3


def test_the_picture_of_a_scenario_tells_what_letters_stand_for():
    (legend,) = scenario_figure(scenario_report("siege"), MinifigPainter()).legends
    assert "A to B: gunner" in legend.get_title().get_text()
    assert not any(" 0," in text.get_text() for text in legend.get_texts())
