"""Block world: rigid blocks on a floor in PyBullet, with an interface in mm, g and m/s.

A block is a rigid prism over a convex outline between two heights, with mass, position and velocity at the start.
Contacts are impulses on velocity only, as in `brickphys.engines.bullet`. PyBullet returns the impulse of each contact
point, friction included. The change of a block's momentum is the sum of these and of the impulse of its weight, within
rounding.

A block that slides must keep all its corners on the floor: those that it loses sink until they are found again, and
what rocks so pushes what it leans on. Bullet finds all corners at once on a box, one in a step on a plane; only those
that overlap the box; and it mistakes old corners for new ones where the floor is the first of the two bodies. So the
floor is a box, a hair above the ground, and the last body.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy  # loads its transforms with the first engine: a third of a second

from brickphys.engines.client import Client, floor_coefficients, own_coefficients
from brickphys.engines.engine import StepSettings
from brickphys.errors import InvalidValueError
from brickphys.shapes.solids import MassProperties
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, multiply, rotate, turn, unrotate
from brickphys.units import GRAVITY_M_S2, GRAVITY_UNITS_S2, MM_PER_UNIT, UNITS_PER_M, Array

Pair = tuple[float, float]

_SQUARE_MM = 1e-6
"""Largest deviation of an outline's corners from a rectangle that still counts as one."""


@dataclass(frozen=True, eq=False)
class Block:
    """A convex prism on the floor, or above it.

    Its own frame has z up and its origin on the floor; the outline, the heights and the centre of mass are given there.
    Raises InvalidValueError if the top is not above the bottom, or a mass is not positive.
    """

    outline_mm: Array
    """Corners of the base, counter-clockwise, convex, shape (n, 2)."""
    bottom_mm: float
    top_mm: float
    """Heights above the floor."""
    mass: MassProperties | None
    """Mass, centre of mass and inertia; None for an immovable block."""
    position_mm: Pair = (0.0, 0.0)
    """Position of its origin on the floor."""
    heading_deg: float = 0.0
    """Heading, counter-clockwise."""
    velocity_m_s: Pair = (0.0, 0.0)
    """Initial velocity along x and y of the world; a held block gets it when it is released."""
    is_held: bool = False
    """Whether the block has neither weight nor motion until something runs into it. Held are flyers, vehicles with a
    speed of their own, and what a held block carries."""
    carrier: int | None = None
    """Number of the block that carries it; the two are let go together. None if it stands by itself."""

    def __post_init__(self) -> None:
        if not self.bottom_mm < self.top_mm:
            raise InvalidValueError(
                f"a block's top, {self.top_mm:g} mm, is not above its bottom, {self.bottom_mm:g} mm"
            )
        if self.mass is not None and not self.mass.mass_g > 0:
            raise InvalidValueError(f"a block's mass, {self.mass.mass_g:g} g, is not above 0")

    @property
    def corners_mm(self) -> Array:
        """Corners in its own frame, shape (2 n, 3)."""
        return np.vstack(
            [np.column_stack([self.outline_mm, np.full(len(self.outline_mm), z)])
             for z in (self.bottom_mm, self.top_mm)]
        )  # fmt: skip

    @property
    def centre_mm(self) -> Array:
        """Centre of mass in its own frame, shape (3,); without mass the middle of the bounding box."""
        if self.mass is not None:
            return self.mass.centre_mm
        corners = self.corners_mm
        middle: Array = (corners.min(axis=0) + corners.max(axis=0)) / 2
        return middle

    @property
    def box_mm(self) -> Array | None:
        """Edges of the block, shape (3,), if its outline is a rectangle along its own axes; else None."""
        low, high = self.outline_mm.min(axis=0), self.outline_mm.max(axis=0)
        off = np.minimum(np.abs(self.outline_mm - low), np.abs(self.outline_mm - high))
        if len(self.outline_mm) != 4 or off.max() > _SQUARE_MM:
            return None
        return np.array([*(high - low), self.top_mm - self.bottom_mm])


def principal_axes(inertia_g_mm2: Array) -> tuple[Array, Array]:
    """Return the principal moments, shape (3,), and the quaternion (scalar last) of their axes in the body's frame.

    Order and signs of the axes are chosen nearest to the body's own axes, so a nearly symmetric body keeps its axes.
    """
    _, axes = np.linalg.eigh(inertia_g_mm2)
    order = [0, 1, 2]
    for row in range(3):
        best = max(order[row:], key=lambda column: abs(axes[row, column]))
        other = order.index(best)
        order[row], order[other] = order[other], order[row]
    axes = axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0, -1.0, 1.0)
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1.0
    moments: Array = np.einsum("ji,jk,ki->i", axes, inertia_g_mm2, axes)
    return moments, scipy.spatial.transform.Rotation.from_matrix(axes).as_quat()


