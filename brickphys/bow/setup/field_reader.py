"""Field reading: the field of a setup with its decor, and why some of it can be no part of one."""

import re
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Decor, Field, Kind, block
from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from brickphys.bow.setup.form import SetupForm
    from brickphys.bow.setup.schema import DecorDocument, FieldDocument


def read_field(form: "SetupForm", faults: list[str]) -> Field | None:
    """Return the field of a setup, bare where its decor has faults; None if its size is not known.

    Parameters
    ----------
    form
        The setup.
    faults
        Where to add the faults of its decor and its ground, as ``key.path: what``.
    """
    if form.field is None:
        return None
    ground, size = _ground(form.field, faults), (form.field.width, form.field.length)
    decor = {place: _decor(place, piece, faults) for place, piece in form.decor.items()}
    sound = {place: piece for place, piece in decor.items() if piece}
    try:
        return Field(*size, tuple(sound.values()), ground, form.field.step)
    except InvalidValueError as error:
        places = [place.removeprefix("field.") for place in sound]
        told = re.sub(r"decor\[(\d+)\]", lambda found: places[int(found[1])], str(error))
        faults.append(f"field: {told}")
        return Field(*size, (), ground, form.field.step)


def _ground(entry: "FieldDocument", faults: list[str]) -> tuple[float, ...]:
    rows = [len(row) for row in entry.ground]
    if rows and (len(rows) != entry.length or set(rows) != {entry.width}):
        faults.append(f"field.ground: not {entry.length} rows of {entry.width}")
        return ()
    return tuple(height for row in entry.ground for height in row)


def _decor(place: str, piece: "DecorDocument", faults: list[str]) -> Decor | None:
    if (piece.polygon is None) == (piece.block is None):
        faults.append(f"{place}: either a polygon or a block")
        return None
    corners = block(*piece.block) if piece.block else tuple(piece.polygon or ())
    kind = Kind(piece.kind)
    return Decor(piece.id, kind, corners, piece.bottom, piece.top, piece.locked, piece.color)
