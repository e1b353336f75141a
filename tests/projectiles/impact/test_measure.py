"""Measuring a law: enough hits, all of them counted, the same for the same seed."""

import numpy as np
import pytest

from brickphys.projectiles import measure as module
from brickphys.projectiles.measure import Precision, measure
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon


def test_enough_is_a_narrow_interval_of_enough_hits():
    precision = Precision(0.05, 100)
    assert not precision.enough(0, 99)
    assert precision.enough(0, 100)
    assert not precision.enough(100, 200)
    assert precision.enough(200, 400)


def test_a_law_counts_every_hit_once_and_is_reproducible(monkeypatch):
    monkeypatch.setattr(module, "_BATCH", 40)
    lines: list[str] = []
    made, again = (
        measure(
            target("dog"),
            weapon("bow").projectile,
            Precision(0.5, 1),
            4,
            (6.0,),
            (0.0,),
            lines.append,
        )
        for _ in range(2)
    )
    assert np.array_equal(made.hits, again.hits)
    assert np.array_equal(made.knocked, again.knocked)
    assert len(lines) == 6
    counts = [tuple(map(int, line.split(": ")[-1].split(" of "))) for line in lines[:3]]
    assert counts == [(made.knocked[side].sum(), made.hits[side].sum()) for side in range(3)]
    assert made.hits[:, :, :, -1].sum() == 0  # a dog is lower than 45 mm
    assert made.knocked.sum() / made.hits.sum() == pytest.approx(0.85, abs=0.2)
