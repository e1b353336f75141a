"""Floor: the table, baseplate or tray on which bodies fall."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from brickphys.arrays import Array
from brickphys.throws.floors import STUD_HEIGHT_MM, Floor
from brickphys.units import STUD_MM
from brickphys.view.recording import Shape, Surface, Thing, Track, standing
from brickphys.view.shapes.solids import board, box, grid, merged, stud

_AROUND_MM = 96.0
"""Margin of the floor around the bodies."""
_TABLE, _EDGE, _PLATE = "#dcc6a0", "#8c6b47", "#4f9a5b"
_FINE, _GRID = "#cdb58c", "#94794f"
"""Lines of every stud, and of every fourth."""
_STUD = "#56a362"
_THICK_MM, _WALL_MM, _WALL_HEIGHT_MM = 8.0, 6.0, 30.0
_MOST_STUDS = 6000


def floor_things(places_mm: Array, floor: Floor) -> Iterator[Thing]:
    """Yield the floor under bodies at some places, shape (n, 3), with a grid in studs or with its studs."""
    low, high = _extent(places_mm[:, :2], floor)
    if not floor.studs:
        surfaces = [
            *board(low, high, _TABLE, _EDGE, _THICK_MM),
            grid(low, high, STUD_MM, 0.02, _FINE),
            grid(low, high, 4 * STUD_MM, 0.03, _GRID),
        ]
        if floor.inside_mm is not None:
            surfaces += _walls(floor.inside_mm / 2)
        yield _fixed("floor", Shape("floor", merged(surfaces)), 0.0)
        return
    plate = merged(board(low, high, _PLATE, _PLATE, _THICK_MM))
    yield _fixed("floor", Shape("floor", plate), -STUD_HEIGHT_MM)
    columns, rows = (np.arange(a + STUD_MM / 2, b, STUD_MM) for a, b in zip(low, high, strict=True))
    places = np.array(list(product(columns, rows)))
    copies = np.column_stack([places, np.zeros((len(places), 4)), np.ones(len(places))])
    track = Track.fixed(standing(0.0, 0.0, -STUD_HEIGHT_MM))
    yield Thing("studs", stud(_STUD), track, copies_mm=copies)


def _fixed(name: str, shape: Shape, height_mm: float) -> Thing:
    return Thing(name, shape, Track.fixed(standing(0.0, 0.0, height_mm)))


def _extent(places: Array, floor: Floor) -> tuple[list[float], list[float]]:
    """Return the corners of the floor, at whole studs, not so large that it has too many studs."""
    low, high, around = places.min(axis=0), places.max(axis=0), _AROUND_MM
    if floor.inside_mm is not None:
        low, high = np.minimum(low, -floor.inside_mm / 2), np.maximum(high, floor.inside_mm / 2)
    if floor.studs:
        while np.prod((high - low + 2 * around) / STUD_MM) > _MOST_STUDS and around > 2 * STUD_MM:
            around /= 2
    least, most = (
        4 * STUD_MM * np.floor((low - around) / STUD_MM / 4),
        4 * STUD_MM * np.ceil((high + around) / STUD_MM / 4),
    )
    return least.tolist(), most.tolist()


def _walls(half: float) -> list[Surface]:
    """Return the walls of a tray, of glass, so that one sees through them."""
    far = half + _WALL_MM
    sides = (
        ((-far, -far), (far, -half)),
        ((-far, half), (far, far)),
        ((-far, -half), (-half, half)),
        ((half, -half), (far, half)),
    )
    return [box((*low, 0.0), (*high, _WALL_HEIGHT_MM), "glass") for low, high in sides]