@dataclass(frozen=True)
class BlockSettings(StepSettings):
    """Settings of the integration; the defaults are explained in ``docs/crash.md``."""

    iterations: int = 50
    """Iterations of the contact solver in every step."""
    margin_mm: float = 0.001
    """Outward growth of the collision shape of blocks that are not boxes."""
    breaking_steps: float = 2.0
    """A contact point exists within the distance that gravity moves a block in so many steps. A large distance reduces
    restitution; with a small one, what lies on the floor sinks."""

    @property
    def sunk_mm(self) -> float:
        """Depth of what stands in the floor: gravity moves a block so far in one step, and more would not matter."""
        return 1000.0 * GRAVITY_M_S2 * self.step_s**2

    @property
    def breaking_mm(self) -> float:
        """Distance within which a contact point exists."""
        return 1000.0 * self.breaking_steps * GRAVITY_M_S2 * self.step_s**2


_FLOOR, _ON_FLOOR, _HELD = 1, 2, 4
"""Collision groups: the floor, and the blocks on it and not on it; blocks meet all other blocks."""
_BLOCKS = _ON_FLOOR | _HELD
_THICKNESS_MM, _ENDLESS_MM = 50.0, 40_000.0
"""Thickness of the floor, and its length and width if it has no edge."""
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class BlockContact:
    """The contact of two blocks in one step; its arrays are computed when they are asked for."""

    first: int
    second: int
    """Numbers of the blocks, the smaller one first."""
    points: list[Any]
    is_turned: bool
    """Whether PyBullet names the second block first."""
    step_s: float
    """Time step, which turns PyBullet's forces into impulses."""

    @property
    def depth_mm(self) -> float:
        """Penetration depth."""
        return -MM_PER_UNIT * float(min(point[8] for point in self.points))

    @cached_property
    def points_mm(self) -> Array:
        """Contact points on the second block, shape (m, 3)."""
        side = 5 if self.is_turned else 6
        return np.array([point[side] for point in self.points]) * MM_PER_UNIT

    @cached_property
    def normal(self) -> Array:
        """Unit vector from the second block to the first, shape (3,)."""
        deepest = min(self.points, key=lambda point: point[8])
        return np.array(deepest[7]) * (-1.0 if self.is_turned else 1.0)

    @cached_property
    def impulses_g_m_s(self) -> Array:
        """Impulses on the first block at the points in this step, shape (m, 3); those on the second are opposite."""
        sizes = np.array([(point[9], point[10], point[12]) for point in self.points])
        ways = np.array([(point[7], point[11], point[13]) for point in self.points])
        sign = -1.0 if self.is_turned else 1.0
        impulses: Array = (sizes[:, :, None] * ways).sum(axis=1)
        return impulses * (sign * self.step_s / UNITS_PER_M)


