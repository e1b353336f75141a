"""Scene kinds: what makes the collisions of a random scene hard to resolve, and what is known about them."""

from dataclasses import dataclass
from enum import Enum

from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.sectors import Sector

GAPS = (1e-6, 3e-8, 2e-9, 5e-10)
"""Studs, plates or degrees: gaps and overlaps from a thousand times to half of the tolerance."""


class SceneKind(Enum):
    """What is random in a scene, or nearly touches."""

    CLUTTER = "clutter"
    """Up to forty things anywhere, half of them on whole studs."""
    PAIR = "pair"
    """Two vehicles that meet, from any side."""
    OVERLAP = "overlap"
    """Something overlaps the mover at the start."""
    PARALLEL = "parallel"
    """Edges along the path: a slide, a near miss, a small overlap, or nearly parallel."""
    GRAZING = "grazing"
    """A corner reaches into the lane, or nearly."""
    END = "end"
    """The path ends just before, at, or just after a touch."""
    START = "start"
    """A touch or a tiny gap at the start, ahead or behind."""
    SIMULTANEOUS = "simultaneous"
    """Several things are touched at once."""
    TIE = "tie"
    """The bearing at impact lies on the boundary of two sectors, or nearly."""
    HEIGHT = "height"
    """Top and bottom touch, or nearly."""
    BORDER = "border"
    """The centre leaves the field just before, at, or just after a touch."""
    TURN = "turn"
    """A turn about any pivot among up to twenty things, half of them on whole studs."""
    SWING = "swing"
    """A corner that turns comes to a face just before, at, or just after the end, or grazes it."""
    COURSE = "course"
    """Two to five pieces, turns and drifts too, of a vehicle or of lashed ones, among up to twenty things."""


@dataclass(frozen=True)
class Known:
    """What is known about one thing by the construction of its scene.

    Attributes
    ----------
    id
        Which thing.
    is_hit
        Whether it is hit.
    at
        After what distance, or what angle of a turn, if that is known.
    sector
        In which sector, if that is known.
    piece
        In which piece of the course, from 0.
    tolerance
        How exactly that distance or angle is known.
    """

    id: str
    is_hit: bool
    at: float | None = None
    sector: Sector | None = None
    piece: int = 0
    tolerance: float = TOLERANCE
