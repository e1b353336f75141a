"""Adversarial scenes as arrays, and what one move after another finds in them."""

from typing import NamedTuple

import numpy as np

from brickphys.geometry.many.outlines import Outlines, outlines
from brickphys.geometry.motion import Rotation
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.vehicles.referee.exact_move import grown_body, motions_of
from brickphys.vehicles.validation.random_scenes import random_scene


class Arrays(NamedTuple):
    """Parts of movers with their courses, each among obstacles of its own."""

    movers: Outlines
    motions: tuple
    obstacles: Outlines
    own: np.ndarray
    parts: list
    """Of each mover: its prism, its motions, and its obstacles."""


def piece_row(motion):
    if isinstance(motion, Rotation):
        return (*motion.pivot_studs, motion.turned_deg(motion.extent))
    x, y = motion.direction
    return (x * motion.extent, y * motion.extent, np.nan)


def prisms_as_arrays(prisms):
    """Return prisms as outlines."""
    prisms = list(prisms)
    rings = [prism.footprint.vertices_studs for prism in prisms]
    offsets = np.cumsum([0, *map(len, rings)])
    return outlines(
        np.concatenate([np.empty((0, 2)), *rings]),
        offsets,
        bottom_plates=[prism.bottom_plates for prism in prisms],
        top_plates=[prism.top_plates for prism in prisms],
    )


def random_arrays(count, root):
    """Return the scenes of a root seed, but for movers that stand still."""
    parts = []
    for index in range(count):
        scene = random_scene(root, index).scene
        body = grown_body(scene, 0.0)
        motions = [motion for motion, _ in motions_of(scene)]
        own = {part.id for part in scene.moving}
        others = [thing.prism for thing in scene.things if thing.id not in own]
        parts += [(prism, motions, others) for prism in body if motions]
    movers = prisms_as_arrays(prism for prism, _, _ in parts)
    pieces = np.array([piece_row(motion) for _, motions, _ in parts for motion in motions])
    courses = np.cumsum([0, *(len(motions) for _, motions, _ in parts)])
    obstacles = prisms_as_arrays(prism for _, _, others in parts for prism in others)
    own = np.cumsum([0, *(len(others) for _, _, others in parts)])
    return Arrays(movers, (pieces, courses), obstacles, own, parts)


class Met(NamedTuple):
    """What one mover meets: a row of the answer."""

    mover: int
    obstacle: int
    piece: int
    overlaps: bool
    at: float
    point: tuple
    normal: tuple
    impact_deg: float | None


def one_by_one(arrays, stops=False):
    """Yield what movers meet, by one motion after another of the exact sweep of prisms."""
    for mover, (prism, motions, others) in enumerate(arrays.parts):
        body: tuple[Prism, ...] = (prism,)
        around, seen = Obstacles.of(others), set()
        for number, motion in enumerate(motions):
            touches = [one for one in motion.touches(body, around) if one.number not in seen]
            least = min((one.at for one in touches), default=0.0)
            for touch in touches:
                if stops and touch.at > least + 1e-9:
                    continue
                seen.add(touch.number)
                contact = motion.contact(body, touch, around)
                impact = impact_deg(motion, contact) if contact.on_face else None
                yield Met(mover, int(arrays.own[mover]) + touch.number, number, touch.overlaps_at_start,
                          touch.at, contact.point_studs, contact.normal, impact)  # fmt: skip
            if stops and touches:
                break
            body = motion.placed(body, motion.extent)


def impact_deg(motion, contact):
    way = motion.way(contact.point_studs)
    if way is None:
        return None
    (x, y), (nx, ny) = way, contact.normal
    return np.degrees(np.arctan2(max(-x * nx - y * ny, 0.0), abs(x * ny - y * nx)))
