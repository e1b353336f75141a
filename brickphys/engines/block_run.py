"""Block run: one block is driven among others until it meets what stops it, and all come to rest.

While it is driven it glides straight ahead without weight. Light things that it throws aside cost it some speed, which
its motor gives back as fast as wheels grip the floor. From the first touch with something that stops it, it is a body
like any other, with its wheels locked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from brickphys.engines.block import Block, Pair
from brickphys.engines.block_world import BlockSettings, BlockWorld, Touch, relative_velocities
from brickphys.engines.client import connection
from brickphys.errors import DivergenceError
from brickphys.throws.states import States
from brickphys.throws.surfaces import Contact
from brickphys.units import GRAVITY_M_S2

Array = npt.NDArray[np.float64]

IMPACT_S = 0.005
"""An impact is all that two blocks do to each other within so long after their first touch."""
LOOK_S = 0.008
"""Time between two frames, and two looks at whether all is at rest."""
_REST_M_S, _REST_RAD_S, _REST_S = 0.002, 0.2, 0.1
"""A block rests when it has been slower than this for this long."""
_GAIN_LIMIT = 0.05
"""Energy above what the start and the motor gave, as a share of that, at which a run has diverged."""
_TINY_MJ = 1e-3
_CLOSING_SHARE = 1e-6
"""Of the driven block's speed: a touch that closes slower is a sliding past, as along a wall."""


@dataclass(frozen=True)
class Drive:
    """How the first block is driven, and what stops it.

    Attributes
    ----------
    velocity_m_s
        Along x and y of the world.
    distance_mm
        How far; there it stays, held in its place, unless something has stopped it. What it cannot push away, such as
        a figure against a wall, ends the drive as well.
    stoppers
        Blocks at whose touch the drive ends.
    """

    velocity_m_s: Pair
    distance_mm: float
    stoppers: frozenset[int]


@dataclass(frozen=True, eq=False)
class Impact:
    """The first impact of two blocks.

    Attributes
    ----------
    first, second
        Numbers of the blocks, the smaller one first: the driven block is 0.
    time_s
        Of the touch.
    driven_mm
        How far the driven block had come, put back to the touch within the step; None without the driven block, or
        after its drive.
    point_mm, normal : ndarray, shape (3,)
        The middle of their contact points on the second block, and the unit vector from it to the first.
    closing_m_s
        Speed along the normal with which the two approach there.
    delta_v_m_s : ndarray, shape (2, 3)
        Change of velocity of the centres of mass that the two give to each other.
    energy_lost_mj
        Kinetic energy lost in their contact: minus the work of its impulses.
    """

    first: int
    second: int
    time_s: float
    driven_mm: float | None
    point_mm: Array
    normal: Array
    closing_m_s: float
    delta_v_m_s: Array
    energy_lost_mj: float


@dataclass(frozen=True, eq=False)
class Run:
    """What became of n blocks.

    Attributes
    ----------
    impacts
        In the order of their times.
    poses : ndarray, shape (frames, n, 7)
        Frames of the blocks every `LOOK_S`, from the start to the end: the origin in mm, the quaternion, scalar last.
    settled : ndarray of bool, shape (n,)
        Which have come to rest.
    driven_mm
        How far the driven block came by its drive.
    energy_mj
        Kinetic energy that the drive, and the speeds of those that were let go, brought in.
    time_s
        Simulated.
    """

    impacts: tuple[Impact, ...]
    poses: Array
    settled: npt.NDArray[np.bool_]
    driven_mm: float
    energy_mj: float
    time_s: float


def run(
    blocks: Sequence[Block],
    drive: Drive,
    between: Contact,
    floor: Contact,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
) -> Run:
    """Drive a block among others, and wait until all of them rest.

    Parameters
    ----------
    blocks
        All of them, the driven one first.
    drive
        How that one is driven.
    between, floor
        Contact of two blocks, and of a block and the floor.
    settings
        How it is integrated; the usual settings if None.
    limit_s
        After so long beyond the drive's own time, what still moves has not settled.

    Raises
    ------
    DivergenceError
        If a state is not finite, or energy comes out of nothing.
    """
    settings = settings or BlockSettings()
    with connection() as (module, client):
        world = BlockWorld(module, client, blocks, between, floor, settings)
        return _Runner(world, blocks, drive, floor.friction, settings).run(limit_s)


