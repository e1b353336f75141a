import os
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.toss_radius import edge_radius
from brickphys.calibration.toss_tracks import Tracks, read_tracks
from brickphys.calibration.tosses import CUBE_MM, cube
from brickphys.errors import TossFileError
from brickphys.seeds import generator
from brickphys.throws.flight import States, multiply, turn
from brickphys.units import GRAVITY_M_S2

TRACKS = Path(os.environ.get("BRICKPHYS_TOSSES", "cube_tosses.csv")).with_name(
    "cube_toss_trajectories.npz"
)
RATE, SCALE, HALF = 148.0, 1.02, CUBE_MM / 2
FLIGHT, ROLL, REST = 12, 40, 10
TILT_DEG, HEIGHT_MM = 0.45, 0.3


def to_the_floor(direction):
    """Quaternions that turn body directions (n, 3), with z below 0, to straight down."""
    axis = np.column_stack([-direction[:, 1], direction[:, 0], 0 * direction[:, 0]])
    q = np.column_stack([axis, 1 - direction[:, 2]])
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def tracked(radius_mm, tosses=60, tilt_deg=TILT_DEG, height_mm=HEIGHT_MM, root=1):
    """A tracker's view of a cube that flies, rolls over an edge or a corner and rests: lengths are short, poses wrong.

    Every toss has its own constant error of tilt and height.
    """
    rng = generator(root)
    parts = []
    for toss in range(tosses):
        along = np.linspace(1.2, 0.1, ROLL)  # angle from the face
        beside = 0.0 if toss % 2 else rng.uniform(0.2, 0.6)
        rolling = np.column_stack([np.sin(along), np.full(ROLL, beside), -np.cos(along)])
        face = np.tile([0.0, 0.0, -1.0], (1, 1))
        down = np.vstack([face.repeat(FLIGHT, 0), rolling, face.repeat(REST, 0)])
        down /= np.linalg.norm(down, axis=1, keepdims=True)
        z = (HALF - radius_mm) * np.abs(down).sum(axis=1) + radius_mm
        t = np.arange(len(z)) / RATE
        z[:FLIGHT] += 300.0 - 500.0 * GRAVITY_M_S2 * t[:FLIGHT] ** 2
        error = np.radians(tilt_deg) * np.array([*rng.normal(size=2), 0.0])
        quaternion = multiply(turn(error[None]), to_the_floor(down))
        z += height_mm * rng.normal()
        parts.append((np.full(len(z), 2.0 * toss), t, z, quaternion))
    toss_of, time_s, z, quaternion = (np.concatenate(column) for column in zip(*parts, strict=True))
    position = np.column_stack([0 * z, 0 * z, z]) / SCALE
    still = np.zeros_like(position)
    return Tracks(toss_of, time_s, States(position, quaternion, still, still))


@pytest.mark.parametrize("radius", [0.0, 1.7, 3.5])
@pytest.mark.parametrize("root", [1, 2])
def test_a_known_radius_is_found_within_its_error(radius, root):
    found = edge_radius(tracked(radius, root=root), cube())
    # six pairs of figures: three standard errors each fail by chance once in some 30 seeds
    for one in (found.edge, found.corner):
        assert abs(one.radius_mm - radius) < 3 * one.error_mm
        assert one.error_mm < 0.5
    assert found.scale == pytest.approx(SCALE, rel=1e-6)
    assert found.tilt_deg == pytest.approx(TILT_DEG, rel=0.25)
    assert found.ci95_mm[0] - 0.3 < radius < found.ci95_mm[1] + 0.3


def test_perfect_tracks_give_the_radius_itself():
    found = edge_radius(tracked(2.0, tilt_deg=0.0, height_mm=0.0, tosses=8), cube())
    assert found.edge.radius_mm == pytest.approx(2.0, abs=1e-6)
    assert found.corner.radius_mm == pytest.approx(2.0, abs=1e-6)
    assert found.rest_mm == pytest.approx(HALF, abs=1e-6)


def test_errors_of_the_tilt_would_look_like_a_radius_along_edges():
    found = edge_radius(tracked(0.0, tosses=200), cube())
    assert found.edge.uncorrected_mm > 0.5
    assert abs(found.edge.radius_mm) < 0.35
    assert found.corner.uncorrected_mm == found.corner.radius_mm


def test_intervals_cover_the_truth():
    inside = 0
    for root in range(20):
        low, high = edge_radius(tracked(1.7, root=root), cube()).ci95_mm
        inside += low <= 1.7 <= high
    # 95 % intervals: 16 or fewer of 20 in 1.6 % of such tests
    assert inside >= 17


def test_tracks_without_corners_are_refused():
    tracks = tracked(1.0, tosses=9)
    edges = tracks.toss % 4 == 2
    only = Tracks(tracks.toss[edges], tracks.time_s[edges], tracks.states[edges])
    with pytest.raises(TossFileError, match=r"only 0 of the tracked tosses stand on a corner"):
        edge_radius(only, cube())


def test_the_real_cube_has_rounded_edges():
    if not TRACKS.exists():
        pytest.skip(
            "no tracked tosses: BRICKPHYS_TOSSES names the file, docs/validation.md makes it"
        )
    found = edge_radius(read_tracks(TRACKS), cube())
    assert 2.5 < found.ci95_mm[0] < found.ci95_mm[1] < 4.5
