"""Terrain: a field while certain doors and windows are open: where figures can stand and step, and what is solid."""

from dataclasses import dataclass
from functools import lru_cache

from brickphys.bow.field.field import FIGURE_PLATES, Decor, Field, Span, Studs, merged
from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.bitset import each, squares_of
from brickphys.grid.directions import DIRECTIONS


@dataclass(frozen=True, eq=False, repr=False)
class Terrain:
    """A field while certain doors and windows are open; made by `terrain`.

    Attributes
    ----------
    field
        The field.
    open_ids
        Which doors and windows are open.
    standable
        Studs on which a figure can stand.
    enterable
        For each of `brickphys.grid.directions.DIRECTIONS`, the studs that a step in that direction can enter: the stud
        and the one behind are standable, and the step is not too high.
    solids_plates
        For each stud, the spans of heights that are solid: first the ground, then decor that fills the whole stud.
    at_an_angle
        Decor that fills some studs only in part.
    """

    field: Field
    open_ids: frozenset[str]
    standable: Studs
    enterable: tuple[Studs, ...]
    solids_plates: tuple[tuple[Span, ...], ...]
    at_an_angle: tuple[Decor, ...]


@lru_cache(maxsize=512)
def terrain(field: Field, open_ids: frozenset[str] = frozenset()) -> Terrain:
    """Return a field while certain doors and windows are open, and all others closed.

    Raises
    ------
    InvalidValueError
        If an id is not that of a door or window of the field.
    """
    for strange in sorted(open_ids.difference(field.doors)):
        raise unknown("door or window", strange, field.doors)
    shut = [decor for decor in field.decor if decor.id not in open_ids]
    standable = field.all_squares & ~_filled_studs(field, shut)
    return Terrain(
        field=field,
        open_ids=open_ids,
        standable=standable,
        enterable=_enterable(field, standable),
        solids_plates=_solids(field, shut),
        at_an_angle=tuple(decor for decor in shut if decor.id not in field.whole),
    )


def _filled_studs(field: Field, shut: list[Decor]) -> Studs:
    """Return the studs on which a closed door or window leaves no room for a figure."""
    studs = 0
    for decor in shut:
        if decor.kind.opens:
            for stud in each(field.decor_studs[decor.id]):
                if overlaps_figure(decor.span_plates, field.levels_plates[stud]):
                    studs |= 1 << stud
    return studs


def overlaps_figure(span_plates: Span, level_plates: float) -> bool:
    """Tell whether a span of heights leaves no room for a figure that stands at a level."""
    bottom, top = span_plates
    low, high = max(bottom, level_plates), min(top, level_plates + FIGURE_PLATES)
    return high - low > TOLERANCE


def _solids(field: Field, shut: list[Decor]) -> tuple[tuple[Span, ...], ...]:
    columns: list[list[Span]] = [[(-float("inf"), ground)] for ground in field.grounds_plates]
    for decor in shut:
        if decor.id in field.whole:
            for stud in each(field.decor_studs[decor.id]):
                columns[stud].append(decor.span_plates)
    return tuple(merged(column) if len(column) > 1 else tuple(column) for column in columns)


def _enterable(field: Field, standable: Studs) -> tuple[Studs, ...]:
    return tuple(
        gentle & standable & field.shifted(standable, *direction)
        for gentle, direction in zip(_gentle(field), DIRECTIONS, strict=True)
    )


@lru_cache(maxsize=64)
def _gentle(field: Field) -> tuple[Studs, ...]:
    """Return for each direction the studs that a step enters without going up or down by more than is walked."""
    levels, limit = field.levels_plates, field.step_plates + TOLERANCE
    found = []
    for dx, dy in DIRECTIONS:
        studs, back = each(field.shifted(field.all_squares, dx, dy)), dy * field.width + dx
        found.append(squares_of(n for n in studs if abs(levels[n] - levels[n - back]) <= limit))
    return tuple(found)
