"""Throw: where an object that a figure throws may land (BOW 2.3.2)."""

from functools import lru_cache

from brickphys.bow.board import Board
from brickphys.bow.line import clear_ends
from brickphys.bow.sight import EYE_PLATES
from brickphys.bow.studs import Stud, Studs
from brickphys.bow.terrain import Terrain
from brickphys.vehicles.polygon import TOLERANCE


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
    board = Board(terrain)
    x, y, ground = field.stances[thrower]
    hand = (x, y, ground + EYE_PLATES)
    limit = radius_studs**2 + TOLERANCE
    studs = 0
    for stud, (there_x, there_y, level) in enumerate(field.stances):
        if (there_x - x) ** 2 + (there_y - y) ** 2 <= limit and terrain.standable >> stud & 1:
            end = (level + EYE_PLATES,)
            if clear_ends(board, hand, (there_x, there_y), end, 0, ()):
                studs |= 1 << stud
    return studs
