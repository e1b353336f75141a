"""Faces: the stable rests of a convex body on a plane, their barriers and basins, exactly from the polyhedron.

The polyhedron is the body's core. Rounded edges raise all heights by the edge radius, and change nothing else.

Let d be the direction of gravity in the body frame, a unit vector. On a plane the centre of mass is at the height
h(d) = max over the hull's corners v of v . d plus the edge radius, a potential on the sphere of directions. Its minima
are the stable facets: those that contain the projection of the centre of mass. Its saddles (passes) are the edges that
contain the projection of the centre of mass. Its maxima are corners. The passes, sorted by height, join the basins one
after the other (a merge tree, as Kruskal builds a spanning tree). The barrier of a basin is the pass at which it joins
a basin of another pose.

Sliding: a body that slides on a facet presses on the floor with N = m g, and friction pulls it there with at most mu N,
at a distance h below the centre of mass. A spin w about the vertical adds the torque w2 (n x I n), which is 0 if the
normal n of the facet is a principal axis. The pressure balances both torques from a point that is at most

    mu h + w2 |n x I n| / (m g)

from the projection of the centre of mass. While that is less than the distance of the nearest edge, the pressure is
inside the facet, and the body neither tips nor rises, however fast and far it slides. So up to the *tipping friction*,
that distance over h, a level body is decided. On studs, at walls and between other bodies it may trip: there sliding
decides nothing.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.provenance import ANY, FLIP
from brickphys.shapes.body import Body
from brickphys.shapes.hull import Hull, convex_hull, groups
from brickphys.throws.flight import States, cross, down, energy_height_mm
from brickphys.units import GRAVITY_M_S2, Array, Indices, Mask

LEANING = "leaning"
"""The pose of a rest on a facet without a named face, such as a brick's bevel."""

NAMED_WITHIN_DEG = 1.0
"""A facet has the pose of a face if their normals differ by less than this angle."""

SAME_FACE_BARRIER = 1e-3
"""Two neighbouring rests of one pose are one face if the pass between them is at most this share of the body's radius
above the higher one."""

SHALLOW = 1e-4
"""Minima of the pose ``leaning`` that are less deep than this share of the body's radius (about 1 um for a brick) are
not rests. Moulds are not that exact, and polygons instead of round studs make such minima between a stud and a
corner."""

_EXACT = 1e-9
"""Share of the body's radius that counts as rounding."""


@dataclass(frozen=True)
class Rest:
    """A pose in which a body can rest."""

    pose: str
    """Name of the pose, or ``"leaning"``."""
    faces: int
    """Number of faces of that pose; all facets of a coin's rim are one face."""
    rest_height_mm: float
    """Height of the centre of mass over the floor, on the lowest of the faces."""
    barrier_mm: float
    """Least rise of the centre of mass that leaves the pose; infinite if there is no other pose."""
    solid_angle_share: float
    """Solid angle of the pose's facets and of those that topple onto them, as a share of the sphere. It is the chance
    of the pose for a body that falls without spin and topples without speed."""


class Decision(NamedTuple):
    """The basins in which directions lie; each field is an array of shape (n,)."""

    pose_index: Indices
    """Index into `FaceMap.poses`."""
    rest_height_mm: Array
    """Lowest height of the centre of mass in the basin."""
    barrier_height_mm: Array
    """Height of the centre of mass at which the basin joins another pose."""


class DecisionTables(NamedTuple):
    """The tables of `FaceMap.decide` as flat arrays for compiled loops; v corners, f facets."""

    incident: Indices
    """(v, k): facets around each corner, padded by repetition."""
    pose_index: Indices
    """(f,): index into `FaceMap.poses` of the basin to which a facet belongs."""
    barrier_height_mm: Array
    """(f,): height of the centre of mass at which that basin joins another pose."""


