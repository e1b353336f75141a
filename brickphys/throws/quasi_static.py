"""Quasi-static rest: on which face a body stops that is let go of on the plane and topples without momentum.

Let d be the direction of gravity in the body frame. The centre of mass is at the height h(d), the largest v . d of all
corners v (`faces`). Without momentum d goes down the steepest way on the sphere of directions: away from the corner on
which the body stands, until a second one touches; then about that corner, or about the edge between both, onto a
facet; from a facet that does not hold the centre of mass on over the nearest edge or corner. A throw bounces and rolls,
so this is a model to compare with, not one to believe. Source of the model: Baktash, Sharp, Zhou, Crane and Jacobson,
"Putting Rigid Bodies to Rest", ACM Transactions on Graphics 44 (4), 2025.
"""

import numpy as np
from scipy.stats import qmc

from brickphys.shapes.body import Body
from brickphys.shapes.hull import Hull
from brickphys.throws.faces import face_map
from brickphys.units import Array, Indices

DIRECTIONS_LOG2 = 16
"""Directions of gravity at the start, as a power of two: a share is known to some 0.1 %."""


def quasi_static_shares(body: Body, log2: int = DIRECTIONS_LOG2) -> dict[str, float]:
    """Return pose -> share of uniform directions that end in it, in the order of the poses."""
    faces = face_map(body)
    z, turn = (2.0 * qmc.Sobol(2, rng=0).random_base2(log2).T - 1.0) * [[1.0], [np.pi]]
    around = np.sqrt(1.0 - z**2)
    directions = np.column_stack([around * np.cos(turn), around * np.sin(turn), z])
    facets, counts = np.unique(Toppling(faces.hull).ends(directions), return_counts=True)
    at_rest = faces.decide(faces.hull.normals[facets]).pose_index
    shares = dict.fromkeys(faces.poses, 0.0)
    for pose, count in zip(at_rest, counts, strict=True):
        shares[faces.poses[pose]] += count / len(directions)
    return shares


class Toppling:
    """The way down of directions on the sphere, for one hull about the centre of mass."""

    def __init__(self, hull: Hull) -> None:
        self._hull = hull
        self._around = _edges_around_corners(hull)
        nexts = [_beyond(hull, facet) for facet in range(len(hull.rings))]
        self._facet, self._corner = np.array(nexts).T

    def ends(self, directions: Array) -> Indices:
        """Return the facet that holds the centre of mass at the end of the way of each direction, shape (n,)."""
        hull = self._hull
        d, on = directions.copy(), (directions @ hull.corners_mm.T).argmax(axis=1)
        facet = np.full(len(d), -1)  # -1 while a direction is on a corner
        moving = np.arange(len(d))
        while len(moving):
            turning = moving[facet[moving] < 0]
            if len(turning):
                d[turning], on[turning], facet[turning] = self._leave_corner(
                    d[turning], on[turning]
                )
            lying = moving[facet[moving] >= 0]
            at = facet[lying]
            pivots = self._corner[at] >= 0
            d[lying[pivots]] = hull.normals[at[pivots]]
            on[lying[pivots]] = self._corner[at[pivots]]
            facet[lying] = np.where(pivots, -1, self._facet[at])
            moving = np.concatenate([moving[facet[moving] < 0], lying[facet[lying] != at]])
            moving = np.unique(moving)
        return facet

    def _leave_corner(self, d: Array, on: Indices) -> tuple[Array, Indices, Indices]:
        """Return where directions come that leave a corner: each with its corner, and its facet, -1 without one."""
        hull, rows = self._hull, np.arange(len(d))
        here = hull.corners_mm[on]
        away = _dot(here, d)[:, None] * d - here
        away /= np.linalg.norm(away, axis=1)[:, None]
        edges = self._around[on]
        sides = hull.edges[edges]
        other = np.where(sides[..., 0] == on[:, None], sides[..., 1], sides[..., 0])
        arms = hull.corners_mm[other] - here[:, None]
        angles = np.arctan2(np.maximum(-_dot(arms, d[:, None]), 0.0), _dot(arms, away[:, None]))
        first = angles.argmin(axis=1)
        angle, arm = angles[rows, first][:, None], arms[rows, first]
        d = np.cos(angle) * d + np.sin(angle) * away
        # the lowest point of the edge in the plane across d: its foot, or the other corner
        pull = here - _dot(here, d)[:, None] * d
        share = -_dot(pull, arm) / _dot(arm, arm)
        down = -(pull + share[:, None] * arm)
        beside = hull.edges[edges[rows, first], 2:]
        ahead = _dot(hull.normals[beside], down[:, None]).argmax(axis=1)
        facet = np.where(share < 1.0, beside[rows, ahead], -1)
        return d, other[rows, first], facet


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", a, b))


def _edges_around_corners(hull: Hull) -> Indices:
    """Return the edges around each corner, padded by repetition, shape (v, k)."""
    around: list[list[int]] = [[] for _ in hull.corners_mm]
    for number, (a, b, _, _) in enumerate(hull.edges.tolist()):
        around[a].append(number)
        around[b].append(number)
    most = max(map(len, around))
    return np.array([(one * most)[:most] for one in around])


def _beyond(hull: Hull, facet: int) -> tuple[int, int]:
    """Return the facet, or else the corner (-1 without one), over which a body topples from a facet; itself if none."""
    ring = hull.rings[facet]
    starts = hull.corners_mm[ring]
    along = np.roll(starts, -1, axis=0) - starts
    middle = hull.offsets_mm[facet] * hull.normals[facet]
    if (_dot(np.cross(along, middle - starts), hull.normals[facet]) >= 0.0).all():
        return facet, -1
    shares = np.clip(_dot(middle - starts, along) / _dot(along, along), 0.0, 1.0)
    feet = starts + shares[:, None] * along
    nearest = int(np.linalg.norm(feet - middle, axis=1).argmin())
    a, b = int(ring[nearest]), int(ring[(nearest + 1) % len(ring)])
    if shares[nearest] in (0.0, 1.0):
        return facet, b if shares[nearest] else a
    same = (hull.edges[:, :2] == sorted((a, b))).all(axis=1)
    f, g = hull.edges[same][0, 2:].tolist()
    return (g if f == facet else f), -1
