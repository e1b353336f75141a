import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.experiments import toss_tracks
from brickphys.calibration.experiments.tosses import cube
from brickphys.errors import TossFileError
from brickphys.seeds import generator
from brickphys.throws.flight import States, fly, unrotate

REAL = Path(os.environ.get("BRICKPHYS_TOSSES", "cube_tosses.csv"))
SCALE, RATE, FRAMES, N = 1.03, 148.0, 15, 6


@pytest.fixture(scope="module")
def truth():
    """Starts high above the floor, in true lengths."""
    rng = generator(3)
    quaternion = rng.normal(size=(N, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    position = np.column_stack([rng.normal(size=(N, 2)) * 100, np.full(N, 300.0)])
    return States(position, quaternion, rng.normal(size=(N, 3)), rng.normal(size=(N, 3)) * 4)


@pytest.fixture(scope="module")
def frames(truth):
    """The flights frame by frame, shape (N * FRAMES,)."""
    index = np.repeat(np.arange(N), FRAMES)
    return fly(cube(), truth[index], np.tile(np.arange(FRAMES) / RATE, N))


@pytest.fixture
def written(tmp_path, frames):
    """Tracks of those flights by a tracker whose lengths are short and whose velocities are nonsense."""

    def write(name="tracks.npz", columns=toss_tracks.TRACK_COLUMNS, change=lambda data: data):
        x, y, z, w = frames.quaternion.T
        data = np.column_stack(
            [
                np.repeat(np.arange(N), FRAMES) * 2,
                np.tile(np.arange(FRAMES) / RATE, N),
                frames.position_mm / 1000.0 / SCALE,
                *(w, x, y, z),
                np.zeros((N * FRAMES, 3)),
                unrotate(frames.quaternion, frames.spin_rad_s),
            ]
        )
        path = tmp_path / name
        np.savez(path, data=change(data), columns=np.array(columns))
        return path

    return write


def tracked(truth):
    """The file of tosses that goes with the tracks: its velocities and spins are wrong."""
    start = States(
        truth.position_mm / SCALE,
        truth.quaternion,
        np.zeros_like(truth.velocity_m_s),
        0.9 * truth.spin_rad_s,
    )
    blank = np.zeros(N, dtype=np.intp)
    labels = tuple(str(2 * k) for k in range(N))
    return toss_tracks.Tosses(labels, start, blank, blank, np.zeros((N, 2)), np.zeros(N))


def test_flights_give_back_the_true_starts_and_the_scale_of_lengths(truth, written):
    tosses = tracked(truth)
    starts = toss_tracks.refine(tosses, toss_tracks.read_tracks(written()), cube())
    assert starts.refined == N
    assert starts.length_scale == pytest.approx(SCALE, rel=1e-6)
    for found, true in zip(vars(starts.states).values(), vars(truth).values(), strict=True):
        np.testing.assert_allclose(found, true, atol=1e-5)


def test_frames_after_the_first_touch_do_not_count(truth, written):
    def crash(data):
        crashed = data.copy()
        late = crashed[:, 1] > 11.5 / RATE
        crashed[late, 4] = 0.05
        crashed[late, 2] += 1.0
        return crashed

    starts = toss_tracks.refine(
        tracked(truth), toss_tracks.read_tracks(written(change=crash)), cube()
    )
    np.testing.assert_allclose(starts.states.velocity_m_s, truth.velocity_m_s, atol=1e-5)


def test_a_toss_without_tracks_keeps_its_start_corrected(truth, written):
    tosses = tracked(truth)
    lost = replace(tosses, labels=("lost", *tosses.labels[1:]))
    starts = toss_tracks.refine(lost, toss_tracks.read_tracks(written()), cube())
    own = toss_tracks.correct(lost, toss_tracks.Correction(length_scale=starts.length_scale)).states
    assert starts.refined == N - 1
    np.testing.assert_allclose(starts.states.velocity_m_s[0], own.velocity_m_s[0])
    np.testing.assert_allclose(starts.states.velocity_m_s[1:], truth.velocity_m_s[1:], atol=1e-5)


def test_tracks_of_other_tosses_are_refused(truth, written):
    tosses = tracked(truth)
    others = replace(tosses, labels=tuple("abcdef"))
    with pytest.raises(TossFileError, match="belong together"):
        toss_tracks.refine(others, toss_tracks.read_tracks(written()), cube())


def test_a_correction_scales_lengths_and_makes_velocity_younger(truth):
    tosses = tracked(truth)
    same = toss_tracks.correct(tosses, toss_tracks.AS_TRACKED)
    np.testing.assert_array_equal(same.states.position_mm, tosses.start.position_mm)
    np.testing.assert_array_equal(same.states.velocity_m_s, tosses.start.velocity_m_s)
    moved = toss_tracks.correct(tosses, toss_tracks.Correction(2.0, 0.01, 1.5)).states
    np.testing.assert_allclose(moved.position_mm, 2 * tosses.start.position_mm)
    np.testing.assert_allclose(moved.velocity_m_s, [[0, 0, -0.0981]] * N)
    np.testing.assert_allclose(moved.spin_rad_s, 1.5 * tosses.start.spin_rad_s)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: np.where(data == data[3, 4], np.nan, data), "frame 3 holds"),
        (lambda data: data[:, :-1], "does not have the 15 columns"),
        (lambda data: 2 * data, "quaternion of length 2"),
    ],
)
def test_broken_tracks_are_refused(written, change, fault):
    with pytest.raises(TossFileError, match=fault):
        toss_tracks.read_tracks(written(change=change))


