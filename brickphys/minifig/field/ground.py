"""Ground: walls as they stand, woods, water and hills, and the ground of a move (MF Movement)."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from math import dist
from typing import NamedTuple

import numpy as np

from brickphys.geometry.disc_way import Ground
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, gap_studs
from brickphys.geometry.prism import Prism
from brickphys.minifig.state.setting import Setting, ZoneKind
from brickphys.minifig.state.state import State
from brickphys.minifig.state.wall import Run

Walls = tuple[tuple[int, ...], ...]
"""The bricks that are out of each wall, as `State.walls`."""
BREACH_BRICKS = 1
"""Figures can walk over a wall where at most this many bricks are left, one above the other (MF Projectiles, ours)."""
SLACK_IN = 1e-4
"""A moving base counts as smaller by this much, so that a base of two studs passes a breach of two studs (0.6299 in).
Since places are rounded, it may also start or end this much deeper in other bases.
"""


class Piece(NamedTuple):
    """A part of a wall along which it is equally high."""

    wall: int
    run: Run
    footprint: Polygon  # in inches

    @property
    def is_breach(self) -> bool:
        """Whether it is walked over."""
        return self.run.height_bricks <= BREACH_BRICKS


@lru_cache(maxsize=1024)
def pieces(setting: Setting, walls: Walls) -> tuple[Piece, ...]:
    """Return what stands of all walls without the bricks that are out."""
    return tuple(
        Piece(number, run, Polygon(np.array(wall.corners_in(run.first_stud, run.end_stud))))
        for number, (wall, out) in enumerate(zip(setting.walls, walls, strict=True))
        for run in wall.runs(out)
    )


@lru_cache(maxsize=64)
def zones(setting: Setting, kind: ZoneKind) -> tuple[tuple[Polygon, int], ...]:
    """Return the zones of a kind, in inches, each with its height in bricks."""
    return tuple(
        (Polygon(np.array(zone.corners_in)), zone.height_bricks)
        for zone in setting.zones
        if zone.kind is kind
    )


@lru_cache(maxsize=4096)
def height_bricks(setting: Setting, place_in: Point) -> int:
    """Return the height of the ground at a place: that of the highest hill there (ours)."""
    hills = zones(setting, ZoneKind.HILL)
    return max(
        (height for hill, height in hills if gap_studs(hill, place_in) <= TOLERANCE), default=0
    )


@lru_cache(maxsize=1024)
def _blocks(setting: Setting, walls: Walls, kinds: tuple[ZoneKind, ...]) -> Obstacles:
    """Return what a base cannot enter: walls, and zones of some kinds."""
    footprints = [piece.footprint for piece in pieces(setting, walls) if not piece.is_breach]
    footprints += [zone for kind in kinds for zone, _ in zones(setting, kind)]
    return Obstacles.of([Prism(footprint, 0.0, 1.0) for footprint in footprints])


def ground(state: State, radius_in: float, movers: Collection[int]) -> Ground:
    """Return what a round base moves among: other bases, walls that are no breach, and water, in inches.

    Parameters
    ----------
    state
        The battle.
    radius_in
        Of the base.
    movers
        Rows of `State.bases` that move themselves.
    """
    setting, stands = state.setting, np.ones(len(state.bases), dtype=bool)
    stands[list(movers)] = False
    blocks = _blocks(setting, state.walls, (ZoneKind.WATER,))
    table, others = (setting.width_in, setting.length_in), state.bases[stands]
    return Ground(radius_in - SLACK_IN, (0.0, 0.0), table, others, blocks, SLACK_IN)


@lru_cache(maxsize=64)
def _wood_circles(setting: Setting) -> tuple[tuple[Point, float], ...]:
    """Return the middle and the radius of a circle about each of the woods."""
    found = []
    for wood, _ in zones(setting, ZoneKind.WOODS):
        x, y = wood.centroid_studs.tolist()
        far = np.hypot(*(wood.vertices_studs - (x, y)).T).max()
        found.append(((x, y), float(far)))
    return tuple(found)


def round_woods(state: State, through: Ground, start_in: Point, most_in: float) -> Ground:
    """Return a ground with woods that are not entered; the same one if there are none so near."""
    if not any(
        dist(start_in, middle) < far_in + most_in + through.radius
        for middle, far_in in _wood_circles(state.setting)
    ):
        return through
    kinds = (ZoneKind.WATER, ZoneKind.WOODS)
    return replace(through, walls=_blocks(state.setting, state.walls, kinds))


def figure_row(state: State, figure: int) -> int:
    """Return the row of a living figure in `State.bases`."""
    return state.alive.index(figure)


def thing_row(state: State, thing: int) -> int:
    """Return the row of a thing that nobody rides in `State.bases`."""
    return len(state.alive) + list(state.standing_things()).index(thing)
