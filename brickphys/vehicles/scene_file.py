"""Scene files: a scene as TOML, in studs, degrees and plates, checked when read and written whole or not at all."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.errors import InvalidValueError, SceneFileError
from brickphys.vehicles.scene import (
    Decor,
    Field,
    Scene,
    Thing,
    Vehicle,
    mover_problems,
    things_problems,
)
from brickphys.vehicles.sectors import Scheme

if TYPE_CHECKING:
    from brickphys.vehicles.scene_schema import SceneDocument, ThingDocument


def read_scene(path: Path | str) -> Scene:
    """Read a scene file.

    Raises
    ------
    SceneFileError
        If the file cannot be read, is no TOML, or has any fault; one line lists every fault as ``key.path: what``.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SceneFileError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return parse_scene(text, str(path))


def parse_scene(text: str, name: str = "scene") -> Scene:
    """Return the scene in a text; `name` begins the message of an error (see `read_scene`)."""
    from pydantic import ValidationError

    from brickphys.schema import faults
    from brickphys.vehicles.scene_schema import SceneDocument

    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SceneFileError(f"{name}: not TOML: {error}") from None
    try:
        return _scene(SceneDocument.model_validate(raw))
    except ValidationError as error:
        found = [*faults(error, SceneDocument), *_other_faults(raw)]
        raise SceneFileError(f"{name}: {'; '.join(found)}") from None
    except InvalidValueError as error:
        raise SceneFileError(f"{name}: {error}") from None


def scene_text(scene: Scene) -> str:
    """Return a scene as the text of a scene file; reading it gives the same scene."""
    import tomli_w

    document: dict[str, Any] = {
        "field": {"width": scene.field.width_studs, "height": scene.field.height_studs},
        "move": {"vehicle": scene.mover_id, "sectors": scene.scheme.value},
    }
    for _, kind, thing in scene.things():
        document.setdefault(kind.value, []).append(_table(thing))
    return tomli_w.dumps(document)


def _table(thing: Thing) -> dict[str, Any]:
    more: dict[str, Any] = {"bottom": thing.bottom_plates, "top": thing.top_plates}
    if thing.model is not None:
        more["model"] = thing.model
    if isinstance(thing, Decor):
        return {"id": thing.id, "polygon": [list(c) for c in thing.corners_studs], **more}
    table = {"id": thing.id, "x": thing.x_studs, "y": thing.y_studs, **more}
    if isinstance(thing, Vehicle):
        size = {"length": thing.length_studs, "width": thing.width_studs}
        table |= {"heading_deg": thing.heading_deg, **size, "speed": thing.speed}
    return table


def _scene(document: "SceneDocument") -> Scene:
    return Scene(
        Field(document.field.width, document.field.height),
        document.move.vehicle,
        tuple(vehicle.thing() for vehicle in document.vehicle),
        tuple(unit.thing() for unit in document.unit),
        tuple(decor.thing() for decor in document.decor),
        Scheme(document.move.sectors),
    )


def _other_faults(raw: dict[str, Any]) -> list[str]:
    """Return the faults that only show between things, as far as the parts of a faulty file can be read."""
    from brickphys.schema import entries, read_part
    from brickphys.vehicles import scene_schema as schema

    size = read_part(schema.FieldDocument, raw.get("field"))
    move = read_part(schema.MoveDocument, raw.get("move"))
    field = Field(size.width, size.height) if size else None
    placed = [
        *_readable(schema.UnitDocument, raw, "unit"),
        *_readable(schema.DecorDocument, raw, "decor"),
        *_readable(schema.VehicleDocument, raw, "vehicle"),
    ]
    names = [str(entry["id"]) for entry in entries(raw, "vehicle") if "id" in entry]
    return things_problems(field, placed) + (mover_problems(move.vehicle, names) if move else [])


def _readable(
    model: "type[ThingDocument]", raw: dict[str, Any], table: str
) -> Iterator[tuple[str, Thing]]:
    from brickphys.schema import entries, read_part

    for index, entry in enumerate(entries(raw, table)):
        document = read_part(model, entry)
        if document:
            yield f"{table}[{index}]", document.thing()
