"""Assembly: a vehicle, figure or piece of decor built of pieces, with its footprint, heights and rigid bodies; by name.

Its frame has x forward, y to the left and z up; the origin is on the ground below the middle of the footprint.
Footprint, bottom, top, mass and inertia are computed from the pieces.

A thing has one or more rigid bodies: the *hull*, and the *crew* that sits or stands exposed on it (a rider, a
driver). The hull collides as the box over its footprint. A crew member collides as the box over its own footprint,
from the top of the hull upwards. So the boxes of a thing touch and never overlap, and in a physics engine the crew
stands on the hull.

Assemblies are read from the files of pieces in ``shapes/assemblies``, one file for each. A file of kind ``part`` is not
a thing: other files include it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

import numpy as np

from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import shipped_text, shipped_toml
from brickphys.shapes.piece import GRID_MM, Piece, piece_mass
from brickphys.shapes.solids import MassProperties, join
from brickphys.units import Array

if TYPE_CHECKING:
    from brickphys.shapes.schema import AssemblyEntry, BodyEntry, IncludeEntry


@dataclass(frozen=True)
class BoxPart:
    """A box over a rectangle in plan, in the frame of the thing."""

    x_studs: float
    y_studs: float
    """Middle of the rectangle."""
    length_studs: float
    width_studs: float
    """Along x and along y."""
    bottom_plates: float
    top_plates: float
    """Heights above the ground."""

    @property
    def centre_mm(self) -> Array:
        """Middle of the box, shape (3,)."""
        middle = (self.bottom_plates + self.top_plates) / 2
        centre: Array = np.array([self.x_studs, self.y_studs, middle]) * GRID_MM
        return centre

    @property
    def size_mm(self) -> Array:
        """Edges of the box, shape (3,)."""
        height = self.top_plates - self.bottom_plates
        size: Array = np.array([self.length_studs, self.width_studs, height]) * GRID_MM
        return size


@dataclass(frozen=True, eq=False)
class RigidBody:
    """One rigid body of a thing: its hull, or a crew member."""

    name: str
    """``jeep`` for the hull, ``jeep/driver`` for a crew member."""
    pieces: tuple[Piece, ...]
    """Its pieces, in the frame of the thing."""
    prism: BoxPart
    """Its collision shape."""

    @cached_property
    def mass(self) -> MassProperties:
        """Mass, centre of mass (in the frame of the thing) and inertia about it, summed over the pieces."""
        return join(piece_mass(piece) for piece in self.pieces)


@dataclass(frozen=True, eq=False)
class Assembly:
    """A thing on the table."""

    name: str
    """Such as ``jeep``."""
    kind: str
    """``vehicle``, ``figure`` or ``decor``."""
    about: str
    hull: RigidBody
    """The body that has the footprint."""
    crew: tuple[RigidBody, ...] = ()
    """Exposed crew members, a body each."""

    @property
    def bodies(self) -> tuple[RigidBody, ...]:
        """Hull and crew."""
        return (self.hull, *self.crew)

    @property
    def length_studs(self) -> float:
        """Length of the footprint."""
        return self.hull.prism.length_studs

    @property
    def width_studs(self) -> float:
        """Width of the footprint."""
        return self.hull.prism.width_studs

    @property
    def bottom_plates(self) -> float:
        """Height of the hull's underside above the ground; positive for a thing that hovers or flies."""
        return self.hull.prism.bottom_plates

    @property
    def top_plates(self) -> float:
        """Height of the hull's top above the ground."""
        return self.hull.prism.top_plates

    @property
    def mass_g(self) -> float:
        """Mass of hull and crew."""
        return sum(body.mass.mass_g for body in self.bodies)


def assemble(
    name: str,
    kind: str,
    about: str,
    hull: Sequence[Piece],
    crew: Mapping[str, Sequence[Piece]] | None = None,
    raised_plates: float = 0.0,
) -> Assembly:
    """Return the assembly of pieces.

    InvalidValueError if a body has no piece that collides, or a crew member does not stick out above the hull, or its
    centre of mass is beside the hull.

    Parameters
    ----------
    hull, crew
        Pieces of the hull, and of each crew member by name, in one frame with x forward; its origin does not matter.
    raised_plates
        Height of the hull's underside above the ground.
    """
    low, high = _bounds(name, hull)
    middle = (low + high) / 2
    shift = (float(-middle[0]), float(-middle[1]), float(raised_plates - low[2]))
    body = _body(name, [piece.moved(shift) for piece in hull], 0.0)
    members = [
        _body(f"{name}/{member}", [piece.moved(shift) for piece in pieces], body.prism.top_plates)
        for member, pieces in (crew or {}).items()
    ]
    for member in members:
        x, y, _ = member.mass.centre_mm / GRID_MM
        if 2 * abs(x) > body.prism.length_studs or 2 * abs(y) > body.prism.width_studs:
            raise InvalidValueError(f"{member.name} is beside the hull, at {x:g}, {y:g} studs")
    return Assembly(name, kind, about, body, tuple(members))


