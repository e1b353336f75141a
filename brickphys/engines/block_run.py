"""Block run: one block is driven among others until something stops it; then all come to rest.

The driven block moves straight ahead without weight. It loses speed to light blocks that it pushes aside, and its motor
restores the speed with the largest acceleration that friction on the floor allows. From the first contact with a block
that stops it, it moves freely, with its wheels locked.
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

FRAME_S = 0.008
"""Time between two frames, and between two checks for rest."""
_REST_M_S, _REST_RAD_S, _REST_S = 0.002, 0.2, 0.1
"""A block is at rest when its speed and spin have been below these limits for this time."""
_GAIN_LIMIT = 0.05
"""A run has diverged if its energy exceeds that of start and motor by more than this share."""
_TINY_MJ = 1e-3
_AHEAD = 0.5
"""Least cosine between direction of travel and contact normal at which a push is passed on."""
_OVERLAP_MM = 0.01
"""Blocks overlap at the start if they penetrate by more than this."""
_CLOSING_SHARE = 1e-6
"""A contact that closes slower than this share of the driven block's speed is sliding, as along a wall."""


@dataclass(frozen=True)
class Drive:
    """The drive of the first block, and the blocks that stop it.

    Attributes
    ----------
    velocity_m_s
        Velocity along x and y of the world.
    distance_mm
        Distance of the drive. If nothing stops the block, it is held at its end. The drive also ends if the block
        cannot push something away, such as a figure against a wall.
    stoppers
        Numbers of the blocks that end the drive, by contact with the driven block or with a block that it pushes.
    """

    velocity_m_s: Pair
    distance_mm: float
    stoppers: frozenset[int]


@dataclass(frozen=True, eq=False)
class BlockRun:
    """The motion of n blocks.

    Attributes
    ----------
    impacts
        First impacts, in the order of their times.
    poses : ndarray, shape (frames, n, 7)
        Poses of the blocks' frames every `FRAME_S`: the origin in mm, then the quaternion, scalar last.
    settled : ndarray of bool, shape (n,)
        Whether each block is at rest.
    driven_mm
        Distance of the driven block during its drive.
    energy_mj
        Kinetic energy supplied by the drive and by the velocities of released blocks, minus that of the driven block
        if it is stopped at the end of its drive.
    time_s
        Simulated time.
    """

    impacts: tuple[FirstImpact, ...]
    poses: Array
    settled: Mask
    driven_mm: float
    energy_mj: float
    time_s: float


