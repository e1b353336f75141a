"""Passes: real ways to an area or to prey, and narrow places on them, which units can close by standing in them.

What a way grows by is cut off: who stands there can be struck down.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickphys.bow.field import Field, Stud, Studs
from brickphys.bow.reach import FAR, members, steps_from
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.terrain import Terrain, terrain
from brickphys.files import shipped_tables
from brickphys.grid.grid import squares_of
from brickphys.units import Array

_DOOR_STUDS: float = shipped_tables("brickphys.bow", "parts")["parts"]["door_studs"]
_MOST_STUDS = 12
"""Steps that a way grows by at most."""
_LEAST_STUDS = 3
"""Who is led around by less is not held up."""
_WIDEST = 3
"""Units that are needed to close a pass, at most."""
_WAITS = 0.1
"""Who comes to a place before a carrier does still counts so much of the way."""


def pace(sheet: MinifigSheet) -> int:
    """Return the studs that a unit walks in a round."""
    return max(1, sheet.move * sheet.action_budget)


def through_doors(field: Field, open_ids: frozenset[str]) -> Terrain:
    """Return the terrain with all doors open that are merely shut."""
    shut = frozenset(name for name, door in field.doors.items() if not door.locked)
    return terrain(field, open_ids | shut)


@lru_cache(maxsize=4096)
def way_to(field: Field, open_ids: frozenset[str], studs: Studs) -> Array:
    """Return the steps to some studs; where a way leads through doors that are merely shut, it is a little longer."""
    way = steps_from(terrain(field, open_ids), studs).astype(float)
    through = steps_from(through_doors(field, open_ids), studs).astype(float)
    found: Array = np.minimum(way, through + _DOOR_STUDS)
    return found


class Meeting(NamedTuple):
    """A stud at which an enemy may be met, what a stud of the way there counts, and the steps until it is there."""

    stud: Stud
    share: float = 1.0
    least: int = 0


@lru_cache(maxsize=1024)
def way_to_prey(field: Field, open_ids: frozenset[str], prey: tuple[Meeting, ...]) -> Array:
    """Return the way from every stud to where the nearest enemy is met, shape (studs,)."""
    found = np.full(field.width * field.length, float(FAR))
    for stud, share, least in prey:
        way = way_to(field, open_ids, 1 << stud)
        waits = _WAITS * way if least else 0.0
        found = np.minimum(found, (np.maximum(way, least) + waits) * share)
    return found


class Pass(NamedTuple):
    """A narrow place on all the shortest ways from a stud to an area, or the area itself."""

    studs: Studs
    needed: int
    """Units that close it."""

    def longer(self, terrain: Terrain, start: Stud, area: Studs, taken: Studs) -> float:
        """Return the steps that the way grows by if some studs are taken; in part, if not enough of them are."""
        found = (self.studs & taken).bit_count()
        if not found:
            return 0.0
        way, around = steps_from(terrain, area), steps_from(terrain, area, self.studs)
        growth = min(int(around[start]) - int(way[start]), _MOST_STUDS)
        share = min(1.0, found / self.needed) ** 2
        return share * growth if growth >= _LEAST_STUDS else 0.0


@lru_cache(maxsize=2048)
def passes(terrain: Terrain, start: Stud, area: Studs, count: int = 1) -> tuple[Pass, ...]:
    """Return the passes between a stud and an area, the nearest first, and the area if few units fill it.

    `count` is how many units must find room in the area.
    """
    there, here = steps_from(terrain, area), steps_from(terrain, 1 << start)
    steps = int(there[start])
    if not 0 < steps < FAR:
        return ()
    on_way = np.flatnonzero(here + there == steps)
    found = list[Pass]()
    for level in np.flatnonzero(np.bincount(here[on_way]) <= _WIDEST)[1:].tolist():
        studs = squares_of(on_way[here[on_way] == level].tolist())
        sides = members(terrain.field, terrain.field.around(studs))
        if (there[sides] >= FAR).any() and not studs & area:
            found.append(Pass(studs, studs.bit_count()))
    needed = area.bit_count() - count + 1
    return (*found, Pass(area, needed)) if 0 < needed <= _WIDEST else tuple(found)


def longer(terrain: Terrain, start: Stud, area: Studs, taken: Studs, count: int = 1) -> float:
    """Return the steps that a way to an area is longer because some studs are taken."""
    found = passes(terrain, start, area, count) if taken else ()
    return max((one.longer(terrain, start, area, taken) for one in found), default=0.0)
