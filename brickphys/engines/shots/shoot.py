"""Shots from the first contact until each body has fallen or will stand.

A missile flies straight to its first contact, which is found exactly, not by time steps. So the first impulse does not
depend on speed times step. A shot is decided once body and missile have too little energy to lift the body over the
least edge of its base.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from brickphys.arrays import Array, Mask
from brickphys.engines.blocks.settings import BlockSettings
from brickphys.engines.client import connection
from brickphys.engines.shots.missile import Missile
from brickphys.engines.shots.standing import StandingBody
from brickphys.engines.shots.world import MAX_SHOTS, ShotWorld
from brickphys.errors import DivergenceError
from brickphys.throws.rotations import unrotate
from brickphys.throws.states import States
from brickphys.throws.surfaces import BRICK_ON_BRICK, SURFACES, ContactCoefficients
from brickphys.units import GRAVITY_M_S2

SHOT_SETTINGS = BlockSettings(step_s=1 / 2000)
"""Settings that ``docs/projectiles.md`` shows to be converged."""
CHECK_S = 0.008
"""Time between two checks."""
SLACK_MM = 0.02
"""A shot is decided when its energy is this much below the barrier."""
GAIN_LIMIT = 0.2
"""A shot that ever regains more than this share of its energy has diverged."""
_LIMIT_S = 3.0
_TOUCH_MM = 1e-4
"""The missile is put this deep into the body at its first contact."""
_AWAY_MM = 60.0
"""A missile that is this far from the body, less than both reach, does not come back."""
_ADVANCES = 60

Watch = Callable[[float, States, States], None]
"""Called with the time in s since the contact, and the states of bodies and missiles that are not yet decided."""


@dataclass(frozen=True, eq=False)
class Shots:
    """The results of n shots.

    Attributes
    ----------
    hit : ndarray of bool, shape (n,)
        Whether the missile met the body, before the table.
    knocked : ndarray of bool, shape (n,)
        Whether the body was knocked over.
    settled : ndarray of bool, shape (n,)
        Whether the shot was decided by energy; else it was cut off after 3 s.
    contact_mm : ndarray, shape (n, 3)
        Place of the missile's centre at the first contact; NaN without a hit.
    impulse_g_m_s : ndarray, shape (n, 3)
        Change of the missile's momentum in the first time step, the opposite of its impulse on body and table.
    gain : ndarray, shape (n,)
        Largest increase of the energy over its least earlier value, as a share of that at the contact.
    """

    hit: Mask
    knocked: Mask
    settled: Mask
    contact_mm: Array
    impulse_g_m_s: Array
    gain: Array


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
    body, missile
        What stands, and what flies.
    states : States, shape (n,)
        Missiles clear of the body, which fly towards it in a straight line.
    between, floor
        Coefficients of contact of missile and body, and of each of them and the table.
    settings
        Settings of the integration.
    watch
        Called at every check.

    Raises
    ------
    DivergenceError
        If a shot gains energy beyond `GAIN_LIMIT`.
    """
    done = []
    for first in range(0, len(states), MAX_SHOTS):
        part = states[first : first + MAX_SHOTS]
        with connection() as (module, client):
            world = ShotWorld(module, client, body, missile, len(part), between, floor, settings)
            done.append(_Volley(world, body, missile, settings, watch).shoot(part))
    return Shots(
        *(np.concatenate([getattr(part, field.name) for part in done]) for field in fields(Shots))
    )


