"""Client: import of PyBullet when it is needed, without its greeting; connections to it; its contact solver.

All worlds here need the solver, free bodies and collision groups in the same way. Contacts are impulses on velocity
only. Positions are not corrected unless a share is given: that adds energy.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import sqrt
from types import ModuleType
from typing import Any

import numpy as np

from brickphys.errors import MissingLibraryError
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States
from brickphys.units import MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M, Array


def pybullet() -> ModuleType:
    """Return the module PyBullet, imported without its greeting.

    Raises MissingLibraryError if PyBullet is not installed.
    """
    if loaded := sys.modules.get("pybullet"):
        return loaded
    try:
        with _silence():
            import pybullet as module
    except ImportError as error:
        raise MissingLibraryError(
            f"PyBullet cannot be imported ({error}): it has wheels for Python 3.10 and 3.11 only;"
            " the engine compiled and all games work without it"
        ) from error
    return module  # type: ignore[no-any-return]


@contextmanager
def _silence() -> Iterator[None]:
    """Redirect file descriptor 2 to the null device, since C code prints the greeting."""
    if sys.stderr is None:  # it is closed
        yield
        return
    sys.stderr.flush()
    saved = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)


_LEAST = 1e-6
"""Least friction and restitution of a body; that of a pair is the product of two."""


class Client:
    """One physics world of PyBullet without a window: the module's functions and constants, for this world."""

    def __init__(self, module: ModuleType, number: int) -> None:
        self._module, self._number = module, number

    def __getattr__(self, name: str) -> Any:
        """Return a function of PyBullet for this world, or a constant."""
        found = getattr(self._module, name)
        if callable(found):
            found = partial(found, physicsClientId=self._number)
        setattr(self, name, found)  # it is looked up once
        return found

    def configure(
        self,
        step_s: float,
        iterations: int,
        breaking_mm: float,
        bounce_m_s: float,
        erp: float = 0.0,
    ) -> None:
        """Set time step and contact solver.

        Parameters
        ----------
        breaking_mm
            Distance within which a contact point exists.
        bounce_m_s
            Contacts slower than this do not bounce.
        erp
            Share of a penetration that is pushed out in a step.
        """
        self.setPhysicsEngineParameter(
            fixedTimeStep=step_s,
            numSolverIterations=iterations,
            solverResidualThreshold=0.0,  # else the number of iterations depends on all bodies of the world
            numSubSteps=0,
            erp=erp,
            contactERP=erp,
            frictionERP=erp,
            contactBreakingThreshold=breaking_mm / MM_PER_UNIT,
            restitutionVelocityThreshold=bounce_m_s * UNITS_PER_M,
            contactSlop=0.0,
            enableConeFriction=1,
            deterministicOverlappingPairs=1,
        )

    def set_free(
        self,
        body: int,
        coefficients: tuple[float, float],
        moments_g_mm2: Array | Sequence[float],
        margin_mm: float,
        activation: int,
    ) -> None:
        """Give a body its own coefficients, inertia and margin, and free it of PyBullet's damping and limit of speed.

        Parameters
        ----------
        coefficients
            Friction and restitution of the body: PyBullet multiplies them by those of its partner.
        moments_g_mm2
            Principal moments of inertia, shape (3,).
        activation
            PyBullet's state of activation: whether the body may sleep.
        """
        self.changeDynamics(
            body,
            -1,
            lateralFriction=coefficients[0],
            restitution=coefficients[1],
            rollingFriction=0.0,
            spinningFriction=0.0,
            linearDamping=0.0,
            angularDamping=0.0,
            localInertiaDiagonal=[float(moment) / MM2_PER_UNIT2 for moment in moments_g_mm2],
            collisionMargin=margin_mm / MM_PER_UNIT,
            maxJointVelocity=1e7,  # the default clamps every component at 1 m/s
            activationState=activation,
        )

    def add_floor(
        self,
        shape: int,
        place_mm: Sequence[float],
        coefficients: tuple[float, float],
        group: int,
        mask: int,
        **form: Any,
    ) -> int:
        """Add an immovable body with a collision shape at a place; `form` are further arguments of PyBullet."""
        place = [length / MM_PER_UNIT for length in place_mm]
        body: int = self.createMultiBody(0, shape, basePosition=place, **form)
        friction, restitution = coefficients
        self.changeDynamics(body, -1, lateralFriction=friction, restitution=restitution)
        self.set_groups(body, group, mask)
        return body

    def set_groups(self, body: int, group: int, mask: int) -> None:
        """Put a body into collision groups: two meet if the mask of each has a group of the other."""
        self.setCollisionFilterGroupMask(body, -1, group, mask)

    def activate(self, body: int, state: int) -> None:
        """Set PyBullet's state of activation of a body."""
        self.changeDynamics(body, -1, activationState=state)


def states_of(bodies: Sequence[tuple[Client, int]]) -> States:
    """Return the states of bodies, shape (n,), each by its world and its number."""
    poses = [client.getBasePositionAndOrientation(body) for client, body in bodies]
    rates = [client.getBaseVelocity(body) for client, body in bodies]
    return States(
        np.array([place for place, _ in poses]).reshape(-1, 3) * MM_PER_UNIT,
        np.array([turned for _, turned in poses]).reshape(-1, 4),
        np.array([velocity for velocity, _ in rates]).reshape(-1, 3) / UNITS_PER_M,
        np.array([spin for _, spin in rates]).reshape(-1, 3),
    )


@contextmanager
def connections(count: int) -> Iterator[list[Client]]:
    """Open some physics worlds, and close them afterwards."""
    module = pybullet()
    numbers = [module.connect(module.DIRECT) for _ in range(count)]
    try:
        yield [Client(module, number) for number in numbers]
    finally:
        for number in numbers:
            module.disconnect(number)


@contextmanager
def connection() -> Iterator[Client]:
    """Open one physics world, and close it afterwards."""
    with connections(1) as (client,):
        yield client


def own_coefficients(between: ContactCoefficients) -> tuple[float, float]:
    """Return friction and restitution of a body, of which two like it have the given ones between them.

    PyBullet multiplies the coefficients of both partners. A body of 0 would have 0 on every floor, so none is below
    `_LEAST`; two such bodies then have 1e-12 between them instead of 0.
    """
    return max(_LEAST, sqrt(between.friction)), max(_LEAST, sqrt(between.restitution))


def floor_coefficients(
    floor: ContactCoefficients, between: ContactCoefficients
) -> tuple[float, float]:
    """Return friction and restitution of a floor on which bodies with `own_coefficients` have those of `floor`."""
    friction, restitution = own_coefficients(between)
    return floor.friction / friction, floor.restitution / restitution
