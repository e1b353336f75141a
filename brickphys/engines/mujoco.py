"""MuJoCo: an independent check of the other engines. Contacts are stiff springs with dampers that last 0.2 ms.

Free flight is computed in closed form to the next contact; everything else is stepped by ``mujoco.rollout``. The end is
decided by energy as in the other engines. The effect of the contact model on the shares is in ``docs/engines.md``. The
engine needs the extra ``mujoco``, which is imported at the first throw.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from brickphys import units
from brickphys.engines import engine
from brickphys.engines.hands import Hands
from brickphys.engines.mujoco_world import (
    MujocoSettings,
    build,
    mujoco,
    pack,
    patch_places,
    spring,
    unpack,
)
from brickphys.odds.roll import MAX_BRICKS
from brickphys.shapes.body import Body
from brickphys.shapes.hull import groups
from brickphys.signals import check_cancelled
from brickphys.throws import flight
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.release import FLOORS, PLANE, Floor

_PARALLEL = 1e-6
"""Edges with a smaller sine between them count as parallel."""
_UNTOUCHED_MM = 1e-3
"""The contacts of a brick that penetrates less than this have negligible energy."""
_ELASTIC_FACTOR = 4.0
"""Bound of the elastic energy at a penetration depth, as a multiple of that of the whole mass on one spring. Two
contacts of a hull are at least 0.3 of its radius apart, so its tilt is at most three times depth over radius."""


_ON_STUDS = 32
"""Bricks of a chunk on studs, where a throw takes twelve times as long as on a plane."""


@dataclass(frozen=True)
class MujocoEngine(engine.Engine):
    """MuJoCo's rigid bodies on any floor."""

    settings: MujocoSettings = field(default_factory=MujocoSettings)
    max_bricks: int = field(default=MAX_BRICKS, kw_only=True)
    floors: tuple[str, ...] = field(default=tuple(FLOORS), kw_only=True)
    name: str = field(default="mujoco", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Version of MuJoCo."""
        return {"mujoco": mujoco().__version__}

    def chunk_hands(self, bricks: int, floor: Floor) -> int:
        bricks_on_studs = min(self.chunk_bricks, _ON_STUDS)
        return (
            max(1, bricks_on_studs // bricks) if floor.studs else super().chunk_hands(bricks, floor)
        )

    def land(
        self, body: Body, contact: ContactCoefficients, states: flight.States, floor: Floor = PLANE
    ) -> engine.Landing:
        """Integrate `states`, shape (n, k), until every hand has stopped; see `Engine.land`.

        Raises MissingExtraError if MuJoCo is not installed.
        """
        engine.check_throws(self, contact, states, floor)
        return _Hands(body, contact, floor, states, self.settings).land()


class _Worlds:
    """Steps bricks: each alone, or together with those that it may touch meanwhile."""

    def __init__(
        self,
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        settings: MujocoSettings,
        energy_mm: float,
    ) -> None:
        """No hand has more energy than `energy_mm`, as a height."""
        self._body, self._contact, self._floor, self._settings = body, contact, floor, settings
        self._time_s = settings.check_steps * settings.step_s
        fastest_m_s = math.sqrt(2 * units.GRAVITY_M_S2 * energy_mm / 1000)
        self._way_mm = 1000 * self._time_s * fastest_m_s
        self._models: dict[int, tuple[Any, Any]] = {}
        mujoco()  # raises MissingExtraError without MuJoCo

    def step(self, now: flight.States, asleep: units.Mask) -> tuple[flight.States, units.Mask]:
        """Return hands, shape (m, k), at the next check, and which of their bricks may have touched another or a wall.

        Bricks that touch nothing fly in closed form, and those `asleep`, shape (m, k), stay where they are unless
        something may touch them.
        """
        hands, k = now.position_mm.shape[:2]
        labels, touching = self._clusters(now)
        bricks, together = now.flat().map(np.copy), touching.ravel()
        lands = flight.time_to_touch(self._body, bricks, advances=1) < self._time_s
        stepped = together | (lands & ~asleep.ravel())
        flown = ~(together | lands)
        time_s = np.full(int(flown.sum()), self._time_s)
        _put(bricks, flown, flight.fly(self._body, bricks[flown], time_s))
        sizes = np.where(stepped, np.bincount(labels)[labels], 0)
        for size in np.unique(sizes[stepped]).tolist():
            members = np.flatnonzero(sizes == size)
            rows = members[np.argsort(labels[members], kind="stable")].reshape(-1, size)
            _put(bricks, rows, self._rolled_out(bricks[rows]))
        return bricks.map(lambda array: array.reshape(hands, k, -1)), touching

    def _clusters(self, now: flight.States) -> tuple[units.Indices, units.Mask]:
        """Return a number of each cluster of bricks, shape (m k,), and which may touch another or a wall, (m, k).

        An impact may give a brick the energy of another. Its speed then stays below twice the largest of the hand.
        """
        body, (m, k) = self._body, now.position_mm.shape[:2]
        speed = np.linalg.norm(now.velocity_m_s, axis=-1)
        speed += np.linalg.norm(now.spin_rad_s, axis=-1) * body.radius_mm / 1000
        reach_mm = 1000 * self._time_s * (2 * speed.max(axis=1) + units.GRAVITY_M_S2 * self._time_s)
        i, j = np.triu_indices(k, k=1)
        distance = np.linalg.norm(now.position_mm[:, i] - now.position_mm[:, j], axis=-1)
        hand, pair = np.nonzero(distance < 2 * (body.radius_mm + reach_mm[:, None]))
        gap_mm = box_gap_mm(body, now[hand, i[pair]], now[hand, j[pair]])
        near = gap_mm < 2 * reach_mm[hand]
        labels = groups(m * k, (k * hand + i[pair])[near], (k * hand + j[pair])[near])[1]
        walled = self._floor.near_wall(now.position_mm, body.radius_mm + reach_mm[:, None])
        return labels, walled | (np.bincount(labels)[labels] > 1).reshape(m, k)

    def _rolled_out(self, states: flight.States) -> flight.States:
        """Return the states of clusters of k bricks, shape (n, k), after the steps of a check."""
        from mujoco import MjData, mjtState, rollout

        n, bricks = states.position_mm.shape[:2]
        if bricks not in self._models:
            model = build(
                self._body, self._contact, self._settings, bricks, self._floor, self._way_mm
            )
            self._models[bricks] = model, MjData(model)
        count, places, laid = self._settings.check_steps, None, mjtState.mjSTATE_MOCAP_POS
        if self._floor.studs:
            places = np.broadcast_to(patch_places(states)[:, None], (n, count, 3 * bricks))
        # rollout starts every world without forces of the previous one, so worlds are independent
        steps, _ = rollout.rollout(
            *self._models[bricks], pack(states), places, control_spec=laid, nstep=count
        )
        return unpack(steps[:, -1])


def _put(states: flight.States, rows: units.Indices | units.Mask, found: flight.States) -> None:
    for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
        getattr(states, name)[rows] = getattr(found, name)


def box_gap_mm(body: Body, one: flight.States, two: flight.States) -> units.Array:
    """Return lower bounds of the distances of bodies, shape (n,): the widest gap of the boxes around their hulls.

    By the theorem of the separating axis: along the normals of faces and across each pair of edges.
    """
    low, high = body.vertices_mm.min(axis=0), body.vertices_mm.max(axis=0)
    half_mm = (high - low) / 2 + body.edge_radius_mm
    sides = [flight.rotate(states.quaternion[:, None], np.eye(3)) for states in (one, two)]
    middles = [
        states.position_mm + flight.rotate(states.quaternion, (low + high) / 2)
        for states in (one, two)
    ]
    across = flight.cross(sides[0][:, :, None], sides[1][:, None]).reshape(-1, 9, 3)
    axes = np.concatenate([*sides, across], axis=1)
    length = np.linalg.norm(axes, axis=-1)
    gap_mm = np.abs((axes * (middles[0] - middles[1])[:, None]).sum(axis=-1))
    for side in sides:
        gap_mm -= np.abs((axes[:, :, None] * side[:, None]).sum(axis=-1)) @ half_mm
    # parallel edges have no axis across
    return np.asarray(
        (gap_mm / np.maximum(length, _PARALLEL)).max(
            axis=1, where=length > _PARALLEL, initial=-np.inf
        )
    )


class _Hands(Hands):
    """Hands, from release to rest."""

    _settings: MujocoSettings

    def __init__(
        self,
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        states: flight.States,
        settings: MujocoSettings,
    ) -> None:
        super().__init__(body, contact, floor, states, settings, settings.step_s)
        self._worlds = _Worlds(body, contact, floor, settings, float(self._start_mm.max()))
        self._stiffness = spring(contact.restitution, settings).stiffness
        self._check_s = settings.check_steps * settings.step_s

    def land(self) -> engine.Landing:
        """Fly, step and check until every hand is done."""
        self._check_energy(self._states)
        now = self._states
        while len(self._active):
            check_cancelled()
            asleep = self._still[self._active] >= self._settings.rest_s
            now, touching = self._worlds.step(self._fly(now), asleep)
            self._time[self._active] += self._check_s
            sunk_mm = np.maximum(-flight.gap_mm(self._body, now), 0.0)
            stored = touching | (sunk_mm >= _UNTOUCHED_MM)
            energy_mm = self._check_energy(now, np.asarray(stored.any(axis=1)))
            elastic_mm = np.where(touching, np.inf, self._elastic_mm(sunk_mm))
            done = self._decide(now, energy_mm, elastic_mm)
            done |= self._rest(now, self._slow(now), self._check_s)
            done |= self._time[self._active] >= self._settings.limit_s
            self._store(now)
            now, self._active = now[~done], self._active[~done]
        return self.landing()

    def _fly(self, now: flight.States) -> flight.States:
        """Return the states with the hands in the air moved to their next contact."""
        walls_s = self._floor.wall_time(now.position_mm, now.velocity_m_s, self._body.radius_mm)
        time_s = np.minimum(flight.free_time(self._body, now), walls_s.min(axis=1))
        # a flight must leave time for one more check before the limit
        left_s = self._settings.limit_s - self._check_s - self._time[self._active]
        time_s = np.clip(time_s, 0.0, np.maximum(left_s, 0.0))
        self._time[self._active] += time_s
        return flight.fly(
            self._body, now, np.broadcast_to(time_s[:, None], now.position_mm.shape[:2])
        )

    def _elastic_mm(self, sunk_mm: units.Array) -> units.Array:
        """Return bounds of the elastic energy, as a height, at depths in the floor."""
        energy_m2_s2 = _ELASTIC_FACTOR * self._stiffness * (sunk_mm / 1000.0) ** 2 / 2.0
        return np.asarray(1000.0 * energy_m2_s2 / units.GRAVITY_M_S2)

    def _slow(self, now: flight.States) -> units.Mask:
        slow = np.linalg.norm(now.velocity_m_s, axis=-1) < self._settings.rest_m_s
        return np.asarray(
            slow & (np.linalg.norm(now.spin_rad_s, axis=-1) < self._settings.rest_rad_s)
        )
