"""Bullet: the reference engine, PyBullet with settings for bodies of the size of a brick.

Lengths are in centimetres, so bodies measure 0.2 to 10 units. Damping and sleeping are off, velocities are not clamped,
inertia is that of the hollow brick, and the floor is an exact plane. Contacts are impulses on velocity only: the
solver's position correction (ERP) is 0, because it adds energy, and `lift` corrects positions instead. Free
flight is not stepped but computed in closed form to the next contact, so every bounce starts at the surface. All
settings come from the convergence study in ``docs/convergence.md``.

A world has many hands. Each hand has a collision group, so its bricks collide with each other and with the floor only.
The solver neither merges hands nor stops early, so hands are independent (tested). On studs a brick has many contacts,
which Bullet sorts together with those of other hands. Therefore the hands of a world form a group on studs, and the
group is part of a throw's seed address.

Bullet finds one contact a step of a hull with a plane, at the lowest corner. A brick that lands on a face would bounce
off one corner and start to turn. Bullet's remedy, for which PyBullet has no option, is to tilt a body a little and to
collect the lowest corners of all its poses. `level_landings` gives such poses: four for a face, which is as many
contacts as Bullet keeps of a pair. The bounces of a brick that neither turns nor slides are computed in closed form
instead.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from brickphys.engines import bullet_world, engine
from brickphys.engines.client import connections, pybullet
from brickphys.engines.hands import Hands
from brickphys.errors import DivergenceError
from brickphys.odds.roll import MAX_BRICKS
from brickphys.shapes.body import Body
from brickphys.signals import check_cancelled
from brickphys.throws import flight
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.release import FLOORS, PLANE, Floor
from brickphys.units import GRAVITY_M_S2, Array, Indices, Mask


def level_landings(
    body: Body, states: flight.States, depth_mm: float
) -> tuple[Indices, flight.States, list[flight.States]]:
    """Return the hands with a brick that touches the floor with several corners, and their poses for Bullet.

    Parameters
    ----------
    states : States, shape (m, k)
        Hands of bricks.
    depth_mm
        Corners touch together if their heights differ by at most this.

    Returns
    -------
    rows : ndarray, shape (n,)
        These hands.
    lowered : States, shape (n, k)
        Their states, with the lowest corner of each such brick that deep in the floor. Bullet lets a corner above the
        floor approach by its gap in a step, and a micrometre in a step is 4 mm/s.
    tilted : list of States
        The same four times, with these bricks turned a little towards one of their corners.
    """
    shape = (*states.position_mm.shape[:2], *body.vertices_mm.shape)
    arms = flight.rotate(states.quaternion[..., None, :], np.broadcast_to(body.vertices_mm, shape))
    height = states.position_mm[..., 2:] + arms[..., 2] - body.edge_radius_mm
    lowest = height.min(axis=-1)
    near = height <= lowest[..., None] + depth_mm
    level = (near.sum(axis=-1) > 1) & (lowest <= flight.TOUCH_MM)
    rows = np.flatnonzero(level.any(axis=1))

    shift = np.where(level, lowest + depth_mm, 0.0)[..., None] * np.array([0.0, 0.0, 1.0])
    lowered = replace(states, position_mm=states.position_mm - shift)[rows]
    angle_rad = np.where(level, depth_mm / (2 * body.radius_mm), 0.0)[rows]
    arms, near = arms[rows], near[rows]
    tilted = [_tilt(lowered, arms, near, way, angle_rad) for way in _ways(arms, near)]
    return rows, lowered, tilted


def bounce_out(
    body: Body, states: flight.States, restitution: float, settings: bullet_world.BulletSettings
) -> tuple[flight.States, Array]:
    """Return bricks after all their bounces on a face, and how long these take in s; others as they are, and 0.

    All corners of a face bounce together, so the flights form a geometric series. This holds while the corners touch
    together: their heights may differ by `sunk_mm`, and the brick may turn and slide by no more than that in the time
    of all bounces and in that of a check. Its place is kept. The bricks, shape (...), touch the floor.
    """
    tilt_deg = np.degrees(settings.sunk_mm / (2 * body.radius_mm))
    downward = flight.down(states.quaternion)
    pose = face_map(body).pose_at_rest(downward.reshape(-1, 3), tilt_deg)
    on_face = (pose < len(body.poses)).reshape(downward.shape[:-1])
    impact_m_s = -states.velocity_m_s[..., 2]
    lost = max(1 - restitution, 1e-9)  # at a restitution of 1 bounces do not end
    time_s = 2 * restitution / lost * impact_m_s / GRAVITY_M_S2
    slide_mm_s = 1000 * np.sqrt(_square(states.velocity_m_s[..., :2]))
    turn_mm_s = body.radius_mm * np.sqrt(_square(states.spin_rad_s))
    moved_mm = (slide_mm_s + turn_mm_s) * np.maximum(time_s, settings.check_s)
    ends = on_face & (time_s > 0) & (moved_mm <= settings.sunk_mm)
    left = np.where(ends, 0.0, 1.0)[..., None]
    stopped = replace(
        states, velocity_m_s=left * states.velocity_m_s, spin_rad_s=left * states.spin_rad_s
    )
    return stopped, np.where(ends, time_s, 0.0)


def _ways(arms: Array, near: Mask) -> list[Array]:
    """Return four horizontal directions, shape (n, k, 3): along the longest diagonal of `near` corners, and across."""
    level = near[..., None]
    middle = np.where(level, arms, 0.0).sum(axis=2) / level.sum(axis=2)
    first = _best(arms, near, _square(arms - middle[..., None, :]))
    last = _best(arms, near, _square(arms - first[..., None, :]))
    x, y, _ = np.moveaxis(last - first, -1, 0)
    along = np.stack([x, y, np.zeros_like(x)], axis=-1)
    along /= np.maximum(np.sqrt(_square(along)), 1e-12)[..., None]  # 0 for a brick on one corner
    across = along[..., [1, 0, 2]] * np.array([-1.0, 1.0, 0.0])
    return [along, across, -along, -across]


def _tilt(
    states: flight.States, arms: Array, near: Mask, way: Array, angle_rad: Array
) -> flight.States:
    """Return the bricks turned about the `near` corner that is farthest along a direction, so that it is the lowest."""
    corner = _best(arms, near, (arms * way[..., None, :]).sum(axis=-1))
    axis = way[..., [1, 0, 2]] * np.array([-1.0, 1.0, 0.0])
    turned = flight.turn(angle_rad[..., None] * axis)
    return replace(
        states,
        position_mm=states.position_mm + corner - flight.rotate(turned, corner),
        quaternion=flight.multiply(turned, states.quaternion),
    )


def _best(arms: Array, near: Mask, score: Array) -> Array:
    """Return the `near` corner with the highest score of each brick, shape (n, k, 3)."""
    best = np.where(near, score, -np.inf).argmax(axis=-1)
    return np.take_along_axis(arms, best[..., None, None], axis=2)[..., 0, :]


def _square(vectors: Array) -> Array:
    return np.asarray((vectors**2).sum(axis=-1))


Watch = Callable[[Indices, Array, flight.States, bool], None]
"""Gets numbers and times of hands, shape (m,), their states, and whether they fly freely until the next call."""
_UNTOUCHED_M_S = 1e-9
"""Limit for a brick without contact: far below the change by any contact, far above the rounding of a free fall."""
_HANDS_ON_STUDS, _GROUPS_ON_STUDS = 64, 16
"""Hands in a world, of one brick and of several: enough to share the cost of the studs, few enough for small chunks."""


@dataclass(frozen=True)
class BulletEngine(engine.Engine):
    """PyBullet's rigid bodies on any floor."""

    settings: bullet_world.BulletSettings = field(default_factory=bullet_world.BulletSettings)
    max_bricks: int = field(default=MAX_BRICKS, kw_only=True)
    floors: tuple[str, ...] = field(default=tuple(FLOORS), kw_only=True)
    name: str = field(default="bullet", kw_only=True)

    @property
    def versions(self) -> dict[str, str]:
        """Version of PyBullet."""
        pybullet()  # says what to do if it is missing
        from importlib.metadata import version  # slow: throws need none

        return {"pybullet": version("pybullet")}

    def land(
        self,
        body: Body,
        contact: ContactCoefficients,
        states: flight.States,
        floor: Floor = PLANE,
        watch: Watch | None = None,
    ) -> engine.Landing:
        """Integrate `states`, shape (n, k), until every hand has stopped; see `Engine.land`.

        `watch` is called with the hands that are left at the release, at each check, and at the end of flights.
        """
        engine.check_throws(self, contact, states, floor)
        size = self._world_hands(states.position_mm.shape[1], floor)
        parts = [
            _land_world(body, contact, states[first : first + size], floor, self.settings, watch)
            for first in range(0, len(states), size)
        ]
        return engine.Landing(
            engine.outcomes(body),
            np.concatenate([part.pose for part in parts]),
            flight.States.concatenate([part.states for part in parts]),
            np.concatenate([part.time_s for part in parts]),
            np.concatenate([part.energy_gain for part in parts]),
        )

    def chunk_hands(self, bricks: int, floor: Floor) -> int:
        return (
            self.group_hands(bricks, floor) if floor.studs else super().chunk_hands(bricks, floor)
        )

    def group_hands(self, bricks: int, floor: Floor) -> int:
        return self._world_hands(bricks, floor) if floor.studs else 1

    def _world_hands(self, bricks: int, floor: Floor) -> int:
        if bricks == 1:
            return min(self.settings.hands, _HANDS_ON_STUDS) if floor.studs else self.settings.hands
        return _GROUPS_ON_STUDS if floor.studs else bullet_world.MAX_GROUPS


