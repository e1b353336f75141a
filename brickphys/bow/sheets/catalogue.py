"""Catalogue: the library that ships, and sheet files: gear, actions, sheets and armies as TOML, written by hand.

Faults of a file have their key paths. Armies are drawn from the units that ship and those in files of one's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from brickphys.bow.sheets.gear import Item, Loadout, Place
from brickphys.bow.sheets.library import Army, Boarded, CustomAction, Library, OpposedAction
from brickphys.bow.sheets.sheet import (
    MinifigSheet,
    Seat,
    VehicleFootprint,
    VehicleSheet,
    VehicleWeapon,
    weapon_problems,
)
from brickphys.errors import InvalidValueError, SheetFileError, raised_as, refuse, unknown
from brickphys.reading import MOST_SETUP_BYTES, parse_toml, read_text, shipped_text
from brickphys.rules.setup import DRAW_TABLE, TableReader, given, lookup
from brickphys.text import shown

if TYPE_CHECKING:
    from brickphys.bow.sheets import documents as schema

T = TypeVar("T")

_UNIT_NEEDS = ("action_budget", "move", "dodge", "attack", "health")
_VEHICLE_NEEDS = ("speed", "armor", "health", "seat")
_BLANK: dict[str, Any] = {"about": ""}
"""What a sheet does not take from its base."""
_SIZES = ("length_studs", "width_studs", "bottom_plates", "top_plates")


class LibraryReader(TableReader):
    """Reads the tables of a sheet file. `base` is what the file may name and extend."""

    def __init__(self, base: Library) -> None:
        super().__init__()
        self._base = base
        self._gear: dict[str, Item] = dict(base.gear)
        self._weapons: dict[str, VehicleWeapon] = dict(base.vehicle_weapons)
        self._actions: dict[str, CustomAction] = dict(base.actions)
        self._units: dict[str, MinifigSheet] = {}
        self._vehicles: dict[str, VehicleSheet] = {}
        self._armies: dict[str, Army] = {}

    def read(self, document: "schema.LibraryDocument") -> Library:
        """Return the sheets and armies of a file, and its gear and actions along with those of the base."""
        readers: dict[str, Any] = {
            "weapon": self._add_item,
            "armor": self._add_item,
            "tool": self._add_item,
            "bag": self._add_item,
            "vehicle_weapon": self._add_vehicle_weapon,
            "trivial_action": self._add_action,
            "opposed_action": self._add_action,
            "unit": self._add_unit,
            "vehicle": self._add_vehicle,
            "army": self._add_army,
        }
        for table, add in readers.items():
            for index, entry in enumerate(getattr(document, table)):
                add(f"{table}[{index}]", entry)
        return Library(
            gear=MappingProxyType(self._gear),
            vehicle_weapons=MappingProxyType(self._weapons),
            actions=MappingProxyType(self._actions),
            units=MappingProxyType(self._units),
            vehicles=MappingProxyType(self._vehicles),
            armies=MappingProxyType(self._armies),
        )

    def _add_item(self, place: str, document: "schema.ItemDocument") -> None:
        item = document.item()
        self.add(place, item.name, item, item.problems(), self._gear, self._weapons)

    def _add_vehicle_weapon(self, place: str, document: "schema.VehicleWeaponDocument") -> None:
        weapon = document.weapon()
        faults = weapon_problems(weapon)
        self.add(place, weapon.name, weapon, faults, self._weapons, self._gear)

    def _add_action(self, place: str, document: "schema.ActionDocument") -> None:
        action = document.action()
        self.find(f"{place}.needs", "gear", action.needs, self._gear)
        faults = list(action.problems())
        if isinstance(action, OpposedAction):
            faults += self._line_faults(action)
        self.add(place, action.name, action, faults, self._actions)

    def _add_unit(self, place: str, document: "schema.MinifigDocument") -> None:
        known = {**self._base.units, **self._units}
        base = self.find(f"{place}.base", "unit", document.base, known)
        if not (base or self._stands_alone(place, document, _UNIT_NEEDS)):
            return
        written = given(document, "base", "custom", *(each.value for each in Place))
        written["gear"] = self._loadout(place, document, base.gear if base else Loadout())
        if document.custom is not None:
            self._check_abilities(f"{place}.custom", document.custom)
            written["custom"] = tuple(document.custom.items())
        sheet = replace(base, **_BLANK | written) if base else MinifigSheet(**written)
        taken = self._base.sheets, self._vehicles
        self.add(place, sheet.name, sheet, sheet.problems(), self._units, *taken)

    def _stands_alone(
        self,
        place: str,
        document: "schema.MinifigDocument | schema.VehicleDocument",
        keys: tuple[str, ...],
    ) -> bool:
        return not document.base and self.require(place, document, keys, "there is no base")

    def _add_vehicle(self, place: str, document: "schema.VehicleDocument") -> None:
        known = {**self._base.vehicles, **self._vehicles}
        base = self.find(f"{place}.base", "vehicle", document.base, known)
        if not (base or self._stands_alone(place, document, _VEHICLE_NEEDS)):
            return
        footprint = self._footprint(place, document, base)
        if footprint is None:
            return
        written = given(document, "base", "doors", "seat", *_SIZES)
        written["footprint"] = footprint
        if document.doors is not None:
            written["doors"] = tuple(document.doors)
        if document.seat is not None:
            written["seats"] = self._seats(place, document.seat)
        sheet = replace(base, **_BLANK | written) if base else VehicleSheet(**written)
        taken = self._base.sheets, self._units
        self.add(place, sheet.name, sheet, sheet.problems(), self._vehicles, *taken)

    def _add_army(self, place: str, document: "schema.ArmyDocument") -> None:
        own = len(self.faults)
        units = self._counted(f"{place}.units", document.units, {**self._base.units, **self._units})
        vehicles = self._counted(
            f"{place}.vehicles", document.vehicles, {**self._base.vehicles, **self._vehicles}
        )
        boarded = tuple(Boarded(**dict(entry)) for entry in document.boarded)
        army = Army(document.name, units, vehicles, boarded)
        faults = army.problems() if len(self.faults) == own else []
        self.add(place, army.name, army, faults, self._armies)

    def _loadout(self, place: str, document: "schema.MinifigDocument", base: Loadout) -> Loadout:
        places = {}
        for part in Place:
            names = getattr(document, part.value)
            if names is None:
                continue
            places[part.value] = tuple(self._gear[name] for name in names if name in self._gear)
            for index, name in enumerate(names):
                where = f"{place}.{part.value}[{index}]"
                if name in self._weapons:
                    self.faults.append(f"{where}: {name!r} is a weapon of vehicles")
                else:
                    self.find(where, "gear", name, self._gear)
        return replace(base, **places)

    def _check_abilities(self, place: str, custom: Mapping[str, int]) -> None:
        known = Library(actions=self._actions).custom_abilities
        self.faults += [
            f"{place}.{name}: {unknown('ability of a new action', name, known)}"
            for name in custom
            if name not in known
        ]

    def _line_faults(self, action: OpposedAction) -> list[str]:
        """Return the faults of an action whose line on the sheet would clash with another's."""
        new, faults = set(action.new_abilities), []
        opposed = (other for other in self._actions.values() if isinstance(other, OpposedAction))
        for other in (other for other in opposed if new and other.new_abilities):
            same_line = action.shares_line(other)
            shared = " and ".join(sorted(new & set(other.new_abilities)))
            if shared and not same_line:
                faults.append(f"acting: {shared} is already in the line of {other.name} (BOW B.3)")
            elif same_line and action.colour != other.colour:
                faults.append(f"colour: the line of {other.name} is {other.colour} (BOW B.3)")
            elif action.colour == other.colour and not same_line:
                faults.append(f"colour: {other.colour} marks the line of {other.name} (BOW B.3)")
        return faults

    def _footprint(
        self, place: str, document: "schema.VehicleDocument", base: VehicleSheet | None
    ) -> VehicleFootprint | None:
        sizes: dict[str, float] = dict(vars(base.footprint)) if base else {}
        if document.model is not None:
            from brickphys.shapes.assembly import assembly

            try:
                thing = assembly(document.model)
            except InvalidValueError as error:
                self.faults.append(f"{place}.model: {error}")
                return None
            sizes = {size: getattr(thing, size) for size in _SIZES}
        sizes |= {size: value for size in _SIZES if (value := getattr(document, size)) is not None}
        missing = [size for size in _SIZES if size not in sizes]
        self.faults += [f"{place}.{size}: missing, as there is no model" for size in missing]
        return None if missing else VehicleFootprint(**sizes)

    def _seats(self, place: str, documents: "list[schema.SeatDocument]") -> tuple[Seat, ...]:
        seats = []
        for index, document in enumerate(documents):
            where = f"{place}.seat[{index}]"
            weapon = self.find(f"{where}.weapon", "vehicle weapon", document.weapon, self._weapons)
            written: dict[str, Any] = {"arc_deg": document.arc_deg, "axis_deg": document.axis_deg}
            turned = {key: value for key, value in written.items() if value is not None}
            if turned and document.weapon is None:
                self.faults.append(f"{where}.{next(iter(turned))}: the seat has no weapon")
            entry = dict(document) | {"weapon": weapon and replace(weapon, **turned)}
            seats.append(Seat(**{key: entry[key] for key in Seat.__dataclass_fields__}))
        return tuple(seats)

    def _counted(
        self, place: str, counts: Mapping[str, int], known: Mapping[str, T]
    ) -> tuple[T, ...]:
        found = (
            (self.find(f"{place}.{name}", "sheet", name, known), counts[name]) for name in counts
        )
        return tuple(sheet for sheet, count in found if sheet for _ in range(count))


