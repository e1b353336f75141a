"""Assemblies by name, read from the files of pieces in ``shapes/assemblies``, one file for each.

A file of kind ``part`` is not a thing: other files include it.
"""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import shipped_text, shipped_toml
from brickphys.shapes.assembly import Assembly, assemble
from brickphys.shapes.piece import Piece

if TYPE_CHECKING:
    from brickphys.shapes.assembly_schema import AssemblyEntry, BodyEntry, IncludeEntry

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

    Parameters
    ----------
    name
        One of `assembly_names`, such as ``jeep``.

    Raises
    ------
    InvalidValueError
        If the name is unknown.
    """
    if name not in assembly_names():
        raise unknown("thing", name, assembly_names())
    return build_assembly(name, shipped_text(_file(name)))


def build_assembly(name: str, text: str) -> Assembly:
    """Return the assembly that a file of pieces describes.

    Parameters
    ----------
    name
        Name of the assembly and, with ``.toml``, of the file in messages.
    text
        TOML, see ``docs/models.md``.

    Raises
    ------
    InvalidValueError
        If the file has a fault; the message names the file and the key.
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
    from brickphys.shapes.assembly_schema import parse

    return parse(text, f"{name}{_SUFFIX}")


@lru_cache
def _file_names() -> tuple[str, ...]:
    found = [entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX)]
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))


def _file(name: str) -> Traversable:
    return _FOLDER / f"{name}{_SUFFIX}"
