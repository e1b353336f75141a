"""Restitution from heights, times and the sound of bounces, which closed forms and simulations give."""

import math
from itertools import accumulate, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import wavfile

from brickphys.calibration.measure.drop import (
    MIN_REBOUND_MM,
    DropTest,
    clicks,
    drop_of_heights,
    drop_of_times,
    drops_of,
    read_clicks,
)
from brickphys.errors import InvalidValueError
from brickphys.units import GRAVITY_M_S2
from tests.cases import few


def heights(height_mm, e, count):
    return list(accumulate(repeat(e**2, count), lambda h, factor: h * factor, initial=height_mm))[
        1:
    ]


def times(height_mm, e, count):
    """Flight times of an ideal ball: twice the speed after each impact over gravity."""
    impact = math.sqrt(2 * GRAVITY_M_S2 * height_mm / 1000)
    return [2 * impact * e**n / GRAVITY_M_S2 for n in range(1, count + 1)]


@given(st.floats(0.2, 0.94), st.floats(50, 2000), st.integers(2, 4))
def test_an_ideal_ball_has_its_restitution_however_it_is_measured(e, height_mm, count):
    least = (1.01 * MIN_REBOUND_MM / height_mm) ** (1 / (2 * count))
    e = max(e, least)  # lower rebounds are refused
    by_height = drop_of_heights(height_mm, [heights(height_mm, e, count)] * 2, 1e-6)
    timed = times(height_mm, e, count)
    by_time = drop_of_times([timed] * 2, 1e-6)
    by_both = drop_of_times([timed] * 2, 1e-6, height_mm, 1e-6)
    for test, bounces in ((by_height, count), (by_time, count - 1), (by_both, count)):
        assert all(len(drop) == bounces for drop in test.restitution)
        assert test.mean.value == pytest.approx(e)


def test_the_error_of_reading_is_propagated():
    # e = (h / H)^1/2: a share of the errors of both heights is halved
    found = drop_of_heights(300.0, [[75.0], [75.0]], 3.0)
    assert found.error == pytest.approx(0.5 * math.hypot(3 / 75, 3 / 300) / 2)
    found = drop_of_times([[0.2, 0.1], [0.2, 0.1]], 1.0)
    assert found.error == pytest.approx(0.5 * math.hypot(1 / 200, 1 / 100))


@pytest.mark.parametrize("e", few([0.5, 0.3, 0.7]))
@pytest.mark.parametrize("how", ["heights", "times"])
def test_people_find_the_restitution_of_their_table(e, how):
    # 500 people, 5 drops of a bounce or two; drops differ, and a ruler or clock is wrong alike for all of them
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(500):
        own = np.clip(rng.normal(e, 0.03, 5), 0.21, 0.95)
        if how == "heights":
            wrong = rng.uniform(-3, 3)
            read = [np.array(heights(300.0, one, 1)) + wrong for one in own]
            found = drop_of_heights(300.0, read, 3.0)
        else:
            read = [np.array(times(300.0, one, 2)) + rng.normal(0, 5e-4, 2) for one in own]
            found = drop_of_times(read, 1.0, 300.0, 3.0)
        held += 0.025 <= found.mean.below(e) <= 0.975
    # standard error 0.9 points; the reading error is partly in the scatter already
    assert 0.93 <= held / 500 <= 0.995


def test_bounces_of_a_single_drop_are_its_repetitions():
    found = DropTest(((0.5, 0.52, 0.54),), 0.0).mean
    assert found.freedom == 2
    assert found.value == pytest.approx(0.52)
    with pytest.raises(InvalidValueError, match="bounces of a single drop: 1 of them"):
        drop_of_heights(300.0, [[75.0]], 1.0)


@pytest.mark.parametrize(
    ("height", "rebounds", "says"),
    [
        (300.0, [[301.0]], "height 301 mm of a rebound is above 300 mm"),
        (300.0, [[75.0, 80.0]], "height 80 mm of a rebound is above 75 mm"),
        (300.0, [[-5.0]], "rebound -5 is outside 10 to 5000 mm"),
        (300.0, [[0.0]], "rebound 0 is outside"),
        (300.0, [[math.nan]], "rebound nan is outside"),
        (math.nan, [[75.0]], "height nan is outside"),
        (9000.0, [[75.0]], "height 9000 is outside"),
        (30.0, [[7.5]], r"height 30 is outside 50 to 5000 mm: is it in mm\?"),
        (300.0, [[7.5]], r"rebound 7.5 is outside 10 to 5000 mm: is it in mm\?"),
        (300.0, [[11.0]], "error 12 mm is negative, or not below the rebound 11 mm"),
        (300.0, [[290.0], [75.0]], r"restitution 0.98 of drop 1 is outside 0.05 to 0.95: are all"),
        (300.0, [[75.0], [200.0]], r"restitution -1.* reaches outside 0 to 1: the drops are too"),
    ],
)
def test_impossible_heights_are_refused(height, rebounds, says):
    with pytest.raises(InvalidValueError, match=says):
        drop_of_heights(height, rebounds, 12.0)


def test_a_height_that_contradicts_the_rebounds_is_refused_with_the_right_one():
    # rebounds of a fall from 300 mm with restitution 1/2
    said = r"restitution 0.16 by the height 3000 mm .*, 0.50 by .*: 300 mm would agree with both"
    with pytest.raises(InvalidValueError, match=said):
        drop_of_heights(3000.0, [[75, 18.75], [75]], 2.0)
    timed = [times(300.0, 0.5, 3)] * 2
    with pytest.raises(InvalidValueError, match="300 mm would agree with both"):
        drop_of_times(timed, 1.0, 3000.0, 2.0)
    # a restitution that depends on speed is not a contradiction
    drop_of_heights(300.0, [[75, 27], [75, 27]], 2.0)


@pytest.mark.parametrize(
    ("timed", "height", "says"),
    [
        ([[-0.2, 0.1]], None, "time -0.2 is outside"),
        ([[0.2, math.nan]], None, "time nan is outside"),
        ([[0.1, 0.2]], None, "time 0.2 s of a rebound is above 0.1 s"),
        ([[0.2]], None, "a drop needs at least 2 of them, or height_mm \\(--height-mm\\)"),
        ([[0.6]], 300.0, "time 0.6 s of a rebound is above 0.495 s"),
        ([[0.2, 0.0005]], None, "error 0.001 s is negative, or not below the time 0.0005 s"),
        ([[220.0, 100.0]], None, r"time 220 is outside 0 to 2 s: is it in s\?"),
        ([[0.2, 0.1], [0.2, 0.005]], None, "restitution 0.025 of drop 2 is outside"),
    ],
)
def test_impossible_times_are_refused(timed, height, says):
    with pytest.raises(InvalidValueError, match=says):
        drop_of_times(timed, 1.0, height, 1.0)


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