@dataclass(eq=False)
class _Open:
    """An impact while its impulses are added up."""

    impact: Impact
    until_s: float
    impulse_g_m_s: Array = field(default_factory=lambda: np.zeros(3))
    work_mj: float = 0.0


class _Runner:
    def __init__(
        self,
        world: BlockWorld,
        blocks: Sequence[Block],
        drive: Drive,
        friction: float,
        settings: BlockSettings,
    ) -> None:
        self._world, self._blocks, self._drive, self._settings = world, blocks, drive, settings
        self._held = {0, *(n for n, block in enumerate(blocks) if block.is_held and block.mass)}
        self._free = world.masses_g > 0
        self._start = world.get()
        self._now = world.get()
        self._time = 0.0
        self._grip_m_s2 = GRAVITY_M_S2 * friction
        self._speed = float(np.hypot(*drive.velocity_m_s))
        self._driven_mm = 0.0
        self._driving = self._speed > 0
        self._impacts: dict[tuple[int, int], _Open] = {}
        self._still = np.zeros(len(blocks))
        self._given_mj = float(world.energies_mj(self._start).sum())
        self._resting_mj = float(world.energies_mj(_stopped(self._start)).sum())

    def run(self, limit_s: float) -> Run:
        """Step until all is at rest, or time is up."""
        frames = [self._world.poses(self._now)]
        steps = max(1, round(LOOK_S / self._settings.step_s))
        drive_s = self._drive.distance_mm / 1000.0 / self._speed if self._speed else 0.0
        while not self._at_rest() and self._time < drive_s + limit_s:
            for _ in range(steps):
                self._advance()
            self._check()
            self._look(steps * self._settings.step_s)
            frames.append(self._world.poses(self._now))
        return Run(
            tuple(self._closed()),
            np.array(frames),
            self._still >= _REST_S,
            self._driven_mm,
            self._given_mj - self._resting_mj,
            self._time,
        )

    def _advance(self) -> None:
        if self._driving:
            self._world.detect()
            for touch in self._world.touches(0):
                self._meet(touch)
        self._hold()
        before = self._now
        self._world.step()
        self._now = self._world.get()
        for touch in self._world.touches():
            self._note(touch, before)
        self._time += self._settings.step_s
        if self._driving:
            self._driven_mm = self._come_mm()

    def _come_mm(self) -> float:
        """Return how far the driven block has come along its way."""
        shift = (self._now.position_mm - self._start.position_mm)[0, :2]
        return float(shift @ self._drive.velocity_m_s) / self._speed

    def _meet(self, touch: Touch) -> None:
        """Let go what the driven block touches, and end the drive if that stops it."""
        if self._closing(touch, self._now) <= _CLOSING_SHARE * self._speed:
            return
        if touch.second in self._held:
            self._let_go(touch.second, self._blocks[touch.second].velocity_m_s)
        if touch.second in self._drive.stoppers and self._driving:
            self._driving = False
            self._let_go(0, self._drive.velocity_m_s)
        self._open(touch, self._now, is_driven=True)

    def _let_go(self, number: int, velocity_m_s: Pair) -> None:
        self._held.remove(number)
        self._world.let_go(number)
        self._set(number, replace(self._now[number], velocity_m_s=np.array([*velocity_m_s, 0.0])))

    def _hold(self) -> None:
        """Set every held block upright at its height: nothing but a touch of the driven block moves it."""
        for number in sorted(self._held):
            start, now = self._start[number], self._now[number]
            place = np.array([*now.position_mm[:2], start.position_mm[2]])
            velocity = self._motor_m_s() if number == 0 else np.zeros(3)
            self._set(number, States(place, start.quaternion, velocity, np.zeros(3)))

    def _motor_m_s(self) -> Array:
        """Return the velocity of the driven block in the next step; after the last one it is where it should be."""
        to_go_m = (self._drive.distance_mm - self._driven_mm) / 1000.0
        if self._driving and to_go_m <= 1e-9:
            self._driving = False
        if not self._driving:
            return np.zeros(3)
        way = np.array([*self._drive.velocity_m_s, 0.0]) / self._speed
        speed = float(self._now.velocity_m_s[0] @ way) + self._grip_m_s2 * self._settings.step_s
        if self._time == 0.0:
            speed = self._speed
        return min(speed, self._speed, to_go_m / self._settings.step_s) * way

    def _set(self, number: int, states: States) -> None:
        """Put a block, and note the energy that this brings in."""
        before = self._world.energies_mj(self._now, [number])
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._now, name)[number] = getattr(states, name)
        self._world.put(number, states)
        self._given_mj += float((self._world.energies_mj(self._now, [number]) - before)[0])

    def _closing(self, touch: Touch, states: States) -> float:
        return float(-(relative_velocities(states, touch) @ touch.normal).mean())

    def _open(self, touch: Touch, states: States, *, is_driven: bool) -> None:
        """Begin the impact of a pair that has had none."""
        if (touch.first, touch.second) in self._impacts:
            return
        closing = self._closing(touch, states)
        since_s = max(touch.depth_mm, 0.0) / 1000.0 / closing if closing > 0 else 0.0
        self._impacts[touch.first, touch.second] = _Open(
            Impact(
                touch.first,
                touch.second,
                self._time - since_s,
                self._driven_mm - 1000.0 * self._speed * since_s if is_driven else None,
                touch.points_mm.mean(axis=0),
                touch.normal,
                closing,
                np.zeros((2, 3)),
                0.0,
            ),
            self._time + IMPACT_S,
        )

    def _note(self, touch: Touch, before: States) -> None:
        """Begin an impact where two blocks meet fast enough to bounce, and add up the impulses of those that are on."""
        pair = touch.first, touch.second
        if pair not in self._impacts and self._closing(touch, before) > self._settings.bounce_m_s:
            self._open(touch, before, is_driven=False)
        found = self._impacts.get(pair)
        if found is None or self._time > found.until_s:
            return
        after = replace(self._now, position_mm=before.position_mm)
        mean = (relative_velocities(before, touch) + relative_velocities(after, touch)) / 2
        found.impulse_g_m_s = found.impulse_g_m_s + touch.impulses_g_m_s.sum(axis=0)
        found.work_mj += float((touch.impulses_g_m_s * mean).sum())

    def _closed(self) -> Iterator[Impact]:
        for found in sorted(self._impacts.values(), key=lambda found: found.impact.time_s):
            impact = found.impact
            masses = self._world.masses_g[[impact.first, impact.second]]
            share = np.divide([1.0, -1.0], masses, out=np.zeros(2), where=masses > 0)
            change = share[:, None] * found.impulse_g_m_s
            yield replace(impact, delta_v_m_s=change, energy_lost_mj=-found.work_mj)

    def _check(self) -> None:
        energy = float(self._world.energies_mj(self._now).sum())
        room = _GAIN_LIMIT * (self._given_mj - self._resting_mj) + _TINY_MJ
        if not energy <= self._given_mj + room:
            raise DivergenceError(
                f"blocks diverged after {self._time:.3f} s: {energy:g} mJ of {self._given_mj:g} mJ given, "
                f"at a step of {self._settings.step_s:g} s"
            )

    def _look(self, elapsed_s: float) -> None:
        slow = np.linalg.norm(self._now.velocity_m_s, axis=1) < _REST_M_S
        slow &= np.linalg.norm(self._now.spin_rad_s, axis=1) < _REST_RAD_S
        self._still = np.where(slow | ~self._free, self._still + elapsed_s, 0.0)
        if (
            self._driving and self._still[0] >= _REST_S
        ):  # it cannot push away what is in front of it
            self._driving = False
            self._let_go(0, (0.0, 0.0))

    def _at_rest(self) -> bool:
        return not self._driving and bool((self._still >= _REST_S).all())


def _stopped(states: States) -> States:
    still = np.zeros_like(states.velocity_m_s)
    return replace(states, velocity_m_s=still, spin_rad_s=still)
