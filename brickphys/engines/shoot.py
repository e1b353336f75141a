"""Shots from the first contact until each body has fallen or will stand.

A missile flies straight to its first contact, which is found exactly, not by time steps. So the first impulse does not
depend on speed times step. A shot is decided once body and missile have too little energy to lift the body over the
least edge of its base.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from brickphys.engines.block_world import BlockSettings
from brickphys.engines.client import connection
from brickphys.engines.engine import ENERGY_SLACK_MM
from brickphys.engines.shot_world import MAX_SHOTS, Missile, ShotWorld, StandingBody
from brickphys.throws.conditions import BRICK_ON_BRICK, SURFACES, ContactCoefficients
from brickphys.throws.flight import States, unrotate
from brickphys.units import GRAVITY_M_S2, Array, Indices, Mask

SHOT_SETTINGS = BlockSettings(step_s=1 / 1000, iterations=20)
"""Settings that ``docs/projectiles.md`` shows to be converged."""
CHECK_S = 0.016
"""Time between two checks."""
_LIMIT_S = 3.0
_TOUCH_MM = 1e-4
"""The missile is put this deep into the body at its first contact."""
_AWAY_MM = 10.0
"""A missile that is this far from the body, less than both reach, does not come back."""
_ADVANCES, _FREE = 60, -1

Watch = Callable[[float, States, States], None]
"""Called for a single shot with the time in s since the contact, and the states of body and missile, shape (1,)."""


@dataclass(frozen=True, eq=False)
class Shots:
    """The results of n shots."""

    hit: Mask
    """Whether the missile met the body, before the table, shape (n,)."""
    knocked: Mask
    """Whether the body was knocked over, shape (n,)."""
    settled: Mask
    """Whether the shot was decided by energy, shape (n,); else it was cut off after 3 s."""
    contact_mm: Array
    """Place of the missile's centre at the first contact, shape (n, 3); NaN without a hit."""
    impulse_g_m_s: Array
    """Change of the missile's momentum in the first time step, shape (n, 3), the opposite of its impulse on body and
    table."""
    gain: Array
    """Largest increase of the energy in `CHECK_S` over its least earlier value, as a share of that at the contact,
    shape (n,). It is an error of the engine, and is taken back from the spin of the body."""


def shoot(
    body: StandingBody,
    missile: Missile,
    states: States,
    between: ContactCoefficients = BRICK_ON_BRICK,
    floor: ContactCoefficients = SURFACES["wood"].nominal,
    settings: BlockSettings = SHOT_SETTINGS,
    watch: Watch | None = None,
) -> Shots:
    """Shoot missiles at a body that stands, each at one of its own.

    Parameters
    ----------
    states : States, shape (n,)
        Missiles clear of the body, which fly towards it in a straight line.
    between, floor
        Coefficients of contact of missile and body, and of each of them and the table.
    """
    with connection() as client:
        pairs = min(len(states), MAX_SHOTS)
        world = ShotWorld(client, body, missile, pairs, between, floor, settings)
        return _Shooting(world, body, missile, settings, watch).shoot(states)


