"""Shifts come out of the design as they went in."""

import numpy as np
import pytest

from brickphys.calibration.systematic import RUNS, design, design_cells, effects, factors
from brickphys.calibration.tally import Tally
from brickphys.calibration.throwers import ThrowCell, body_of
from brickphys.throws.conditions import preset
from brickphys.throws.flight import gap_mm
from brickphys.throws.release import release
from brickphys.throws.surfaces import SURFACES, surface

CELL = ThrowCell("2x2", preset("hand"), surface("wood").nominal, "bullet", (1,))
CAUSES = factors(CELL, surface("wood"))


def tallies(p: np.ndarray, throws: int) -> list[Tally]:
    return [
        Tally({"side": int(k), "studs_up": throws - int(k)}, (throws - int(k), int(k)), 0.0)
        for k in np.round(p * throws)
    ]


def test_no_main_effect_is_confused_with_another_or_with_a_pair() -> None:
    x = design(8)
    pairs = [x[:, i] * x[:, j] for i in range(8) for j in range(i)]
    assert np.array_equal(x.T @ x, RUNS * np.eye(8))
    assert not (x.T @ np.array(pairs).T).any()
    assert not x.sum(axis=0).any()


def test_known_shifts_are_found() -> None:
    shifts = np.array([0.05, -0.03, 0.02, 0.0, 0.01, -0.01, 0.0, 0.04])
    p = 0.3 + design(8) @ shifts / 2
    found = effects(CAUSES, tallies(p, 10**8))
    assert [source.shift for source in found.sources.values()] == pytest.approx(
        shifts.tolist(), abs=1e-7
    )
    assert found.half_width == pytest.approx(np.linalg.norm(shifts) / 2, abs=1e-4)
    assert found.throws == RUNS * 10**8


def test_chance_alone_is_no_systematic_doubt() -> None:
    # 400 calibrations in which nothing matters: errors are as stated, and the half-width mostly small
    rng = np.random.default_rng(3)
    found = [
        effects(CAUSES, tallies(rng.binomial(1000, 0.3, RUNS) / 1000, 1000)) for _ in range(400)
    ]
    pulls = [source.shift / source.error for one in found for source in one.sources.values()]
    assert np.std(pulls) == pytest.approx(1.0, abs=0.06)  # 3200 pulls: standard error 0.0125
    naive = np.sqrt(len(CAUSES)) * next(iter(found[0].sources.values())).error / 2
    assert np.mean([one.half_width for one in found]) < 0.8 * naive


def test_runs_move_every_cause_to_its_ends() -> None:
    cells = design_cells(CELL, CAUSES)
    assert {cell.contact.friction for cell in cells} == set(surface("wood").friction)
    assert {cell.contact.restitution for cell in cells} == set(surface("wood").restitution)
    walls = {cell.dimensions.wall_mm for cell in cells if cell.dimensions}
    assert sorted(walls) == pytest.approx([1.2, 1.5])
    assert {round(cell.conditions.spin_rad_s, 9) for cell in cells} == {20.0, 45.0}
    assert len({cell.address for cell in cells}) == RUNS


@pytest.mark.parametrize("name", SURFACES)
def test_every_surface_has_a_design_the_engine_can_throw(name: str) -> None:
    from brickphys.engines.registry import engine

    worst = max(
        cell.contact.restitution for cell in design_cells(CELL, factors(CELL, surface(name)))
    )
    assert worst <= engine("bullet").max_restitution


def test_pieces_with_lengths_of_their_own_are_moved_about_these() -> None:
    plate = ThrowCell("plate:1x1", preset("hand"), surface("wood").nominal, "bullet", (1,))
    walls = {
        cell.dimensions.wall_mm for cell in design_cells(plate, factors(plate, surface("wood")))
    }
    assert sorted(walls) == pytest.approx([1.55, 1.85])


@pytest.mark.parametrize("preset_name", ["hand", "drop", "cup"])
@pytest.mark.parametrize("shape", ["1x1", "2x2", "2x8", "plate:1x1", "plate:2x8"])
def test_every_run_of_the_design_can_be_thrown(shape: str, preset_name: str) -> None:
    cell = ThrowCell(shape, preset(preset_name), surface("wood").nominal, "bullet", (1,))
    for moved in design_cells(cell, factors(cell, surface("wood"))):
        body = body_of(moved.shape, moved.dimensions)
        states = release(body, moved.conditions, 1, (0,), 0, 20)
        assert gap_mm(body, states).min() > 0.0
        low, high = moved.conditions.height_mm
        assert np.all((low <= states.position_mm[..., 2]) & (states.position_mm[..., 2] <= high))


def test_a_throw_without_speed_has_no_speed_to_doubt() -> None:
    still = ThrowCell("2x2", preset("drop"), surface("wood").nominal, "bullet", (1,))
    assert "speed_m_s" not in factors(still, surface("wood"))
