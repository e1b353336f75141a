"""Kernels as plain functions: compiled ones can only be called by compiled code."""

from types import FunctionType, ModuleType, SimpleNamespace

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.reference import contact_kernel as contact
from benchmarks.reference import flight_kernel as flight
from benchmarks.reference import throw_kernel as throw
from brickphys.engines.kernels import scalar_kernel as scalar


def plain(*modules: ModuleType) -> SimpleNamespace:
    """Return all functions and values of kernel modules, their kernels as plain functions that call each other."""
    names = {name: value for module in modules for name, value in vars(module).items()}
    for name, value in names.items():
        if python := getattr(value, "py_func", None):  # there is none if compilation is off
            names[name] = FunctionType(
                python.__code__, names, name, python.__defaults__, python.__closure__
            )
    return SimpleNamespace(**names)


PLAIN = plain(flight, contact, throw, scalar)
"""Those of the reference and of round bodies."""

SHAPES = (
    "cuboid:10x10x30",
    "cuboid:30x10x10",
    "cuboid:10x30x10",
    "d6:16:r2",
    "1x2:r0.3",
    "cuboid:10x20x14:r1",
)
"""Symmetric about each axis, about all, and about none."""


def random_motions(count, height_mm=30.0, speed_mm_s=1000.0, spin_rad_s=20.0, seed=1):
    """Return motions as kernels have them, shape (count, 13): bodies at `height_mm`, with a normal speed and spin."""
    rng = np.random.default_rng(seed)
    motions = np.zeros((count, 13))
    motions[:, :3] = 10.0 * rng.normal(size=(count, 3))
    motions[:, 2] = height_mm
    motions[:, 3:7] = Rotation.random(count, rng=rng).as_quat()
    motions[:, 7:10] = speed_mm_s * rng.normal(size=(count, 3))
    motions[:, 10:] = spin_rad_s * rng.normal(size=(count, 3))
    return motions


def turned(motion):
    """Return the rotation from body to world."""
    return Rotation.from_quat(motion[3:7])


def points(solid):
    """Return the corners of the core in the body frame, shape (v, 3)."""
    return np.stack([solid.x, solid.y, solid.z], axis=1)


def put_down(solid, motion, gap_mm=0.0):
    """Move a body up or down so that its lowest point is `gap_mm` above the floor."""
    motion[2] = gap_mm + solid.edge - turned(motion).apply(points(solid))[:, 2].min()
