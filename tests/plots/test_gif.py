"""Animated GIFs, whole or not there."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brickphys.errors import InvalidValueError
from brickphys.plots.gif import HOLD_MS, changes, save_gif

IMAGES = [np.full((12, 16, 3), shade, dtype=np.uint8) for shade in (0, 120, 255)]


def test_a_gif_repeats_and_holds_its_end(tmp_path):
    path = tmp_path / "film.gif"
    save_gif(IMAGES, path, 60)
    with Image.open(path) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (3, (16, 12), 0)
        assert film.info["duration"] == 60
        film.seek(2)
        assert film.info["duration"] == HOLD_MS
    assert list(tmp_path.iterdir()) == [path]


def test_a_gif_that_cannot_be_written_leaves_no_file(tmp_path, monkeypatch):
    def fail(*paths):
        raise OSError(28, "no room")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InvalidValueError, match="no room"):
        save_gif(IMAGES, tmp_path / "film.gif", 60)
    assert not list(tmp_path.iterdir())


def test_only_what_differs_is_taken_over():
    differs = np.zeros((90, 40), dtype=bool)
    assert list(changes(differs)) == []
    differs[3:5, 10:12], differs[9, 30], differs[70:80, 2] = True, True, True
    assert list(changes(differs)) == [(slice(3, 10), slice(10, 31)), (slice(70, 80), slice(2, 3))]


def test_frames_of_a_gif_are_the_pictures(tmp_path):
    rng = np.random.default_rng(5)
    shades = rng.choice([0, 90, 180, 255], size=(40, 30, 3)).astype(np.uint8)
    images = [shades.copy() for _ in range(6)]
    for number, image in enumerate(images):
        image[5 * number : 5 * number + 8, number : 2 * number + 3] = (90, 180, 40 * number)
    path = tmp_path / "film.gif"
    save_gif(images, path, 60)
    with Image.open(path) as film:
        assert film.n_frames == len(images)
        for number, image in enumerate(images):
            film.seek(number)
            off = np.abs(np.asarray(film.convert("RGB")).astype(int) - image)
            assert off.max() <= 40, number


def test_a_frame_is_its_picture_also_where_pixels_go_back_or_stay(tmp_path):
    rng = np.random.default_rng(8)
    first, second = (rng.integers(0, 256, (30, 40, 3)).astype(np.uint8) for _ in range(2))
    images = [first, first, second, second, first, first, second]
    images[3] = np.where(rng.random((30, 40, 1)) < 0.5, first, second)
    path = tmp_path / "film.gif"
    save_gif(images, path, 60, sampled=(0,))
    palette = Image.fromarray(first).quantize(255, Image.Quantize.MAXCOVERAGE)
    drawn = [Image.fromarray(image).quantize(palette=palette, dither=0) for image in images]
    expected, at = [np.asarray(one.convert("RGB")) for one in drawn], 0
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            shown = np.asarray(film.convert("RGB"))
            for _ in range(round(film.info["duration"] / 60) if number < film.n_frames - 1 else 1):
                assert np.array_equal(shown, expected[at]), at
                at += 1
    assert at == len(images)


def test_progress_counts_the_pictures_that_are_written(tmp_path):
    told = []
    save_gif(IMAGES, tmp_path / "film.gif", 60, lambda *count: told.append(count))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_film_that_is_interrupted_leaves_no_file(tmp_path):
    def stop(done, _):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_gif(IMAGES, tmp_path / "film.gif", 60, stop)
    assert not list(tmp_path.iterdir())
