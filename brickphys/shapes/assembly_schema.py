"""The schema of a file of pieces. It loads pydantic, so `assembly_file` imports it only to read a file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brickphys.arrays import Triple
from brickphys.errors import InvalidValueError
from brickphys.reading import parse_toml
from brickphys.shapes.piece import Piece


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class PieceEntry(_Strict):
    """A piece, its copies and its mirror image."""

    form: str
    at: Triple
    size: Triple
    colour: str
    axis: str = "z"
    outline: tuple[tuple[float, float], ...] = ()
    bore: float = 0.0
    material: str = "hollow"
    mass_g: float | None = None
    overhangs: bool = False
    copies: tuple[Triple, ...] = ()
    mirror: bool = False

    def pieces(self) -> list[Piece]:
        """Return the piece, its copies, and the mirror images (at -y) of all of them."""
        kept = self.model_dump(exclude={"at", "copies", "mirror"})
        first = Piece(corner=self.at, **kept)
        pieces = [first, *(first.moved(by) for by in self.copies)]
        return pieces + [piece.reflected(1) for piece in pieces] * self.mirror


class IncludeEntry(_Strict):
    """The pieces of another file, moved by `at`, optionally turned by 180 degrees and recoloured."""

    of: str
    at: Triple
    backwards: bool = False
    recolour: dict[str, str] = {}


class BodyEntry(_Strict):
    """The pieces of a body, its own and those of included files."""

    pieces: tuple[PieceEntry, ...] = ()
    include: tuple[IncludeEntry, ...] = ()


class AssemblyEntry(BodyEntry):
    """A whole file."""

    kind: Literal["vehicle", "figure", "decor", "part"]
    about: str
    raised_plates: Annotated[float, Field(ge=0)] = 0.0
    crew: dict[str, BodyEntry] = {}


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