def run_blocks(
    blocks: Sequence[Block],
    drive: Drive,
    between: ContactCoefficients,
    floor: ContactCoefficients,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
) -> BlockRun:
    """Drive a block among others until all are at rest.

    Parameters
    ----------
    blocks
        The blocks, the driven one first.
    drive
        Velocity and distance of the driven block, and the blocks that stop it.
    between, floor
        Coefficients of contact of two blocks, and of a block and the floor.
    settings
        Settings of the integration; None for the defaults.
    limit_s
        Largest time of the run beyond the time of the drive.

    Raises
    ------
    DivergenceError
        If a state is not finite, or the energy grows beyond its limit.
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
            world.set_bouncing(number, bounces=False)
        if self._driving:
            velocity = np.array([*drive.velocity_m_s, 0.0])
            self._set(0, replace(self._now[0], velocity_m_s=velocity))

    def run(self, limit_s: float) -> BlockRun:
        """Step until all blocks are at rest or the time limit is reached."""
        frames = [self._world.poses(self._now)]
        steps = max(1, round(FRAME_S / self._settings.step_s))
        drive_s = self._drive.distance_mm / 1000.0 / self._speed if self._speed else 0.0
        while not self._at_rest() and self._time < drive_s + limit_s:
            for _ in range(steps):
                self._advance()
            self._check_energy()
            self._restore_bouncing()
            self._check_rest(steps * self._settings.step_s)
            frames.append(self._world.poses(self._now))
        return BlockRun(
            self._impacts.done(self._world.masses_g),
            np.array(frames),
            self._still >= _REST_S,
            self._driven_mm,
            max(self._given_mj - self._resting_mj, 0.0),  # rounding may make it negative
            self._time,
        )

    def _overlaps(self) -> set[int]:
        """Return the blocks that overlap another."""
        self._world.detect()
        deep = [t for t in self._world.touches() if t.depth_mm > _OVERLAP_MM]
        return {number for touch in deep for number in (touch.first, touch.second)}

    def _restore_bouncing(self) -> None:
        """Switch on the restitution of blocks that overlapped at the start and have separated."""
        apart = self._overlapping - self._overlaps() if self._overlapping else set()
        for number in sorted(apart):
            self._world.set_bouncing(number, bounces=True)
        self._overlapping -= apart

    def _advance(self) -> None:
        if self._driving:
            self._handle_contacts()
        self._hold()
        before = self._now
        self._world.step()
        self._now = self._world.get()
        for touch in self._world.touches():
            self._impacts.note(touch, before, self._now, self._time)
        self._time += self._settings.step_s
        if self._driving:
            self._driven_mm = self._distance_mm()

    def _distance_mm(self) -> float:
        """Return the distance of the driven block along its direction."""
        shift = (self._now.position_mm - self._start.position_mm)[0, :2]
        return float(shift @ self._drive.velocity_m_s) / self._speed

    def _handle_contacts(self) -> None:
        """Release held blocks that the driven block touches; end the drive at contact with a stopper."""
        self._world.detect()
        touches = self._world.touches()
        for touch in touches:
            approach = closing_m_s(self._now, touch)
            if touch.first == 0 and approach > _CLOSING_SHARE * self._speed:
                self._handle_contact(touch, approach)
        if self._driving and self._pushed(touches) & self._drive.stoppers:
            self._end_drive()

    def _handle_contact(self, touch: BlockContact, approach_m_s: float) -> None:
        if touch.second in self._held:
            self._release(touch.second, self._blocks[touch.second].velocity_m_s)
        if touch.second in self._drive.stoppers and self._driving:
            self._end_drive()
        since_s = max(touch.depth_mm, 0.0) / 1000.0 / approach_m_s
        driven_mm = self._driven_mm - 1000.0 * self._speed * since_s
        self._impacts.open(touch, self._now, self._time, since_s, driven_mm)

    def _end_drive(self) -> None:
        self._driving = False
        self._release(0, self._now.velocity_m_s[0, :2].tolist())

    def _pushed(self, touches: Sequence[BlockContact]) -> set[int]:
        """Return the driven block and all blocks that it pushes ahead, directly or through other blocks."""
        way = np.array([*self._drive.velocity_m_s, 0.0]) / self._speed
        ahead = [(t.first, t.second, float(-t.normal @ way)) for t in touches]
        ahead += [(second, first, -cosine) for first, second, cosine in ahead]
        pushed, more = {0}, {0}
        while more:
            more = {b for a, b, cosine in ahead if a in pushed and cosine > _AHEAD} - pushed
            pushed |= more
        return pushed

    def _release(self, number: int, velocity_m_s: Pair) -> None:
        self._held.remove(number)
        self._world.release(number)
        velocity = np.array([*velocity_m_s, 0.0])
        self._set(number, replace(self._now[number], velocity_m_s=velocity))

    def _hold(self) -> None:
        """Put every held block back upright at its height, with zero velocity or that of the motor."""
        for number in sorted(self._held):
            start, now = self._start[number], self._now[number]
            place = np.array([*now.position_mm[:2], start.position_mm[2]])
            velocity = self._motor_m_s() if number == 0 else np.zeros(3)
            self._set(number, States(place, start.quaternion, velocity, np.zeros(3)))
            self._world.lift(number, self._now[number])

    def _motor_m_s(self) -> Array:
        """Return the velocity of the driven block in the next step; the last step ends exactly at the distance."""
        to_go_m = (self._drive.distance_mm - self._driven_mm) / 1000.0
        if self._driving and to_go_m <= 1e-9:
            self._driving = False
        if not self._driving:
            return np.zeros(3)
        way = np.array([*self._drive.velocity_m_s, 0.0]) / self._speed
        speed = float(self._now.velocity_m_s[0] @ way) + self._grip_m_s2 * self._settings.step_s
        return min(speed, self._speed, to_go_m / self._settings.step_s) * way

    def _set(self, number: int, states: States) -> None:
        """Set the state of a block, and add the change of energy to the given energy."""
        before = self._world.energies_mj(self._now, [number])
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s"):
            getattr(self._now, name)[number] = getattr(states, name)
        self._world.put(number, states)
        self._given_mj += float((self._world.energies_mj(self._now, [number]) - before)[0])

    def _check_energy(self) -> None:
        energy = float(self._world.energies_mj(self._now).sum())
        room = _GAIN_LIMIT * (self._given_mj - self._resting_mj) + _TINY_MJ
        if not energy <= self._given_mj + room:
            raise DivergenceError(
                f"blocks diverged after {self._time:.3f} s: {energy:g} mJ of {self._given_mj:g} mJ given, "
                f"at a step of {self._settings.step_s:g} s"
            )

    def _check_rest(self, elapsed_s: float) -> None:
        slow = np.linalg.norm(self._now.velocity_m_s, axis=1) < _REST_M_S
        slow &= np.linalg.norm(self._now.spin_rad_s, axis=1) < _REST_RAD_S
        self._still = np.where(slow | ~self._free, self._still + elapsed_s, 0.0)
        if self._driving and self._still[0] >= _REST_S:  # it cannot push a block away
            self._driving = False
            self._release(0, (0.0, 0.0))

    def _at_rest(self) -> bool:
        return not self._driving and bool((self._still >= _REST_S).all())


def _stopped(states: States) -> States:
    still = np.zeros_like(states.velocity_m_s)
    return replace(states, velocity_m_s=still, spin_rad_s=still)
