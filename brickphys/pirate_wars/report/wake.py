"""Wake: how a ship went from one place to another: a swing about its rudder, and a straight way."""

from math import dist

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.sheets.ship_sheet import ShipSheet
from brickphys.pirate_wars.state.ship import ShipState


def rudder(sheet: ShipSheet, ship: ShipState) -> Point:
    """Return where the rudder of a ship is: a swing leaves it there, so that it draws the leaps as straight lines."""
    return ship.pose.on_field(sheet.rudder_studs)


def way_studs(sheet: ShipSheet, was: ShipState, now: ShipState) -> float:
    """Return how far a ship went between two moments, besides what it swung."""
    return dist(rudder(sheet, was), rudder(sheet, now))


def swing_deg(was: ShipState, now: ShipState) -> float:
    """Return how far a ship turned between two moments, counter-clockwise, at most 180 degrees either way."""
    return (now.heading_deg - was.heading_deg + 180.0) % 360.0 - 180.0
