"""Causes span what is uncertain, and every throw between their ends can be thrown."""

from math import sqrt

import numpy as np
import pytest

from brickphys.calibration.response_design import EDGE_RADIUS_RANGE_MM, causes, moved
from brickphys.calibration.throwers import ThrowCell, body_of
from brickphys.engines.registry import engine
from brickphys.throws.conditions import PRESETS, SURFACES, preset, surface
from brickphys.throws.flight import gap_mm
from brickphys.throws.release import release

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
        assert cell.contact.friction == WOOD.friction[end]
        assert cell.contact.restitution == WOOD.restitution[end]
        body = body_of(cell.shape, cell.dimensions)
        assert body.edge_radius_mm == EDGE_RADIUS_RANGE_MM[end]
        assert cell.dimensions is not None
        assert cell.dimensions.wall_mm == pytest.approx((1.2, 1.5)[end])
    assert low.address != high.address


def test_a_hand_spans_the_reports_in_all_and_the_preset_lies_among_them() -> None:
    # 1 to 3 m/s over two axes, 10 to 60 rad/s over three
    hand, found = PRESETS["hand"], causes(cell_of(), WOOD)
    speed, spin = found["speed_m_s"], found["spin_rad_s"]
    assert (speed.low * sqrt(2), speed.high * sqrt(2)) == pytest.approx((1.0, 3.0))
    assert (spin.low * sqrt(3), spin.high * sqrt(3)) == pytest.approx((10.0, 60.0))
    assert speed.low < hand.speed_m_s < speed.high
    assert spin.low < hand.spin_rad_s < spin.high


def test_other_throws_are_varied_about_their_own_values() -> None:
    found = causes(cell_of(preset_name="cup"), WOOD)
    assert (found["spin_rad_s"].low, found["spin_rad_s"].high) == pytest.approx((40 / 1.5, 60))
    assert "speed_m_s" not in causes(cell_of(preset_name="drop"), WOOD)


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
