"""Field reader: the field of a setup with its decor."""

import re
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Decor, DecorType, Field, block
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import open_ring

if TYPE_CHECKING:
    from brickphys.bow.setup.setup_schema import DecorDocument, SetupField


def read_field(document: "SetupField", faults: list[str]) -> Field | None:
    """Return the field of a setup; None if it has a fault of meaning.

    Parameters
    ----------
    document
        What the setup says about it.
    faults
        Its faults are added to these, as ``key.path: what``.
    """
    found = [*_ground_faults(document), *_decor_faults(document.decor)]
    faults += found
    if found:
        return None
    ground = tuple(height for row in document.ground for height in row)
    decor = tuple(map(_decor, document.decor))
    try:
        return Field(document.width, document.length, decor, ground, document.step)
    except InvalidValueError as error:
        faults.append(re.sub(r"\bdecor\[", "field.decor[", str(error)))
        return None


def _ground_faults(document: "SetupField") -> list[str]:
    rows = [len(row) for row in document.ground]
    if rows and (len(rows) != document.length or set(rows) != {document.width}):
        return [f"field.ground: not {document.length} rows of {document.width}"]
    return []


def _decor_faults(decor: "list[DecorDocument]") -> list[str]:
    return [
        f"field.decor[{index}]: either a polygon or a block"
        for index, piece in enumerate(decor)
        if (piece.polygon is None) == (piece.block is None)
    ]


def _decor(piece: "DecorDocument") -> Decor:
    corners = block(*piece.block) if piece.block else open_ring(piece.polygon or ())
    kind = DecorType(piece.kind)
    return Decor(piece.id, kind, corners, piece.bottom, piece.top, piece.locked, piece.color)
