"""Builder of Pirate Wars: the sea, the ships with their guns, sails and crews, and who swims."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from brickphys.arrays import Triple
from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.report.sheets import ShipPlan
from brickphys.pirate_wars.report.status_text import swimmers
from brickphys.pirate_wars.sheets.minifigs import Role
from brickphys.pirate_wars.sheets.ship_sheet import Gun, Place, ShipSheet
from brickphys.pirate_wars.state.crew import MinifigState
from brickphys.pirate_wars.state.setting import Setting
from brickphys.pirate_wars.state.ship import LOADED, Fate
from brickphys.pirate_wars.state.state import State
from brickphys.text import counted, spoken
from brickphys.units import STUD_MM
from brickphys.vehicles.physics.masses import FIGURE
from brickphys.view.builder import TO_US_DEG, Builder, Placed
from brickphys.view.colours import shown_players
from brickphys.view.pirate_wars.berths import at_gun, berths
from brickphys.view.pirate_wars.ship import OWNER, gun, gun_place_mm, sails, ship
from brickphys.view.recording import Ruler, Shape
from brickphys.view.shapes.built import dressed, model
from brickphys.view.shapes.solids import board, box, grid, merged, prism

_SEA, _LINES, _DEEP = "#4f8fb8", "#6aa3c8", "#2f5f80"
_DEEP_MM = 8.0
_CELL_MM = 8 * STUD_MM
_SUNK_MM = -20.0
"""Who swims is so deep in the water."""
_HATS = {
    Role.CAPTAIN: "black",
    Role.LIEUTENANT: "blue",
    Role.MARINE: "white",
    Role.SAILOR: "grey",
    Role.PIRATE: "dark_red",
}
_CAP = "brown"
_EMPTY_GUN = "pale_grey"


class PirateWarsBuilder(Builder[State]):
    """Builds a battle of Pirate Wars."""

    unit_mm = STUD_MM
    mark_mm = 5.0

    def size(self, state: State) -> Point:
        """Return the width and the length of the sea in studs."""
        return state.setting.sea.width_studs, state.setting.sea.height_studs

    def ruler(self, state: State) -> Ruler:
        """Return the studs of the sea; headings are degrees."""
        return Ruler(STUD_MM, *self.size(state), in_degrees=True)

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def ground(self, state: State) -> tuple[Placed, ...]:
        """Return the sea, and an arrow along the wind."""
        return _sea(state.setting)

    def sheet(self, sheet: ShipPlan, colour: str) -> Iterator[Placed]:
        """Yield a ship with its sails and its guns, all loaded."""
        key, own = f"ship {sheet.name}", {OWNER: colour}
        hull = ship(sheet.sheet)
        yield Placed(
            key, hull, heading_deg=TO_US_DEG, label=spoken(sheet.name), tag=colour, colours=own
        )
        yield from _sails(key, sheet.sheet, sheet.sheet.chart.sails)
        for index, one in enumerate(sheet.sheet.guns):
            yield _gun(key, index, one)

    def pieces(self, state: State) -> Iterator[Placed]:
        """Yield the ships that are on the sea, and who swims."""
        for number, one in enumerate(state.ships):
            if one.fate in (Fate.AFLOAT, Fate.STRUCK):
                yield from _ship(state, number)
        yield from _crew(state)
        colours = shown_players(state.setting.colours)
        for at, found in swimmers(state).items():
            for number in found:
                spec = state.setting.minifigs[number]
                x, y = at
                where = (x * STUD_MM, y * STUD_MM, _SUNK_MM)
                label = f"{counted(len(found), 'swimmer')}" if number == found[0] else ""
                look = {**dressed(colours[spec.player]), _CAP: _HATS[spec.role]}
                yield Placed(
                    f"swimmer {spec.name}",
                    model(FIGURE),
                    where,
                    0.0,
                    label,
                    colours[spec.player],
                    look,
                )


@lru_cache(maxsize=16)
def _sea(setting: Setting) -> tuple[Placed, ...]:
    size = (setting.sea.width_studs * STUD_MM, setting.sea.height_studs * STUD_MM)
    surfaces = [
        *board((0.0, 0.0), size, _SEA, _DEEP, _DEEP_MM),
        grid((0.0, 0.0), size, _CELL_MM, 0.1, _LINES),
    ]
    scale = 0.04 * max(size)
    head = np.array([(0.3, -0.6), (1.4, 0.0), (0.3, 0.6)]) * scale
    arrow = (
        box((-1.4 * scale, -0.14 * scale, 0.0), (0.3 * scale, 0.14 * scale, 0.05 * scale), "white"),
        prism(head, 0.0, 0.05 * scale, "white"),
    )
    corner = (size[0] - 2.2 * scale, size[1] - 2.2 * scale, 1.0)
    wind = Placed("wind", Shape("wind", arrow), corner, setting.wind_deg, "wind", "#f2f3f2")
    return Placed("sea", Shape("sea", merged(surfaces))), wind


def _ship(state: State, number: int) -> Iterator[Placed]:
    """Yield a ship with its sails and its guns."""
    spec, now = state.setting.ships[number], state.ships[number]
    sheet, colour = spec.sheet, shown_players(state.setting.colours)[now.owner]
    at = (now.x_studs * STUD_MM, now.y_studs * STUD_MM, 0.0)
    own = {OWNER: colour}
    key = _key(state, number)
    yield Placed(key, ship(sheet), at, now.heading_deg, spoken(spec.name), colour, own)
    yield from _sails(key, sheet, now.sails)
    for index, gun_state in enumerate(now.guns):
        if not gun_state.is_lost:
            is_loaded = gun_state.loads == LOADED and now.is_afloat
            yield _gun(key, index, now.gun(sheet, index), is_loaded=is_loaded)


def _sails(key: str, sheet: ShipSheet, left: int) -> Iterator[Placed]:
    """Yield the sails of a ship that has so many of its lines of sails left."""
    for sail, place, shape in sails(sheet, left):
        yield Placed(f"{key}/sail {sail}", shape, place, parent=key)


def _gun(key: str, index: int, one: Gun, *, is_loaded: bool = True) -> Placed:
    """Return a gun of a ship; a pale one is not loaded."""
    looks = {} if is_loaded else {"black": _EMPTY_GUN}
    shape, place = gun(one.is_light), gun_place_mm(one)
    return Placed(f"{key}/gun {index}", shape, place, one.bearing_deg, colours=looks, parent=key)


def _key(state: State, number: int) -> str:
    return f"ship {state.setting.ships[number].name}"


def _crew(state: State) -> Iterator[Placed]:
    """Yield the minifigs aboard, each at its place."""
    colours, taken = shown_players(state.setting.colours), Counter[tuple[int, Place, int | None]]()
    for spec, now in zip(state.setting.minifigs, state.minifigs, strict=True):
        if (
            not now.is_alive
            or now.ship is None
            or state.ships[now.ship].fate not in (Fate.AFLOAT, Fate.STRUCK)
        ):
            continue
        spot = (now.ship, now.place, now.gun)
        place = _berth(state, now, taken[spot])
        taken[spot] += 1
        if place is not None:
            look = {**dressed(colours[spec.player]), _CAP: _HATS[spec.role]}
            yield Placed(
                f"crew {spec.name}",
                model(FIGURE),
                place,
                colours=look,
                parent=_key(state, now.ship),
            )


def _berth(state: State, now: MinifigState, number: int) -> Triple | None:
    """Return where the number-th minifig of a spot stands on its ship; None if there is no more room to show it."""
    assert now.ship is not None
    sheet: ShipSheet = state.setting.ships[now.ship].sheet
    if now.gun is not None:
        one = state.ships[now.ship].gun(sheet, now.gun)
        return at_gun(gun_place_mm(one), one.bearing_deg, number)
    places = berths(sheet, now.place)
    return places[number] if number < len(places) else None
