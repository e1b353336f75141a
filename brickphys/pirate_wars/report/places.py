"""Places: the names in play, and where on the map the moving ship is and an action leads."""

from functools import partial

from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.report.sea_map import ship_letters
from brickphys.pirate_wars.sailing.movement import ShipTurn, Swing
from brickphys.pirate_wars.state.state import State
from brickphys.rules.names import Names, player_names
from brickphys.rules.words import Action, last_place


def names(state: State) -> Names:
    """Return the names of minifigs, with who commands them, and of ships."""
    setting = state.setting
    owners = [ship.owner for ship in state.ships]
    commanders = [state.commander(number) for number in range(len(setting.minifigs))]
    return {
        **player_names(setting.minifigs, owners=commanders),
        **player_names(setting.ships, ship_letters(setting), owners),
    }


def here(state: State) -> Point | None:
    """Return the middle of the ship that moves."""
    return None if state.active is None else state.ships[state.active].centre_studs


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return where a turn leads the bow, or else the place of the last ship or swimmer that an action names."""
    if isinstance(action, ShipTurn) and state.active is not None:
        length = state.setting.ships[state.active].sheet.length_studs
        leap = min(length, state.left_studs) if isinstance(action, Swing) else 0.0
        return _bow(state, state.active, action.angle_deg, leap)
    return last_place(action, partial(_place, state))


def _bow(state: State, ship: int, angle_deg: float, leap_studs: float) -> Point:
    """Return where the bow is after a swing about the rudder and a leap, if nothing is in the way."""
    sheet, pose = state.setting.ships[ship].sheet, state.ships[ship].pose
    x, y = pose.on_field(sheet.rudder_studs)
    ahead = sheet.length_studs / 2 - sheet.rudder_studs[0] + leap_studs
    return Pose(x, y, pose.heading_deg + angle_deg).on_field((ahead, 0.0))


def _place(state: State, name: str) -> Point | None:
    setting = state.setting
    if name in setting.ship_numbers:
        ship = state.ships[setting.ship_numbers[name]]
        return ship.centre_studs if ship.is_afloat else None
    if name in setting.minifig_numbers:
        return state.minifigs[setting.minifig_numbers[name]].at_studs
    return None
