"""Client: import of PyBullet when it is needed, without its greeting; connections to it; its contact solver.

All worlds here need the solver, free bodies and collision groups in the same way. Contacts are impulses on velocity
only. Positions are not corrected unless a share is given: that adds energy.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from types import ModuleType

from brickphys.errors import MissingLibraryError
from brickphys.throws.conditions import ContactCoefficients
from brickphys.units import MM2_PER_UNIT2, MM_PER_UNIT, UNITS_PER_M, Array


def pybullet() -> ModuleType:
    """Return the module PyBullet, imported without its greeting.

    Raises
    ------
    MissingLibraryError
        If PyBullet is not installed.
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


@contextmanager
def connections(count: int) -> Iterator[tuple[ModuleType, list[int]]]:
    """Open some physics worlds without a window, and close them afterwards.

    Yields
    ------
    tuple
        The module, and the numbers of the clients for the argument ``physicsClientId`` of its functions.
    """
    module = pybullet()
    clients = [module.connect(module.DIRECT) for _ in range(count)]
    try:
        yield module, clients
    finally:
        for client in clients:
            module.disconnect(client)


@contextmanager
def connection() -> Iterator[tuple[ModuleType, int]]:
    """Open one physics world; see `connections`."""
    with connections(1) as (module, (client,)):
        yield module, client


_LEAST = 1e-6
"""Least friction and restitution of a body; that of a pair is the product of two."""


def configure(
    module: ModuleType,
    client: int,
    step_s: float,
    iterations: int,
    breaking_mm: float,
    bounce_m_s: float,
    erp: float = 0.0,
) -> None:
    """Set time step and contact solver of a world.

    Parameters
    ----------
    module, client
        As `client.connection` yields them.
    step_s, iterations
        Time step, and iterations of the solver in each.
    breaking_mm
        Distance within which a contact point exists.
    bounce_m_s
        Contacts slower than this do not bounce.
    erp
        Share of a penetration that is pushed out in a step.
    """
    module.setPhysicsEngineParameter(
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
        physicsClientId=client,
    )


def set_free(
    module: ModuleType,
    client: int,
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
    margin_mm
        Collision margin.
    activation
        PyBullet's state of activation: whether the body may sleep.
    """
    module.changeDynamics(
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
        physicsClientId=client,
    )


def set_groups(module: ModuleType, client: int, body: int, group: int, mask: int) -> None:
    """Put a body into collision groups: two meet if the mask of each has a group of the other."""
    module.setCollisionFilterGroupMask(body, -1, group, mask, physicsClientId=client)


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
