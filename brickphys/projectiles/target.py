"""Target: a figure, a rider on a horse, a dog or an obstacle, as boxes and upright cylinders, joined rigidly; by name.

Its frame has x forward, y to the left and z up; the origin is on the ground below its middle. Named targets are in
``targets.toml``: ``foot`` is a figure in the open, ``foot:wall2`` one behind a wall of two bricks. An obstacle is a box
that stands fast: a brick of a wall, a wagon, a catapult. Walls are courses of bricks in running bond.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from math import ceil, inf, isinf
from typing import Any, Literal

import numpy as np
from scipy.spatial import ConvexHull

from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import shipped_toml
from brickphys.shapes.brick import brick
from brickphys.shapes.solids import MassProperties, box, compose, cylinder, join
from brickphys.units import BRICK_MM, STUD_MM, Array, Triple

_FIXED = 1e15
"""In g and g mm2: so heavy that nothing moves it, and still a number to calculate with."""


@dataclass(frozen=True)
class TargetPart:
    """A box, or an upright cylinder, with its mass spread evenly over it.

    InvalidValueError if the kind is unknown, a size or the mass is not above 0, a cylinder is not round, or the part
    reaches below the ground.
    """

    kind: Literal["box", "cylinder"]
    about: str
    """What it stands for, such as ``head``."""
    centre_mm: Triple
    """Middle, in the frame of the target."""
    size_mm: Triple
    """Edges along x, y and z; of a cylinder its diameter twice, and its height."""
    mass_g: float
    """Mass; infinite of what stands fast."""

    def __post_init__(self) -> None:
        if self.kind not in ("box", "cylinder"):
            raise InvalidValueError(f"{self.about}: {self.kind!r} is neither box nor cylinder")
        if not min(*self.size_mm, self.mass_g) > 0:
            raise InvalidValueError(f"{self.about}: a size or the mass is not above 0")
        if self.kind == "cylinder" and self.size_mm[0] != self.size_mm[1]:
            raise InvalidValueError(f"{self.about}: a cylinder has one diameter")
        if self.low_mm < 0:
            raise InvalidValueError(f"{self.about}: reaches below the ground, {self.low_mm:g} mm")

    @property
    def low_mm(self) -> float:
        """Height of its underside; a part that stands on the ground has exactly 0."""
        low = self.centre_mm[2] - self.size_mm[2] / 2
        return 0.0 if abs(low) < 1e-9 else low

    @property
    def high_mm(self) -> float:
        """Height of its top."""
        return self.centre_mm[2] + self.size_mm[2] / 2

    @property
    def plan_mm(self) -> Array:
        """Corners of the rectangle around it in plan, shape (4, 2)."""
        half = np.array(self.size_mm[:2]) / 2
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return np.asarray(np.array(self.centre_mm[:2]) + signs * half)

    def cut(self) -> "Iterator[TargetPart]":
        """Yield a long box as pieces that are less than twice as long as wide, or than two studs; others whole."""
        (x, y, z), (length, width, height) = self.centre_mm, self.size_mm
        along = max(1, int(length / max(width, STUD_MM) + 1e-9))
        across = max(1, int(width / max(length, STUD_MM) + 1e-9))
        size, mass_g = (length / along, width / across, height), self.mass_g / (along * across)
        for i in range(along):
            for j in range(across):
                place = (x - length / 2 + (i + 0.5) * size[0], y - width / 2 + (j + 0.5) * size[1])
                yield replace(self, centre_mm=(*place, z), size_mm=size, mass_g=mass_g)

    @property
    def mass(self) -> MassProperties:
        """Mass, centre and inertia about it."""
        diameter, _, height = self.size_mm
        solid = (
            box(self.centre_mm, self.size_mm)
            if self.kind == "box"
            else cylinder(self.centre_mm, diameter, height)
        )
        return compose([solid], 1000.0 * self.mass_g / solid.volume_mm3)


@dataclass(frozen=True)
class Target:
    """What can be hit; what has a mass can be knocked over, too.

    InvalidValueError if nothing stands on the ground or fast, or the wall is as high as the target or below 0.
    """

    name: str
    """Such as ``foot``."""
    about: str
    source: str
    """Where its measures come from."""
    parts: tuple[TargetPart, ...]
    """Boxes and cylinders; together one rigid body."""
    wall_mm: float = 0.0
    """Height of a wall right in front of it, all round, which hides what is lower; 0 if it stands in the open."""

    def __post_init__(self) -> None:
        if not (self.is_fixed or any(part.low_mm == 0 for part in self.parts)):
            raise InvalidValueError(f"{self.name}: no part stands on the ground")
        if not 0 <= self.wall_mm < self.height_mm:
            raise InvalidValueError(
                f"{self.name}: a wall of {self.wall_mm:g} mm is outside 0 to {self.height_mm:g} mm, its height"
            )

    @cached_property
    def is_fixed(self) -> bool:
        """Whether it stands fast: it stops what hits it, and nothing knocks it over."""
        return any(isinf(part.mass_g) for part in self.parts)

    @cached_property
    def height_mm(self) -> float:
        """Height of its top above the ground."""
        return max(part.high_mm for part in self.parts)

    @cached_property
    def aim_mm(self) -> float:
        """Height of the middle of what shows, at which it is aimed."""
        low = max(self.wall_mm, min(part.low_mm for part in self.parts))
        return (low + self.height_mm) / 2

    @cached_property
    def pieces(self) -> tuple[TargetPart, ...]:
        """The parts, long ones cut (`TargetPart.cut`): a box that is seen askew is neither near nor far as a whole."""
        return tuple(piece for part in self.parts for piece in part.cut())

    @cached_property
    def table(self) -> Array:
        """The pieces as rows, shape (n, 8).

        Columns: centre along x and y, size along x and y, underside and top, the wall before it (all in mm), and
        whether it is a cylinder (1 or 0).
        """
        return np.array(
            [
                (
                    *piece.centre_mm[:2],
                    *piece.size_mm[:2],
                    piece.low_mm,
                    piece.high_mm,
                    self.wall_mm,
                    piece.kind == "cylinder",
                )
                for piece in self.pieces
            ],
            dtype=float,
        )

    @cached_property
    def mass(self) -> MassProperties:
        """Mass, centre of mass and inertia about it, of all parts."""
        return join(part.mass for part in self.parts)

    @cached_property
    def mass_row(self) -> tuple[float, float, float, float, float, float]:
        """Mass in g, height of its centre in mm, and xx, xy, yy and zz of the inertia about it in g mm2.

        What stands fast has `_FIXED` for the mass and the moments.
        """
        if self.is_fixed:
            return _FIXED, self.aim_mm, _FIXED, 0.0, _FIXED, _FIXED
        (xx, xy, _), (_, yy, _), (_, _, zz) = self.mass.inertia_g_mm2.tolist()
        return self.mass_g, float(self.mass.centre_mm[2]), xx, xy, yy, zz

    @property
    def mass_g(self) -> float:
        """Mass."""
        return self.mass.mass_g

    @cached_property
    def base_mm(self) -> Array:
        """Corners of the base, over whose edges it tips: convex, counter-clockwise, shape (n, 2).

        The convex hull of what stands on the ground; a cylinder counts as the square around it.
        """
        standing = np.vstack([part.plan_mm for part in self.parts if part.low_mm == 0])
        corners: Array = standing[ConvexHull(standing).vertices]
        return corners

    @cached_property
    def reach_mm(self) -> float:
        """Largest distance of any part from the upright axis through the origin, at most."""
        return float(max(np.hypot(*part.plan_mm.T).max() for part in self.parts))

    @cached_property
    def inner_mm(self) -> float:
        """A shooter nearer than this to the middle stands in it: of what stands fast half its shortest edge."""
        if self.is_fixed:
            return min(min(part.size_mm[:2]) for part in self.parts) / 2
        return self.reach_mm


@lru_cache
def obstacle(name: str, size_mm: Triple, low_mm: float = 0.0) -> Target:
    """Return a box that stops what hits it, and is never knocked over; it needs no impact law.

    InvalidValueError if an edge is not above 0, or the underside below the ground. Its underside is at `low_mm`: a
    brick of the third course lies on two others.
    """
    middle = (0.0, 0.0, low_mm + size_mm[2] / 2)
    box = TargetPart("box", name, middle, size_mm, inf)
    return Target(name, f"{name}, which stands fast", "Its size is given.", (box,))


_LONG, _THICK = 4, 2


def brick_wall(courses: int, length_studs: int) -> Target:
    """Return a wall of 2x4 bricks along y, with 2x2 bricks at the ends of every second course.

    Raises InvalidValueError if the length is no such multiple, or the wall has no courses.

    Parameters
    ----------
    courses
        Number of courses, from 1; as one body of an engine a wall has at most `brickphys.engines.bodies.MAX_PARTS`
        bricks.
    length_studs
        Length, a multiple of 4.
    """
    if length_studs < _LONG or length_studs % _LONG:
        raise InvalidValueError(f"a wall of {length_studs} studs is not of whole 2x4 bricks")
    if courses < 1:
        raise InvalidValueError(f"a wall of {courses} courses has no bricks")
    rows = [_row(length_studs, course % 2 == 1) for course in range(courses)]
    parts = tuple(
        _brick(course, first - length_studs / 2, studs)
        for course, row in enumerate(rows)
        for first, studs in row
    )
    return Target(
        f"wall of {courses}", "a wall of 2x4 bricks", "Bricks of `brickphys.shapes`.", parts
    )


def _row(length: int, is_shifted: bool) -> list[tuple[int, int]]:
    if not is_shifted:
        return [(first, _LONG) for first in range(0, length, _LONG)]
    half = _LONG // 2
    inner = [(first, _LONG) for first in range(half, length - half, _LONG)]
    return [(0, half), *inner, (length - half, half)]


def _brick(course: int, first_studs: float, studs: int) -> TargetPart:
    middle = (0.0, (first_studs + studs / 2) * STUD_MM, (course + 0.5) * BRICK_MM)
    size = (_THICK * STUD_MM, studs * STUD_MM, BRICK_MM)
    return TargetPart("box", f"brick of course {course + 1}", middle, size, _mass_g(studs))


@lru_cache
def _mass_g(studs: int) -> float:
    return brick(_THICK, studs).mass_g


_FILE = files("brickphys.projectiles") / "targets.toml"


@lru_cache
def targets() -> Mapping[str, Target]:
    """Return the targets that ship, in the open, by name."""
    tables = shipped_toml(_FILE)
    return {name: _target(name, table) for name, table in tables.items()}


@lru_cache
def target(name: str) -> Target:
    """Return the target of a name; ``NAME:wallN`` stands behind a wall of N bricks.

    Raises InvalidValueError if the name is unknown, or the wall hides all of it.
    """
    body, _, wall = name.partition(":")
    if body not in targets():
        raise unknown("body", name, targets())
    if not wall:
        return targets()[body]
    bricks = re.fullmatch(r"wall([1-9])", wall)
    most = ceil(targets()[body].height_mm / BRICK_MM) - 1
    if not bricks or int(bricks[1]) > most:
        raise InvalidValueError(
            f"body {name!r}: after the colon comes wall1 to wall{most}, for the bricks that it stands behind"
        )
    return behind_wall(targets()[body], int(bricks[1]) * BRICK_MM)


def behind_wall(target: Target, wall_mm: float) -> Target:
    """Return the target behind a wall of a height; the wall takes what flies lower.

    Raises InvalidValueError if the wall hides all of it.
    """
    return replace(target, wall_mm=wall_mm)


def _target(name: str, table: Mapping[str, Any]) -> Target:
    parts = tuple(
        TargetPart(
            part["kind"],
            part["about"],
            tuple(part["centre_mm"]),
            tuple(part["size_mm"]),
            part["mass_g"],
        )
        for part in table["part"]
    )
    return Target(name, table["about"], table["source"].strip(), parts)
