"""Sheet scene: what description sheets describe, as built models side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from math import sqrt
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.geometry.polygon import Point
from brickphys.rules.report.sheets import Sheet
from brickphys.units import STUD_MM
from brickphys.view.builder import Builder, Placed
from brickphys.view.cast import EVER_MS, Cast
from brickphys.view.colours import shown_players
from brickphys.view.recording import Event, SceneRecording, Shape, View
from brickphys.view.shapes.solids import board, grid, merged

_TABLE, _EDGE, _LINES = "#dcc6a0", "#8c6b47", "#cdb58c"
_THICK_MM, _GAP_MM = 8.0, 2 * STUD_MM
MOST_DRAWN = 40
"""Sheets in one picture."""
_LONGER = 2.2
"""Approximate ratio of the length of a row to the depth of all rows."""


def sheets_recording(
    builder: Builder[Any], sheets: Sequence[Sheet], players: Sequence[str] = ("red",)
) -> SceneRecording | None:
    """Return the models of sheets in rows on a table; None if none of them has a model.

    Parameters
    ----------
    builder
        Of their game.
    sheets
        The sheets.
    players
        Colours of players, in which they are one after the other.
    """
    colours = cycle(shown_players(players))
    found = (list(builder.sheet(one, colour)) for one, colour in zip(sheets, colours, strict=False))
    groups = [group for group in found if group]
    if not groups:
        return None
    placed, size = _in_rows(groups)
    cast = Cast()
    cast.act([_table(size), *placed], (), 0, 0)
    names = ", ".join(group[0].label for group in groups)
    about = f"Built models: {names}."
    corners = (0.0, -size[1], 0.0), (size[0], 0.0, max(map(_top_mm, groups)))
    return SceneRecording(
        title="What the sheets describe",
        about=about,
        duration_ms=1,
        speed=1.0,
        is_physical=False,
        things=tuple(cast.things(EVER_MS)),
        events=(Event(0, "", about),),
        views=(
            View("from before", -90.0, 28.0, *corners),
            View("from above", -90.0, 80.0, *corners),
            View("from the left", -150.0, 25.0, *corners),
            View("from behind", 90.0, 28.0, *corners),
        ),
    )


def _in_rows(groups: Sequence[Sequence[Placed]]) -> tuple[list[Placed], Point]:
    """Return models at their places, from the corner (0, 0) to the right and then towards -y; and what they take up."""
    reaches = [_reach_mm(group) + _GAP_MM for group in groups]
    most = max(2 * max(reaches), sqrt(_LONGER * sum((2 * reach) ** 2 for reach in reaches)))
    placed, x, y, width, depth = list[Placed](), 0.0, 0.0, 0.0, 0.0
    for group, reach in zip(groups, reaches, strict=True):
        if x and x + 2 * reach > most:
            x, y, depth = 0.0, y - depth, 0.0
        depth = max(depth, 2 * reach)
        head, *rest = group
        placed += [replace(head, at_mm=(x + reach, y - reach, 0.0)), *rest]
        x += 2 * reach
        width = max(width, x)
    return placed, (width, depth - y)


def _reach_mm(group: Sequence[Placed]) -> float:
    """Return how far a model goes on the ground around its origin, however it is turned."""
    return max(float(np.hypot(*points[:, :2].T).max()) for points in _points_mm(group))


def _top_mm(group: Sequence[Placed]) -> float:
    return max(float(points[:, 2].max()) for points in _points_mm(group))


def _points_mm(group: Sequence[Placed]) -> Iterator[Array]:
    """Yield the points of each thing in the frame of the first one, turns left out."""
    for one in group:
        at = np.zeros(3) if one is group[0] else np.array(one.at_mm)
        for copy in one.copies_mm or ((0.0, 0.0, 0.0),):
            for surface in one.shape.surfaces:
                yield surface.points_mm + at + np.array(copy)


def _table(size: Point) -> Placed:
    low, high = (0.0, -size[1]), (size[0], 0.0)
    surfaces = [
        *board(low, high, _TABLE, _EDGE, _THICK_MM),
        grid(low, high, STUD_MM, 0.02, _LINES),
    ]
    return Placed("table", Shape("table", merged(surfaces)))
