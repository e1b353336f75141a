"""Compulsory move: a vehicle goes straight ahead (BOW 3.3)."""

from brickphys.vehicles.course import Mover, MoveResult, follow
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.piece import Straight
from brickphys.vehicles.scene import Vehicle


def compulsory_move(mover: Vehicle, distance_studs: float, obstacles: NamedObstacles) -> MoveResult:
    """Move a vehicle straight ahead: a course of one piece; a vehicle that does not move hits nothing.

    Parameters
    ----------
    mover
        The vehicle, where it stands now.
    distance_studs
        How far it should go.
    obstacles
        What it may hit. Units do not stop it; decor and vehicles do (BOW 3.6).
    """
    return follow(Mover.of(mover), [Straight(distance_studs)] if distance_studs else [], obstacles)
