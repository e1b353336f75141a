"""States: positions, orientations and velocities of bodies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from brickphys.arrays import Array


@dataclass(frozen=True, eq=False)
class States:
    """Positions, orientations and velocities of bodies in the world frame; the floor is z = 0.

    The leading axes are free: ``(n, k)`` is `n` hands of `k` bricks, ``(n,)`` is `n` bodies.

    Attributes
    ----------
    position_mm : ndarray, shape (..., 3)
        Centres of mass.
    quaternion : ndarray, shape (..., 4)
        Body to world, scalar last, unit length.
    velocity_m_s, spin_rad_s : ndarray, shape (..., 3)
        Velocities of the centres of mass and angular velocities.
    """

    position_mm: Array
    quaternion: Array
    velocity_m_s: Array
    spin_rad_s: Array

    def __len__(self) -> int:
        return len(self.position_mm)

    def __getitem__(self, index: Any) -> "States":
        """Select along the leading axes, as NumPy does."""
        return self.map(lambda array: np.asarray(array[index]))

    def map(self, change: Callable[[Array], Array]) -> "States":
        """Return the states with `change` applied to each array."""
        return States(*(change(getattr(self, field.name)) for field in fields(self)))

    def flat(self) -> "States":
        """Return the same bodies along one leading axis."""
        return self.map(lambda array: array.reshape(-1, array.shape[-1]))

    @staticmethod
    def concatenate(parts: Sequence["States"]) -> "States":
        """Join states along the first axis."""
        return States(
            *(
                np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(States)
            )
        )
