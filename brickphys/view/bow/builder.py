"""Builder of BOW: the figures with what they hold, the vehicles with their crews, and objects on the ground."""

from collections.abc import Iterable, Iterator

from brickphys.bow.actions.reach import is_enclosed
from brickphys.bow.report.sheets import PlateSheet
from brickphys.bow.sheets.vehicle_sheet import VehicleSheet
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import Point, rectangle
from brickphys.shapes.assembly import RigidBody
from brickphys.shapes.assembly_file import assembly
from brickphys.text import short_names, spoken
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.view.bow.terrain import doors, fixed
from brickphys.view.builder import TO_US_DEG, Builder, Placed
from brickphys.view.colours import shown_players
from brickphys.view.recording import Ruler, Shape
from brickphys.view.shapes.built import model, torso_of
from brickphys.view.shapes.figure import figure
from brickphys.view.shapes.gear import lying
from brickphys.view.shapes.solids import prism

_BEHIND_MM = 2.5 * STUD_MM
"""How far one sits behind another who sits in the middle."""


class BowBuilder(Builder[State]):
    """Builds a battle of BOW."""

    unit_mm = STUD_MM

    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field in studs."""
        return state.setting.field.width, state.setting.field.length

    def ruler(self, state: State) -> Ruler:
        """Return the numbers of the studs."""
        field = state.setting.field
        return Ruler.of_squares(STUD_MM, range(field.width), range(field.length))

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def ground(self, state: State) -> Iterable[Placed]:
        """Return ground and decor."""
        field = state.setting.field
        return (*fixed(field), *doors(field, state.open_ids))

    def pieces(self, state: State) -> Iterator[Placed]:
        """Yield vehicles with their crews, figures and objects."""
        setting = state.setting
        colours, names = shown_players(setting.colours), _names(setting)
        for number in state.vehicles_left:
            vehicle = setting.vehicles[number]
            yield from _vehicle(state, number, names[vehicle.name], colours[vehicle.player])
        for unit, unit_state in state.in_play():
            spec = setting.units[unit]
            if not (unit_state.rides or is_enclosed(state, unit)):
                x, y, level = state.stance(unit)
                held = [
                    item.name for item in (*unit_state.sheet.gear.held, *unit_state.sheet.gear.worn)
                ]
                at = (x * STUD_MM, y * STUD_MM, level * PLATE_MM)
                heading, colour = state.heading_deg(unit), colours[spec.player]
                yield from figure(spec.name, at, heading, colour, held, names[spec.name])
        yield from _objects(state)

    def sheet(self, sheet: PlateSheet, colour: str) -> Iterator[Placed]:
        """Yield a figure with what it holds and wears, or a vehicle."""
        one, name = sheet.sheet, spoken(sheet.name)
        if isinstance(one, VehicleSheet):
            shape = _vehicle_shape(one, colour)
            yield Placed(sheet.name, shape, heading_deg=TO_US_DEG, label=name, tag=colour)
        else:
            held = [item.name for item in (*one.gear.held, *one.gear.worn)]
            yield from figure(sheet.name, (0.0, 0.0, 0.0), TO_US_DEG, colour, held, name)

    def height_mm(self, state: State, place: Point) -> float:
        """Return the height at which a figure stands at a place."""
        field = state.setting.field
        x, y = int(place[0]), int(place[1])
        return field.levels_plates[field.square(x, y)] * PLATE_MM if field.contains(x, y) else 0.0

    def place_text(self, state: State, place: Point) -> str:
        """Return the stud of a place."""
        x, y = place
        return f"{int(x)},{int(y)}"


def _names(setting: Setting) -> dict[str, str]:
    """Return what units and vehicles are called, all of the battle, so that no name changes when a unit is lost."""
    units, vehicles = (
        (spec.name for spec in setting.units),
        (spec.name for spec in setting.vehicles),
    )
    return short_names([*units, *vehicles], setting.players)


def _vehicle(state: State, number: int, name: str, colour: str) -> Iterator[Placed]:
    spec, body = state.setting.vehicles[number], state.vehicle_body(number)
    model_name = spec.sheet.model
    key = f"vehicle {spec.name}"
    if model_name is None:
        at = (body.x_studs * STUD_MM, body.y_studs * STUD_MM, body.bottom_plates * PLATE_MM)
        shape = _block(f"vehicle {spec.name}", spec.sheet, colour)
        yield Placed(key, shape, at, body.heading_deg, name, colour)
        return
    built = assembly(model_name)
    height = (body.bottom_plates - built.bottom_plates) * PLATE_MM
    at = (body.x_studs * STUD_MM, body.y_studs * STUD_MM, height)
    yield Placed(key, model(model_name), at, body.heading_deg, name, colour)
    yield from _crew(state, number, key, built.crew)


def _block(name: str, sheet: VehicleSheet, colour: str) -> Shape:
    """Return a vehicle without a model: the box over its footprint."""
    size = sheet.footprint
    outline = rectangle(0.0, 0.0, 0.0, size.length_studs, size.width_studs).vertices_studs * STUD_MM
    height = (size.top_plates - size.bottom_plates) * PLATE_MM
    return Shape(name, (prism(outline, 0.0, height, colour),))


def _vehicle_shape(sheet: VehicleSheet, colour: str) -> Shape:
    """Return the built model of a vehicle, or its box where there is none."""
    if sheet.model is None:
        return _block(f"vehicle {sheet.name}", sheet, colour)
    return model(sheet.model)


def _crew(state: State, number: int, key: str, crew: tuple[RigidBody, ...]) -> Iterator[Placed]:
    """Yield who sits exposed in a vehicle: like the crew of its model, others beside or behind the first of it."""
    if not crew:
        return
    colours, free = shown_players(state.setting.colours), list(crew)
    for unit in state.occupants(number):
        if not state.units[unit].rides or is_enclosed(state, unit):
            continue
        seat = state.seat_of(unit)[1].name
        own = next(
            (one for one in free if one.name.endswith(f"/{seat}")), free[0] if free else None
        )
        shift = (0.0, 0.0, 0.0)
        if own is None:
            own, shift = crew[0], _other_seat(crew[0])
        else:
            free.remove(own)
        spec = state.setting.units[unit]
        colour = {torso_of(own): colours[spec.player]}
        yield Placed(f"{key}/{spec.name}", model(own.name), shift, colours=colour, parent=key)


def _other_seat(body: RigidBody) -> tuple[float, float, float]:
    """Return where another one sits: on the other side, or behind who sits in the middle."""
    aside = body.prism.y_studs * STUD_MM
    return (0.0, -2 * aside, 0.0) if abs(aside) > 0.3 * STUD_MM else (-_BEHIND_MM, 0.0, 0.0)


def _objects(state: State) -> Iterator[Placed]:
    """Yield the objects that lie about, several on a stud one above the other."""
    heights: dict[int, float] = {}
    for number, (stud, name) in enumerate(state.objects):
        x, y, level = state.setting.field.stances[stud]
        height = heights.get(stud, level * PLATE_MM)
        heights[stud] = height + PLATE_MM
        at = (x * STUD_MM, y * STUD_MM, height)
        yield Placed(f"object {number} {name}", lying(name), at, 45.0, spoken(name))
