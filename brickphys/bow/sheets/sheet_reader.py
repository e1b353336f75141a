"""Library reader: the tables of a sheet file one by one, the names in them, and every fault of meaning."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from brickphys.bow.sheets.army import Army, Boarded
from brickphys.bow.sheets.custom_actions import CustomAction, OpposedAction
from brickphys.bow.sheets.gear import Item
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import (
    Footprint,
    Seat,
    VehicleSheet,
    VehicleWeapon,
    weapon_problems,
)
from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.catalogue import TableReader, given

if TYPE_CHECKING:
    from brickphys.bow.sheets import sheet_schema as schema

T = TypeVar("T")

_UNIT_NEEDS = ("action_budget", "move", "dodge", "attack", "health")
_VEHICLE_NEEDS = ("speed", "armor", "health", "seat")
_NO_BASE = "there is no base"
_BLANK: dict[str, Any] = {"about": ""}
"""What a sheet does not take from its base."""
_SIZES = ("length_studs", "width_studs", "bottom_plates", "top_plates")


class LibraryReader(TableReader):
    """Reads the tables of a sheet file.

    Parameters
    ----------
    base
        What the file may name and extend.
    """

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
        if base is None and (
            document.base or not self.require(place, document, _UNIT_NEEDS, _NO_BASE)
        ):
            return
        written = given(document, "base", "custom", *(each.value for each in Place))
        written["gear"] = self._loadout(place, document, base.gear if base else Loadout())
        if document.custom is not None:
            self._check_abilities(f"{place}.custom", document.custom)
            written["custom"] = tuple(document.custom.items())
        sheet = replace(base, **_BLANK | written) if base else MinifigSheet(**written)
        taken = self._base.sheets, self._vehicles
        self.add(place, sheet.name, sheet, sheet.problems(), self._units, *taken)

    def _add_vehicle(self, place: str, document: "schema.VehicleDocument") -> None:
        known = {**self._base.vehicles, **self._vehicles}
        base = self.find(f"{place}.base", "vehicle", document.base, known)
        if base is None and (
            document.base or not self.require(place, document, _VEHICLE_NEEDS, _NO_BASE)
        ):
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
    ) -> Footprint | None:
        """Return the size that is written, else that of the model, else that of the base."""
        sizes: dict[str, float] = dict(vars(base.footprint)) if base else {}
        if document.model is not None:
            from brickphys.shapes.assembly_file import assembly

            try:
                thing = assembly(document.model)
            except InvalidValueError as error:
                self.faults.append(f"{place}.model: {error}")
                return None
            sizes = {size: getattr(thing, size) for size in _SIZES}
        sizes |= {size: value for size in _SIZES if (value := getattr(document, size)) is not None}
        missing = [size for size in _SIZES if size not in sizes]
        self.faults += [f"{place}.{size}: missing, as there is no model" for size in missing]
        return None if missing else Footprint(**sizes)

    def _seats(self, place: str, documents: "list[schema.SeatDocument]") -> tuple[Seat, ...]:
        seats = []
        for index, document in enumerate(documents):
            where = f"{place}.seat[{index}]"
            weapon = self.find(f"{where}.weapon", "vehicle weapon", document.weapon, self._weapons)
            turned = {
                key: value
                for key in ("arc_deg", "axis_deg")
                if (value := getattr(document, key)) is not None
            }
            if turned and document.weapon is None:
                self.faults.append(f"{where}.{next(iter(turned))}: the seat has no weapon")
            entry = dict(document) | {"weapon": weapon and replace(weapon, **turned)}
            seats.append(Seat(**{key: entry[key] for key in Seat.__dataclass_fields__}))
        return tuple(seats)

    def _counted(
        self, place: str, counts: Mapping[str, int], known: Mapping[str, T]
    ) -> tuple[T, ...]:
        found = {name: self.find(f"{place}.{name}", "sheet", name, known) for name in counts}
        return tuple(sheet for name, sheet in found.items() if sheet for _ in range(counts[name]))