@dataclass(frozen=True, eq=False)
class FaceMap:
    """All rests of one body, with tables to look up the basin of a direction."""

    poses: tuple[str, ...]
    """Names of the pose indices: the body's poses in their order, then ``"leaning"``."""
    rests: tuple[Rest, ...]
    """The poses in which the body can rest, in the order of `poses`."""
    hull: Hull
    """The convex hull, about the centre of mass: the corners of the core, and the facets of the rounded body."""
    _incident: Indices  # (v, k): facets around each corner, padded by repetition
    _ends: "_Basins"  # per facet: the basin in which it lies
    _stable: Indices  # facets that hold a rest

    def decide(self, down: Array) -> Decision:
        """Return the basin of each direction.

        The final pose of a body with dissipative contacts is decided as soon as its energy is less than its weight
        times `barrier_height_mm`: then it cannot leave the basin. The directions, shape (n, 3), are unit vectors in the
        body frame that point down.

        Notes
        -----
        If the height decreases at the start of the great arc from d to the normal of a facet around the lowest
        corner, it decreases along the whole arc. By convexity there is such a facet. From an unstable facet the
        height decreases further over the edge beyond which the projection of the centre of mass lies.
        """
        facet = self.facets(down)
        ends = self._ends
        return Decision(ends.pose[facet], ends.rest_mm[facet], ends.barrier_mm[facet])

    def facets(self, down: Array) -> Indices:
        """Return a facet of the basin of each direction, for `down` as in `decide`; of a level body the lowest one."""
        heights = down @ self.hull.corners_mm.T  # those of the core
        support = heights.argmax(axis=1)
        height = np.take_along_axis(heights, support[:, None], axis=1)
        pull = self.hull.corners_mm[support] - height * down
        facets = self._incident[support]
        slopes = np.einsum("nki,ni->nk", self.hull.normals[facets], pull)
        return np.take_along_axis(facets, slopes.argmin(axis=1)[:, None], axis=1)[:, 0]

    @property
    def tables(self) -> DecisionTables:
        """The tables of `decide`, for loops that look up one direction at a time."""
        return DecisionTables(self._incident, self._ends.pose, self._ends.barrier_mm)

    def normals_of(self, pose: str) -> Array:
        """Return the normals of the stable facets of a pose, shape (n, 3); InvalidValueError if it has no such rest."""
        known = [rest.pose for rest in self.rests]
        if pose not in known:
            raise unknown("start", pose, [ANY, FLIP, *known])
        kept = self._ends.pose[self._stable] == self.poses.index(pose)
        return np.asarray(self.hull.normals[self._stable[kept]])

    def pose_at_rest(self, down: Array, tolerance_deg: float) -> Indices:
        """Return the poses of bodies at rest, as indices into `poses`.

        `down` are unit vectors in the body frame, shape (n, 3). A body that is tilted by more than the tolerance from
        every stable face is leaning.
        """
        cosines = down @ self.hull.normals[self._stable].T
        nearest = cosines.argmax(axis=1)
        close = cosines.max(axis=1) >= np.cos(np.radians(tolerance_deg))
        leaning = len(self.poses) - 1
        return np.where(close, self._ends.pose[self._stable][nearest], leaning)


@lru_cache(maxsize=64)
def face_map(body: Body, shallow: float = SHALLOW) -> FaceMap:
    """Return the rests of a body.

    Raises InvalidValueError if the corners are in one plane, or the centre of mass is not inside their hull. The least
    depth of a leaning rest is the share `shallow` of the body's radius; 0 keeps all rests.
    """
    core = convex_hull(np.asarray(body.vertices_mm, dtype=np.float64))
    tiny = _EXACT * body.radius_mm
    if core.offsets_mm.min() <= tiny:
        raise InvalidValueError(f"{body.name}: the centre of mass is not inside the convex hull")
    hull = replace(core, offsets_mm=core.offsets_mm + body.edge_radius_mm)
    poses = (*body.poses, LEANING)
    pose = _facet_poses(body, hull, poses)
    sink = _sinks(hull, tiny)
    passes = _passes(hull, sink, tiny, body.edge_radius_mm)
    sink = _fill_hollows(hull, sink, passes, pose == len(body.poses), shallow * body.radius_mm)
    passes = [_Pass(height, (int(sink[f]), int(sink[g]))) for height, (f, g) in passes]
    basins = _merge(hull, pose, sink, passes)
    face = _counted_faces(hull, pose, passes, SAME_FACE_BARRIER * body.radius_mm)
    seen = solid_angles(hull)
    rests = tuple(
        _rest(poses[index], hull, np.flatnonzero(basins.pose == index), basins, sink, face, seen)
        for index in np.unique(basins.pose)
    )
    return FaceMap(poses, rests, hull, _facets_around_corners(hull), basins, np.unique(sink))


def solid_angles(hull: Hull) -> Array:
    """Return the solid angle of each facet, seen from the origin, in steradians.

    Notes
    -----
    Facets are cut into triangles from one corner. Source of the formula: A. Van Oosterom and J. Strackee, "The solid
    angle of a plane triangle", IEEE Trans. Biomed. Eng. 30 (1983) 125.
    """
    angles = np.zeros(len(hull.rings))
    for facet, ring in enumerate(hull.rings):
        a, b, c = (hull.corners_mm[corner] for corner in (ring[:1], ring[1:-1], ring[2:]))
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        volume = np.einsum("ni,ni->n", np.broadcast_to(a, b.shape), cross(b, c))
        flat = la * lb * lc + (a * b).sum(1) * lc + (a * c).sum(1) * lb + (b * c).sum(1) * la
        angles[facet] = 2 * np.arctan2(volume, flat).sum()
    return angles


