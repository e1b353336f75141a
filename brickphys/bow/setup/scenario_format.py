"""Scenario format: what the signs of a map mean in BOW, and how the setup of a battle is put together."""

from collections.abc import Iterator, Mapping
from typing import Any

from brickphys.bow.field.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.setup.scenario_schema import BattleScenarioDocument, BattleSign
from brickphys.rules.scenario.map_reader import Drawing, DrawnThing
from brickphys.rules.scenario.scenario_file import ListEntry, Lists, ScenarioFormat

LOW_WALL_PLATES = 6.0
SILL_PLATES = 6.0
"""Height at which a window begins; below it is a wall."""
_TOPS_PLATES = {"furniture": 3.0, "tree": 30.0}
"""Height of decor by kind, if the legend gives none; all other kinds have `DECOR_TOP_PLATES`."""

USUAL: Mapping[str, BattleSign] = {
    ".": BattleSign(),
    "~": BattleSign(ground=-2),
    **{str(bricks): BattleSign(ground=bricks) for bricks in range(1, 10)},
    "#": BattleSign(decor="wall"),
    "-": BattleSign(decor="wall", id="low_wall", top=LOW_WALL_PLATES, color="tan"),
    "+": BattleSign(decor="door"),
    "'": BattleSign(decor="door", open=True),
    "=": BattleSign(decor="window"),
    '"': BattleSign(decor="window", open=True),
    "&": BattleSign(decor="furniture"),
    "T": BattleSign(decor="tree"),
}
"""Signs that need no legend; `text_map` writes the same."""

Entry = tuple[str, dict[str, Any] | str]
"""The key path of a list of the setup, and an entry of it."""


class BattleFormat(ScenarioFormat[BattleSign]):
    """A square of the map is a stud."""

    document = BattleScenarioDocument
    usual = USUAL
    drawn_keys = ("field.width", "field.length", "field.ground")
    inner_lists = ("field.decor",)

    def tables(self, drawing: Drawing[BattleSign]) -> Mapping[str, Mapping[str, Any]]:
        """Return the size of the field, and the height of its ground if it is not flat."""
        bricks = [[sign.ground for sign in row] for row in drawing.rows]
        ground = [[BRICK_PLATES * height for height in row] for row in bricks]
        size = {"width": len(ground[0]), "length": len(ground), "decor": []}
        return {"field": {**size, "ground": ground} if any(map(any, bricks)) else size}

    def entries(self, thing: DrawnThing[BattleSign]) -> Iterator[Entry]:
        """Yield a unit, vehicle or object, or the parts of a piece of decor."""
        sign, rectangle = thing.sign, thing.rectangle
        if sign.decor:
            yield from _decor(thing, sign.decor)
        elif sign.unit:
            unit = {"id": thing.name, "sheet": sign.unit, "player": sign.player}
            yield "units", {**unit, "x": rectangle.x, "y": rectangle.y, "facing": sign.facing}
        elif sign.vehicle:
            vehicle = {"id": thing.name, "sheet": sign.vehicle, "player": sign.player}
            centre = {
                "x": rectangle.x + rectangle.width / 2,
                "y": rectangle.y + rectangle.length / 2,
            }
            motion = {"heading_deg": sign.heading_deg, "speed": sign.speed}
            yield "vehicles", {**vehicle, **centre, **motion, "crew": sign.crew}
        else:
            yield "objects", {"item": sign.item, "x": rectangle.x, "y": rectangle.y}

    def complete(self, lists: Lists) -> Lists:
        """Return the lists with the crews of vehicles as units in seats, named after the vehicle and the seat."""
        vehicles = lists.get("vehicles", [])
        crews = [unit for vehicle in vehicles for unit in _crew(vehicle)]
        alone = [
            vehicle._replace(entry={k: v for k, v in vehicle.entry.items() if k != "crew"})
            for vehicle in vehicles
        ]
        return {**lists, "units": [*lists.get("units", []), *crews], "vehicles": alone}


def _decor(thing: DrawnThing[BattleSign], kind: str) -> Iterator[Entry]:
    """Yield decor on its ground, a sill below a window, and that it is open."""
    sign, block = thing.sign, list(thing.rectangle)
    ground, is_window = BRICK_PLATES * sign.ground, kind == "window"
    if is_window and sign.bottom is None:
        sill = {"id": f"{thing.name}_sill", "kind": "wall", "block": block, "bottom": ground}
        yield "field.decor", {**sill, "top": ground + SILL_PLATES}
    lowest = SILL_PLATES if is_window else 0.0
    bottom = lowest if sign.bottom is None else sign.bottom
    top = _TOPS_PLATES.get(kind, DECOR_TOP_PLATES) if sign.top is None else sign.top
    piece = {"id": thing.name, "kind": kind, "block": block}
    heights = {"bottom": ground + bottom, "top": ground + top}
    looks = {"locked": sign.locked, "color": sign.color}
    yield "field.decor", {**piece, **heights, **{k: v for k, v in looks.items() if v}}
    if sign.open:
        yield "open", thing.name


def _crew(vehicle: ListEntry) -> Iterator[ListEntry]:
    name, player = vehicle.entry["id"], vehicle.entry["player"]
    for seat, sheet in vehicle.entry.get("crew", {}).items():
        unit = {"id": f"{name}_{seat}", "sheet": sheet, "player": player}
        yield ListEntry(f"{vehicle.place}.crew.{seat}", {**unit, "vehicle": name, "seat": seat})
