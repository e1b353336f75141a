"""What the tests of all engines throw, and how they compare landings."""

from dataclasses import fields, replace

import numpy as np

from brickphys.calibration.agreement import homogeneity
from brickphys.engines.mujoco import MujocoSettings
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients
from brickphys.throws.flight import States
from brickphys.throws.release import release

BRICK, DIE = parse_shape("2x2"), parse_shape("d6:16")
WOOD = ContactCoefficients(0.4, 0.5)
FALSE_ALARM = 1e-4
"""Of every single chi2 test of the engines; seeds are fixed."""
SOFT = MujocoSettings(contact_s=1 / 1000, step_s=1 / 16_000, check_s=1 / 500)
"""Five times as fast as the defaults, for what must hold of any contact."""


def hands(body, count, bricks=1, root=1):
    return release(body, replace(PRESETS["hand"], bricks=bricks), root, (), 0, count)


def alike(count, height_mm, turned=(0, 0, 0, 1), velocity_m_s=(0, 0, 0)):
    """Return `count` single bricks that do not spin; heights may differ."""
    position = np.zeros((count, 1, 3))
    position[:, 0, 2] = height_mm
    return States(
        position,
        np.tile(np.array(turned, dtype=float), (count, 1, 1)),
        np.tile(np.array(velocity_m_s, dtype=float), (count, 1, 1)),
        np.zeros((count, 1, 3)),
    )


def same_bits(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("pose", "time_s", "energy_gain")
    ) and all(
        np.array_equal(getattr(a.states, field.name), getattr(b.states, field.name))
        for field in fields(States)
    )


def homogeneous(*landings):
    """Return the p value of the hypothesis that all landings have the same shares, rare poses pooled."""
    table = np.array([list(landing.counts().values()) for landing in landings])
    return homogeneity(table)[2]
