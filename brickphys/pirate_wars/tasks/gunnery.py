"""Gunnery: what a gun hits, who rakes whom, and how far ships are apart (PW Firing)."""

from functools import lru_cache
from math import dist

from brickphys.geometry.clearance import nearest_points
from brickphys.geometry.polygon import TOLERANCE, Point, entry_studs, unit_vector
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import overlap
from brickphys.pirate_wars.state.state import State, Strike


def bore(state: State, ship: int, gun: int) -> tuple[Point, Point]:
    """Return the muzzle of a gun, and the unit vector of its bore."""
    placed = state.ships[ship].gun(state.setting.ships[ship].sheet, gun)
    pose = state.ships[ship].pose
    muzzle = pose.on_field((placed.ahead_studs, placed.left_studs))
    return muzzle, unit_vector(pose.heading_deg + placed.bearing_deg)


def strike(state: State, ship: int, gun: int, within_studs: float) -> Strike | None:
    """Return the first hull that the shot of a gun meets; None if there is none so near."""
    muzzle, (ux, uy) = bore(state, ship, gun)
    found: Strike | None = None
    for number, other in state.afloat():
        radius = state.setting.ships[number].sheet.radius_studs
        dx, dy = other.x_studs - muzzle[0], other.y_studs - muzzle[1]
        if number == ship or abs(ux * dy - uy * dx) > radius or ux * dx + uy * dy < -radius:
            continue
        distance = entry_studs(muzzle, (ux, uy), state.prism(number).footprint)
        if distance <= (found.distance_studs if found else within_studs + TOLERANCE):
            found = Strike(number, distance)
    return found


def rakes(state: State, ship: int, target: int) -> bool:
    """Whether some gun of a ship is dead ahead or astern of the target, so that its shot does double damage.

    Its muzzle is off the keel line by half the width at most (ours), and beyond the bow or the rudder.
    """
    sheet, keel = state.setting.ships[target].sheet, state.ships[target].pose
    for number, gun in enumerate(state.ships[ship].guns):
        ahead, left = keel.in_frame(bore(state, ship, number)[0])
        is_in_line = 2 * abs(left) <= sheet.width_studs + TOLERANCE
        if is_in_line and 2 * abs(ahead) > sheet.length_studs and not gun.is_lost:
            return True
    return False


def gap_studs(state: State, one: int, other: int) -> float:
    """Return the distance of two hulls; 0 if they touch or overlap by less than a rounding."""
    return _gap_studs(state.prism(one), state.prism(other))


def is_within(state: State, one: int, other: int, studs: float) -> bool:
    """Whether two hulls are at most so far from each other; most pairs are so far apart that no hull is looked at."""
    centres = (state.ships[number].centre_studs for number in (one, other))
    radii = sum(state.setting.ships[number].sheet.radius_studs for number in (one, other))
    return dist(*centres) - radii <= studs and gap_studs(state, one, other) <= studs


@lru_cache(maxsize=4096)
def _gap_studs(one: Prism, other: Prism) -> float:
    if overlap(one, other):
        return 0.0
    return dist(*nearest_points(one.footprint, other.footprint))


_TOUCH_STUDS = 1e-6
"""Largest distance between ships that touch: places are rounded."""


def in_contact(state: State, one: int, other: int) -> bool:
    """Whether two ships touch each other (PW Boarding)."""
    return is_within(state, one, other, _TOUCH_STUDS)
