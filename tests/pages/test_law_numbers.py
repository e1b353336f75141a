"""Numbers of the docs that a law file or a data file has are those of the file."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from brickphys.calibration.experiments.rolls import fit_smooth_curve, published, smooth_curve
from brickphys.odds.distribution import Z90, Z95, wilson
from brickphys.odds.law import Law
from brickphys.odds.law_file import shipped_law
from brickphys.odds.opposed import opposed
from docs import law_tables
from tests.command_line import brickphys

ROOT = Path(__file__).parents[2]
WOOD, BULLET = shipped_law("default"), shipped_law("pybullet")


def page(name: str) -> str:
    """Return the text of a page as one line."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


def per_cent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def half_width(law: Law, digits: int) -> str:
    return per_cent((law.ci95[1] - law.ci95[0]) / 2, digits)


def wood_range() -> tuple[str, str]:
    assert WOOD.range90 is not None
    low, high = WOOD.range90
    return per_cent(low), per_cent(high)


@pytest.mark.parametrize("name", ["laws.md", "engines.md"])
def test_the_tables_of_laws_are_those_of_their_files(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert law_tables.written(name, text) == text


def test_the_list_of_laws_is_what_the_command_prints(tmp_path: Path) -> None:
    printed = brickphys("laws", cwd=tmp_path).stdout.rstrip()
    assert f"$ brickphys laws\n{printed}\n```" in (ROOT / "docs/laws.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("name", ["README.md", "docs/results.md"])
def test_the_range_of_wood_is_that_of_its_law(name: str) -> None:
    low, high = wood_range()
    assert f"a 2x2 brick stops on a side in **{low} to {high} %** of throws" in page(name)


def test_the_nominal_chances_are_those_of_their_laws() -> None:
    text = page("docs/results.md")
    for law, told in ((WOOD, "the nominal: {} %"), (BULLET, "has the nominal {} %")):
        assert told.format(f"{per_cent(float(law.p))} \u00b1 {half_width(law, 1)}") in text
    usual = f"{per_cent(float(WOOD.share))} \u00b1 0.1 % ({round(WOOD.throws, -4):,} throws)"
    assert f"the compiled engine gives {usual}" in text


def test_the_difference_between_the_engines_is_that_of_the_files() -> None:
    *_, difference, _ = law_tables.engine_row("default").split("|")[:-1]
    points = difference.strip(" +")
    bricks = f"{law_tables.by_bullet('default').bricks:,} throws"
    text = page("docs/results.md")
    assert f"Bullet has {points} points more sides than compiled ({bricks})" in text
    assert f"PyBullet has {points} points more ({bricks})" in text
    assert WOOD.systematic is not None
    offset = WOOD.systematic.sources["engine"]
    mean = f"{100 * offset.shift:.2f} \u00b1 {100 * Z95 * offset.error:.2f}"
    assert f"85,000 over the same; in the limit of short steps it has {mean} points more" in text


def test_a_brick_in_a_hand_scores_what_the_files_say() -> None:
    text = page("docs/results.md")
    told = {}
    for name in ("default", "glass", "cloth"):
        *_, difference, _ = law_tables.together_row(name).split("|")[:-1]
        less, error = (f"{float(part):.1f}" for part in difference.strip(" -").split("\u00b1"))
        told[name] = f"-{less}"
        if name == "default":
            share = per_cent(law_tables.in_hands(name).share)
            words = f"score {share} % per brick by PyBullet, {less} \u00b1 {error} points less"
            assert words in text
    words = "{default} points on wood, {glass} on glass and {cloth} on cloth".format(**told)
    assert f"In the shipped laws the difference is {words}." in page("docs/laws.md")


def test_the_odds_of_the_readme_are_those_of_the_law() -> None:
    assert (
        f"  nominal        {per_cent(float(opposed(3, 2, WOOD).success))} %"
        in (ROOT / "README.md").read_text()
    )


def test_few_bricks_say_little_of_the_range() -> None:
    """200,000 tables with a normal p of this 90 % range; the chance is known within 0.3 points (95 %)."""
    low, high = WOOD.range90 or (0.0, 0.0)
    rng = np.random.default_rng(1)
    p = rng.normal((low + high) / 2, (high - low) / 2 / Z90, 200_000)
    shares = rng.binomial(200, p) / 200
    outside = np.mean((shares < low) | (shares > high))
    ends = " and ".join(per_cent(end) for end in np.quantile(shares, (0.05, 0.95)))
    text = page("docs/results.md")
    assert f"{100 * outside:.0f} % lie outside it, and nine in ten between {ends} %" in text


def test_fair_smooth_curves_of_the_prisms_fit_as_the_page_says() -> None:
    """A curve of a higher degree fits better, so the best of few parameters is no lower bound of a model's chi2."""
    rolls = published()["prisms"]
    found = [
        float(rolls.chi2(smooth_curve(rolls.ratios, fit_smooth_curve(rolls, degree, fair=True))))
        for degree in (1, 2, 3, 4)
    ]
    one, two, three, four = found
    assert round(two) == round(three)
    text = page("docs/validation.md")
    told = f"{one:.0f} with one parameter, {two:.0f} with two or three, and {four:.1f} with four"
    assert f"{told} (p {chi2.sf(four, len(rolls.rolls) - 4):.2f})" in text


def test_the_nine_throws_of_a_school_have_their_interval() -> None:
    low, high = (f"{100 * end:.0f}" for end in wilson(3, 9))
    assert f"three on a side (a side in {low} to {high} %)" in page("docs/validation.md")
