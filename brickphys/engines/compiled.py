"""Compiled: the fast engine, for a single convex body on a plane, in loops compiled by Numba.

Flight is computed in closed form, every bounce happens at the time of contact, and only corners that stay on the floor
are stepped; see ``docs/model.md``. Bricks that may collide with each other need the bullet engine.

Numba is imported at the first throw.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from brickphys.engines.engine import (
    ENERGY_GAIN_LIMIT,
    ENERGY_SLACK_MM,
    Engine,
    HandSettings,
    Landing,
    StepSettings,
    check_gain,
    check_throws,
    outcomes,
)
from brickphys.errors import InvalidValueError, MissingLibraryError
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import LEVEL_MM, face_map, slides
from brickphys.throws.flight import States, down, multiply, rotate, symmetry_axis, unrotate
from brickphys.throws.release import FLAT_DEG, PLANE, Floor
from brickphys.throws.rings import rings_of
from brickphys.units import GRAVITY_M_S2, Array, Indices

if TYPE_CHECKING:
    from brickphys.engines.flight_kernel import KernelBody
    from brickphys.engines.throw_kernel import Basins, ThrowSettings


MAX_THREADS = 256


@dataclass(frozen=True)
class CompiledSettings(HandSettings, StepSettings):
    """Settings of the integration.

    Raises
    ------
    InvalidValueError
        If the number of threads is outside 1 to 256.
    """

    step_s: float = 1 / 2000
    """Time step while a corner stays on the floor; flights and bounces are not stepped."""
    touch_share: float = 1e-4
    """A corner within this share of the body's radius from the floor touches it."""
    threads: int = 1
    """Threads (1 to 256) that share the throws of one call; the result does not depend on it. The default is 1, because
    worker processes run in parallel already."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= MAX_THREADS:
            raise InvalidValueError(f"threads {self.threads} is outside 1..{MAX_THREADS}")


class Loops(NamedTuple):
    """The compiled loops of an engine, for one body."""

    throw_all: Callable[..., None]
    """See `throw_kernel.throw_all`."""
    workspace: Callable[[int], Any]
    """Returns the workspace of one thread for a number of throws."""


@dataclass(frozen=True)
class CompiledEngine(Engine):
    """Single convex bodies on a plane."""

    settings: CompiledSettings = field(default_factory=CompiledSettings)
    chunk_bricks: int = field(default=16384, kw_only=True)
    name: str = field(default="compiled", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Versions of Numba and of its compiler."""
        return {"numba": version("numba"), "llvmlite": version("llvmlite")}

    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states`, shape (n, 1), until every brick has stopped; see `Engine.land`.

        Raises
        ------
        InvalidValueError
            If a hand has several bricks, the floor is not a plane, or there are no throws.
        MissingLibraryError
            If Numba cannot be imported.
        """
        check_throws(self, contact, states, floor)
        count = len(states)
        motions = kernel_motions(states.flat())
        ends, measures = np.empty((count, 2), dtype=np.intp), np.empty((count, 2))
        try:
            self._throw(body, contact, motions, ends, measures)
        except ImportError as error:
            raise MissingLibraryError(f"Numba cannot be imported ({error})") from error
        return self._landing(body, motions, ends, measures)

    def _throw(
        self,
        body: Body,
        contact: ContactCoefficients,
        motions: Array,
        ends: Indices,
        measures: Array,
    ) -> None:
        from brickphys.jit import compile_once

        rings = rings_of(body)
        chosen = self.ring_settings if rings else self.settings
        law = tuple(kernel_settings(contact, chosen))
        tables: tuple[tuple[Any, ...], ...]
        if rings:
            from brickphys.engines.rings.ring_kernel import COLUMNS, throw_all

            loops = Loops(throw_all, lambda _: np.zeros((3 * len(rings.z_mm) + 1, COLUMNS)))
            # the ends of a level ring fall together within two steps
            level = 1000.0 * GRAVITY_M_S2 * chosen.step_s**2 / rings.radius_mm.max()
            touch_mm = self.settings.touch_share * body.radius_mm
            arms = contact.rolling_mm, contact.drilling_mm
            tables = ((tuple(rings), touch_mm, level, *arms, law),)
            flat = turned(states_of_motions(motions), rings.axis)
            motions[:, 3:7], motions[:, 10:] = flat.quaternion, flat.spin_rad_s
        else:
            loops, solid = self._loops(body), kernel_body(body, self.settings.touch_share)
            tables = tuple(solid), tuple(kernel_basins(body)), law

        def throw(part: slice) -> None:
            rows = motions[part], ends[part], measures[part]
            loops.throw_all(*tables, loops.workspace(len(ends[part])), *rows)

        compile_once(
            loops.throw_all, f"the engine `{self.name}`, some 10 s", lambda: throw(slice(0))
        )
        in_threads(throw, len(motions), self.settings.threads)
        if rings:
            stopped = States(*np.split(motions, (3, 7, 10), axis=1))
            motions[:] = kernel_motions(turned(stopped, rings.axis, -1))
            motions[:, 7:10] /= 1000.0

    @property
    def ring_settings(self) -> CompiledSettings:
        """Settings for round bodies."""
        return self.settings

    def _loops(self, body: Body) -> "Loops":
        from brickphys.engines.throw_kernel import throw_all, workspace

        corners = len(face_map(body).hull.corners_mm)
        return Loops(throw_all, lambda _: tuple(map(tuple, workspace(corners))))

    def _landing(self, body: Body, motions: Array, ends: Indices, measures: Array) -> Landing:
        from brickphys.engines.throw_kernel import AT_REST, DECIDED, DIVERGED

        time_s, gain = measures.T
        check_gain(body, ends[:, 0] == DIVERGED, gain, self.settings.step_s)
        states = states_of_motions(motions)
        pose = np.full(len(motions), len(outcomes(body)) - 1)  # unsettled until known
        pose[ends[:, 0] == DECIDED] = ends[ends[:, 0] == DECIDED, 1]
        resting = ends[:, 0] == AT_REST
        downward = down(states.quaternion[resting])
        pose[resting] = face_map(body).pose_at_rest(downward, FLAT_DEG)
        together = states.map(lambda array: array[:, None])
        return Landing(outcomes(body), pose[:, None], together, time_s.copy(), gain.copy())


def turned(states: States, axis: int, way: int = 1) -> States:
    """Return states of a body frame that is turned so that z is its axis 0, 1 or 2; with `way` -1, turned back."""
    turns = [[0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5], [0.0, 0.0, 0.0, 1.0]]
    turn = np.array(turns[axis]) * [way, way, way, 1]
    return replace(states, quaternion=multiply(states.quaternion, turn))


def in_threads(throw: Callable[[slice], None], count: int, threads: int) -> None:
    """Throw in threads, each a part: throws are independent, so it does not change the result."""
    bounds = np.linspace(0, count, threads + 1).astype(int).tolist()
    parts = [slice(a, b) for a, b in itertools.pairwise(bounds) if a < b]
    if len(parts) == 1:
        throw(parts[0])
        return
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(throw, parts))


def kernel_motions(states: States) -> Array:
    """Return the motions for the kernels, shape (n, 13), of states of shape (n,)."""
    spin = unrotate(states.quaternion, states.spin_rad_s)
    parts = (states.position_mm, states.quaternion, 1000.0 * states.velocity_m_s, spin)
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def states_of_motions(motions: Array) -> States:
    """Return the states of motions, shape (n, 13)."""
    position, quaternion, velocity, spin = (
        part.copy() for part in np.split(motions, (3, 7, 10), axis=1)
    )
    return States(position, quaternion, velocity / 1000.0, rotate(quaternion, spin))


@lru_cache(maxsize=64)
def kernel_body(body: Body, touch_share: float) -> "KernelBody":
    """Return a body for the kernels; see `CompiledSettings.touch_share`."""
    from brickphys.engines.flight_kernel import KernelBody

    corners = face_map(body).hull.corners_mm
    axis = symmetry_axis(body)
    a, b, c = (float(moment) for moment in body.inertia_g_mm2)
    along = tuple(float(axis == k) for k in range(3))
    return KernelBody(
        np.ascontiguousarray(corners[:, 0]),
        np.ascontiguousarray(corners[:, 1]),
        np.ascontiguousarray(corners[:, 2]),
        1.0 / body.mass_g,
        (1.0 / a, 1.0 / b, 1.0 / c),
        (a, b, c),
        ((b - c) / a, (c - a) / b, (a - b) / c),
        (along[0], along[1], along[2]),
        1.0 if axis is None else body.inertia_g_mm2[axis] / body.inertia_g_mm2[axis - 1],
        body.radius_mm,
        body.edge_radius_mm,
        touch_share * body.radius_mm,
    )


@lru_cache(maxsize=64)
def kernel_basins(body: Body) -> "Basins":
    """Return the tables of a body's rests for the kernels."""
    from brickphys.engines.throw_kernel import Basins

    faces = face_map(body)
    incident, pose, barrier = faces.tables
    sliding = slides(body)
    return Basins(
        np.ascontiguousarray(faces.hull.normals),
        np.ascontiguousarray(incident, dtype=np.intp),
        np.ascontiguousarray(pose, dtype=np.intp),
        np.ascontiguousarray(barrier, dtype=np.float64),
        sliding.rest_mm,
        sliding.friction,
        sliding.spin_s2,
        float(barrier.max()),
    )


def kernel_settings(contact: ContactCoefficients, settings: CompiledSettings) -> "ThrowSettings":
    """Return contact and settings for the kernels."""
    from brickphys.engines.throw_kernel import ThrowSettings

    return ThrowSettings(
        friction=float(contact.friction),
        restitution=float(contact.restitution),
        step=settings.step_s,
        bounce=1000.0 * settings.bounce_m_s,
        slack=ENERGY_SLACK_MM,
        level=LEVEL_MM,
        by_energy=settings.by_energy,
        rest_speed=1000.0 * settings.rest_m_s,
        rest_spin=settings.rest_rad_s,
        rest_time=settings.rest_s,
        limit=settings.limit_s,
        gain_limit=ENERGY_GAIN_LIMIT,
    )
