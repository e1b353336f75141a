"""The loop along straight lines over a field of studs, compiled.

A line steps from stud to stud (Amanatides and Woo, 1987), and its heights over each are compared with what fills the
stud.
"""

from math import floor, hypot

import numpy as np

from brickphys.jit import entry, kernel
from brickphys.units import Array, Indices, Mask

_BORDER_STUDS = 1e-3


@kernel
def _span(
    stud: int, row: int, firsts: Indices, spans: Array, figures: Array, ends: tuple[int, int]
) -> tuple[float, float]:
    """Return the bottom and top in a row of the spans of a stud; the row after its last is the figure on it."""
    if row < firsts[stud + 1]:
        return spans[row, 0], spans[row, 1]
    if stud in ends:
        return 0.0, 0.0
    return figures[stud, 0], figures[stud, 1]


@kernel
def _stops(
    one: int,
    other: int,
    low: float,
    high: float,
    firsts: Indices,
    spans: Array,
    figures: Array,
    ends: tuple[int, int],
    tolerance: float,
) -> bool:
    """Tell whether two studs (or one, given twice) are both filled at a height between two."""
    for row in range(firsts[one], firsts[one + 1] + 1):
        bottom, top = _span(one, row, firsts, spans, figures, ends)
        if low < top - tolerance and high > bottom + tolerance:
            if one == other:
                return True
            for row_beside in range(firsts[other], firsts[other + 1] + 1):
                bottom_beside, top_beside = _span(other, row_beside, firsts, spans, figures, ends)
                common_low, common_high = max(bottom, bottom_beside), min(top, top_beside)
                if low < common_high - tolerance and high > common_low + tolerance:
                    return True
    return False


@kernel
def _first(start: float, way: float, tolerance: float) -> tuple[int, int, int]:
    """Return the row (or column) of studs in which a line begins, the row beside it, and the step to the next.

    Both rows are the same unless the line runs along their border.
    """
    below, above = floor(start - tolerance), floor(start + tolerance)
    if abs(way) <= tolerance:
        return below, above, 0
    if way > 0.0:
        return above, above, 1
    return below, below, -1


@kernel
def _within(place: float, size: int) -> float:
    """Move a point on or beyond the border of the field to just inside."""
    return min(max(place, _BORDER_STUDS), size - _BORDER_STUDS)


@kernel
def _is_clear_of_studs(
    line: Array,
    width: int,
    length: int,
    firsts: Indices,
    spans: Array,
    figures: Array,
    tolerance: float,
) -> bool:
    x, y, height = _within(line[0], width), _within(line[1], length), line[2]
    end_x, end_y = _within(line[3], width), _within(line[4], length)
    dx, dy, rise = end_x - x, end_y - y, line[5] - height
    ends = (int(y) * width + int(x), int(end_y) * width + int(end_x))
    column, column_beside, step_x = _first(x, dx, tolerance)
    row, row_beside, step_y = _first(y, dy, tolerance)
    slack = tolerance / max(hypot(dx, dy), tolerance)
    share = 0.0
    while share < 1.0:
        next_x = (column + (step_x > 0) - x) / dx if step_x != 0 else 2.0
        next_y = (row + (step_y > 0) - y) / dy if step_y != 0 else 2.0
        end = min(next_x, next_y)
        end = 1.0 if end > 1.0 - slack else end
        at_start, at_end = height + rise * share, height + rise * end
        low, high = min(at_start, at_end), max(at_start, at_end)
        here, beside = row * width + column, row_beside * width + column_beside
        if _stops(here, beside, low, high, firsts, spans, figures, ends, tolerance):
            return False
        if end == 1.0:
            break
        across, along = next_x <= end + slack, next_y <= end + slack
        if across and along:
            beside, other = here + step_x, here + step_y * width
            if _stops(beside, other, at_end, at_end, firsts, spans, figures, ends, tolerance):
                return False
        if across:
            column += step_x
            column_beside = column
        if along:
            row += step_y
            row_beside = row
        share = end
    return True


@entry
def clear_lines(
    lines: Array,
    width: int,
    length: int,
    firsts: Indices,
    spans: Array,
    figures: Array,
    tolerance: float,
) -> Mask:
    """Tell which of several straight lines meet nothing that fills whole studs.

    Parameters
    ----------
    lines : ndarray, shape (m, 6)
        x, y and height of the beginning and of the end of each. Figures on the studs of the ends are not in its way.
    width, length
        Studs of the field along x and y.
    firsts : ndarray of int, shape (studs + 1,)
        For each stud, its first row in `spans`.
    spans : ndarray, shape (k, 2)
        Bottom and top of everything that fills a stud.
    figures : ndarray, shape (studs, 2)
        Bottom and top of the figure on each stud; both 0 where there is none.
    tolerance
        To be inside by up to this is to be outside.

    Returns
    -------
    ndarray of bool, shape (m,)
        Whether each is clear.
    """
    clear = np.ones(len(lines), np.bool_)
    for number in range(len(lines)):
        clear[number] = _is_clear_of_studs(
            lines[number], width, length, firsts, spans, figures, tolerance
        )
    return clear
