"""Builder of Minifig battles: figures on bases in the colours of their experience, riders, things and items."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.polygon import Point
from brickphys.minifig.field.ground import height_bricks
from brickphys.minifig.report.sheets import FigureSheet
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, INCH_MM, Kind, charts
from brickphys.minifig.state.state import State
from brickphys.shapes.assembly_file import assembly
from brickphys.text import short_names, spoken
from brickphys.units import BRICK_MM, PLATE_MM
from brickphys.view.builder import TO_US_DEG, Builder, Placed
from brickphys.view.colours import shown_players
from brickphys.view.minifig.ground import ground, wall
from brickphys.view.minifig.things import dog, stone, stone_place_mm, thing
from brickphys.view.recording import Shape
from brickphys.view.shapes.built import model, torso
from brickphys.view.shapes.figure import figure, rider
from brickphys.view.shapes.gear import lying
from brickphys.view.shapes.solids import base


class MinifigBuilder(Builder[State]):
    """Builds a Minifig battle."""

    unit_mm = INCH_MM
    mark_mm = 2.6
    free_words = ("go",)

    def size(self, state: State) -> Point:
        """Return the width and the length of the table in inches."""
        return state.setting.width_in, state.setting.length_in

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def ground(self, state: State) -> Iterator[Placed]:
        """Yield the table and what stands of its walls."""
        yield from ground(state.setting)
        for spec, out in zip(state.setting.walls, state.walls, strict=True):
            yield from wall(spec, out)

    def pieces(self, state: State) -> Iterator[Placed]:
        """Yield figures, things and items."""
        setting = state.setting
        names = short_names([one.name for one in setting.figures], setting.players)
        for number in state.alive:
            height = self.height_mm(state, state.figures[number].place_in)
            yield from _figure(state, number, names[setting.figures[number].name], height)
        for number in state.standing_things():
            yield from _thing(state, number, self.height_mm(state, state.things[number].place_in))
        for number, item in enumerate(state.items):
            if item.at_in is not None:
                name = state.setting.items[number].arm.name
                x, y = item.at_in
                at = (x * INCH_MM, y * INCH_MM, self.height_mm(state, item.at_in))
                yield Placed(f"item {number}", lying(name), at, 45.0, spoken(name))

    def sheet(self, sheet: FigureSheet, colour: str) -> Iterator[Placed]:
        """Yield a figure on its base, with its arms, on foot or on a horse."""
        one = sheet.figure
        foot = _base(charts().colours[one.experience])
        yield Placed(sheet.name, foot, heading_deg=TO_US_DEG, label=sheet.title, tag=colour)
        held = [arm.name for arm in one.arms]
        yield from _on_base(sheet.name, one.kind, held, colour, is_mounted=sheet.is_mounted)

    def height_mm(self, state: State, place: Point) -> float:
        """Return the height of the highest hill at a place."""
        return height_bricks(state.setting, place) * BRICK_MM


def _figure(state: State, number: int, name: str, height_mm: float) -> Iterator[Placed]:
    """Yield the base of a figure and what stands on it."""
    setting, one = state.setting, state.figures[number]
    spec, (x, y) = setting.figures[number], one.place_in
    colour = shown_players(setting.colours)[spec.player]
    at = (x * INCH_MM, y * INCH_MM, height_mm)
    yield Placed(spec.name, _base(setting.colour(number)), at, one.facing_deg, name, colour)
    held = [arm.name for arm in state.arms(number)]
    yield from _on_base(spec.name, spec.kind, held, colour, is_mounted=one.horse is not None)


def _base(colour: str) -> Shape:
    return base(BASE_RADIUS_IN * INCH_MM, PLATE_MM, colour)


def _on_base(
    name: str, kind: Kind, held: Sequence[str], colour: str, *, is_mounted: bool
) -> Iterator[Placed]:
    """Yield what stands on the base of a figure with this name."""
    key, on_base = f"{name}/figure", (0.0, 0.0, PLATE_MM)
    if kind.body == "dog":
        yield Placed(key, dog(), on_base, colours=torso(colour), parent=name)
    elif not is_mounted:
        yield from figure(key, on_base, 0.0, colour, held, parent=name)
    else:
        yield Placed(f"{name}/horse", model("horse"), on_base, parent=name)
        yield from rider(f"{name}/rider", assembly("horse").crew[0], colour, held, f"{name}/horse")


def _thing(state: State, number: int, height_mm: float) -> Iterator[Placed]:
    spec, now = state.setting.things[number], state.things[number]
    x, y = now.place_in
    label = "" if spec.kind.is_ridden else spoken(spec.name)
    at = (x * INCH_MM, y * INCH_MM, height_mm)
    key = f"thing {spec.name}"
    yield Placed(key, thing(spec.kind), at, now.facing_deg, label, "#8c6b47")
    if spec.kind.missile is not None and now.is_loaded:
        yield Placed(f"{key}/stone", stone(), stone_place_mm(spec.kind), parent=key)
