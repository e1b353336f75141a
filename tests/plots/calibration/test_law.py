"""The pictures of a law show what the law holds, whole or cut short, and how far each cause moves it."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.calibration.sensitivity import CauseEffect, RangeEnd, Sensitivity, SobolIndex
from brickphys.odds.distribution import Distribution, wilson
from brickphys.odds.law import Law
from brickphys.odds.law_file import default_law
from brickphys.odds.provenance import LawConditions, LawSurface, Source, Systematic
from brickphys.odds.roll import overdispersion
from brickphys.plots.law import draw_scores, draw_systematic, draw_tornado, law_figure
from brickphys.plots.throws import draw_poses
from tests.cases import few_rows

SCORES = {
    1: (7000, 3000),
    2: (52, 39, 9),
    3: (32, 45, 22, 1),
    4: (23, 32, 36, 8, 1),
    5: (14, 32, 40, 12, 2, 0),
    6: (11, 37, 29, 15, 7, 1, 0),
}
SOURCES = {
    "restitution": Source(0.4, 0.6, -0.002, 0.004),
    "spin_rad_s": Source(20.0, 45.0, -0.04, 0.004),
    "friction": Source(0.3, 0.5, 0.06, 0.004),
}


@pytest.fixture
def law():
    return Law(
        counts={"studs_up": 3199, "studs_down": 3800, "side": 3000, "leaning": 1, "unsettled": 0},
        share_ci95=wilson(3000, 10_000),
        scores=SCORES,
        shape="2x2",
        surface=LawSurface("wood", 0.4, 0.5),
        conditions=LawConditions((100.0, 300.0), 1.0, 30.0, preset="hand"),
        engine="bullet",
        versions={"brickphys": "0.1.0"},
        seed=7,
        overdispersion=overdispersion(SCORES),
        p_range90=(0.265, 0.345),
        systematic=Systematic(0.003, 5000, SOURCES),
    )


@pytest.fixture
def cut_short(law):
    """What Ctrl-C during the single bricks leaves."""
    return replace(
        law,
        scores={1: SCORES[1]},
        overdispersion=None,
        p_range90=None,
        systematic=None,
        complete=False,
    )


def heights(bars):
    return [bar.get_height() for bar in bars]


def whiskers(container, axis):
    """The two ends of each error bar along an axis (0 or 1)."""
    return [tuple(sorted(ends[:, axis])) for ends in container.lines[2][0].get_segments()]


def per_cent(count, total):
    return tuple(100 * end for end in wilson(count, total))


def test_a_pose_has_a_bar_of_its_share_with_its_interval(law, ax):
    draw_poses(law, ax)
    bars, intervals = ax.containers
    counts = list(law.counts.values())
    assert heights(bars) == pytest.approx([count / 100 for count in counts])
    expected = [per_cent(count, 10_000) for count in counts]
    for got, want in zip(whiskers(intervals, 1), expected, strict=True):
        assert got == pytest.approx(want, abs=1e-9)
    labels = [label.get_text().replace("\n", "_") for label in ax.get_xticklabels()]
    assert labels == list(law.counts)


def test_rare_is_not_written_as_never(law, ax):
    draw_poses(law, ax)
    assert [text.get_text() for text in ax.texts] == ["32.0", "38.0", "30.0", "<0.1", "0"]


def test_only_the_side_stands_out(law, ax):
    draw_poses(law, ax)
    colours = [bar.get_facecolor() for bar in ax.containers[0]]
    side = list(law.counts).index("side")
    assert colours.count(colours[side]) == 1
    assert len(set(colours)) == 2


def test_hands_of_each_size_stand_beside_independent_bricks(law, ax):
    draw_scores(law, ax)
    drawn = zip(SCORES.items(), ax.containers[::2], ax.containers[1::2], ax.lines, strict=True)
    for (bricks, counts), bars, intervals, independent in drawn:
        hands = sum(counts)
        assert heights(bars) == pytest.approx([100 * n / hands for n in counts])
        for got, count in zip(whiskers(intervals, 1), counts, strict=True):
            assert got == pytest.approx(per_cent(count, hands), abs=1e-9)
        binomial = Distribution.binomial(bricks, Fraction(3, 10))
        expected = [100 * float(binomial[score]) for score in range(bricks + 1)]
        assert independent.get_ydata() == pytest.approx(expected)


def test_every_bar_of_a_score_has_its_own_place_and_name(law, ax):
    draw_scores(law, ax)
    middles = [bar.get_x() + bar.get_width() / 2 for bars in ax.containers[::2] for bar in bars]
    assert len(set(middles)) == len(middles) == sum(k + 1 for k in SCORES)
    assert list(ax.get_xticks()) == pytest.approx(middles)
    names = [label.get_text() for label in ax.get_xticklabels()]
    assert names == [str(score) for k in SCORES for score in range(k + 1)]


def test_the_title_tells_whether_bricks_influence_each_other(law, ax):
    draw_scores(law, ax)
    assert "no correlation between them was found" in ax.get_title()
    assert "95 % interval" in ax.get_title()
    assert "\N{MINUS SIGN}0.000" not in ax.get_title()
    clumped = {4: (50, 5, 5, 5, 35)}
    draw_scores(replace(law, scores=clumped, overdispersion=overdispersion(clumped)), ax)
    assert "the bodies are correlated" in ax.get_title()


def test_a_source_spans_its_shift_around_the_middle_of_the_range_and_the_largest_is_on_top(law, ax):
    draw_systematic(law, ax)
    lows, highs, errors, _ = ax.containers
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [
        "90 % range",
        "friction 0.3 to 0.5",
        "spin 20 to 45 rad/s",
        "restitution 0.4 to 0.6",
    ]
    assert ax.yaxis_inverted()
    ordered = (0.06, -0.04, -0.002)
    for low, high, shift in zip(lows, highs, ordered, strict=True):
        assert low.get_x() == high.get_x() == pytest.approx(30.5)
        assert high.get_width() == pytest.approx(50 * shift)
        assert low.get_width() == pytest.approx(-50 * shift)
    for ends, shift in zip(whiskers(errors, 0), ordered, strict=True):
        middle = 30.5 + 50 * shift
        assert ends == pytest.approx((middle - 0.392, middle + 0.392), abs=1e-3)


def test_the_engine_has_moved_the_nominal_by_its_whole_shift(ax):
    law = default_law()
    draw_systematic(law, ax)
    lows, highs, errors, _ = ax.containers
    row = [label.get_text() for label in ax.get_yticklabels()].index("reference engine") - 1
    p, source = 100 * float(law.p), law.systematic.sources["engine"]
    assert (lows[row].get_x(), highs[row].get_width()) == pytest.approx((p, 0), abs=1e-9)
    assert lows[row].get_width() == pytest.approx(-100 * source.shift)
    assert whiskers(errors, 0)[row] == pytest.approx(
        (p - 196 * source.error, p + 196 * source.error), abs=1e-3
    )


def test_both_doubts_are_drawn_side_by_side(law, ax):
    draw_systematic(law, ax)
    (total,) = ax.containers[3]
    assert (total.get_x(), total.get_width()) == pytest.approx((26.5, 8))
    band = ax.patches[0]
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx(per_cent(3000, 10_000))
    left, right = ax.get_xlim()
    assert left < 26.5
    assert right > 34.5


def test_a_law_cut_short_says_what_it_lacks(cut_short):
    figure = law_figure(cut_short)
    systematic, _, scores = sorted(figure.axes, key=lambda ax: ax.get_title())
    assert systematic.get_title() == "90 % range of a side: not measured"
    assert [text.get_text() for text in systematic.texts] == ["not measured"]
    assert len(scores.containers[0]) == 2
    assert "interrupted" in figure.get_suptitle()


def test_a_law_without_any_hands_has_an_empty_panel(law, ax):
    draw_scores(replace(law, scores={}, overdispersion=None), ax)
    assert not ax.containers
    assert [text.get_text() for text in ax.texts] == ["no hands were thrown"]


def test_the_title_says_what_was_thrown_and_what_came_of_it(law):
    title = law_figure(law).get_suptitle()
    for part in ("2x2", "hand", "wood", "bullet", "10,000", "seed 7", "30.0 %", "29.1 % to 30.9 %"):
        assert part in title
    assert "interrupted" not in title


@pytest.mark.parametrize(
    ("kind", "suffix"),
    few_rows(
        [
            *(("law", "png"), ("cut_short", "svg")),
            *(("law", "svg"), ("law", "pdf"), ("cut_short", "png"), ("cut_short", "pdf")),
        ],
        2,
    ),
)
def test_the_picture_can_be_saved(kind, suffix, request, tmp_path):
    target = tmp_path / f"law.{suffix}"
    law_figure(request.getfixturevalue(kind)).savefig(target)
    assert target.stat().st_size > 5000


def test_no_side_at_all_can_be_drawn(law):
    never = replace(
        law,
        counts={"studs_up": 50, "side": 0},
        share_ci95=wilson(0, 50),
        scores={1: (50, 0)},
        overdispersion=None,
    )
    assert "0 %" in law_figure(never).get_suptitle()


@pytest.mark.slow  # that no module imports it is a fast test, in test_imports
def test_pyplot_is_left_alone():
    code = (
        "import sys, brickphys.plots.law, brickphys.plots.throws; "
        "from brickphys.odds.law_file import default_law; brickphys.plots.law.law_figure(default_law()); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


NONE = SobolIndex(0.0, (0.0, 0.0))


def effect(low, high):
    ends = [RangeEnd(value, p, (p - 0.002, p + 0.002)) for value, p in ((1.0, low), (2.0, high))]
    return CauseEffect(NONE, NONE, *ends)


def test_bars_end_where_the_chance_is_and_are_sorted(ax):
    effects = {"wall_mm": effect(0.29, 0.31), "friction": effect(0.33, 0.27)}
    draw_tornado(Sensitivity(0.3, 0.02, (0.01, 0.03), effects, 0.9, 1000), ax)
    *both, errors = ax.containers
    ends = [[bar.get_x() + bar.get_width() for bar in bars] for bars in both]
    assert ends[0] == pytest.approx([33.0, 29.0])
    assert ends[1] == pytest.approx([27.0, 31.0])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["friction\n1 to 2", "wall\n1 to 2 mm"]
    whiskers = errors.lines[2][0].get_segments()
    assert whiskers[0][:, 0] == pytest.approx([32.8, 33.2])
