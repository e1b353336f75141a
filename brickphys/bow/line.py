"""Line: a straight way over the field, the studs that it crosses, and whether anything solid is in it.

A line is clear of a solid if it never is inside by more than the tolerance; it may graze a face. Where it runs along
the border of two studs, or through a corner between two, both must be solid to stop it: there is no crack between
neighbours, along an edge or a diagonal.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import NamedTuple

from brickphys.bow.board import Board
from brickphys.bow.field import FIGURE_PLATES, Span
from brickphys.bow.studs import Stud, Studs, each
from brickphys.bow.terrain import Body
from brickphys.vehicles.polygon import TOLERANCE

Point3 = tuple[float, float, float]
"""x and y in studs, height in plates."""


class Line(NamedTuple):
    """A straight way in plan, relative to the stud where it begins.

    Attributes
    ----------
    low
        The lowest number of a stud that it touches, relative to that stud.
    studs
        The studs that it touches; bit n stands for that lowest number plus n.
    shares
        For each stud that it crosses, relative: from which share of the way to which.
    seams
        Where it runs between two studs: both, relative, and from which share to which (equal at a corner).
    """

    low: int
    studs: Studs
    shares: dict[int, Span]
    seams: tuple[tuple[int, int, Span], ...]


@lru_cache(maxsize=8192)
def line(width: int, x: float, y: float, dx: float, dy: float) -> Line:
    """Return a line on a field.

    Parameters
    ----------
    width
        Of the field.
    x, y
        Where the line begins, relative to the corner of its stud.
    dx, dy
        Where it ends, relative to its beginning. Both ends lie within the field, not on its border.
    """
    shares: dict[int, Span] = {}
    seams = []
    stops = _crossings(x, y, dx, dy)
    before: list[int] = []
    for start, end in pairwise(stops):
        middle = (start + end) / 2
        within = _studs_at(width, x + middle * dx, y + middle * dy)
        if len(within) == 1:
            shares[within[0]] = (start, end)
        else:
            seams.append((within[0], within[-1], (start, end)))
        if before:
            around = _studs_at(width, x + start * dx, y + start * dy)
            beside = [stud for stud in around if stud not in before and stud not in within]
            if len(beside) == 2:
                seams.append((beside[0], beside[1], (start, start)))
        before = within
    touched = [*shares, *(stud for first, second, _ in seams for stud in (first, second))]
    low = min(touched)
    return Line(low, sum(1 << stud - low for stud in set(touched)), shares, tuple(seams))


def _crossings(x: float, y: float, dx: float, dy: float) -> list[float]:
    """Return the shares of a line at which it enters another stud, its ends included."""
    length = hypot(dx, dy)
    if length <= TOLERANCE:
        return [0.0, 1.0]
    found = []
    for start, way in ((x, dx), (y, dy)):
        if abs(way) > TOLERANCE:
            low, high = min(start, start + way), max(start, start + way)
            found += [(border - start) / way for border in range(ceil(low), floor(high) + 1)]
    stops = [0.0]
    for share in sorted(found):
        if (share - stops[-1]) * length > TOLERANCE and (1.0 - share) * length > TOLERANCE:
            stops.append(share)
    return [*stops, 1.0]


def _studs_at(width: int, x: float, y: float) -> list[int]:
    """Return the one, two or four studs at a point, relative to the one at the origin."""
    rows = sorted({floor(y - TOLERANCE), floor(y + TOLERANCE)})
    columns = sorted({floor(x - TOLERANCE), floor(x + TOLERANCE)})
    return [row * width + column for row in rows for column in columns]


def clear_ends(
    board: Board,
    start: Point3,
    end: tuple[float, float],
    ends_plates: Sequence[float],
    units: Studs,
    bodies: Sequence[Body],
) -> int:
    """Return how many of several ends, one above the other, a straight line from a point reaches.

    Parameters
    ----------
    board
        The ground and the decor that may be in the way.
    start
        Where the lines begin.
    end
        Where they end, in plan.
    ends_plates
        At which heights they end.
    units, bodies
        The studs with figures, and the vehicles, that may be in the way.
    """
    field, terrain = board.field, board.terrain
    x, y, height = start
    stud = field.stud_at(x, y)
    corner_y, corner_x = divmod(stud, field.width)
    way = line(field.width, x - corner_x, y - corner_y, end[0] - x, end[1] - y)
    crossed = way.studs << stud + way.low if stud + way.low >= 0 else way.studs >> -stud - way.low
    solid = crossed & (terrain.above(min(height, *ends_plates)) | units)
    near = [body for body in (*terrain.bodies, *bodies) if body.studs & crossed]
    if not solid and not near:
        return len(ends_plates)
    obstacles = _columns(board, way, stud, solid, units)
    for body in near:
        share = _share_inside(body, x, y, end[0] - x, end[1] - y)
        if share:
            obstacles.append((share, (body.span_plates,)))
    return sum(_is_clear(height, end_plates - height, obstacles) for end_plates in ends_plates)


Obstacle = tuple[Span, tuple[Span, ...]]
"""From which share of a line to which something stands, and the heights that it fills."""


def _columns(board: Board, way: Line, start: Stud, solid: Studs, units: Studs) -> list[Obstacle]:
    """Return the studs in the way that may stop a line."""
    found: list[Obstacle] = []
    for stud in each(solid):
        share = way.shares.get(stud - start)
        if share:
            found.append((share, _column(board, stud, units)))
    for first, second, share in way.seams:
        if solid >> start + first & 1 and solid >> start + second & 1:
            one, two = _column(board, start + first, units), _column(board, start + second, units)
            common = ((max(a[0], b[0]), min(a[1], b[1])) for a in one for b in two)
            found.append((share, tuple(span for span in common if span[0] < span[1])))
    return found


def _column(board: Board, stud: Stud, units: Studs) -> tuple[Span, ...]:
    """Return what a stud is filled with: ground, decor, a figure."""
    spans = board.terrain.solids_plates[stud]
    if units >> stud & 1:
        level = board.field.levels_plates[stud]
        return (*spans, (level, level + FIGURE_PLATES))
    return spans


def _share_inside(body: Body, x: float, y: float, dx: float, dy: float) -> Span | None:
    """Clip a line by a convex footprint (Cyrus and Beck, 1978); None if it does not enter it."""
    enters, leaves = 0.0, 1.0
    for nx, ny, offset in body.edges:
        room = offset - TOLERANCE - nx * x - ny * y
        speed = nx * dx + ny * dy
        if speed < 0.0:
            enters = max(enters, room / speed)
        elif speed > 0.0:
            leaves = min(leaves, room / speed)
        elif room <= 0.0:
            return None
    return (enters, leaves) if enters < leaves else None


def _is_clear(height: float, rise: float, obstacles: Sequence[Obstacle]) -> bool:
    for (enters, leaves), spans in obstacles:
        low, high = height + rise * enters, height + rise * leaves
        if low > high:
            low, high = high, low
        for bottom, top in spans:
            if low < top - TOLERANCE and high > bottom + TOLERANCE:
                return False
    return True
