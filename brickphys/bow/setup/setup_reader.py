"""Setup reader: the parts of a setup put together to the first state, and every fault of meaning."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from brickphys.bow.actions.move import standing_problems
from brickphys.bow.driving.ground import ground_plates
from brickphys.bow.driving.obstacles import overlapping
from brickphys.bow.driving.walk_beside import room_in_front
from brickphys.bow.field.facing import normal_deg
from brickphys.bow.field.field import DecorType, Field, Stud
from brickphys.bow.setup.aim_reader import BattleAimReader
from brickphys.bow.setup.field_reader import read_field
from brickphys.bow.sheets.catalogue import catalogue, foot
from brickphys.bow.sheets.custom_actions import CustomAction
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.sheet_reader import LibraryReader
from brickphys.bow.sheets.vehicle_sheet import manning_problems
from brickphys.bow.state.pieces import UnitState, VehicleState
from brickphys.bow.state.setting import CrashRule, Options, Setting, TurnRule, UnitSpec, VehicleSpec
from brickphys.bow.state.state import State
from brickphys.bow.turns.rounds import StartRoll
from brickphys.bow.turns.victory import UnitPositions
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.directions import FACING_NAMES
from brickphys.rules.aims.aim_reader import met_at_start
from brickphys.rules.setup.setup_reader import SetupReader
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brickphys.bow.setup.setup_schema import SetupDocument, SetupUnit
    from brickphys.bow.sheets.sheet_schema import MinifigDocument, VehicleDocument


class BattleReader(SetupReader):
    """Reads a setup whose form is sound.

    Parameters
    ----------
    document
        The setup.
    """

    def __init__(self, document: "SetupDocument") -> None:
        super().__init__(document.players)
        self._document = document

    def first_state(self, digest: str) -> State | None:
        """Return the first state of a setup with a digest; None if its field, units or vehicles have a fault."""
        document = self._document
        self._check_names()
        library, field = self._library(), read_field(document.field, self.faults)
        units, vehicles = self._units(library), self._vehicles(library)
        can_begin = not self.faults
        ground = field or Field(document.field.width, document.field.length)
        objects, actions = self._objects(library, ground), self._actions(library)
        open_ids = self._open_ids(field) if field else frozenset[str]()
        aim_reader = BattleAimReader(document, ground, library, self.team_of)
        aims = self.aims(aim_reader, document.aims)
        if not can_begin:
            return None
        setting = Setting(
            digest=digest,
            field=ground,
            players=tuple(player.name for player in document.players),
            chosen_colours=self.colours,
            teams=self.teams,
            units=units,
            vehicles=vehicles,
            gear=dict(library.gear),
            actions=actions,
            aims=aims,
            options=self._options(),
        )
        unit_states = self._unit_states(setting)
        state = State(
            setting=setting,
            units=unit_states,
            vehicles=self._vehicle_states(setting, unit_states),
            objects=objects,
            open_ids=open_ids,
            holding=(0,) * len(aims),
            destroyed=(0,) * len(setting.players),
        )
        self._check_points(setting)
        for vehicle, vehicle_state in enumerate(state.vehicles):
            base = ground_plates(state, state.vehicle_body(vehicle))
            state = state.with_vehicle(vehicle, replace(vehicle_state, base_plates=base))
        self._check_places(state)
        state = self._with_walkers(state)
        self.faults += met_at_start(aims, UnitPositions(state))
        players = range(len(setting.players))
        return state.push_pending(StartRoll(tuple(p for p in players if setting.owned[p])))

    def _check_names(self) -> None:
        document = self._document
        things = [*(unit.id for unit in document.units), *(one.id for one in document.vehicles)]
        players = [player.name for player in document.players]
        self.check_names({"players": players, "units and vehicles": things})
        self.faults += [
            f"field.decor: a {decor.kind} has the name of a unit or vehicle, {decor.id!r}"
            for decor in document.field.decor
            if decor.id in things and DecorType(decor.kind).opens
        ]
        self.check_teams()

    def _library(self) -> Library:
        """Return what sheets are called: models of vehicles are only loaded where there are any."""
        document = self._document
        base = catalogue() if document.vehicles or document.library.vehicle else foot()
        reader = LibraryReader(base)
        own = reader.read(document.library)
        self.faults += [f"library.{fault}" for fault in reader.faults]
        return replace(
            own,
            units={**base.units, **own.units},
            vehicles={**base.vehicles, **own.vehicles},
            armies={},
        )

    def _units(self, library: Library) -> tuple[UnitSpec, ...]:
        units = []
        for index, entry in enumerate(self._document.units):
            place = f"units[{index}]"
            player = self.find(f"{place}.player", "player", entry.player, self.players)
            known = {**_faulty(self._document.library.unit), **library.units}
            sheet = self.find(f"{place}.sheet", "sheet of a unit", entry.sheet, known)
            if player is not None and sheet is not None:
                units.append(UnitSpec(entry.id, player, sheet))
        if not self._document.units:
            self.faults.append("units: there is no unit on the map or in the list")
            return ()
        owners = {self.players.get(entry.player) for entry in self._document.units}
        if len({None if owner is None else self.teams[owner] for owner in owners}) < 2:
            self.faults.append("units: only one team has units")
        return tuple(units)

    def _vehicles(self, library: Library) -> tuple[VehicleSpec, ...]:
        vehicles = []
        for index, entry in enumerate(self._document.vehicles):
            place = f"vehicles[{index}]"
            player = self.find(f"{place}.player", "player", entry.player, self.players)
            known = {**_faulty(self._document.library.vehicle), **library.vehicles}
            sheet = self.find(f"{place}.sheet", "sheet of a vehicle", entry.sheet, known)
            if sheet is not None and entry.speed not in sheet.speeds:
                speeds = ", ".join(map(str, sheet.speeds))
                self.faults.append(f"{place}.speed: {entry.speed} is not one of {speeds}")
            if player is not None and sheet is not None:
                vehicles.append(VehicleSpec(entry.id, player, sheet))
        return tuple(vehicles)

    def _unit_states(self, setting: Setting) -> tuple[UnitState, ...]:
        taken: dict[object, str] = {}
        figures = []
        for index, (unit, entry) in enumerate(
            zip(setting.units, self._document.units, strict=True)
        ):
            place, facing = f"units[{index}]", FACING_NAMES.index(entry.facing)
            stud = self._stand(place, entry, setting.field)
            seat = self._seat(place, entry, setting, unit)
            where = seat if stud is None else stud
            if where in taken:
                self.faults.append(f"{place}: {taken[where]!r} is already there")
            elif where is not None:
                taken[where] = entry.id
            figures.append(UnitState(unit.sheet, stud, facing, seat=seat))
        return tuple(figures)

    def _stand(self, place: str, entry: "SetupUnit", field: Field) -> Stud | None:
        """Return the stud on which a unit begins; None for one in a vehicle."""
        if entry.x is None or entry.y is None:
            if entry.vehicle is None:
                self.faults.append(f"{place}: give a stud (x, y) or a vehicle")
            return None
        if entry.vehicle is not None:
            self.faults.append(f"{place}: give a stud or a vehicle, not both")
        return self.attempt(place, field.stud, entry.x, entry.y)

    def _seat(
        self, place: str, entry: "SetupUnit", setting: Setting, unit: UnitSpec
    ) -> tuple[int, int] | None:
        """Return the numbers of the vehicle and the seat in which a unit begins; None for one on a stud."""
        if entry.vehicle is None:
            if entry.seat is not None:
                self.faults.append(f"{place}.seat: seat without vehicle")
            return None
        known = setting.vehicle_numbers
        vehicle = self.find(
            f"{place}.vehicle: seat without vehicle", "vehicle", entry.vehicle, known
        )
        if vehicle is None:
            return None
        seats = setting.vehicles[vehicle].sheet.seats
        numbers = {seat.name: number for number, seat in enumerate(seats)}
        number = self.find(f"{place}.seat", "seat", str(entry.seat), numbers)
        if number is None:
            return None
        if weapon := seats[number].weapon:
            self.faults += [f"{place}.seat: {f}" for f in manning_problems(unit.sheet, weapon)]
        return vehicle, number

    def _vehicle_states(
        self, setting: Setting, unit_states: tuple[UnitState, ...]
    ) -> tuple[VehicleState, ...]:
        """Return the vehicles; the player of whoever begins in the pilot's seat drives (BOW 3.3)."""
        drivers = {
            unit_state.seat[0]: unit.player
            for unit, unit_state in zip(setting.units, unit_states, strict=True)
            if unit_state.seat and setting.seat(unit_state.seat).pilot
        }
        return tuple(
            VehicleState(
                float(entry.x),
                float(entry.y),
                normal_deg(entry.heading_deg),
                entry.speed,
                driver=drivers.get(vehicle, spec.player),
            )
            for vehicle, (spec, entry) in enumerate(
                zip(setting.vehicles, self._document.vehicles, strict=True)
            )
        )

    def _objects(self, library: Library, field: Field) -> tuple[tuple[Stud, str], ...]:
        lying = []
        for index, entry in enumerate(self._document.objects):
            self.find(f"objects[{index}].item", "gear", entry.item, library.gear)
            stud = self.attempt(f"objects[{index}]", field.stud, entry.x, entry.y)
            if stud is not None:
                lying.append((stud, entry.item))
        return tuple(sorted(lying))

    def _open_ids(self, field: Field) -> frozenset[str]:
        known = field.doors
        for index, name in enumerate(self._document.open):
            self.find(f"open[{index}]", "door or window", name, known)
        return frozenset(known.keys() & set(self._document.open))

    def _actions(self, library: Library) -> dict[str, CustomAction]:
        names = self._document.actions
        found = {
            name: self.find(f"actions[{index}]", "new action", name, library.actions)
            for index, name in enumerate(names)
        }
        return {name: action for name, action in found.items() if action}

    def _options(self) -> Options:
        given = self._document.options
        read = {
            "sectors": Scheme(given.sectors),
            "turning": TurnRule(given.turning),
            "crashes": CrashRule(given.crashes),
        }
        return Options(**{**dict(given), **read})

    def _check_points(self, setting: Setting) -> None:
        """Note the armies that cost more than the limit (BOW 1.4.3)."""
        limit = self._document.limit_points
        if limit is not None:
            self.faults += [
                f"limit_points: {name} has {cost} cost points, {cost - limit} above the limit of {limit} (BOW 1.4.3)"
                for name, cost in zip(setting.players, setting.army_costs, strict=True)
                if cost > limit
            ]

    def _with_walkers(self, state: State) -> State:
        """Put those who walk beside a vehicle on the free studs that are nearest to its front (BOW 3.1)."""
        for index, unit_state in enumerate(state.units):
            if unit_state.seat is not None and state.seat_of(index)[1].beside:
                vehicle = unit_state.seat[0]
                stud = room_in_front(state, vehicle)
                if stud is None:
                    name = state.setting.vehicles[vehicle].name
                    self.faults.append(f"units[{index}].seat: no room beside {name} (BOW 3.1)")
                state = state.with_unit(index, replace(unit_state, stud=stud))
        return state

    def _check_places(self, state: State) -> None:
        """Note what begins where it cannot be: in a wall, under a vehicle, over the border."""
        nowhere = tuple(UnitState(unit.sheet, None) for unit in state.setting.units)
        empty = state.replaced({"units": nowhere})
        for index, unit_state in enumerate(state.units):
            if unit_state.stud is not None:
                faults = standing_problems(empty, unit_state.stud)
                self.faults += [f"units[{index}]: {fault}" for fault in faults]
        for index in range(len(state.vehicles)):
            vehicle, place = state.vehicle_body(index), f"vehicles[{index}]"
            if met := overlapping(state, vehicle):
                self.faults.append(f"{place}: {vehicle.id} overlaps {', '.join(met)}")
            self.faults += [
                f"{place}: {vehicle.id} {fault}"
                for fault in _border_faults(vehicle, state.setting.field)
            ]


def _border_faults(vehicle: Vehicle, field: Field) -> Iterator[str]:
    """Yield that a vehicle reaches over the border of its field."""
    (left, low), (right, high) = vehicle.prism.footprint.box_studs
    if min(left, low) < -TOLERANCE or max(right - field.width, high - field.length) > TOLERANCE:
        yield (
            f"reaches over the border of the field of {field.size}: "
            f"x {left:g} to {right:g}, y {low:g} to {high:g}"
        )


def _faulty(written: "Sequence[MinifigDocument | VehicleDocument]") -> dict[str, None]:
    """Return the names of sheets that a setup writes: what uses one that could not be read has no fault of its own."""
    return dict.fromkeys(document.name for document in written)