class BlockWorld:
    """Blocks and a floor in one PyBullet world.

    Parameters
    ----------
    between, floor
        Coefficients of contact of two blocks, and of a block and the floor.
    table_mm
        Size of the floor, a table with a corner at the origin; None if it has no edge.
    """

    def __init__(
        self,
        client: Client,
        blocks: Sequence[Block],
        between: ContactCoefficients,
        floor: ContactCoefficients,
        settings: BlockSettings,
        table_mm: Pair | None = None,
    ) -> None:
        self._client, self._settings = client, settings
        self._blocks = blocks
        client.configure(
            settings.step_s, settings.iterations, settings.breaking_mm, settings.bounce_m_s
        )
        axes = [
            (np.zeros(3), _IDENTITY) if b.mass is None else principal_axes(b.mass.inertia_g_mm2)
            for b in blocks
        ]
        self._moments = np.array([moments for moments, _ in axes])
        self._axes = np.array([axis for _, axis in axes])
        self.masses_g = np.array([b.mass.mass_g if b.mass else 0.0 for b in blocks])
        self._own = own_coefficients(between)
        self._bodies = [self._add(n) for n in range(len(blocks))]
        self._floor = self._add_floor(table_mm, *floor_coefficients(floor, between))
        self._numbers = {body: number for number, body in enumerate(self._bodies)}
        self.awake = set(range(len(blocks)))
        """Numbers of the movable blocks that are integrated."""
        self._rows: list[tuple[float, ...]] = [()] * len(blocks)
        self.get()
        self.awake = set(np.flatnonzero(self.masses_g).tolist())

    def _add_floor(self, table_mm: Pair | None, friction: float, restitution: float) -> int:
        sides_mm = table_mm or (_ENDLESS_MM, _ENDLESS_MM)
        middle_mm = [side / 2 for side in table_mm] if table_mm else [0.0, 0.0]
        low_mm = self._settings.sunk_mm - _THICKNESS_MM / 2
        half = [side / 2 / MM_PER_UNIT for side in (*sides_mm, _THICKNESS_MM)]
        shape = self._client.createCollisionShape(self._client.GEOM_BOX, halfExtents=half)
        place_mm, coefficients = (*middle_mm, low_mm), (friction, restitution)
        return self._client.add_floor(shape, place_mm, coefficients, _FLOOR, _ON_FLOOR)

    def _add(self, number: int) -> int:
        block = self._blocks[number]
        start = self.start(number)
        body: int = self._client.createMultiBody(
            self.masses_g[number],
            self._shape(block, self._axes[number]),
            basePosition=(start.position_mm / MM_PER_UNIT).tolist(),
            baseOrientation=start.quaternion.tolist(),
        )
        self._client.set_free(
            body,
            self._own,
            self._moments[number],
            self._settings.margin_mm,
            self._client.ACTIVATION_STATE_ENABLE_SLEEPING,
        )
        held, free = (_HELD, _BLOCKS), (_ON_FLOOR, _BLOCKS | _FLOOR)
        self._client.set_groups(body, *(held if block.is_held else free))
        if not block.is_held and block.mass:
            velocity = [UNITS_PER_M * speed for speed in block.velocity_m_s]
            self._client.resetBaseVelocity(body, [*velocity, 0.0])
        return body

    def _shape(self, block: Block, axes: Array) -> int:
        """Return the collision shape in the frame of the principal axes about the centre of mass."""
        inverse = axes * [-1.0, -1.0, -1.0, 1.0]
        size, client = block.box_mm, self._client
        if size is None:
            corners = rotate(inverse, block.corners_mm - block.centre_mm) / MM_PER_UNIT
            shape = {"shapeType": client.GEOM_MESH, "vertices": corners.tolist()}
        else:
            low, high = block.corners_mm.min(axis=0), block.corners_mm.max(axis=0)
            middle = rotate(inverse, (low + high) / 2 - block.centre_mm) / MM_PER_UNIT
            shape = {
                "shapeType": client.GEOM_BOX,
                "halfExtents": (size / 2 / MM_PER_UNIT).tolist(),
                "collisionFramePosition": middle.tolist(),
                "collisionFrameOrientation": inverse.tolist(),
            }
        form: int = client.createCollisionShape(**shape)
        return form

    def start(self, number: int) -> States:
        """Return the initial position and orientation of a block, at rest; shape ()."""
        block = self._blocks[number]
        heading = turn(np.array([0.0, 0.0, math.radians(block.heading_deg)]))
        place = np.array([*block.position_mm, 0.0]) + rotate(heading, block.centre_mm)
        return States(place, multiply(heading, self._axes[number]), np.zeros(3), np.zeros(3))

    def hold(self, number: int) -> None:
        """Let a block collide with blocks only."""
        self._client.set_groups(self._bodies[number], _HELD, _BLOCKS)

    def release(self, number: int) -> None:
        """Let a block collide with the floor too."""
        self._client.set_groups(self._bodies[number], _ON_FLOOR, _BLOCKS | _FLOOR)
        # whoever gets its groups last is the second body of a pair
        self._client.set_groups(self._floor, _FLOOR, _ON_FLOOR)

    def remove(self, number: int) -> None:
        """Let a block collide with nothing, and sleep."""
        self._client.set_groups(self._bodies[number], 0, 0)
        self.sleep(number)

    def sleep(self, number: int) -> None:
        """Take a block at rest out of the integration until something touches it."""
        self.awake.discard(number)
        self._client.activate(self._bodies[number], self._client.ACTIVATION_STATE_SLEEP)

    def wake(self, number: int) -> None:
        """Take a block into the integration."""
        self.awake.add(number)
        self._client.activate(self._bodies[number], self._client.ACTIVATION_STATE_WAKE_UP)

    def set_bouncing(self, number: int, *, bounces: bool) -> None:
        """Switch the restitution of a block on or off; it is on at first."""
        restitution = self._own[1] if bounces else 0.0
        self._client.changeDynamics(self._bodies[number], -1, restitution=restitution)

    def put(self, number: int, states: States) -> None:
        """Set position and velocity of a block; `states` are those of all."""
        body = self._bodies[number]
        place = (states.position_mm[number] / MM_PER_UNIT).tolist()
        turned, spin = states.quaternion[number].tolist(), states.spin_rad_s[number].tolist()
        velocity = (states.velocity_m_s[number] * UNITS_PER_M).tolist()
        self._client.resetBasePositionAndOrientation(body, place, turned)
        self._client.resetBaseVelocity(body, velocity, spin)
        self._rows[number] = (*place, *turned, *velocity, *spin)

    def get(self) -> States:
        """Return the states of all blocks, shape (n,), at their centres of mass and in their principal axes."""
        for number in self.awake:
            body = self._bodies[number]
            place, turned = self._client.getBasePositionAndOrientation(body)
            velocity, spin = self._client.getBaseVelocity(body)
            self._rows[number] = (*place, *turned, *velocity, *spin)
        rows = np.array(self._rows)
        return States(
            rows[:, :3] * MM_PER_UNIT, rows[:, 3:7], rows[:, 7:10] / UNITS_PER_M, rows[:, 10:]
        )

    def bounds_mm(self) -> Array:
        """Return the lowest and the highest corners of the boxes around all blocks, shape (n, 2, 3)."""
        boxes = [self._client.getAABB(body) for body in self._bodies]
        bounds: Array = np.array(boxes) * MM_PER_UNIT
        return bounds

    def poses(self, states: States) -> Array:
        """Return the poses of the blocks' frames, shape (n, 7): origin in mm, then quaternion, scalar last."""
        quaternion = multiply(states.quaternion, self._axes * [-1.0, -1.0, -1.0, 1.0])
        centres = np.array([block.centre_mm for block in self._blocks])
        return np.concatenate(
            [states.position_mm - rotate(quaternion, centres), quaternion], axis=1
        )

    def energies_mj(self, states: States) -> Array:
        """Return kinetic plus potential energies in mJ of all blocks; 0 for immovable blocks."""
        spin = unrotate(states.quaternion, states.spin_rad_s)
        # grams times (m/s)2 are millijoules
        kinetic = self.masses_g * (states.velocity_m_s**2).sum(axis=1) / 2
        kinetic = kinetic + (self._moments * spin**2).sum(axis=1) / 2e6
        energies: Array = kinetic + self.masses_g * GRAVITY_M_S2 * states.position_mm[:, 2] / 1000
        return energies

    def energy_mj(self, number: int, states: States) -> float:
        """Return what `energies_mj` gives for one block, in a tenth of the time."""
        speed2: float = sum(v * v for v in states.velocity_m_s[number].tolist())
        spin = states.spin_rad_s[number].tolist()
        height_m = float(states.position_mm[number, 2]) / 1000
        energy = float(self.masses_g[number]) * (speed2 / 2 + GRAVITY_M_S2 * height_m)
        if any(spin):
            turned = states.quaternion[number].tolist()
            axes: list[float] = self._client.getMatrixFromQuaternion(turned)
            own = [sum(axes[3 * row + axis] * spin[row] for row in range(3)) for axis in range(3)]
            moments: list[float] = self._moments[number].tolist()
            energy += sum(m * w * w for m, w in zip(moments, own, strict=True)) / 2e6
        return energy

    def step(self, weightless: set[int]) -> None:
        """Advance by one time step; what is awake has weight, but for some blocks.

        Weight is a force on these only: PyBullet wakes what another block comes near to, and gravity would move that.
        """
        for number in self.awake - weightless:
            self._client.applyExternalForce(
                self._bodies[number],
                -1,
                [0.0, 0.0, -self.masses_g[number] * GRAVITY_UNITS_S2],
                self._rows[number][:3],
                self._client.WORLD_FRAME,
            )
        self._client.stepSimulation()

    def detect(self) -> None:
        """Find contacts without advancing."""
        self._client.performCollisionDetection()

    def touches(self) -> list[BlockContact]:
        """Return the contacts between blocks in the last step or `detect`; wake what one awake touches, or reaches."""
        points = self._client.getContactPoints()
        touches = self._grouped(points)
        pairs = [(t.first, t.second) for t in touches] + [(t.second, t.first) for t in touches]
        asleep = {n for _, n in pairs if n not in self.awake and self.masses_g[n]}
        while reached := {n for one, n in pairs if one in self.awake and n in asleep}:
            for number in reached:
                self.wake(number)
            asleep -= reached
        return touches

    def _grouped(self, points: Iterable[Any]) -> list[BlockContact]:
        pairs: dict[tuple[int, int], list[Any]] = {}
        for point in points:
            if self._floor not in point[1:3]:
                pairs.setdefault((point[1], point[2]), []).append(point)
        found = []
        for (one, other), points in pairs.items():
            first, second = sorted((self._numbers[one], self._numbers[other]))
            turned = first != self._numbers[one]
            found.append(BlockContact(first, second, points, turned, self._settings.step_s))
        return sorted(found, key=lambda touch: (touch.first, touch.second))


def relative_velocities(states: States, touch: BlockContact) -> Array:
    """Return the velocities of the first block relative to the second at the contact points, shape (m, 3)."""

    def there(number: int) -> Array:
        arms_m = (touch.points_mm - states.position_mm[number]) / 1000.0
        x, y, z = states.spin_rad_s[number].tolist()
        spin = np.array([(0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0)])
        velocities: Array = states.velocity_m_s[number] + arms_m @ spin
        return velocities

    return there(touch.first) - there(touch.second)
