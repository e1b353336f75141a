"""Reach: what ships can ram and hit from where they lie, by their poses alone, for many poses at once.

Two ships are looked at by themselves; what others do to their ways is left out.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import radians, sin
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import Ammunition, ShipSheet, sailing_chart
from brickphys.pirate_wars.state import LOADED, State

if TYPE_CHECKING:
    from brickphys.units import Array


BLEND = 0.5
"""Weight of the mean of all answers of an enemy: nobody finds the best one always."""
_STEP_DEG = 30.0
"""How far apart the turns of an enemy are that are tried; a divisor of 180."""


class Gains(NamedTuple):
    """What happens between two ships, as gains of the first one; losses are below 0."""

    rams: float
    """If it rams the other one."""
    is_rammed: float
    """If the other one rams it."""
    hit: float
    """By each hit of its guns."""
    is_hit: float
    """By each hit of the other one's guns."""
    muskets: float
    """By its muskets within their range."""
    is_shot: float
    """By those of the other one."""
    next_own: float
    """Weight of the next turn in which it moves first."""
    next_other: float
    """Weight of the next turn in which the other one does."""
    musket_studs: float
    """The range of muskets."""
    touches: float
    """If they touch without a ram, so that either may board."""
    rams_second: float
    """If it rams the other one after that has moved."""
    is_rammed_second: float
    """If the other one does so."""
    second: float
    """Weight of such rams of ships that have only leapt straight ahead."""


class Ship(NamedTuple):
    """A ship as the kernels see it."""

    row: "Array"
    """Length, width, full speed and radius."""
    hull: "Array"
    """Corners of its hull in its own frame, shape (n, 2)."""
    guns: "Array"
    """Of each gun that can fire: ahead, left, bearing, range, mean hits; shape (k, 5)."""


@lru_cache(maxsize=64)
def _hull(sheet: ShipSheet) -> "Array":
    return np.ascontiguousarray(sheet.hull.vertices_studs, dtype=np.float64)


def ship(state: State, number: int) -> Ship:
    """Return a ship as it is now."""
    sheet, now = state.sheet(number), state.ships[number]
    speed = 0.0
    if state.crews[number] and not now.rudder_lost and now.mast_turns < 1:
        speed = float(sheet.chart.speed_studs(now.damage))
    row = np.array((sheet.length_studs, sheet.width_studs, speed, sheet.radius_studs))
    return Ship(row, _hull(sheet), _guns(state, number))


def _guns(state: State, number: int) -> "Array":
    now, sheet = state.ships[number], state.sheet(number)
    rows = []
    if not (now.is_fleeing or state.is_lashed(number)):
        for index, gun_state in enumerate(now.guns):
            if gun_state.is_lost or gun_state.loads < LOADED or not state.gunners(number, index):
                continue
            gun = now.gun(sheet, index)
            weapon = gun.cannon(Ammunition.BALL)
            mean = weapon.dice * (weapon.target or 0) / 6
            rows.append(
                (gun.ahead_studs, gun.left_studs, gun.bearing_deg, weapon.range_studs, mean)
            )
    return np.array(rows, dtype=np.float64).reshape(len(rows), 5)


@lru_cache(maxsize=64)
def _sailing(setting: Setting, *, may_fall_off: bool) -> "Array":
    chart = sailing_chart()
    return np.array(
        (
            setting.wind_deg,
            chart.full_speed_deg,
            chart.half_speed_deg,
            sin(radians(chart.ram_deg)) - 1e-9,
            chart.drift_studs,
            chart.small_turn_deg if may_fall_off else 0.0,
        )
    )


def poses_worth(
    setting: Setting,
    poses: Sequence[Pose],
    one: Ship,
    at: Pose,
    other: Ship,
    gains: Gains,
    rammed: float | None,
    *,
    may_fall_off: bool,
) -> "Array":
    """Return what each pose of a ship is worth to it, shape (poses,), if another one stays, or makes its best move.

    The other one is, or begins its move, `at` a pose. `rammed` is what the ship gains (a loss is below 0) if the
    other one rams it on that move; None if that stays. `may_fall_off` tells whether both may still fall off, so that
    none need lie in irons.
    """
    from brickphys.pirate_wars.helm.reach_kernel import answers

    sea = np.array((setting.sea.width_studs, setting.sea.height_studs), dtype=np.float64)
    ram, step_deg, blend, moves = (0.0, 180.0, 0.0, 0)
    if rammed is not None:
        ram, step_deg, blend, moves = rammed, _STEP_DEG, BLEND, 1
    return answers(
        np.array(poses, dtype=np.float64).reshape(len(poses), 3), one.row, one.hull, one.guns,
        np.array(at, dtype=np.float64), other.row, other.hull, other.guns,
        _sailing(setting, may_fall_off=may_fall_off),
        np.array(gains, dtype=np.float64), ram, sea, step_deg, blend, moves,
    )  # fmt: skip
