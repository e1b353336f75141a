"""Library: gear, actions, sheets and armies by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

from brickphys.bow.sheets.army import Army
from brickphys.bow.sheets.custom_actions import CustomAction, OpposedAction
from brickphys.bow.sheets.gear import Item
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import VehicleSheet, VehicleWeapon
from brickphys.rules.catalogue import lookup

T = TypeVar("T")


def _empty() -> Mapping[str, T]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Library:
    """What sheets are written with, and the sheets; each mapping is by name and in the order of the files.

    Attributes
    ----------
    gear
        Objects for minifigs.
    vehicle_weapons
        Weapons for seats.
    actions
        New actions (BOW B).
    units, vehicles
        Sheets.
    armies
        Sides.
    """

    gear: Mapping[str, Item] = field(default_factory=_empty)
    vehicle_weapons: Mapping[str, VehicleWeapon] = field(default_factory=_empty)
    actions: Mapping[str, CustomAction] = field(default_factory=_empty)
    units: Mapping[str, MinifigSheet] = field(default_factory=_empty)
    vehicles: Mapping[str, VehicleSheet] = field(default_factory=_empty)
    armies: Mapping[str, Army] = field(default_factory=_empty)

    @property
    def custom_abilities(self) -> tuple[str, ...]:
        """Names of all abilities that only new actions have."""
        opposed = (one for one in self.actions.values() if isinstance(one, OpposedAction))
        return tuple(dict.fromkeys(chain.from_iterable(one.new_abilities for one in opposed)))

    @property
    def sheets(self) -> Mapping[str, MinifigSheet | VehicleSheet]:
        """Units, then vehicles."""
        return {**self.units, **self.vehicles}

    def sheet(self, name: str) -> MinifigSheet | VehicleSheet:
        """Return a sheet by name.

        Raises
        ------
        InvalidValueError
            If there is none.
        """
        return lookup("sheet", name, self.sheets)

    def only(self, name: str) -> "Library":
        """Return the library with one of its sheets, and no army.

        Raises
        ------
        InvalidValueError
            If there is no such sheet.
        """
        self.sheet(name)
        units = {key: sheet for key, sheet in self.units.items() if key == name}
        vehicles = {key: sheet for key, sheet in self.vehicles.items() if key == name}
        return replace(self, units=units, vehicles=vehicles, armies={})

    def actions_of(self, sheet: MinifigSheet) -> tuple[CustomAction, ...]:
        """Return the new actions that a unit can do with what it holds: those for which it has abilities first.

        They are in play only where a setup names them.
        """
        able = (action for action in self.actions.values() if action.can_act(sheet))
        return tuple(sorted(able, key=lambda action: not _is_paid(action, sheet)))


def _is_paid(action: CustomAction, sheet: MinifigSheet) -> bool:
    """Tell whether a unit has points of an ability that only new actions have, for this one."""
    return isinstance(action, OpposedAction) and action.acting in dict(sheet.custom)
