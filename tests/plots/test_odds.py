"""Pictures of odds: what is drawn is what tables and reports say."""

from fractions import Fraction

import pytest
from matplotlib.colors import to_rgb

import brickphys
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import success_table
from brickphys.plots.odds import draw_law, draw_success_table, odds_report_figure
from brickphys.plots.paper import odds_card_figure
from brickphys.rules.report.parts import OddsReport, OddsTable, distribution


@pytest.fixture
def table():
    return success_table(5, 3, BinomialLaw(Fraction(1, 2)))


def test_every_cell_shows_its_chance_at_its_place(table, ax):
    draw_success_table(table, ax, "glass, 2x2")
    shown = {text.get_position(): text.get_text() for text in ax.texts}
    assert shown == {
        (d, a): f"{100 * float(table[a][d]):.0f}" for a in range(1, 6) for d in range(4)
    }
    assert tuple(ax.images[0].get_extent()) == (-0.5, 3.5, 0.5, 5.5)


def test_the_title_says_whose_odds_they_are(table, ax):
    draw_success_table(table, ax, "glass, 2x2")
    assert ax.get_title().splitlines() == ["Success of the attack (%)", "glass, 2x2"]


def test_rare_is_not_written_as_never_nor_likely_as_certain(ax):
    never = (Fraction(0), Fraction(0))
    rare = [Fraction(1, 999), Fraction(998, 999)]
    draw_success_table([never, rare, [0, 1]], ax, "glass, 2x2")
    assert [text.get_text() for text in ax.texts] == ["<1", ">99", "0", "100"]


def luminance(colour):
    """Relative luminance of sRGB (WCAG 2)."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def test_figures_stand_out_from_every_cell(ax):
    row = [Fraction(k, 40) for k in range(41)]
    draw_success_table([row, row], ax, "glass, 2x2")
    for chance, text in zip(row, ax.texts, strict=True):
        cell = luminance(ax.images[0].to_rgba(float(chance))[:3])
        light, dark = sorted((cell, luminance(text.get_color())), reverse=True)
        # 7 is what WCAG 2 asks of small text at its higher level
        assert (light + 0.05) / (dark + 0.05) >= 7


def test_a_card_says_what_was_not_measured_and_has_dark_figures_on_light_cells():
    figure = odds_card_figure(brickphys.odds(3, 2, "pybullet").card())
    (ax,) = figure.axes
    told = " ".join(text.get_text() for text in ax.texts)
    assert "Hands of 2 to 8 bricks were not measured" in told
    cells = [luminance(patch.get_facecolor()[:3]) for patch in ax.patches]
    assert min((cell + 0.05) / 0.05 for cell in cells) >= 7
    assert max(cells) > 2 * min(cells)


def test_cells_darken_with_the_chance(table, ax):
    draw_success_table(table, ax, "glass, 2x2")
    greys = [luminance(ax.images[0].to_rgba(k / 50)[:3]) for k in range(51)]
    assert greys == sorted(greys, reverse=True)


def test_the_picture_can_be_saved(table, ax, tmp_path):
    draw_success_table(table, ax, "glass, 2x2")
    ax.figure.savefig(tmp_path / "odds.png")
    assert (tmp_path / "odds.png").stat().st_size > 5000


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
