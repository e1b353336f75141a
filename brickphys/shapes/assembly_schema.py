"""The schema of a file of pieces; loads pydantic, so only `assembly_file` imports it."""

import tomllib
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brickphys.errors import InvalidValueError
from brickphys.shapes.piece import Piece

Triple = tuple[float, float, float]


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
    """The pieces of another file, put at a place, perhaps turned to face backwards and in other colours."""

    of: str
    at: Triple
    backwards: bool = False
    recolour: dict[str, str] = {}


class BodyEntry(_Strict):
    """What a body is made of."""

    pieces: tuple[PieceEntry, ...] = ()
    include: tuple[IncludeEntry, ...] = ()


class AssemblyEntry(BodyEntry):
    """A whole file."""

    kind: Literal["vehicle", "figure", "decor", "part"]
    about: str
    raised_plates: Annotated[float, Field(ge=0)] = 0.0
    crew: dict[str, BodyEntry] = {}


def parse(text: str, place: str) -> AssemblyEntry:
    """Return what a file says.

    Raises
    ------
    InvalidValueError
        If it is no TOML, or has unknown, missing or impossible values: all of them, each with its place.
    """
    try:
        return AssemblyEntry.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InvalidValueError(f"{place}: {error}") from error
    except ValidationError as error:
        faults = error.errors(include_url=False)
    told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults]
    raise InvalidValueError(f"{place}: {'; '.join(told)}")
