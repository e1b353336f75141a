"""Block run: one block is driven among others until it meets what stops it, and all come to rest.

While it is driven it glides straight ahead without weight. Light things that it throws aside cost it some speed, which
its motor gives back as fast as wheels grip the floor. From the first touch with something that stops it, it is a body
like any other, with its wheels locked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.engines.block import Block, Pair
from brickphys.engines.block_settings import BlockSettings
from brickphys.engines.block_world import BlockContact, BlockWorld
from brickphys.engines.client import connection
from brickphys.engines.impact import FirstImpact, Impacts, closing_m_s
from brickphys.errors import DivergenceError
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.units import GRAVITY_M_S2

LOOK_S = 0.008
"""Time between two frames, and two looks at whether all is at rest."""
_REST_M_S, _REST_RAD_S, _REST_S = 0.002, 0.2, 0.1
"""A block rests when it has been slower than this for this long."""
_GAIN_LIMIT = 0.05
"""Energy above what the start and the motor gave, as a share of that, at which a run has diverged."""
_TINY_MJ = 1e-3
_AHEAD = 0.5
"""Least cosine between the way and the push at a touch that hands on what the driven block pushes."""
_OVERLAP_MM = 0.01
"""Blocks that are deeper in each other than this when a run begins overlap; those that touch do not."""
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
        Blocks at whose touch the drive ends; a block that is pushed against one of them hands the touch on.
    """

    velocity_m_s: Pair
    distance_mm: float
    stoppers: frozenset[int]


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
        Kinetic energy that the drive, and the speeds of those that were let go, brought in; less that of the driven
        block where its drive takes it to its end and stops it there.
    time_s
        Simulated.
    """

    impacts: tuple[FirstImpact, ...]
    poses: Array
    settled: Mask
    driven_mm: float
    energy_mj: float
    time_s: float


def run(
    blocks: Sequence[Block],
    drive: Drive,
    between: ContactCoefficients,
    floor: ContactCoefficients,
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
        ContactCoefficients of two blocks, and of a block and the floor.
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
        self._impacts = Impacts(settings.bounce_m_s)
        self._still = np.zeros(len(blocks))
        self._given_mj = float(world.energies_mj(self._start).sum())
        self._resting_mj = float(world.energies_mj(_stopped(self._start)).sum())
        self._overlapping = self._overlaps()
        for number in self._overlapping:
            world.bounce(number, bounces=False)
        if self._driving:
            velocity = np.array([*drive.velocity_m_s, 0.0])
            self._set(0, replace(self._now[0], velocity_m_s=velocity))

    def run(self, limit_s: float) -> Run:
        """Step until all is at rest, or time is up."""
        frames = [self._world.poses(self._now)]
        steps = max(1, round(LOOK_S / self._settings.step_s))
        drive_s = self._drive.distance_mm / 1000.0 / self._speed if self._speed else 0.0
        while not self._at_rest() and self._time < drive_s + limit_s:
            for _ in range(steps):
                self._advance()
            self._check()
            self._let_bounce()
            self._look(steps * self._settings.step_s)
            frames.append(self._world.poses(self._now))
        return Run(
            self._impacts.done(self._world.masses_g),
            np.array(frames),
            self._still >= _REST_S,
            self._driven_mm,
            max(self._given_mj - self._resting_mj, 0.0),  # rounding may leave less than nothing
            self._time,
        )

    def _overlaps(self) -> set[int]:
        """Return the blocks that are in each other."""
        self._world.detect()
        deep = [t for t in self._world.touches() if t.depth_mm > _OVERLAP_MM]
        return {number for touch in deep for number in (touch.first, touch.second)}

    def _let_bounce(self) -> None:
        """Let those bounce that overlapped at the start and have come apart."""
        apart = self._overlapping - self._overlaps() if self._overlapping else set()
        for number in sorted(apart):
            self._world.bounce(number, bounces=True)
        self._overlapping -= apart

    def _advance(self) -> None:
        if self._driving:
            self._meet()
        self._hold()
        before = self._now
        self._world.step()
        self._now = self._world.get()
        for touch in self._world.touches():
            self._impacts.note(touch, before, self._now, self._time)
        self._time += self._settings.step_s
        if self._driving:
            self._driven_mm = self._come_mm()

    def _come_mm(self) -> float:
        """Return how far the driven block has come along its way."""
        shift = (self._now.position_mm - self._start.position_mm)[0, :2]
        return float(shift @ self._drive.velocity_m_s) / self._speed

    def _meet(self) -> None:
        """Let go what the driven block touches, and end the drive if that, or what it pushes along, stops it."""
        self._world.detect()
        touches = self._world.touches()
        for touch in touches:
            approach = closing_m_s(self._now, touch)
            if touch.first == 0 and approach > _CLOSING_SHARE * self._speed:
                self._meet_one(touch, approach)
        if self._driving and self._pushed(touches) & self._drive.stoppers:
            self._end_drive()

    def _meet_one(self, touch: BlockContact, approach_m_s: float) -> None:
        if touch.second in self._held:
            self._let_go(touch.second, self._blocks[touch.second].velocity_m_s)
        if touch.second in self._drive.stoppers and self._driving:
            self._end_drive()
        since_s = max(touch.depth_mm, 0.0) / 1000.0 / approach_m_s
        driven_mm = self._driven_mm - 1000.0 * self._speed * since_s
        self._impacts.open(touch, self._now, self._time, since_s, driven_mm)

    def _end_drive(self) -> None:
        self._driving = False
        self._let_go(0, self._now.velocity_m_s[0, :2].tolist())

    def _pushed(self, touches: Sequence[BlockContact]) -> set[int]:
        """Return the driven block, and all that it pushes ahead of itself, one through the other."""
        way = np.array([*self._drive.velocity_m_s, 0.0]) / self._speed
        ahead = [(t.first, t.second, float(-t.normal @ way)) for t in touches]
        ahead += [(second, first, -cosine) for first, second, cosine in ahead]
        pushed, more = {0}, {0}
        while more:
            more = {b for a, b, cosine in ahead if a in pushed and cosine > _AHEAD} - pushed
            pushed |= more
        return pushed

    def _let_go(self, number: int, velocity_m_s: Pair) -> None:
        self._held.remove(number)
        self._world.let_go(number)
        velocity = np.array([*velocity_m_s, 0.0])
        self._set(number, replace(self._now[number], velocity_m_s=velocity))

    def _hold(self) -> None:
        """Set every held block upright at its height: nothing but a touch of the driven block moves it."""
        for number in sorted(self._held):
            start, now = self._start[number], self._now[number]
            place = np.array([*now.position_mm[:2], start.position_mm[2]])
            velocity = self._motor_m_s() if number == 0 else np.zeros(3)
            self._set(number, States(place, start.quaternion, velocity, np.zeros(3)))
            self._world.lift(number, self._now[number])

    def _motor_m_s(self) -> Array:
        """Return the velocity of the driven block in the next step; after the last one it is where it should be."""
        to_go_m = (self._drive.distance_mm - self._driven_mm) / 1000.0
        if self._driving and to_go_m <= 1e-9:
            self._driving = False
        if not self._driving:
            return np.zeros(3)
        way = np.array([*self._drive.velocity_m_s, 0.0]) / self._speed
        speed = float(self._now.velocity_m_s[0] @ way) + self._grip_m_s2 * self._settings.step_s
        return min(speed, self._speed, to_go_m / self._settings.step_s) * way

    def _set(self, number: int, states: States) -> None:
        """Put a block, and note the energy that this brings in."""
        before = self._world.energies_mj(self._now, [number])
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._now, name)[number] = getattr(states, name)
        self._world.put(number, states)
        self._given_mj += float((self._world.energies_mj(self._now, [number]) - before)[0])

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
