"""Target: a figure, a rider on a horse, a dog or an obstacle, as boxes and upright cylinders, joined rigidly.

Its frame has x forward, y to the left and z up; the origin is on the ground below its middle.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from typing import Literal

import numpy as np
from scipy.spatial import ConvexHull

from brickphys.arrays import Array, Triple
from brickphys.errors import InvalidValueError
from brickphys.shapes.solids import MassProperties, box, compose, cylinder, join
from brickphys.units import STUD_MM

_FIXED = 1e15
"""In g and g mm2: so heavy that nothing moves it, and still a number to calculate with."""


@dataclass(frozen=True)
class TargetPart:
    """A box, or an upright cylinder, with its mass spread evenly over it.

    Attributes
    ----------
    kind
        ``box`` or ``cylinder``.
    about
        What it stands for, such as ``head``.
    centre_mm
        Middle, in the frame of the target.
    size_mm
        Edges along x, y and z; of a cylinder its diameter twice, and its height.
    mass_g
        Mass; infinite of what stands fast.

    Raises
    ------
    InvalidValueError
        If the kind is unknown, a size or the mass is not above 0, a cylinder is not round, or the part reaches below
        the ground.
    """

    kind: Literal["box", "cylinder"]
    about: str
    centre_mm: Triple
    size_mm: Triple
    mass_g: float

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

    Attributes
    ----------
    name
        Such as ``foot``.
    about
        Description in a few words.
    source
        Where its measures come from.
    parts
        Boxes and cylinders; together one rigid body.
    wall_mm
        Height of a wall right in front of it, all round, which hides what is lower; 0 if it stands in the open.

    Raises
    ------
    InvalidValueError
        If nothing stands on the ground or fast, or the wall is as high as the target or below 0.
    """

    name: str
    about: str
    source: str
    parts: tuple[TargetPart, ...]
    wall_mm: float = 0.0

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