def _body(name: str, pieces: Sequence[Piece], floor_plates: float) -> RigidBody:
    """Return the body whose collision box begins at `floor_plates` or higher."""
    low, high = _bounds(name, pieces)
    (x, y, _), (length, width, _) = (low + high) / 2, high - low
    bottom, top = max(low[2], floor_plates), high[2]
    if not bottom < top:
        raise InvalidValueError(
            f"{name} is not exposed: its top, {top:g} plates, is not above the hull, {floor_plates:g}"
        )
    # rounding removes errors of the last bits; + 0.0 turns -0.0 into 0.0
    x, y, length, width, bottom, top = (
        round(float(value), 9) + 0.0 for value in (x, y, length, width, bottom, top)
    )
    return RigidBody(name, tuple(pieces), BoxPart(x, y, length, width, bottom, top))


def _bounds(name: str, pieces: Iterable[Piece]) -> tuple[Array, Array]:
    """Return the least and the greatest corner of the pieces that collide, shape (3,): studs, studs, plates."""
    colliding = [piece for piece in pieces if not piece.overhangs]
    if not colliding:
        raise InvalidValueError(f"{name} has no piece that collides")
    low = np.min([piece.corner for piece in colliding], axis=0)
    return low, np.max([piece.high for piece in colliding], axis=0)


PART = "part"
_FOLDER = files("brickphys.shapes") / "assemblies"
_SUFFIX = ".toml"


@lru_cache
def assembly_names() -> tuple[str, ...]:
    """Return the names of all assemblies, in alphabetical order."""
    return tuple(name for name in _file_names() if shipped_toml(_file(name))["kind"] != PART)


@lru_cache
def assembly(name: str) -> Assembly:
    """Return the assembly of a name.

    Raises InvalidValueError if the name is unknown.
    """
    if name not in assembly_names():
        raise unknown("thing", name, assembly_names())
    return build_assembly(name, shipped_text(_file(name)))


def build_assembly(name: str, text: str) -> Assembly:
    """Return the assembly that a file of pieces describes.

    InvalidValueError if the file has a fault; the message names the file and the key. The text is TOML, see
    ``docs/models.md``.
    """
    entry = _entry(name, text)
    if entry.kind == PART:
        raise InvalidValueError(f"{name}{_SUFFIX} is a part of other things, not a thing")
    try:
        crew = {member: _pieces(body, name) for member, body in entry.crew.items()}
        hull = _pieces(entry, name)
        return assemble(name, entry.kind, entry.about, hull, crew, entry.raised_plates)
    except InvalidValueError as error:
        raise InvalidValueError(f"{name}{_SUFFIX}: {error}") from error


def _pieces(body: "BodyEntry", *within: str) -> list[Piece]:
    """Return the pieces of a body; `within` names the files that are being read, none of which may be included."""
    own = [piece for entry in body.pieces for piece in entry.pieces()]
    return own + [piece for entry in body.include for piece in _included(entry, *within)]


def _included(include: "IncludeEntry", *within: str) -> list[Piece]:
    others = [name for name in _file_names() if name not in within]
    if include.of not in others:
        raise unknown("file to include", include.of, others)
    pieces = _pieces(_entry(include.of, shipped_text(_file(include.of))), include.of, *within)
    if include.backwards:
        pieces = [piece.reflected(0).reflected(1) for piece in pieces]
    return [
        replace(piece, colour=include.recolour.get(piece.colour, piece.colour)).moved(include.at)
        for piece in pieces
    ]


def _entry(name: str, text: str) -> "AssemblyEntry":
    from brickphys.shapes.schema import parse

    return parse(text, f"{name}{_SUFFIX}")


@lru_cache
def _file_names() -> tuple[str, ...]:
    found = [entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX)]
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))


def _file(name: str) -> Traversable:
    return _FOLDER / f"{name}{_SUFFIX}"
