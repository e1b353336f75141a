"""Wind: points of sail, speeds, and who is adrift (PW Movement)."""

from dataclasses import replace
from enum import Enum

from brickphys.geometry.bearing import turn_deg
from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars.sheets.charts import sailing_chart
from brickphys.pirate_wars.state.state import State


class PointOfSail(Enum):
    """How a ship lies to the wind."""

    FULL = "full"
    """The wind comes from aft to abeam: full speed."""
    TACK = "tack"
    """From abeam to the quarter, as the book says: half speed."""
    IN_IRONS = "in irons"
    """From ahead: adrift."""


def off_running_deg(heading_deg: float, wind_deg: float) -> float:
    """Return how far a ship is off running with the wind, 180 straight into it."""
    return abs(turn_deg(heading_deg, wind_deg))


def drift_turn_deg(heading_deg: float, wind_deg: float) -> float:
    """Return the turn of a ship that is adrift: as far towards running as it may."""
    most = sailing_chart().small_turn_deg
    return min(max(turn_deg(heading_deg, wind_deg), -most), most)


def point_of_sail(heading_deg: float, wind_deg: float) -> PointOfSail:
    """Return how a ship lies to the wind; limits belong to the faster point."""
    off_deg = off_running_deg(heading_deg, wind_deg)
    if off_deg <= sailing_chart().full_speed_deg + TOLERANCE:
        return PointOfSail.FULL
    is_tack = off_deg <= sailing_chart().half_speed_deg + TOLERANCE
    return PointOfSail.TACK if is_tack else PointOfSail.IN_IRONS


def is_adrift(state: State, ship: int) -> bool:
    """Tell whether a ship is adrift if a turn begins now.

    It is in irons or lashed to another one, or has no crew, no sails or no rudder, or a mast was just sheared.
    """
    ship_state = state.ships[ship]
    return (
        ship_state.rudder_lost
        or ship_state.mast_turns > 0
        or not ship_state.sails
        or not state.crews[ship]
        or any(ship in pair for pair in state.lashed)
        or point_of_sail(ship_state.heading_deg, state.setting.wind_deg) is PointOfSail.IN_IRONS
    )


def set_adrift(state: State) -> State:
    """Return the state at the start of a turn: who is adrift is settled, and sheared masts are counted down."""
    for ship, ship_state in state.afloat():
        after = replace(
            ship_state,
            is_adrift=is_adrift(state, ship),
            mast_turns=max(ship_state.mast_turns - 1, 0),
        )
        if after != ship_state:
            state = state.with_ship(ship, after)
    return state


def speed_studs(state: State, ship: int) -> float:
    """Return how far a ship moves in this turn: half speed is rounded up."""
    ship_state = state.ships[ship]
    if ship_state.is_adrift:
        return sailing_chart().drift_studs
    full = state.setting.ships[ship].sheet.chart.speed_studs(ship_state.damage)
    point = point_of_sail(ship_state.heading_deg, state.setting.wind_deg)
    return float(full if point is PointOfSail.FULL else -(-full // 2))
