"""Setup: makes the first state of a battle from plain JSON values; faults have their key paths."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from brickphys.bow.actions.movement import standing_problems
from brickphys.bow.actions.obstacles import ground_plates, overlapping, room_in_front
from brickphys.bow.field import Decor, DecorType, Field, Stud, Studs, block, normal_deg
from brickphys.bow.setting import CrashRule, Options, Setting, TurnRule, UnitSpec, VehicleSpec
from brickphys.bow.sheets.catalogue import LibraryReader, catalogue, foot
from brickphys.bow.sheets.library import CustomAction, Library
from brickphys.bow.sheets.sheet import manning_problems
from brickphys.bow.state import State, UnitState, VehicleState
from brickphys.bow.terrain import terrain
from brickphys.bow.turns import StartRoll, UnitPositions
from brickphys.errors import InvalidValueError, refuse
from brickphys.geometry.polygon import TOLERANCE, open_ring
from brickphys.grid.grid import FACING_NAMES
from brickphys.rules.record import DigestedSetup
from brickphys.rules.setup import AimReader, SetupReader, met_at_start
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brickphys.bow.documents import (
        DecorDocument,
        SetupAim,
        SetupDocument,
        SetupField,
        SetupUnit,
        SetupVehicle,
    )
    from brickphys.bow.sheets.documents import MinifigDocument, VehicleDocument


T = TypeVar("T")


def read_field(document: "SetupField", faults: list[str]) -> Field | None:
    """Return the field of a setup; None if it has a fault of meaning.

    Its faults are added to the others, as ``key.path: what``.
    """
    rows = [len(row) for row in document.ground]
    found = [
        f"field.decor[{index}]: either a polygon or a block"
        for index, piece in enumerate(document.decor)
        if (piece.polygon is None) == (piece.block is None)
    ]
    if rows and (len(rows) != document.length or set(rows) != {document.width}):
        found.insert(0, f"field.ground: not {document.length} rows of {document.width}")
    faults += found
    if found:
        return None
    ground = tuple(height for row in document.ground for height in row)
    decor = tuple(map(_decor, document.decor))
    try:
        return Field(document.width, document.length, decor, ground, document.step)
    except InvalidValueError as error:
        faults.append(re.sub(r"\bdecor\[", "field.decor[", str(error)))
        return None


def _decor(piece: "DecorDocument") -> Decor:
    corners = block(*piece.block) if piece.block else open_ring(piece.polygon or ())
    kind = DecorType(piece.kind)
    return Decor(piece.id, kind, corners, piece.bottom, piece.top, piece.locked, piece.color)


class BattleAimReader(AimReader["SetupAim", Studs]):
    """Reads the aims of a setup whose form is sound.

    The library tells what sheets are called; `teams` has the team of each player by name.
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


class BattleReader(SetupReader):
    """Reads a setup whose form is sound."""

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
        known = {**_faulty(self._document.library.unit), **library.units}
        units = []
        for index, entry in enumerate(self._document.units):
            player, sheet = self._found(f"units[{index}]", "unit", entry, known)
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
        known = {**_faulty(self._document.library.vehicle), **library.vehicles}
        vehicles = []
        for index, entry in enumerate(self._document.vehicles):
            place = f"vehicles[{index}]"
            player, sheet = self._found(place, "vehicle", entry, known)
            if sheet is not None and entry.speed not in sheet.speeds:
                speeds = ", ".join(map(str, sheet.speeds))
                self.faults.append(f"{place}.speed: {entry.speed} is not one of {speeds}")
            if player is not None and sheet is not None:
                vehicles.append(VehicleSpec(entry.id, player, sheet))
        return tuple(vehicles)

    def _found(
        self, place: str, kind: str, entry: "SetupUnit | SetupVehicle", known: Mapping[str, T]
    ) -> tuple[int | None, T | None]:
        """Return the player and the sheet of a unit or a vehicle, if they are known."""
        player = self.find(f"{place}.player", "player", entry.player, self.players)
        return player, self.find(f"{place}.sheet", f"sheet of a {kind}", entry.sheet, known)

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
        if given.bricks_by_energy and given.crashes != "physics":
            self.faults.append("options.bricks_by_energy: needs crashes = 'physics'")
        kinds: dict[str, Any] = {"sectors": Scheme, "turning": TurnRule, "crashes": CrashRule}
        return Options(**{key: kinds.get(key, bool)(value) for key, value in given})

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
    (left, low), (right, high) = vehicle.prism.footprint.box_studs
    if min(left, low) < -TOLERANCE or max(right - field.width, high - field.length) > TOLERANCE:
        yield (
            f"reaches over the border of the field of {field.size}: "
            f"x {left:g} to {right:g}, y {low:g} to {high:g}"
        )


def _faulty(written: "Sequence[MinifigDocument | VehicleDocument]") -> dict[str, None]:
    """Return the names of sheets that a setup writes: what uses one that could not be read has no fault of its own."""
    return dict.fromkeys(document.name for document in written)


_NAME = "setup"
_REMEMBERED = 64
"""Number of setups kept in memory, more than a command needs at a time."""


@dataclass(frozen=True)
class SetupReading:
    """What reading a setup gives."""

    state: State | None
    """The first state; None if there are faults of form, or of what the state is made of."""
    faults: tuple[str, ...]
    """Every fault of form, or if there is none every fault of meaning, as ``key.path: what``."""


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state in which a battle begins: the roll for the start comes next (BOW 2.2).

    InvalidValueError with every fault of form, or if there is none every fault of meaning, as ``key.path: what``.
    """
    reading = read_setup(setup)
    refuse(_NAME, reading.faults)
    assert reading.state is not None
    return reading.state


def read_setup(setup: Mapping[str, Any]) -> SetupReading:
    """Return the first state of a setup, or its faults; equal setups are read once."""
    return _read(DigestedSetup.of(setup))


@lru_cache(_REMEMBERED)
def _read(given: DigestedSetup) -> SetupReading:
    from pydantic import ValidationError

    from brickphys.bow.documents import SetupDocument
    from brickphys.schema import faults

    try:
        document = SetupDocument.model_validate(dict(given.setup))
    except ValidationError as error:
        return SetupReading(None, tuple(faults(error, SetupDocument)))
    reader = BattleReader(document)
    return SetupReading(reader.first_state(given.digest), tuple(reader.faults))
