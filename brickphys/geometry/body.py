"""Body: convex prisms that move as one, such as two hulls lashed side by side."""

from itertools import combinations

from brickphys.geometry.polygon import TOLERANCE, Polygon
from brickphys.geometry.prism import Prism

Body = tuple[Prism, ...]
"""The parts of a body on the field."""


def loose_parts(body: Body) -> list[int]:
    """Return the numbers of the parts of a body that do not hang together with the first one."""
    linked = {0}
    pairs = [pair for pair in combinations(range(len(body)), 2) if _touch(*(body[i] for i in pair))]
    for _ in body:
        linked |= {number for pair in pairs if not linked.isdisjoint(pair) for number in pair}
    return [number for number in range(len(body)) if number not in linked]


def _touch(one: Prism, other: Prism) -> bool:
    """Tell whether two prisms overlap or touch, up to the tolerance."""
    between = max(one.bottom_plates, other.bottom_plates) - min(one.top_plates, other.top_plates)
    gaps = (_beyond(one.footprint, other.footprint), _beyond(other.footprint, one.footprint))
    return max(between, *gaps) <= TOLERANCE


def _beyond(one: Polygon, other: Polygon) -> float:
    """Return how far a polygon lies beyond the edge of another, the edge beyond which it lies farthest."""
    reach = one.normals @ other.vertices_studs.T
    return float((reach.min(axis=1) - one.offsets_studs).max())
