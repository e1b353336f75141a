"""Reading: the tables of a sheet file one by one, what they name, and every fault on the way."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
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

if TYPE_CHECKING:
    from brickphys.bow.sheets import schema

T = TypeVar("T")

_UNIT_NEEDS = ("action_budget", "move", "dodge", "attack", "health")
_VEHICLE_NEEDS = ("speed", "armor", "health", "seat")
_BLANK: dict[str, Any] = {"about": ""}
"""What a sheet does not have from its base: it says something else."""
_SIZES = ("length_studs", "width_studs", "bottom_plates", "top_plates")


class Reading:
    """What was read so far, over a library that the file may name.

    Attributes
    ----------
    faults
        Every fault, as ``key.path: what``.
    unreadable
        Names, of tables and abilities, that were not understood: that others name them is no further fault.
    """

    def __init__(self, over: Library) -> None:
        self.faults: list[str] = []
        self.unreadable: set[str] = set()
        self._over = over
        self._gear: dict[str, Item] = dict(over.gear)
        self._weapons: dict[str, VehicleWeapon] = dict(over.vehicle_weapons)
        self._actions: dict[str, CustomAction] = dict(over.actions)
        self._units: dict[str, MinifigSheet] = {}
        self._vehicles: dict[str, VehicleSheet] = {}
        self._armies: dict[str, Army] = {}

    def named(self) -> dict[str, Any]:
        """Return everything by the attribute of `Library`: gear and actions of both, sheets and armies of the file."""
        return {
            "gear": self._gear,
            "vehicle_weapons": self._weapons,
            "actions": self._actions,
            "units": self._units,
            "vehicles": self._vehicles,
            "armies": self._armies,
        }

    def add_item(self, place: str, document: "schema.ItemDocument") -> None:
        """Add an object."""
        item = document.item()
        self._add(place, item.name, item, item.problems(), self._gear, self._weapons)

    def add_vehicle_weapon(self, place: str, document: "schema.VehicleWeaponDocument") -> None:
        """Add a weapon of vehicles."""
        weapon = document.weapon()
        faults = weapon_problems(weapon)
        self._add(place, weapon.name, weapon, faults, self._weapons, self._gear)

    def add_action(self, place: str, document: "schema.ActionDocument") -> None:
        """Add a new action."""
        action = document.action()
        faults = action.problems()
        if action.needs is not None and not self._is_known(action.needs, self._gear):
            faults.append(f"needs: {unknown('gear', action.needs, self._gear)}")
        if isinstance(action, OpposedAction):
            faults += self._line_faults(action)
        self._add(place, action.name, action, faults, self._actions)

    def add_unit(self, place: str, document: "schema.UnitDocument") -> None:
        """Add a minifig's sheet."""
        known = {**self._over.units, **self._units}
        base = self._base(place, document.base, known, "unit")
        if base is None and self._lacks(place, document, _UNIT_NEEDS):
            return
        given = _given(document, "base", "custom", *(each.value for each in Place))
        gear, gear_faults = self._loadout(document, base.gear if base else Loadout())
        given["gear"] = gear
        if document.custom is not None:
            given["custom"] = tuple(document.custom.items())
        sheet = replace(base, **_BLANK | given) if base else MinifigSheet(**given)
        faults = [*gear_faults, *self._custom_faults(document.custom or {}), *sheet.problems()]
        self._add(place, sheet.name, sheet, faults, self._units, self._over.sheets, self._vehicles)

    def add_vehicle(self, place: str, document: "schema.VehicleDocument") -> None:
        """Add a vehicle's sheet."""
        known = {**self._over.vehicles, **self._vehicles}
        base = self._base(place, document.base, known, "vehicle")
        if base is None and self._lacks(place, document, _VEHICLE_NEEDS):
            return
        footprint = self._footprint(place, document, base)
        if footprint is None:
            self.unreadable.add(document.name)
            return
        given = _given(document, "base", "doors", "seat", *_SIZES)
        given["footprint"] = footprint
        if document.doors is not None:
            given["doors"] = tuple(document.doors)
        faults: list[str] = []
        if document.seat is not None:
            given["seats"], faults = self._seats(document.seat)
        sheet = replace(base, **_BLANK | given) if base else VehicleSheet(**given)
        faults += sheet.problems()
        self._add(place, sheet.name, sheet, faults, self._vehicles, self._over.sheets, self._units)

    def add_army(self, place: str, document: "schema.ArmyDocument") -> None:
        """Add a side."""
        units, unit_faults = self._counted("units", document.units, self._units, self._over.units)
        vehicles, vehicle_faults = self._counted(
            "vehicles", document.vehicles, self._vehicles, self._over.vehicles
        )
        boarded = tuple(Boarded(**dict(entry)) for entry in document.boarded)
        army = Army(document.name, units, vehicles, boarded)
        faults = [*unit_faults, *vehicle_faults]
        if not {*document.units, *document.vehicles} & self.unreadable:
            faults += army.problems()
        self._add(place, army.name, army, faults, self._armies)

    def _add(
        self,
        place: str,
        name: str,
        value: T,
        faults: Iterable[str],
        own: dict[str, T],
        *others: Mapping[str, object],
    ) -> None:
        """Note the faults of a value and add it: what names it has no further fault by that."""
        found = list(faults)
        if any(name in taken for taken in (own, *others)):
            found.append(f"name: {name!r} is taken")
        self.faults += [f"{place}.{fault}" for fault in found]
        own.setdefault(name, value)

    def _is_known(self, name: str, known: Mapping[str, object]) -> bool:
        return name in known or name in self.unreadable

    def _base(self, place: str, name: str | None, known: Mapping[str, T], kind: str) -> T | None:
        if name is not None and not self._is_known(name, known):
            self.faults.append(f"{place}.base: {unknown(kind, name, known)}")
        return known.get(name) if name is not None else None

    def _lacks(
        self,
        place: str,
        document: "schema.UnitDocument | schema.VehicleDocument",
        needs: Iterable[str],
    ) -> bool:
        """Tell whether a table without a base leaves out what it needs."""
        missing = [key for key in needs if getattr(document, key) is None]
        if document.base is None:
            self.faults += [f"{place}.{key}: missing, and there is no base" for key in missing]
        if missing:
            self.unreadable.add(document.name)
        return bool(missing)

    def _loadout(self, document: "schema.UnitDocument", base: Loadout) -> tuple[Loadout, list[str]]:
        faults, places = [], {}
        for place in Place:
            names = getattr(document, place.value)
            if names is None:
                continue
            places[place.value] = tuple(self._gear[name] for name in names if name in self._gear)
            for index, name in enumerate(names):
                if name in self._weapons:
                    faults.append(f"{place.value}[{index}]: {name!r} is a weapon of vehicles")
                elif not self._is_known(name, self._gear):
                    faults.append(f"{place.value}[{index}]: {unknown('gear', name, self._gear)}")
        return replace(base, **places), faults

    def _custom_faults(self, custom: Mapping[str, int]) -> list[str]:
        known = Library(actions=self._actions).custom_abilities
        return [
            f"custom.{name}: {unknown('ability of a new action', name, known)}"
            for name in custom
            if name not in known and name not in self.unreadable
        ]

    def _line_faults(self, action: OpposedAction) -> list[str]:
        """Return the faults of an action whose line on the sheet would clash with another's."""
        line, new, faults = (action.resisting, action.acting), set(action.new_abilities), []
        opposed = (other for other in self._actions.values() if isinstance(other, OpposedAction))
        for other in (other for other in opposed if new and other.new_abilities):
            same_line = line == (other.resisting, other.acting)
            shared = " and ".join(sorted(new & set(other.new_abilities)))
            if shared and not same_line:
                faults.append(f"acting: {shared} already in a line of {other.name} (BOW B.3)")
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
        if document.base is None or base:
            self.faults += [f"{place}.{size}: missing, and there is no model" for size in missing]
        return None if missing else Footprint(**sizes)

    def _seats(self, documents: "list[schema.SeatDocument]") -> tuple[tuple[Seat, ...], list[str]]:
        faults, seats = [], []
        for index, document in enumerate(documents):
            weapon = self._weapons.get(document.weapon or "")
            turned = {
                key: value
                for key in ("arc_deg", "axis_deg")
                if (value := getattr(document, key)) is not None
            }
            if document.weapon is not None and not self._is_known(document.weapon, self._weapons):
                error = unknown("vehicle weapon", document.weapon, self._weapons)
                faults.append(f"seat[{index}].weapon: {error}")
            elif turned and document.weapon is None:
                faults.append(f"seat[{index}].{next(iter(turned))}: the seat has no weapon")
            given = dict(document) | {"weapon": weapon and replace(weapon, **turned)}
            seats.append(Seat(**{key: given[key] for key in Seat.__dataclass_fields__}))
        return tuple(seats), faults

    def _counted(
        self, key: str, counts: Mapping[str, int], own: Mapping[str, T], over: Mapping[str, T]
    ) -> tuple[tuple[T, ...], list[str]]:
        known = {**over, **own}
        faults = [
            f"{key}.{name}: {unknown('sheet', name, known)}"
            for name in counts
            if not self._is_known(name, known)
        ]
        found = [
            known[name] for name, count in counts.items() if name in known for _ in range(count)
        ]
        return tuple(found), faults


def _given(
    document: "schema.UnitDocument | schema.VehicleDocument", *without: str
) -> dict[str, Any]:
    """Return what a table says, key by key."""
    return {
        key: value
        for key, value in dict(document).items()
        if value is not None and key not in without
    }
