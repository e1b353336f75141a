"""Leg: a piece of a course in complex numbers, independent of the code under test."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from brickphys.vehicles.piece import Piece, Straight
from brickphys.vehicles.scene import Scene, Vehicle

Corners = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class Leg:
    """A piece of a course of a scene.

    Attributes
    ----------
    scene
        The scene.
    number
        Which piece, from 0.
    piece
        What it is.
    centre, heading_deg
        The pose of the mover before it.
    besides
        Names of what has been hit before.
    """

    scene: Scene
    number: int
    piece: Piece
    centre: complex
    heading_deg: float
    besides: frozenset[str] = frozenset()

    @staticmethod
    def first(scene: Scene, piece: Piece) -> "Leg":
        """Return the first leg of a scene."""
        mover = scene.mover
        return Leg(scene, 0, piece, complex(mover.x_studs, mover.y_studs), mover.heading_deg)

    def next(self, piece: Piece, hit: frozenset[str]) -> "Leg":
        """Return the leg after this one, which is done whole and hits these things."""
        centre, heading = self.after(1.0)
        return Leg(self.scene, self.number + 1, piece, centre, heading, self.besides | hit)

    @property
    def extent(self) -> float:
        """Its length in studs, or its angle in degrees."""
        piece = self.piece
        return piece.ahead_studs if isinstance(piece, Straight) else abs(piece.turn_deg)

    @cached_property
    def path(self) -> complex:
        """Its shift; 0 for a turn."""
        if not isinstance(self.piece, Straight):
            return 0j
        way = self.piece.direction_deg
        return self.piece.ahead_studs * _unit(self.heading_deg if way is None else way)

    @cached_property
    def angle_rad(self) -> float:
        """Its turn; 0 if it is straight."""
        return 0.0 if isinstance(self.piece, Straight) else float(np.radians(self.piece.turn_deg))

    @cached_property
    def pivot(self) -> complex:
        """What it turns about; 0 if it is straight."""
        if isinstance(self.piece, Straight):
            return 0j
        return self.centre + complex(*self.piece.pivot_studs) * _unit(self.heading_deg)

    def after(self, share: float) -> tuple[complex, float]:
        """Return the centre and the heading of the mover after a share of it."""
        return self.moved(self.centre, share), self.heading_deg + float(
            np.degrees(self.angle_rad * share)
        )

    def moved(self, point: complex, share: float) -> complex:
        """Return where a point of the mover is after a share of it."""
        turn = np.exp(1j * self.angle_rad * share)
        return complex(self.pivot + (point - self.pivot) * turn + self.path * share)

    def way(self, point: complex) -> complex:
        """Return in which direction a point of the mover moves while it is there; of any length, 0 at the pivot."""
        return self.path if self.path else 1j * self.angle_rad * (point - self.pivot)

    def parts(self, less_studs: float) -> Iterator[Corners]:
        """Yield the corners of each vehicle that moves, complex, of shape (4,), its sides moved inward by a length."""
        scene = self.scene
        for vehicle in (scene.mover, *scene.lashed_vehicles):
            own = _corners(vehicle, less_studs) - complex(*scene.mover.centre_studs)
            yield self.centre + own * _unit(self.heading_deg - scene.mover.heading_deg)


def _corners(vehicle: Vehicle, less_studs: float) -> Corners:
    ahead = vehicle.length_studs / 2 - less_studs
    left = vehicle.width_studs / 2 - less_studs
    flat = np.array([ahead + 1j * left, -ahead + 1j * left, -ahead - 1j * left, ahead - 1j * left])
    corners: Corners = complex(*vehicle.centre_studs) + flat * _unit(vehicle.heading_deg)
    return corners


def _unit(angle_deg: float) -> complex:
    return complex(np.exp(1j * np.radians(angle_deg)))
