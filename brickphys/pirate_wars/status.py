"""Status: a battle at one moment: the map of the sea, and tables of the ships and of who is where on them.

Names in play have places on the map.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.sailing import ShipTurn, Swing, is_adrift, point_of_sail, speed_studs
from brickphys.pirate_wars.scene import sea_map, ship_letters, swimmers
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import ShipPlace
from brickphys.pirate_wars.state import LOADED, Phase, State
from brickphys.pirate_wars.tasks import ORDERS
from brickphys.rules.aims import CircleAims
from brickphys.rules.names import Names, compass, heading_text, names_text, player_names
from brickphys.rules.report.story import status_text
from brickphys.rules.words import Action, last_place
from brickphys.text import spoken


def circle_aims(setting: Setting) -> CircleAims:
    """Return the aims of a battle as reports show them."""
    return CircleAims(
        setting.aims,
        setting.players,
        setting.teams,
        tuple(ship.name for ship in setting.ships),
        size=(setting.sea.width_studs, setting.sea.height_studs),
        unit="studs",
        noun="ship",
        points="the largest share of its hulls, sails and crews left",
        last="The last side with ships that do not flee wins.",
    )


def battle_status(view: State) -> str:
    """Return the map of the sea, the ships afloat, the orders, the crews by place, and who swims."""
    known = view.orders  # those that the player knows
    orders = ((ORDERS[one.task].of(view, one).text(),) for one in known)
    tables: list[list[Sequence[str]]] = [
        [_SHIP_COLUMNS, *_ship_rows(view)],
        [("orders written",), *orders],
        [("ship", "place", "who is there"), *_crew_rows(view)],
    ]
    shown = [table for table in tables if len(table) > 1]
    return status_text(_headline(view), sea_map(view), shown, _notes(view))


_IN_TURN = (Phase.MOVEMENT, Phase.FALLING_OFF, Phase.TASKS)
"""The phases in which the players have their turns one after the other."""


def _headline(state: State) -> str:
    """Return the turn, its phase and whose turn it is, and the wind (PW Turn Sequence)."""
    setting = state.setting
    wind = f"the wind blows to the {compass(setting.wind_deg)} ({heading_text(setting.wind_deg)} degrees)"
    if not state.round:
        return f"Before the first round; {wind}"
    has_turn = state.phase in _IN_TURN and state.turn < len(state.order)
    who = f" of {spoken(setting.players[state.player])}" if has_turn else ""
    move = ""
    if state.active is not None and state.phase is Phase.MOVEMENT:
        left = f"{state.left_studs:g} of {state.move_studs:g} studs left"
        move = f", {state.called(state.active)} with {left}"
    return f"Round {state.round}, {spoken(state.phase.value)}{who}{move}; {wind}"


_SHIP_COLUMNS = (
    "", "ship", "player", "at", "heading", "sails", "speed", "hull (HF)", "sails (SF)", "crew", "guns loaded", "",
)  # fmt: skip


def _ship_rows(state: State) -> Iterator[Sequence[str]]:
    setting, known = state.setting, ship_letters(state.setting)
    for number, ship in state.afloat:
        spec = setting.ships[number]
        guns = [gun for gun in ship.guns if not gun.is_lost]
        yield (
            known[number],
            spec.name,
            setting.players[ship.owner],
            f"{ship.x_studs:.1f},{ship.y_studs:.1f}",
            heading_text(ship.heading_deg),
            point_of_sail(ship.heading_deg, setting.wind_deg).value,
            _speed_text(state, number),
            f"{ship.hull} of {spec.sheet.chart.hull}",
            f"{ship.sails} of {spec.sheet.chart.sails}",
            f"{len(state.crews[number])} of {len(setting.crews[number])}",
            f"{sum(gun.loads == LOADED for gun in guns)} of {len(ship.guns)}",
            ", ".join(remarks(state, number)),
        )


def _speed_text(state: State, number: int) -> str:
    """Return how fast a ship is; one that is adrift only if a turn began as it lies now is told apart (PW Movement)."""
    if state.ships[number].is_adrift:
        return "adrift"
    return "adrift next turn" if is_adrift(state, number) else f"{speed_studs(state, number):g}"


def remarks(state: State, number: int) -> Iterator[str]:
    """Yield what is unusual about a ship."""
    ship = state.ships[number]
    unusual = {
        "rudder lost": ship.rudder_lost,
        "mast sheared": ship.mast_turns,
        "flees": ship.is_fleeing,
        "abandoned": ship.is_abandoned,
        "sinks at the end of the phase": ship.is_afloat and not ship.hull,
    }
    yield from (words for words, holds in unusual.items() if holds)
    for pair in state.lashed:
        if number in pair:
            yield f"lashed to {state.ship_name(sum(pair) - number)}"
    for boarding in state.boardings:
        if boarding.attacker == number:
            yield f"boards {state.ship_name(boarding.defender)}"


def _crew_rows(state: State) -> Iterator[Sequence[str]]:
    """Yield the crew of each ship by place, every gun with its side and its loads, and boarders."""
    for number, ship in state.afloat:
        crew, name = state.crews[number], state.ship_name(number)
        for place in ShipPlace:
            if place is ShipPlace.GUN:
                for gun, now in enumerate(ship.guns):
                    one = ship.gun(state.sheet(number), gun)
                    loads = "destroyed" if now.is_lost else _LOADS[now.loads]
                    text = f"gun{gun}, {'light, ' * one.is_light}{one.side}, {loads}"
                    yield name, text, _crew_text(state, state.gunners(number, gun))
            elif there := [one for one in crew if state.minifigs[one].place is place]:
                yield name, spoken(place.value), _crew_text(state, there)
        if boarders := list(state.boarders(number)):
            yield name, "boarders", names_text(map(state.minifig_name, boarders))


_LOADS = ("empty", "half loaded", "loaded")


def _crew_text(state: State, crew: Sequence[int]) -> str:
    """Return who is at a place, and which of them have an empty weapon."""
    text = names_text(map(state.minifig_name, crew))
    empty = [state.minifig_name(one) for one in crew if not state.minifigs[one].is_loaded]
    return f"{text} (to reload: {names_text(empty)})" if empty else text


def _notes(state: State) -> Iterator[str]:
    for (x, y), found in swimmers(state).items():
        yield f"in the water at {x:.1f},{y:.1f}: {names_text(map(state.minifig_name, found))}"
    out = [
        f"{state.ship_name(number)} ({spoken(ship.fate.value)})"
        for number, ship in enumerate(state.ships)
        if not ship.is_afloat
    ]
    if out:
        yield f"out of the battle: {', '.join(out)}"


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
        sheet, pose = state.sheet(state.active), state.ships[state.active].pose
        leap = min(sheet.length_studs, state.left_studs) if isinstance(action, Swing) else 0.0
        rudder = pose.on_field(sheet.rudder_studs)
        turned = Pose(*rudder, pose.heading_deg + action.angle_deg)
        return turned.on_field((sheet.length_studs + leap, 0.0))
    return last_place(action, partial(_place, state))


def _place(state: State, name: str) -> Point | None:
    setting = state.setting
    if name in setting.ship_numbers:
        ship = state.ships[setting.ship_numbers[name]]
        return ship.centre_studs if ship.is_afloat else None
    if name in setting.minifig_numbers:
        return state.minifigs[setting.minifig_numbers[name]].at_studs
    return None
