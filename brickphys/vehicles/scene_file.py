"""Scene files: a scene as TOML, JSON or GeoJSON, in studs, degrees and plates; checked when read."""

from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError, SceneFileError, naming, raised_as
from brickphys.notes import NOTES
from brickphys.reading import MOST_SCENE_BYTES, parse_json, parse_toml, read_text
from brickphys.vehicles.geojson import collection_of, is_collection, tables_of
from brickphys.vehicles.scene import Fixture, Piece, PivotTurn, Scene, Thing, TimedPiece, Vehicle


def read_scene(path: Path | str) -> Scene:
    """Read a scene file.

    SceneFileError if the file cannot be read, is neither TOML nor JSON, or has any fault; one line lists the faults as
    ``key.path: what``.
    """
    with raised_as(SceneFileError):
        return parse_scene(read_text(path, MOST_SCENE_BYTES), str(path), Path(path).parent)


def parse_scene(text: str, name: str = "scene", folder: Path | None = None) -> Scene:
    """Return the scene in a text, of a file in a folder; `name` begins the message of an error (see `read_scene`)."""
    with raised_as(SceneFileError):
        if text.lstrip().startswith("<"):
            told = "" if name.lower().endswith(".xml") else "; name it .xml"
            raise InvalidValueError(f"{name}: XML: it is for `brickphys collide FILE.xml`{told}")
        raw = parse_json(text, name) if text.lstrip().startswith("{") else parse_toml(text, name)
    return scene_in(raw, name, folder)


def scene_in(raw: dict[str, Any], name: str = "scene", folder: Path | None = None) -> Scene:
    """Return the scene in the tables of a scene file, as `tomllib` reads them, or in GeoJSON (see `parse_scene`)."""
    from brickphys.vehicles.scene_schema import scene_of  # loads pydantic

    with naming(name, SceneFileError):
        tables = plain_tables(raw)
        return scene_of(_with_models(tables, folder) if folder else tables)


def plain_tables(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of a scene file; those that a FeatureCollection of GeoJSON stands for. Tuples become lists."""
    found: dict[str, Any] = _listed(tables_of(raw) if is_collection(raw) else raw)
    return found


def _with_models(tables: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the tables of a scene file in which vehicles have the shapes of the LDraw files that they name."""
    from brickphys.shapes.ldraw import ldraw

    found = tables.get("vehicle")
    for table in found if isinstance(found, list) else []:
        if isinstance(table, dict) and isinstance(table.get("ldraw"), str):
            model = ldraw(folder / table.pop("ldraw"))
            table |= {**model.shape, **table}
            for line in model.left_out:
                NOTES.warning("%s: %s", model.name, line)
    return tables


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list | tuple) else value


def scene_geojson(scene: Scene) -> dict[str, Any]:
    """Return a scene as GeoJSON, which is a scene file, too."""
    return collection_of(scene, scene_tables(scene))


def scene_text(scene: Scene) -> str:
    """Return a scene as the text of a scene file; reading it gives the same scene."""
    import tomli_w

    return tomli_w.dumps(scene_tables(scene))


def scene_tables(scene: Scene) -> dict[str, Any]:
    """Return the tables of a scene file of a scene, as `scene_in` reads them."""
    document: dict[str, Any] = {
        "field": {"width": scene.bounds.width_studs, "height": scene.bounds.height_studs},
        "move": {"vehicle": scene.mover_id, "sectors": scene.scheme.value},
    }
    if scene.lashed:
        document["move"]["lashed"] = list(scene.lashed)
    if scene.course:
        document["move"]["piece"] = [_piece_table(piece) for piece in scene.course]
    if scene.doubt:
        document["doubt"] = {name: [list(row) for row in rows] for name, rows in scene.doubt}
    for thing in scene.things:
        document.setdefault(thing.type.value, []).append(_table(thing))
    return document


def _piece_table(piece: Piece) -> dict[str, Any]:
    if isinstance(piece, PivotTurn):
        return {"turn_deg": piece.turn_deg, "pivot": list(piece.pivot_studs)}
    drift = {} if piece.direction_deg is None else {"direction_deg": piece.direction_deg}
    return {"ahead": piece.ahead_studs, **drift}


def _timed_table(timed: TimedPiece) -> dict[str, Any]:
    if timed.piece is None:
        return {"wait_s": timed.wait_s}
    unit = "deg_s" if isinstance(timed.piece, PivotTurn) else "studs_s"
    pace = {f"speed_{unit}": timed.speed, f"acceleration_{unit}2": timed.acceleration}
    return {**_piece_table(timed.piece), **pace}


def _table(thing: Thing) -> dict[str, Any]:
    more: dict[str, Any] = {"bottom": thing.bottom_plates, "top": thing.top_plates}
    if thing.model is not None:
        more["model"] = thing.model
    if isinstance(thing, Fixture):
        tables = [part.table() for part in thing.outline]
        is_one = len(tables) == 1 and "name" not in tables[0]
        return {"id": thing.id, **(tables[0] if is_one else {"part": tables}), **more}
    table = {"id": thing.id, "x": thing.x_studs, "y": thing.y_studs, **more}
    if isinstance(thing, Vehicle):
        size = {"length": thing.length_studs, "width": thing.width_studs}
        table |= {"heading_deg": thing.heading_deg, **size, "speed": thing.speed}
        table |= {"part": [part.table() for part in thing.parts]} if thing.parts else {}
        if thing.trajectory:
            table["trajectory"] = [_timed_table(timed) for timed in thing.trajectory]
    return table
