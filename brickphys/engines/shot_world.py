"""Shot world: pairs of a missile and a standing body in one PyBullet world, with an interface in mm, g and m/s.

A missile is a homogeneous sphere or short cylinder. A standing body is made of boxes and upright cylinders that are
joined rigidly and stand on a table. Pairs are far apart, and collision groups keep them apart too, so a shot depends on
the others of its world by no more than rounding (tested). Bodies stand on a large box: Bullet finds all corners of a
box on it at once, those on a plane one by one. Missiles meet a plane.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from brickphys import units
from brickphys.engines.block_world import BlockSettings, principal_axes
from brickphys.engines.bodies import compound
from brickphys.engines.bullet_world import MAX_GROUPS
from brickphys.engines.client import Client, floor_coefficients, own_coefficients, states_of
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Part
from brickphys.shapes.solids import MassProperties, compose, cylinder
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, down, multiply, rotate, unrotate


@dataclass(frozen=True)
class Missile:
    """A sphere, or a cylinder with its axis along z of its own frame.

    Raises InvalidValueError if radius or mass is not above 0, or the length is below 0.
    """

    radius_mm: float
    mass_g: float
    length_mm: float = 0.0
    """Length of the cylinder; 0 for a sphere."""

    def __post_init__(self) -> None:
        if not (self.radius_mm > 0 and self.mass_g > 0 and self.length_mm >= 0):
            raise InvalidValueError(
                f"a missile of radius {self.radius_mm:g} mm, length {self.length_mm:g} mm, mass {self.mass_g:g} g"
            )

    @property
    def moments_g_mm2(self) -> units.Triple:
        """Principal moments of inertia."""
        if not self.length_mm:
            moment = 0.4 * self.mass_g * self.radius_mm**2
            return moment, moment, moment
        solid = cylinder((0.0, 0.0, 0.0), 2 * self.radius_mm, self.length_mm)
        inertia = compose([solid], 1000.0 * self.mass_g / solid.volume_mm3).inertia_g_mm2
        x, y, z = np.diag(inertia).tolist()
        return x, y, z

    @property
    def reach_mm(self) -> float:
        """Distance of its farthest point from its centre."""
        return float(np.hypot(self.radius_mm, self.length_mm / 2))

    @property
    def least_height_mm(self) -> float:
        """Height of its centre where it lies on the table as low as it can."""
        return min(self.radius_mm, self.length_mm / 2) if self.length_mm else self.radius_mm

    def depth_mm(self, quaternion: units.Array) -> units.Array:
        """Return how far it reaches below its centre, shape (...,), for orientations (..., 4)."""
        if not self.length_mm:
            return np.full(quaternion.shape[:-1], self.radius_mm)
        axis = np.abs(down(quaternion)[..., 2])
        rim = self.radius_mm * np.sqrt(np.maximum(0.0, 1.0 - axis**2))
        return np.asarray(rim + self.length_mm / 2 * axis)


_RIM = 24
"""Corners of the polygon that stands for the rim of a cylinder where its lowest point is looked for."""


@dataclass(frozen=True, eq=False)
class StandingBody:
    """A body in a frame with z up and its origin on the table.

    Its states (`brickphys.throws.flight.States`) are those of the centre of mass and of the principal axes.
    """

    parts: tuple[Part, ...]
    """Boxes and upright cylinders; the lowest stand on the table."""
    mass: MassProperties
    base_mm: units.Array
    """Corners of the base, over whose edges it tips, shape (n, 2): convex, counter-clockwise."""

    @cached_property
    def axes(self) -> tuple[units.Array, units.Array]:
        """Principal moments in g mm2, shape (3,), and the quaternion of their axes in the body's frame."""
        return principal_axes(self.mass.inertia_g_mm2)

    @property
    def start(self) -> States:
        """The standing body at rest, shape ()."""
        return States(self.mass.centre_mm, self.axes[1], np.zeros(3), np.zeros(3))

    @cached_property
    def corners_mm(self) -> units.Array:
        """Corners of all parts about the centre of mass, in the body's axes, shape (m, 3)."""
        corners = [_corners(part) for part in self.parts]
        return np.asarray(np.concatenate(corners) - self.mass.centre_mm)

    @cached_property
    def reach_mm(self) -> float:
        """Distance of the farthest point from the centre of mass."""
        return float(np.linalg.norm(self.corners_mm, axis=1).max())

    @cached_property
    def barrier_mm(self) -> float:
        """Least height of the centre of mass over the table at which the body can tip over an edge of its base."""
        foot, height = self.mass.centre_mm[:2], self.mass.centre_mm[2]
        along = np.roll(self.base_mm, -1, axis=0) - self.base_mm
        share = ((foot - self.base_mm) * along).sum(axis=1) / (along**2).sum(axis=1)
        nearest = self.base_mm + np.clip(share, 0.0, 1.0)[:, None] * along
        return float(np.hypot(np.linalg.norm(nearest - foot, axis=1).min(), height))

    def frame(self, states: States) -> units.Array:
        """Return the orientations of the body's own axes, shape (..., 4)."""
        return multiply(states.quaternion, self.axes[1] * [-1.0, -1.0, -1.0, 1.0])

    def energy_mm(self, states: States) -> units.Array:
        """Return the energies of bodies, shape (n,), as heights of the centre of mass at rest.

        Heights are over the table, or over the lowest point of a body that has sunk into it by the engine's error.
        """
        spin = unrotate(states.quaternion, states.spin_rad_s)
        kinetic = self.mass.mass_g * (states.velocity_m_s**2).sum(axis=-1) / 2
        kinetic = kinetic + (self.axes[0] * spin**2).sum(axis=-1) / 2e6
        height = states.position_mm[:, 2]
        lowest = height + rotate(self.frame(states)[:, None], self.corners_mm)[..., 2].min(axis=1)
        sunk = np.minimum(0.0, lowest)
        return np.asarray(
            height - sunk + 1000.0 * kinetic / (self.mass.mass_g * units.GRAVITY_M_S2)
        )

    def upright(self, states: States) -> units.Mask:
        """Return which bodies, shape (n,), would fall back on their base if they were at rest.

        These are not yet over the edge: along the lean, the lowest corner of the base is ahead of the centre of mass.
        """
        frame = self.frame(states)
        base = np.column_stack([self.base_mm, np.zeros(len(self.base_mm))]) - self.mass.centre_mm
        corners = rotate(frame[:, None], base)
        rows = np.arange(len(corners))
        lowest = corners[rows, corners[..., 2].argmin(axis=1)]
        up = rotate(frame, np.array([0.0, 0.0, 1.0]))
        lean = np.hypot(up[:, 0], up[:, 1])
        ahead = (lowest[:, :2] * up[:, :2]).sum(axis=1) > 0
        return np.asarray((up[:, 2] > 0) & (ahead | (lean < 1e-9)))


