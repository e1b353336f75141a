"""Setup form: what of a setup has the right form, each entry by its key path, and the faults of the rest.

So what a battle means can be looked at as far as its parts are sound, and mending one fault brings no other to light.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from brickphys.bow.setup import schema
    from brickphys.schema import Strict

M = TypeVar("M", bound="Strict")

DECOR = "field.decor"
LIBRARY = "library"
OWNERS, SHEETS = "owners", "sheets"
"""What a setup may lack besides entries of its lists: players, or sheets, that are named."""


@dataclass(frozen=True)
class SetupForm:
    """The sound parts of a setup; entries of its lists by their places, as ``units[3]``.

    Attributes
    ----------
    players, field, units, vehicles, objects, open, actions, aims, options, library
        As in `brickphys.bow.setup.schema`; the field without its decor, None if not even its size is known.
    decor
        That of the field.
    lacking
        The lists of which something is left out.
    faults
        Why, as ``key.path: what``.
    """

    players: Mapping[str, "schema.PlayerDocument"]
    field: "schema.FieldDocument | None"
    decor: Mapping[str, "schema.DecorDocument"]
    units: Mapping[str, "schema.UnitDocument"]
    vehicles: Mapping[str, "schema.VehicleDocument"]
    objects: Mapping[str, "schema.ObjectDocument"]
    open: Mapping[str, str]
    actions: Mapping[str, str]
    aims: Mapping[str, "schema.AimDocument"]
    options: "schema.OptionsDocument"
    library: dict[str, Any]
    lacking: frozenset[str]
    faults: tuple[str, ...]


def read_form(setup: Mapping[str, Any]) -> SetupForm:
    """Return the sound parts of a setup."""
    from brickphys.bow.setup import schema
    from brickphys.schema import read_part

    raw = dict(setup)
    field = raw.get("field")
    lists: dict[str, tuple[Any, bool]] = {
        "players": _entries(schema.PlayerDocument, raw, "players"),
        "units": _entries(schema.UnitDocument, raw, "units"),
        "vehicles": _entries(schema.VehicleDocument, raw, "vehicles"),
        "objects": _entries(schema.ObjectDocument, raw, "objects"),
        "aims": _entries(schema.AimDocument, raw, "aims"),
        DECOR: _entries(
            schema.DecorDocument, field if isinstance(field, dict) else {}, "decor", "field."
        ),
    }
    library = raw.get("library", {})
    found: dict[str, Any] = {part.rpartition(".")[2]: kept for part, (kept, _) in lists.items()}
    found |= {part: _words(raw, part) for part in ("open", "actions")}
    return SetupForm(
        field=_field(field),
        **found,
        options=read_part(schema.OptionsDocument, raw.get("options", {}))
        or schema.OptionsDocument(),
        library=library if isinstance(library, dict) else {},
        lacking=frozenset(part for part, (_, is_whole) in lists.items() if not is_whole),
        faults=tuple(_faults(raw)),
    )


def _faults(raw: dict[str, Any]) -> list[str]:
    from pydantic import ValidationError

    from brickphys.bow.setup.schema import SetupDocument
    from brickphys.schema import faults

    try:
        SetupDocument.model_validate(raw)
    except ValidationError as error:
        return faults(error, SetupDocument)
    return []


def _entries(
    model: type[M], raw: dict[str, Any], part: str, above: str = ""
) -> tuple[dict[str, M], bool]:
    """Return the sound entries of a list by their places, and whether these are all."""
    from brickphys.schema import entries, read_part

    read = [read_part(model, entry) for entry in entries(raw, part)]
    kept = {f"{above}{part}[{index}]": entry for index, entry in enumerate(read) if entry}
    return kept, len(kept) == len(read) and isinstance(raw.get(part, []), list)


def _words(raw: dict[str, Any], part: str) -> dict[str, str]:
    found = raw.get(part)
    words = enumerate(found if isinstance(found, list) else [])
    return {f"{part}[{index}]": word for index, word in words if isinstance(word, str)}


def _field(raw: Any) -> "schema.FieldDocument | None":
    """Return a field without its decor, and without its ground and step if these have a fault."""
    from brickphys.bow.setup.schema import FieldDocument
    from brickphys.schema import sound

    entry = {key: value for key, value in sound(FieldDocument, raw).items() if key != "decor"}
    return FieldDocument(**entry) if {"width", "length"} <= entry.keys() else None