class _Basins(NamedTuple):
    """For each facet, its basin's pose, lowest height of the centre of mass, and barrier height."""

    pose: Indices
    rest_mm: Array
    barrier_mm: Array


class _Pass(NamedTuple):
    height_mm: float
    facets: tuple[int, int]  # the stable facets on both sides


def _facet_poses(body: Body, hull: Hull, poses: tuple[str, ...]) -> Indices:
    leaning = len(poses) - 1
    if not body.faces:
        return np.full(len(hull.normals), leaning)
    cosines = hull.normals @ np.array([face.normal for face in body.faces]).T
    named = np.array([poses.index(face.pose) for face in body.faces])[cosines.argmax(axis=1)]
    return np.where(cosines.max(axis=1) > np.cos(np.radians(NAMED_WITHIN_DEG)), named, leaning)


def _sinks(hull: Hull, tiny: float) -> Indices:
    """Return, for each facet, the stable facet onto which a body topples from it; a stable facet gives itself."""
    number = len(hull.rings)
    neighbour = np.arange(number)
    deepest = np.full(number, -tiny)  # with the projection on the edge itself a facet is not stable
    for a, b, *sides in hull.edges:
        for facet, other, turn in zip(sides, sides[::-1], (1.0, -1.0), strict=True):
            start, normal = hull.corners_mm[a], hull.normals[facet]
            along = turn * (hull.corners_mm[b] - start)
            outward = cross(along, normal)
            beyond = -float(start @ outward) / float(np.linalg.norm(along))
            if beyond > deepest[facet]:
                deepest[facet], neighbour[facet] = beyond, other
    for facet in np.argsort(hull.offsets_mm):  # lower facets first: their sinks are known
        neighbour[facet] = neighbour[neighbour[facet]]
    return neighbour


def _passes(hull: Hull, sink: Indices, tiny: float, edge_radius_mm: float) -> list[_Pass]:
    """Return the saddles of the height, lowest first.

    An edge has one if the foot of the perpendicular from the centre of mass lies on the edge, and that perpendicular
    points between the normals of its two facets.
    """
    found = []
    for a, b, f, g in hull.edges:
        start, along = hull.corners_mm[a], hull.corners_mm[b] - hull.corners_mm[a]
        length = float(np.linalg.norm(along))
        along = along / length
        at = -float(start @ along)
        foot = start + at * along
        into_f, into_g = cross(hull.normals[f], along), cross(along, hull.normals[g])
        on_edge = -tiny <= at <= length + tiny
        between = float(foot @ into_f) <= tiny and float(foot @ into_g) <= tiny
        if on_edge and between:
            height = float(np.linalg.norm(foot)) + edge_radius_mm
            found.append(_Pass(height, (int(sink[f]), int(sink[g]))))
    return sorted(found)


def _fill_hollows(
    hull: Hull, sink: Indices, passes: list[_Pass], nameless: Mask, depth_mm: float
) -> Indices:
    """Return the sinks with nameless basins less deep than `depth_mm` joined to the basin over their lowest pass."""
    component, filled = sink.copy(), sink.copy()
    for height, ends in passes:
        low, high = sorted((int(component[end]) for end in ends), key=hull.offsets_mm.item)
        if low == high:
            continue
        hollow = component == high
        if nameless[high] and not nameless[low] and height - hull.offsets_mm[high] < depth_mm:
            beyond = ends[0] if component[ends[0]] == low else ends[1]
            filled[hollow & nameless[filled]] = filled[beyond]
        component[hollow] = low
    return filled


def _merge(hull: Hull, pose: Indices, sink: Indices, passes: list[_Pass]) -> _Basins:
    """Return the basins, joined pass by pass.

    A component is identified by its lowest facet. `pure` is the component of each facet while it has one pose only.
    """
    component, pure = sink.copy(), sink.copy()
    barrier = np.full(len(pose), np.inf)
    mixed: set[int] = set()
    for height, ends in passes:
        low, high = sorted((int(component[end]) for end in ends), key=hull.offsets_mm.item)
        if low == high:
            continue
        inside = (component == low) | (component == high)
        if {low, high} & mixed or pose[low] != pose[high]:
            barrier[inside] = np.minimum(barrier[inside], height)
            mixed.add(low)
        else:
            pure[inside] = low
        component[inside] = low
    return _Basins(pose[sink], hull.offsets_mm[pure], barrier)


def _counted_faces(hull: Hull, pose: Indices, passes: list[_Pass], ripple_mm: float) -> Indices:
    """Return, for each facet, the number of its face; see `SAME_FACE_BARRIER`."""
    ends = np.array([ends for _, ends in passes]).reshape(-1, 2)
    heights = np.array([height for height, _ in passes])
    rise = heights - hull.offsets_mm[ends].max(axis=1)
    first, second = ends[(rise <= ripple_mm) & (pose[ends[:, 0]] == pose[ends[:, 1]])].T
    return groups(len(pose), first, second)[1]


