"""Surfaces: materials of floors, with ranges of friction and restitution of the pair brick and surface."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from brickphys.errors import InvalidValueError, unknown

MAX_FRICTION = 5.0


@dataclass(frozen=True)
class ContactCoefficients:
    """Coefficients of Coulomb friction and of Newton's restitution of a pair of bodies.

    Raises
    ------
    InvalidValueError
        If friction is outside 0..5 or restitution outside 0..1.
    """

    friction: float
    restitution: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.friction) or not 0 <= self.friction <= MAX_FRICTION:
            raise InvalidValueError(f"friction {self.friction:g} is outside 0 to {MAX_FRICTION:g}")
        if not math.isfinite(self.restitution) or not 0 <= self.restitution <= 1:
            raise InvalidValueError(f"restitution {self.restitution:g} is outside 0 to 1")


@dataclass(frozen=True)
class Surface:
    """A material of floors.

    Attributes
    ----------
    name
        As on the command line.
    friction, restitution
        Least and greatest plausible value for the pair ABS brick and surface.
    source
        Source of the ranges.
    """

    name: str
    friction: tuple[float, float]
    restitution: tuple[float, float]
    source: str

    @property
    def nominal(self) -> ContactCoefficients:
        """The middle of both ranges, used unless the caller gives other values."""
        return ContactCoefficients(_middle(self.friction), _middle(self.restitution))


def _middle(span: tuple[float, float]) -> float:
    return round((span[0] + span[1]) / 2, 6)


# No measurement of these bricks on these surfaces was found. The ranges are wide and come from similar pairs.
SURFACES: Mapping[str, Surface] = {
    "wood": Surface(
        "wood",
        friction=(0.3, 0.5),
        restitution=(0.4, 0.6),
        source="plastic on wood slides at 0.3 to 0.5; a plastic coin on a wooden table returns 0.4 to 0.6",
    ),
    "glass": Surface(
        "glass",
        friction=(0.15, 0.35),
        restitution=(0.5, 0.7),
        source="estimated: smooth plastic on glass slides easier than on wood, and a stiff pane returns more",
    ),
    "cloth": Surface(
        "cloth",
        friction=(0.4, 0.7),
        restitution=(0.1, 0.35),
        source="estimated: a table cloth or felt grips more than wood and absorbs most of a bounce",
    ),
    "plastic": Surface(
        "plastic",
        friction=(0.3, 0.5),
        restitution=(0.4, 0.6),
        source="estimated: ABS on ABS slides at 0.3 to 0.5; a thin plate on a table returns as much as wood",
    ),
}


BRICK_ON_BRICK = ContactCoefficients(friction=0.4, restitution=0.5)
"""Contact between bricks of one hand: plastic on plastic, estimated."""


def surface(name: str) -> Surface:
    """Return the surface of a name, else raise InvalidValueError with the nearest name."""
    if name not in SURFACES:
        raise unknown("surface", name, SURFACES)
    return SURFACES[name]
