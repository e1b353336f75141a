"""Block run: one block is driven among others until something stops it; then all come to rest.

The driven block moves without weight, straight ahead or about a pivot, in one piece after the other. It loses speed to
light blocks that it pushes aside, and its motor restores the speed with the largest acceleration that friction on the
floor allows. From the first contact with a block that stops it, it moves freely, with its wheels locked, at the
velocity and the spin that it has then. Held blocks are let go when a moving block runs into them, directly or through
others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf

import numpy as np

from brickphys.engines import block_impact
from brickphys.engines.block_world import Block, BlockContact, BlockSettings, BlockWorld, Pair
from brickphys.engines.client import connection
from brickphys.notes import Progress
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, multiply, rotate, turn
from brickphys.units import GRAVITY_M_S2, Array, Mask

FRAME_S = 0.008
"""Time between two frames, and between two checks for rest."""
_REST_M_S, _REST_RAD_S, _REST_S = 0.002, 0.2, 0.1
"""A block is at rest when its speed and spin have been below these limits for this time."""
_OVERLAP_MM = 0.01
"""Blocks overlap at the start if they penetrate by more than this."""
_CLOSING_SHARE = 1e-6
"""A contact that closes slower than this share of the driven block's speed is sliding, as along a wall."""
_LOST_MM = -100.0
"""What has fallen so far below the table is not followed any farther."""
_LEVEL = np.array([1.0, 1.0, 0.0])
_LAST_MM = 1e-6
"""A drive with no more to go is at its end."""
_NEAR_MM = 1.0
"""The driven block need not be stepped while it has more room than this around its way."""


@dataclass(frozen=True, eq=False)
class BlockRun:
    """The motion of n blocks."""

    impacts: tuple[block_impact.FirstImpact, ...]
    """First impacts, in the order of their times."""
    poses: Array
    """Poses of the blocks' frames every `FRAME_S`, shape (frames, n, 7): the origin in mm, then the quaternion, scalar
    last."""
    settled: Mask
    """Whether each block is at rest, or has fallen off the table, shape (n,)."""
    fallen: frozenset[int]
    """Numbers of the blocks that have fallen off the table."""
    driven_mm: float
    """Distance of the driven block during its drives together; if it runs into a stopper, that to the touch."""
    energy_mj: float
    """Kinetic energy of the driven block and its load at the start, and all that the drive and the velocities of
    released blocks add. What the drive takes back when it brakes is not subtracted."""
    time_s: float
    """When the last block came to rest, as far as checks every `FRAME_S` show; else the simulated time."""


def run_blocks(
    blocks: Sequence[Block],
    drive: block_impact.Drive,
    between: ContactCoefficients,
    floor: ContactCoefficients,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
    table_mm: Pair | None = None,
    progress: Progress | None = None,
) -> BlockRun:
    """Drive a block among others until all are at rest.

    Raises DivergenceError if a state is not finite, or energy is gained beyond its limit.

    Parameters
    ----------
    blocks
        The blocks, the driven one first.
    drive
        Velocity and distance of the driven block, and the blocks that stop it; with the drives that follow.
    limit_s
        Largest time of the run beyond the time of the drive.
    table_mm
        Size of the table, which has a corner at the origin; None if the floor has no edge.
    progress
        Is called after each frame with the simulated time and its limit, in ms.
    """
    settings = settings or BlockSettings()
    with connection() as client:
        world = BlockWorld(client, blocks, between, floor, settings, table_mm)
        runner = _Runner(world, blocks, drive, floor.friction, settings)
        return runner.run(limit_s, progress)


