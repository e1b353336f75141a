"""Pictures of sheets."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.plate import StudForm, plate_of, summary
from brickphys.plots.games.bow_sheet import SIZE_INCHES, draw_sheet
from brickphys.shapes.piece import PALETTE
from tests.cases import few


@pytest.fixture
def ax():
    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    return figure.subplots()


@pytest.mark.parametrize("name", ["trooper", "rocketeer", "wizard", "snowspeeder"])
def test_every_point_lies_on_its_stud_in_its_colour(name, ax):
    plate = plate_of(catalogue().sheet(name), catalogue())
    draw_sheet(plate, name, "", "", ax)
    drawn = {
        (int(patch.get_y()), int(patch.get_x())): to_hex(patch.get_facecolor())
        for patch in ax.patches
        if isinstance(patch, Rectangle) and patch.get_fill() and patch.get_width() > 0.9
    }
    told = {
        (row, column): "#{:02x}{:02x}{:02x}".format(*PALETTE[cell.colour])
        for row, cells in enumerate(plate.rows)
        for column, cell in enumerate(cells)
        if cell.form is not StudForm.BARE
    }
    assert drawn == told


@pytest.mark.parametrize("name", few(catalogue().sheets, 4))
def test_labels_tell_the_points_and_stay_in_the_picture(name, ax):
    sheet = catalogue().sheet(name)
    plate = plate_of(sheet, catalogue())
    draw_sheet(plate, name, sheet.about, summary(sheet), ax)
    ax.figure.canvas.draw()
    texts = {text.get_text() for text in ax.texts}
    assert {f"{panel.block.label}  {panel.points}" for panel in plate.panels} <= texts
    picture = ax.figure.bbox
    for text in ax.texts:
        box = text.get_window_extent()
        assert picture.x0 <= box.x0 <= box.x1 <= picture.x1, text.get_text()
        assert picture.y0 <= box.y0 <= box.y1 <= picture.y1, text.get_text()
