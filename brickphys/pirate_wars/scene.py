"""Scene: ships with their guns and crews, what lashes them together, and who swims; and the map of the sea."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from math import ceil, dist

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import ShipPlace
from brickphys.pirate_wars.state import LOADED, Fate, State
from brickphys.rules.aims import RoundLimit
from brickphys.rules.report.char_map import CharMap, Ink, Tone, text_map
from brickphys.rules.report.story import letters
from brickphys.rules.scene import Piece, Scene
from brickphys.text import spoken

STRUCK, LOADED_GUN = "struck", "loaded"
"""Marks of a ship and of a gun."""
_SWIMMER_STUDS = 1.1


def battle_scene(state: State) -> Scene:
    """Return the sea with all that is seen on it: ships afloat and those that struck, and swimmers."""
    setting = state.setting
    size = setting.sea.width_studs, setting.sea.height_studs
    return Scene(size, setting.players, setting.colours, partial(_pieces, state))


def _pieces(state: State) -> Iterator[Piece]:
    shown = [
        number for number, ship in enumerate(state.ships) if ship.fate in (Fate.AFLOAT, Fate.STRUCK)
    ]
    for number in shown:
        yield from _ship(state, number)
    for one, other in state.lashed:
        ends = state.ships[one].centre_studs, state.ships[other].centre_studs
        yield Piece(f"lashing {one} {other}", "lashing", ends[0], what=ends)
    yield from _crews(state, shown)
    for at, found in swimmers(state).items():
        for order, number in enumerate(found):
            spec = state.setting.minifigs[number]
            yield Piece(
                f"swimmer {spec.name}", "swimmer", at, what=spec.role, player=spec.player,
                label=f"{len(found)} in the water" if order == 0 else "", order=order,
                radius=_SWIMMER_STUDS,
            )  # fmt: skip


def _ship(state: State, number: int) -> Iterator[Piece]:
    """Yield a ship with as many sails as it has lines of them left, and its guns."""
    spec, ship = state.setting.ships[number], state.ships[number]
    key = f"ship {spec.name}"
    yield Piece(
        key, "ship", ship.centre_studs, ship.heading_deg, spec.sheet, ship.owner, name=spec.name,
        label=spoken(spec.name), letter=ship_letters(state.setting)[number], count=ship.sails,
        marks=(STRUCK,) * (not ship.is_afloat),
        outline=state.prism(number).footprint,
    )  # fmt: skip
    for index, now in enumerate(ship.guns):
        if not now.is_lost:
            gun, is_loaded = ship.gun(spec.sheet, index), now.loads == LOADED and ship.is_afloat
            yield Piece(
                f"{key}/gun {index}", "gun", (gun.ahead_studs, gun.left_studs), gun.bearing_deg,
                what=gun, marks=(LOADED_GUN,) * is_loaded, parent=key,
            )  # fmt: skip


def _crews(state: State, ships: list[int]) -> Iterator[Piece]:
    """Yield the minifigs aboard ships, described by role, sheet of the ship, place and gun."""
    taken = Counter[tuple[int, ShipPlace, int | None]]()
    for spec, now in zip(state.setting.minifigs, state.minifigs, strict=True):
        if now.is_alive and now.ship in ships:
            ship, spot = state.setting.ships[now.ship], (now.ship, now.place, now.gun)
            gun = None if now.gun is None else state.ships[now.ship].gun(ship.sheet, now.gun)
            yield Piece(
                f"crew {spec.name}", "crew", (0.0, 0.0), what=(spec.role, ship.sheet, now.place, gun),
                player=spec.player, order=taken[spot], parent=f"ship {ship.name}",
            )  # fmt: skip
            taken[spot] += 1


def swimmers(state: State) -> dict[Point, list[int]]:
    """Return the numbers of those in the water, by their places."""
    found: dict[Point, list[int]] = {}
    for number in state.swimmers():
        if (at := state.minifigs[number].at_studs) is not None:
            found.setdefault(at, []).append(number)
    return found


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
    """Return the sea in characters with its legend: north is up, a character is some studs wide and twice as long.

    It shows hulls, who swims, the circles of aims and the wind.
    """
    scene = battle_scene(state)
    studs = ceil(scene.size[0] / _COLUMNS)
    square = studs, _LINE * studs
    size = ceil(scene.size[0] / square[0]), ceil(scene.size[1] / square[1])
    signs = dict(_aims(state, square)) | dict(_wind(state.setting.wind_deg, size))
    ships = [ship for ship in scene.of("ship") if STRUCK not in ship.marks]
    hulls = [_hull(ship, square) for ship in ships]
    for ship, cells in zip(ships, hulls, strict=True):
        signs |= dict.fromkeys(cells, ship.letter)
    signs |= dict.fromkeys((cells[-1] for cells in hulls), _BOW)
    for one in scene.of("swimmer"):
        signs.setdefault(_cell(one.at, square), _SWIMMER)
    names = {ship.letter: f"the ship {ship.name} of {scene.players[ship.player]}" for ship in ships}
    squares = [signs.get((x, y), _SEA) for y in range(size[1]) for x in range(size[0])]
    inks = _INKS | {ship.letter: ship.player for ship in ships}
    return text_map(size[0], squares, names | _MEANINGS, square, inks=inks)


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


def _hull(ship: Piece, square: _Cell) -> list[_Cell]:
    """Return the cells of a ship from the stern to the bow; one at least."""
    near = {
        cell: ship.pose.in_frame(_middle(cell, square))
        for cell in _near(ship.at, ship.what.radius_studs, square)
    }
    found = sorted(
        (cell for cell, at in near.items() if ship.what.covers(*at)), key=near.__getitem__
    )
    return found or [_cell(ship.at, square)]


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
