"""Scenario format: what the signs of a map mean, and how the setup of a battle is put together; loads pydantic."""

from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Any, ClassVar

from pydantic import model_validator

from brickphys.blade_and_bow.setup.setup_schema import MAX_COLUMNS, BattleTables, Facing, Ranks
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.setting import square_names
from brickphys.grid.grid import Grid
from brickphys.rules.scenario.map_reader import Drawing, DrawnThing
from brickphys.rules.scenario.scenario_file import ScenarioFormat
from brickphys.rules.scenario.schema import DrawnKind, ScenarioDocument, Shape, SignDocument

_CLEAR = "clear"


class BattleSign(SignDocument):
    """What a sign stands for: the ground, and at most one unit on it."""

    things: ClassVar[Mapping[str, DrawnKind]] = {
        "unit": DrawnKind(Shape.SQUARE, frozenset({"id", "player", "facing", "ranks"}))
    }
    ground_keys: ClassVar[frozenset[str]] = frozenset({"ground", "area"})

    ground: str = _CLEAR
    """Terrain of the square."""
    unit: str | None = None
    """A unit of this kind."""
    player: str | None = None
    """Whose unit it is."""
    facing: Facing = "n"
    """Direction that the unit faces."""
    ranks: Ranks | None = None
    """Its ranks, in place of those of its army."""

    @model_validator(mode="after")
    def _fits(self) -> "BattleSign":
        if self.unit and self.player is None:
            raise ValueError("player: missing")
        return self


class BattleScenarioDocument(BattleTables, ScenarioDocument[BattleSign]):
    """A scenario file: title, text, a drawing, and the tables of a battle; written units come after drawn ones."""

    @model_validator(mode="after")
    def _has_columns(self) -> "BattleScenarioDocument":
        wide = max(map(len, (self.map or "").split("\n")))
        if wide > MAX_COLUMNS:
            raise ValueError(f"map: {wide} columns, and {MAX_COLUMNS} letters for them")
        return self


class BattleFormat(ScenarioFormat[BattleSign]):
    """A square of the map is a square of the game."""

    document = BattleScenarioDocument
    usual: Mapping[str, BattleSign] = {
        ground.sign: BattleSign(ground=name) for name, ground in charts().terrain.items()
    }
    drawn_keys = ("field.width", "field.length", "field.ground")

    def square_name(self, x: int, y: int, rows: int) -> str:
        """Return the name of a square: column A is in the west, row 1 in the north."""
        return f"{ascii_uppercase[x]}{rows - y}"

    def tables(self, drawing: Drawing[BattleSign]) -> Mapping[str, Mapping[str, Any]]:
        """Return the size of the map, and its squares that are not clear by their terrain."""
        width, length = len(drawing.rows[0]), len(drawing.rows)
        found: dict[str, list[str]] = {}
        signs = (sign for row in drawing.rows for sign in row)
        for name, sign in zip(square_names(Grid(width, length)), signs, strict=True):
            if sign.ground != _CLEAR:
                found.setdefault(sign.ground, []).append(name)
        return {"field": {"width": width, "length": length, "ground": found}}

    def entries(self, thing: DrawnThing[BattleSign]) -> Iterator[tuple[str, Any]]:
        """Yield the unit that a sign stands for."""
        sign = thing.sign
        square = f"{ascii_uppercase[thing.rectangle.x]}{thing.row}"
        unit = {"name": thing.name, "player": sign.player, "kind": sign.unit}
        ranks = {} if sign.ranks is None else {"ranks": sign.ranks}
        yield "units", {**unit, "square": square, "facing": sign.facing, **ranks}
