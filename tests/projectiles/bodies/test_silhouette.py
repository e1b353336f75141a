"""Silhouettes: points of the body fall inside, and its area is the projection's."""

import numpy as np
import pytest

from brickphys.projectiles.standing import Side, silhouette
from brickphys.projectiles.target import target, targets


def seen(outline, across, height):
    """Whether points lie in the union of the rectangles."""
    (left, right), (low, high) = outline.across_mm.T, outline.height_mm.T
    in_width = (left <= across[:, None]) & (across[:, None] <= right)
    return (in_width & (low <= height[:, None]) & (height[:, None] <= high)).any(axis=1)


@pytest.mark.parametrize("bearing_deg", [0.0, 37.0, 90.0, 180.0, -60.0])
@pytest.mark.parametrize("name", targets())
def test_projected_corners_span_the_rectangles(name, bearing_deg):
    body, outline = target(name), silhouette(target(name).table, bearing_deg)
    turn = np.radians(bearing_deg)
    for part, (low, high) in zip(body.pieces, outline.across_mm, strict=True):
        around = np.linspace(0, 2 * np.pi, 721)
        rim = np.array(part.centre_mm[:2]) + part.size_mm[0] / 2 * np.column_stack(
            [np.cos(around), np.sin(around)]
        )
        points = part.plan_mm if part.kind == "box" else rim
        across = points @ [np.sin(turn), -np.cos(turn)]
        assert (across.min(), across.max()) == pytest.approx((low, high), abs=1e-4)


def test_from_behind_the_left_arm_is_at_the_left():
    outline = silhouette(target("foot").table, 180.0)
    names = [part.about for part in target("foot").pieces]
    assert outline.across_mm[names.index("left arm and hand")].min() > 0
    front = silhouette(target("foot").table, 0.0)
    assert front.across_mm[names.index("left arm and hand")].max() < 0


def test_outline_of_the_figure_from_the_front_by_hand():
    rng = np.random.default_rng(3)
    across, height = rng.uniform(-12, 12, 200_000), rng.uniform(0, 40, 200_000)
    share = seen(silhouette(target("foot").table, 0.0), across, height).mean()
    area = 15.6 * 16 + 14.2 * 12.8 + 2 * 4.9 * 11.2 + 10.2 * 9.6 + 4.8 * 1.6
    assert share * 24 * 40 == pytest.approx(area, abs=4.0)  # 4 sigma of the sampling


def test_a_wall_cuts_the_outline():
    hidden = silhouette(target("foot:wall2").table, 20.0)
    open_ = silhouette(target("foot").table, 20.0)
    assert hidden.height_mm == pytest.approx(np.maximum(open_.height_mm, 19.2))


@pytest.mark.parametrize("bearing_deg", [0.0, 30.0, 90.0, 200.0])
def test_depth_times_width_is_the_area_of_a_part_in_plan(bearing_deg):
    outline = silhouette(target("rider").table, bearing_deg)
    area = np.ptp(outline.depth_mm, axis=1) * np.ptp(outline.across_mm, axis=1)
    plans = [
        np.prod(part.size_mm[:2]) * (np.pi / 4 if part.kind == "cylinder" else 1)
        for part in target("rider").pieces
    ]
    assert area == pytest.approx(plans)


def test_the_rider_turns_the_horses_head_to_a_shooter_in_front():
    outline = silhouette(target("rider").table, 0.0)
    names = [part.about for part in target("rider").pieces]
    assert np.argmin(outline.depth_mm[:, 0]) == names.index("neck and head of the horse")


@pytest.mark.parametrize(
    ("bearing_deg", "side"),
    [(0, "front"), (45, "front"), (-45, "front"), (45.1, "side"), (270, "side"), (135, "rear")],
)
def test_sides_are_quarters(bearing_deg, side):
    assert Side.at(bearing_deg).value == side
    assert Side.at(bearing_deg - 360).value == side
