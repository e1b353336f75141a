"""Release: floors, and the initial states of the bricks of a hand above them.

A floor is the geometry of the ground; its material is a surface. Heights count from the plane, or from the tops of the
studs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.provenance import ANY, FLIP
from brickphys.seeds import normal_quantiles, uniforms
from brickphys.shapes.body import Body
from brickphys.shapes.brick import BRICK_DIMENSIONS
from brickphys.text import counted
from brickphys.throws.conditions import Conditions
from brickphys.throws.faces import face_map
from brickphys.throws.flight import States, multiply, rotate, turn
from brickphys.units import STUD_MM, Array, Mask

FLAT_DEG = 3.0
"""A brick at rest on a plane within this angle of a stable face lies on it; else it leans on another body."""
STUDDED_DEG = 30.0
"""On studs a brick may rest tilted, with an edge between studs; players name it by the nearest stable face."""


@dataclass(frozen=True)
class Floor:
    """The geometry of a floor."""

    name: str
    surface: str
    """Name of its default surface."""
    tilt_deg: float = FLAT_DEG
    """A brick at rest within this angle of a stable face counts as lying on it; else it is ``leaning``."""
    studs: bool = False
    """Whether it is covered with studs, one every 8 mm along x and y."""
    inside_mm: float | None = None
    """Inner width of the square that walls enclose; None without walls. Walls have no upper end."""

    @property
    def is_plane(self) -> bool:
        """Whether it is a plane without studs and walls."""
        return not self.studs and self.inside_mm is None

    @property
    def period_mm(self) -> float | None:
        """Period of the floor along x and y; None if it is a plane or not periodic."""
        return STUD_MM if self.studs else None

    def wall_time(self, position_mm: Array, velocity_m_s: Array, radius_mm: float) -> Array:
        """Return the earliest time in s at which free bodies can touch a wall, shape (...); infinite without walls.

        Parameters
        ----------
        position_mm, velocity_m_s : ndarray, shape (..., 3)
            Positions and velocities of the centres of mass.
        radius_mm
            Largest distance of a corner from the centre of mass.
        """
        if self.inside_mm is None:
            return np.full(position_mm.shape[:-1], np.inf)
        room = self.inside_mm / 2 - radius_mm - np.sign(velocity_m_s) * position_mm
        speed = 1000.0 * np.abs(velocity_m_s)
        time = np.divide(room, speed, out=np.full_like(room, np.inf), where=speed > 0)[..., :2]
        near = self.near_wall(position_mm, radius_mm)
        return np.asarray(np.where(near, 0.0, time.min(axis=-1)))

    def near_wall(self, position_mm: Array, radius_mm: float | Array) -> Mask:
        """Return which bodies are within `radius_mm` of a wall, shape (...)."""
        if self.inside_mm is None:
            return np.zeros(position_mm.shape[:-1], dtype=bool)
        reach = np.abs(position_mm[..., :2]).max(axis=-1) + radius_mm
        return np.asarray(reach >= self.inside_mm / 2)


STUD_RADIUS_MM = BRICK_DIMENSIONS.stud_diameter_mm / 2
STUD_HEIGHT_MM = BRICK_DIMENSIONS.stud_height_mm

PLANE = Floor("plane", surface="wood")
BASEPLATE = Floor("baseplate", surface="plastic", tilt_deg=STUDDED_DEG, studs=True)
TRAY = Floor("tray", surface="wood", inside_mm=250.0)

FLOORS: Mapping[str, Floor] = {floor.name: floor for floor in (PLANE, BASEPLATE, TRAY)}


def floor(name: str) -> Floor:
    """Return the floor of a name, else raise InvalidValueError with the nearest name."""
    if name not in FLOORS:
        raise unknown("floor", name, FLOORS)
    return FLOORS[name]


_PER_HAND = 3
_PER_BRICK = 9
_PLACE = 5
"""Seed address, within that of the cell, of the position over the studs."""
_SLOWEST_FLIP = 2 / 3
"""Slowest flip in units of the mean; the fastest is as much above it."""
_TINY = 1e-9
_SPACING = 1.05
"""Distance between the centres of neighbouring bricks at the start, in diameters; above 1 they cannot overlap."""


def uniforms_per_hand(bricks: int) -> int:
    """Return the number of uniforms of one hand; it is part of the seed address, see `brickphys.seeds.uniforms`."""
    return _PER_HAND + _PER_BRICK * bricks


def release(
    body: Body,
    conditions: Conditions,
    root: int,
    cell: tuple[int, ...],
    first: int,
    count: int,
    floor: Floor = PLANE,
) -> States:
    """Return the initial states of hands ``first .. first + count - 1``, shape (count, k).

    The bricks of a hand start side by side, on a hexagonal grid turned at random, with independent heights. Over studs,
    the grid is shifted uniformly within a period. Raises InvalidValueError if a brick could start inside the floor or
    its walls, or the body has no pose as it should start.
    """
    if conditions.height_mm[0] < body.radius_mm:
        raise InvalidValueError(
            f"height_mm {conditions.height_mm[0]:g} is below {body.radius_mm:.1f} mm, the reach of "
            f"{body.name} from its centre of mass: it would start inside the floor"
        )
    k = conditions.bricks
    u = uniforms(root, cell, first, count, uniforms_per_hand(k))
    hand, own = u[:, :_PER_HAND], u[:, _PER_HAND:].reshape(count, k, _PER_BRICK)
    low, high = conditions.height_mm
    position = np.empty((count, k, 3))
    spacing = 2.0 * body.radius_mm * _SPACING
    position[..., :2] = _turned(_hexagonal(k) * spacing, 2 * math.pi * hand[:, 2])
    if floor.near_wall(position, body.radius_mm).any():
        hands = f"hands of {counted(k, 'body', 'bodies')}, {body.name},"
        raise InvalidValueError(f"{hands} do not fit into the {floor.name}")
    if floor.period_mm is not None:
        shift = floor.period_mm * uniforms(root, (*cell, _PLACE), first, count, 2)
        position[..., :2] += shift[:, None]
    position[..., 2] = low + (high - low) * own[..., 0]
    velocity = conditions.speed_m_s * _scaled_velocity(conditions, hand, own)
    rotation, spin = _turning(body, conditions, own[..., 3:9])
    return States(position, rotation, velocity, spin)


def _turning(body: Body, conditions: Conditions, u: Array) -> tuple[Array, Array]:
    """Return orientations and spins, of uniforms of shape (..., 6); `LawConditions.start` says which."""
    spin = conditions.spin_rad_s * normal_quantiles(u[..., :3])
    if conditions.start == ANY:
        return _of_any(body, conditions.picked_up, u[..., 3:]), spin
    heading = _about_z(2 * math.pi * u[..., 3])
    if conditions.start == FLIP:
        axis = rotate(_about_z(2 * math.pi * u[..., 4]), np.array([1.0, 0.0, 0.0]))
        rate = conditions.spin_rad_s * (_SLOWEST_FLIP + (2 - 2 * _SLOWEST_FLIP) * u[..., :1])
        over = turn((2 * math.pi * u[..., 5:]) * axis)
        return multiply(over, heading), rate * axis
    normals = face_map(body).normals_of(conditions.start)
    down = normals[(len(normals) * u[..., 4]).astype(np.intp)]
    return multiply(heading, _onto(down)), spin


def _of_any(body: Body, share: float, u: Array) -> Array:
    """Return any orientations, of which a share is as picked up: any stable pose down, with any heading."""
    if share == 0.0:
        return uniform_rotations(u)
    faces = face_map(body)
    poses = [faces.normals_of(pose) for pose in dict.fromkeys(rest.pose for rest in faces.rests)]
    sizes = np.array(list(map(len, poses)))
    pose = (len(poses) * u[..., 1]).astype(np.intp)
    face = (sizes[pose] * (len(poses) * u[..., 1] - pose)).astype(np.intp)
    down = np.concatenate(poses)[(np.cumsum(sizes) - sizes)[pose] + face]
    picked = multiply(_about_z(2 * math.pi * u[..., 0]), _onto(down))
    # of the others, the uniform that chose them is spread over (0, 1) again
    left = np.maximum(u[..., 2:] - share, 0.0) / max(1.0 - share, _TINY)
    free = uniform_rotations(np.concatenate([u[..., :2], left], axis=-1))
    return np.asarray(np.where(u[..., 2:] < share, picked, free))


def _about_z(angle_rad: Array) -> Array:
    """Return the quaternions of turns about the vertical axis, shape (..., 4)."""
    half = angle_rad / 2
    zero = np.zeros_like(half)
    return np.stack([zero, zero, np.sin(half), np.cos(half)], axis=-1)


def _onto(down: Array) -> Array:
    """Return quaternions that turn unit vectors, shape (..., 3), down: half a turn about the middle of both."""
    middle = down - np.array([0.0, 0.0, 1.0])
    length = np.linalg.norm(middle, axis=-1, keepdims=True)
    # of a vector that points up the middle is nothing, and half a turn about any level axis will do
    axis = np.where(length > _TINY, middle / np.maximum(length, _TINY), [1.0, 0.0, 0.0])
    return np.concatenate([axis, np.zeros_like(length)], axis=-1)


def _scaled_velocity(conditions: Conditions, hand: Array, own: Array) -> Array:
    """Return horizontal velocities in units of the RMS speed, shape (count, k, 3); bricks of a hand share a part."""
    velocity = np.zeros((*own.shape[:2], 3))
    shared = normal_quantiles(hand[:, None, :2])
    if conditions.bricks == 1:  # the velocity of a single brick is that of the hand
        velocity[..., :2] = shared
    else:
        scattered = math.sqrt(conditions.scatter) * normal_quantiles(own[..., 1:3])
        velocity[..., :2] = math.sqrt(1.0 - conditions.scatter) * shared + scattered
    return velocity


def uniform_rotations(u: Array) -> Array:
    """Map uniforms on (0, 1), shape (..., 3), to rotations uniform on SO(3): unit quaternions, scalar last.

    Source: K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
    """
    a, b = np.sqrt(1.0 - u[..., 0]), np.sqrt(u[..., 0])
    s, t = 2 * math.pi * u[..., 1], 2 * math.pi * u[..., 2]
    return np.stack([a * np.sin(s), a * np.cos(s), b * np.sin(t), b * np.cos(t)], axis=-1)


def _hexagonal(k: int) -> Array:
    """Return the `k` points of the unit hexagonal lattice nearest to the origin, with their mean at 0; shape (k, 2)."""
    span = np.arange(-4, 5)
    i, j = (grid.ravel() for grid in np.meshgrid(span, span, indexing="ij"))
    points = np.stack([i + 0.5 * j, math.sqrt(0.75) * j], axis=1)
    ring = np.round((points**2).sum(axis=1), 9)
    nearest = points[np.lexsort((j, i, ring))][:k]
    return np.asarray(nearest - nearest.mean(axis=0))


def _turned(points: Array, angle_rad: Array) -> Array:
    """Return `points` (k, 2) turned by each angle (n,); shape (n, k, 2)."""
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    return np.asarray(np.einsum("nij,kj->nki", turn, points))
