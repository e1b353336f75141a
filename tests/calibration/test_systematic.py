"""Nominal and 90 % range of p are those of the truth, for few throws as for many."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.stats import qmc

from brickphys.calibration import response_design
from brickphys.calibration import systematic as module
from brickphys.calibration.response import Response, fit_response
from brickphys.calibration.systematic import (
    CONTACT_LAW_LOGITS,
    POINTS,
    EngineOffset,
    Estimate,
    fit_offset,
    moved_odds,
    systematic,
    to_limit,
)
from brickphys.calibration.throwers import Throwers
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.odds.law_file import default_law, parse_law
from brickphys.odds.provenance import CONTACT_LAW, ENGINE
from brickphys.throws.conditions import Surface

SLOPES = np.array([0.12, -0.08, 0.06, 0.05, 0.0, 0.1, 0.02, 0.0, -0.04])
MIDDLE = -0.85


@pytest.fixture
def no_contact_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the effect of other laws of contact out."""
    monkeypatch.setattr(module, "CONTACT_LAW_LOGITS", (-1e-9, 1e-9))


def p_of(values: np.ndarray, slopes: np.ndarray = SLOPES, middle: float = MIDDLE) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-middle - values @ slopes)))


def fitted(throws: int, seed: int, slopes: np.ndarray = SLOPES, middle: float = MIDDLE) -> Response:
    """Return the response to `throws` bricks at each point, whose logit of p is linear in causes from -1 to 1."""
    ranges = {f"cause {i}": (-1.0, 1.0) for i in range(len(slopes))}
    values = 2 * qmc.Sobol(len(slopes), rng=np.random.default_rng(seed)).random(POINTS[0]) - 1
    sides = np.random.default_rng(1000 + seed).binomial(throws, p_of(values, slopes, middle))
    counts = np.stack([throws - sides, sides], axis=1)
    return fit_response(
        response_design.ResponseDesign("2x2", "hand", ranges, values, counts, 0, seed), 2
    )


def found_by(response: Response, seed: int, offset: EngineOffset | None = None) -> Estimate:
    """Return what is found with a reference engine that has this offset in its limit; None if it has not thrown."""
    limit = None if offset is None else EngineOffset(0.0, 0.0)
    return systematic(response, limit, offset, np.random.default_rng(seed))


def moved_by(logit: float, error: float) -> EngineOffset:
    """Return an offset that is the same everywhere."""
    return EngineOffset(logit, error)


def logits_of(found: Estimate) -> np.ndarray:
    """Return 5th, 50th and 95th percentile in logarithms of odds."""
    p = np.array([found.p_range90[0], found.nominal, found.p_range90[1]])
    return np.asarray(np.log(p / (1 - p)))


@pytest.mark.usefixtures("no_contact_law")
def test_one_uniform_source_has_its_range_in_closed_form() -> None:
    slope = np.array([0.3])
    found = found_by(fitted(10**7, 1, slope), 1)
    # percentiles pass through a rising function: 5 % and 95 % of -1 to 1 are -0.9 and 0.9
    assert found.p_range90 == pytest.approx(p_of(np.array([[-0.9], [0.9]]), slope), abs=0.002)
    assert found.nominal == pytest.approx(p_of(np.zeros((1, 1)), slope)[0], abs=0.002)
    shift = np.diff(p_of(np.array([[-1.0], [1.0]]), slope))[0]
    assert found.systematic.sources["cause 0"].shift == pytest.approx(shift, abs=1e-4)


def test_all_sources_together_have_the_percentiles_of_monte_carlo() -> None:
    rng = np.random.default_rng(2)
    values = rng.uniform(-1, 1, (200_000, len(SLOPES)))
    offset = rng.normal(0.02 / (0.3 * 0.7), 0.004 / (0.3 * 0.7), len(values))
    moved = offset + rng.triangular(CONTACT_LAW_LOGITS[0], 0.0, CONTACT_LAW_LOGITS[1], len(values))
    low, median, high = np.quantile(moved_odds(p_of(values), np.exp(moved)), [0.05, 0.5, 0.95])
    found = found_by(fitted(10**7, 2), 2, moved_by(0.02 / 0.21, 0.004 / 0.21))
    assert (*found.p_range90, found.nominal) == pytest.approx((low, high, median), abs=0.002)
    assert {len(row) for row in found.posterior.values()} == {module.ROWS}
    # the rows that are kept belong together, and have the percentiles of all
    p, causes = np.array(found.posterior["p"]), [found.posterior[f"cause {i}"] for i in range(9)]
    rows = np.array(found.posterior["engine_offset"]) + found.posterior["contact_law"]
    expected = moved_odds(p_of(np.transpose(causes)), np.exp(rows))
    assert np.abs(p - expected).max() < 0.003
    assert np.quantile(p, [0.05, 0.5, 0.95]) == pytest.approx((low, median, high), abs=0.002)


