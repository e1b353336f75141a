"""Clicks are found in the sound of simulated bounces, in noise and with a ringing table."""

import numpy as np
import pytest
from scipy.io import wavfile

from brickphys.calibration.measure.drop import clicks, drop_of_times, drops_of, read_clicks
from brickphys.errors import InvalidValueError

RATE = 44_100


def bounces(start_s, first_s, e, count):
    """Times of impacts of a ball whose first flight lasts `first_s`."""
    flights = first_s * e ** np.arange(count)
    return start_s + np.concatenate([[0.0], np.cumsum(flights)])


def sound(impacts, length_s, rng, noise=0.002, e=0.55):
    """A click for each impact of each drop, weaker each time, with the ringing of the table, in noise and hum."""
    time = np.arange(int(length_s * RATE)) / RATE
    heard = rng.normal(0, noise, len(time)) + 0.05 * np.sin(2 * np.pi * 50 * time)
    for drop in impacts:
        for number, at in enumerate(drop):
            after = time[time >= at] - at
            ring = np.exp(-after / 0.004) * np.sin(2 * np.pi * 2500 * after)
            heard[time >= at] += 0.8 * e**number * ring
    return heard


def test_every_impact_is_heard_once_and_in_time(monkeypatch):
    impacts = [bounces(0.5, 0.25, 0.55, 3), bounces(2.9, 0.24, 0.55, 3)]
    heard = sound(impacts, 5.0, np.random.default_rng(1))
    found = clicks(heard, RATE)
    assert found == pytest.approx(np.concatenate(impacts), abs=5e-4)
    monkeypatch.setattr("brickphys.calibration.measure.drop._BLOCK", 7)
    assert clicks(np.column_stack([heard, heard]), RATE).tolist() == found.tolist()


def test_sound_gives_the_restitution_that_made_it(tmp_path):
    rng = np.random.default_rng(2)
    starts = (0.5, 2.5, 4.5, 6.5)
    impacts = [bounces(at, 0.25, 0.55, 3) for at in starts]
    stereo = np.column_stack([sound(impacts, 9.0, rng)] * 2)
    wavfile.write(tmp_path / "drops.wav", RATE, (20_000 * stereo).astype(np.int16))
    drops = drops_of(read_clicks(tmp_path / "drops.wav"))
    assert [len(drop) for drop in drops] == [3] * len(starts)
    low, high = drop_of_times(drops, 1.0).mean.ci95
    assert low <= 0.55 <= high
    assert high - low < 0.03


def test_drops_are_told_apart_and_end_before_the_rattle():
    times = np.concatenate(
        [bounces(1.0, 0.3, 0.5, 6), bounces(1.9, 0.3, 0.5, 6), bounces(9.0, 0.2, 0.6, 1)]
    )
    drops = drops_of(times)
    assert [len(drop) for drop in drops] == [
        3,
        3,
    ]  # flights of 300, 150 and 75 ms; a last one says nothing
    assert drops[0] == pytest.approx((0.3, 0.15, 0.075))


def test_a_pause_within_a_rattle_begins_another_drop():
    times = np.array([0.0, 0.02, 0.04, 0.6, 0.85, 0.98])
    assert [pytest.approx(drop) for drop in drops_of(times)] == [(0.25, 0.13)]


def test_silence_and_files_without_sound_are_refused(tmp_path):
    rng = np.random.default_rng(3)
    wavfile.write(tmp_path / "noise.wav", RATE, rng.normal(0, 900, 5 * RATE).astype(np.int16))
    wavfile.write(tmp_path / "silence.wav", RATE, np.zeros(RATE, dtype=np.int16))
    wavfile.write(tmp_path / "short.wav", RATE, np.zeros(1, dtype=np.int16))
    for name in ("noise", "silence", "short"):
        with pytest.raises(InvalidValueError, match="0 clicks"):
            read_clicks(tmp_path / f"{name}.wav")
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "text.wav").write_text("RIFF, not")
    for name in ("empty", "text"):
        with pytest.raises(InvalidValueError, match="not a WAV file"):
            read_clicks(tmp_path / f"{name}.wav")
    with pytest.raises(InvalidValueError, match="cannot be read"):
        read_clicks(tmp_path / "none.wav")
    with pytest.raises(InvalidValueError, match="cannot be read"):
        read_clicks(tmp_path)
