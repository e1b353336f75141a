"""Directions: the eight neighbours of a square, and the eight facings of a piece on it."""

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Steps to the eight neighbours, counter-clockwise from +x; facing n looks along 45 n degrees."""
FACINGS = len(DIRECTIONS)
FACING_NAMES = ("e", "ne", "n", "nw", "w", "sw", "s", "se")
"""Names of the facings as compass points: east is +x, north is +y."""

FACING_ARROWS = "→↗↑↖←↙↓↘"
"""The facings as arrows on maps."""
SIDE_NAMES = (
    "east",
    "north-east",
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
)
"""The same in full."""


def heading_deg(facing: int) -> float:
    """Return the heading of a facing in degrees, counter-clockwise from +x, from 0 to 315."""
    return 360.0 * facing / FACINGS


def nearest_facing(heading_deg: float) -> int:
    """Return the facing, 0 to 7, that is nearest to a heading in degrees."""
    return round(heading_deg % 360.0 * FACINGS / 360.0) % FACINGS
