"""Scene faults: everything that is wrong with the tables of a scene, from a file or from Python; loads pydantic.

What a key may hold stands in `brickphys.vehicles.scene_schema`. Faults between keys and between things are told as far
as the keys that they need are sound: so mending one fault brings no other to light.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from brickphys.errors import unknown
from brickphys.geometry.polygon import convex_polygon
from brickphys.schema import entries, sound
from brickphys.schema import faults as form_faults
from brickphys.vehicles.scene import Field
from brickphys.vehicles.scene_schema import (
    THINGS,
    FieldDocument,
    MoveDocument,
    SceneDocument,
    with_model_sizes,
)


def faults(raw: dict[str, Any]) -> list[str]:
    """Return every fault of the tables of a scene, each as ``key.path: what``, with the id of the thing."""
    whole = with_model_sizes(raw)
    things = {
        f"{table}[{index}]": sound(document, entry)
        for table, document in THINGS.items()
        for index, entry in enumerate(entries(whole, table))
    }
    found = [*_form_faults(whole), *_own_faults(things), *_shared_ids(things)]
    found += [*_outside(whole, things), *_mover_faults(whole, things)]
    return [_with_id(fault, things) for fault in found]


def _form_faults(raw: dict[str, Any]) -> list[str]:
    try:
        SceneDocument.model_validate(raw)
    except ValidationError as error:
        return form_faults(error, SceneDocument)
    return []


def _own_faults(things: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield where the top of a thing is not above its bottom."""
    for place, thing in things.items():
        if thing and {"bottom", "top"} <= thing.keys() and not thing["bottom"] < thing["top"]:
            yield f"{place}.top: {thing['top']:g} is not above bottom, {thing['bottom']:g}"


def _shared_ids(things: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    places: dict[str, str] = {}
    for place, thing in things.items():
        name = thing.get("id")
        if name in places:
            yield f"{place}.id: {name!r} is also the id of {places[name]}"
        elif name is not None:
            places[name] = place


def _outside(raw: dict[str, Any], things: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the vehicles and units whose centres are beyond the border, and the decor all of which is."""
    size = sound(FieldDocument, raw.get("field"))
    if size.keys() < {"width", "height"}:
        return
    field = Field(size["width"], size["height"])
    for place, thing in things.items():
        is_on = True
        if {"x", "y"} <= thing.keys():
            is_on = field.holds((thing["x"], thing["y"]))
        elif "polygon" in thing:
            is_on = field.overlaps(convex_polygon([(x, y) for x, y in thing["polygon"]]))
        if not is_on:
            yield f"{place}: outside the field of {size['width']:g} x {size['height']:g} studs"


def _mover_faults(raw: dict[str, Any], things: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield that there is no such mover, unless it may be a vehicle whose id is at fault."""
    name = sound(MoveDocument, raw.get("move")).get("vehicle")
    names = [thing.get("id") for place, thing in things.items() if place.startswith("vehicle")]
    known = [one for one in names if one is not None]
    if name is not None and known and len(known) == len(names) and name not in known:
        yield f"move.vehicle: {unknown('vehicle', name, known)}"


def _with_id(fault: str, things: Mapping[str, dict[str, Any]]) -> str:
    """Add the id of the thing that a fault is of."""
    place = re.match(r"\w+\[\d+\]", fault)
    name = things.get(place[0], {}).get("id") if place else None
    return fault if name is None else f"{fault} (id {name!r})"
