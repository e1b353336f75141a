"""Scene rules: what the numbers of a scene file mean. They are those of BOW, which takes them from here."""

STUDS_PER_SPEED = 5
"""A vehicle moves five studs a point of speed (BOW 3.2)."""
MAX_SPEED = 12
"""Studs of the speed row on a vehicle's sheet (BOW 3.2)."""
FIGURE_STUDS = 1.0
"""Side of the square on which a figure stands."""
FIGURE_PLATES = 12.5
"""Height of a figure, and the room that it needs to stand upright."""
VEHICLE_TOP_PLATES = 9.0
"""Top of a vehicle for which a scene gives none."""
DECOR_TOP_PLATES = 15.0
"""Top of decor for which none is given."""


def distance_studs(speed: int) -> float:
    """Return how far a vehicle moves at a speed (BOW 3.2)."""
    return float(STUDS_PER_SPEED * speed)