def _corners(part: Part) -> units.Array:
    """Return corners of a part, shape (m, 3); of a cylinder points of both rims."""
    half = np.array(part.size_mm) / 2
    if part.is_round:
        turn = 2 * np.pi * np.arange(_RIM) / _RIM
        plan = np.column_stack([np.cos(turn), np.sin(turn)]) * half[:2]
    else:
        plan = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half[:2]
    ends = [np.column_stack([plan, np.full(len(plan), z)]) for z in (-half[2], half[2])]
    return np.asarray(np.array(part.centre_mm) + np.concatenate(ends))


MAX_SHOTS = MAX_GROUPS - 1
"""Largest number of pairs in a world."""
_TABLE, _PLANE, _FIRST = 1, 2, 4
"""Collision groups: the two floors, and the first pair."""
_TABLE_MM = (20_000.0, 20_000.0, 100.0)
_ROW, _APART_MM = 6, 640.0
"""Pairs in a row, and their distance: Bullet compares all bodies that are in one place in every step."""


class ShotWorld:
    """Pairs of a missile and a standing body.

    Parameters
    ----------
    pairs
        Number of pairs, at most `MAX_SHOTS`.
    between, floor
        Coefficients of contact of missile and body, and of each of them and the table.
    """

    def __init__(
        self,
        client: Client,
        body: StandingBody,
        missile: Missile,
        pairs: int,
        between: ContactCoefficients,
        floor: ContactCoefficients,
        settings: BlockSettings,
    ) -> None:
        self._client, self._settings = client, settings
        self._body, self._own, self.pairs = body, own_coefficients(between), pairs
        client.setGravity(0, 0, -units.GRAVITY_UNITS_S2)
        client.configure(
            settings.step_s, settings.iterations, settings.breaking_mm, settings.bounce_m_s
        )
        half = [length / 2 / units.MM_PER_UNIT for length in _TABLE_MM]
        slab = {"shapeType": client.GEOM_BOX, "halfExtents": half}
        plane = {"shapeType": client.GEOM_PLANE, "planeNormal": [0.0, 0.0, 1.0]}
        coefficients = floor_coefficients(floor, between)
        for shape, height_mm, group in (
            (slab, -_TABLE_MM[2] / 2, _TABLE),
            (plane, 0.0, _PLANE),
        ):
            form = client.createCollisionShape(**shape)
            place_mm = (0.0, 0.0, height_mm)
            client.add_floor(form, place_mm, coefficients, group, ~(_TABLE | _PLANE))
        inverse = body.axes[1] * [-1.0, -1.0, -1.0, 1.0]
        centre = body.mass.centre_mm
        parts = [
            Part(_moved(part.centre_mm, -centre), part.size_mm, part.is_round)
            for part in body.parts
        ]
        form = compound(client, parts, turned=inverse)
        mass_g, moments = body.mass.mass_g, body.axes[0].tolist()
        self._bodies = [self._add(form, mass_g, moments) for _ in range(pairs)]
        form, moments = self._missile_shape(missile), list(missile.moments_g_mm2)
        self._missiles = [self._add(form, missile.mass_g, moments) for _ in range(pairs)]
        rows, columns = np.divmod(np.arange(pairs), _ROW)
        self._origin_mm = _APART_MM * np.column_stack([rows, columns, 0 * rows])
        self._put(self._bodies[0], body.start, 0)

    def _missile_shape(self, missile: Missile) -> int:
        radius = missile.radius_mm / units.MM_PER_UNIT
        shape = {"shapeType": self._client.GEOM_SPHERE, "radius": radius}
        if missile.length_mm:
            height = missile.length_mm / units.MM_PER_UNIT
            shape |= {"shapeType": self._client.GEOM_CYLINDER, "height": height}
        form: int = self._client.createCollisionShape(**shape)
        return form

    def _add(self, form: int, mass_g: float, moments: Sequence[float]) -> int:
        """Add a body, out of the world until its pair enters."""
        body: int = self._client.createMultiBody(mass_g, form)
        self._client.set_free(
            body,
            self._own,
            moments,
            self._settings.margin_mm,
            self._client.ACTIVATION_STATE_DISABLE_SLEEPING,
        )
        self._remove(body)
        return body

    def _put(self, body: int, states: States, pair: int) -> None:
        self._client.resetBasePositionAndOrientation(
            body,
            ((states.position_mm + self._origin_mm[pair]) / units.MM_PER_UNIT).tolist(),
            states.quaternion.tolist(),
        )
        velocity = (states.velocity_m_s * units.UNITS_PER_M).tolist()
        self._client.resetBaseVelocity(body, velocity, states.spin_rad_s.tolist())

    def gap_mm(self, states: States, within_mm: float) -> float:
        """Return the distance of a missile from a standing body, negative if they overlap; at most `within_mm`.

        It is asked before any pair enters, and the first one serves.
        """
        self._put(self._missiles[0], states, 0)
        points = self._client.getClosestPoints(
            self._missiles[0], self._bodies[0], within_mm / units.MM_PER_UNIT
        )
        return min((units.MM_PER_UNIT * float(point[8]) for point in points), default=within_mm)

    def enter(self, pair: int, missile: States) -> None:
        """Let the body of a pair stand at rest, and set its missile to states of shape ()."""
        group = _FIRST << pair
        for body, floor, states in (
            (self._bodies[pair], _TABLE, self._body.start),
            (self._missiles[pair], _PLANE, missile),
        ):
            self._put(body, states, pair)
            self._client.set_groups(body, group, group | floor)
            self._client.activate(body, self._client.ACTIVATION_STATE_DISABLE_SLEEPING)

    def turn(self, pair: int, velocity_m_s: units.Array, spin_rad_s: units.Array) -> None:
        """Set velocity and spin of the body of a pair."""
        self._client.resetBaseVelocity(
            self._bodies[pair], (velocity_m_s * units.UNITS_PER_M).tolist(), spin_rad_s.tolist()
        )

    def bodies(self, pairs: Sequence[int]) -> States:
        """Return the states of the standing bodies of some pairs, shape (m,)."""
        return self._get(self._bodies, pairs)

    def missiles(self, pairs: Sequence[int]) -> States:
        """Return the states of the missiles of some pairs, shape (m,)."""
        return self._get(self._missiles, pairs)

    def _get(self, of_pair: Sequence[int], pairs: Sequence[int]) -> States:
        found = states_of([(self._client, of_pair[pair]) for pair in pairs])
        return replace(found, position_mm=found.position_mm - self._origin_mm[pairs])

    def remove_missile(self, pair: int) -> None:
        """Take the missile of a pair out of the world."""
        self._remove(self._missiles[pair])

    def remove(self, pair: int) -> None:
        """Take a pair out of the world."""
        self._remove(self._missiles[pair])
        self._remove(self._bodies[pair])

    def _remove(self, body: int) -> None:
        self._client.set_groups(body, 0, 0)
        self._client.activate(body, self._client.ACTIVATION_STATE_SLEEP)

    def step(self, times: int) -> None:
        """Advance by some time steps."""
        for _ in range(times):
            self._client.stepSimulation()


def _moved(place: tuple[float, float, float], by: units.Array) -> tuple[float, float, float]:
    x, y, z = (np.array(place) + by).tolist()
    return x, y, z
