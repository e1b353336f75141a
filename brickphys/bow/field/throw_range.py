"""Throw range: where an object that a figure throws can land (BOW 2.3.2)."""

from functools import lru_cache

from brickphys.bow.field.board import Board
from brickphys.bow.field.field import Stud, Studs
from brickphys.bow.field.line import solids
from brickphys.bow.field.sight import EYE_PLATES
from brickphys.bow.field.terrain import Terrain
from brickphys.grid.bitset import each, squares_of


@lru_cache(maxsize=4096)
def landing(terrain: Terrain, thrower: Stud, radius_studs: float) -> Studs:
    """Return the studs on which a thrown object can land; the thrower's own is one of them.

    It flies straight from the head of the thrower to the same height above the stud where it lands. Figures and
    vehicles do not stop it, ground and decor do.

    Parameters
    ----------
    terrain
        The field with its open doors.
    thrower
        The stud of the figure that throws.
    radius_studs
        The farthest that it throws: twice its Move.
    """
    field = terrain.field
    x, y, ground = field.stances[thrower]
    near = list(each(field.circle(thrower, radius_studs) & terrain.standable))
    there = [field.stances[stud] for stud in near]
    lines = [(x, y, ground + EYE_PLATES, *end[:2], end[2] + EYE_PLATES) for end in there]
    clear = solids(Board(terrain)).clear(lines).tolist() if lines else []
    return squares_of(stud for stud, is_clear in zip(near, clear, strict=True) if is_clear)
