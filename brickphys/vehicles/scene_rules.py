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


def distance_studs(speed: int) -> float:
    """Return how far the mover of a scene moves at a speed."""
    return float(STUDS_PER_SPEED * speed)
