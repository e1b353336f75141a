"""Piece: a part of a course, straight or a turn."""

from dataclasses import dataclass

from brickphys.geometry.motion import Rotation, Translation
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.pose import Pose


@dataclass(frozen=True)
class Straight:
    """A straight piece of a course; the mover keeps its heading.

    Attributes
    ----------
    ahead_studs
        How far.
    direction_deg
        Where to, counter-clockwise from +x, for a drift; along the heading if None.
    """

    ahead_studs: float
    direction_deg: float | None = None

    def motion(self, pose: Pose) -> Translation:
        """Return the motion of a mover that is there."""
        if self.direction_deg is None:
            return Translation(self.ahead_studs, pose.heading)
        return Translation(self.ahead_studs, unit_vector(self.direction_deg))


@dataclass(frozen=True)
class PivotTurn:
    """A turn about a pivot.

    Attributes
    ----------
    turn_deg
        How far, counter-clockwise, up to a full circle either way.
    pivot_studs
        How far the pivot is ahead and to the left of the mover's centre.
    """

    turn_deg: float
    pivot_studs: Point = (0.0, 0.0)

    def motion(self, pose: Pose) -> Rotation:
        """Return the motion of a mover that is there."""
        return Rotation.by(pose.on_field(self.pivot_studs), self.turn_deg)


Piece = Straight | PivotTurn
