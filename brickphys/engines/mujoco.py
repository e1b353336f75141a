"""MuJoCo: an independent check of the other engines. Contacts are stiff springs with dampers that last 0.2 ms.

Free flight is computed in closed form to the next contact; everything else is stepped by ``mujoco.rollout``. The end is
decided by energy as in the other engines. The contact model is in ``mujoco_model``, its effect on the shares in
``docs/engines.md``. The engine needs the extra ``mujoco``, which is imported at the first throw.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.engines.engine import (
    ENERGY_GAIN_LIMIT,
    ENERGY_SLACK_MM,
    Landing,
    SingleBrickEngine,
    check_gain,
    check_throws,
    outcomes,
)
from brickphys.engines.mujoco_model import (
    MujocoSettings,
    build,
    mujoco,
    pack,
    spring,
    unpack,
)
from brickphys.shapes.body import Body
from brickphys.throws.energy import energy_height_mm
from brickphys.throws.faces import face_map
from brickphys.throws.flight import fly, free_time, gap_mm
from brickphys.throws.floors import FLAT_DEG, PLANE, Floor
from brickphys.throws.rotations import down
from brickphys.throws.sliding import slides_level
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_M_S2

Stepper = Callable[[States], States]
"""Returns the states of bricks, shape (n,), after the time steps between two checks."""

_UNTOUCHED_MM = 1e-3
"""The contacts of a brick that penetrates less than this have negligible energy."""
_ELASTIC_FACTOR = 4.0
"""Bound of the elastic energy at a penetration depth, as a multiple of that of the whole mass on one spring. Two
contacts of a hull are at least 0.3 of its radius apart, so its tilt is at most three times depth over radius."""


@dataclass(frozen=True)
class MujocoEngine(SingleBrickEngine):
    """MuJoCo's rigid bodies: single bodies on a plane."""

    settings: MujocoSettings = field(default_factory=MujocoSettings)
    name: str = "mujoco"

    @property
    def versions(self) -> dict[str, str]:
        """Version of MuJoCo."""
        return {"mujoco": mujoco().__version__}

    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states`, shape (n, 1), until every brick has stopped; see `Engine.land`.

        Raises
        ------
        MissingExtraError
            If MuJoCo is not installed.
        """
        check_throws(self, contact, states, floor)
        stiffness = spring(contact.restitution, self.settings).stiffness
        throws = _Throws(body, contact.friction, states.flat(), self.settings, stiffness)
        throws.land(_stepper(body, contact, self.settings))
        return throws.landing()


def _stepper(body: Body, contact: ContactCoefficients, settings: MujocoSettings) -> Stepper:
    model = build(body, contact, settings)  # raises MissingExtraError without MuJoCo
    from mujoco import MjData, rollout

    data = MjData(model)

    def step(states: States) -> States:
        # rollout starts every throw without forces of the previous one, so throws are independent
        states_at_all_steps, _ = rollout.rollout(
            model, data, pack(states), nstep=settings.check_steps
        )
        return unpack(states_at_all_steps[:, -1])

    return step


class _Throws:
    """Single bricks, from release to rest."""

    def __init__(
        self,
        body: Body,
        friction: float,
        states: States,
        settings: MujocoSettings,
        stiffness: float,
    ) -> None:
        self._body, self._friction = body, friction
        self._settings, self._stiffness = settings, stiffness
        self._faces = face_map(body)
        self._check_s = settings.check_steps * settings.step_s
        count = len(states)
        self._states = states.map(np.copy)
        self._pose = np.full(count, len(outcomes(body)) - 1)  # unsettled until known
        self._time = np.zeros(count)
        self._still = np.zeros(count)
        self._gain = np.zeros(count)
        self._start_mm = energy_height_mm(body, states)
        self._lowest_mm = self._start_mm.copy()
        self._active = np.arange(count)

    def land(self, step: Stepper) -> None:
        """Fly, step and check until every brick is done."""
        self._check_energy(self._states, self._start_mm)
        now = self._states
        while len(self._active):
            now = step(self._fly(now))
            self._time[self._active] += self._check_s
            energy_mm = energy_height_mm(self._body, now)
            self._check_energy(now, energy_mm)
            done = self._decide(now, energy_mm) | self._rest(now)
            done |= self._time[self._active] >= self._settings.limit_s
            self._store(now, done)
            now, self._active = now[~done], self._active[~done]

    def landing(self) -> Landing:
        """Return the results of all bricks."""
        together = self._states.map(lambda array: array[:, None])
        poses = outcomes(self._body)
        return Landing(poses, self._pose[:, None], together, self._time, self._gain)

    def _store(self, now: States, done: Mask) -> None:
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._states, name)[self._active[done]] = getattr(now, name)[done]

    def _fly(self, now: States) -> States:
        """Return the states with the bricks in the air moved to their next contact."""
        time_s = free_time(self._body, now[:, None])
        # a flight must leave time for one more check before the limit
        left_s = self._settings.limit_s - self._check_s - self._time[self._active]
        time_s = np.clip(time_s, 0.0, np.maximum(left_s, 0.0))
        self._time[self._active] += time_s
        return fly(self._body, now, time_s)

    def _sunk_mm(self, now: States) -> Array:
        return np.maximum(-gap_mm(self._body, now), 0.0)

    def _check_energy(self, now: States, energy_mm: Array) -> None:
        """Record gains of energy between checks without elastic energy in contacts; DivergenceError if too large."""
        free = self._sunk_mm(now) < _UNTOUCHED_MM
        lowest = self._lowest_mm[self._active]
        lowest = np.where(free, np.minimum(lowest, energy_mm), lowest)
        gain = np.where(free, energy_mm - lowest, 0.0) / self._start_mm[self._active]
        wrong = ~np.isfinite(energy_mm) | (gain > ENERGY_GAIN_LIMIT)
        check_gain(self._body, wrong, gain, self._settings.step_s)
        self._lowest_mm[self._active] = lowest
        self._gain[self._active] = np.maximum(self._gain[self._active], gain)

    def _decide(self, now: States, energy_mm: Array) -> Mask:
        """Return which bricks have too little energy, elastic energy included, to leave their pose; record the pose.

        A brick that slides level is decided at any speed, see `brickphys.throws.sliding`.
        """
        if not self._settings.by_energy:
            return np.zeros(len(now), dtype=bool)
        sunk_m = self._sunk_mm(now) / 1000.0
        elastic_mm = 1000.0 * _ELASTIC_FACTOR * self._stiffness * sunk_m**2 / (2.0 * GRAVITY_M_S2)
        basin = self._faces.decide(down(now.quaternion))
        done = energy_mm + elastic_mm + ENERGY_SLACK_MM < basin.barrier_height_mm
        done |= slides_level(self._body, self._friction, now, ENERGY_SLACK_MM - elastic_mm)
        self._pose[self._active[done]] = basin.pose_index[done]
        return np.asarray(done)

    def _rest(self, now: States) -> Mask:
        """Return which bricks have been at rest for long enough, and record their poses."""
        slow = np.linalg.norm(now.velocity_m_s, axis=1) < self._settings.rest_m_s
        slow &= np.linalg.norm(now.spin_rad_s, axis=1) < self._settings.rest_rad_s
        still = np.where(slow, self._still[self._active] + self._check_s, 0.0)
        self._still[self._active] = still
        done = still >= self._settings.rest_s
        pose = self._faces.pose_at_rest(down(now.quaternion[done]), FLAT_DEG)
        self._pose[self._active[done]] = pose
        return np.asarray(done)