class _Runner:
    def __init__(
        self,
        world: BlockWorld,
        blocks: Sequence[Block],
        drive: block_impact.Drive,
        friction: float,
        settings: BlockSettings,
    ) -> None:
        self._world, self._blocks, self._settings = world, blocks, settings
        self._free = world.masses_g > 0
        self._held = {n for n, block in enumerate(blocks) if block.is_held and self._free[n]}
        start = world.get()
        self._now = world.get()
        self._time = 0.0
        self._grip_m_s2 = GRAVITY_M_S2 * friction
        self._base = _stopped(start)
        self._drive_s = self._done_mm = self._driven_mm = 0.0
        piece: block_impact.Drive | None = drive
        while piece:
            self._drive_s += piece.distance_mm / 1000.0 / (hypot(*piece.velocity_m_s) or 1.0)
            piece = piece.then
        self._begin(drive)
        self._driven_m_s = self._speed
        self._driving = self._speed > 0
        self._impacts = block_impact.Impacts(world.masses_g, settings.bounce_m_s)
        self._still = np.zeros(len(blocks))
        self._energy = block_impact.EnergyBudget(
            float(world.energies_mj(start).sum()),
            float(world.energies_mj(_stopped(start)).sum()),
            settings.step_s,
        )
        self._fallen = set[int]()
        for number in np.flatnonzero(self._free).tolist():
            if not self._now.velocity_m_s[number].any():
                world.sleep(number)
        self._overlapping = self._overlaps()
        for number in self._overlapping:
            world.set_bouncing(number, bounces=False)
        for number in self._with_load(0) if self._driving else ():
            self._held.add(number)
            world.hold(number)
            world.wake(number)
            self._set(number, self._on_way(number, self._speed, 0.0))

    def _begin(self, drive: block_impact.Drive) -> None:
        """Begin a drive at the present base, where the driven block and its load are at its start."""
        self._drive, self._put_mm = drive, 0.0
        self._speed = float(np.hypot(*drive.velocity_m_s))
        self._way = np.array([*drive.velocity_m_s, 0.0]) / (self._speed or 1.0)
        self._pivot_mm = np.array([*drive.pivot_mm, 0.0])
        self._up_rad_mm = np.array([0.0, 0.0, drive.turn_rad / (drive.distance_mm or 1.0)])

    def _on_way(self, number: int, speed_m_s: float, at_mm: float) -> States:
        """Return the state of a driven block when its drive has come so far, at a speed along the way."""
        base = self._base[number]
        if not self._drive.turn_rad:
            place = base.position_mm + at_mm * self._way
            return replace(base, position_mm=place, velocity_m_s=speed_m_s * self._way)
        turned = turn(at_mm * self._up_rad_mm)
        arm = rotate(turned, base.position_mm - self._pivot_mm)
        facing = multiply(turned, base.quaternion)
        spin = 1000.0 * speed_m_s * self._up_rad_mm
        return States(self._pivot_mm + arm, facing, np.cross(spin, arm) / 1000.0, spin)

    def _along_m_s(self) -> float:
        """Return the speed along the way of the driven block and its load, which share their momentum along it."""
        driven = [number for number in self._with_load(0) if number in self._held]
        masses_g, now = self._world.masses_g[driven], self._now
        if not self._drive.turn_rad:
            return float(masses_g @ now.velocity_m_s[driven] @ self._way / masses_g.sum())
        momentum = inertia = 0.0
        for number, mass_g in zip(driven, masses_g.tolist(), strict=True):
            # a step moves a block, but does not turn its velocity: it is that of where the step began
            unit, mass = self._on_way(number, 1.0, self._put_mm), self._blocks[number].mass
            spin_g_m2 = (mass.inertia_g_mm2[2, 2] / 1e6 if mass else 0.0) * unit.spin_rad_s[2]
            momentum += mass_g * now.velocity_m_s[number] @ unit.velocity_m_s
            momentum += spin_g_m2 * now.spin_rad_s[number, 2]
            inertia += mass_g * unit.velocity_m_s @ unit.velocity_m_s
            inertia += spin_g_m2 * unit.spin_rad_s[2]
        return float(momentum / inertia)

    def _way_at(self, touch: BlockContact) -> Array:
        """Return the direction in which the driven block moves at a contact."""
        if not self._drive.turn_rad:
            return self._way
        way = np.cross(self._up_rad_mm, touch.points_mm.mean(axis=0) - self._pivot_mm)
        return way / (np.linalg.norm(way) or 1.0)

    def run(self, limit_s: float, progress: Progress | None) -> BlockRun:
        """Step until all blocks are at rest or the time limit is reached."""
        frames = [self._world.poses(self._now)]
        steps = max(1, round(FRAME_S / self._settings.step_s))
        while not self._at_rest() and self._time < self._drive_s + limit_s:
            if not self._glide(steps * self._settings.step_s):
                for _ in range(steps):
                    self._advance()
            self._energy.check(float(self._world.energies_mj(self._now).sum()), self._time)
            self._restore_bouncing()
            self._check_rest(steps * self._settings.step_s)
            self._check_fallen()
            frames.append(self._world.poses(self._now))
            if progress is not None:
                progress(round(1000 * self._time), round(1000 * (self._drive_s + limit_s)))
        return BlockRun(
            self._energy.checked(self._impacts.done()),
            np.array(frames),
            self._still >= _REST_S,
            frozenset(self._fallen),
            self._done_mm + self._driven_mm,
            max(self._energy.supplied_mj, 0.0),  # rounding may make it negative
            self._rest_s() if self._at_rest() else self._time,
        )

    def _with_load(self, number: int) -> list[int]:
        """Return a block and those that it carries."""
        return [number, *(n for n, block in enumerate(self._blocks) if block.carrier == number)]

    def _touches(self) -> list[BlockContact]:
        """Return the contacts of blocks, but for those that one of the two carries."""
        carriers = [block.carrier for block in self._blocks]
        return [
            t
            for t in self._world.touches()
            if carriers[t.first] != t.second and carriers[t.second] != t.first
        ]

    def _overlaps(self) -> set[int]:
        """Return the blocks that overlap another."""
        self._world.detect()
        return {n for t in self._touches() if t.depth_mm > _OVERLAP_MM for n in (t.first, t.second)}

    def _restore_bouncing(self) -> None:
        """Switch on the restitution of blocks that overlapped at the start and have separated."""
        apart = self._overlapping - self._overlaps() if self._overlapping else set()
        for number in sorted(apart):
            self._world.set_bouncing(number, bounces=True)
        self._overlapping -= apart

    def _glide(self, time_s: float) -> bool:
        """Move the driven block and its load on if nothing is near and nothing else moves; tell whether they did."""
        driven, way_mm = self._with_load(0), 1000.0 * self._speed * time_s
        to_go_mm = min(self._drive.distance_mm, self._drive.edge_mm) - self._driven_mm
        if not self._driving or self._world.awake - set(driven) or to_go_mm <= way_mm:
            return False
        if self._driven_m_s < self._speed:
            return False
        low, high = self._world.bounds_mm().swapaxes(0, 1)
        back_mm, ahead_mm = np.minimum(way_mm * self._way, 0.0), np.maximum(way_mm * self._way, 0.0)
        if self._drive.turn_rad:  # no point goes farther than a corner of the box about all
            box = np.abs([low[driven].min(axis=0), high[driven].max(axis=0)] - self._pivot_mm)
            ahead_mm = way_mm * abs(self._up_rad_mm[2]) * np.hypot(*box.max(axis=0)[:2]) * _LEVEL
            back_mm = -ahead_mm
        low[driven] += back_mm - _NEAR_MM
        high[driven] += ahead_mm + _NEAR_MM
        others = [n for n in range(len(self._blocks)) if n not in driven]
        for number in driven:
            if ((low[number] < high[others]) & (high[number] > low[others])).all(axis=1).any():
                return False
        self._driven_mm += way_mm
        self._put_mm = self._driven_mm
        for number in driven:
            self._set(number, self._on_way(number, self._speed, self._driven_mm))
        self._time += time_s
        return True

    def _advance(self) -> None:
        if self._held:
            self._handle_contacts()
        if self._driving:
            self._drive_on()
        before = self._now
        self._world.step(self._held)
        touches = self._touches()
        self._now = self._world.get()
        if touches:
            self._impacts.note(touches, before, self._now, self._time)
        self._time += self._settings.step_s
        if self._driving and self._drive.turn_rad:
            self._driven_mm += 1000.0 * self._settings.step_s * self._along_m_s()
        elif self._driving:
            self._driven_mm = float((self._now.position_mm - self._base.position_mm)[0] @ self._way)

    def _handle_contacts(self) -> None:
        """Let go of the held blocks that something runs into; end the drive at contact with a stopper."""
        for number in self._pushed():
            self._let_go(number)
        self._world.detect()
        touches = self._touches()
        if not touches:
            return
        least = _CLOSING_SHARE * self._speed
        mine = [touch for touch in touches if self._driving and touch.first == 0]
        met = {t.second: (t, block_impact.closing_m_s(self._now, t)) for t in mine}
        met = {number: found for number, found in met.items() if found[1] > least}
        for number in sorted((met.keys() | block_impact.reached(touches, self._now)) & self._held):
            if number or not self._driving:
                self._let_go(number)
        ends_mm: list[float] = []
        for number, (touch, approach_m_s) in met.items():
            since_s = min(max(touch.depth_mm, 0.0) / 1000.0 / approach_m_s, self._settings.step_s)
            driven_mm = self._driven_mm - 1000.0 * self._speed * since_s
            whole_mm = self._done_mm + driven_mm
            self._impacts.open(touch, self._now, self._time, since_s, whole_mm)
            if number in self._drive.stoppers:
                ends_mm.append(driven_mm)
        ahead = [
            (t.second, -t.normal) for t in mine if -t.normal @ self._way_at(t) > block_impact.AHEAD
        ]
        pushed = block_impact.chain(touches, [(0, np.zeros(3)), *ahead])
        if ends_mm or (self._driving and pushed & self._drive.stoppers):
            self._driven_mm = min(ends_mm, default=self._driven_mm)
            self._release(0)

    def _pushed(self) -> list[int]:
        """Return the standing blocks that the last step has set in motion: through others, or by a weak contact."""
        standing = self._held - set(self._with_load(0)) if self._driving else self._held
        now = self._now
        return [n for n in sorted(standing) if now.velocity_m_s[n].any() or now.spin_rad_s[n].any()]

    def _let_go(self, number: int) -> None:
        """Release a block that something runs into, with what carries it unless that is driven."""
        carrier = self._blocks[number].carrier
        if carrier == 0 and self._driving:
            self._free_one(number, (0.0, 0.0))
        else:
            self._release(number if carrier is None else carrier)

    def _release(self, number: int) -> None:
        """Let go of a block and its load, at their own velocity; the drive ends if it is the driven block."""
        self._driving = self._driving and number != 0
        own_m_s = self._blocks[number].velocity_m_s if number else (0.0, 0.0)
        for each in self._with_load(number):
            if each in self._held:
                self._free_one(each, own_m_s)

    def _free_one(self, number: int, own_m_s: Pair) -> None:
        """Let go of a block; its own velocity is added to that which it has from the drive or from contacts."""
        self._held.remove(number)
        self._world.wake(number)
        self._world.release(number)
        now = self._now[number]
        velocity_m_s = now.velocity_m_s + np.array([*own_m_s, 0.0])
        self._set(number, replace(now, velocity_m_s=velocity_m_s))

    def _drive_on(self) -> None:
        """Put the driven block and its load back upright on their way, with the velocity of the motor."""
        given_mj = self._energy.given_mj
        while self._drive.then and self._drive.distance_mm - self._driven_mm <= _LAST_MM:
            self._go_on(self._drive.then)
        speed_m_s = self._motor_m_s()
        shift = (self._now.position_mm - self._base.position_mm)[0] * _LEVEL
        for number in self._with_load(0):
            if number in self._held:
                state = self._on_way(number, speed_m_s, self._driven_mm)
                if not self._drive.turn_rad:  # where contacts have shifted it aside it stays so
                    state = replace(state, position_mm=self._base.position_mm[number] + shift)
                self._set(number, state)
        self._put_mm = self._driven_mm
        self._energy.braked_mj += max(0.0, given_mj - self._energy.given_mj)
        if self._driven_mm >= self._drive.edge_mm:
            self._release(0)
        elif not speed_m_s:  # the end of its drive
            self._driving = False
            if not self._blocks[0].is_held:
                self._release(0)

    def _go_on(self, drive: block_impact.Drive) -> None:
        """Begin the next drive with the speed along the way; what the last step went too far is made in it."""
        speed_m_s, base = self._along_m_s(), self._base
        beyond_mm = self._driven_mm - self._drive.distance_mm
        self._done_mm += self._drive.distance_mm
        for number in self._with_load(0):
            end = self._on_way(number, 0.0, self._drive.distance_mm)
            base.position_mm[number], base.quaternion[number] = end.position_mm, end.quaternion
        self._begin(drive)
        self._driven_mm = self._put_mm = beyond_mm
        for number in self._with_load(0):
            if number in self._held:
                self._set(number, self._on_way(number, speed_m_s, beyond_mm))

    def _motor_m_s(self) -> float:
        """Return the speed of the driven block in the next step; the last step ends exactly at the distance."""
        to_go_m = (self._drive.distance_mm - self._driven_mm) / 1000.0
        last_m_s = inf if self._drive.then else to_go_m / self._settings.step_s
        if 1000.0 * to_go_m <= _LAST_MM:
            return 0.0
        speed = self._along_m_s() + self._grip_m_s2 * self._settings.step_s
        self._driven_m_s = min(speed, self._speed, last_m_s)
        return self._driven_m_s

    def _set(self, number: int, state: States) -> None:
        """Set the state of a block; add the change of energy to the given energy."""
        now = self._now
        before = self._world.energy_mj(number, now)
        now.position_mm[number], now.quaternion[number] = state.position_mm, state.quaternion
        now.velocity_m_s[number], now.spin_rad_s[number] = state.velocity_m_s, state.spin_rad_s
        self._world.put(number, now)
        self._energy.given_mj += self._world.energy_mj(number, now) - before

    def _check_rest(self, elapsed_s: float) -> None:
        slow = np.linalg.norm(self._now.velocity_m_s, axis=1) < _REST_M_S
        slow &= np.linalg.norm(self._now.spin_rad_s, axis=1) < _REST_RAD_S
        if self._driving and self._drive.turn_rad:  # on the spot its centre does not move
            slow[0] = self._along_m_s() < _REST_M_S
        slow[list(self._fallen)] = True
        self._still = np.where(slow | ~self._free, self._still + elapsed_s, 0.0)
        if self._driving and self._still[0] >= _REST_S:  # it cannot push a block away
            self._release(0)
        for number in sorted(self._world.awake - self._held):
            if self._still[number] >= _REST_S:
                self._set(number, _stopped(self._now[number]))
                self._world.sleep(number)

    def _check_fallen(self) -> None:
        for number in sorted(self._world.awake - self._held):
            if self._now.position_mm[number, 2] < _LOST_MM:
                given_mj = self._energy.given_mj
                self._set(number, _stopped(self._now[number]))
                # what gravity gave it is not to be reported
                self._energy.resting_mj += self._energy.given_mj - given_mj
                self._world.remove(number)
                self._fallen.add(number)

    def _rest_s(self) -> float:
        """Return when the last block came to rest; sums of steps are the same to the last bits only."""
        return max(0.0, round(self._time - float(self._still.min()), 9))

    def _at_rest(self) -> bool:
        return not self._driving and bool((self._still >= _REST_S).all())


def _stopped(states: States) -> States:
    still = np.zeros_like(states.velocity_m_s)
    return replace(states, velocity_m_s=still, spin_rad_s=still)
