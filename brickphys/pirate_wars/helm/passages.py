"""Passages: how many turns a ship needs to a place, by the points of sail, on a sea without a border or other ships.

In a turn that begins with the wind abeam a ship has its full speed, even if it turns into the wind after its first leap
and falls off at the end: so it beats to windward much faster than at half speed close to the wind.
"""

from functools import lru_cache
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from brickphys.geometry.pose import turn_deg
from brickphys.pirate_wars.sheets import sailing_chart
from brickphys.pirate_wars.state import Phase, State

if TYPE_CHECKING:
    from brickphys.units import Array

_STEP_DEG, _SWING_DEG = 5.0, 15.0
"""Headings are so far apart, and the turns that are tried after a leap, and the ways."""
_HEADINGS_DEG = np.arange(0.0, 360.0, _STEP_DEG)
"""Headings off running with the wind, counter-clockwise."""
_WAYS_RAD = np.radians(np.arange(0.0, 360.0, _SWING_DEG))
_WAYS = np.column_stack((np.cos(_WAYS_RAD), np.sin(_WAYS_RAD)))
"""Unit vectors of the ways that are looked at, with the wind along the first axis; shape (w, 2)."""
_ALONG: "Array" = np.cos(np.radians(_HEADINGS_DEG) - _WAYS_RAD[:, None])
"""How much of a leap with each heading counts along each way, shape (w, headings) as all arrays of `later` below."""
_OFF_DEG = np.minimum(_HEADINGS_DEG, 360.0 - _HEADINGS_DEG)
_TO_RUNNING = np.where(_HEADINGS_DEG < 180.0, -1.0, 1.0)
_FALLS = _TO_RUNNING, np.where(_HEADINGS_DEG <= 180.0, -1.0, 1.0)
"""To which side ships turn in a drift, and to which they may fall off: straight into the wind, to either side."""
_LONG, _MOST = 24, 30.0
"""Turns after which a ship makes way as in the long run; the most turns that are told."""


@lru_cache(maxsize=256)
def _made_good(length_studs: float, speed_studs: float) -> tuple["Array", "Array", "Array"]:
    """Return how far a ship comes along each way in a turn in the long run, shape (w,), and what its heading adds.

    The latter first for a ship that begins a turn, then for one that may fall off before; shapes (w, headings).
    """
    way, ways = np.zeros_like(_ALONG), list["Array"]()
    for _ in range(_LONG):
        way = _turn(way, length_studs, speed_studs)
        ways.append(way)
    rate = np.max(ways[-1] - ways[_LONG // 2 - 1], axis=1) / (_LONG // 2)
    more = way - _LONG * rate[:, None]
    return np.maximum(rate, 1.0), more, _fallen(more, length_studs)


def _turn(later: "Array", length_studs: float, speed_studs: float) -> "Array":
    """Return how far a ship comes that makes a turn, given how far it comes later from each heading."""
    chart, later = sailing_chart(), _fallen(later, length_studs)
    drifts = _TO_RUNNING * np.minimum(chart.small_turn_deg, _OFF_DEG)
    adrift = _turned(later, length_studs, drifts) + chart.drift_studs * _WAYS[:, :1]
    if not speed_studs:
        return adrift
    full, half = (
        _leapt(later, length_studs, studs) for studs in (speed_studs, -(-speed_studs // 2))
    )
    sailed = np.where(chart.full_speed_deg >= _OFF_DEG, full, half)
    return np.where(chart.half_speed_deg >= _OFF_DEG, sailed, adrift)


def _leapt(later: "Array", length_studs: float, studs: float) -> "Array":
    """Return how far a ship comes by a move straight ahead, with a turn after each leap, and later."""
    chart = sailing_chart()
    leaps = [length_studs] * int(studs // length_studs) + [studs % length_studs]
    for leap in reversed([leap for leap in leaps if leap]):
        if 2 * leap > length_studs:
            later = _swung(later, length_studs, chart.leap_turn_deg)
        elif leap == studs:
            later = _swung(later, length_studs, chart.small_turn_deg)
        later = later + leap * _ALONG
    return later


def _swung(later: "Array", length_studs: float, most_deg: float) -> "Array":
    """Return how far a ship comes if it first makes the turn, of at most so much, that is best for each way."""
    angles = np.arange(-most_deg, most_deg + 1.0, _SWING_DEG)
    found: Array = np.max([_turned(later, length_studs, angle) for angle in angles], axis=0)
    return found


def _fallen(later: "Array", length_studs: float) -> "Array":
    """Return how far a ship comes if it first falls off as is best for each way."""
    angles = np.arange(0.0, sailing_chart().small_turn_deg + 1.0, _STEP_DEG)
    falls = [side * np.minimum(angle, _OFF_DEG) for angle in angles for side in _FALLS]
    found: Array = np.max([_turned(later, length_studs, fall) for fall in falls], axis=0)
    return found


def _turned(later: "Array", length_studs: float, angle_deg: "Array | float") -> "Array":
    """Return how far a ship comes if it first turns about its rudder."""
    arm = length_studs / 2 * _ALONG
    steps = ((_HEADINGS_DEG + angle_deg) // _STEP_DEG).astype(np.intp) % len(_HEADINGS_DEG)
    found: Array = (later + arm)[:, steps] - arm
    return found


def turns_to(state: State, ship: int, places_studs: "Array") -> "Array":
    """Return how many turns a ship needs to each of some places, shape (n,), if no other one hinders it.

    `places_studs` has shape (n, 2).
    """
    now, wind_deg = state.ships[ship], state.setting.wind_deg
    sheet = state.sheet(ship)
    speed = 0.0
    if state.crews[ship] and not now.rudder_lost:
        speed = float(sheet.chart.speed_studs(now.damage))
    rate, begins, falls = _made_good(sheet.length_studs, speed)
    may_fall = state.phase is Phase.MOVEMENT and (ship in state.done or state.active == ship)
    may_fall = may_fall or (state.phase is Phase.FALLING_OFF and ship not in state.done)
    off_deg = turn_deg(wind_deg, now.heading_deg)
    index = int(np.copysign(-(-(abs(off_deg) - 1e-6) // _STEP_DEG), off_deg))
    c, s = np.cos(radians(wind_deg)), np.sin(radians(wind_deg))
    ways = (places_studs - (now.x_studs, now.y_studs)) @ (np.array(((c, -s), (s, c))) @ _WAYS.T)
    found = (ways - (falls if may_fall else begins)[:, index % len(_HEADINGS_DEG)]) / rate
    turns: Array = np.clip(found.max(axis=1), 0.0, _MOST)
    return turns
