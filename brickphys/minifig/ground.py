"""Ground: walls as they stand, woods, water and hills, who touches whom and who sees whom.

The ground of a move is in MF Movement, contact, also over a low wall, in MF Resolving Combat. A figure looks from one
eye, in the middle of its head over the middle of its base, at points of the target: left, middle and right at three
heights (MF Projectiles, ours). One that is seen is enough. Other figures and things are in nobody's way: missiles fly
over them or hit them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import dist, hypot
from typing import NamedTuple

import numpy as np

from brickphys.geometry.disc_way import Ground
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, entry_studs, gap_studs
from brickphys.geometry.sweep import clear_lines
from brickphys.minifig.setting import Run, Setting, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state import State
from brickphys.projectiles.target import target
from brickphys.units import BRICK_MM, Array, Mask

Walls = tuple[tuple[int, ...], ...]
"""The bricks that are out of each wall, as `State.walls`."""
BREACH_BRICKS = 1
"""Figures can walk over a wall where at most this many bricks are left, one above the other (MF Projectiles, ours)."""
SLACK_IN = 1e-4
"""A moving base counts as smaller by this much, so that a base of two studs passes a breach of two studs (0.6299 in).
Since places are rounded, it may also start or end this much deeper in other bases.
"""


class WallPart(NamedTuple):
    """A part of a wall along which it is equally high."""

    wall: int
    run: Run
    footprint: Polygon  # in inches

    @property
    def is_breach(self) -> bool:
        """Whether it is walked over."""
        return self.run.height_bricks <= BREACH_BRICKS


@lru_cache(maxsize=1024)
def pieces(setting: Setting, walls: Walls) -> tuple[WallPart, ...]:
    """Return what stands of all walls without the bricks that are out."""
    return tuple(
        WallPart(number, run, Polygon(np.array(wall.corners_in(run.first_stud, run.end_stud))))
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


def blocks(setting: Setting, walls: Walls) -> Obstacles:
    """Return what a base cannot enter: walls that are no breach, and water."""
    return _blocks(setting, walls, (ZoneKind.WATER,))


def ground(state: State, radius_in: float, movers: Collection[int]) -> Ground:
    """Return what a round base moves among: other bases, walls that are no breach, and water, in inches.

    `movers` are the rows of `State.bases` that move themselves.
    """
    setting, stands = state.setting, np.ones(len(state.bases), dtype=bool)
    stands[list(movers)] = False
    table, others = (setting.width_in, setting.length_in), state.bases[stands]
    walls = blocks(setting, state.walls)
    return Ground(radius_in - SLACK_IN, (0.0, 0.0), table, others, walls, SLACK_IN)


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


LOW_BRICKS = 2
"""Height in bricks of the highest wall over which two figures can fight (ours)."""


def gap_in(state: State, one: int, other: int) -> float:
    """Return the distance between the bases of two figures, in inches."""
    here, there = state.figures[one], state.figures[other]
    return hypot(here.x_in - there.x_in, here.y_in - there.y_in) - 2 * BASE_RADIUS_IN


def touches(state: State, one: int, other: int) -> bool:
    """Tell whether the bases of two figures touch."""
    return gap_in(state, one, other) <= TOUCH_IN + TOLERANCE


def wall_between(state: State, one: int, other: int) -> int | None:
    """Return the low wall that two enemies touch on both sides, over which they can fight; None if there is none.

    Who touch each other fight beside each other, even where one stands on the last brick of a breach.
    """
    if other not in state.near.get(one, ()) or touches(state, one, other):
        return None
    places = state.figures[one].place_in, state.figures[other].place_in
    for piece in pieces(state.setting, state.walls):
        if piece.run.height_bricks <= LOW_BRICKS and _is_between(piece, *places):
            return piece.wall
    return None


def opponents(state: State, figure: int) -> Iterator[int]:
    """Yield the living enemies that a figure touches, or reaches over a low wall, in the order of their numbers."""
    for other in state.near.get(figure, ()):
        if touches(state, figure, other) or wall_between(state, figure, other) is not None:
            yield other


def is_in_contact(state: State, figure: int) -> bool:
    """Tell whether a figure touches an enemy, or reaches one over a low wall."""
    return next(opponents(state, figure), None) is not None


def melee(state: State, figure: int) -> tuple[int, ...]:
    """Return a figure, its opponents, theirs and so on, in the order of their numbers."""
    found, ahead = {figure}, [figure]
    while ahead:
        new = set(opponents(state, ahead.pop())) - found
        found |= new
        ahead += new
    return tuple(sorted(found))


def _is_between(piece: WallPart, one_in: Point, other_in: Point) -> bool:
    """Tell whether two bases touch a piece of wall, and the line between them leads over it."""
    touch = BASE_RADIUS_IN + TOUCH_IN + TOLERANCE
    if max(gap_studs(piece.footprint, place) for place in (one_in, other_in)) > touch:
        return False
    apart = dist(one_in, other_in)
    ahead = ((other_in[0] - one_in[0]) / apart, (other_in[1] - one_in[1]) / apart)
    return entry_studs(one_in, ahead, piece.footprint) <= apart - TOLERANCE


def things_touched(state: State, figure: int) -> Iterator[int]:
    """Yield the things that nobody rides and that a figure touches."""
    place = state.figures[figure].place_in
    for number in state.standing_things():
        reach = BASE_RADIUS_IN + state.setting.things[number].kind.radius_in + TOUCH_IN
        if dist(place, state.things[number].place_in) <= reach + TOLERANCE:
            yield number


def items_touched(state: State, figure: int) -> Iterator[int]:
    """Yield the items that a figure's base touches; they are as wide as a base (MF Picking Up Weapons, ours)."""
    place, reach = state.figures[figure].place_in, 2 * BASE_RADIUS_IN + TOUCH_IN + TOLERANCE
    for number, item in enumerate(state.items):
        if item.at_in is not None and dist(place, item.at_in) <= reach:
            yield number


