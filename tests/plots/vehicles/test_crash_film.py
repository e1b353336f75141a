"""Films of crashes and of throws: what they show, until when, and what they say."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from brickphys.calibration.live import LiveChance
from brickphys.errors import InvalidValueError
from brickphys.plots.camera import CameraView
from brickphys.plots.physics_film import (
    MOST_FRAMES,
    ThrowFilm,
    aftermath_text,
    every_s,
    frames_of,
    pictures,
    view_of,
)
from brickphys.throws.release import FLOORS
from brickphys.vehicles.crash import crash, simulated
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle

SMALL = CameraView(azimuth_deg=-75.0, elevation_deg=40.0, width=240, height=180, samples=1)


@pytest.fixture(scope="module")
def scene():
    jeep = Vehicle("jeep", 8.0, 16.0, 0.0, 10.0, 6.0, speed=4, model="jeep")
    box = Vehicle("box", 40.0, 16.0, 90.0, 10.0, 6.0)
    wall = Fixture("wall", ((29.0, 12.0), (30.0, 10.0), (30.0, 22.0), (29.0, 20.0)))
    return Scene(Bounds(48.0, 32.0), "jeep", (jeep, box), (Unit("peasant", 18.5, 15.5),), (wall,))


@pytest.fixture(scope="module")
def fallen(scene):
    return crash(scene)


def test_frames_run_evenly_from_the_start_until_nothing_moves(fallen):
    frames = frames_of(fallen)
    assert frames[0] == 0
    assert len(frames) <= MOST_FRAMES
    assert set(np.diff(frames)) <= {1, 2, 3, 4}
    after = fallen.recording.poses[frames[-1] :]
    assert np.abs(after[..., :3] - after[-1, :, :3]).max() < 0.6


def test_pictures_differ_where_things_move_and_only_there(scene, fallen):
    frames = frames_of(fallen)
    done = []
    first, middle, last = pictures(
        fallen, [frames[0], frames[len(frames) // 2], frames[-1]], SMALL, done.append
    )
    assert done == [1, 2, 3]
    assert first.shape == (120, 160, 3)
    assert 0.01 < (first != middle).any(axis=2).mean() < 0.5
    assert (middle != last).any()
    assert np.array_equal(first[60:70, :5], last[60:70, :5])


def test_a_scene_far_from_the_origin_is_drawn_and_lit_like_one_near_it(scene):
    (jeep, *_), shots = scene.vehicles, []
    for far in (24.0, 184.0):
        there = replace(jeep, x_studs=far, y_studs=far)
        one = Scene(Bounds(208.0, 208.0), "jeep", (there,), (Unit("peasant", far + 10.5, far),))
        (shot,) = pictures(simulated(one, limit_s=0.0), [0], SMALL)
        shots.append(shot[60:].astype(int))
    near, distant = shots
    assert np.unique(near.reshape(-1, 3), axis=0).shape[0] > 500
    assert (np.abs(near - distant).max(axis=2) > 40).mean() < 0.03


def test_camera_stands_where_the_mover_comes_from(scene):
    (jeep, box) = scene.vehicles
    back = Scene(scene.bounds, "jeep", (replace(jeep, heading_deg=170.0), box))
    azimuths = [view_of(simulated(made, limit_s=-0.4)).azimuth_deg for made in (scene, back)]
    assert azimuths == [-115.0, -65.0]


def test_film_has_every_frame_and_its_file_is_a_gif(fallen, tmp_path, monkeypatch):
    monkeypatch.setattr("brickphys.plots.physics_film.MOST_FRAMES", 2)
    fallen.animate(tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == len(frames_of(fallen)) == 2
    with pytest.raises(InvalidValueError, match=r"film\.png: the name must end in \.gif"):
        fallen.animate(tmp_path / "film.png")


def test_picture_shows_the_end(fallen, monkeypatch):
    size = {"width": 240, "height": 180, "samples": 1}
    monkeypatch.setattr("brickphys.plots.physics_film._LARGE", size)
    *_, last = pictures(fallen, [0, frames_of(fallen)[-1]], replace(view_of(fallen), **size))
    (shown,) = fallen.plot().axes[0].images
    assert np.array_equal(shown.get_array(), last)


@pytest.mark.parametrize(
    ("is_over", "told"), [(True, "knocked over: peasant"), (False, "still upright: peasant")]
)
def test_aftermath_names_the_fallen_and_those_who_stand(fallen, is_over, told):
    """The peasant is hit at its edge: whether it falls depends on the last bits, which differ between processors."""
    peasant = next(one for one in fallen.outcomes if one.id == "peasant")
    assert peasant.was_hit
    outcomes = [
        replace(one, knocked_over=is_over) if one is peasant else one for one in fallen.outcomes
    ]
    assert aftermath_text(replace(fallen, outcomes=tuple(outcomes))) == told


def test_aftermath_names_what_falls_off_the_table(scene, fallen):
    outcomes = tuple(replace(o, fell_off=o.id == "peasant") for o in fallen.outcomes)
    assert aftermath_text(replace(fallen, outcomes=outcomes)) == "off the table: peasant"


@pytest.fixture(scope="module")
def film():
    thrower = LiveChance(4)
    return ThrowFilm(thrower.record(1, (0,), every_s(1.0)), thrower.floor, "1 brick")


def red(image):
    """Where a picture shows the red brick, rows and columns."""
    bright = image[..., 0].astype(int)
    return np.argwhere(bright - image[..., 1:].max(axis=-1) > 70)


def test_the_brick_is_in_every_frame_close_from_the_side_and_small_from_above(film):
    for number in (0, len(film) // 2, len(film) - 1):
        image = film[number]
        places = red(image)
        above = places[:, 0] < image.shape[0] * 0.7
        assert above.sum() > 4 * (~above).sum() > 0
        side = places[above]
        middle = side[:, 1].mean()
        assert image.shape[1] * 0.35 < middle < image.shape[1] * 0.65  # the camera goes with it


def test_from_above_it_goes_to_the_right(film):
    def column(number):
        places = red(film[number])
        return places[places[:, 0] > film[number].shape[0] * 0.75, 1].mean()

    assert column(len(film) - 1) > column(0) + 100


def test_a_film_ends_where_nothing_moves_any_more(film):
    away = np.abs(film.poses[..., :3] - film.poses[-1, :, :3]).max(axis=(1, 2))
    assert away[-2] > 0 or len(film) == 1
    assert np.array_equal(film[-1], film[len(film) - 1])
    assert not np.array_equal(film[-1], film[len(film) - 2])  # the last one tells the result


def test_frames_may_be_asked_for_in_any_order(film):
    first = film[3]
    _ = film[len(film) - 1]
    assert np.array_equal(film[3], first)


@pytest.mark.parametrize("floor", ["tray", "baseplate"])
@pytest.mark.slow
def test_other_floors_are_shown(floor):
    thrower = LiveChance(4, floor=FLOORS[floor])
    film = ThrowFilm(thrower.record(2, (0,), every_s(1.0)), thrower.floor, "2 bricks")
    assert len(np.unique(film[0].reshape(-1, 3), axis=0)) > 100


def test_a_film_has_25_pictures_a_second_however_slow_it_is():
    assert (every_s(1.0), every_s(4.0)) == pytest.approx((0.04, 0.01))