class _Volley:
    """The shots of one world."""

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

    def shoot(self, states: States) -> Shots:
        """Fly to the contacts, and step until all shots are decided."""
        n = len(states)
        met = [self._meet(pair, states[pair]) for pair in range(n)]
        hit = np.array([found is not None for found in met], dtype=bool)
        found = Shots(
            hit,
            np.zeros(n, dtype=bool),
            np.zeros(n, dtype=bool),
            np.array([np.full(3, np.nan) if at is None else at.position_mm for at in met]),
            np.zeros((n, 3)),
            np.zeros(n),
        )
        for pair in np.flatnonzero(~hit).tolist():
            self._world.remove(pair)
        if hit.any():
            self._run(np.flatnonzero(hit).tolist(), found)
        return found

    def _meet(self, pair: int, states: States) -> States | None:
        """Put the missile at its first contact and return its states; None if it passes, or meets the table first."""
        speed = float(np.linalg.norm(states.velocity_m_s))
        ahead = states.velocity_m_s / speed
        depth_mm = float(self._missile.depth_mm(states.quaternion))
        for _ in range(_ADVANCES):
            self._world.put_missile(pair, states)
            offset = states.position_mm - self._body.mass.centre_mm
            if offset @ ahead > self._reach_mm or states.position_mm[2] < depth_mm:
                return None
            within = float(np.linalg.norm(offset)) + self._reach_mm
            gap = self._world.gap_mm(pair, within)
            if gap <= 0.0:
                return states
            states = replace(states, position_mm=states.position_mm + (gap + _TOUCH_MM) * ahead)
        return states if gap < 10 * _TOUCH_MM else None

    def _run(self, active: list[int], found: Shots) -> None:
        """Step the pairs that have met until each is decided, and write that to `found`."""
        before = self._world.missiles(active).velocity_m_s
        present = found.hit.copy()
        given = np.ones(len(found.hit))
        given[active] = self._energy_mm(active, present[active])
        lowest = given.copy()
        self._world.step(1)
        change = self._missile.mass_g * (self._world.missiles(active).velocity_m_s - before)
        found.impulse_g_m_s[active] = change
        steps = max(1, round(CHECK_S / self._settings.step_s))
        time_s = self._settings.step_s
        while active:
            energy = self._energy_mm(active, present[active])
            found.gain[active] = np.maximum(
                found.gain[active], (energy - lowest[active]) / given[active]
            )
            _check_gain(found.gain[active], self._settings.step_s)
            lowest[active] = np.minimum(lowest[active], energy)
            bodies, missiles = self._world.bodies(active), self._world.missiles(active)
            if self._watch:
                self._watch(time_s, bodies, missiles)
            found.settled[active] = energy < self._body.barrier_mm - SLACK_MM
            found.knocked[active] = ~self._body.upright(bodies)
            for pair in self._gone(active, present, bodies, missiles):
                self._world.remove_missile(pair)
                present[pair] = False
                lowest[pair] = np.inf
            done = found.settled[active] | (time_s > _LIMIT_S)
            for pair in np.array(active)[done].tolist():
                self._world.remove(pair)
            active = np.array(active)[~done].tolist()
            self._world.step(steps)
            time_s += steps * self._settings.step_s

    def _gone(
        self, active: list[int], present: Mask, bodies: States, missiles: States
    ) -> list[int]:
        """Return the pairs whose missile has left for good."""
        apart = np.linalg.norm(missiles.position_mm - bodies.position_mm, axis=1)
        away = present[active] & (apart > self._reach_mm + _AWAY_MM)
        return np.array(active)[away].tolist()

    def _energy_mm(self, active: list[int], present: Mask) -> Array:
        """Return the energies of bodies and present missiles as heights of the body, shape (m,)."""
        missiles, missile = self._world.missiles(active), self._missile
        spin = unrotate(missiles.quaternion, missiles.spin_rad_s)
        kinetic = missile.mass_g * (missiles.velocity_m_s**2).sum(axis=1) / 2
        kinetic = kinetic + (np.array(missile.moments_g_mm2) * spin**2).sum(axis=1) / 2e6
        raised_mm = np.maximum(0.0, missiles.position_mm[:, 2] - missile.least_height_mm)
        energy_mj = kinetic + missile.mass_g * GRAVITY_M_S2 * raised_mm / 1000
        own_mm = 1000.0 * energy_mj / (self._body.mass.mass_g * GRAVITY_M_S2)
        return self._body.energy_mm(self._world.bodies(active)) + np.where(present, own_mm, 0.0)


def _check_gain(gain: Array, step_s: float) -> None:
    if not np.all(gain <= GAIN_LIMIT):  # NaN fails too
        raise DivergenceError(
            f"a shot gained {gain.max():.1%} of its energy with a time step of {step_s:g} s"
        )
