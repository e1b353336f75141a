"""Contact: which figures touch each other, also over a low wall (MF Resolving Combat)."""

from collections.abc import Iterator
from math import dist, hypot

from brickphys.geometry.polygon import TOLERANCE, Point, entry_studs, gap_studs
from brickphys.minifig.field.ground import Piece, pieces
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state.state import State

LOW_BRICKS = 2
"""Height in bricks of the highest wall over which two figures can fight (ours)."""


def gap_in(state: State, one: int, other: int) -> float:
    """Return the distance between the bases of two figures, in inches."""
    here, there = state.figures[one], state.figures[other]
    return hypot(here.x_in - there.x_in, here.y_in - there.y_in) - 2 * BASE_RADIUS_IN


def touches(state: State, one: int, other: int) -> bool:
    """Tell whether the bases of two figures touch."""
    return gap_in(state, one, other) <= TOUCH_IN + TOLERANCE


def wall_between(state: State, one: int, other: int) -> int | None:
    """Return the low wall that two enemies touch on both sides, over which they can fight; None if there is none.

    Who touch each other fight beside each other, even where one stands on the last brick of a breach.
    """
    if other not in state.near.get(one, ()) or touches(state, one, other):
        return None
    places = state.figures[one].place_in, state.figures[other].place_in
    for piece in pieces(state.setting, state.walls):
        if piece.run.height_bricks <= LOW_BRICKS and _is_between(piece, *places):
            return piece.wall
    return None


def opponents(state: State, figure: int) -> Iterator[int]:
    """Yield the living enemies that a figure touches, or reaches over a low wall, in the order of their numbers."""
    for other in state.near.get(figure, ()):
        if touches(state, figure, other) or wall_between(state, figure, other) is not None:
            yield other


def is_in_contact(state: State, figure: int) -> bool:
    """Tell whether a figure touches an enemy, or reaches one over a low wall."""
    return next(opponents(state, figure), None) is not None


def melee(state: State, figure: int) -> tuple[int, ...]:
    """Return a figure, its opponents, theirs and so on, in the order of their numbers."""
    found, ahead = {figure}, [figure]
    while ahead:
        new = set(opponents(state, ahead.pop())) - found
        found |= new
        ahead += new
    return tuple(sorted(found))


def _is_between(piece: Piece, one_in: Point, other_in: Point) -> bool:
    """Tell whether two bases touch a piece of wall, and the line between them leads over it."""
    touch = BASE_RADIUS_IN + TOUCH_IN + TOLERANCE
    if max(gap_studs(piece.footprint, place) for place in (one_in, other_in)) > touch:
        return False
    apart = dist(one_in, other_in)
    ahead = ((other_in[0] - one_in[0]) / apart, (other_in[1] - one_in[1]) / apart)
    return entry_studs(one_in, ahead, piece.footprint) <= apart - TOLERANCE


def things_touched(state: State, figure: int) -> Iterator[int]:
    """Yield the things that nobody rides and that a figure touches."""
    place = state.figures[figure].place_in
    for number in state.standing_things():
        reach = BASE_RADIUS_IN + state.setting.things[number].kind.radius_in + TOUCH_IN
        if dist(place, state.things[number].place_in) <= reach + TOLERANCE:
            yield number


def items_touched(state: State, figure: int) -> Iterator[int]:
    """Yield the items that a figure's base touches; they are as wide as a base (MF Picking Up Weapons, ours)."""
    place, reach = state.figures[figure].place_in, 2 * BASE_RADIUS_IN + TOUCH_IN + TOLERANCE
    for number, item in enumerate(state.items):
        if item.at_in is not None and dist(place, item.at_in) <= reach:
            yield number
