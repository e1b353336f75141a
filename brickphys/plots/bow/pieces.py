"""Pieces: the units, vehicles and things of a battle as they are drawn, in the colours of their players."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brickphys.bow.actions.contact import is_enclosed
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.plots.bow.field import Figure, Paint, Tile
from brickphys.text import spoken

if TYPE_CHECKING:
    from brickphys.bow.state.setting import Setting
    from brickphys.bow.state.state import State

_COLORS = ("red", "blue", "yellow", "orange", "white", "black")
_SEATS_APART_STUDS = 1.8


def player_colors(setting: "Setting") -> tuple[str, ...]:
    """Return a colour for each player: that of his name if it is one, else the next that is free."""
    free = iter([color for color in _COLORS if color not in setting.players])
    return tuple(name if name in _COLORS else next(free) for name in setting.players)


def figures(state: "State") -> list[Figure]:
    """Return who can be seen: on a stud, or in an open seat."""
    colors, players = player_colors(state.setting), state.setting.players
    return [
        Figure(
            *_middle(state, unit),
            heading_deg=state.heading_deg(unit),
            color=colors[state.setting.units[unit].player],
            name=short_name(state.setting.units[unit].name, players) if figure.seat is None else "",
        )
        for unit, figure in state.in_play()
        if not is_enclosed(state, unit)
    ]


def vehicles(state: "State") -> list[Paint]:
    """Return the vehicles in play, with who sits in them."""
    colors = player_colors(state.setting)
    return [
        Paint(
            state.vehicle_body(number),
            colors[state.setting.vehicles[number].player],
            tuple(_seated(state, unit, number) for unit in state.occupants(number)),
        )
        for number in state.vehicles_left
    ]


def tiles(state: "State") -> list[Tile]:
    """Return what lies about; things on one stud are one tile."""
    names: dict[int, list[str]] = {}
    for stud, name in state.objects:
        names.setdefault(stud, []).append(spoken(name))
    stances = state.setting.field.stances
    return [Tile(*stances[stud][:2], ", ".join(found)) for stud, found in names.items()]


def short_name(name: str, players: Sequence[str]) -> str:
    """Return a name as it is read, without that of its player, whom the colour tells."""
    for player in players:
        name = name.removeprefix(f"{player}_")
    return spoken(name)


def _seated(state: "State", unit: int, vehicle: int) -> str:
    """Return a seat, and who is in it unless he is called after it: ``pilot: scout 2``."""
    seat, name = state.seat_of(unit)[1].name, state.setting.units[unit].name
    if name == f"{state.setting.vehicles[vehicle].name}_{seat}":
        return spoken(seat)
    return f"{spoken(seat)}: {short_name(name, state.setting.players)}"


def _middle(state: "State", unit: int) -> Point:
    """Return where a figure is drawn: those in a vehicle side by side, since all of them are at its middle."""
    x, y, _ = state.stance(unit)
    if state.units[unit].seat is None:
        return x, y
    row = [one for one in state.occupants(state.seat_of(unit)[0]) if not is_enclosed(state, one)]
    aside = _SEATS_APART_STUDS * (row.index(unit) - (len(row) - 1) / 2)
    ahead_x, ahead_y = unit_vector(state.heading_deg(unit))
    return x + aside * ahead_y, y - aside * ahead_x
