"""Throw: where an object that a figure throws may land (BOW 2.3.2)."""

from functools import lru_cache

from brickphys.bow.field.board import Board
from brickphys.bow.field.field import Stud, Studs
from brickphys.bow.field.line import solids
from brickphys.bow.field.sight import EYE_PLATES
from brickphys.bow.field.terrain import Terrain
from brickphys.grid.bitset import each, squares_of


@lru_cache(maxsize=4096)
def landing(terrain: Terrain, thrower: Stud, radius_studs: float) -> Studs:
    """Return the studs on which a thrown object can land, the thrower's own included.

    It flies straight from the head of the thrower to as high above the ground where it lands, over figures and
    vehicles and over what is low enough, but never through ground or decor.

    Parameters
    ----------
    terrain
        The field.
    thrower
        The stud of the figure that throws.
    radius_studs
        Of the circle around it: twice its Move.
    """
    field = terrain.field
    x, y, ground = field.stances[thrower]
    near = list(each(field.circle(thrower, radius_studs) & terrain.standable))
    there = [field.stances[stud] for stud in near]
    lines = [(x, y, ground + EYE_PLATES, *end[:2], end[2] + EYE_PLATES) for end in there]
    clear = solids(Board(terrain)).clear(lines).tolist() if lines else []
    return squares_of(stud for stud, is_clear in zip(near, clear, strict=True) if is_clear)
