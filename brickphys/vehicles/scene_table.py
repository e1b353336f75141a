"""Scene tables: a scene as the tables of a scene file, in studs, degrees and plates."""

from typing import Any

from brickphys.vehicles.scene import Decor, Scene, Thing, Vehicle


def tables(scene: Scene) -> dict[str, Any]:
    """Return what a scene file of a scene holds."""
    document: dict[str, Any] = {
        "field": {"width": scene.field.width_studs, "height": scene.field.height_studs},
        "move": {"vehicle": scene.mover_id, "sectors": scene.scheme.value},
    }
    for _, kind, thing in scene.things():
        document.setdefault(kind.value, []).append(_table(thing))
    return document


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
