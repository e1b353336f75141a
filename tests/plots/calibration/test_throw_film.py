"""Films of throws: what they show, until when, and what they say."""

import numpy as np
import pytest

from brickphys.calibration.live import LiveChance
from brickphys.plots.physics_film import ThrowFilm, every_s
from brickphys.throws.release import FLOORS


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
