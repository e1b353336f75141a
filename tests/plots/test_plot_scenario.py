"""Pictures of scenarios."""

from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from brickphys.bow.setup.scenario_check import begin, totals
from brickphys.bow.setup.scenario_file import SCENARIOS, parse_scenario
from brickphys.plots.bow.pieces import figures
from brickphys.plots.bow.scenario import scenario_figure

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


def drawn(read):
    state = begin(read)
    canvas = scenario_figure(read, state, totals(state))
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    (ax,) = canvas.axes
    boxes = {text: text.get_window_extent(agg.get_renderer()) for text in ax.texts}
    return state, ax, boxes


@pytest.mark.parametrize(
    ("read", "named"),
    [
        (parse_scenario(KEY), {"aim of robbers", "den", "key"}),
        (SCENARIOS.scenario("princess"), {"wood, aim of rescuers"}),
    ],
)
def test_aims_named_areas_and_things_are_named(read, named):
    _, _, boxes = drawn(read)
    assert named <= {text.get_text().replace("\n", " ") for text in boxes}


@pytest.mark.parametrize("read", [parse_scenario(KEY), SCENARIOS.scenario("princess")])
def test_no_label_is_on_a_head_or_on_another_label(read):
    state, ax, boxes = drawn(read)
    labels = [box for text, box in boxes.items() if text.get_fontstyle() != "italic"]
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))
    for figure in figures(state):
        head = ax.transData.transform((figure.x_studs, figure.y_studs))
        assert not any(box.contains(*head) for box in labels)