class _Shooting:
    """Shots in one world; a pair that is decided takes the next shot."""

    def __init__(
        self,
        world: ShotWorld,
        body: StandingBody,
        missile: Missile,
        settings: BlockSettings,
        watch: Watch | None,
    ) -> None:
        self._world, self._body, self._missile = world, body, missile
        self._settings, self._watch = settings, watch
        self._reach_mm = body.reach_mm + missile.reach_mm
        self._shot = np.full(world.pairs, _FREE)
        self._has_missile = np.zeros(world.pairs, dtype=bool)
        self._time_s, self._given_mm, self._lowest_mm = np.zeros((3, world.pairs))

    def shoot(self, states: States) -> Shots:
        """Fly to the contacts, and step until all shots are decided."""
        n = len(states)
        met = [self._meet(states[shot]) for shot in range(n)]
        hit = np.array([at is not None for at in met], dtype=bool)
        contact = [np.full(3, np.nan) if at is None else at.position_mm for at in met]
        no, zero = np.zeros(n, dtype=bool), np.zeros(n)
        found = Shots(hit, no, no.copy(), np.array(contact), np.zeros((n, 3)), zero)
        waiting = [(shot, at) for shot, at in enumerate(met) if at is not None][::-1]
        steps = max(2, round(CHECK_S / self._settings.step_s))
        while waiting or (self._shot != _FREE).any():
            entered = [self._enter(pair, *waiting.pop()) for pair in self._free(len(waiting))]
            self._strike(entered, found)
            self._world.step(steps - 1)
            self._time_s += steps * self._settings.step_s
            self._check(np.flatnonzero(self._shot != _FREE), found)
        return found

    def _free(self, most: int) -> list[int]:
        return [int(pair) for pair in np.flatnonzero(self._shot == _FREE)[:most]]

    def _meet(self, states: States) -> States | None:
        """Return the missile at its first contact; None if it passes, or meets the table before."""
        ahead = states.velocity_m_s / np.linalg.norm(states.velocity_m_s)
        depth_mm = float(self._missile.depth_mm(states.quaternion))
        gap = np.inf
        for _ in range(_ADVANCES):
            offset = states.position_mm - self._body.mass.centre_mm
            if offset @ ahead > self._reach_mm or states.position_mm[2] < depth_mm:
                return None
            gap = self._world.gap_mm(states, float(np.linalg.norm(offset)) + self._reach_mm)
            if gap <= 0.0:
                return states
            states = replace(states, position_mm=states.position_mm + (gap + _TOUCH_MM) * ahead)
        return states if gap < 10 * _TOUCH_MM else None

    def _enter(self, pair: int, shot: int, states: States) -> int:
        """Let a pair take a shot; return the pair."""
        self._world.enter(pair, states)
        self._shot[pair], self._has_missile[pair] = shot, True
        self._time_s[pair] = 0.0
        return pair

    def _strike(self, entered: list[int], found: Shots) -> None:
        """Advance one step, in which the missiles that have just entered strike."""
        if not entered:
            self._world.step(1)
            return
        before = self._world.missiles(entered)
        energy = self._energy_mm(entered, self._world.bodies(entered), before)
        self._given_mm[entered] = self._lowest_mm[entered] = energy
        self._world.step(1)
        change = self._world.missiles(entered).velocity_m_s - before.velocity_m_s
        found.impulse_g_m_s[self._shot[entered]] = self._missile.mass_g * change

    def _check(self, pairs: Indices, found: Shots) -> None:
        """Write down how shots stand, and take those that are decided out of the world."""
        shots = self._shot[pairs]
        bodies, missiles = self._world.bodies(pairs.tolist()), self._world.missiles(pairs.tolist())
        if self._watch:
            self._watch(float(self._time_s[pairs[0]]), bodies, missiles)
        energy = self._energy_mm(pairs, bodies, missiles)
        gain = (energy - self._lowest_mm[pairs]) / self._given_mm[pairs]
        found.gain[shots] = np.maximum(found.gain[shots], gain)
        self._brake(pairs, bodies, energy - self._lowest_mm[pairs])
        self._lowest_mm[pairs] = np.minimum(self._lowest_mm[pairs], energy)
        found.settled[shots] = energy < self._body.barrier_mm - ENERGY_SLACK_MM
        found.knocked[shots] = ~self._body.upright(bodies)
        apart = np.linalg.norm(missiles.position_mm - bodies.position_mm, axis=1)
        for pair in pairs[self._has_missile[pairs] & (apart > self._reach_mm + _AWAY_MM)].tolist():
            self._world.remove_missile(pair)
            self._has_missile[pair], self._lowest_mm[pair] = False, np.inf
        for pair in pairs[found.settled[shots] | (self._time_s[pairs] > _LIMIT_S)].tolist():
            self._world.remove(pair)
            self._shot[pair] = _FREE

    def _brake(self, pairs: Indices, bodies: States, excess_mm: Array) -> None:
        """Take energy that a check has added from the spin of bodies: Bullet's steps add it where they tumble fast."""
        own_mm = self._body.energy_mm(bodies)
        still_mm = self._body.energy_mm(
            replace(bodies, spin_rad_s=np.zeros_like(bodies.spin_rad_s))
        )
        turning_mm = own_mm - still_mm
        for row in np.flatnonzero(
            (excess_mm > ENERGY_SLACK_MM) & (turning_mm > excess_mm)
        ).tolist():
            share = np.sqrt(1 - excess_mm[row] / turning_mm[row])
            self._world.turn(
                int(pairs[row]), bodies.velocity_m_s[row], share * bodies.spin_rad_s[row]
            )

    def _energy_mm(self, pairs: Indices | list[int], bodies: States, missiles: States) -> Array:
        """Return the energies of bodies and of missiles that are present, as heights of the body, shape (m,)."""
        missile = self._missile
        spin = unrotate(missiles.quaternion, missiles.spin_rad_s)
        kinetic = missile.mass_g * (missiles.velocity_m_s**2).sum(axis=1) / 2
        kinetic = kinetic + (np.array(missile.moments_g_mm2) * spin**2).sum(axis=1) / 2e6
        raised_mm = np.maximum(0.0, missiles.position_mm[:, 2] - missile.least_height_mm)
        energy_mj = kinetic + missile.mass_g * GRAVITY_M_S2 * raised_mm / 1000
        own_mm = 1000.0 * energy_mj / (self._body.mass.mass_g * GRAVITY_M_S2)
        return self._body.energy_mm(bodies) + np.where(self._has_missile[pairs], own_mm, 0.0)
