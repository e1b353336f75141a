"""Bisection: contacts by another method and with another library's geometry.

The area that a footprint sweeps up to some distance is the convex hull of the footprint at both ends. It only grows, so
its distance from an obstacle, which GEOS computes, falls to 0 once: bisection finds where. Whether there is a hit at
all is asked with a footprint that is smaller by the tolerance of contacts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.arrays import Array, Mask
from brickphys.errors import needing
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.scene import Fixture, Scene, Thing, Unit, Vehicle
from brickphys.vehicles.scene_rules import FIGURE_STUDS

Shapes = npt.NDArray[Any]
"""Arrays of shapely's geometries."""

UNDECIDED = (0.7, 1.01)
"""Shares of the tolerance: an overlap between these is too near to it for this method, and is called undecided.

If the sides of a rectangle are moved inward by 0.7 of the tolerance, its corners move by up to 0.99 of it.
"""
_ROUNDING = 1e-12
"""Studs: far above the rounding of sums, far below the tolerance."""
_HALVINGS = 52
"""Of a path: what is left is less than the spacing of floating point numbers."""


def shapely() -> ModuleType:
    """Import shapely.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    with needing("validation", "shapely"):
        import shapely as module
    return module  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Meeting:
    """The first meeting of a mover with one thing, if nothing stopped it before.

    Attributes
    ----------
    is_hit
        Whether they overlap by more than the tolerance somewhere on the path; None if undecided.
    distance_studs
        Travelled when they first touch; NaN without a hit.
    overlaps_at_start
        Whether they overlap when the move begins.
    """

    is_hit: bool | None
    distance_studs: float
    overlaps_at_start: bool


@dataclass(frozen=True, eq=False)
class Paths:
    """Many straight paths of rectangles.

    Attributes
    ----------
    corners_studs : ndarray of complex, shape (n, 4)
        Corners of the mover about its centre.
    centre_studs : ndarray of complex, shape (n,)
        Where it starts.
    path_studs : ndarray of complex, shape (n,)
        From there to where it would end.
    """

    corners_studs: npt.NDArray[np.complex128]
    centre_studs: npt.NDArray[np.complex128]
    path_studs: npt.NDArray[np.complex128]

    @staticmethod
    def of(movers: Sequence[Vehicle], lengths_studs: Sequence[float], less_studs: float) -> "Paths":
        """Return the paths of vehicles whose sides are moved inward by a length."""
        table = np.array(
            [(v.x_studs, v.y_studs, v.heading_deg, v.length_studs, v.width_studs) for v in movers]
        ).reshape(-1, 5)
        x, y, heading_deg, length, width = table.T
        turn = np.exp(1j * np.radians(heading_deg))
        ahead, left = length / 2 - less_studs, width / 2 - less_studs
        corners = np.column_stack(
            [ahead + 1j * left, -ahead + 1j * left, -ahead - 1j * left, ahead - 1j * left]
        )
        return Paths(corners * turn[:, None], x + 1j * y, turn * np.asarray(lengths_studs))

    def __getitem__(self, which: npt.NDArray[Any]) -> "Paths":
        """Return some of them."""
        return Paths(self.corners_studs[which], self.centre_studs[which], self.path_studs[which])

    def swept(self, shares: Array) -> Shapes:
        """Return the areas swept up to a share of each path, shape (n,)."""
        start = self.corners_studs + self.centre_studs[:, None]
        points = np.hstack([start, start + (shares * self.path_studs)[:, None]])
        module = shapely()
        members = np.repeat(np.arange(len(points)), points.shape[1])
        flat = np.column_stack([points.real.ravel(), points.imag.ravel()])
        hulls: Shapes = module.convex_hull(module.multipoints(flat, indices=members))
        return hulls

    def there(self, distances_studs: Array) -> Shapes:
        """Return the footprints after such distances, shape (n,)."""
        ahead = self.path_studs / np.abs(self.path_studs)
        points = self.corners_studs + (self.centre_studs + distances_studs * ahead)[:, None]
        shapes: Shapes = shapely().polygons(np.stack([points.real, points.imag], axis=-1))
        return shapes


def footprint(thing: Thing) -> Any:
    """Return shapely's polygon of a thing."""
    if isinstance(thing, Fixture):
        return shapely().Polygon(thing.corners_studs)
    turn, length, width = 1.0 + 0j, FIGURE_STUDS, FIGURE_STUDS
    if not isinstance(thing, Unit):
        turn = np.exp(1j * np.radians(thing.heading_deg))
        length, width = thing.length_studs, thing.width_studs
    corners = np.array([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j])
    placed = (corners.real * length + 1j * corners.imag * width) / 2 * turn
    return shapely().Polygon(
        np.column_stack([placed.real + thing.x_studs, placed.imag + thing.y_studs])
    )


