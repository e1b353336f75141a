"""Routes: in how many rounds a vehicle comes from any pose to what it wants, for bots; no rule.

A vehicle moves straight ahead once a round, and its pilot turns it before that. So distance says little: what counts
is where it can be after one move, two, three. Poses are told apart by `HEADINGS` headings and by cells: studs, on large
fields blocks of 2 x 2. Where a vehicle has no room, or would leave the field, no route leads.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt

from brickphys.bow.field import Field, Studs
from brickphys.bow.sheets.sheet import VehicleFootprint, VehicleSheet, move_studs
from brickphys.bow.state import NOBODY, State
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.grid import each
from brickphys.units import Array, Indices, Mask

Rates = npt.NDArray[np.float32]
"""Rounds to somewhere from each pose, shape (headings, cells)."""
Pose = tuple[int, int]
"""A heading and a cell, by their numbers."""

HEADINGS = 24
"""Headings that are told apart."""
STEP_DEG = 360.0 / HEADINGS
FAR_ROUNDS = 30.0
"""The rounds where no route leads there."""
_LARGE_STUDS = 1_600
"""On a larger field, cells are blocks of 2 x 2 studs."""
_SLIM_STUDS = 0.5
"""A vehicle counts as so much narrower and shorter on each side: it seldom stands in the middle of a cell."""
_TURN_ROUNDS = (0.0, 0.04, 0.2)
"""What one, two and three turns by 45 degrees cost in rounds: actions of the pilot, who then does little else."""
_MOST_TURN = 6
"""Headings by which two actions turn."""
_SLOW = 0.4
"""How much less than a round a move at the lowest speed counts."""
_MOST_MOVES = 12


@dataclass(frozen=True, eq=False)
class Roads:
    """Where a vehicle has room, and where its moves end; made by `roads`."""

    field: Field
    """The field."""
    cell_studs: int
    """The side of a cell."""
    free: Mask
    """Whether a vehicle has room, shape (headings, cells)."""
    ends: Indices
    """The cell in which a move ends, shape (speeds, headings, cells); the number of cells where it cannot be made."""
    rounds: Rates
    """What a move at each speed counts, shape (speeds, 1, 1): a slow one less than a round, as it gives room."""

    def index(self, x_studs: float, y_studs: float, heading_deg: float) -> Pose:
        """Return the nearest pose; of a place beyond the border, the nearest one on the field."""
        size, field = self.cell_studs, self.field
        x = min(max(int(x_studs), 0), field.width - 1)
        y = min(max(int(y_studs), 0), field.length - 1)
        across = -(-field.width // size)
        return round(heading_deg / STEP_DEG) % HEADINGS, y // size * across + x // size

    @cached_property
    def cell_of_stud(self) -> Indices:
        """The cell of each stud, shape (studs,)."""
        return _cell_of_stud(self.field, self.cell_studs)

    def per_cell(self, of_studs: Array) -> Array:
        """Return the least of the values of the studs of each cell, shape (cells,)."""
        found = np.full(self.free.shape[1], np.inf)
        np.minimum.at(found, self.cell_of_stud, of_studs)
        return found

    def rates(self, goal: Array) -> Rates:
        """Return in how many rounds a vehicle gets what it wants, from every pose.

        `goal` has for each stud the rounds that are left once the vehicle is there, shape (studs,).
        """
        far = np.float32(FAR_ROUNDS)
        there = np.minimum(self.per_cell(goal), FAR_ROUNDS).astype(np.float32)
        best = np.where(self.free, there, far)
        for _ in range(_MOST_MOVES):
            moved = np.minimum(best, self.moved(best))
            if np.array_equal(moved, best):
                break
            best = moved
        return best

    def moved(self, rates: Rates) -> Rates:
        """Return the rates of a vehicle that must first make a move: it cannot stay where it is."""
        padded = np.full((HEADINGS, rates.shape[1] + 1), FAR_ROUNDS, np.float32)
        padded[:, :-1] = rates
        return _after_turns((padded[_ROWS, self.ends] + self.rounds).min(axis=0))

    def best_after(self, rates: Rates, pose: Pose) -> Pose:
        """Return the pose after the best move from one; the same one if none is better."""
        heading, cell = pose
        turned = (heading + np.arange(-_MOST_TURN, _MOST_TURN + 1)) % HEADINGS
        ends = self.ends[:, turned, cell]
        padded = np.append(rates, np.full((HEADINGS, 1), FAR_ROUNDS, np.float32), axis=1)
        found = padded[turned, ends] + self.rounds[..., 0]
        speed, turn = np.unravel_index(int(found.argmin()), found.shape)
        to, end = int(turned[turn]), int(ends[speed, turn])
        return (to, end) if padded[to, end] < rates[pose] else pose


_ROWS = np.arange(HEADINGS)[:, None]


def _after_turns(ahead: Rates) -> Rates:
    """Return the best rate of a pose from which a vehicle first turns."""
    two = np.minimum(ahead, np.roll(ahead, 1, axis=0))
    four = np.minimum(two, np.roll(two, 2, axis=0))
    reach = np.roll(np.minimum(four, np.roll(four, 3, axis=0)), -3, axis=0)  # 45 degrees both ways
    found: Rates = np.minimum(ahead, reach + np.float32(_TURN_ROUNDS[0]))
    for price in _TURN_ROUNDS[1:]:
        reach = np.minimum(np.roll(reach, 3, axis=0), np.roll(reach, -3, axis=0))
        found = np.minimum(found, reach + np.float32(price))
    return found


def roads(state: State, vehicle: int) -> Roads:
    """Return the roads of a vehicle: decor, ground, and other vehicles that nobody drives are in its way."""
    sheet = state.setting.vehicles[vehicle].sheet
    field, base = state.setting.field, state.vehicles[vehicle].base_plates
    parked = 0
    if not sheet.flying:
        for other in state.vehicles_left:
            if other != vehicle and state.pilot(other) == NOBODY:
                parked |= field.studs_under(state.vehicle_body(other).prism.footprint)
    return _roads(field, state.open_ids, sheet, base, parked)


@lru_cache(maxsize=64)
def _roads(
    field: Field, open_ids: frozenset[str], sheet: VehicleSheet, base_plates: float, parked: Studs
) -> Roads:
    blocked = np.zeros(field.width * field.length, bool)
    blocked[list(each(_blocked(field, open_ids, sheet, base_plates) | parked))] = True
    size = 2 if len(blocked) > _LARGE_STUDS else 1
    free = _room(field, size, blocked, sheet.footprint)
    speeds = [speed for speed in sheet.speeds if speed]
    shares = [1.0 - _SLOW + _SLOW * speed / max(speeds) for speed in speeds]
    rounds = np.array(shares, np.float32).reshape(-1, 1, 1)
    return Roads(field, size, free, _ends(field, size, free, speeds), rounds)


@lru_cache(maxsize=64)
def _cell_of_stud(field: Field, size: int) -> Indices:
    studs, across = np.arange(field.width * field.length), -(-field.width // size)
    return studs // field.width // size * across + studs % field.width // size


@lru_cache(maxsize=64)
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


def _middles(field: Field, size: int) -> tuple[Array, Array]:
    """Return the middles of all cells in studs; of those over the border, a place on the field."""
    across, up = -(-field.width // size), -(-field.length // size)
    cells = np.arange(across * up)
    xs = np.minimum(cells % across * size + size / 2, field.width - 0.5)
    ys = np.minimum(cells // across * size + size / 2, field.length - 0.5)
    return xs, ys


def _room(field: Field, size: int, blocked: Mask, footprint: VehicleFootprint) -> Mask:
    """Return where a vehicle in the middle of a cell has room: it overlaps no blocked stud."""
    xs, ys = _middles(field, size)
    along, across = (
        _samples(side / 2 - _SLIM_STUDS) for side in (footprint.length_studs, footprint.width_studs)
    )
    free = np.empty((HEADINGS, len(xs)), bool)
    for heading in range(HEADINGS // 2):
        x, y = _ahead(heading)
        met = np.zeros(len(xs), bool)
        for far in along:
            for aside in across:
                met |= _at(field, blocked, xs + far * x - aside * y, ys + far * y + aside * x)
        free[heading] = free[heading + HEADINGS // 2] = ~met
    return free


def _samples(half_studs: float) -> Array:
    """Return places across a side that are at most a stud apart, its ends among them."""
    half = max(half_studs, 0.0)
    return np.linspace(-half, half, max(2, int(2 * half) + 2))


def _at(field: Field, blocked: Mask, xs: Array, ys: Array) -> Mask:
    """Return whether places are on blocked studs; beyond the border nothing is."""
    columns, rows = np.floor(xs).astype(int), np.floor(ys).astype(int)
    inside = (columns >= 0) & (columns < field.width) & (rows >= 0) & (rows < field.length)
    found: Mask = inside & blocked[np.where(inside, rows * field.width + columns, 0)]
    return found


def _ends(field: Field, size: int, free: Mask, speeds: list[int]) -> Indices:
    """Return where moves end, as `Roads.ends`."""
    (xs, ys), across = _middles(field, size), -(-field.width // size)
    cells = len(xs)
    ends = np.full((len(speeds), HEADINGS, cells), cells, np.intp)
    stops = {int(move_studs(speed)): number for number, speed in enumerate(speeds)}
    for heading in range(HEADINGS):
        x, y = _ahead(heading)
        clear = free[heading].copy()
        for way in range(size, max(stops, default=0) + 1):
            if way % size and way not in stops:
                continue
            column, row = np.floor(xs + way * x).astype(int), np.floor(ys + way * y).astype(int)
            inside = (column >= 0) & (column < field.width) & (row >= 0) & (row < field.length)
            at = np.where(inside, row // size * across + column // size, 0)
            clear &= inside & free[heading, at]
            if way in stops:
                ends[stops[way], heading] = np.where(clear, at, cells)
    return ends


def _ahead(heading: int) -> tuple[float, float]:
    angle = radians(heading * STEP_DEG)
    return cos(angle), sin(angle)
