"""Sea map: the sea in characters, with the hulls of ships, who swims, the circles of aims, and the wind."""

from collections.abc import Iterator
from math import ceil, dist

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.pirate_wars.state.setting import Setting
from brickphys.pirate_wars.state.state import State
from brickphys.rules.aims.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap
from brickphys.rules.report.ink import Ink, Tone
from brickphys.rules.report.status import letters
from brickphys.rules.scenario.map_writer import text_map

_SEA, _BOW, _SWIMMER, _AIM, _UNNAMED = ".", "*", ",", ":", "@"
_WIND_FROM, _WIND, _WIND_TO = "o", "-", "#"
_MEANINGS = {
    _BOW: "bow of a ship",
    _SWIMMER: "in the water",
    _AIM: "area of an aim",
    _WIND_TO: f"the wind blows from {_WIND_FROM} to {_WIND_TO}",
}
_INKS: dict[str, Tone] = {_SEA: Ink.WATER, _AIM: Ink.QUIET, _BOW: Ink.HEAD}
_COLUMNS = 100
"""Largest number of characters in a line."""
_LINE = 2
"""A character is about twice as high as wide."""
_WIND_CHARACTERS = 5
_Cell = tuple[int, int]


def ship_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each ship on maps."""
    owners = (ship.player for ship in setting.ships)
    return letters(owners, _WIND_FROM, _UNNAMED)


def sea_map(state: State) -> CharMap:
    """Return the sea in characters with its legend: north is up, a character is some studs wide and twice as long."""
    sea, known = state.setting.sea, ship_letters(state.setting)
    studs = ceil(sea.width_studs / _COLUMNS)
    square = studs, _LINE * studs
    size = ceil(sea.width_studs / square[0]), ceil(sea.height_studs / square[1])
    signs = dict(_aims(state, square)) | dict(_wind(state.setting.wind_deg, size))
    hulls = {number: _hull(state, number, square) for number, _ in state.afloat()}
    for number, cells in hulls.items():
        signs |= dict.fromkeys(cells, known[number])
    signs |= dict.fromkeys((cells[-1] for cells in hulls.values()), _BOW)
    for minifig in state.minifigs:
        if minifig.at_studs is not None:
            signs.setdefault(_cell(minifig.at_studs, square), _SWIMMER)
    names, players = [spec.name for spec in state.setting.ships], state.setting.players
    ships = {
        known[number]: f"the ship {names[number]} of {players[ship.owner]}"
        for number, ship in state.afloat()
    }
    squares = [signs.get((x, y), _SEA) for y in range(size[1]) for x in range(size[0])]
    owners: dict[str, Tone] = {known[number]: ship.owner for number, ship in state.afloat()}
    return text_map(size[0], squares, ships | _MEANINGS, square, inks=_INKS | owners)


def _cell(point: Point, square: _Cell) -> _Cell:
    return int(point[0] // square[0]), int(point[1] // square[1])


def _middle(cell: _Cell, square: _Cell) -> Point:
    return (cell[0] + 0.5) * square[0], (cell[1] + 0.5) * square[1]


def _near(middle: Point, radius: float, square: _Cell) -> Iterator[_Cell]:
    """Yield the cells whose middles are no farther from a point than a radius."""
    (left, low), (right, high) = (
        _cell((middle[0] + side * radius, middle[1] + side * radius), square) for side in (-1, 1)
    )
    for x in range(left, right + 1):
        for y in range(low, high + 1):
            if dist(_middle((x, y), square), middle) <= radius:
                yield x, y


def _hull(state: State, number: int, square: _Cell) -> list[_Cell]:
    """Return the cells of a ship from the stern to the bow; one at least."""
    sheet, pose = state.setting.ships[number].sheet, state.ships[number].pose
    near = {
        cell: pose.in_frame(_middle(cell, square))
        for cell in _near(pose.centre_studs, sheet.radius_studs, square)
    }
    found = sorted((cell for cell, at in near.items() if sheet.covers(*at)), key=near.__getitem__)
    return found or [_cell(pose.centre_studs, square)]


def _aims(state: State, square: _Cell) -> Iterator[tuple[_Cell, str]]:
    for aim in state.setting.aims:
        if not isinstance(aim, RoundLimit):
            for cell in _near(aim.area.centre, aim.area.radius, square):
                yield cell, _AIM


def _wind(wind_deg: float, size: _Cell) -> Iterator[tuple[_Cell, str]]:
    """Yield an arrow along the wind in the upper left corner."""
    ahead, up = unit_vector(wind_deg)
    reach = _WIND_CHARACTERS
    for step in sorted(range(-reach, reach + 1), key=abs):  # the ends last: a row holds two steps
        sign = {-reach: _WIND_FROM, reach: _WIND_TO}.get(step, _WIND)
        x, y = (
            round(reach + 1 + step * ahead),
            round(size[1] - 1 - reach / _LINE + step * up / _LINE),
        )
        yield (x, y), sign
