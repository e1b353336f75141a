"""Aim reader: the areas and objects that the aims of a setup name."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Field, Studs
from brickphys.bow.field.terrain import terrain
from brickphys.bow.sheets.library import Library
from brickphys.rules.aims.aim_reader import AimReader

if TYPE_CHECKING:
    from brickphys.bow.setup.setup_schema import SetupAim, SetupDocument


class BattleAimReader(AimReader["SetupAim", Studs]):
    """Reads the aims of a setup whose form is sound.

    Parameters
    ----------
    document
        The setup.
    field, library
        Where it is fought, and what sheets are called.
    teams
        The team of each player by name.
    """

    def __init__(
        self, document: "SetupDocument", field: Field, library: Library, teams: dict[str, int]
    ) -> None:
        super().__init__(teams, {unit.id: teams.get(unit.player) for unit in document.units})
        self._document, self._field, self._library = document, field, library

    def area(self, place: str, entry: "SetupAim") -> Studs:
        """Return the studs of an area on which a unit can stand once every door is open."""
        x, y, width, length = entry.area or []
        field = self._field
        if x + width > field.width or y + length > field.length:
            self.faults.append(f"{place}: {entry.area} reaches beyond the field of {field.size}")
            return 0
        inside = field.block(x, y, width, length) & terrain(field, frozenset(field.doors)).standable
        if not inside:
            self.faults.append(f"{place}: no unit can stand in {entry.area}")
        return inside

    def room(self, area: Studs) -> int:
        """Return how many studs an area has: one unit stands on one."""
        return area.bit_count()

    def items(self) -> Collection[str]:
        """Return the names of all objects: on the field, and carried by units."""
        known = self._library.units
        sheets = [known[unit.sheet] for unit in self._document.units if unit.sheet in known]
        carried = {thing.name for sheet in sheets for _, thing in sheet.gear.items()}
        return carried | {thing.item for thing in self._document.objects}
