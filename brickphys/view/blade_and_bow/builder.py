"""Builder of Blade & Bow: each unit a block of figures on a base, as many rows deep as it is known to have ranks."""

from collections.abc import Iterator

from brickphys.arrays import Triple
from brickphys.blade_and_bow.report.sheets import CounterSheet
from brickphys.blade_and_bow.report.status_text import ranks_text
from brickphys.blade_and_bow.sheets.counters import Counter, Size
from brickphys.blade_and_bow.state.setting import square_names
from brickphys.blade_and_bow.state.state import State
from brickphys.geometry.polygon import Point
from brickphys.grid.directions import heading_deg
from brickphys.rules.report.sheets import Sheet
from brickphys.text import spoken
from brickphys.units import PLATE_MM
from brickphys.view.blade_and_bow.ground import SQUARE_MM, camps, fixed, level_mm
from brickphys.view.builder import TO_US_DEG, Builder, Placed
from brickphys.view.colours import shown_players
from brickphys.view.recording import Ruler, Shape
from brickphys.view.shapes.built import dressed, model
from brickphys.view.shapes.figure import figure, soldier
from brickphys.view.shapes.solids import box

_ROWS = {Size.LIGHT: 1, Size.MEDIUM: 1, Size.HEAVY: 2}
_FILES = {Size.LIGHT: 3, Size.MEDIUM: 4, Size.HEAVY: 4}
_FILE_MM, _ROW_MM, _MOST_ROWS = 10.4, 9.6, 4
_HORSES = 2
_HALF_MM = 0.44 * SQUARE_MM
_PALE, _SHIELD_WALL_MM = "#d8d3c4", 16.0
_FAR_POINTS = 5
"""Missiles that reach so far are arrows, others are thrown."""


class BladeAndBowBuilder(Builder[State]):
    """Builds a battle of Blade & Bow."""

    unit_mm = SQUARE_MM
    mark_mm = 2.4

    def size(self, state: State) -> Point:
        """Return the columns and the rows of the map."""
        return state.setting.grid.width, state.setting.grid.length

    def ruler(self, state: State) -> Ruler:
        """Return the letters of the columns and the numbers of the rows."""
        names, grid = square_names(state.setting.grid), state.setting.grid
        columns = (names[grid.square(x, 0)][0] for x in range(grid.width))
        return Ruler.of_squares(
            SQUARE_MM, columns, (names[grid.square(0, y)][1:] for y in range(grid.length))
        )

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def ground(self, state: State) -> Iterator[Placed]:
        """Yield the map and the camps."""
        yield from fixed(state.setting)
        yield from camps(state)

    def pieces(self, state: State) -> Iterator[Placed]:
        """Yield the units and the leaders on the map."""
        colours = shown_players(state.setting.colours)
        for number in state.at.values():
            yield from _unit(state, number, colours[state.setting.units[number].player])
        for square, leaders in state.leaders_at.items():
            for order, leader in enumerate(leaders):
                spec = state.setting.leaders[leader]
                x, y, z = _middle(state, square)
                at = (x - 0.36 * SQUARE_MM + 9.0 * order, y + 0.38 * SQUARE_MM, z)
                key = f"leader {spec.name}"
                yield from figure(
                    key, at, -90.0, colours[spec.player], ("sword", "shield"), spoken(spec.name)
                )

    def sheet(self, sheet: Sheet, colour: str) -> Iterator[Placed]:
        """Yield a unit without ranks; of a card nothing."""
        if isinstance(sheet, CounterSheet):
            name, own = sheet.name, {"grey": colour}
            yield Placed(name, _base(), (0.0, 0.0, 0.0), TO_US_DEG, spoken(name), colour, own)
            yield from _figures(name, sheet.counter, _places(sheet.counter, 0), colour)

    def height_mm(self, state: State, place: Point) -> float:
        """Return the height of a square."""
        x, y = int(place[0]), int(place[1])
        grid = state.setting.grid
        return level_mm(state.setting, grid.square(x, y)) if grid.contains(x, y) else 0.0

    def place_text(self, state: State, place: Point) -> str:
        """Return the name of a square."""
        x, y = int(place[0]), int(place[1])
        grid = state.setting.grid
        return square_names(grid)[grid.square(x, y)] if grid.contains(x, y) else f"{x} {y}"


def _middle(state: State, square: int) -> Triple:
    x, y = state.setting.grid.xy(square)
    return (x + 0.5) * SQUARE_MM, (y + 0.5) * SQUARE_MM, level_mm(state.setting, square)


def _unit(state: State, number: int, colour: str) -> Iterator[Placed]:
    """Yield the base of a unit with its name, and its figures; a disrupted one has a pale base and loose rows."""
    spec, now = state.setting.units[number], state.units[number]
    assert now.square is not None
    at, counter = _middle(state, now.square), spec.counter
    label = f"{spoken(spec.name)} {ranks_text(state, number)}".rstrip()
    base = {"grey": _PALE if now.disrupted else colour}
    yield Placed(spec.name, _base(), at, heading_deg(now.facing), label, colour, base)
    rows = 0 if spec.counter.has_ranks and ranks_text(state, number) == "?" else max(now.ranks, 0)
    places = _places(counter, rows, is_loose=now.disrupted)
    yield from _figures(spec.name, counter, places, colour)
    if now.wall:
        yield Placed(f"{spec.name}/wall", _shield_wall(), parent=spec.name, colours=base)


def _figures(
    unit: str, counter: Counter, places: tuple[Triple, ...], colour: str
) -> Iterator[Placed]:
    """Yield the figures on the base of a unit."""
    key = f"{unit}/figures"
    if counter.is_horse:
        yield Placed(f"{unit}/horses", model("horse"), copies_mm=places, parent=unit)
        rider = {"grey": colour}
        yield Placed(key, model("horse/rider"), copies_mm=places, parent=unit, colours=rider)
    else:
        men, look = soldier(_held(counter)), dressed(colour)
        yield Placed(key, men, copies_mm=places, parent=unit, colours=look)


def _held(counter: Counter) -> tuple[str, ...]:
    if counter.good.missile_dice and counter.good.missile_range > _FAR_POINTS:
        return ("bow",)
    return ("spear", "shield")


def _places(counter: Counter, ranks: int, *, is_loose: bool = False) -> tuple[Triple, ...]:
    """Return where the figures of a unit stand on its base: in rows that are full, or with gaps."""
    if counter.is_horse:
        return tuple((0.0, (file - (_HORSES - 1) / 2) * 20.0, PLATE_MM) for file in range(_HORSES))
    files = _FILES[counter.size]
    rows = min(_ROWS[counter.size] + ranks, _MOST_ROWS)
    return tuple(
        (
            ((rows - 1) / 2 - row) * _ROW_MM + (2.4 if is_loose and file % 2 else 0.0),
            (file - (files - 1) / 2) * _FILE_MM,
            PLATE_MM,
        )
        for row in range(rows)
        for file in range(files)
    )


def _base() -> Shape:
    return Shape(
        "unit base", (box((-_HALF_MM, -_HALF_MM, 0.0), (_HALF_MM, _HALF_MM, PLATE_MM), "grey"),)
    )


def _shield_wall() -> Shape:
    """Return the wall of shields before a unit."""
    low, high = (
        (_HALF_MM - 3.0, -_HALF_MM, PLATE_MM),
        (_HALF_MM - 1.0, _HALF_MM, PLATE_MM + _SHIELD_WALL_MM),
    )
    return Shape("shield wall", (box(low, high, "grey"),))
