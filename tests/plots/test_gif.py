"""Animated GIFs, whole or not there."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brickphys.errors import InvalidValueError
from brickphys.plots.gif import HOLD_MS, save_gif

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
