"""Shrinking: the smallest scene that still shows a fault: things are taken out, then numbers are rounded.

Each edit of a stage is tried by itself; those that keep the fault are then made together.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from brickphys.vehicles.referee.fault import Fault

Tables = dict[str, Any]
"""The tables of a scene file."""
Edit = Callable[[Tables], None]
"""Changes tables in place; what is not there any more is left alone."""
FaultsOf = Callable[[Sequence[Tables]], Sequence[Fault | None]]
"""Asks for the answers to some scenes, and returns their faults; None where there is none."""

_MOST_LOOPS = 4
_DECIMALS = (0, 1, 2, 3, 5)
KINDS = ("unit", "decor", "vehicle")
"""Keys of the lists of things."""


def shrunk(tables: Tables, fault: Fault, faults_of: FaultsOf) -> Tables:
    """Return the tables of a smaller scene with a fault of the same kind, at the same thing."""

    def keep(many: Sequence[Tables]) -> list[bool]:
        found = faults_of(many) if many else []
        wanted = (fault.kind, fault.thing)
        return [one is not None and (one.kind, one.thing) == wanted for one in found]

    for _ in range(_MOST_LOOPS):
        before = tables
        for stage in (_removals, _defaults, _roundings, _single_roundings, _details):
            tables = _smaller(tables, list(stage(tables, fault.thing)), keep)
        if tables == before:
            break
    return tables


def _smaller(
    tables: Tables, edits: Sequence[Edit], keep: Callable[[Sequence[Tables]], list[bool]]
) -> Tables:
    """Return tables with as many edits as keep the fault together: all that do so alone, half of them, or one."""
    made = [(edit, new) for edit in edits if (new := _edited(tables, [edit])) != tables]
    kept = keep([new for _, new in made])
    good = [edit for (edit, _), is_kept in zip(made, kept, strict=True) if is_kept]
    counts = sorted({len(good), (len(good) + 1) // 2, 1}, reverse=True) if good else []
    tries = [_edited(tables, good[:count]) for count in counts]
    return next((new for new, is_kept in zip(tries, keep(tries), strict=True) if is_kept), tables)


def _edited(tables: Tables, edits: Sequence[Edit]) -> Tables:
    new = deepcopy(tables)
    for edit in edits:
        edit(new)
    return new


def _things(tables: Tables) -> Iterator[dict[str, Any]]:
    for kind in KINDS:
        yield from tables.get(kind, ())


def _removals(tables: Tables, needed: str | None) -> Iterator[Edit]:
    """Yield edits that take things out: all but the mover and the thing of the fault, or one of them."""
    own = {tables["move"]["vehicle"], *tables["move"].get("lashed", ())}
    names = [thing["id"] for thing in _things(tables) if thing["id"] not in own]
    yield partial(_without, names={name for name in names if name != needed})
    yield from (partial(_without, names={name}) for name in names)
    for name in tables["move"].get("lashed", ()):
        yield partial(_without, names={name})


def _without(tables: Tables, names: set[str]) -> None:
    for kind in KINDS:
        tables[kind] = [thing for thing in tables.get(kind, ()) if thing["id"] not in names]
    lashed = tables["move"].get("lashed", ())
    tables["move"]["lashed"] = [name for name in lashed if name not in names]


def _defaults(_tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that leave out pieces of the course at its ends, heights and models."""
    for end in (0, -1):
        yield partial(_without_piece, end=end)
    for key in ("bottom", "top", "model"):
        yield partial(_without_key, key=key)
    yield lambda found: found["move"].pop("sectors", None)


def _without_piece(tables: Tables, end: int) -> None:
    if len(tables["move"].get("piece", ())) > 1:
        del tables["move"]["piece"][end]


def _without_key(tables: Tables, key: str) -> None:
    for thing in _things(tables):
        thing.pop(key, None)


def _roundings(_tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that round all numbers, the coarsest first."""
    for decimals in _DECIMALS:
        yield partial(_round_all, decimals=decimals)


def _round_all(tables: Tables, decimals: int) -> None:
    for place in list(_numbers(tables)):
        _round(tables, place, decimals)


def _single_roundings(tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that round one number, the coarsest first."""
    for decimals in _DECIMALS:
        for place in _numbers(tables):
            yield partial(_round, place=place, decimals=decimals)


Steps = tuple[Any, ...]
"""Keys and positions that lead to a number."""


def _numbers(found: Any, place: Steps = ()) -> Iterator[Steps]:
    """Yield where numbers with digits after the point are."""
    if isinstance(found, dict | list):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _numbers(value, (*place, key))
    elif isinstance(found, float) and not found.is_integer():
        yield place


def _round(tables: Tables, place: Steps, decimals: int) -> None:
    holder: Any = tables
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = round(holder[place[-1]], decimals) + 0.0  # not -0.0


def _details(tables: Tables, _needed: str | None) -> Iterator[Edit]:
    """Yield edits that lower speeds and take out corners of outlines."""
    for thing in tables.get("vehicle", ()):
        is_mover = thing["id"] == tables["move"]["vehicle"]  # who stands still hits nothing
        for speed in reversed(range(int(is_mover), thing.get("speed", 0))):
            yield partial(_slow, name=thing["id"], speed=speed)
    for thing in tables.get("decor", ()):
        for corner in thing["polygon"]:
            yield partial(_without_corner, name=thing["id"], corner=corner)


def _slow(tables: Tables, name: str, speed: int) -> None:
    for thing in tables["vehicle"]:
        if thing["id"] == name:
            thing["speed"] = min(speed, thing["speed"])


def _without_corner(tables: Tables, name: str, corner: list[float]) -> None:
    for thing in tables["decor"]:
        if thing["id"] == name and corner in thing["polygon"] and len(thing["polygon"]) > 3:
            thing["polygon"].remove(corner)


def turned(tables: Tables, quarters: int) -> Tables:
    """Return a scene that is turned counter-clockwise by quarters of a circle, with its field."""
    if not quarters:
        return tables
    new, height = deepcopy(tables), tables["field"]["height"]
    new["field"] = {"width": height, "height": tables["field"]["width"]}
    for thing in _things(new):
        if "polygon" in thing:
            thing["polygon"] = [[height - y, x] for x, y in thing["polygon"]]
        else:
            thing["x"], thing["y"] = height - thing["y"], thing["x"]
        if "heading_deg" in thing:
            thing["heading_deg"] += 90.0
    for piece in new["move"].get("piece", ()):
        if "direction_deg" in piece:
            piece["direction_deg"] += 90.0
    return turned(new, quarters - 1)