def meetings(scenes: Sequence[Scene], lengths_studs: Sequence[float]) -> list[dict[str, Meeting]]:
    """Return, for each scene, what its mover meets on a path of that length, which is not 0, by name."""
    pairs = [
        (number, thing)
        for number, scene in enumerate(scenes)
        for thing in scene.things
        if thing.id != scene.mover_id and _levels_meet(scene.mover, thing)
    ]
    owner = np.array([number for number, _ in pairs], dtype=np.intp)
    found: list[dict[str, Meeting]] = [{} for _ in scenes]
    if not pairs:
        return found
    others = np.array([footprint(thing) for _, thing in pairs], dtype=object)
    movers = [scene.mover for scene in scenes]
    sure, maybe, whole = (
        Paths.of(movers, lengths_studs, share * TOLERANCE)[owner]
        for share in (*UNDECIDED[::-1], 0.0)
    )
    hit, possible = (_meet(paths, np.ones(len(pairs)), others) for paths in (sure, maybe))
    at_start = possible & _meet(maybe, np.zeros(len(pairs)), others)
    distances = np.full(len(pairs), np.nan)
    shares = first_shares(whole[possible], others[possible])
    distances[possible] = shares * np.abs(whole.path_studs[possible])
    for i, (number, thing) in enumerate(pairs):
        verdict = bool(hit[i]) if hit[i] == possible[i] else None
        found[number][thing.id] = Meeting(verdict, float(distances[i]), bool(at_start[i]))
    return found


def first_shares(paths: Paths, others: Shapes, halvings: int = _HALVINGS) -> Array:
    """Return the share of each path after which the mover first touches its obstacle, which it does; shape (n,)."""
    low, high = np.zeros(len(others)), np.ones(len(others))
    high[_meet(paths, low, others)] = 0.0
    for _ in range(halvings):
        middle = (low + high) / 2
        met = _meet(paths, middle, others)
        low, high = np.where(met, low, middle), np.where(met, middle, high)
    return high


def is_touching(
    mover: Vehicle, length_studs: float, thing: Thing, low_studs: float, high_studs: float
) -> bool:
    """Tell whether a mover only touches a thing, up to rounding, between two distances on its path."""
    other = np.array([footprint(thing)], dtype=object)
    (gap,) = shapely().distance(_paths(mover, length_studs).there(np.array([low_studs])), other)
    inner = _paths(mover, length_studs, _ROUNDING)
    (deep,) = _meet(inner, np.array([high_studs / length_studs]), other)
    return bool(gap <= _ROUNDING and not deep)


def common_centre(
    mover: Vehicle, length_studs: float, thing: Thing, distance_studs: float
) -> complex | None:
    """Return the centre of what a mover has in common with a thing after a distance.

    None if that is thinner than a tenth of the tolerance: rounding decides the centre of so thin a sliver.
    """
    there = _paths(mover, length_studs).there(np.array([distance_studs]))[0]
    common = shapely().intersection(there, footprint(thing))
    if common.area <= TOLERANCE / 10 * common.length:
        return None
    return complex(common.centroid.x, common.centroid.y)


def gaps(
    mover: Vehicle, length_studs: float, thing: Thing, distance_studs: float, point: complex
) -> tuple[float, float]:
    """Return how far a point is from a mover after a distance, and from a thing."""
    spot = shapely().Point(point.real, point.imag)
    there = _paths(mover, length_studs).there(np.array([distance_studs]))[0]
    return there.distance(spot), footprint(thing).distance(spot)


def border_studs(scene: Scene, length_studs: float) -> float | None:
    """Return how far the centre of a mover goes on the field before it leaves; None if it stays."""
    module, paths = shapely(), _paths(scene.mover, length_studs)
    start, end = paths.centre_studs[0], (paths.centre_studs + paths.path_studs)[0]
    # grown by rounding, or a path along the border would be off the field at once
    width, height = scene.bounds.width_studs + _ROUNDING, scene.bounds.height_studs + _ROUNDING
    field = module.box(-_ROUNDING, -_ROUNDING, width, height)
    if field.distance(module.Point(end.real, end.imag)) <= TOLERANCE:
        return None
    path = module.LineString([(start.real, start.imag), (end.real, end.imag)])
    return float(field.intersection(path).length)


def _paths(mover: Vehicle, length_studs: float, less_studs: float = 0.0) -> Paths:
    return Paths.of([mover], [length_studs], less_studs)


def _meet(paths: Paths, shares: Array, others: Shapes) -> Mask:
    met: Mask = shapely().distance(paths.swept(shares), others) == 0
    return met


def _levels_meet(mover: Vehicle, thing: Thing) -> bool:
    """Tell whether two things share a height."""
    top = min(mover.top_plates, thing.top_plates)
    return top - max(mover.bottom_plates, thing.bottom_plates) > TOLERANCE
