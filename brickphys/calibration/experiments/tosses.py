"""Tosses: simulations of tracked tosses of a cube.

Each toss is simulated once from its measured start to rest, for its distance, and many times from starts with random
errors, for the probability of each face. The most probable face is the predicted one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from brickphys.calibration.experiments.toss_tracks import FACES, Starts, Tosses
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.engine import Engine, Landing
from brickphys.errors import InvalidValueError, unknown
from brickphys.notes import Progress
from brickphys.seeds import normal_quantiles, uniforms
from brickphys.shapes.body import Body, Face, check_edge_radius, check_size, shape_name
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, down, gap_mm, multiply, turn
from brickphys.units import Array, Indices
from brickphys.workers import LocalExecutor

J = TypeVar("J")
R = TypeVar("R")

CUBE_MM, MASS_G, INERTIA_G_CM2 = 104.8, 370.0, 8100.0
"""The acrylic cube of the ContactNets tosses, as measured by their authors."""

EDGE_RADIUS_MM = 3.4
"""Its edge radius, by `toss_radius.edge_radius` from heights alone (2.8 to 4.0 mm)."""

CONTACT = ContactCoefficients(friction=0.19, restitution=0.25)
NOISE_SCALE = 1.2
"""Result of `toss_fit.fit` for faces and distances of 285 of the ContactNets tosses (``docs/validation.md``)."""
FIRST_FRAME_NOISE_SCALE = 1.5
"""The noise fitted in the same way to starts from first frames alone."""


@dataclass(frozen=True)
class TossEngine:
    """An engine with its settings for tosses."""

    to_rest: Engine
    """The engine that integrates to rest, for distances."""
    face_only: Engine
    """The engine that stops once the face is decided."""
    replicates: int
    screen_replicates: int
    """Random starts of each toss, for a prediction and for each point of a fit's grid."""
    per_job: int
    """Random starts of each toss in one job of a process."""


TOSS_ENGINES = {
    "compiled": TossEngine(
        CompiledEngine(CompiledSettings(by_energy=False)), CompiledEngine(), 128, 12, 16
    ),
    # A body ten times the size of a brick allows a larger time step for replicates (``docs/validation.md``). Small
    # worlds are faster because all tosses start at nearly the same place.
    "bullet": TossEngine(
        BulletEngine(BulletSettings(by_energy=False)),
        BulletEngine(BulletSettings(step_s=1 / 1000, hands=96)),
        16,
        4,
        2,
    ),
}
"""Engines for tosses, by name."""

PSEUDO_THROWS = 1.0
"""Pseudo-count, spread evenly over the faces (additive smoothing), so that no face has probability 0."""


@dataclass(frozen=True)
class Noise:
    """Standard deviations of a start on each axis.

    The defaults are the deviations of first frames from their flights, rounded up: 1 mm, 0.5 degrees, 0.04 m/s,
    0.3 rad/s. Starts fitted to their flights are more accurate. Then the noise stands for the errors of the contact
    model, and `Model.noise_scale` is its fitted size.
    """

    position_mm: float = 1.0
    orientation_deg: float = 0.5
    velocity_m_s: float = 0.04
    spin_rad_s: float = 0.3

    def scaled(self, scale: float) -> "Noise":
        """Return all deviations times `scale`."""
        return Noise(*(scale * one for one in astuple(self)))


