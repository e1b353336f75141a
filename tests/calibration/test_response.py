"""Causes span what is uncertain; known shares come back with the stated error, and what the surface misses is told."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from brickphys.calibration.response import fit_response
from brickphys.calibration.response_design import (
    ANY_SURFACE,
    EDGE_RADIUS_RANGE_MM,
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
from brickphys.calibration.throwers import ThrowCell, body_of, chunks, throw
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import PRESETS, SURFACES, preset, surface
from brickphys.throws.flight import gap_mm
from brickphys.throws.release import release
from tests.fitted import shipped_response

WOOD = surface("wood")


def cell_of(shape: str = "2x2", preset_name: str = "hand") -> ThrowCell:
    return ThrowCell(shape, preset(preset_name), WOOD.nominal, "bullet", (1,))


def corners(cell: ThrowCell) -> list[ThrowCell]:
    """Return the cells with all causes at their low or all at their high ends."""
    found = causes(cell, WOOD)
    ends = [(cause.low, cause.high) for cause in found.values()]
    return [
        moved(cell, found, np.array(point), number)
        for number, point in enumerate(zip(*ends, strict=True))
    ]


def test_both_ends_of_every_cause_reach_the_throw() -> None:
    low, high = corners(cell_of())
    for cell, end in ((low, 0), (high, 1)):
        assert cell.contact.friction == WOOD.of_impacts.friction[end]
        assert cell.contact.restitution == WOOD.restitution[end]
        body = body_of(cell.shape, cell.dimensions)
        assert body.edge_radius_mm == EDGE_RADIUS_RANGE_MM[end]
        assert cell.dimensions is not None
        assert cell.dimensions.wall_mm == pytest.approx((1.2, 1.5)[end])
    assert low.address != high.address


def test_a_hand_spans_gentle_ones_and_the_reports_in_all() -> None:
    # 3 m/s over two axes, 10 to 60 rad/s over three
    gentle, hand, found = PRESETS["gentle"], PRESETS["hand"], causes(cell_of(), WOOD)
    speed, spin = found["speed_m_s"], found["spin_rad_s"]
    assert speed.low == gentle.speed_m_s
    assert speed.high * sqrt(2) == pytest.approx(3.0)
    assert (spin.low * sqrt(3), spin.high * sqrt(3)) == pytest.approx((10.0, 60.0))
    assert speed.low < hand.speed_m_s < speed.high
    assert spin.low < gentle.spin_rad_s < hand.spin_rad_s < spin.high
    assert (found["picked_up"].low, found["picked_up"].high) == (0, 1)
    low = moved(cell_of(), found, np.array([cause.low for cause in found.values()]), 0).conditions
    assert sum(low.height_mm) == pytest.approx(sum(gentle.height_mm))


def test_other_throws_are_varied_about_their_own_values() -> None:
    found = causes(cell_of(preset_name="cup"), WOOD)
    assert (found["spin_rad_s"].low, found["spin_rad_s"].high) == pytest.approx((40 / 1.5, 60))
    assert "picked_up" not in found
    assert "speed_m_s" not in causes(cell_of(preset_name="drop"), WOOD)


@pytest.mark.parametrize("name", SURFACES)
def test_friction_reaches_from_impacts_to_sliding(name: str) -> None:
    on, friction = surface(name), causes(cell_of(), surface(name))["friction"]
    assert friction.low <= 0.2 <= 0.3 <= friction.high == on.friction[1]
    assert friction.low < on.friction[0]


@pytest.mark.parametrize("name", SURFACES)
def test_the_engine_can_throw_on_every_surface(name: str) -> None:
    cause = causes(cell_of(), surface(name))["restitution"]
    assert cause.high <= engine("bullet").max_restitution


def test_pieces_with_lengths_of_their_own_are_moved_about_these() -> None:
    wall = causes(cell_of("plate:1x1"), WOOD)["wall_mm"]
    assert (wall.low, wall.high) == pytest.approx((1.55, 1.85))


def test_an_edge_radius_replaces_that_of_the_shape() -> None:
    low, _ = corners(cell_of("2x2:r0.2"))
    assert low.shape == "2x2:r0.1"


@pytest.mark.parametrize("preset_name", ["hand", "drop", "cup"])
@pytest.mark.parametrize("shape", ["1x1", "2x2", "2x8", "plate:1x1", "plate:2x8"])
def test_both_ends_can_be_thrown(shape: str, preset_name: str) -> None:
    for cell in corners(cell_of(shape, preset_name)):
        body = body_of(cell.shape, cell.dimensions)
        states = release(body, cell.conditions, 1, (0,), 0, 20)
        assert gap_mm(body, states).min() > 0.0
        low, high = cell.conditions.height_mm
        assert np.all((low <= states.position_mm[..., 2]) & (states.position_mm[..., 2] <= high))


@pytest.mark.parametrize("shape", ["2x2:r0", "2x2:r0.5", "plate:2x2:r0.25"])
def test_a_stated_edge_radius_is_not_uncertain(shape: str) -> None:
    assert "edge_radius_mm" not in causes(cell_of(shape), WOOD)
    assert "edge_radius_mm" in causes(cell_of(shape.partition(":r")[0]), WOOD)


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
    assert (
        response.chi2 < 1.3 * response.freedom
    )  # it misses about half as much as the throws scatter
    assert response.r_squared > 0.95
    for named in SURFACES.values():
        for name in ("friction", "restitution"):
            low, high = getattr(named.of_impacts, name)
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
