"""Aim reading: the aims of a setup, and why one could never be met."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Field, Studs
from brickphys.bow.field.terrain import terrain
from brickphys.bow.setup.form import OWNERS, SHEETS
from brickphys.bow.sheets.library import Library
from brickphys.bow.state.state import NOBODY
from brickphys.errors import unknown
from brickphys.rules.aims import Aim, Carry, Hold, Reach, RoundLimit
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.bow.setup.form import SetupForm
    from brickphys.bow.setup.schema import AimDocument

_NEEDS = {
    "reach": ("player", "area"),
    "carry": ("player", "area", "item"),
    "hold": ("player", "area", "rounds"),
    "rounds": ("rounds",),
}


def read_aims(
    form: "SetupForm",
    field: Field,
    teams: Sequence[int],
    library: Library,
    units: Sequence[str],
    lacking: Set[str],
    faults: list[str],
) -> dict[str, Aim[Studs]]:
    """Return the sound aims of a setup by their places, and add the faults of the others.

    Parameters
    ----------
    form
        The setup; faults of its units, players and objects are told elsewhere.
    field, library
        Where it is fought, and what sheets and gear are called.
    teams
        Of each player.
    units
        The names of the units, as the battle numbers them.
    lacking
        The parts of the setup of which something is left out: what is not found may be there.
    faults
        Where to add them, as ``key.path: what``.
    """
    reading = _AimReading(form, field, teams, library, units, lacking, faults)
    aims = {place: reading.sound_aim(place, entry) for place, entry in form.aims.items()}
    ends = [place for place, entry in form.aims.items() if entry.kind == "rounds"]
    faults += [f"{place}: {ends[0]} is the end by rounds already" for place in ends[1:]]
    return {place: aim for place, aim in aims.items() if aim}


@dataclass(frozen=True)
class _AimReading:
    form: "SetupForm"
    field: Field
    teams: Sequence[int]
    library: Library
    units: Sequence[str]
    lacking: Set[str]
    faults: list[str]

    def sound_aim(self, place: str, entry: "AimDocument") -> Aim[Studs] | None:
        """Return an aim without a fault, None otherwise: what follows from a fault need not be told too."""
        known = len(self.faults)
        aim = self.aim(place, entry)
        return aim if len(self.faults) == known else None

    def aim(self, place: str, entry: "AimDocument") -> Aim[Studs] | None:
        """Return an aim, None if something is missing."""
        missing = [key for key in _NEEDS[entry.kind] if getattr(entry, key) is None]
        self.faults.extend(f"{place}.{key}: missing" for key in missing)
        if missing:
            return None
        if entry.kind == "rounds":
            return RoundLimit(entry.rounds or 1)
        team, studs = self._team(place, entry.player or ""), self._area(place, entry.area or [])
        if entry.kind == "hold":
            return Hold(team, studs, entry.rounds or 1)
        if entry.kind == "carry":
            return self._carry(place, entry, team, studs)
        return self._reach(place, entry, team, studs)

    def _miss(self, *parts: str, fault: str) -> None:
        """Note that something is nowhere in some parts, unless it may be in what these lack."""
        if self.lacking.isdisjoint(parts):
            self.faults.append(fault)

    def _team(self, place: str, name: str) -> int:
        names = [player.name for player in self.form.players.values()]
        if name not in names:
            self._miss("players", fault=f"{place}.player: {unknown('player', name, names)}")
            return NOBODY
        return self.teams[names.index(name)]

    def _area(self, place: str, area: list[int]) -> Studs:
        """Return the studs of an area on which somebody can stand once every door is open."""
        x, y, width, length = area
        wide, long = self.field.width, self.field.length
        if x + width > wide or y + length > long:
            self.faults.append(
                f"{place}.area: {area} reaches beyond the field of {wide} x {long} studs"
            )
            return 0
        doors = frozenset(decor.id for decor in self.field.decor if decor.kind.opens)
        inside = self.field.block(x, y, width, length) & terrain(self.field, doors).standable
        if not inside:
            self.faults.append(f"{place}.area: nobody can stand in {area}")
        return inside

    def _carry(self, place: str, entry: "AimDocument", team: int, studs: Studs) -> Aim[Studs]:
        item = entry.item or ""
        known = self.library.units
        sheets = [known[unit.sheet] for unit in self.form.units.values() if unit.sheet in known]
        carried = {thing.name for sheet in sheets for _, thing in sheet.gear.items()}
        if item not in carried | {thing.item for thing in self.form.objects.values()}:
            fault = f"{place}.item: there is no {item!r} in this battle"
            self._miss("units", "objects", "library", SHEETS, fault=fault)
        return Carry(team, studs, item)

    def _reach(self, place: str, entry: "AimDocument", team: int, studs: Studs) -> Aim[Studs]:
        numbers = {name: number for number, name in enumerate(self.units)}
        named = [unit.id for unit in self.form.units.values()]
        for index, name in enumerate(entry.units):
            if name not in named:
                fault = f"{place}.units[{index}]: {unknown('unit', name, named)}"
                self._miss("units", fault=fault)
        players = [player.name for player in self.form.players.values()]
        mates = {name for name, its in zip(players, self.teams, strict=True) if its == team}
        own = sum(unit.player in mates for unit in self.form.units.values())
        wanted, room = len(entry.units) or entry.count, studs.bit_count()
        if studs and wanted > room:
            self.faults.append(f"{place}: {wanted} units, the area has room for {room}")
        elif wanted > own and not entry.units:
            fault = f"{place}: {counted(wanted, 'unit')}, the team has {own}"
            self._miss("players", "units", OWNERS, fault=fault)
        units = tuple(numbers[name] for name in entry.units if name in numbers)
        return Reach(team, studs, units, entry.count)
