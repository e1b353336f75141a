"""Correction of positions: bricks are moved out of what they are in, and keep their velocities.

Bullet sees an impact when a brick is already in the floor, by at most its way in a step, and a brick that slides flat
stands on one corner at a time while the others fall. A bounce brings a brick out again; what stays in contact is moved.
It gets back no more than the height that it fell below the floor.
"""

from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array
from brickphys.throws.states import States

_PASSES = 8
"""Passes through the contacts of a pile; the error of a brick between two others halves in each."""


@dataclass(frozen=True)
class BrickContact:
    """A contact of a brick with the floor or with another brick of its hand.

    Attributes
    ----------
    bricks
        Row of the hand and number of the brick, of both bodies; None for the floor.
    point_mm, normal : ndarray, shape (3,)
        Place, and unit vector from the second body to the first.
    depth_mm
        How deep they are in each other; negative if they are apart.
    """

    bricks: tuple[tuple[int, int] | None, tuple[int, int] | None]
    point_mm: Array
    normal: Array
    depth_mm: float

    def signed(self) -> list[tuple[tuple[int, int], float]]:
        """Return the bricks, each with 1 if the normal points to it, else -1."""
        return [
            (brick, sign)
            for brick, sign in zip(self.bricks, (1.0, -1.0), strict=True)
            if brick is not None
        ]


def lift(touches: list[BrickContact], states: States, time_s: float) -> Array:
    """Return how far to move bricks in mm, shape (m, k, 3), for states of shape (m, k).

    Contacts that will part by themselves within `time_s` are left alone.
    """
    shift = np.zeros_like(states.position_mm)
    lasting = [touch for touch in touches if _parting_mm(touch, states, time_s) < touch.depth_mm]
    lasting.sort(key=lambda touch: (-touch.depth_mm, *touch.point_mm.tolist()))
    for _ in range(_PASSES):
        for touch in lasting:
            bricks = touch.signed()
            done = sum(sign * float(touch.normal @ shift[brick]) for brick, sign in bricks)
            for brick, sign in bricks:
                shift[brick] += sign * max(0.0, touch.depth_mm - done) / len(bricks) * touch.normal
    return shift


def _parting_mm(touch: BrickContact, states: States, time_s: float) -> float:
    """Return how far the bodies part at a contact within a time, negative if they approach."""
    speed = 0.0
    for brick, sign in touch.signed():
        arm = touch.point_mm - states.position_mm[brick]
        velocity = 1000.0 * states.velocity_m_s[brick] + np.cross(states.spin_rad_s[brick], arm)
        speed += sign * float(touch.normal @ velocity)
    return speed * time_s
