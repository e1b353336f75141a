"""Hand: how high and how low the hand of a figure, or the weapon in it, reaches (BOW 2.3.2, 2.4.2)."""

from brickphys.bow.field.field import Span
from brickphys.bow.field.sight import SAMPLES_PLATES
from brickphys.geometry.polygon import TOLERANCE
from brickphys.units import PLATE_MM, STUD_MM

HAND_PLATES = 6.0
"""The hand above the ground of a figure."""
REACH_STUDS = 1
"""An empty hand touches what is on the neighbouring studs."""


def reaches(ground_plates: float, span_plates: Span, reach_studs: float = REACH_STUDS) -> bool:
    """Tell whether a hand is at most its reach below or above something.

    Parameters
    ----------
    ground_plates
        On which the figure stands.
    span_plates
        From where to where the thing is.
    reach_studs
        How far the hand reaches, or the weapon in it.
    """
    high = reach_studs * STUD_MM / PLATE_MM + TOLERANCE
    hand = ground_plates + HAND_PLATES
    return abs(nearest_plates(ground_plates, span_plates) - hand) <= high


def nearest_plates(ground_plates: float, span_plates: Span) -> float:
    """Return the height within a span that is nearest to the hand of a figure."""
    bottom, top = span_plates
    return min(max(ground_plates + HAND_PLATES, bottom), top)


def figure_plates(ground_plates: float) -> Span:
    """Return from where to where a figure is touched: from its feet to its head."""
    return ground_plates + SAMPLES_PLATES[0], ground_plates + SAMPLES_PLATES[-1]