def read_library(path: Path | str, base: Library) -> Library:
    """Read a file of sheets.

    SheetFileError if the file cannot be read, is no TOML, or has any fault: one line lists every fault of form, or if
    there is none every fault of meaning, as ``key.path: what``.

    The file is TOML, as ``docs/sheets.md`` describes it; it may name and extend the base, such as the catalogue. The
    result has its sheets, and its gear and actions along with those of the base.
    """
    with raised_as(SheetFileError):
        return parse_library(read_text(path, MOST_SETUP_BYTES), str(path), base)


def parse_library(text: str, name: str, base: Library) -> Library:
    """Return the library in a text; `name` begins the message of an error (see `read_library`)."""
    from brickphys.bow.sheets.documents import LibraryDocument
    from brickphys.schema import validated

    with raised_as(SheetFileError):
        reader = LibraryReader(base)
        library = reader.read(validated(LibraryDocument, parse_toml(text, name), name))
        refuse(name, reader.faults)
    return library


@lru_cache
def catalogue() -> Library:
    """Return everything that ships."""
    return replace(_shipped("vehicles", foot()), units=foot().units)


@lru_cache
def foot() -> Library:
    """Return everything that ships except the vehicles: their models take half a second to load."""
    return _shipped("units", _shipped("actions", _shipped("gear", Library())))


