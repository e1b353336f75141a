"""Surfaces: materials of floors, with ranges of friction and restitution of the pair brick and surface.

Shipped surfaces and those of the user are files of one form; those that ship are in ``throws/materials``.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import parse_toml, read_text, shipped_toml

MAX_FRICTION = 5.0
_FOLDER = files("brickphys.throws") / "materials"
_SUFFIX = ".toml"
_NAMES = ("wood", "glass", "cloth", "plastic")


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

    Raises
    ------
    InvalidValueError
        If a range is reversed or has an impossible end.
    """

    name: str
    friction: tuple[float, float]
    restitution: tuple[float, float]
    source: str

    def __post_init__(self) -> None:
        for friction, restitution in zip(self.friction, self.restitution, strict=True):
            ContactCoefficients(friction, restitution)
        for what, (low, high) in (("friction", self.friction), ("restitution", self.restitution)):
            if low > high:
                raise InvalidValueError(f"{what} [{low:g}, {high:g}] is reversed")

    @property
    def nominal(self) -> ContactCoefficients:
        """The middle of both ranges, used unless the caller gives other values."""
        return ContactCoefficients(_middle(self.friction), _middle(self.restitution))

    @property
    def extremes(self) -> tuple[ContactCoefficients, ContactCoefficients]:
        """The least friction and restitution, and the greatest ones."""
        least, greatest = zip(self.friction, self.restitution, strict=True)
        return ContactCoefficients(*least), ContactCoefficients(*greatest)


def _middle(span: tuple[float, float]) -> float:
    return round((span[0] + span[1]) / 2, 6)


def _surface(document: Mapping[str, Any]) -> Surface:
    friction, restitution = (tuple(document[key]) for key in ("friction", "restitution"))
    return Surface(document["name"], friction, restitution, document["source"])


# No measurement of these bricks on these surfaces was found. The ranges are wide and come from similar pairs.
SURFACES: Mapping[str, Surface] = {
    name: _surface(shipped_toml(_FOLDER / f"{name}{_SUFFIX}")) for name in _NAMES
}
"""The surfaces that ship, by name."""

BRICK_ON_BRICK = ContactCoefficients(friction=0.4, restitution=0.5)
"""Contact between bricks of one hand: plastic on plastic, estimated."""


def surface(name: str) -> Surface:
    """Return the shipped surface of a name, or the surface in a file: a name that ends in ``.toml``.

    Raises
    ------
    InvalidValueError
        If no such surface ships, with the nearest name; or as `parse_surface`.
    """
    if is_surface_file(name):
        return parse_surface(read_text(name), name)
    if name not in SURFACES:
        raise unknown("surface", name, SURFACES)
    return SURFACES[name]


def is_surface_file(name: str) -> bool:
    """Return whether a name is that of a surface file."""
    return name.lower().endswith(_SUFFIX)


def parse_surface(text: str, place: str) -> Surface:
    """Return the surface in a TOML text; messages start with `place`.

    Parameters
    ----------
    text
        The keys ``name``, ``friction``, ``restitution`` and ``source``, as in the files of shipped surfaces.

    Raises
    ------
    InvalidValueError
        If the text is not TOML, has an unknown or missing key or an impossible value, or its name is that of a shipped
        surface.
    """
    from brickphys.throws.surface_schema import surface_document

    document = surface_document(parse_toml(text, place), place)
    try:
        found = _surface(document)
    except InvalidValueError as error:
        raise InvalidValueError(f"{place}: {error}") from None
    if found.name in SURFACES:
        raise InvalidValueError(f"{place}: name: {found.name!r} is a surface that ships")
    return found
