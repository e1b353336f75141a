"""Places: the names in play, and where on the map the acting unit is and an action leads."""

from brickphys.blade_and_bow.command.displacement import mover
from brickphys.blade_and_bow.command.playing import ARMY
from brickphys.blade_and_bow.command.words import SQUARE, UnitQuestion
from brickphys.blade_and_bow.report.battle_map import unit_letters
from brickphys.blade_and_bow.sheets.cards import deck
from brickphys.blade_and_bow.state.state import State
from brickphys.geometry.polygon import Point
from brickphys.rules.names import Names, Naming, player_names
from brickphys.rules.words import Action, last_place


def names(state: State) -> Names:
    """Return the names of units and leaders, of camps, and of all cards of the deck."""
    setting = state.setting
    camps = {f"camp_{name}": Naming(player) for player, name in enumerate(setting.players)}
    others = [ARMY, *(card.name for card in deck())]
    return {
        **dict.fromkeys(others, Naming()),
        **camps,
        **player_names(setting.leaders),
        **player_names(setting.units, unit_letters(setting)),
    }


def here(state: State) -> Point | None:
    """Return the square of the unit that moves, or about which its player is asked."""
    asked = state.first_pending
    unit = asked.unit if isinstance(asked, UnitQuestion) else mover(state)
    return None if unit is None else _point(state, state.units[unit].square)


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return the square that an action names, or else that of the last unit, leader or camp that it names."""
    for argument, value in zip(action.arguments, action.values(), strict=True):
        if argument is SQUARE:
            return _point(state, state.setting.square_numbers.get(value))
    return last_place(action, lambda name: _point(state, _square(state, name)))


def _square(state: State, name: str) -> int | None:
    """Return where a unit, a leader or a camp is; None if there is none of the name on the map."""
    setting = state.setting
    places = {
        **{f"camp_{one}": camp for one, camp in zip(setting.players, state.camps, strict=True)},
        **{spec.name: now.square for spec, now in zip(setting.leaders, state.leaders, strict=True)},
        **{spec.name: now.square for spec, now in zip(setting.units, state.units, strict=True)},
    }
    return places.get(name)


def _point(state: State, square: int | None) -> Point | None:
    """Return the middle of a square on the map."""
    if square is None:
        return None
    x, y = state.setting.grid.xy(square)
    return x + 0.5, y + 0.5
