"""What the tests of all engines throw, and how they compare landings."""

from dataclasses import fields, replace

import numpy as np
from scipy.spatial.transform import Rotation

from brickphys.calibration.agreement import homogeneity
from brickphys.engines.mujoco_world import MujocoSettings
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


def placed(x_mm, y_mm, height_mm, turned_deg=(0, 0, 0)):
    """Return one brick at rest in the air."""
    turned = Rotation.from_euler("xyz", turned_deg, degrees=True).as_quat()
    states = alike(1, height_mm, turned)
    states.position_mm[..., :2] = x_mm, y_mm
    return states


_FOOT_MM, _HEAD_MM = BRICK.centre_of_mass_mm, 9.6 + 1.7 - BRICK.centre_of_mass_mm
RESTS_ON_STUDS = [
    (0, 0, (0, 0, 0), _FOOT_MM - 1.7, "studs_up"),  # four studs in its cavity, as it is built with
    (4, 4, (0, 0, 0), _FOOT_MM, "studs_up"),  # tube on a stud
    (0, 0, (180, 0, 0), _HEAD_MM, "studs_down"),  # studs on studs
    (4, 4, (180, 0, 0), _HEAD_MM - 1.7, "studs_down"),  # studs between studs
    (2, 0, (0, 90, 0), 7.9, "side"),
]
"""Place of a brick, its turn in degrees, height of its centre of mass at rest in mm, and pose."""


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
