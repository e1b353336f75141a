"""Wholes: what outlines meet, from what their convex parts meet; contacts by their real edges."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from brickphys.geometry.many.contacts_kernel import contacts
from brickphys.geometry.many.outlines import Outlines
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.shape import solid_of, start_contacts
from brickphys.units import Array, Indices, Mask

Records = npt.NDArray[Any]
_SPOT = ("x_studs", "y_studs", "normal_x", "normal_y")


def nearest_last(found: Records) -> Records:
    """Return records with the near misses of each mover after its hits, the nearest first."""
    tie = np.where(found["is_hit"], np.arange(len(found)), found["obstacle"])
    return found[np.lexsort((tie, found["clearance_studs"], ~found["is_hit"], found["mover"]))]


def whole(
    parts: Records, movers: Outlines, courses: Any, obstacles: Outlines, stops: bool
) -> Records:
    """Return the meetings of outlines, given those of their convex parts.

    Parameters
    ----------
    courses
        Pieces, and the first one of each mover, and their number.
    stops
        Whether a mover stops at what it touches first.
    """
    found, owners = parts.copy(), (movers.owners, obstacles.owners)
    found["mover"], found["obstacle"] = (
        own[parts[name]] for own, name in zip(owners, ("mover", "obstacle"), strict=True)
    )
    at = np.where(
        np.isnan(found["turned_deg"]), found["distance_studs"], np.abs(found["turned_deg"])
    )
    near = np.where(found["is_hit"], 0.0, found["clearance_studs"])
    order = np.lexsort(
        (~found["overlaps_at_start"], at, found["piece"], near, found["obstacle"], found["mover"])
    )
    pairs = np.column_stack([found["mover"], found["obstacle"]])[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    kept = order[is_first]
    kept = kept[
        np.lexsort((found["obstacle"][kept], at[kept], found["piece"][kept], found["mover"][kept]))
    ]
    if stops:
        kept = kept[_before_stops(found[kept], at[kept])]
    found, at = found[kept], at[kept]
    _tell_contacts(found, at, movers, courses, obstacles)
    return found if found["is_hit"].all() else nearest_last(found)


def _before_stops(found: Records, at: Array) -> Mask:
    """Tell which records are not behind the first hit of their mover."""
    hits = np.flatnonzero(found["is_hit"])
    movers, firsts = np.unique(found["mover"][hits], return_index=True)
    first = hits[firsts]
    mine = np.searchsorted(movers, found["mover"]).clip(max=max(len(movers) - 1, 0))
    if not len(movers):
        return np.ones(len(found), bool)
    stopped, limit = movers[mine] == found["mover"], at[first][mine] + TOLERANCE
    piece = found["piece"][first][mine]
    behind = (found["piece"] > piece) | ((found["piece"] == piece) & (at > limit))
    kept: Mask = ~(stopped & behind & found["is_hit"])
    return kept


def cut_courses(found: Records, pieces: Array, firsts: Indices) -> tuple[Array, Indices]:
    """Return the pieces of courses up to the first hit of each mover, and the first one of each."""
    cut: list[Array] = [pieces[begin:end] for begin, end in pairwise(firsts)]
    hits = found[found["is_hit"]]
    for row in hits[np.unique(hits["mover"], return_index=True)[1]]:
        course = cut[row["mover"]][: row["piece"] + 1].copy()
        x, y, turn_deg = course[-1]
        if np.isnan(turn_deg):
            length = np.hypot(x, y)
            course[-1, :2] *= row["distance_studs"] / length if length else 0.0
        else:
            course[-1, 2] = row["turned_deg"]
        cut[row["mover"]] = course
    return np.concatenate(cut), np.cumsum([0, *map(len, cut)]).astype(np.intp)


def with_near_misses(found: Records, near: Records) -> Records:
    """Return the hits among records, with the near misses among others of what is not hit."""
    hits = found[found["is_hit"]]
    pairs = {(row["mover"], row["obstacle"]) for row in hits}
    new = [(row["mover"], row["obstacle"]) not in pairs for row in near]
    return nearest_last(np.concatenate([hits, near[np.array(new, bool)]]))


def _tell_contacts(
    found: Records, at: Array, movers: Outlines, courses: Any, obstacles: Outlines
) -> None:
    """Write where outlines touch of which one is no convex polygon."""
    (border, firsts), (others, other_firsts) = movers.edges, obstacles.edges
    plain = movers.are_plain[found["mover"]], obstacles.are_plain[found["obstacle"]]
    some = np.flatnonzero(found["is_hit"] & ~(plain[0] & plain[1]))
    rows = np.column_stack([found[name][some] for name in ("mover", "obstacle", "piece")])
    spots, parts = contacts(
        rows.astype(np.intp), at[some], courses[0], courses[1], border, firsts, others, other_firsts
    )
    for column, name in enumerate((*_SPOT, "impact_deg")):
        found[name][some] = spots[:, column]
    found["mover_part"][some], found["obstacle_part"][some] = parts.T
    inside = some[found["overlaps_at_start"][some] & (found["piece"][some] == 0)]
    if not len(inside):
        return
    solids = [
        _solids(found[name][inside], *one.edges)
        for one, name in ((movers, "mover"), (obstacles, "obstacle"))
    ]
    for values, name in zip(start_contacts(*solids).T, _SPOT, strict=True):
        found[name][inside] = values
    found["impact_deg"][inside] = np.nan
    found["mover_part"][inside] = found["obstacle_part"][inside] = -1


def _solids(numbers: Indices, border: Array, firsts: Indices) -> list[Any]:
    """Return the areas of some outlines, given the edges of all."""
    known = {
        number: solid_of(border[firsts[number] : firsts[number + 1]])
        for number in np.unique(numbers).tolist()
    }
    return [known[number] for number in numbers.tolist()]