def _land_world(
    body: Body,
    contact: ContactCoefficients,
    states: flight.States,
    floor: Floor,
    settings: bullet_world.BulletSettings,
    watch: Watch | None,
) -> engine.Landing:
    shape = states.position_mm.shape[:2]

    def land(settings: bullet_world.BulletSettings) -> engine.Landing:
        with connections(bullet_world.clients_needed(shape, floor)) as clients:
            world = bullet_world.BulletWorld(clients, body, contact, floor, shape, settings)
            return _Hands(body, contact, world, floor, states, settings).land(watch)

    try:
        return land(settings)
    except DivergenceError:
        if not floor.studs or watch is not None:
            raise
    # of some 20,000 throws on studs one gains energy: its world is thrown once again, in finer steps
    finer = replace(settings, step_s=settings.step_s / 2, breaking_mm=settings.breaking_mm / 2)
    return land(finer)


class _Hands(Hands):
    """The hands of one world, from release to rest."""

    _settings: bullet_world.BulletSettings

    def __init__(
        self,
        body: Body,
        contact: ContactCoefficients,
        world: bullet_world.BulletWorld,
        floor: Floor,
        states: flight.States,
        settings: bullet_world.BulletSettings,
    ) -> None:
        super().__init__(body, contact, floor, states, settings, settings.step_s)
        self._world = world
        self._see: Watch = lambda *_: None

    def land(self, watch: Watch | None) -> engine.Landing:
        """Step, check and fly until every hand is done."""
        self._see = see = watch or self._see
        elapsed = self._settings.check_steps * self._settings.step_s
        see(self._active, self._time, self._states, True)
        before = self._fly(self._states, np.ones(len(self._states), dtype=bool))
        while len(self._active):
            check_cancelled()
            see(self._active, self._time[self._active], before, False)
            self._world.lay_floor(self._active, before, elapsed)
            self._world.step(self._settings.check_steps)
            self._time[self._active] += elapsed
            now = self._correct_flight(before, self._world.get(self._active.tolist()), elapsed)
            now = self._lift(now, elapsed)
            energy = self._check_energy(now)
            slow = self._slow(before, now, elapsed)
            done = self._decide(now, energy) | self._rest(now, slow, elapsed)
            done |= self._time[self._active] >= self._settings.limit_s
            beyond = self._world.beyond_studs(self._active, now)
            self._pose[self._active[beyond]] = len(engine.outcomes(self._body)) - 1
            done |= beyond
            for hand in self._active[done].tolist():
                self._world.remove(hand)
            self._store(now)
            see(self._active, self._time[self._active], now, True)
            now, self._active = now[~done], self._active[~done]
            before = self._fly(now, np.zeros(len(now), dtype=bool))
        return self.landing()

    def _fly(self, now: flight.States, moved: Mask) -> flight.States:
        """Fly the hands in the air to their next contact, set those and the `moved` ones in the world; return all."""
        if not len(now):
            return now
        moved = moved | self._world.off_centre(self._active, now)
        if not self._settings.flights:
            self._put(np.flatnonzero(moved), now[moved])
            return now
        time_s = np.minimum(flight.free_time(self._body, now), self._wall_time(now))
        flown = time_s > self._settings.check_steps * self._settings.step_s
        time_s = np.where(flown, time_s, 0.0)
        now = flight.fly(
            self._body, now, np.broadcast_to(time_s[:, None], now.position_mm.shape[:2])
        )
        self._time[self._active] += time_s
        self._still[self._active[flown]] = 0.0
        moved = moved | flown
        self._put(np.flatnonzero(moved), now[moved])
        return now if self._floor.studs else self._land_level(now, flown)

    def _put(self, rows: Indices, states: flight.States) -> None:
        for i, hand in enumerate(self._active[rows].tolist()):
            self._world.put(hand, states[i])

    def _land_level(self, now: flight.States, flown: Mask) -> flight.States:
        """Let Bullet find all corners of bricks that have `flown`, shape (m,), and land level; return these lower.

        The bounces of a single brick that neither turns nor slides end at once, and their time is added.
        """
        level, lowered, tilted = level_landings(self._body, now[flown], self._settings.sunk_mm)
        rows = np.flatnonzero(flown)[level]
        if not len(rows):
            return now
        if now.position_mm.shape[1] == 1:  # several bricks of a hand have one time
            lowered, bounces_s = bounce_out(
                self._body, lowered, self._contact.restitution, self._settings
            )
            self._see_bounces(rows, now, bounces_s[:, 0])
            self._time[self._active[rows]] += bounces_s[:, 0]
        for poses in tilted:
            self._put(rows, poses)
            self._world.find_contacts(self._active[rows])
        self._put(rows, lowered)
        now = now.map(np.copy)
        for name in ("position_mm", "velocity_m_s", "spin_rad_s"):
            getattr(now, name)[rows] = getattr(lowered, name)
        return now

    def _see_bounces(self, rows: Indices, landed: flight.States, bounces_s: Array) -> None:
        """Show the watch the bounces, one after the other, of single bricks in some rows that take some time."""
        rows, end_s = rows[bounces_s > 0], bounces_s[bounces_s > 0]
        hands, states = self._active[rows], landed[rows].map(np.copy)
        time_s, end_s = self._time[hands], self._time[hands] + end_s
        speed_m_s = -states.velocity_m_s[:, 0, 2]
        states.velocity_m_s[:], states.spin_rad_s[:] = 0.0, 0.0
        while len(rows) and speed_m_s.max() > self._settings.rest_m_s:
            speed_m_s = self._contact.restitution * speed_m_s
            states.velocity_m_s[:, 0, 2] = speed_m_s
            self._see(hands, time_s, states, True)
            time_s = np.minimum(time_s + 2 * speed_m_s / GRAVITY_M_S2, end_s)
        states.velocity_m_s[:] = 0.0
        self._see(hands, time_s, states, False)

    def _wall_time(self, now: flight.States) -> Array:
        """Return a time in s during which the bricks of each hand touch no wall, shape (m,)."""
        radius_mm = self._body.radius_mm
        times = self._floor.wall_time(now.position_mm, now.velocity_m_s, radius_mm)
        return np.asarray(times.min(axis=1))

    def _correct_flight(
        self, before: flight.States, now: flight.States, elapsed: float
    ) -> flight.States:
        """Set bricks without contact since `before` to the states of closed-form flight.

        Such bricks were stepped because another brick of their hand was in contact, or because their flight was short.
        Bullet rotates bodies by explicit Euler steps, which add energy to a fast spin. A brick had no contact if its
        velocity has changed by gravity alone.
        """
        if not self._settings.flights:
            return now
        fall = np.array([0.0, 0.0, GRAVITY_M_S2 * elapsed])
        change = np.abs(now.velocity_m_s - before.velocity_m_s + fall).max(axis=-1)
        free = change < _UNTOUCHED_M_S
        if not free.any():
            return now
        exact = flight.fly(self._body, before[free], np.full(int(free.sum()), elapsed))
        now = now.map(np.copy)
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(now, name)[free] = getattr(exact, name)
        for row in np.flatnonzero(free.any(axis=1)).tolist():
            bricks = np.flatnonzero(free[row]).tolist()
            self._world.put(int(self._active[row]), now[row], bricks)
        return now

    def _lift(self, now: flight.States, elapsed: float) -> flight.States:
        touches = self._world.touches(self._active, self._settings.sunk_mm)
        shift_mm = bullet_world.lift(touches, now, elapsed)
        moved = shift_mm.any(axis=(1, 2))
        if not moved.any():
            return now
        now = replace(now, position_mm=now.position_mm + shift_mm)
        self._put(np.flatnonzero(moved), now[moved])
        return now

    def _slow(self, before: flight.States, now: flight.States, elapsed: float) -> Mask:
        """Return which bricks, shape (m, k), are slow on the mean since the last check, even if they jitter."""
        way_mm = np.linalg.norm(now.position_mm - before.position_mm, axis=-1)
        turned_rad = flight.angle_between(before.quaternion, now.quaternion)
        slow = way_mm < 1000 * elapsed * self._settings.rest_m_s
        return np.asarray(slow & (turned_rad < elapsed * self._settings.rest_rad_s))