def test_a_missing_column_is_named(written):
    with pytest.raises(TossFileError, match="column 'qx' is missing"):
        toss_tracks.read_tracks(
            written(columns=["no" if c == "qx" else c for c in toss_tracks.TRACK_COLUMNS])
        )


def test_what_is_no_archive_is_refused(tmp_path):
    text = tmp_path / "text.npz"
    text.write_text("toss,t_s\n")
    with pytest.raises(TossFileError, match=r"not an \.npz file"):
        toss_tracks.read_tracks(text)
    bare = tmp_path / "bare.npy"
    np.save(bare, np.zeros((3, 15)))
    with pytest.raises(TossFileError, match=r"not an \.npz file"):
        toss_tracks.read_tracks(bare)
    packed = tmp_path / "packed.npz"  # a small file, of many numbers
    np.savez_compressed(packed, data=np.zeros((10**6, 7), np.int8), columns=np.array(["a"] * 7))
    with pytest.raises(TossFileError, match=r"not an \.npz file"):
        toss_tracks.read_tracks(packed)
    other = tmp_path / "other.npz"
    np.savez(other, numbers=np.zeros(3))
    with pytest.raises(TossFileError, match=r"not an \.npz file"):
        toss_tracks.read_tracks(other)
    for missing in (tmp_path, tmp_path / "nowhere.npz"):
        with pytest.raises(TossFileError, match="cannot be read"):
            toss_tracks.read_tracks(missing)


def test_the_default_correction_is_what_real_flights_say():
    tracks = REAL.with_name("cube_toss_trajectories.npz")
    if not tracks.exists():
        pytest.skip("no tracks beside the tosses; docs/validation.md makes the file")
    tosses, known = toss_tracks.read_tosses(REAL), toss_tracks.Correction()
    starts = toss_tracks.refine(tosses, toss_tracks.read_tracks(tracks), cube())
    own, tracked_spin = (
        np.linalg.norm(spin, axis=1) for spin in (starts.states.spin_rad_s, tosses.start.spin_rad_s)
    )
    assert starts.refined == len(tosses)
    assert starts.length_scale == pytest.approx(known.length_scale, abs=0.001)
    assert (own / tracked_spin).mean() == pytest.approx(known.spin_scale, abs=0.005)
    # half a frame of fall, to a tenth
    lag_m_s = (starts.length_scale * tosses.start.velocity_m_s - starts.states.velocity_m_s)[:, 2]
    assert lag_m_s.mean() / 9.81 == pytest.approx(known.velocity_lag_s, rel=0.1)