_HEIGHT_SHARES = np.array([0.1, 0.5, 0.9])
"""Points at which a target is looked at, as shares of its height; for a brick, of its length, too."""
_ASIDES_IN = 0.9 * BASE_RADIUS_IN * np.array([-1.0, 0.0, 1.0])
_SEAM_STUDS = 1e-6
"""Bricks overlap by this much, so that nobody sees through their seams."""


@lru_cache
def eye_mm(body: str) -> float:
    """Return the height of the eye of a target of `brickphys.projectiles` over its ground: the middle of its head."""
    (height,) = (part.centre_mm[2] for part in target(body).parts if part.about.startswith("head"))
    return height


@lru_cache(maxsize=256)
def _solids(setting: Setting, walls: Walls | None) -> tuple[Obstacles, dict[tuple[int, int], int]]:
    """Return hills and standing bricks, heights in mm, and the number of each brick by wall and brick.

    Without `walls` there are hills alone.
    """
    solids = [Prism(hill, 0.0, height * BRICK_MM) for hill, height in zones(setting, ZoneKind.HILL)]
    numbers: dict[tuple[int, int], int] = {}
    standing = () if walls is None else zip(setting.walls, walls, strict=True)
    for wall, (spec, out) in enumerate(standing):
        ground = height_bricks(setting, (spec.x_in, spec.y_in))
        for brick, (first, end, course) in enumerate(spec.spans):
            if brick not in out:
                numbers[wall, brick] = len(solids)
                low = (ground + course) * BRICK_MM
                footprint = Polygon(
                    np.array(spec.corners_in(first - _SEAM_STUDS, end + _SEAM_STUDS))
                )
                solids.append(Prism(footprint, low, low + BRICK_MM))
    return Obstacles.of(solids), numbers


def sees(state: State, figure: int, other: int, *, over_walls: bool = False) -> bool:
    """Tell whether a figure sees some of another; `over_walls` as in `seen`."""
    return bool(seen(state, figure, [other], over_walls=over_walls)[0])


def seen(state: State, figure: int, others: Sequence[int], *, over_walls: bool = False) -> Mask:
    """Tell of which other figures a figure sees some, shape (n,); many at once are faster than one by one.

    With `over_walls` only hills hide a figure, as from who throws over walls.
    """
    setting, walls = state.setting, None if over_walls else state.walls
    solids = _solids(setting, walls)[0]
    if not solids.prisms:
        return np.ones(len(others), dtype=bool)
    places = [state.figures[other].place_in for other in others]
    feet = BRICK_MM * np.array([height_bricks(setting, place) for place in places])
    heights = np.array([target(state.body(other)).height_mm for other in others])
    ends, start = np.array(places).reshape(-1, 2), state.figures[figure].place_in
    ahead = (ends - start) / np.hypot(*(ends - start).T)[:, None]
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    points = np.empty((len(others), len(_ASIDES_IN), len(_HEIGHT_SHARES), 3))
    points[..., :2] = (ends[:, None] + aside[:, None] * _ASIDES_IN[:, None])[:, :, None]
    points[..., 2] = (feet[:, None] + heights[:, None] * _HEIGHT_SHARES)[:, None]
    seen_points = _sees_points(state, figure, points.reshape(-1, 3), solids, None)
    return np.asarray(seen_points.reshape(points.shape[:3]).any(axis=(1, 2)))


def in_line(state: State, figure: int, other: int) -> Iterator[int]:
    """Yield the figures on the straight line between two, the nearest to the first one first."""
    (x, y), (to_x, to_y) = state.figures[figure].place_in, state.figures[other].place_in
    far = hypot(to_x - x, to_y - y)
    ahead = np.array([to_x - x, to_y - y]) / far
    steps = state.bases[: len(state.alive), :2] - (x, y)
    along, aside = steps @ ahead, np.abs(steps @ (-ahead[1], ahead[0]))
    between = np.flatnonzero(
        (aside < BASE_RADIUS_IN) & (along > TOLERANCE) & (along < far - TOLERANCE)
    )
    return (state.alive[row] for row in between[along[between].argsort()].tolist())


def sees_brick(state: State, figure: int, wall: int, brick: int) -> bool:
    """Tell whether a figure sees some of a brick that stands in a wall."""
    solids, numbers = _solids(state.setting, state.walls)
    number = numbers[wall, brick]
    spec = state.setting.walls[wall]
    first, end, course = spec.spans[brick]
    ground = height_bricks(state.setting, (spec.x_in, spec.y_in))
    points = []
    for share in _HEIGHT_SHARES.tolist():
        stud = first + share * (end - first)
        (x, y), (to_x, to_y), *_ = spec.corners_in(stud, stud)
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        points += [(*middle, (ground + course + up) * BRICK_MM) for up in _HEIGHT_SHARES.tolist()]
    return bool(_sees_points(state, figure, np.array(points), solids, number).any())


def _sees_points(
    state: State, figure: int, points: Array, solids: Obstacles, without: int | None
) -> Mask:
    """Tell which points a figure sees past all solids but one, shape (n, 3): x and y in inches, height in mm."""
    among = np.arange(len(solids.prisms))
    if without is not None:
        among = np.delete(among, without)
    if not len(among):
        return np.ones(len(points), dtype=bool)
    x, y = place = state.figures[figure].place_in
    lines = np.empty((len(points), 6))
    lines[:, :2] = x, y
    lines[:, 2] = height_bricks(state.setting, place) * BRICK_MM + eye_mm(state.body(figure))
    lines[:, 3:] = points
    return clear_lines(lines, solids, among)