def unit(name: str) -> MinifigSheet:
    """Return the sheet of a ready unit; InvalidValueError if there is none of that name."""
    return lookup("unit", name, foot().units)


def vehicle(name: str) -> VehicleSheet:
    """Return the sheet of a ready vehicle; InvalidValueError if there is none of that name."""
    return lookup("vehicle", name, catalogue().vehicles)


def _shipped(name: str, base: Library) -> Library:
    text = shipped_text(files("brickphys.bow") / "data" / f"{name}.toml")
    return parse_library(text, f"{name}.toml", base)


_NOT_DRAWN = ("vehicle", "army")
"""Tables of a file of sheets that are left out: only minifigs are drawn."""


def sheet_files(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files of sheets that the options of a draw name, each once; options with faults name what they can."""
    units = options.get("units")
    words = [unit for unit in units if isinstance(unit, str)] if isinstance(units, list) else []
    files = (word.partition(",")[0] for word in words)
    return tuple(dict.fromkeys(name for name in files if name.endswith(".toml")))


@dataclass(frozen=True)
class DrawnSheets:
    """What ships along with what is in files."""

    library: Library
    """Gear, actions and units of both."""
    tables: Mapping[str, Any]
    """The tables of the files, as the part ``library`` of a setup."""
    units: Mapping[str, Sequence[str]]
    """Name of a file -> names of its units."""

    def chosen(self, names: Sequence[str] | None) -> dict[str, MinifigSheet]:
        """Return the sheets that may be drawn, those that ship first.

        Names are those of shipped units, ``mine.toml`` for all units of a file, or ``mine.toml,gladiator`` for one of
        them; None for all that ship. InvalidValueError with those that are not known.
        """
        reader, wanted = TableReader(), set[str]()
        for index, word in enumerate(foot().units if names is None else names):
            wanted.update(self._named(reader, f"units[{index}]", word))
        refuse(DRAW_TABLE, reader.faults)
        return {name: sheet for name, sheet in self.library.units.items() if name in wanted}

    def _named(self, reader: TableReader, place: str, word: str) -> Sequence[str]:
        """Return the names of the units that a word stands for; what is wrong with it becomes a fault."""
        file, _, name = word.partition(",")
        if not file.endswith(".toml"):
            reader.find(place, "unit", word, foot().units)
            return [word]
        if file not in self.units:
            reader.faults.append(f"{place}: the text of {shown(file)} is not in files")
            return []
        own = self.units[file]
        if not own:
            reader.faults.append(f"{place}: {shown(file)} has no units")
        if name:
            reader.find(place, f"unit of {file}", name, dict.fromkeys(own, name))
            return [name]
        return own


def drawn_sheets(files: Mapping[str, str]) -> DrawnSheets:
    """Return what ships along with what is in files of sheets.

    InvalidValueError with the faults of a file. No name may be that of a shipped unit, or of a unit in another file.

    `files` has texts by name; their vehicles and armies are left out.
    """
    return _drawn_sheets(tuple(files.items()))


@lru_cache(maxsize=8)
def _drawn_sheets(files: tuple[tuple[str, str], ...]) -> DrawnSheets:
    from brickphys.bow.sheets.documents import LibraryDocument
    from brickphys.schema import validated

    library, tables, units = foot(), dict[str, Any](), dict[str, Sequence[str]]()
    for name, text in files:
        document = {
            table: rows for table, rows in parse_toml(text, name).items() if table not in _NOT_DRAWN
        }
        reader = LibraryReader(library)
        read = reader.read(validated(LibraryDocument, document, name))
        refuse(name, reader.faults)
        library = replace(read, units={**library.units, **read.units})
        units[name] = tuple(read.units)
        for table, rows in document.items():
            tables[table] = [*tables.get(table, ()), *rows]
    return DrawnSheets(library, tables, units)
