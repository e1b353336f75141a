"""Near miss: how near a mover comes to things that it does not hit, and where on its course."""

from math import inf
from typing import NamedTuple

from brickphys.geometry.clearance import approaches
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.course import Mover, MoveResult, PieceResult
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Thing


class NearMiss(NamedTuple):
    """The nearest approach to one thing.

    Attributes
    ----------
    thing
        What is missed.
    clearance_studs
        The least distance in plan.
    number
        In which piece of the course that is first reached, to the tolerance; from 0.
    piece
        That piece up to there.
    """

    thing: Thing
    clearance_studs: float
    number: int
    piece: PieceResult


def near_misses(
    mover: Mover, move: MoveResult, obstacles: NamedObstacles, within_studs: float
) -> list[NearMiss]:
    """Return what a mover comes near to without a hit, the nearest first.

    Only things whose heights overlap the mover's count; those that it hits anywhere do not.

    Parameters
    ----------
    mover, move
        The mover before its move, and that.
    obstacles
        Those of the move.
    within_studs
        Things farther off are left out.
    """
    besides = {*mover.ids, *(hit.id for hit in move.hits)}
    body, nearest = mover.body, dict[str, NearMiss]()
    for number, piece in enumerate(move.pieces):
        for one in approaches(body, piece.motion, piece.at, within_studs, obstacles.prisms):
            thing = obstacles.things[one.number]
            known = nearest.get(thing.id)
            least = known.clearance_studs - TOLERANCE if known else inf
            if thing.id in besides or one.distance_studs >= least:
                continue
            upto = piece._replace(at=one.at)
            nearest[thing.id] = NearMiss(thing, one.distance_studs, number, upto)
        body = piece.motion.placed(body, piece.at)
    return sorted(nearest.values(), key=lambda miss: (miss.clearance_studs, miss.thing.id))
