"""Drive: how the first block is driven, and what ends that."""

from dataclasses import dataclass
from math import inf

from brickphys.engines.blocks.block import Pair


@dataclass(frozen=True)
class Drive:
    """The drive of the first block, and the blocks that stop it.

    Attributes
    ----------
    velocity_m_s
        Velocity along x and y of the world.
    distance_mm
        Distance of the drive. If nothing stops the block, it stops at its end, and is held there if it was held.
    stoppers
        Numbers of the blocks that end the drive, by contact with the driven block or with a block that it pushes. The
        drive also ends if the block cannot push something away.
    edge_mm
        Distance at which the drive ends and the block moves on freely: beyond the edge of the table.
    """

    velocity_m_s: Pair
    distance_mm: float
    stoppers: frozenset[int]
    edge_mm: float = inf
