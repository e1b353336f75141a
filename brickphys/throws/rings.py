"""Rings: bodies of revolution as coaxial circles swept by a ball, and their rests, exactly from the profile.

With the axis tilted by a from the vertical, the lowest point of a ring of radius R at z is R sin a - z cos a below the
centre of mass, plus the edge radius. The largest of these numbers is the height of the centre of mass over the floor.
Its minima over a are the rests, and its maxima between them are the passes.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickphys.shapes.body import Body
from brickphys.throws.faces import FaceMap, face_map
from brickphys.units import Array, Indices

LEAST_FACETS = 12  # of a circle: else it is a polygon
_ROUND, _FLUSH, _LEANS = 1e-3, 1e-4, 100
"""Share by which radii, and moments of inertia across the axis, may differ; share of the body's radius within which
corners lie on one ring; directions in which poses are compared."""
_angles = np.vectorize(math.atan2, otypes=[float])
"""Angles of vectors, given y and x; those of NumPy are rounded otherwise on other processors, as are its lengths."""


class Rings(NamedTuple):
    """A body of revolution: k rings, and b basins of rests from tilt 0, where its axis points up, to pi."""

    axis: int  # the principal axis of revolution
    z_mm: Array
    radius_mm: Array
    """(k,): places along the axis from the centre of mass, rising, and radii of the circles of the core."""
    edge_mm: float
    reach_mm: float  # distance of the farthest point
    across_mm2: float
    along_mm2: float
    """Moments of inertia across and along the axis, over the mass."""
    pass_sink: Array
    """(b - 1,): minus the cosines of the tilts of the passes between the basins, rising."""
    rest_mm: Array
    barrier_mm: Array
    pose: Indices
    """(b,): height of the centre of mass at rest, and on the lowest pass to another pose; index of the pose."""


@lru_cache(maxsize=64)
def rings_of(body: Body) -> Rings | None:
    """Return the rings of a body of revolution; None for other bodies.

    All corners of the core lie on circles of even facets about a principal axis, or on it, and the pose does not depend
    on the facet. A circle is midway between the corners and the middles of the facets, as those of coins are drawn.
    """
    faces = face_map(body)
    for axis in (2, 1, 0):
        order = [(axis + 1) % 3, (axis + 2) % 3, axis]
        across, other, along = np.array(body.inertia_g_mm2)[order] / body.mass_g
        circles = _circles(faces.hull.corners_mm[:, order], body.radius_mm)
        if circles is not None and abs(across - other) <= _ROUND * across:
            passes, rest, rest_mm, pass_mm = _profile(*circles, body.edge_radius_mm)
            if (pose := _poses(faces, order, rest)) is None:
                return None
            sizes = body.edge_radius_mm, body.radius_mm, float(across + other) / 2, float(along)
            barrier = np.full(len(pose), np.inf)
            for k, other in np.argwhere(pose[:, None] != pose):
                barrier[k] = min(barrier[k], pass_mm[min(k, other) : max(k, other)].max())
            return Rings(axis, *circles, *sizes, -np.cos(passes), rest_mm, barrier, pose)
    return None


def _circles(corners: Array, reach_mm: float) -> tuple[Array, Array] | None:
    """Return places and radii of the circles; None if a corner lies on none."""
    corners = corners[np.argsort(corners[:, 2])]
    gaps = np.flatnonzero(np.diff(corners[:, 2]) > _FLUSH * reach_mm) + 1
    rings = []
    for ring in np.split(corners, gaps):
        radii, number = np.sqrt(ring[:, 0] ** 2 + ring[:, 1] ** 2), len(ring)
        azimuth = np.sort(_angles(ring[:, 1], ring[:, 0]))
        widest = np.diff(azimuth, append=azimuth[0] + 2 * np.pi).max() * number / (2 * np.pi)
        if number == 1 and radii[0] <= _ROUND * reach_mm:
            radii = np.zeros(1)
        elif number < LEAST_FACETS or widest > 1.05 or np.ptp(radii) > _ROUND * radii.max():
            return None
        rings.append((ring[:, 2].mean(), radii.mean() * (1 + np.cos(np.pi / number)) / 2))
    z, radius = np.array(rings).T.copy()
    return z, radius


def _profile(z: Array, radius: Array, edge_mm: float) -> tuple[Array, Array, Array, Array]:
    """Return the tilts of the passes, those of the rests, and the heights of the centre of mass on both."""

    def height(tilt: Array) -> Array:
        reach = radius * np.sin(tilt)[..., None] - z * np.cos(tilt)[..., None]
        return np.asarray(reach.max(axis=-1) + edge_mm)

    peak, reach = _angles(radius, -z), np.sqrt(z * z + radius * radius) + edge_mm
    passes = np.sort(peak[(reach >= height(peak) * (1 - 1e-9)) & (radius > 0)])
    i, j = np.triu_indices(len(z), 1)
    level = np.concatenate([[0.0, np.pi], _angles(z[i] - z[j], radius[i] - radius[j]) % np.pi])
    basin = np.searchsorted(passes, level)
    rest = np.array([min(level[basin == k], key=height) for k in range(len(passes) + 1)])
    return passes, rest, height(rest), height(passes)


def _poses(faces: FaceMap, order: list[int], rest_rad: Array) -> Indices | None:
    """Return the pose at each tilt; None if it depends on the direction in which the axis leans."""
    lean, tilt = np.linspace(0.0, 2 * np.pi, _LEANS), rest_rad[:, None]
    down = [np.sin(tilt) * np.cos(lean), np.sin(tilt) * np.sin(lean), -np.cos(tilt) + 0.0 * lean]
    all_down = np.stack(down, axis=-1)[..., np.argsort(order)].reshape(-1, 3)
    poses = faces.decide(all_down).pose_index.reshape(len(rest_rad), -1)
    return poses[:, 0].copy() if (poses == poses[:, :1]).all() else None
