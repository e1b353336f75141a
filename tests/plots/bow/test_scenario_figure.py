"""Pictures of scenarios."""

from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from brickphys.bow.scenario import scenario_report
from brickphys.plots.battle import scenario_figure
from brickphys.plots.games.bow import BowPainter, figures

KEY = """
title = "The lost key"
players = [{ name = "robbers" }, { name = "guards" }]
map = '''
..........T.
.R...#......
.....+...k..
.R...#...G..
..-------...
'''
[legend]
R = { unit = "swordsman", player = "robbers" }
G = { unit = "knight", player = "guards" }
k = { item = "key", area = "den" }
[[aims]]
kind = "carry"
player = "robbers"
item = "key"
area = [0, 0, 2, 5]
"""


@pytest.fixture(params=["lost_key.toml", "princess"])
def report(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lost_key.toml").write_text(KEY)
    return scenario_report(request.param)


def drawn(report):
    canvas = scenario_figure(report, BowPainter())
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    (ax,) = canvas.axes
    return ax, {text: text.get_window_extent(agg.get_renderer()) for text in ax.texts}


def test_aims_named_areas_and_things_are_named(report):
    _, boxes = drawn(report)
    named = {
        "The lost key": {"aim of robbers", "den", "key"},
        "The princess in the castle": {"wood, aim of rescuers"},
    }
    assert named[report.title] <= {text.get_text().replace("\n", " ") for text in boxes}


def test_no_label_is_on_a_head_or_on_another_label(report):
    ax, boxes = drawn(report)
    labels = [box for text, box in boxes.items() if text.get_fontstyle() != "italic"]
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))
    for figure in figures(report.state):
        head = ax.transData.transform((figure.x, figure.y))
        assert not any(box.contains(*head) for box in labels)
