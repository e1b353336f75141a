"""Predictions of counts: what the page says, and that counts of the model itself lie within."""

import numpy as np
import pytest
from scipy.stats import beta, binom

from brickphys.calibration.predict import predict
from brickphys.calibration.throw import throw
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import SURFACES
from tests.command_line import answer, assert_refused, brickphys

DAY = "2026-01-02"


@pytest.fixture(scope="module")
def made():
    return predict(["2x2", "d6:16"], ["toss", "drop"], "wood", 200, 800, 3, progress=False, day=DAY)


def test_ranges_are_those_of_the_surface_and_counts_have_the_error_of_the_throws_too(made):
    brick = made.made[0]
    assert (brick.shape, brick.preset) == ("2x2", "toss")
    on = SURFACES["wood"]
    shares = []
    for one in (on.nominal, *on.of_impacts.corners):
        contact = {"friction": one.friction, "restitution": one.restitution}
        thrown = throw("2x2", 800, preset="toss", seed=3, progress=False, **contact)
        shares.append(thrown.counts["side"] / 800)
    side = next(one for one in brick.poses if one.pose == "side")
    assert side.share == shares[0]
    assert side.range == (min(shares), max(shares))
    low, high = side.count
    even = (np.arange(20_000) + 0.5) / 20_000
    least, most = (
        beta.ppf(even, 800 * share + 0.5, 800 * (1 - share) + 0.5) for share in side.range
    )
    below, at = (binom.cdf(count, 200, least).mean() for count in (low - 1, low))
    assert below <= 0.025 <= at
    assert binom.sf(high, 200, most).mean() <= 0.025 <= binom.sf(high - 1, 200, most).mean()


def test_a_count_of_the_model_lies_within_as_often_as_told(made):
    """Sixteen counts of seven poses, each outside in at most 5 %: more than twelve of 112 come once in 10,000."""
    outside = 0
    for seed in range(16):
        for one in (each for each in made.made if each.preset == "toss"):
            counts = throw(one.shape, 200, preset="toss", seed=100 + seed, progress=False).counts
            outside += sum(not p.count[0] <= counts[p.pose] <= p.count[1] for p in one.poses)
    assert outside <= 14


def test_the_page_tells_when_by_what_and_how_it_was_made(made):
    page = made.text()
    assert page.startswith("# Predictions for wood\n")
    assert "Made on 2026-01-02 by brickphys" in page
    assert "seed 3, 800 throws a row" in page.replace("\n", " ")
    assert page.count("| `drop` | ") >= 6 + 2
    assert max(map(len, page.splitlines())) <= 120
    assert np.isclose(sum(pose.share for pose in made.made[0].poses), 1.0, atol=0.01)


def test_the_command_writes_the_page_once(tmp_path):
    words = (
        "predict",
        "d6:16",
        "--presets",
        "drop",
        "--throws",
        "50",
        "--seed",
        "1",
        "--workers",
        "1",
    )
    found = answer(*words, "--out", "page.md", cwd=tmp_path)
    assert found["predictions"][0]["poses"]["1"]["count"][0] > 50
    text = (tmp_path / "page.md").read_text()
    assert "| `drop` | 1 | " in text
    assert_refused(brickphys(*words, "--out", "page.md", cwd=tmp_path), "page.md")
    assert (tmp_path / "page.md").read_text() == text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("2x2 --presets spin", "unknown preset 'spin'"),
        ("2x2 --presets drop,drop", "twice"),
        ("3x", "unknown shape"),
        ("2x2 1x2 2x2", "shape 2x2 is there twice"),
        ("2x2 --counted 0", "counted 0"),
        ("2x2 --throws 0", "throws 0"),
        ("2x2 --surface wod", "wood"),
        ("2x2 --out page.txt", ".md"),
        ("2x2 --out missing/page.md", "missing"),
        ("", "SHAPE"),
    ],
)
def test_impossible_wishes_are_refused(options, told, tmp_path):
    assert_refused(brickphys("predict", *options.split(), "--workers", "1", cwd=tmp_path), told)


def test_a_count_of_nothing_is_refused():
    with pytest.raises(InvalidValueError, match="counted 0"):
        predict(["2x2"], ["drop"], "wood", 0, 10, 1)
