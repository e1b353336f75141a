"""Exact move: of a scene that answers are judged by, and the touches of movers that differ by the tolerance."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from brickphys.geometry.motion import Motion, Translation
from brickphys.geometry.obstacles import Body, Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Polygon, clipped, rectangle
from brickphys.geometry.pose import Pose
from brickphys.geometry.sweep import overlap
from brickphys.vehicles.course import (
    Hit,
    Mover,
    MoveResult,
    NamedObstacles,
    course_of,
    follow,
    is_solid,
    resolve,
)
from brickphys.vehicles.scene import Scene, Thing
from brickphys.vehicles.validation.bisection import ROUNDING_STUDS, UNDECIDED

_HALVINGS = 12
"""Steps in which the depth of a hit is found."""

Place = tuple[int, float]
"""The number of a piece, and how far that has come: studs, or degrees of a turn."""


def at_most(one: Place, other: Place, slack: float) -> bool:
    """Tell whether a place comes before another one, or after it by no more than a slack."""
    return one[0] < other[0] or (one[0] == other[0] and one[1] <= other[1] + slack)


def end_of(move: MoveResult) -> Place:
    """Return where a move ends."""
    return (len(move.pieces) - 1, move.pieces[-1].at) if move.pieces else (-1, 0.0)


def grown_body(scene: Scene, by_studs: float) -> Body:
    """Return the body of the mover with its sides moved outward by a length, or inward by a negative one.

    Parts of shapes are moved each for itself; those that vanish are left out.
    """
    more = max(2 * by_studs, -0.999 * _narrowest(scene))
    found: list[Prism] = []
    for part in scene.moving:
        if part.shape:
            found += [one for prism in part.body for one in _grown(prism, by_studs)]
            continue
        size = part.length_studs + more, part.width_studs + more
        found.append(part.prism.on(rectangle(*part.centre_studs, part.heading_deg, *size)))
    return tuple(found)


def _grown(prism: Prism, by_studs: float) -> Iterator[Prism]:
    """Yield a convex prism with its side moved outward, or inward; rounded if that is outward; none if it vanishes."""
    if by_studs >= 0.0 or prism.radius_studs + by_studs > 0.0:
        yield replace(prism, radius_studs=prism.radius_studs + by_studs)
        return
    if not prism.radius_studs:
        inner = Polygon(prism.footprint.vertices_studs)
        for normal, offset in zip(inner.normals, inner.offsets_studs, strict=True):
            corners = clipped(
                [(x, y) for x, y in inner.vertices_studs.tolist()],
                (inner.vertices_studs @ normal - offset - by_studs).tolist(),
            )
            inner = Polygon(np.array(corners).reshape(-1, 2))
        if len(inner.vertices_studs) > 2 and inner.area_studs2 > 0.0:
            yield prism.on(inner)


def _narrowest(scene: Scene) -> float:
    return min(size for part in scene.moving for size in (part.length_studs, part.width_studs))


def first_touches(
    scene: Scene, body: Body, things: Sequence[Thing], obstacles: Obstacles
) -> dict[str, Place]:
    """Return where a body first touches each of some things on the course of a scene if nothing stops it.

    `things` are those of the obstacles, which are their prisms, or others that stand for them.
    """
    own, found = {part.id for part in scene.moving}, dict[str, Place]()
    for number, (motion, _) in enumerate(motions_of(scene)):
        for touch in sorted(motion.touches(body, obstacles), key=lambda touch: touch.at):
            name = things[touch.number].id
            if name not in own:
                found.setdefault(name, (number, touch.at))
        body = motion.placed(body, motion.extent)
    return found


def motions_of(scene: Scene) -> list[tuple[Motion, Pose]]:
    """Return the motion of each piece of the whole course, and the pose of the mover before it."""
    found: list[tuple[Motion, Pose]] = []
    pose = Pose(scene.mover.x_studs, scene.mover.y_studs, scene.mover.heading_deg)
    for piece in course_of(scene):
        motion = piece.motion(pose)
        found.append((motion, pose))
        pose = motion.pose(pose, motion.extent)
    return found


class ExactMove:
    """A scene with its exact move, and what that becomes if the footprint of the mover changes within the tolerance."""

    def __init__(self, scene: Scene, tolerance: float) -> None:
        self.scene, self.tolerance = scene, tolerance
        self.move = resolve(scene)
        self.hits: Mapping[str, Hit] = {hit.id: hit for hit in self.move.hits}
        self.things: Mapping[str, Thing] = {thing.id: thing for thing in scene.things}
        self.end = end_of(self.move)
        self.slack = UNDECIDED[1] * tolerance
        """What is at most so large may be due to the tolerance."""

    @cached_property
    def motions(self) -> list[tuple[Motion, Pose]]:
        """The motion of each piece of the whole course, and the pose of the mover before it."""
        return motions_of(self.scene)

    def is_straight(self, number: int) -> bool:
        """Tell whether a piece is straight; a mover that stands still is on a straight piece."""
        return not self.motions or isinstance(self.motions[number][0], Translation)

    @cached_property
    def _limits(self) -> tuple[float, float]:
        """By how much the mover is larger if every touch counts, and if only overlaps beyond the tolerance do."""
        return self.slack, TOLERANCE - self.slack

    @cached_property
    def _obstacles(self) -> Obstacles:
        return Obstacles.of([prism for thing in self.scene.things for prism in thing.body])

    def _touches(self, grown_studs: float) -> dict[str, Place]:
        body = grown_body(self.scene, grown_studs)
        things = [thing for thing in self.scene.things for _ in thing.body]
        return first_touches(self.scene, body, things, self._obstacles)

    @cached_property
    def free(self) -> Mapping[str, Place]:
        """The first touches if nothing stopped the mover; those within the tolerance of each other are not merged."""
        return self._touches(0.0)

    @cached_property
    def earliest(self) -> Mapping[str, Place]:
        """The first touches if every touch counted, and nothing stopped the mover."""
        return self._touches(self._limits[0])

    @cached_property
    def latest(self) -> Mapping[str, Place]:
        """The first touches if only overlaps beyond the tolerance counted, and nothing stopped the mover."""
        return self._touches(self._limits[1])

    @cached_property
    def doubtful(self) -> Mapping[str, list[Hit]]:
        """The hits of the larger and of the smaller mover, by thing."""
        found: dict[str, list[Hit]] = {}
        for move in self.doubtful_moves(lambda _: False):
            for hit in move.hits:
                found.setdefault(hit.id, []).append(hit)
        return found

    def doubtful_moves(self, stops: Callable[[Thing], bool] = is_solid) -> list[MoveResult]:
        """Return the moves of the larger and of the smaller mover, given what stops them."""
        scene, ids = self.scene, frozenset(part.id for part in self.scene.moving)
        pose = Pose(scene.mover.x_studs, scene.mover.y_studs, scene.mover.heading_deg)
        named = NamedObstacles.of(scene.bounds, scene.things)
        border = Mover.of(scene.mover, scene.lashed_vehicles).border
        movers = (
            Mover(scene.mover_id, pose, grown_body(scene, grown), ids, border)
            for grown in self._limits
        )
        return [follow(mover, course_of(scene), named, stops) for mover in movers]

    @cached_property
    def first_end(self) -> Place:
        """Where the move ends if every touch counted."""
        stops = [self.earliest[name] for name in self.move.stopped_by if name in self.earliest]
        return min([self.end, *stops])

    @cached_property
    def last_end(self) -> Place:
        """Where the move ends if only overlaps beyond the tolerance counted."""
        return max(self.end, end_of(self.doubtful_moves()[1]))

    def is_after_end(self, name: str) -> bool:
        """Tell whether a thing is touched after the move has ended, by however little."""
        place = self.free.get(name)
        if place is None or place[0] != self.end[0]:
            return False
        stops = [self.free[stop][1] for stop in self.move.stopped_by if stop in self.free]
        return place[1] - min(stops, default=self.end[1]) > ROUNDING_STUDS

    def body_at(self, place: Place) -> Body:
        """Return the body of the mover at a place of the whole course."""
        body = grown_body(self.scene, 0.0)
        if not self.motions:
            return body
        for motion, _ in self.motions[: place[0]]:
            body = motion.placed(body, motion.extent)
        return self.motions[place[0]][0].placed(body, place[1])

    def depth_studs(self, hit: Hit) -> float:
        """Return by how much the sides of the mover can be drawn in until it does not overlap a thing any more."""
        thing, limit = Obstacles.of(hit.thing.body), self._limit(hit)
        things = [hit.thing] * len(hit.thing.body)

        def is_hit(depth: float) -> bool:
            body = grown_body(self.scene, TOLERANCE - depth)
            place = first_touches(self.scene, body, things, thing).get(hit.id)
            return place is not None and at_most(place, limit, 0.0)

        low, high = TOLERANCE, 0.499 * _narrowest(self.scene)
        if is_hit(high):
            return high
        for _ in range(_HALVINGS):
            middle = float((low * high) ** 0.5)
            low, high = (middle, high) if is_hit(middle) else (low, middle)
        return low

    def passes(self, hit: Hit) -> bool:
        """Tell whether the mover passes through a thing: it overlaps it neither at the start nor at the end."""
        ends = (self.body_at((0, 0.0)), self.body_at(self._limit(hit)))
        return not any(
            overlap(part, other) for body in ends for part in body for other in hit.thing.body
        )

    def _limit(self, hit: Hit) -> Place:
        """Return how far a mover goes that misses a thing, which then does not stop it."""
        if not is_solid(hit.thing):
            return self.end
        return len(self.motions) - 1, self.motions[-1][0].extent
