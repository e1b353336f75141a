"""Shot world: pairs of a missile and a standing body in one PyBullet world, with an interface in mm, g and m/s.

Pairs are far apart, and collision groups keep them apart too, so a shot depends on the others of its world by no more
than rounding (tested). Bodies stand on a large box: Bullet finds all corners of a box on it at once, those on a plane
one by one. Missiles meet a plane.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.blocks.settings import BlockSettings
from brickphys.engines.bullet.world import MAX_GROUPS
from brickphys.engines.compound import compound
from brickphys.engines.shots.missile import Missile
from brickphys.engines.shots.standing import StandingBody
from brickphys.engines.solver import (
    configure,
    floor_coefficients,
    own_coefficients,
    set_free,
    set_groups,
)
from brickphys.shapes.body import Part
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_UNITS_S2, MM_PER_UNIT, UNITS_PER_M

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
    module, client
        From `brickphys.engines.client.connection`.
    body, missile
        What stands, and what flies.
    pairs
        Number of pairs, at most `MAX_SHOTS`.
    between, floor
        Coefficients of contact of missile and body, and of each of them and the table.
    settings
        Settings of the integration.
    """

    def __init__(
        self,
        module: ModuleType,
        client: int,
        body: StandingBody,
        missile: Missile,
        pairs: int,
        between: ContactCoefficients,
        floor: ContactCoefficients,
        settings: BlockSettings,
    ) -> None:
        self._bullet, self._client, self._settings = module, client, settings
        self._body, self._own, self.pairs = body, own_coefficients(between), pairs
        module.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=client)
        configure(
            module,
            client,
            settings.step_s,
            settings.iterations,
            settings.breaking_mm,
            settings.bounce_m_s,
        )
        half = [length / 2 / MM_PER_UNIT for length in _TABLE_MM]
        slab = {"shapeType": module.GEOM_BOX, "halfExtents": half}
        plane = {"shapeType": module.GEOM_PLANE, "planeNormal": [0.0, 0.0, 1.0]}
        coefficients = floor_coefficients(floor, between)
        self._lay(slab, -half[2], _TABLE, coefficients)
        self._lay(plane, 0.0, _PLANE, coefficients)
        inverse = body.axes[1] * [-1.0, -1.0, -1.0, 1.0]
        centre = body.mass.centre_mm
        parts = [
            Part(_moved(part.centre_mm, -centre), part.size_mm, part.is_round)
            for part in body.parts
        ]
        form = compound(module, client, parts, turned=inverse)
        mass_g, moments = body.mass.mass_g, body.axes[0].tolist()
        self._bodies = [self._add(form, mass_g, moments) for _ in range(pairs)]
        form, moments = self._missile_shape(missile), list(missile.moments_g_mm2)
        self._missiles = [self._add(form, missile.mass_g, moments) for _ in range(pairs)]
        rows, columns = np.divmod(np.arange(pairs), _ROW)
        self._origin_mm = _APART_MM * np.column_stack([rows, columns, 0 * rows])
        self._put(self._bodies[0], body.start, 0)

    def _lay(
        self, shape: dict[str, Any], height: float, group: int, coefficients: tuple[float, float]
    ) -> None:
        form = self._bullet.createCollisionShape(**shape, physicsClientId=self._client)
        floor = self._bullet.createMultiBody(
            0, form, basePosition=(0.0, 0.0, height), physicsClientId=self._client
        )
        friction, restitution = coefficients
        self._bullet.changeDynamics(
            floor,
            -1,
            lateralFriction=friction,
            restitution=restitution,
            physicsClientId=self._client,
        )
        set_groups(self._bullet, self._client, floor, group, ~(_TABLE | _PLANE))

    def _missile_shape(self, missile: Missile) -> int:
        radius = missile.radius_mm / MM_PER_UNIT
        shape = {"shapeType": self._bullet.GEOM_SPHERE, "radius": radius}
        if missile.length_mm:
            height = missile.length_mm / MM_PER_UNIT
            shape |= {"shapeType": self._bullet.GEOM_CYLINDER, "height": height}
        form: int = self._bullet.createCollisionShape(**shape, physicsClientId=self._client)
        return form

    def _add(self, form: int, mass_g: float, moments: Sequence[float]) -> int:
        """Add a body, out of the world until its pair enters."""
        body: int = self._bullet.createMultiBody(mass_g, form, physicsClientId=self._client)
        set_free(
            self._bullet,
            self._client,
            body,
            self._own,
            moments,
            self._settings.margin_mm,
            self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        )
        self._remove(body)
        return body

    def _put(self, body: int, states: States, pair: int) -> None:
        """Set a body of a pair to states of shape ()."""
        self._bullet.resetBasePositionAndOrientation(
            body,
            ((states.position_mm + self._origin_mm[pair]) / MM_PER_UNIT).tolist(),
            states.quaternion.tolist(),
            physicsClientId=self._client,
        )
        velocity = (states.velocity_m_s * UNITS_PER_M).tolist()
        self._bullet.resetBaseVelocity(
            body, velocity, states.spin_rad_s.tolist(), physicsClientId=self._client
        )

    def gap_mm(self, states: States, within_mm: float) -> float:
        """Return the distance of a missile from a standing body, negative if they overlap; at most `within_mm`.

        It is asked before any pair enters, and the first one serves.
        """
        self._put(self._missiles[0], states, 0)
        points = self._bullet.getClosestPoints(
            self._missiles[0],
            self._bodies[0],
            within_mm / MM_PER_UNIT,
            physicsClientId=self._client,
        )
        return min((MM_PER_UNIT * float(point[8]) for point in points), default=within_mm)

    def enter(self, pair: int, missile: States) -> None:
        """Let the body of a pair stand at rest, and set its missile to states of shape ()."""
        group = _FIRST << pair
        for body, floor, states in (
            (self._bodies[pair], _TABLE, self._body.start),
            (self._missiles[pair], _PLANE, missile),
        ):
            self._put(body, states, pair)
            set_groups(self._bullet, self._client, body, group, group | floor)
            self._activate(body, self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING)

    def turn(self, pair: int, velocity_m_s: Array, spin_rad_s: Array) -> None:
        """Set velocity and spin of the body of a pair."""
        self._bullet.resetBaseVelocity(
            self._bodies[pair],
            (velocity_m_s * UNITS_PER_M).tolist(),
            spin_rad_s.tolist(),
            physicsClientId=self._client,
        )

    def bodies(self, pairs: Sequence[int]) -> States:
        """Return the states of the standing bodies of some pairs, shape (m,)."""
        return self._get(self._bodies, pairs)

    def missiles(self, pairs: Sequence[int]) -> States:
        """Return the states of the missiles of some pairs, shape (m,)."""
        return self._get(self._missiles, pairs)

    def _get(self, of_pair: Sequence[int], pairs: Sequence[int]) -> States:
        numbers = [of_pair[pair] for pair in pairs]
        at = [
            self._bullet.getBasePositionAndOrientation(number, physicsClientId=self._client)
            for number in numbers
        ]
        rates = [
            self._bullet.getBaseVelocity(number, physicsClientId=self._client) for number in numbers
        ]
        shape = (len(numbers), -1)
        return States(
            np.array([place for place, _ in at]).reshape(shape) * MM_PER_UNIT
            - self._origin_mm[pairs],
            np.array([turned for _, turned in at]).reshape(shape),
            np.array([velocity for velocity, _ in rates]).reshape(shape) / UNITS_PER_M,
            np.array([spin for _, spin in rates]).reshape(shape),
        )

    def remove_missile(self, pair: int) -> None:
        """Take the missile of a pair out of the world."""
        self._remove(self._missiles[pair])

    def remove(self, pair: int) -> None:
        """Take a pair out of the world."""
        self._remove(self._missiles[pair])
        self._remove(self._bodies[pair])

    def _remove(self, body: int) -> None:
        set_groups(self._bullet, self._client, body, 0, 0)
        self._activate(body, self._bullet.ACTIVATION_STATE_SLEEP)

    def _activate(self, body: int, state: int) -> None:
        self._bullet.changeDynamics(body, -1, activationState=state, physicsClientId=self._client)

    def step(self, times: int) -> None:
        """Advance by some time steps."""
        for _ in range(times):
            self._bullet.stepSimulation(physicsClientId=self._client)


def _moved(place: tuple[float, float, float], by: Array) -> tuple[float, float, float]:
    x, y, z = (np.array(place) + by).tolist()
    return x, y, z
