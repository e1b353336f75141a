"""The schema of a file of pieces. It loads pydantic, so `assembly_file` imports it only to read a file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brickphys.arrays import Triple
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import open_ring
from brickphys.reading import parse_toml
from brickphys.shapes.piece import Piece


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class PieceEntry(_Strict):
    """A piece, its copies and its mirror image."""

    form: str
    """`brick`, `plate`, `tile`, `block`, `prism` or `cylinder`."""
    at: Triple
    """Least x and y in studs, and z in plates, of its box without studs on top."""
    size: Triple
    """Size of the box: studs, studs, plates."""
    colour: str
    """Colour by name."""
    axis: str = "z"
    """Axis of a prism or cylinder: x, y or z."""
    outline: tuple[tuple[float, float], ...] = ()
    """Convex base of a prism: corners in the two other axes, as shares of the box."""
    bore: float = 0.0
    """Inner over outer diameter of a cylinder."""
    material: str = "hollow"
    """`hollow`, `abs` or `rubber`; of blocks, prisms and cylinders."""
    mass_g: float | None = None
    """Weighed mass in grams, in place of the computed one."""
    overhangs: bool = False
    """Whether it is left out of footprint and height, as the barrel of a gun is."""
    copies: tuple[Triple, ...] = ()
    """Shifts by which the piece is there again: studs, studs, plates."""
    mirror: bool = False
    """Whether all of them are there again at -y."""

    def pieces(self) -> list[Piece]:
        """Return the piece, its copies, and the mirror images (at -y) of all of them."""
        kept = self.model_dump(exclude={"at", "copies", "mirror", "outline"})
        first = Piece(corner=self.at, outline=open_ring(self.outline), **kept)
        pieces = [first, *(first.moved(by) for by in self.copies)]
        return pieces + [piece.reflected(1) for piece in pieces] * self.mirror


class IncludeEntry(_Strict):
    """The pieces of another file, moved by `at`, optionally turned by 180 degrees and recoloured."""

    of: str
    """Name of the other model."""
    at: Triple
    """Shift of its pieces: studs, studs, plates."""
    backwards: bool = False
    """Whether it is turned by 180 degrees."""
    recolour: dict[str, str] = {}
    """Colour → the colour in its place."""


class BodyEntry(_Strict):
    """The pieces of a body, its own and those of included files."""

    pieces: tuple[PieceEntry, ...] = ()
    """Pieces of its own."""
    include: tuple[IncludeEntry, ...] = ()
    """Other models that are part of it."""


class AssemblyEntry(BodyEntry):
    """A whole file."""

    kind: Literal["vehicle", "figure", "decor", "part"]
    """Kind of thing; a part is only included by others."""
    about: str
    """Short description."""
    raised_plates: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """Height of its underside above the ground, in plates."""
    crew: dict[str, BodyEntry] = {}
    """Seat → the figure in it, a body that comes off in a crash."""


def parse(text: str, place: str) -> AssemblyEntry:
    """Return the entry of a file's text; messages start with `place`.

    Raises
    ------
    InvalidValueError
        If the text is not TOML, or has unknown, missing or impossible values; the message lists all of them by key.
    """
    tables = parse_toml(text, place)
    try:
        return AssemblyEntry.model_validate(tables)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    texts = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults]
    raise InvalidValueError(f"{place}: {'; '.join(texts)}")
