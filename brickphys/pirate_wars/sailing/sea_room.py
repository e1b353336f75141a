"""Sea room: whether a ship can stay on the sea for some turns (PW Movement)."""

from functools import lru_cache
from typing import NamedTuple

from brickphys.geometry.polygon import unit_vector
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.sailing.wind import (
    PointOfSail,
    drift_turn_deg,
    point_of_sail,
)
from brickphys.pirate_wars.sheets.charts import sailing_chart
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.vehicles.scene import Bounds

_TURNS, _FALLS = (0.0, 1.0, -1.0), (0.0, 1.0)
"""Turns that a ship tries after a leap and when it falls off, as shares of the largest turn."""


class Sailor(NamedTuple):
    """What of a ship and its sea matters for where it can go; it keeps its speed."""

    sea: Bounds
    wind_deg: float
    length_studs: float
    speed_studs: float  # 0 for a ship without sails or rudder, which is adrift for good


def stays_on_sea(state: State, number: int, turns: int) -> bool:
    """Tell whether a ship can stay on the sea from now on for some turns, if no other one is there."""
    setting, ship = state.setting, state.ships[number]
    sheet = setting.ships[number].sheet
    speed = 0.0 if ship.rudder_lost else float(sheet.chart.speed_studs(ship.damage))
    sailor = Sailor(setting.sea, setting.wind_deg, sheet.length_studs, speed)
    if state.active == number and state.phase is Phase.MOVEMENT:
        return can_turn(sailor, ship.pose, state.may_turn_deg, state.left_studs, turns)
    has_moved = number in state.done
    if (state.phase is Phase.MOVEMENT and has_moved) or (
        state.phase is Phase.FALLING_OFF and not has_moved
    ):
        return can_fall_off(sailor, ship.pose, turns)
    return has_room(sailor, ship.pose, turns)


@lru_cache(maxsize=65536)
def has_room(ship: Sailor, pose: Pose, turns: int) -> bool:
    """Tell whether a ship that begins a turn somewhere can be on the sea after some turns, if no other one is there."""
    if turns == 0:
        return True
    point = point_of_sail(pose.heading_deg, ship.wind_deg)
    if point is PointOfSail.IN_IRONS or not ship.speed_studs:
        drifted = _ahead(pose, ship.wind_deg, sailing_chart().drift_studs)
        turned = _swung(ship, drifted, drift_turn_deg(pose.heading_deg, ship.wind_deg))
        return _is_on(ship, drifted, turned) and can_fall_off(ship, turned, turns)
    studs = ship.speed_studs if point is PointOfSail.FULL else -(-ship.speed_studs // 2)
    return _leaps(ship, pose, studs, turns, is_first=True)


def can_fall_off(ship: Sailor, pose: Pose, turns: int) -> bool:
    """Tell whether a ship that may fall off now has room from then on, with one turn less to go."""
    most_deg = drift_turn_deg(pose.heading_deg, ship.wind_deg) if ship.speed_studs else 0.0
    ways = (_swung(ship, pose, share * most_deg) for share in _FALLS)
    return any(_is_on(ship, way) and has_room(ship, way, turns - 1) for way in ways)


def can_turn(ship: Sailor, pose: Pose, most_deg: float, left_studs: float, turns: int) -> bool:
    """Tell whether a ship that may turn now, with so much of its move left, has room from then on."""
    ways = (_swung(ship, pose, share * most_deg) for share in _TURNS)
    return any(_is_on(ship, way) and _leaps(ship, way, left_studs, turns) for way in ways)


def _leaps(
    ship: Sailor, pose: Pose, left_studs: float, turns: int, *, is_first: bool = False
) -> bool:
    """Tell whether a ship that is about to leap, if its move is not over, has room."""
    studs, chart = min(ship.length_studs, left_studs), sailing_chart()
    there = _ahead(pose, pose.heading_deg, studs)
    if not _is_on(ship, there):
        return False
    if 2 * studs > ship.length_studs:
        return can_turn(ship, there, chart.leap_turn_deg, left_studs - studs, turns)
    if is_first:
        return can_turn(ship, there, chart.small_turn_deg, 0.0, turns)
    return can_fall_off(ship, there, turns)


def _ahead(pose: Pose, way_deg: float, studs: float) -> Pose:
    c, s = unit_vector(way_deg)
    return Pose(pose.x_studs + studs * c, pose.y_studs + studs * s, pose.heading_deg)


def _swung(ship: Sailor, pose: Pose, angle_deg: float) -> Pose:
    """Return where a ship is after a swing about its rudder."""
    astern = _ahead(pose, pose.heading_deg, -ship.length_studs / 2)
    turned = Pose(astern.x_studs, astern.y_studs, pose.heading_deg + angle_deg)
    return _ahead(turned, turned.heading_deg, ship.length_studs / 2)


def _is_on(ship: Sailor, *poses: Pose) -> bool:
    return all(ship.sea.contains((pose.x_studs, pose.y_studs)) for pose in poses)
