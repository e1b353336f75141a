"""Painter of BOW: a battle on its field, and description sheets as plates."""

from collections.abc import Hashable, Sequence
from itertools import product
from math import ceil, floor
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle, Patch

from brickphys.bow.actions.reach import is_enclosed
from brickphys.bow.report.status_text import unit_letters
from brickphys.bow.sheets.sheet_text import headline, summary
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import TOLERANCE, Point, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.plots.bow.legend import height_patches
from brickphys.plots.bow.sheet import (
    SIZE_INCHES,
    draw_sheet,
    draw_true_plate,
    true_plate_size_mm,
)
from brickphys.plots.bow.terrain import draw_terrain
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import (
    MOST_NAMES,
    Figure,
    Pieces,
    Tile,
    VehiclePiece,
    letter_groups,
    pieces_of,
)
from brickphys.rules.report.army import ArmyUnit
from brickphys.text import short_name, spoken
from brickphys.units import STUD_MM

_SEATS_APART_STUDS = 1.8
_SHEET_COLUMNS = 3
_STUD_RADIUS_STUDS = 0.3
_LABELLED_STUDS = 5
"""Studs from one number along an axis to the next."""


class BowPainter(Painter[State]):
    """Draws the field, the pieces and the sheets of BOW."""

    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field in studs."""
        return state.setting.field.width, state.setting.field.length

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colours of the players."""
        return state.setting.colours

    def ground(self, state: State) -> Hashable:
        """Return the doors and windows that are open."""
        return state.open_ids

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw ground and decor; the numbers along the axes are those of studs, in the middle of each."""
        draw_terrain(state.board.terrain, ax)
        for label, studs in zip((ax.set_xticks, ax.set_yticks), self.size(state), strict=True):
            numbers = range(0, int(studs), _LABELLED_STUDS)
            label([number + 0.5 for number in numbers], [str(number) for number in numbers])

    def pieces(self, state: State) -> Pieces:
        """Return figures, vehicles and objects with their names, or with the letters of the map where they are many."""
        return pieces_of(figures(state), vehicles(state), tiles(state))

    def called(self, state: State, unit: str) -> str:
        """Return the name of a unit or vehicle, or the letter of a unit on the map where there are many."""
        return _called(state, unit)

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the heights of ground and decor by their colours."""
        return height_patches(state.board.terrain)

    def later_entries(self, state: State) -> int:
        """Return the sorts of doors and windows, which get entries of their own when they are opened."""
        return len({decor.kind for decor in state.setting.field.decor if decor.kind.opens})

    def signs(self, state: State) -> str:
        """Return the signs of units, if they are many, and of objects, if some lie about."""
        setting = state.setting
        names = (short_name(unit.name, setting.players) for unit in setting.units)
        groups = letter_groups(zip(unit_letters(setting), names, strict=True))
        letters = "" if _has_names(state) else f"Letters: {groups}."
        objects = "White diamond: object on the ground." if state.objects else ""
        return f"{letters} {objects}".strip()

    def sheets_figure(self, sheets: Sequence[Any]) -> Canvas:
        """Return a picture of sheets side by side (see `brickphys.bow.report.sheets`)."""
        columns = min(len(sheets), _SHEET_COLUMNS)
        rows = ceil(len(sheets) / columns)
        width, height = SIZE_INCHES
        canvas = Canvas(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
        for number, one in enumerate(sheets, start=1):
            ax = canvas.add_subplot(rows, columns, number)
            draw_sheet(one.plate, spoken(one.name), headline(one.sheet), summary(one.sheet), ax)
        return canvas

    def true_size_mm(self, sheet: Any) -> tuple[float, float]:
        """Return width and height of a sheet with its labels, a stud being 8 mm."""
        return true_plate_size_mm(sheet.plate)

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw a sheet as a plate in true size, on which one of bricks can be built."""
        draw_true_plate(sheet.plate, ax).set_gid(f"plate-{sheet.name}")

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        """Draw the studs on which a vehicle stands, from its front left corner on."""
        assert unit.footprint is not None
        long, wide = (size / STUD_MM for size in unit.footprint.size_mm)
        pose = Pose(0.0, 0.0, heading_deg)
        for row, column in product(range(_whole(long)), range(_whole(wide))):
            at = pose.on_field((long / 2 - 0.5 - row, wide / 2 - 0.5 - column))
            ax.add_patch(Circle(at, _STUD_RADIUS_STUDS, fc="none", ec="#c3c9ce", lw=0.4))


def _whole(studs: float) -> int:
    """Return how many whole studs fit into a length."""
    return floor(studs + TOLERANCE)


def figures(state: State) -> list[Figure]:
    """Return the figures that can be seen: on a stud, or in an open seat."""
    colors = state.setting.colours
    return [
        Figure(
            *_middle(state, unit),
            heading_deg=state.heading_deg(unit),
            color=colors[state.setting.units[unit].player],
            name=_called(state, state.setting.units[unit].name) if figure.on_foot else "",
        )
        for unit, figure in state.in_play()
        if not is_enclosed(state, unit)
    ]


def vehicles(state: State) -> list[VehiclePiece]:
    """Return the vehicles in play with their crews."""
    colors = state.setting.colours
    return [
        VehiclePiece(
            state.vehicle_body(number),
            colors[state.setting.vehicles[number].player],
            tuple(_seated(state, unit, number) for unit in state.occupants(number)),
        )
        for number in state.vehicles_left
    ]


def tiles(state: State) -> list[Tile]:
    """Return the objects that lie about, those on one stud as one tile; with their names where units are few."""
    names: dict[int, list[str]] = {}
    for stud, name in state.objects:
        names.setdefault(stud, []).append(spoken(name))
    stances, named = state.setting.field.stances, _has_names(state)
    return [
        Tile(*stances[stud][:2], ", ".join(found) if named else "") for stud, found in names.items()
    ]


def _has_names(state: State) -> bool:
    return len(state.setting.units) <= MOST_NAMES


def _called(state: State, name: str) -> str:
    """Return the name of a unit or vehicle without its player's, or the letter of a unit where there are many."""
    setting = state.setting
    unit = setting.unit_numbers.get(name)
    if unit is None or _has_names(state):
        return short_name(name, setting.players)
    return unit_letters(setting)[unit]


def _seated(state: State, unit: int, vehicle: int) -> str:
    """Return a seat and the unit in it: ``pilot: scout 2``; the seat alone if the unit is named after it."""
    seat, name = state.seat_of(unit)[1].name, state.setting.units[unit].name
    if name == f"{state.setting.vehicles[vehicle].name}_{seat}":
        return spoken(seat)
    return f"{spoken(seat)}: {short_name(name, state.setting.players)}"


def _middle(state: State, unit: int) -> Point:
    """Return where a figure is drawn: those in a vehicle side by side, as all of them are at its middle."""
    x, y, _ = state.stance(unit)
    if not state.units[unit].rides:
        return x, y
    crew = state.occupants(state.seat_of(unit)[0])
    row = [one for one in crew if state.units[one].rides and not is_enclosed(state, one)]
    aside = _SEATS_APART_STUDS * (row.index(unit) - (len(row) - 1) / 2)
    ahead_x, ahead_y = unit_vector(state.heading_deg(unit))
    return x + aside * ahead_y, y - aside * ahead_x
