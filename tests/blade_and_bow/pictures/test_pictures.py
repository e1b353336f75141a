"""Pictures of the map and of sheets."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from brickphys.blade_and_bow.deck import CardSheet, deck
from brickphys.blade_and_bow.pieces import HIDDEN
from brickphys.blade_and_bow.sheets import counter_sheets, counters
from brickphys.blade_and_bow.state import State
from brickphys.plots.games.blade_and_bow import BladeAndBowPainter
from brickphys.plots.painter import FieldPicture
from tests.blade_and_bow.battle import battle, unit

START = battle(
    "..^^\n~...\n....",
    "greeks hoplite B2 n +2",
    "greeks leader leonidas B2 1-6-3/red",
    "persians archers D1 w disrupted",
    "persians camp C1",
)


def pixels(canvas: Figure) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    """The picture of a canvas."""
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    return np.asarray(agg.buffer_rgba())


def picture(state: State) -> Figure:
    """A battle on its stage."""
    painter = BladeAndBowPainter()
    stage = FieldPicture(painter, state, ())
    stage.make_room(1)
    stage.draw_field(state)
    painter.draw_pieces(state, stage.labels, stage.written, stage.ax)
    return stage.canvas


def written(canvas: Figure) -> list[str]:
    """The texts on the field."""
    return [text.get_text() for text in canvas.axes[0].texts]


def test_units_have_their_letters_and_ranks() -> None:
    assert written(picture(START)) == ["A", "+2", "a", "1"]


def test_hidden_ranks_are_drawn_as_a_question_mark() -> None:
    hidden = START.change_unit(unit(START, "hoplite"), ranks=HIDDEN)
    assert written(picture(hidden)) == ["A", "?", "a", "1"]


def test_axes_have_the_names_of_columns_and_rows() -> None:
    ax = picture(START).axes[0]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["A", "B", "C", "D"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["3", "2", "1"]


def test_what_is_unusual_changes_the_picture() -> None:
    plain = pixels(picture(START))
    hoplite = unit(START, "hoplite")
    for change in ({"disrupted": True}, {"wall": True}, {"marker": True}, {"facing": 1}):
        assert (pixels(picture(START.change_unit(hoplite, **change))) != plain).any(), change
    assert (pixels(picture(START.replaced({"sacked": (False, True)}))) != plain).any()


def test_every_kind_has_a_sheet_and_a_picture() -> None:
    sheets = counter_sheets()
    assert [sheet.name for sheet in sheets] == list(counters())
    canvas = BladeAndBowPainter().sheets_figure(sheets)
    assert len(canvas.axes) == len(sheets)
    for sheet, ax in zip(sheets, canvas.axes, strict=True):
        shown = [text.get_text() for text in ax.texts]
        assert all(cell in shown for row in sheet.rows() for cell in row)


def test_cards_are_drawn_with_their_numbers() -> None:
    cards = [CardSheet(card) for card in (*deck()[::12], *deck()[-3:])]
    canvas = BladeAndBowPainter().sheets_figure(cards)
    for sheet, ax in zip(cards, canvas.axes, strict=True):
        shown = [text.get_text() for text in ax.texts]
        assert shown[:2] == [str(sheet.card.commitment), sheet.name.replace("_", " ")]
        assert " ".join(shown[2].split()) == sheet.about
        assert shown[3:] == [str(number) for number in sheet.card.command]