@pytest.mark.slow
@pytest.mark.usefixtures("no_contact_law")
@pytest.mark.parametrize("throws", [256, 2048])
def test_few_throws_make_no_wider_range_than_their_stated_error(
    throws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_shifts", lambda *_: {})  # of no use here; nearly all the time
    values = np.random.default_rng(3).uniform(-1, 1, (200_000, len(SLOPES)))
    truth = np.diff(np.quantile(p_of(values), [0.05, 0.95]))[0]
    made = [found_by(fitted(throws, seed), seed) for seed in range(12)]
    widths = np.array([one.p_range90[1] - one.p_range90[0] for one in made])
    errors = np.array([one.systematic.range_error for one in made])
    # the mean of twelve has an error of 0.3 of one, and both ends move apart by up to twice theirs
    assert abs(widths.mean() - truth) < 0.75 * errors.mean()
    pulls = (widths - truth) / (2 * errors)
    assert np.abs(pulls).max() < 3
    # so has the nominal: of twelve, one is beyond three errors in thirty such runs
    middles = np.array([one.nominal for one in made]) - np.median(p_of(values))
    stated = np.array([one.systematic.nominal_error for one in made])
    assert np.abs(middles / stated).max() < 3


@settings(max_examples=15)
@example(slopes=np.zeros(1), scale=0.1, middle=2.0, throws=4096, offset=moved_by(0.0, 0.05), seed=0)
@given(
    slopes=st.lists(st.floats(-1, 1), min_size=1, max_size=9).map(np.array),
    scale=st.sampled_from([0.01, 0.1, 0.5]),
    middle=st.floats(-2.5, 2.5),
    throws=st.sampled_from([16, 32, 256, 4096]),
    offset=st.none() | st.floats(-0.15, 0.15).map(lambda logit: moved_by(logit, 0.05)),
    seed=st.integers(0, 99),
)
def test_the_range_of_every_law_is_as_wide_as_a_reader_expects(
    slopes: np.ndarray,
    scale: float,
    middle: float,
    throws: int,
    offset: EngineOffset | None,
    seed: int,
) -> None:
    """However few throws a plan has, and however much or little p depends on its causes."""
    try:
        response = fitted(throws, seed, scale * slopes, middle)
    except InvalidValueError:
        assume(False)
    with pytest.MonkeyPatch.context() as fewer:
        fewer.setattr(module, "_DRAWS", 4096)
        fewer.setattr(module, "_SURFACES", 20)
        found = found_by(response, seed, offset)
    sides = round(10**6 * float(p_of(np.zeros((1, len(slopes))), scale * slopes, middle)[0]))
    made = replace(
        default_law(),
        counts={**dict.fromkeys(default_law().counts, 0), "studs_up": 10**6 - sides, "side": sides},
        share_ci95=wilson(sides, 10**6),
        scores={},
        overdispersion=None,
        hands_engine=None,
        nominal=found.nominal,
        p_range90=found.p_range90,
        systematic=found.systematic,
        posterior=found.posterior,
    )
    assert parse_law(made.file_text()) == made


def test_a_flat_surface_leaves_the_distribution_of_the_contact_law() -> None:
    found = found_by(fitted(10**9, 4, np.array([1e-9])), 4)
    low, high = CONTACT_LAW_LOGITS
    # the percentiles of a triangular distribution with its peak at 0, below which 40 % lie
    ends = low + np.sqrt(0.05 * (high - low) * -low), high - np.sqrt(0.05 * (high - low) * high)
    expected = [ends[0], high - np.sqrt(0.5 * (high - low) * high), ends[1]]
    assert logits_of(found) - MIDDLE == pytest.approx(expected, abs=0.003)
    shift = found.systematic.sources[CONTACT_LAW].shift
    assert shift == pytest.approx((high - low) * 0.299 * 0.701, rel=0.02)


@pytest.mark.usefixtures("no_contact_law")
@pytest.mark.parametrize(("logit", "error"), [(0.1, 1e-6), (-0.1, 1e-6), (0.1, 0.05)])
def test_the_offset_of_the_reference_engine_is_applied_with_its_error(logit, error) -> None:
    response = fitted(10**9, 5, np.array([1e-9]))
    before, found = found_by(response, 5), found_by(response, 5, moved_by(logit, error))
    p = float(p_of(np.zeros((1, 1)), np.zeros(1))[0])
    shift = float(moved_odds(p, np.exp(logit))) - p
    assert found.nominal == pytest.approx(before.nominal + shift, abs=0.0011)
    assert np.diff(logits_of(found)) == pytest.approx([1.645 * error] * 2, abs=0.006)
    assert found.systematic.sources[ENGINE].shift == pytest.approx(shift, abs=1e-6)
    assert found.systematic.nominal_error == pytest.approx(error * p * (1 - p), rel=0.001)


@pytest.mark.parametrize("offset", [None, EngineOffset(0.05, 0.02)])
def test_a_law_is_moved_to_the_limit_of_its_reference_engine(offset) -> None:
    """One that its reference engine threw alone has the error of the surface beside that of the limit."""
    response, limit = fitted(4096, 5), EngineOffset(0.1, 0.01)
    before, found = (
        systematic(response, one, offset, np.random.default_rng(5))
        for one in (None if offset is None else EngineOffset(0.0, 0.0), limit)
    )
    assert found.nominal == pytest.approx(
        float(moved_odds(before.nominal, np.exp(0.1))), abs=0.0011
    )
    error = 0.01 * found.nominal * (1 - found.nominal)
    both = hypot(before.systematic.nominal_error, error)
    assert found.systematic.nominal_error == pytest.approx(both, rel=0.04)
    assert found.systematic.to_limit == limit


def test_the_bias_is_that_of_bullet_and_the_side_of_a_brick() -> None:
    assert to_limit("bullet", ("side",)) == EngineOffset(0.0169, 0.0083)
    for other in (("mujoco", ("side",)), ("bullet", ("edge",)), ("bullet", ("side", "top"))):
        assert to_limit(*other).mean == 0
        assert to_limit(*other).error == pytest.approx(hypot(0.0169, 0.0083), abs=1e-4)


def test_an_offset_that_is_large_at_the_usual_throw_and_none_elsewhere_hardly_moves_p() -> None:
    """Truth: the engines differ by half a unit of log odds in a twentieth of the design, and nowhere else."""
    rng = np.random.default_rng(1)
    response = fitted(10**5, 6)
    values = 2 * qmc.Sobol(len(SLOPES), rng=np.random.default_rng(6)).random(POINTS[0]) - 1
    differ = 0.5 * (values[:, 0] > 0.9)
    sides = rng.binomial(2000, moved_odds(p_of(values), np.exp(differ)))
    offset = fit_offset(response, values, sides, 2000)
    assert offset.error == pytest.approx(1 / np.sqrt(2000 * POINTS[0] * 0.21), rel=0.05)
    assert offset.mean == pytest.approx(differ.mean(), abs=4 * offset.error)


@pytest.mark.slow
def test_corners_of_the_ranges_lie_where_the_response_says() -> None:
    # the range has its meaning only if the surface holds in the corners: sharp 2x2 bricks at the ends of four causes
    on = Surface("corners", (0.3, 0.5), (0.4, 0.6), "two corners that were thrown before")
    cell = response_design.design_cell("2x2:r0", "hand", on)
    found = response_design.causes(cell, on)
    four = {
        "friction": found["friction"],
        "restitution": found["restitution"],
        "speed_m_s": replace(found["speed_m_s"], low=0.667, high=1.5),
        "spin_rad_s": replace(found["spin_rad_s"], low=20.0, high=45.0),
    }
    values = response_design.sobol_points(four, POINTS[0], 1)
    with Throwers(1, 1) as throwers:
        tallies = response_design.throw_points(throwers, cell, four, values, 4000)
    assert tallies is not None
    counts = np.array([[tally.bricks - tally.sides, tally.sides] for tally in tallies])
    design = response_design.ResponseDesign(
        "2x2:r0", "hand", response_design.ranges_of(four), values, counts, 0, 1
    )
    response = fit_response(design, 2)
    assert response.p_value > 1e-4
    corners = np.array([[0.3, 0.6, 1.5, 45.0], [0.5, 0.4, 0.667, 20.0]])
    p = response.shares(corners)[:, -1]
    draws = response.draws(300, np.random.default_rng(1))
    error = response.shares(corners, draws)[..., -1].std(axis=0)
    assert error.max() < 0.01
    # thrown at the corners themselves; one of the two is beyond three standard errors once in 190
    assert (np.abs(p - [0.265, 0.340]) < 3 * error).all()
    assert p[1] - p[0] > 0.05
