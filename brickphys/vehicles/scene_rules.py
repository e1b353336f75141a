"""Scene rules: the meaning and the defaults of the numbers of a scene file. No game uses them."""

STUDS_PER_SPEED = 5
"""The mover of a scene moves five studs a point of speed."""
MAX_SPEED = 12
"""The highest speed of a vehicle in a scene."""
FIGURE_STUDS = 1.0
"""Side of the square on which a figure stands."""
FIGURE_PLATES = 12.5
"""Top of a figure for which a scene gives none."""
VEHICLE_TOP_PLATES = 9.0
"""Top of a vehicle for which a scene gives none."""
DECOR_TOP_PLATES = 15.0
"""Top of decor for which a scene gives none."""
SMALLEST_STUDS = 0.001
LARGEST = 10_000.0
"""Studs or plates: beyond, floating point is too coarse for the tolerance of contacts."""
LIMITS = {
    "x_studs": ("x", -LARGEST, LARGEST),
    "y_studs": ("y", -LARGEST, LARGEST),
    "heading_deg": ("heading_deg", -36_000.0, 36_000.0),
    "length_studs": ("length", SMALLEST_STUDS, LARGEST),
    "width_studs": ("width", SMALLEST_STUDS, LARGEST),
    "height_studs": ("height", SMALLEST_STUDS, LARGEST),
    "bottom_plates": ("bottom", -LARGEST, LARGEST),
    "top_plates": ("top", -LARGEST, LARGEST),
    "speed": ("speed", 0, MAX_SPEED),
    "ahead_studs": ("ahead", SMALLEST_STUDS, LARGEST),
    "direction_deg": ("direction_deg", -36_000.0, 36_000.0),
    "turn_deg": ("turn_deg", -360.0, 360.0),
}
"""Attribute of a thing, of the bounds or of a piece -> its key in a scene file, its least and its largest value."""


def distance_studs(speed: int) -> float:
    """Return how far the mover of a scene moves at a speed."""
    return float(STUDS_PER_SPEED * speed)
