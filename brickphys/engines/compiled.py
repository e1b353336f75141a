"""Compiled: the fast engine, for a single convex body on a plane or in a tray, in loops compiled by Numba.

Many bodies fly at once, in the lanes of vector registers. Flight is computed in closed form, every bounce happens at
the time of contact, and only corners that stay on the floor are stepped; see ``docs/model.md``. Bricks that may collide
with each other need the bullet engine.

Numba is imported at the first throw.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

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
from brickphys.engines.kernels.ahead import Made, entry
from brickphys.engines.kernels.rows import COLUMNS, walls_of, workspace
from brickphys.engines.kernels.tables import (
    AT_REST,
    DECIDED,
    DIVERGED,
    Basins,
    KernelBody,
    Sector,
    ThrowSettings,
)
from brickphys.errors import InvalidValueError, MissingLibraryError
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import LEVEL_MM, face_map, slides
from brickphys.throws.flight import (
    States,
    down,
    energy_height_mm,
    multiply,
    rotate,
    symmetry_axis,
    unrotate,
)
from brickphys.throws.release import FLAT_DEG, PLANE, TRAY, Floor
from brickphys.throws.rings import Rings, rings_of
from brickphys.units import GRAVITY_M_S2, Array, Indices

MAX_THREADS = 256
_SLENDEREST = 1000.0
"""Most by which moments of inertia may differ near walls: flights there get shorter with the square of it."""
Results = tuple[Array, Indices, Array]
"""Motions, which are overwritten, results and poses, and measures, a row for each throw."""


@dataclass(frozen=True)
class CompiledSettings(HandSettings, StepSettings):
    """Settings of the integration.

    Raises InvalidValueError if the number of threads is outside 1 to 256.
    """

    step_s: float = 1 / 500
    """Time step while a corner stays on the floor; flights and bounces are not stepped. It is of second order, and ends
    where a corner lands. Round bodies have a quarter of it, of first order."""
    bounce_steps: float = 0.25
    touch_share: float = 1e-6
    """A corner within this share of the body's radius from the floor touches it."""
    threads: int = 1
    """Threads (1 to 256) that share the throws of one call; the result does not depend on it. The default is 1, because
    worker processes run in parallel already."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= MAX_THREADS:
            raise InvalidValueError(f"threads {self.threads} is outside 1..{MAX_THREADS}")


@dataclass(frozen=True)
class CompiledEngine(Engine):
    """Single convex bodies on a plane or in a tray."""

    settings: CompiledSettings = field(default_factory=CompiledSettings)
    floors: tuple[str, ...] = field(default=(PLANE.name, TRAY.name), kw_only=True)
    chunk_bricks: int = field(default=16384, kw_only=True)
    name: str = field(default="compiled", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Versions of Numba and of its compiler."""
        from importlib.metadata import version  # slow: throws need none

        return {"numba": version("numba"), "llvmlite": version("llvmlite")}

    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states`, shape (n, 1), until every brick has stopped; see `Engine.land`.

        Raises InvalidValueError if a hand has several bricks, the floor has studs, a body in a tray is a needle, or
        there are no throws; MissingLibraryError if Numba cannot be imported.
        """
        check_throws(self, contact, states, floor)
        slender = max(body.inertia_g_mm2) / min(body.inertia_g_mm2)
        if slender > _SLENDEREST and not floor.is_plane:
            raise InvalidValueError(
                f"{body.name} is too slender for the {self.name} engine in a {floor.name}: one of its moments of "
                f"inertia is {slender:,.0f} times another one, at most {_SLENDEREST:,.0f}"
            )
        count = len(states)
        motions = kernel_motions(states.flat())
        ends, measures = np.empty((count, 2), dtype=np.intp), np.empty((count, 2))
        try:
            self._throw(body, contact, floor, (motions, ends, measures))
        except ImportError as error:
            raise MissingLibraryError(f"Numba cannot be imported ({error})") from error
        return self._landing(body, floor, motions, ends, measures)

    def _throw(
        self, body: Body, contact: ContactCoefficients, floor: Floor, results: Results
    ) -> None:
        if floor.is_plane and (rings := rings_of(body)):
            self._throw_rings(rings, body, contact, results)
            return
        corners, sector = len(face_map(body).hull.corners_mm), tuple(kernel_sector(body))
        solid, basins = kernel_body(body, self.settings.touch_share), kernel_basins(body)
        tables, chosen = (tuple(solid), tuple(basins)), kernel_settings(contact, self.settings)

        def given(count: int) -> tuple[Any, ...]:
            settings = *chosen[:-1], walls_of(floor.inside_mm, corners)
            return *tables, settings, (*workspace(corners, count), sector)

        self._in_threads(f"throw_kernel-{floor.name}", given, results)

    def _throw_rings(
        self, rings: Rings, body: Body, contact: ContactCoefficients, results: Results
    ) -> None:
        chosen, motions = self.ring_settings, results[0]
        # the ends of a level ring fall together within two steps
        level = 1000.0 * GRAVITY_M_S2 * chosen.step_s**2 / rings.radius_mm.max()
        touch_mm = chosen.touch_share * body.radius_mm
        arms = contact.rolling_mm, contact.drilling_mm
        tables = tuple(rings), touch_mm, level, *arms, tuple(kernel_settings(contact, chosen))
        flat = turned(states_of_motions(motions), rings.axis)
        motions[:, 3:7], motions[:, 10:] = flat.quaternion, flat.spin_rad_s

        def given(_count: int) -> tuple[Any, ...]:
            return tables, np.zeros((3 * len(rings.z_mm) + 1, COLUMNS))

        self._in_threads("ring_kernel", given, results)
        stopped = States(*np.split(motions, (3, 7, 10), axis=1))
        motions[:] = kernel_motions(turned(stopped, rings.axis, -1))
        motions[:, 7:10] /= 1000.0

    def _in_threads(
        self, name: str, given: Callable[[int], tuple[Any, ...]], results: Results
    ) -> None:
        """Throw in threads, each a part: throws are independent, so it does not change the result."""
        throw_all = entry(name)

        def throw(part: slice) -> None:
            motions, ends, measures = (one[part] for one in results)
            throw_all(*given(len(ends)), motions, ends, measures)

        if not isinstance(throw_all, Made):
            from brickphys.jit import compile_once

            compile_once(throw_all, f"the engine `{self.name}`, some 10 s", lambda: throw(slice(0)))
        bounds = np.linspace(0, len(results[0]), self.settings.threads + 1).astype(int).tolist()
        parts = [slice(a, b) for a, b in itertools.pairwise(bounds) if a < b]
        if len(parts) == 1:
            throw(parts[0])
            return
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(throw, parts))

    @property
    def ring_settings(self) -> CompiledSettings:
        """Settings for round bodies, whose step is of first order."""
        usual = self.settings
        return replace(
            usual,
            step_s=usual.step_s / 4,
            bounce_steps=8 * usual.bounce_steps,
            touch_share=100 * usual.touch_share,
        )

    def _landing(
        self, body: Body, floor: Floor, motions: Array, ends: Indices, measures: Array
    ) -> Landing:
        time_s, gain = measures.T
        check_gain(body, ends[:, 0] == DIVERGED, gain, self.settings.step_s)
        states = states_of_motions(motions)
        pose = np.full(len(motions), len(outcomes(body)) - 1)  # unsettled until known
        pose[ends[:, 0] == DECIDED] = ends[ends[:, 0] == DECIDED, 1]
        resting = ends[:, 0] == AT_REST
        downward = down(states.quaternion[resting])
        pose[resting] = face_map(body).pose_at_rest(downward, FLAT_DEG)
        late = np.flatnonzero(~resting & (ends[:, 0] != DECIDED))
        if floor.is_plane and len(late):  # a slab may rock for ever, and lack the energy to fall
            found = face_map(body).decide(down(states.quaternion[late]))
            stays = energy_height_mm(body, states[late]) < found.barrier_height_mm
            pose[late[stays]] = found.pose_index[stays]
        together = states.map(lambda array: array[:, None])
        return Landing(outcomes(body), pose[:, None], together, time_s.copy(), gain.copy())


def turned(states: States, axis: int, way: int = 1) -> States:
    """Return states of a body frame that is turned so that z is its axis 0, 1 or 2; with `way` -1, turned back."""
    turns = [[0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5], [0.0, 0.0, 0.0, 1.0]]
    turn = np.array(turns[axis]) * [way, way, way, 1]
    return replace(states, quaternion=multiply(states.quaternion, turn))


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
def kernel_body(body: Body, touch_share: float) -> KernelBody:
    """Return a body for the kernels; see `CompiledSettings.touch_share`."""
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
def kernel_sector(body: Body) -> Sector:
    """Return the corners of a body without their mirror images, for the kernels."""
    corners = face_map(body).hull.corners_mm + 0.0  # no -0.0
    number = {tuple(one): k for k, one in enumerate(corners.tolist())}
    x, y, z = (
        all(tuple(one) in number for one in (corners * sign + 0.0).tolist())
        for sign in 1 - 2 * np.eye(3)
    )
    signs = [np.array([1, -1 if mirrored else 1]) for mirrored in (x, y, z)]
    octants = np.stack(np.meshgrid(*signs, indexing="ij"), axis=-1)
    kept = corners[(corners >= 0).all(axis=1, where=[x, y, z])]
    images = kept[:, None, None, None] * octants + 0.0
    place = [number[tuple(one)] for one in images.reshape(-1, 3).tolist()]
    along = np.ascontiguousarray(kept.T)
    corner = np.array(place).reshape(len(kept), 2, 2, 2)
    # the third derivative of the upward vector by its three terms; the spin has a rate of at most 0.6 change w2
    a, b, c = body.inertia_g_mm2
    change = max(abs(b - c) / a, abs(c - a) / b, abs(a - b) / c)
    jerk = 1.0 + 1.8 * change + change * change
    return Sector(along[0], along[1], along[2], (x, y, z), jerk, corner)


@lru_cache(maxsize=64)
def kernel_basins(body: Body) -> Basins:
    """Return the tables of a body's rests for the kernels."""
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


def kernel_settings(contact: ContactCoefficients, settings: CompiledSettings) -> ThrowSettings:
    """Return contact and settings for the kernels."""
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
