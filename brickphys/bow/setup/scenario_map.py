"""Scenario map: a field drawn in characters, one a stud, as the parts of a setup; each part knows where it is drawn.

The first row is the north: the highest y. Some signs mean something without a legend, the same that `text_map` writes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, NamedTuple

from brickphys.bow.field.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.setup.scenario_schema import SignDocument

LOW_WALL_PLATES = 6.0
SILL_PLATES = 6.0
"""A window begins so high; below it is a wall."""
_TOPS_PLATES = {"furniture": 3.0, "tree": 30.0}
"""How high decor is unless the legend says so; all other is `DECOR_TOP_PLATES`."""

USUAL: Mapping[str, SignDocument] = {
    ".": SignDocument(),
    "~": SignDocument(ground=-2),
    **{str(bricks): SignDocument(ground=bricks) for bricks in range(1, 10)},
    "#": SignDocument(decor="wall"),
    "-": SignDocument(decor="wall", id="low_wall", top=LOW_WALL_PLATES, color="tan"),
    "+": SignDocument(decor="door"),
    "'": SignDocument(decor="door", open=True),
    "=": SignDocument(decor="window"),
    '"': SignDocument(decor="window", open=True),
    "&": SignDocument(decor="furniture"),
    "T": SignDocument(decor="tree"),
}
"""Signs that need no legend."""

Cell = tuple[int, int]


class Box(NamedTuple):
    """A block of whole studs."""

    x: int
    y: int
    width: int
    length: int


@dataclass
class Drawn:
    """What a map shows, as parts of a setup.

    Attributes
    ----------
    field
        Width, length, ground and decor.
    units, vehicles, objects, open
        As in a setup; vehicles still with their `crew`.
    areas
        ``[x, y, width, length]`` of every named area.
    places
        Where each part is drawn: ``units[3]`` is ``legend.k at 7,12``.
    blocks
        The block of each vehicle, likewise.
    faults
        What is wrong with the drawing.
    """

    field: dict[str, Any] = attribute(default_factory=dict)
    units: list[dict[str, Any]] = attribute(default_factory=list)
    vehicles: list[dict[str, Any]] = attribute(default_factory=list)
    objects: list[dict[str, Any]] = attribute(default_factory=list)
    open: list[str] = attribute(default_factory=list)
    areas: dict[str, list[int]] = attribute(default_factory=dict)
    places: dict[str, str] = attribute(default_factory=dict)
    blocks: dict[str, Box] = attribute(default_factory=dict)
    faults: list[str] = attribute(default_factory=list)


def read_map(text: str, legend: Mapping[str, SignDocument]) -> Drawn:
    """Read a map.

    Parameters
    ----------
    text
        Rows of equal length, the north first.
    legend
        What its signs stand for, besides and instead of the usual ones.
    """
    drawn = Drawn()
    rows = text.strip("\n").split("\n")[::-1]
    cells = _cells(rows, {**USUAL, **legend}, drawn)
    drawn.faults += [
        f"legend.{sign}: stands nowhere on the map" for sign in legend if sign not in cells
    ]
    if drawn.faults:
        return drawn
    signs = {sign: {**USUAL, **legend}[sign] for sign in [*legend, *USUAL] if sign in cells}
    drawn.field = {"width": len(rows[0]), "length": len(rows), "decor": []}
    if any(sign.ground for sign in signs.values()):
        drawn.field["ground"] = [
            [BRICK_PLATES * signs[sign].ground for sign in row] for row in rows
        ]
    _add_areas(signs, cells, drawn)
    names = _names(signs, cells)
    for sign, what in signs.items():
        if what.thing:
            for box in _boxes(cells[sign], what):
                _add(sign, what, box, next(names), drawn)
    return drawn


def _cells(
    rows: list[str], signs: Mapping[str, SignDocument], drawn: Drawn
) -> dict[str, set[Cell]]:
    """Return where each sign stands, and note rows of other lengths and signs without meaning."""
    found: dict[str, set[Cell]] = {}
    wide = len(rows[-1])
    for y, row in enumerate(rows):
        if len(row) != wide or not row:
            line = len(rows) - y
            drawn.faults.append(f"map: row {line} has {len(row)} signs, the first has {wide}")
        for x, sign in enumerate(row):
            found.setdefault(sign, set()).add((x, y))
    drawn.faults += [
        f"map: {sign!r} at {_first(cells)} is not in the legend"
        for sign, cells in found.items()
        if sign not in signs
    ]
    drawn.faults += [f"legend.{sign}: not one character" for sign in signs if len(sign) != 1]
    return found


def _first(cells: set[Cell]) -> str:
    x, y = min(cells, key=lambda cell: (-cell[1], cell[0]))
    return f"{x},{y}"


def _add_areas(
    signs: Mapping[str, SignDocument], cells: Mapping[str, set[Cell]], drawn: Drawn
) -> None:
    studs: dict[str, set[Cell]] = {}
    for sign, what in signs.items():
        if what.area:
            studs.setdefault(what.area, set()).update(cells[sign])
    for name, area in studs.items():
        box = _around(area)
        if box.width * box.length != len(area):
            drawn.faults.append(f"map: the area {name!r} is no rectangle")
        drawn.areas[name] = list(box)


def _names(signs: Mapping[str, SignDocument], cells: Mapping[str, set[Cell]]) -> Iterator[str]:
    """Yield the name of each thing: its id, or what it is; numbered if there are several."""
    bases = [
        _base(what) for sign, what in signs.items() if what.thing for _ in _boxes(cells[sign], what)
    ]
    total, used = Counter(bases), Counter[str]()
    for base in bases:
        used[base] += 1
        yield base if total[base] == 1 else f"{base}_{used[base]}"


def _base(what: SignDocument) -> str:
    if what.id:
        return what.id
    return f"{what.player}_{what.unit}" if what.unit else what.vehicle or what.decor or ""


def _boxes(cells: set[Cell], what: SignDocument) -> list[Box]:
    """Return the studs of each thing: one for a unit or an object, one block for a vehicle, blocks for decor."""
    if what.thing in ("unit", "item"):
        return [Box(x, y, 1, 1) for x, y in sorted(cells, key=lambda cell: (-cell[1], cell[0]))]
    if what.thing == "vehicle":
        return [_around(part) for part in _parts(cells)]
    return [box for part in _parts(cells) for box in _blocks(part)]


def _parts(cells: set[Cell]) -> list[set[Cell]]:
    """Return the sets of studs that hang together, from the north-west on."""
    left, found = set(cells), []
    for cell in sorted(cells, key=lambda cell: (-cell[1], cell[0])):
        if cell in left:
            part, edge = set[Cell](), [cell]
            while edge:
                x, y = edge.pop()
                if (x, y) in left:
                    left.remove((x, y))
                    part.add((x, y))
                    edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            found.append(part)
    return found


def _blocks(part: set[Cell]) -> list[Box]:
    """Cut studs into few blocks: the longest from each corner that is left, the long way first."""
    left, found = set(part), list[Box]()
    while left:
        x, y = min(left, key=lambda cell: (cell[1], cell[0]))
        box = max(_grown(left, x, y, along_x=True), _grown(left, x, y, along_x=False), key=_size)
        left -= {
            (box.x + column, box.y + row)
            for column in range(box.width)
            for row in range(box.length)
        }
        found.append(box)
    return found


def _grown(cells: set[Cell], x: int, y: int, *, along_x: bool) -> Box:
    width = length = 1
    for grows_x in (along_x, not along_x):
        if grows_x:
            while all((x + width, y + row) in cells for row in range(length)):
                width += 1
        else:
            while all((x + column, y + length) in cells for column in range(width)):
                length += 1
    return Box(x, y, width, length)


def _size(box: Box) -> int:
    return box.width * box.length


def _around(cells: set[Cell]) -> Box:
    columns, rows = {x for x, _ in cells}, {y for _, y in cells}
    x, y = min(columns), min(rows)
    return Box(x, y, max(columns) - x + 1, max(rows) - y + 1)


def _add(sign: str, what: SignDocument, box: Box, name: str, drawn: Drawn) -> None:
    """Add a thing to the parts of the setup."""
    place = f"legend.{sign} at {box.x},{box.y}"
    if what.decor:
        _add_decor(what, box, name, place, drawn)
    elif what.unit:
        entry = {"id": name, "sheet": what.unit, "player": what.player, "x": box.x, "y": box.y}
        _note("units", drawn.units, {**entry, "facing": what.facing}, place, drawn)
    elif what.vehicle:
        x, y = box.x + box.width / 2, box.y + box.length / 2
        drawn.blocks[f"vehicles[{len(drawn.vehicles)}]"] = box
        parked = {"id": name, "sheet": what.vehicle, "player": what.player, "x": x, "y": y}
        rest = {"heading_deg": what.heading_deg, "speed": what.speed, "crew": what.crew}
        _note("vehicles", drawn.vehicles, {**parked, **rest}, place, drawn)
    else:
        lying = {"item": what.item, "x": box.x, "y": box.y}
        _note("objects", drawn.objects, lying, place, drawn)


def _note(
    kind: str, entries: list[dict[str, Any]], entry: dict[str, Any], place: str, drawn: Drawn
) -> None:
    drawn.places[f"{kind}[{len(entries)}]"] = place
    entries.append(entry)


def _add_decor(what: SignDocument, box: Box, name: str, place: str, drawn: Drawn) -> None:
    """Add decor on its ground, below a window a sill."""
    ground, decor = BRICK_PLATES * what.ground, drawn.field["decor"]
    kind = what.decor or "wall"
    top = _TOPS_PLATES.get(kind, DECOR_TOP_PLATES) if what.top is None else what.top
    bottom = what.bottom
    if bottom is None:
        bottom = SILL_PLATES if kind == "window" else 0.0
        if kind == "window":
            sill = {"id": f"{name}_sill", "kind": "wall", "block": list(box), "bottom": ground}
            _note("decor", decor, {**sill, "top": ground + SILL_PLATES}, place, drawn)
    entry = {"id": name, "kind": kind, "block": list(box)}
    heights = {"bottom": ground + bottom, "top": ground + top}
    looks = {"locked": what.locked, "color": what.color}
    looks = {key: value for key, value in looks.items() if value}
    _note("decor", decor, {**entry, **heights, **looks}, place, drawn)
    if what.open:
        drawn.open.append(name)
