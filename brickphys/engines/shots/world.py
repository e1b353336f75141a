"""Shot world: pairs of a missile and a standing body in one PyBullet world, with an interface in mm, g and m/s.

All pairs are in the same place, and collision groups keep them apart, so a shot does not depend on the others of its
world (tested). The table is a large box: Bullet finds all corners of a box on it at once, those on a plane one by one.
"""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.blocks.settings import BlockSettings
from brickphys.engines.bullet.world import MAX_GROUPS
from brickphys.engines.compound import compound
from brickphys.engines.shots.missile import Missile
from brickphys.engines.shots.standing import StandingBody
from brickphys.engines.solver import configure, floor_coefficients, own_coefficients, set_free
from brickphys.shapes.body import Part
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_UNITS_S2, MM_PER_UNIT, UNITS_PER_M

MAX_SHOTS = MAX_GROUPS
"""Largest number of pairs in a world."""
_FLOOR = 1
_TABLE_MM = (20_000.0, 20_000.0, 100.0)


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
        self._body, self._own = body, own_coefficients(between)
        module.setGravity(0, 0, -GRAVITY_UNITS_S2, physicsClientId=client)
        configure(
            module,
            client,
            settings.step_s,
            settings.iterations,
            settings.breaking_mm,
            settings.bounce_m_s,
        )
        self._lay_table(floor_coefficients(floor, between))
        inverse = body.axes[1] * [-1.0, -1.0, -1.0, 1.0]
        centre = body.mass.centre_mm
        parts = [
            Part(_moved(part.centre_mm, -centre), part.size_mm, part.is_round)
            for part in body.parts
        ]
        form = compound(module, client, parts, turned=inverse)
        groups = [2 << pair for pair in range(pairs)]
        self._bodies = [
            self._add(form, body.mass.mass_g, body.axes[0].tolist(), group) for group in groups
        ]
        form = self._missile_shape(missile)
        self._missiles = [
            self._add(form, missile.mass_g, missile.moments_g_mm2, group) for group in groups
        ]
        for number in self._bodies:
            self._put(number, body.start)

    def _lay_table(self, coefficients: tuple[float, float]) -> None:
        half = [length / 2 / MM_PER_UNIT for length in _TABLE_MM]
        form = self._bullet.createCollisionShape(
            self._bullet.GEOM_BOX, halfExtents=half, physicsClientId=self._client
        )
        table = self._bullet.createMultiBody(
            0, form, basePosition=(0.0, 0.0, -half[2]), physicsClientId=self._client
        )
        friction, restitution = coefficients
        self._bullet.changeDynamics(
            table,
            -1,
            lateralFriction=friction,
            restitution=restitution,
            physicsClientId=self._client,
        )
        self._filter(table, _FLOOR, ~_FLOOR)

    def _missile_shape(self, missile: Missile) -> int:
        radius = missile.radius_mm / MM_PER_UNIT
        shape = {"shapeType": self._bullet.GEOM_SPHERE, "radius": radius}
        if missile.length_mm:
            height = missile.length_mm / MM_PER_UNIT
            shape |= {"shapeType": self._bullet.GEOM_CYLINDER, "height": height}
        form: int = self._bullet.createCollisionShape(**shape, physicsClientId=self._client)
        return form

    def _add(self, form: int, mass_g: float, moments: Sequence[float], group: int) -> int:
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
        self._filter(body, group, group | _FLOOR)
        return body

    def _filter(self, body: int, group: int, mask: int) -> None:
        self._bullet.setCollisionFilterGroupMask(
            body, -1, group, mask, physicsClientId=self._client
        )

    def _put(self, body: int, states: States) -> None:
        """Set a body to states of shape ()."""
        self._bullet.resetBasePositionAndOrientation(
            body,
            (states.position_mm / MM_PER_UNIT).tolist(),
            states.quaternion.tolist(),
            physicsClientId=self._client,
        )
        velocity = (states.velocity_m_s * UNITS_PER_M).tolist()
        self._bullet.resetBaseVelocity(
            body, velocity, states.spin_rad_s.tolist(), physicsClientId=self._client
        )

    def put_missile(self, pair: int, states: States) -> None:
        """Set the missile of a pair to states of shape ()."""
        self._put(self._missiles[pair], states)

    def gap_mm(self, pair: int, within_mm: float) -> float:
        """Return the distance of the missile and the body of a pair, negative if they overlap; at most `within_mm`."""
        points = self._bullet.getClosestPoints(
            self._missiles[pair],
            self._bodies[pair],
            within_mm / MM_PER_UNIT,
            physicsClientId=self._client,
        )
        return min((MM_PER_UNIT * float(point[8]) for point in points), default=within_mm)

    def bodies(self, pairs: Sequence[int]) -> States:
        """Return the states of the standing bodies of some pairs, shape (m,)."""
        return self._get([self._bodies[pair] for pair in pairs])

    def missiles(self, pairs: Sequence[int]) -> States:
        """Return the states of the missiles of some pairs, shape (m,)."""
        return self._get([self._missiles[pair] for pair in pairs])

    def _get(self, numbers: Sequence[int]) -> States:
        at = [
            self._bullet.getBasePositionAndOrientation(number, physicsClientId=self._client)
            for number in numbers
        ]
        rates = [
            self._bullet.getBaseVelocity(number, physicsClientId=self._client) for number in numbers
        ]
        shape = (len(numbers), -1)
        return States(
            np.array([place for place, _ in at]).reshape(shape) * MM_PER_UNIT,
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
        self._filter(body, 0, 0)
        self._bullet.changeDynamics(
            body,
            -1,
            activationState=self._bullet.ACTIVATION_STATE_SLEEP,
            physicsClientId=self._client,
        )

    def step(self, times: int) -> None:
        """Advance by some time steps."""
        for _ in range(times):
            self._bullet.stepSimulation(physicsClientId=self._client)


def _moved(place: tuple[float, float, float], by: Array) -> tuple[float, float, float]:
    x, y, z = (np.array(place) + by).tolist()
    return x, y, z
