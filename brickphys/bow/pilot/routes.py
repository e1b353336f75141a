"""Routes: in how many rounds a vehicle comes from any pose to what it wants, for bots; no rule.

A vehicle moves straight ahead once a round, and its pilot turns it before that. So distance says little: what counts
is where it can be after one move, two, three. The poses are the middles of studs with `HEADINGS` headings. Where a
vehicle has no room, or would leave the field, no route leads.

Places are studs, by their numbers; a rate of a pose is in rounds. A field of rates is an array of shape
(headings, studs).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, floor, radians, sin

import numpy as np
from numpy.typing import NDArray

from brickphys.bow.field import Field, Studs
from brickphys.bow.sheets.sheet import VehicleFootprint, VehicleSheet, move_studs
from brickphys.bow.state import State
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.grid import each

Rates = NDArray[np.float32]
"""Rounds to somewhere, of shape (headings, studs), or (studs,) for units on foot."""

HEADINGS = 24
"""Headings that are told apart."""
STEP_DEG = 360.0 / HEADINGS
FAR_ROUNDS = 30.0
"""The rate of a pose from which no route leads there."""
_SLIM_STUDS = 0.4
"""A vehicle counts as so much narrower and shorter on each side: it seldom stands in the middle of a stud."""
_TURN_ROUNDS = (0.0, 0.04, 0.2)
"""What one, two and three turns by 45 degrees cost in rounds: actions of the pilot, who then does little else."""
_SLOW = 0.4
"""How much less than a round a move at the lowest speed counts."""
_MOST_MOVES = 12


@dataclass(frozen=True, eq=False)
class Roads:
    """Where a vehicle has room, and where its moves end; made by `roads`."""

    field: Field
    """The field."""
    free: NDArray[np.bool_]
    """Whether a vehicle has room, of shape (headings, studs)."""
    ends: NDArray[np.int32]
    """The stud on which a move ends, of shape (speeds, headings, studs); -1 where something is in the way."""
    rounds: NDArray[np.float32]
    """What a move at each speed counts, of shape (speeds, 1, 1): a slow one less than a round, as it gives room."""

    def rates(self, goal: NDArray[np.floating]) -> Rates:
        """Return in how many rounds a vehicle gets what it wants, from every pose.

        Parameters
        ----------
        goal
            For each stud, the rounds that are left once the vehicle is there, of shape (studs,) or (headings, studs).
        """
        best = np.broadcast_to(goal, self.free.shape).astype(np.float32)
        best = np.where(self.free, np.minimum(best, FAR_ROUNDS), np.float32(FAR_ROUNDS))
        padded = np.full((HEADINGS, best.shape[1] + 1), FAR_ROUNDS, np.float32)
        rows = np.arange(HEADINGS)[:, None]
        for _ in range(_MOST_MOVES):
            padded[:, :-1] = best
            ahead = (padded[rows, self.ends] + self.rounds).min(axis=0)
            moved = np.minimum(best, _after_turns(ahead))
            if np.array_equal(moved, best):
                break
            best = moved
        return best


def _after_turns(ahead: Rates) -> Rates:
    """Return the best rate of a pose from which a vehicle first turns."""
    two = np.minimum(ahead, np.roll(ahead, 1, axis=0))
    four = np.minimum(two, np.roll(two, 2, axis=0))
    reach = np.roll(np.minimum(four, np.roll(four, 3, axis=0)), -3, axis=0)  # 45 degrees both ways
    found = np.minimum(ahead, reach + np.float32(_TURN_ROUNDS[0]))
    for price in _TURN_ROUNDS[1:]:
        reach = np.minimum(np.roll(reach, 3, axis=0), np.roll(reach, -3, axis=0))
        np.minimum(found, reach + np.float32(price), out=found)
    return found


def roads(state: State, vehicle: int) -> Roads:
    """Return the roads of a vehicle: decor, ground, and other vehicles that stand still are in its way."""
    sheet = state.setting.vehicles[vehicle].sheet
    field, base = state.setting.field, state.vehicles[vehicle].base_plates
    parked = 0
    if not sheet.flying:
        for other in state.vehicles_left:
            if other != vehicle and not state.vehicles[other].speed:
                parked |= field.studs_under(state.vehicle_body(other).prism.footprint)
    return _roads(field, state.open_ids, sheet, base, parked)


@lru_cache(maxsize=32)
def _roads(
    field: Field, open_ids: frozenset[str], sheet: VehicleSheet, base_plates: float, parked: Studs
) -> Roads:
    blocked = np.zeros(field.width * field.length, bool)
    blocked[list(each(_blocked(field, open_ids, sheet, base_plates) | parked))] = True
    free = _room(field, blocked, sheet.footprint)
    speeds = [speed for speed in sheet.speeds if speed]
    shares = [1.0 - _SLOW + _SLOW * speed / max(speeds) for speed in speeds]
    rounds = np.array(shares, np.float32).reshape(-1, 1, 1)
    return Roads(field, free, _ends(field, free, speeds), rounds)


def _blocked(
    field: Field, open_ids: frozenset[str], sheet: VehicleSheet, base_plates: float
) -> Studs:
    """Return the studs with decor or ground that stops a vehicle."""
    size = sheet.footprint
    low = base_plates + (size.bottom_plates if sheet.flying else field.step_plates)
    high = base_plates + (size.top_plates if sheet.flying else size.top_plates - size.bottom_plates)
    studs = 0
    for decor in field.decor:
        bottom, top = decor.span_plates
        if decor.id not in open_ids and top > low + TOLERANCE and bottom < high - TOLERANCE:
            studs |= field.decor_studs[decor.id]
    for stud, ground in enumerate(field.grounds_plates):
        if ground > low + TOLERANCE:
            studs |= 1 << stud
    return studs


def _room(field: Field, blocked: NDArray[np.bool_], size: VehicleFootprint) -> NDArray[np.bool_]:
    """Return where a vehicle in the middle of a stud has room: it overlaps no blocked stud."""
    width, length = field.width, field.length
    most = int(max(size.length_studs, size.width_studs)) + 1
    padded = np.zeros((length + 2 * most, width + 2 * most), bool)
    padded[most:-most, most:-most] = blocked.reshape(length, width)
    offsets = np.arange(-most, most + 1)
    dx, dy = np.meshgrid(offsets, offsets)
    free = np.empty((HEADINGS, width * length), bool)
    for heading in range(HEADINGS // 2):
        x, y = _ahead(heading)
        along, across = dx * x + dy * y, dy * x - dx * y
        under = (np.abs(along) <= size.length_studs / 2 - _SLIM_STUDS) & (
            np.abs(across) <= size.width_studs / 2 - _SLIM_STUDS
        )
        met = np.zeros((length, width), bool)
        for right, up in zip(dx[under], dy[under], strict=True):
            met |= padded[most + up : most + up + length, most + right : most + right + width]
        free[heading] = free[heading + HEADINGS // 2] = ~met.reshape(-1)
    return free


def _ends(field: Field, free: NDArray[np.bool_], speeds: list[int]) -> NDArray[np.int32]:
    """Return where moves end, by speed, heading and stud; -1 where something is in the way."""
    studs = field.width * field.length
    xs, ys = np.arange(studs) % field.width + 0.5, np.arange(studs) // field.width + 0.5
    ends = np.empty((len(speeds), HEADINGS, studs), np.int32)
    stops = {int(move_studs(speed)): number for number, speed in enumerate(speeds)}
    for heading in range(HEADINGS):
        x, y = _ahead(heading)
        clear = free[heading].copy()
        for way in range(1, max(stops) + 1):
            column, row = np.floor(xs + way * x).astype(int), np.floor(ys + way * y).astype(int)
            inside = (column >= 0) & (column < field.width) & (row >= 0) & (row < field.length)
            at = np.where(inside, row * field.width + column, 0)
            clear &= inside & free[heading, at]
            if way in stops:
                ends[stops[way], heading] = np.where(clear, at, -1)
    return ends


def _ahead(heading: int) -> tuple[float, float]:
    angle = radians(heading * STEP_DEG)
    return cos(angle), sin(angle)


def pose_index(field: Field, x_studs: float, y_studs: float, heading_deg: float) -> tuple[int, int]:
    """Return the heading and the stud of a pose in a field of rates."""
    column = min(max(floor(x_studs), 0), field.width - 1)
    row = min(max(floor(y_studs), 0), field.length - 1)
    return round(heading_deg / STEP_DEG) % HEADINGS, row * field.width + column
