"""Landing spot: the studs on which figures lie that a vehicle has hit.

`collide --physics` reports them. By the book a figure that survives is put beside the vehicle instead, near to where
it stood (BOW 3.6.1).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import ceil, floor, hypot

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import Point
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import overlap, overlaps
from brickphys.vehicles.scene import Bounds, Fixture, Thing, Unit


def landing_spots(
    ends_studs: Mapping[str, Point],
    bounds: Bounds,
    standing: Iterable[Thing],
    bottoms_plates: Mapping[str, float] | None = None,
) -> dict[str, Point | None]:
    """Return the free studs nearest to where figures came to rest.

    Parameters
    ----------
    ends_studs
        Where each figure came to rest, by name.
    bounds
        Of the field; the middles of its studs have halves.
    standing
        Everything else that takes up room after the move: vehicles where they stopped, decor, other units.
    bottoms_plates
        How high each figure stood, by name; 0 if not named. A figure from raised ground may lie on decor up to that
        height, but on no vehicle.

    Returns
    -------
    dict
        For each name the middle of a stud, no two alike; None for a figure that lies beyond the border, and if no
        stud is free. Figures are placed in the order of their names. Of two studs equally near, the one of the
        smaller x and then y is taken.
    """
    things = list(standing)
    obstacles = Obstacles.of([thing.prism for thing in things])
    taken: dict[str, Point | None] = {}
    for name in sorted(ends_studs):
        end = ends_studs[name]
        bottom = (bottoms_plates or {}).get(name, 0.0)
        ground = [t.prism for t in things if isinstance(t, Fixture) and 0 < t.top_plates <= bottom]
        studs = _studs_by_distance(end, bounds) if bounds.contains(end) else iter(())
        places = set(taken.values())
        taken[name] = next(
            (stud for stud in studs if stud not in places and _is_free(stud, obstacles, ground)),
            None,
        )
    return taken


def _is_free(stud: Point, obstacles: Obstacles, ground: Sequence[Prism]) -> bool:
    """Tell whether a figure has room on a stud, on the highest of the ground that is there."""
    unit = Unit("", *stud)
    below = [prism.top_plates for prism in ground if overlap(unit.prism, prism)]
    low = max(below, default=0.0)
    raised = replace(unit, bottom_plates=low, top_plates=low + unit.top_plates)
    return not overlaps(raised.prism, obstacles)


def _studs_by_distance(end: Point, bounds: Bounds) -> Iterator[Point]:
    """Yield the middles of all studs, the nearest first: ring by ring, so that large fields stay cheap."""
    inner, reach = -1.0, 2.0
    farthest = hypot(bounds.width_studs, bounds.height_studs)
    while inner < farthest:
        columns = _cells(end[0], reach, bounds.width_studs)
        rows = _cells(end[1], reach, bounds.height_studs)
        far = ((hypot(x - end[0], y - end[1]), x, y) for x, y in product(columns, rows))
        for _, x, y in sorted(key for key in far if inner < key[0] <= reach):
            yield x, y
        inner, reach = reach, 2 * reach


def _cells(middle: float, reach: float, size: float) -> list[float]:
    """Return the middles of the studs within reach along one axis."""
    first, last = max(0, floor(middle - reach)), min(floor(size), ceil(middle + reach))
    return [number + 0.5 for number in range(first, last)]
