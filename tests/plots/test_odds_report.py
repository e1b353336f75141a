"""Pictures of the exact odds of a game's rolls: what is drawn is what the report says."""

from fractions import Fraction

import pytest

from brickphys.odds.distribution import Distribution
from brickphys.plots.odds import draw_law, odds_report_figure
from brickphys.rules.report.parts import OddsReport, OddsTable, distribution

LAW = Distribution.binomial(3, Fraction(1, 3))


def test_a_law_is_drawn_bar_by_bar(ax):
    draw_law("hits", LAW, ax)
    (bars,) = ax.containers
    assert [bar.get_height() for bar in bars] == pytest.approx(
        [100 * float(p) for p in LAW.values()]
    )
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars] == pytest.approx(list(LAW))


@pytest.mark.parametrize(
    "law", [LAW, Distribution.from_counts({0: 1}), Distribution.binomial(1, Fraction(1, 2))]
)
def test_the_axis_of_a_law_has_no_number_that_it_has_not(law, ax):
    draw_law("hits", law, ax)
    low, high = ax.get_xlim()
    ticks = [tick for tick in ax.get_xticks() if low <= tick <= high]
    assert ticks
    assert set(ticks) <= set(law)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_every_law_has_a_panel_beside_that_of_the_chances(count):
    laws = {f"law {number}": LAW for number in range(count)}
    figure = odds_report_figure(OddsReport("three dice", {"some hit": Fraction(19, 27)}, laws))
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["", *(f"{name}, mean 1.00" for name in laws)]
    assert figure.axes[0].patches[0].get_width() == pytest.approx(100 * 19 / 27)


def test_a_table_is_drawn_cell_by_cell():
    table = OddsTable(("dog", "knight"), ("hare",), ((Fraction(1, 4),), (Fraction(999, 1000),)))
    (ax,) = odds_report_figure(OddsReport("hunting", table=table)).axes
    assert [text.get_text() for text in ax.texts] == ["25", ">99"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["dog", "knight"]


def test_a_report_is_written_exactly():
    table = OddsTable(("dog",), ("hare", "fox"), ((Fraction(1, 4), Fraction(1, 8)),))
    doubts = {"e": ((0.3, 0.4), None)}
    document = OddsReport("t", {"e": Fraction(1, 3)}, {"n": LAW}, doubts, table).document()
    assert document["chances"]["e"] == {
        "p": 1 / 3,
        "exact": "1/3",
        "ci95": (0.3, 0.4),
        "range90": None,
    }
    assert document["laws"]["n"]["exact"]["3"] == "1/27"
    assert document["table"] == {
        "rows": ("dog",),
        "columns": ("hare", "fox"),
        "p": [[0.25, 0.125]],
        "exact": [["1/4", "1/8"]],
    }


def test_a_report_of_dice_has_neither_doubts_nor_a_table():
    document = OddsReport("t", {"e": Fraction(1, 3)}).document()
    assert document["chances"]["e"].keys() == {"p", "exact"}
    assert "table" not in document


def test_equal_values_of_a_distribution_are_added_up():
    parts = [(1, Fraction(1, 3)), (2, Fraction(1, 2)), (1, Fraction(1, 6))]
    assert distribution(parts) == Distribution((1, 2), (1, 1))
