"""The response surface: known shares come back with the stated error, and what it misses is told."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.calibration.response import fit_response
from brickphys.calibration.response_design import (
    ANY_SURFACE,
    RESPONSE_POSES,
    ResponseDesign,
    causes,
    design_cell,
    moved,
    shipped_design,
    sobol_points,
    throw_design,
    write_design,
)
from brickphys.calibration.throwers import chunks, throw
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import SURFACES, surface
from tests.fitted import shipped_response

RANGES = {"friction": (0.1, 0.8), "restitution": (0.0, 0.6), "spin_rad_s": (20.0, 40.0)}


def truth(points):
    """Shares that a polynomial of the second degree in the logits makes."""
    low, high = np.array(list(RANGES.values())).T
    x, y, z = (2 * (points - low) / (high - low) - 1).T
    weights = np.exp(
        np.stack([0.1 - 0.4 * x + 0.1 * y * z, 0.3 + 0.2 * y**2 - 0.1 * z, 0 * x], axis=-1)
    )
    return weights / weights.sum(axis=1, keepdims=True)


def design(points, throws, seed, shares=truth):
    rng = np.random.default_rng(seed)
    low, high = np.array(list(RANGES.values())).T
    values = rng.uniform(low, high, (points, 3))
    counts = rng.multinomial(throws, shares(values))
    return ResponseDesign("2x2", "hand", RANGES, values, counts, 0, seed)


def test_known_shares_come_back_with_the_stated_error():
    rng = np.random.default_rng(1)
    low, high = np.array(list(RANGES.values())).T
    places = rng.uniform(low, high, (20, 3))
    pulls = []
    for seed in range(20):
        response = fit_response(design(200, 500, seed), 2)
        drawn = np.array([response.shares(places, c)[:, 2] for c in response.draws(60, rng)])
        pulls.append((response.shares(places)[:, 2] - truth(places)[:, 2]) / drawn.std(axis=0))
    # 400 pulls, some twenty of them independent in a fit of ten terms: standard error about 0.04
    assert np.std(pulls) == pytest.approx(1.0, abs=0.15)


def test_a_surface_of_the_right_form_passes_its_own_test():
    p_values = [fit_response(design(100, 300, seed), 2).p_value for seed in range(100)]
    assert np.mean(np.array(p_values) < 0.1) <= 0.2  # 10 % expected, 20 % once in a thousand


def test_a_surface_that_misses_says_so_and_widens_its_error():
    def wavy(points):
        bump = 0.1 * np.sin(25 * points[:, :1])
        shares = truth(points)
        return np.concatenate([shares[:, :1] + bump, shares[:, 1:2] - bump, shares[:, 2:]], axis=1)

    fair, missing = (fit_response(design(200, 2000, 3, shares), 2) for shares in (truth, wavy))
    assert missing.p_value < 1e-6 < fair.p_value
    assert missing.covariance[0, 0] > 4 * fair.covariance[0, 0]


def test_noise_of_the_throws_is_no_variance_of_p():
    few, many = (fit_response(design(400, throws, 4), 2).r_squared for throws in (2000, 50_000))
    assert few == pytest.approx(many, abs=0.03)
    assert many > 0.99


def test_shares_are_shares():
    response = fit_response(design(100, 300, 1), 3)
    shares = response.shares(np.array([[0.1, 0.6, 40.0], [0.4, 0.3, 30.0]]))
    assert shares.shape == (2, len(RESPONSE_POSES))
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert (shares > 0).all()


def test_too_few_points_are_refused():
    with pytest.raises(InvalidValueError, match="10 points"):
        fit_response(design(10, 300, 1), 2)


def test_the_shipped_surface_fits_its_own_throws_on_every_surface():
    shipped = shipped_design()
    assert (shipped.shape, shipped.preset) == ("2x2", "hand")
    assert shipped.throws > 2_000_000
    response = fit_response(shipped)
    assert response.chi2 < 1.25 * response.freedom  # it misses less than the throws scatter
    assert response.r_squared > 0.95
    for named in SURFACES.values():
        for name in ("friction", "restitution"):
            low, high = getattr(named, name)
            assert response.ranges[name][0] <= low < high <= response.ranges[name][1]


@pytest.mark.parametrize("name", ["wood", pytest.param("cloth", marks=pytest.mark.slow)])
def test_the_shipped_surface_foretells_throws_that_it_has_not_seen(name):
    # three poses of 6000 throws on each: beyond chi2 of 25 (2 degrees) once in 270,000, its own error aside
    response = shipped_response()
    cell = design_cell("2x2", "hand", surface(name))
    found = causes(cell, surface(name))
    thrown = {name: found[name] for name in response.ranges}
    middle = np.array([[(cause.low + cause.high) / 2 for cause in thrown.values()]])
    at = moved(cell, thrown, middle[0], 0)
    tallies = [throw(99, chunk) for chunk in chunks(at, 6000)]
    counts = np.sum([[tally.counts[pose] for pose in RESPONSE_POSES] for tally in tallies], axis=0)
    expected = counts.sum() * response.shares(middle)[0]
    assert ((counts - expected) ** 2 / expected).sum() < 25


def test_points_fill_the_ranges_and_repeat():
    cell = design_cell("2x2", "hand", ANY_SURFACE)
    uncertain = causes(cell, ANY_SURFACE)
    points = sobol_points(uncertain, 64, 1)
    assert np.array_equal(points, sobol_points(uncertain, 64, 1))
    for column, cause in zip(points.T, uncertain.values(), strict=True):
        assert cause.low <= column.min() < column.max() <= cause.high
        # one of 64 points in every sixty-fourth of the range
        places = np.floor(64 * (column - cause.low) / (cause.high - cause.low) - 1e-3)
        assert len(np.unique(places)) > 60


def test_a_design_is_thrown_alike_by_any_number_of_workers_and_kept_in_a_file(
    tmp_path, monkeypatch
):
    cell = design_cell("2x2", "hand", ANY_SURFACE)
    told = []
    made = throw_design(cell, ANY_SURFACE, 4, 25, 7, progress=lambda *done: told.append(done))
    assert told[-1] == (100, 100)
    assert made.throws + made.left_out == 100
    path = tmp_path / "design.json"
    write_design(replace(made, command="me"), path)
    monkeypatch.setattr("brickphys.calibration.response_design.SHIPPED", path)
    back = shipped_design()
    assert np.array_equal(back.points, made.points)
    assert np.array_equal(back.counts, made.counts)
    assert (back.ranges, back.seed, back.command) == (made.ranges, 7, "me")


@pytest.mark.parametrize(("points", "throws"), [(3, 10), (0, 10), (2**15, 10), (4, 0)])
def test_absurd_designs_are_refused(points, throws):
    with pytest.raises(InvalidValueError):
        throw_design(design_cell("2x2", "hand", ANY_SURFACE), ANY_SURFACE, points, throws, 1)


def test_shapes_without_a_side_have_no_response():
    with pytest.raises(InvalidValueError, match="no side"):
        design_cell("d6:16", "hand", ANY_SURFACE)
