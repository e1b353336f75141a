"""Hands: the bricks that an engine integrates, from release to rest: their energy, poses and results."""

import numpy as np

from brickphys.engines import engine
from brickphys.shapes.body import Body
from brickphys.throws import flight
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map, slides_level
from brickphys.throws.release import FLAT_DEG, Floor
from brickphys.units import Array, Indices, Mask

_SLIDE_MM = 30.0
"""A decided brick may still slide about this far, with the energy of a pose's barrier at friction 0.15."""


class Hands:
    """n hands of k bricks, of which m are active: not done.

    Messages tell the engine's time step.
    """

    def __init__(
        self,
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        states: flight.States,
        settings: engine.HandSettings,
        step_s: float,
    ) -> None:
        n, k = states.position_mm.shape[:2]
        self._body, self._contact, self._floor = body, contact, floor
        self._states = states.map(np.copy)
        self._time = np.zeros(n)
        self._active = np.arange(n)
        self._settings, self._step_s = settings, step_s
        self._faces = face_map(body)
        self._start_mm = flight.energy_height_mm(body, states).sum(axis=1)
        self._lowest_mm = self._start_mm.copy()
        self._pose = np.full((n, k), len(engine.outcomes(body)) - 1)  # unsettled until known
        self._still = np.zeros((n, k))
        self._gain = np.zeros(n)

    def landing(self) -> engine.Landing:
        """Return the results of all hands."""
        poses = engine.outcomes(self._body)
        return engine.Landing(poses, self._pose, self._states, self._time, self._gain)

    def _store(self, now: flight.States) -> None:
        """Keep the states of the active hands, shape (m, k)."""
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._states, name)[self._active] = getattr(now, name)

    def _check_energy(self, now: flight.States, stored: Mask | bool = False) -> Array:
        """Return the energies as heights, shape (m, k), and record gains of energy.

        Hands with energy `stored` in contacts, shape (m,), are not compared with earlier ones.

        Raises DivergenceError if an energy is not finite or has grown too much.
        """
        energy_mm = flight.energy_height_mm(self._body, now)
        total = energy_mm.sum(axis=1)
        lowest = self._lowest_mm[self._active]
        lowest = np.where(stored, lowest, np.minimum(lowest, total))
        gain = np.where(stored, 0.0, total - lowest) / self._start_mm[self._active]
        wrong = ~np.isfinite(total) | (gain > engine.ENERGY_GAIN_LIMIT)
        engine.check_gain(self._body, wrong, gain, self._step_s)
        self._lowest_mm[self._active] = lowest
        self._gain[self._active] = np.maximum(self._gain[self._active], gain)
        return energy_mm

    def _decide(self, now: flight.States, energy_mm: Array, stored_mm: float | Array = 0.0) -> Mask:
        """Return which hands, shape (m,), have too little energy for any brick to leave its pose; record the poses.

        A brick needs the energy of the barrier to leave its pose. The first brick that leaves can get it only from the
        excess of the whole hand over its lowest rests. A brick may also rest leaning on another brick or on a wall.
        Therefore a brick within reach of these is decided only if it lies flat. On studs bricks can rest tilted, so
        nothing is decided there. A single brick on a plane is also decided when it slides level, see
        `brickphys.throws.faces`. `stored_mm`, shape (m, k), is the elastic energy of contacts, as a height.
        """
        if not self._settings.by_energy or self._floor.studs:
            return np.zeros(len(now), dtype=bool)
        shape = energy_mm.shape
        basin = self._faces.decide(flight.down(now.quaternion).reshape(-1, 3))
        rest, barrier = basin.rest_height_mm.reshape(shape), basin.barrier_height_mm.reshape(shape)
        excess = np.maximum(energy_mm + stored_mm - rest, 0.0).sum(axis=1)
        done = excess + engine.ENERGY_SLACK_MM < (barrier - rest).min(axis=1)
        pose = basin.pose_index.reshape(shape)
        if shape[1] > 1 or not self._floor.is_plane:
            done &= (self._isolated(now) | self._flat(now, pose)).all(axis=1)
        else:
            level_mm = engine.ENERGY_SLACK_MM - np.ravel(stored_mm)
            done |= slides_level(self._body, self._contact.friction, now.flat(), level_mm)
        self._pose[self._active[done]] = pose[done]
        return np.asarray(done)

    def _isolated(self, now: flight.States) -> Mask:
        """Return which bricks, shape (m, k), are out of reach of the others of their hand and of walls."""
        centres = now.position_mm
        distance = np.linalg.norm(centres[:, :, None] - centres[:, None, :], axis=-1)
        own = np.eye(distance.shape[1], dtype=bool)
        apart = (own | (distance > 2 * self._body.radius_mm)).all(axis=2)
        reach_mm = self._body.radius_mm + _SLIDE_MM
        return np.asarray(apart & ~self._floor.near_wall(centres, reach_mm))

    def _flat(self, now: flight.States, pose: Indices) -> Mask:
        """Return which bricks, shape (m, k), lie on the face of their pose."""
        flat = self._faces.pose_at_rest(flight.down(now.quaternion).reshape(-1, 3), FLAT_DEG)
        return np.asarray(flat.reshape(pose.shape) == pose)

    def _rest(self, now: flight.States, slow: Mask, elapsed_s: float) -> Mask:
        """Return which hands, shape (m,), have been at rest for long enough, and record their poses.

        At rest all bricks of a hand are `slow`, shape (m, k), at each check.
        """
        still_s = np.where(slow, self._still[self._active] + elapsed_s, 0.0)
        self._still[self._active] = still_s
        done = still_s.min(axis=1) >= self._settings.rest_s
        at_rest = flight.down(now.quaternion[done]).reshape(-1, 3)
        pose = self._faces.pose_at_rest(at_rest, self._floor.tilt_deg)
        self._pose[self._active[done]] = pose.reshape(-1, self._pose.shape[1])
        return np.asarray(done)
