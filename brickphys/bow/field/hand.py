"""Hand: the heights that the hand of a figure, or the weapon in it, reaches (BOW 2.3.2, 2.4.2)."""

from brickphys.bow.field.field import Span
from brickphys.bow.field.sight import SAMPLES_PLATES
from brickphys.geometry.polygon import TOLERANCE
from brickphys.units import PLATE_MM, STUD_MM

HAND_PLATES = 6.0
"""Height of the hand above the feet."""
TABLE_PLATES = 12.0
"""Height above the feet up to which an object on something is within reach (ours)."""
REACH_STUDS = 1
"""Reach of an empty hand: the neighbouring studs."""


def reaches(ground_plates: float, span_plates: Span, reach_studs: float = REACH_STUDS) -> bool:
    """Tell whether a thing is at most the reach of a hand above or below the hand.

    Parameters
    ----------
    ground_plates
        Height of the feet of the figure.
    span_plates
        Bottom and top of the thing.
    reach_studs
        Reach of the hand, or of the weapon in it.
    """
    high = reach_studs * STUD_MM / PLATE_MM + TOLERANCE
    hand = ground_plates + HAND_PLATES
    return abs(nearest_plates(ground_plates, span_plates) - hand) <= high


def reaches_object(ground_plates: float, level_plates: float) -> bool:
    """Tell whether a figure can take what lies at a level: as low as it touches a figure, as high as a table."""
    above = level_plates - ground_plates
    return 0.0 <= above <= TABLE_PLATES or reaches(ground_plates, figure_plates(level_plates))


def nearest_plates(ground_plates: float, span_plates: Span) -> float:
    """Return the height within a span that is nearest to the hand of a figure."""
    bottom, top = span_plates
    return min(max(ground_plates + HAND_PLATES, bottom), top)


def figure_plates(ground_plates: float) -> Span:
    """Return the span in which a figure can be touched: from its feet to its head."""
    return ground_plates + SAMPLES_PLATES[0], ground_plates + SAMPLES_PLATES[-1]