@dataclass(frozen=True)
class Model:
    """The fitted parameters."""

    contact: ContactCoefficients = CONTACT
    noise_scale: float = NOISE_SCALE
    """Noise of the starts, as a multiple of the experiment's noise."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """Tosses and settings that are common to all models."""

    tosses: Tosses
    body: Body
    root: int
    noise: Noise = field(default_factory=Noise)
    """Standard deviations of the starts."""
    starts: Starts | None = None
    """Initial states; None for those of the file."""
    engine: str = "compiled"
    """Name of the engine (`TOSS_ENGINES`)."""

    def __post_init__(self) -> None:
        if self.engine not in TOSS_ENGINES:
            raise unknown("engine for tosses", self.engine, TOSS_ENGINES)

    @property
    def used_starts(self) -> Starts:
        """Initial states: `starts`, or those of the file."""
        return Starts(self.tosses.start) if self.starts is None else self.starts

    @property
    def toss_engine(self) -> TossEngine:
        """The engine and its settings."""
        return TOSS_ENGINES[self.engine]


@dataclass(frozen=True, eq=False)
class Prediction:
    """Simulated results of all tosses."""

    face: Indices
    """Index in `FACES` of the final face from the measured start, shape (n,); larger if it leans or does not settle."""
    travel_mm: Array
    """Horizontal distance from the measured start to rest, in the lengths of the file, shape (n,)."""
    probability: Array
    """Probability of each face, from starts with noise, shape (n, 6)."""

    @property
    def predicted_face(self) -> Indices:
        """The most probable face, shape (n,)."""
        return np.asarray(self.probability.argmax(axis=1))


def cube(
    edge_mm: float = CUBE_MM,
    mass_g: float = MASS_G,
    inertia_g_cm2: float = INERTIA_G_CM2,
    edge_radius_mm: float = 0.0,
) -> Body:
    """Return a cube whose poses are named by the body axis that points down.

    Raises InvalidValueError if a value is not positive and finite, the moment of inertia is larger than m a^2 / 2, that
    of a cube with all its mass in the corners, or the edge radius is not below half the edge.
    """
    check_size(edge_mm, "cube edge")
    if not 0 < mass_g < math.inf:
        raise InvalidValueError(f"mass {mass_g:g} g is not a positive number")
    check_edge_radius(edge_radius_mm, edge_mm / 2, "half the edge")
    limit = mass_g * (edge_mm / 10) ** 2 / 2
    if not 0 < inertia_g_cm2 <= limit:
        raise InvalidValueError(
            f"inertia {inertia_g_cm2:g} g cm2 is outside 0 to {limit:g}, the limit of a cube "
            f"of {edge_mm:g} mm and {mass_g:g} g"
        )
    sign = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    moment = 100.0 * inertia_g_cm2
    return Body(
        name=shape_name(f"cube:{edge_mm:g}", edge_radius_mm),
        mass_g=mass_g,
        volume_mm3=edge_mm**3,
        inertia_g_mm2=(moment, moment, moment),
        vertices_mm=sign * (edge_mm / 2 - edge_radius_mm),
        faces=tuple(_face(name) for name in FACES),
        centre_of_mass_mm=edge_mm / 2,
        edge_radius_mm=edge_radius_mm,
    )


def _face(name: str) -> Face:
    x, y, z = (float(f"{name[0]}1") if axis == name[1] else 0.0 for axis in "xyz")
    return Face(name, (x, y, z))


def lift(body: Body, states: States) -> tuple[States, int]:
    """Return the states with bodies below the floor raised until they touch it, and the number of these bodies."""
    sunk_mm = np.maximum(0.0, -gap_mm(body, states))
    position = states.position_mm.copy()
    position[..., 2] += sunk_mm
    lifted = States(position, states.quaternion, states.velocity_m_s, states.spin_rad_s)
    return lifted, int((sunk_mm > 0).sum())


def scatter(states: States, noise: Noise, root: int, replicate: int) -> States:
    """Return measured starts, shape (n,), with random errors; `replicate` is the seed address."""
    normal = normal_quantiles(uniforms(root, (replicate,), 0, len(states), 12))
    error = math.radians(noise.orientation_deg) * normal[:, 3:6]
    return States(
        states.position_mm + noise.position_mm * normal[:, :3],
        multiply(turn(error), states.quaternion),
        states.velocity_m_s + noise.velocity_m_s * normal[:, 6:9],
        states.spin_rad_s + noise.spin_rad_s * normal[:, 9:],
    )


def to_rest(experiment: Experiment, contact: ContactCoefficients) -> tuple[Indices, Array]:
    """Simulate every toss from its measured start; return final faces and distances in mm, shapes (n,)."""
    start, _ = lift(experiment.body, experiment.used_starts.states)
    landing = experiment.toss_engine.to_rest.land(experiment.body, contact, start[:, None])
    way = landing.states.position_mm[:, 0, :2] - start.position_mm[:, :2]
    travel_mm = np.linalg.norm(way, axis=1) / experiment.used_starts.length_scale
    return landing.pose[:, 0].astype(np.intp), np.asarray(travel_mm)


def face_counts(experiment: Experiment, model: Model, replicates: Sequence[int]) -> Array:
    """Simulate every toss from starts with random errors; return the counts of its final faces, shape (n, 6)."""
    noise = experiment.noise.scaled(model.noise_scale)
    parts = [
        scatter(experiment.used_starts.states, noise, experiment.root, replicate)
        for replicate in replicates
    ]
    starts, _ = lift(experiment.body, States.concatenate(parts))
    landing: Landing = experiment.toss_engine.face_only.land(
        experiment.body, model.contact, starts[:, None]
    )
    pose = landing.pose.reshape(len(replicates), -1)
    return np.asarray((pose[:, :, None] == np.arange(len(FACES))).sum(axis=0), dtype=np.float64)


def probabilities(counts: Array) -> Array:
    """Return smoothed shares of the faces, shape (n, 6) like `counts`."""
    smoothed = counts + PSEUDO_THROWS / len(FACES)
    return np.asarray(smoothed / smoothed.sum(axis=-1, keepdims=True))


def log_losses(probability: Array, face: Indices) -> Array:
    """Return minus the logarithm of the probability of the real final face, shape (n,)."""
    chance = np.take_along_axis(probability, face[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(chance))


def mismatched_starts(tosses: Tosses) -> int:
    """Return the number of tosses whose given initial face is not the lowest by their quaternion."""
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
    progress: Progress = lambda *_: None,
) -> list[Prediction]:
    """Simulate all tosses under each model.

    `replicates` are random starts of each toss, `TossEngine.replicates` if not given. The result does not depend on the
    number of workers.
    """
    size = experiment.toss_engine.per_job
    count = experiment.toss_engine.replicates if replicates is None else replicates
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
    assert face is not None  # the first job of a model is the one from measured starts
    counts = np.sum([counts for _, counts in counted], axis=0)
    return Prediction(face, travel_mm, probabilities(counts))


def in_parallel(
    work: Callable[[J], R], jobs: Sequence[J], workers: int, progress: Progress = lambda *_: None
) -> list[R]:
    """Return ``work(job)`` of each job in their order, computed by `workers` processes."""
    progress(0, len(jobs))
    results: list[R] = []
    with LocalExecutor(work, workers) as executor:
        for result in executor.map(jobs):
            results.append(result)
            progress(len(results), len(jobs))
    return results
