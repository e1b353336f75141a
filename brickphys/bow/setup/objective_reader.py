"""Objective reader: how a battle can be won by its setup, and why an aim could never be met."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Field, Studs
from brickphys.bow.field.terrain import terrain
from brickphys.bow.sheets.library import Library
from brickphys.rules.aims import Aim, Carry, Hold, Reach, RoundLimit
from brickphys.rules.catalogue import TableReader
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.bow.setup.schema import AimDocument, SetupDocument

_NEEDS = {
    "reach": ("player", "area"),
    "carry": ("player", "area", "item"),
    "hold": ("player", "area", "rounds"),
    "rounds": ("rounds",),
}


class ObjectiveReader(TableReader):
    """Reads the aims of a setup whose form is sound.

    Parameters
    ----------
    document
        The setup.
    field, library
        Where it is fought, and what sheets are called.
    teams
        Team by player.
    """

    def __init__(
        self, document: "SetupDocument", field: Field, library: Library, teams: Mapping[str, int]
    ) -> None:
        super().__init__()
        self._document, self._field, self._library = document, field, library
        self._teams = teams
        self._units = {unit.id: number for number, unit in enumerate(document.units)}

    def aims(self) -> tuple[Aim[Studs], ...]:
        """Return the aims; those with a fault are left out."""
        entries = [(f"aims[{index}]", aim) for index, aim in enumerate(self._document.aims)]
        found = [self._aim(place, entry) for place, entry in entries]
        ends = [place for place, entry in entries if entry.kind == "rounds"]
        self.faults += [f"{place}: {ends[0]} is the end by rounds already" for place in ends[1:]]
        return tuple(aim for aim in found if aim)

    def _aim(self, place: str, entry: "AimDocument") -> Aim[Studs] | None:
        if not self.require(place, entry, _NEEDS[entry.kind]):
            return None
        if entry.kind == "rounds":
            return RoundLimit(entry.rounds or 1)
        team = self.find(f"{place}.player", "player", entry.player, self._teams)
        studs = self._area(f"{place}.area", entry.area or [])
        if team is None:
            return None
        if entry.kind == "hold":
            return Hold(team, studs, entry.rounds or 1)
        if entry.kind == "carry":
            return self._carry(place, entry, team, studs)
        return self._reach(place, entry, team, studs)

    def _area(self, place: str, area: list[int]) -> Studs:
        """Return the studs of an area on which a unit can stand once every door is open."""
        x, y, width, length = area
        wide, long = self._field.width, self._field.length
        if x + width > wide or y + length > long:
            self.faults.append(f"{place}: {area} reaches beyond the field of {wide} x {long} studs")
            return 0
        doors = frozenset(decor.id for decor in self._field.decor if decor.kind.opens)
        inside = self._field.block(x, y, width, length) & terrain(self._field, doors).standable
        if not inside:
            self.faults.append(f"{place}: nobody can stand in {area}")
        return inside

    def _carry(self, place: str, entry: "AimDocument", team: int, studs: Studs) -> Aim[Studs]:
        item, known = entry.item or "", self._library.units
        sheets = [known[unit.sheet] for unit in self._document.units if unit.sheet in known]
        carried = {thing.name for sheet in sheets for _, thing in sheet.gear.items()}
        if item not in carried | {thing.item for thing in self._document.objects}:
            self.faults.append(f"{place}.item: there is no {item!r} in this battle")
        return Carry(team, studs, item)

    def _reach(self, place: str, entry: "AimDocument", team: int, studs: Studs) -> Aim[Studs]:
        for index, name in enumerate(entry.units):
            self.find(f"{place}.units[{index}]", "unit", name, self._units)
        own = sum(self._teams.get(unit.player) == team for unit in self._document.units)
        wanted, room = len(entry.units) or entry.count, studs.bit_count()
        if studs and wanted > room:
            self.faults.append(f"{place}: {wanted} units, the area has room for {room}")
        elif wanted > own and not entry.units:
            self.faults.append(f"{place}: {counted(wanted, 'unit')}, the team has {own}")
        units = tuple(self._units[name] for name in entry.units if name in self._units)
        return Reach(team, studs, units, entry.count)
