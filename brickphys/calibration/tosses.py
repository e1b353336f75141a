"""Tosses: the engine against reality. Each tracked toss of a cube is simulated from its measured start.

A toss is simulated once from its measured start, to rest, for the way it travels; and many times from scattered
starts, for the probability of each face. The most probable face is what is foretold.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np
from scipy.special import ndtri

from brickphys.arrays import Array, Indices
from brickphys.calibration.toss_file import FACES, Tosses
from brickphys.calibration.toss_starts import Starts
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_settings import BulletSettings
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.engine import Engine, Landing
from brickphys.errors import InvalidValueError, unknown
from brickphys.seeds import uniforms
from brickphys.shapes.body import Body, Face, check_size
from brickphys.throws.flight import gap_mm
from brickphys.throws.rotations import down, multiply, turn
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.workers import LocalExecutor

Progress = Callable[[int, int], None]
"""Is told how many jobs are done, and of how many."""
J = TypeVar("J")
R = TypeVar("R")

CUBE_MM, MASS_G, INERTIA_G_CM2 = 104.8, 370.0, 8100.0
"""The acrylic cube of the ContactNets tosses, as its owners measured it."""

CONTACT = ContactCoefficients(friction=0.22, restitution=0.25)
NOISE_SCALE = 1.2
"""What `toss_fit.fit` chooses for 285 of the ContactNets tosses (``docs/validation.md``)."""


@dataclass(frozen=True)
class Thrower:
    """How an engine simulates tosses.

    Attributes
    ----------
    to_rest
        Integrates to rest, because distance is asked for.
    face_only
        Stops as soon as the face is decided.
    replicates, screen_replicates
        Scattered starts a toss: for a prediction, and for each point of a fit's grid.
    per_job
        Scattered starts of all tosses that one process simulates at a time.
    """

    to_rest: Engine
    face_only: Engine
    replicates: int
    screen_replicates: int
    per_job: int


THROWERS = {
    "compiled": Thrower(
        CompiledEngine(CompiledSettings(by_energy=False)), CompiledEngine(), 128, 12, 16
    ),
    # For replicates a body ten times the size of a brick may take twice the step (``docs/validation.md``), and small
    # worlds suit it because all tosses start at nearly the same place.
    "bullet": Thrower(
        BulletEngine(BulletSettings(by_energy=False)),
        BulletEngine(BulletSettings(step_s=1 / 1000, hands=96)),
        16,
        4,
        2,
    ),
}
"""Engines that toss, by name."""

PSEUDO_THROWS = 1.0
"""Imaginary replicates, spread evenly over the faces (Laplace's smoothing): no face is ever impossible."""


@dataclass(frozen=True)
class Noise:
    """Standard deviations of a start, on each axis.

    The defaults are what a first frame misses of its own flight, rounded up: 1 mm, half a degree, 0.04 m/s, 0.3 rad/s.
    Starts fitted to their flights are known far better than that; what is then scattered stands for what the model of
    contact leaves out, and `Model.noise_scale` says how much that is.
    """

    position_mm: float = 1.0
    orientation_deg: float = 0.5
    velocity_m_s: float = 0.04
    spin_rad_s: float = 0.3

    def scaled(self, scale: float) -> "Noise":
        """Return all deviations times `scale`."""
        return Noise(
            scale * self.position_mm,
            scale * self.orientation_deg,
            scale * self.velocity_m_s,
            scale * self.spin_rad_s,
        )


@dataclass(frozen=True)
class Model:
    """What a fit may choose.

    Attributes
    ----------
    contact
        Friction and restitution.
    noise_scale
        The scatter of starts, in units of the experiment's noise.
    """

    contact: ContactCoefficients = CONTACT
    noise_scale: float = NOISE_SCALE


@dataclass(frozen=True, eq=False)
class Experiment:
    """What stays the same when the model varies.

    Attributes
    ----------
    tosses, body
        What was tossed; the poses of the body are `FACES`.
    root
        Root seed of the scattered starts.
    noise
        How far they scatter.
    starts
        Where tosses begin; as tracked if not given.
    engine
        Name of the engine that tosses (`THROWERS`).
    """

    tosses: Tosses
    body: Body
    root: int
    noise: Noise = field(default_factory=Noise)
    starts: Starts | None = None
    engine: str = "compiled"

    def __post_init__(self) -> None:
        if self.engine not in THROWERS:
            raise unknown("engine for tosses", self.engine, THROWERS)

    @property
    def begin(self) -> Starts:
        """Where tosses begin."""
        return Starts(self.tosses.start) if self.starts is None else self.starts

    @property
    def thrower(self) -> Thrower:
        """The engine and its settings."""
        return THROWERS[self.engine]


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the engine says of every toss.

    Attributes
    ----------
    face : ndarray of int, shape (n,)
        Final face from the measured start, as an index into `FACES`; beyond them if it leans or never settles.
    travel_mm : ndarray, shape (n,)
        Horizontal distance from the measured start to rest, in the lengths of the file.
    probability : ndarray, shape (n, 6)
        Chance of each face, from the scattered starts.
    """

    face: Indices
    travel_mm: Array
    probability: Array

    @property
    def called(self) -> Indices:
        """The most probable face, shape (n,): what is foretold."""
        return np.asarray(self.probability.argmax(axis=1))


def cube(
    edge_mm: float = CUBE_MM, mass_g: float = MASS_G, inertia_g_cm2: float = INERTIA_G_CM2
) -> Body:
    """Return a cube whose six poses are called after the body axis that points down.

    Raises
    ------
    InvalidValueError
        If a value is not positive and finite, or no cube of this size and mass can have that moment of inertia
        (all of its mass in the corners has m a2 / 2).
    """
    check_size(edge_mm, "cube edge")
    if not 0 < mass_g < math.inf:
        raise InvalidValueError(f"mass {mass_g:g} g is not a positive number")
    limit = mass_g * (edge_mm / 10) ** 2 / 2
    if not 0 < inertia_g_cm2 <= limit:
        raise InvalidValueError(
            f"inertia {inertia_g_cm2:g} g cm2 is outside 0 to {limit:g}, all that a cube of "
            f"{edge_mm:g} mm and {mass_g:g} g can have"
        )
    sign = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    moment = 100.0 * inertia_g_cm2
    return Body(
        name=f"cube:{edge_mm:g}",
        mass_g=mass_g,
        volume_mm3=edge_mm**3,
        inertia_g_mm2=(moment, moment, moment),
        vertices_mm=sign * edge_mm / 2,
        faces=tuple(_face(name) for name in FACES),
        centre_of_mass_mm=edge_mm / 2,
    )


def _face(name: str) -> Face:
    x, y, z = (float(f"{name[0]}1") if axis == name[1] else 0.0 for axis in "xyz")
    return Face(name, (x, y, z))


def lift(body: Body, states: States) -> tuple[States, int]:
    """Raise bodies that reach below the floor until they touch it; return them and how many there were."""
    sunk_mm = np.maximum(0.0, -gap_mm(body, states))
    position = states.position_mm.copy()
    position[..., 2] += sunk_mm
    lifted = States(position, states.quaternion, states.velocity_m_s, states.spin_rad_s)
    return lifted, int((sunk_mm > 0).sum())


def scatter(states: States, noise: Noise, root: int, replicate: int) -> States:
    """Return measured starts (n,) moved by their uncertainty; a replicate is an address of random numbers."""
    normal = ndtri(uniforms(root, (replicate,), 0, len(states), 12))
    error = math.radians(noise.orientation_deg) * normal[:, 3:6]
    return States(
        states.position_mm + noise.position_mm * normal[:, :3],
        multiply(turn(error), states.quaternion),
        states.velocity_m_s + noise.velocity_m_s * normal[:, 6:9],
        states.spin_rad_s + noise.spin_rad_s * normal[:, 9:],
    )


def to_rest(experiment: Experiment, contact: ContactCoefficients) -> tuple[Indices, Array]:
    """Simulate every toss from its measured start; return final face and travelled distance in mm, (n,) each."""
    start, _ = lift(experiment.body, experiment.begin.states)
    landing = experiment.thrower.to_rest.land(experiment.body, contact, start[:, None])
    way = landing.states.position_mm[:, 0, :2] - start.position_mm[:, :2]
    travel_mm = np.linalg.norm(way, axis=1) / experiment.begin.length_scale
    return landing.pose[:, 0].astype(np.intp), np.asarray(travel_mm)


def face_counts(experiment: Experiment, model: Model, replicates: Sequence[int]) -> Array:
    """Simulate every toss from scattered starts; return how often it ends on each face, shape (n, 6)."""
    noise = experiment.noise.scaled(model.noise_scale)
    parts = [
        scatter(experiment.begin.states, noise, experiment.root, replicate)
        for replicate in replicates
    ]
    starts, _ = lift(experiment.body, States.concatenate(parts))
    landing: Landing = experiment.thrower.face_only.land(
        experiment.body, model.contact, starts[:, None]
    )
    pose = landing.pose.reshape(len(replicates), -1)
    return np.asarray((pose[:, :, None] == np.arange(len(FACES))).sum(axis=0), dtype=np.float64)


def probabilities(counts: Array) -> Array:
    """Return smoothed shares of the faces, shape (n, 6) like `counts`."""
    smoothed = counts + PSEUDO_THROWS / len(FACES)
    return np.asarray(smoothed / smoothed.sum(axis=-1, keepdims=True))


def log_losses(probability: Array, face: Indices) -> Array:
    """Return minus the logarithm of the chance that was given to what happened, shape (n,)."""
    chance = np.take_along_axis(probability, face[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(chance))


def mismatched_starts(tosses: Tosses) -> int:
    """Return how many tosses name an initial face that, by their quaternion, is not the lowest."""
    axes = np.array([_face(name).normal for name in FACES])
    heights = down(tosses.start.quaternion) @ axes.T
    own = np.take_along_axis(heights, tosses.initial_face[:, None], axis=1)[:, 0]
    return int((own < heights.max(axis=1) - 1e-3).sum())


def predict(
    experiment: Experiment,
    models: Sequence[Model],
    *,
    replicates: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Prediction]:
    """Simulate all tosses under each model.

    Parameters
    ----------
    experiment, models
        What is tossed, and on what.
    replicates
        Scattered starts a toss; those of the engine's `Thrower` if not given.
    workers
        Processes; the result does not depend on their number.
    progress
        Is told of finished jobs.
    """
    size = experiment.thrower.per_job
    count = experiment.thrower.replicates if replicates is None else replicates
    chunks = [range(first, min(first + size, count)) for first in range(0, count, size)]
    jobs = [(model, chunk) for model in models for chunk in (None, *chunks)]
    done = in_parallel(partial(_simulate, experiment), jobs, workers, progress)
    each = 1 + len(chunks)
    return [_prediction(done[first : first + each]) for first in range(0, len(done), each)]


def _simulate(
    experiment: Experiment, job: tuple[Model, Sequence[int] | None]
) -> tuple[Indices | None, Array]:
    model, replicates = job
    if replicates is None:
        return to_rest(experiment, model.contact)
    return None, face_counts(experiment, model, replicates)


def _prediction(parts: Sequence[tuple[Indices | None, Array]]) -> Prediction:
    (face, travel_mm), *counted = parts
    assert face is not None  # the first job of a model goes to rest
    counts = np.sum([counts for _, counts in counted], axis=0)
    return Prediction(face, travel_mm, probabilities(counts))


def in_parallel(
    work: Callable[[J], R], jobs: Sequence[J], workers: int, progress: Progress | None = None
) -> list[R]:
    """Return ``work(job)`` of each job in their order, computed by that many processes."""
    tell = progress or (lambda _done, _total: None)
    tell(0, len(jobs))
    results: list[R] = []
    with LocalExecutor(work, workers) as executor:
        for result in executor.map(jobs):
            results.append(result)
            tell(len(results), len(jobs))
    return results
