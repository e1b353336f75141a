"""Pictures of Pirate Wars: sheets of ships, the sea, and films."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from brickphys.pirate_wars.army import parts, sheet_list
from brickphys.pirate_wars.morale import MoraleEffect, suffer
from brickphys.pirate_wars.sheets import Allegiance, ship, ships
from brickphys.plots.battle import scenario_figure, trajectories_figure
from brickphys.plots.film import Film
from brickphys.plots.games.pirate_wars import PirateWarsPainter
from brickphys.plots.games.pirate_wars_ship import HIT_COLOR
from brickphys.text import spoken
from brickphys.view.games.pirate_wars import PirateWarsBuilder
from tests.cases import few
from tests.pirate_wars.close_quarters import GAME, battle
from tests.pirate_wars.fleet import boat, fleet


def drawn(canvas):
    """The axes of a figure, and its texts with their boxes in pixels."""
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    (ax,) = canvas.axes
    legend = ax.get_legend()
    texts = [text for text in ax.texts if text.get_text()]
    texts += legend.get_texts() if legend else []
    return ax, {text: text.get_window_extent(agg.get_renderer()) for text in texts}


def crosses(ax):
    """How many lines of damage charts are crossed off: each by two strokes."""
    return sum(to_hex(line.get_color()) == to_hex(HIT_COLOR) for line in ax.lines) // 2


@pytest.mark.parametrize("name", few(ships(), 2))
def test_the_sheet_of_a_ship_is_legible(name):
    plan = sheet_list(name).sheets[0].marked({"damage": 2})
    canvas = PirateWarsPainter().sheets_figure([plan])
    ax, boxes = drawn(canvas)
    lost = plan.sheet.chart.hull + plan.sheet.chart.sails - plan.damage.hull - plan.damage.sails
    assert crosses(ax) == lost
    strokes = [line.zorder for line in ax.lines if to_hex(line.get_color()) == to_hex(HIT_COLOR)]
    names = [text for text in boxes if text.get_text() in ("SF", "HF")]
    assert all(text.zorder > max(strokes) and text.get_bbox_patch() for text in names)
    said = [text.get_text() for text in boxes]
    for number, gun in enumerate(plan.sheet.guns):
        assert f"gun{number}{chr(10) + 'below' if gun.is_below else ''}" in said
    assert {spoken(place.value) for place, _ in parts(plan.sheet)} - {"helm"} < {*said}
    for one, other in combinations(boxes, 2):
        is_hidden = {one.get_text(), other.get_text()} <= {"SF", "HF"}
        assert is_hidden or not boxes[one].overlaps(boxes[other]), (one, other)
    picture = canvas.bbox
    for box in boxes.values():
        assert picture.x0 <= box.x0 <= box.x1 <= picture.x1
        assert picture.y0 <= box.y0 <= box.y1 <= picture.y1


def test_several_sheets_are_drawn_below_each_other():
    canvas = PirateWarsPainter().sheets_figure(sheet_list().sheets[:3])
    assert len(canvas.axes) == 3


@pytest.mark.parametrize("seed", few([13, 3, 26]))
def test_the_course_of_a_battle_is_legible(seed):
    record = battle(seed)
    canvas = trajectories_figure(GAME.trajectories(record), PirateWarsPainter())
    ax, boxes = drawn(canvas)
    ships_left = zip(record.final.setting.ships, record.final.ships, strict=True)
    lines = [(spec.sheet.chart, ship.damage) for spec, ship in ships_left]
    lost = [chart.hull + chart.sails - left.hull - left.sails for chart, left in lines]
    assert crosses(ax) == sum(lost)
    assert "Line: way of the rudder." in canvas.texts[0].get_text().replace("\n", " ")
    names = {spec.name for spec in record.final.setting.ships}
    labels = [text for text in boxes if text.get_text().split(" ")[0] in names]
    on_sea = [text for text in labels if text.get_bbox_patch() is not None]
    assert {text.get_text().split(" ")[0] for text in on_sea} == names
    assert not any(boxes[one].overlaps(boxes[other]) for one, other in combinations(on_sea, 2))


@pytest.mark.parametrize("name", few(GAME.setups))
def test_a_scenario_shows_all_ships_and_forms(name):
    report = GAME.scenario(name)
    _, boxes = drawn(scenario_figure(report, PirateWarsPainter()))
    said = [text.get_text() for text in boxes]
    for spec in report.state.setting.ships:
        assert spec.name in said
        assert f"{spec.name}, {spec.sheet.title}" in said
    assert said.count("HF") == sum(army.counts["HF"] for army in report.armies)
    assert said.count("SF") == sum(army.counts["SF"] for army in report.armies)


@pytest.mark.slow
def test_a_film_shows_every_beat():
    record = battle(6)
    found = GAME.trajectories(record)
    film = Film(found, PirateWarsPainter())
    images = list(film)
    assert len(images) + film.left_out == len(found.frames)
    assert all(np.any(one != other) for one, other in pairwise(images))


def test_pirates_and_imperials_are_told_apart():
    assert ship("black_pearl").side is Allegiance.PIRATE
    colors = set()
    for name in ("black_pearl", "imperial_flagship"):
        ax, _ = drawn(PirateWarsPainter().sheets_figure(sheet_list(name).sheets))
        colors.add(to_hex(ax.collections[0].get_facecolor()[0]))
    assert len(colors) == 2


def test_a_picture_tells_of_swimmers_abandoned_ships_and_ships_without_guns():
    """PW, Morale Chart: the crew of the first ship has taken to the water; the second one has no cannons."""
    state = fleet(boat(x=100, y=100), boat(x=100, y=200, player=1))
    state = suffer(state, 0, MoraleEffect.ABANDON).change_ship(1, guns=())
    pieces = PirateWarsPainter().pieces(state)
    assert [label.text for label in pieces.labels] == ["a", "b", "10 in the water"]
    said = {mark.given[0] for mark in pieces.marks if isinstance(mark.given[0], str)}
    assert {"crew 0, 4 of 4 guns loaded, abandoned", "crew 10, no guns"} <= said
    swimming = [one.key for one in PirateWarsBuilder().pieces(state) if "swimmer" in one.key]
    assert len(swimming) == 10