def _rest(
    pose: str,
    hull: Hull,
    members: Indices,
    basins: _Basins,
    sink: Indices,
    face: Indices,
    seen: Array,
) -> Rest:
    """Return the rest of the facets that end in one pose; each face is represented by its lowest facet."""
    stable = np.unique(sink[members])
    stable = stable[np.argsort(hull.offsets_mm[stable], kind="stable")]
    lowest = stable[np.unique(face[stable], return_index=True)[1]]
    heights = hull.offsets_mm[lowest]
    return Rest(
        pose=pose,
        faces=len(lowest),
        rest_height_mm=float(heights.min()),
        barrier_mm=float((basins.barrier_mm[lowest] - heights).min()),
        solid_angle_share=float(seen[members].sum() / (4 * np.pi)),
    )


def _facets_around_corners(hull: Hull) -> Indices:
    around: list[list[int]] = [[] for _ in hull.corners_mm]
    for facet, ring in enumerate(hull.rings):
        for corner in ring:
            around[corner].append(facet)
    widest = max(len(facets) for facets in around)
    return np.array([facets + facets[:1] * (widest - len(facets)) for facets in around])


TIPPING_SHARE = 0.9
"""A level body is decided up to this share of the tipping friction; the rest is for its tilt and what jitters."""
LEVEL_MM = 0.002
"""A body is level on a facet if the energy of all but its slide and its spin about the vertical could lift it by less
than this."""
_DEPTH = 10.0
"""Least depth of a basin, in limits of level, in which sliding bodies are decided."""
_ROUNDING = 1e-9
"""Share of the largest moment of inertia that counts as rounding."""


class Slides(NamedTuple):
    """Tables by facet, each of shape (f,)."""

    rest_mm: Array
    """Height of the centre of mass over the facet."""
    friction: Array
    """Friction up to which a body that does not spin is decided on the facet; 0 where it cannot rest."""
    spin_s2: Array
    """Friction that would tip it as much as a spin about the vertical, over the square of the spin."""


@lru_cache(maxsize=64)
def slides(body: Body) -> Slides:
    """Return the friction and spin up to which a body that slides level on each facet of its hull is decided."""
    faces = face_map(body)
    hull, barrier_mm = faces.hull, faces.tables.barrier_height_mm
    reach_mm = np.array(
        [
            _reach_mm(hull.corners_mm[ring], normal)
            for ring, normal in zip(hull.rings, hull.normals, strict=True)
        ]
    )
    moments = np.array(body.inertia_g_mm2)
    torque = np.linalg.norm(cross(hull.normals, hull.normals * moments), axis=1)
    torque = np.where(torque > _ROUNDING * moments.max(), torque, 0.0)
    weight = 1000.0 * GRAVITY_M_S2 * body.mass_g
    deep = barrier_mm - hull.offsets_mm > _DEPTH * LEVEL_MM
    friction = TIPPING_SHARE * np.maximum(reach_mm, 0.0) / hull.offsets_mm
    rest_mm = np.ascontiguousarray(hull.offsets_mm, dtype=np.float64)
    return Slides(rest_mm, np.where(deep, friction, 0.0), torque / (weight * rest_mm))


def slides_level(
    body: Body, friction: float, states: States, level_mm: float | Array = LEVEL_MM
) -> Mask:
    """Return which bodies on a plane, shape (n,), only slide or spin level on their facet: their pose is decided.

    Parameters
    ----------
    states : States, shape (n,)
        Bodies on the plane z = 0.
    level_mm : float or ndarray, shape (n,)
        Limit of level, see `LEVEL_MM`: at least the errors of the engine.
    """
    limits = slides(body)
    if friction >= limits.friction.max():
        return np.zeros(len(states), dtype=bool)
    facet = face_map(body).facets(down(states.quaternion))
    vertical = np.array([0.0, 0.0, 1.0])
    rocking = replace(
        states,
        velocity_m_s=states.velocity_m_s * vertical,
        spin_rad_s=states.spin_rad_s * (1.0 - vertical),
    )
    level = energy_height_mm(body, rocking) - limits.rest_mm[facet] < level_mm
    turning = states.spin_rad_s[:, 2] ** 2 * limits.spin_s2[facet]
    return np.asarray(level & (friction + turning < limits.friction[facet]))


def _reach_mm(corners_mm: Array, normal: Array) -> float:
    """Return the distance of a facet's nearest edge from the projection of the centre of mass; negative outside."""
    outward = np.cross(np.roll(corners_mm, -1, axis=0) - corners_mm, normal)
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    return float((corners_mm * outward).sum(axis=1).min())
