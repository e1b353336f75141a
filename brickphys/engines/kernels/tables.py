"""Tables: what the kernels are given for a body, its rests, the contact and the settings; and results of throws."""

from typing import NamedTuple

from brickphys.units import GRAVITY_M_S2, Array, Indices

GRAVITY_MM_S2 = 1000.0 * GRAVITY_M_S2
OUT_OF_TIME, DECIDED, AT_REST, DIVERGED = 0, 1, 2, 3
"""Results of a throw."""
BOUNCES_AT_ONCE = 8
"""Largest number of bounces at one time; then a time step follows."""


class KernelBody(NamedTuple):
    """One body for the kernels, as numbers and flat arrays, with precomputed quotients."""

    x: Array
    y: Array
    z: Array
    per_mass: float
    per_inertia: tuple[float, float, float]
    inertia: tuple[float, float, float]
    euler: tuple[float, float, float]
    """Factors in Euler's equations: (I2 - I3) / I1 and so on."""
    axis: tuple[float, float, float]
    """Symmetry axis as a unit vector; zero if all three moments differ."""
    ratio: float
    """Moment about the symmetry axis over the other two."""
    radius: float
    """Distance of the farthest point."""
    edge: float
    """Edge radius: the body is its core, swept by a ball of this radius."""
    touch: float
    """Height up to which a corner touches the floor."""


class Sector(NamedTuple):
    """The corners of a body without their mirror images: the lowest corner is one of these, or an image of it."""

    x: Array
    y: Array
    z: Array
    """Not negative across mirrors."""
    mirrors: tuple[bool, bool, bool]
    """Whether the body is its own mirror image across the planes x = 0, y = 0 and z = 0."""
    jerk: float
    """Bound of the third derivative of a corner's height, in spin cubed times radius."""
    corner: Indices
    """(s, 2, 2, 2): which corner of the body each image is; the second one of an axis is on its negative side."""


class Basins(NamedTuple):
    """The tables of `FaceMap` by facet, and the highest barrier."""

    normals: Array
    incident: Indices
    pose: Indices
    barrier: Array
    rest: Array
    """Height of the centre of mass over the facet."""
    tip_friction: Array
    """Friction up to which the body slides on this facet without tipping over; 0 if it cannot rest there."""
    tip_spin: Array
    """Friction that would tip it as much as a spin about the vertical, over the square of the spin."""
    highest: float


Walls = tuple[float, Array, Array] | None
"""Half of the inner width of a tray; the rows of `wall_kernel.throw_near_walls`, and the same as columns."""


class ThrowSettings(NamedTuple):
    """Friction, restitution and settings, in mm and s."""

    friction: float
    restitution: float
    step: float
    bounce: float
    """Speed below which contacts do not bounce."""
    slack: float
    level: float
    by_energy: bool
    rest_speed: float
    rest_spin: float
    rest_time: float
    limit: float
    gain_limit: float
    walls: Walls = None
    """Without, the floor is a plane."""
