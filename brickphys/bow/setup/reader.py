"""Setup reading: the parts of a setup put together, and what is wrong between them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING

from brickphys.bow.actions.move import standing_problems
from brickphys.bow.actions.surroundings import overlapping
from brickphys.bow.field.facing import normal_deg
from brickphys.bow.field.field import Field, Stud
from brickphys.bow.setup.form import DECOR, LIBRARY, OWNERS, SHEETS, SetupForm
from brickphys.bow.setup.objective_reader import read_aims
from brickphys.bow.sheets.custom_actions import CustomAction
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.vehicle_sheet import manning_problems
from brickphys.bow.state.setting import Options, Setting, UnitSpec, VehicleSpec
from brickphys.bow.state.state import State, UnitState, VehicleState
from brickphys.bow.turns.rounds import StartRoll
from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.directions import FACING_NAMES
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme

if TYPE_CHECKING:
    from brickphys.bow.setup.schema import UnitDocument, VehicleDocument


@dataclass
class BattleReading:
    """A setup while it is read.

    `units` and `vehicles` are those with a sheet, by their places; `lacking` names the parts that are not whole.
    """

    form: SetupForm
    library: Library
    field: Field
    faults: list[str]
    lacking: set[str]
    units: dict[str, UnitSpec] = attribute(default_factory=dict)
    vehicles: dict[str, VehicleSpec] = attribute(default_factory=dict)
    aim_places: list[str] = attribute(default_factory=list)

    def state(self, setup_digest: str) -> State | None:
        """Return the first state of what is sound; None if there are no two players, or no units."""
        self._unique()
        self._read_units()
        self._read_vehicles()
        objects, open_ids, actions = self._objects(), self._open_ids(), self._actions()
        names = [unit.name for unit in self.units.values()]
        aims = read_aims(
            self.form, self.field, self._teams(), self.library, names, self.lacking, self.faults
        )
        self.aim_places += aims
        if len(self.form.players) < 2 or not self.units:
            return None
        setting = Setting(
            digest=setup_digest,
            field=self.field,
            players=tuple(self._player_names()),
            teams=self._teams(),
            units=tuple(self.units.values()),
            vehicles=tuple(self.vehicles.values()),
            gear=dict(self.library.gear),
            actions=actions,
            aims=tuple(aims.values()),
            options=self._options(),
        )
        state = State(
            setting=setting,
            units=self._figures(setting),
            vehicles=tuple(_craft(self.form.vehicles[place]) for place in self.vehicles),
            objects=objects,
            open_ids=open_ids,
            holding=(0,) * len(setting.aims),
        )
        self._check_places(state)
        players = range(len(setting.players))
        return state.push_pending(StartRoll(tuple(p for p in players if setting.owned[p])))

    def _unique(self) -> None:
        players = Counter(self._player_names())
        named = [unit.id for unit in self.form.units.values()]
        things = Counter(named + [vehicle.id for vehicle in self.form.vehicles.values()])
        for what, names in (("players", players), ("units and vehicles", things)):
            self.faults += [
                f"{what}: {count} are called {name!r}" for name, count in names.items() if count > 1
            ]
        if len(set(self._teams())) < 2 and "players" not in self.lacking:
            self.faults.append("players: all are of one team")

    def _player_names(self) -> list[str]:
        return [player.name for player in self.form.players.values()]

    def _teams(self) -> tuple[int, ...]:
        return tuple(
            index if player.team is None else player.team
            for index, player in enumerate(self.form.players.values())
        )

    def _player(self, place: str, name: str) -> int:
        names = self._player_names()
        if name in names:
            return names.index(name)
        self._miss("players", fault=f"{place}.player: {unknown('player', name, names)}")
        self.lacking.add(OWNERS)
        return 0

    def _miss(self, *parts: str, fault: str) -> None:
        """Note that something is nowhere in some parts, unless it may be in what these lack."""
        if self.lacking.isdisjoint(parts):
            self.faults.append(fault)

    def _read_units(self) -> None:
        known = self.library.units
        for place, entry in self.form.units.items():
            player = self._player(place, entry.player)
            if entry.sheet in known:
                self.units[place] = UnitSpec(entry.id, player, known[entry.sheet])
                continue
            error = unknown("sheet of a unit", entry.sheet, known)
            self._miss(LIBRARY, fault=f"{place}.sheet: {error}")
            self.lacking.add(SHEETS)
        teams = dict(zip(self._player_names(), self._teams(), strict=True))
        if len({teams.get(entry.player) for entry in self.form.units.values()}) < 2:
            self._miss("players", "units", OWNERS, fault="units: only one team has any")

    def _read_vehicles(self) -> None:
        known = self.library.vehicles
        for place, entry in self.form.vehicles.items():
            player = self._player(place, entry.player)
            if entry.sheet not in known:
                error = unknown("sheet of a vehicle", entry.sheet, known)
                self._miss(LIBRARY, fault=f"{place}.sheet: {error}")
                self.lacking.add(SHEETS)
                continue
            sheet = known[entry.sheet]
            if entry.speed not in sheet.speeds:
                known_speeds = ", ".join(map(str, sheet.speeds))
                self.faults.append(f"{place}.speed: {entry.speed} is none of {known_speeds}")
            self.vehicles[place] = VehicleSpec(entry.id, player, sheet)

    def _figures(self, setting: Setting) -> tuple[UnitState, ...]:
        taken: dict[object, str] = {}
        figures = []
        for place, unit in self.units.items():
            entry = self.form.units[place]
            facing = FACING_NAMES.index(entry.facing)
            stud, seat = self._stud(place, entry), self._seat(place, entry, setting, unit)
            where = seat if stud is None else stud
            if where in taken:
                self.faults.append(f"{place}: where {taken[where]!r} is already")
            elif where is not None:
                taken[where] = entry.id
            figures.append(UnitState(unit.sheet, stud, facing, seat=seat))
        return tuple(figures)

    def _stud(self, place: str, entry: "UnitDocument") -> Stud | None:
        if entry.x is None or entry.y is None:
            if entry.vehicle is None:
                self.faults.append(f"{place}: neither on a stud (x, y) nor in a vehicle")
            return None
        if entry.vehicle is not None:
            self.faults.append(f"{place}: both on a stud and in a vehicle")
        return self._place(place, entry.x, entry.y)

    def _place(self, place: str, x: int, y: int) -> Stud | None:
        try:
            return self.field.stud(x, y)
        except InvalidValueError as error:
            self.faults.append(f"{place}: {error}")
            return None

    def _seat(
        self, place: str, entry: "UnitDocument", setting: Setting, unit: UnitSpec
    ) -> tuple[int, int] | None:
        if entry.vehicle is None:
            if entry.seat is not None:
                self.faults.append(f"{place}.seat: seat without vehicle")
            return None
        numbers = setting.vehicle_numbers
        if entry.vehicle not in numbers:
            error = unknown("vehicle", entry.vehicle, numbers)
            if entry.vehicle not in {vehicle.id for vehicle in self.form.vehicles.values()}:
                fault = f"{place}.vehicle: seat without vehicle: {error}"
                self._miss("vehicles", fault=fault)
            return None
        vehicle = numbers[entry.vehicle]
        seats = setting.vehicles[vehicle].sheet.seats
        names = [seat.name for seat in seats]
        if entry.seat not in names:
            self.faults.append(f"{place}.seat: {unknown('seat', str(entry.seat), names)}")
            return None
        seat = seats[names.index(entry.seat)]
        if seat.weapon:
            self.faults += [f"{place}.seat: {f}" for f in manning_problems(unit.sheet, seat.weapon)]
        return vehicle, names.index(entry.seat)

    def _objects(self) -> tuple[tuple[Stud, str], ...]:
        lying = []
        for place, entry in self.form.objects.items():
            if entry.item not in self.library.gear:
                error = unknown("gear", entry.item, self.library.gear)
                self._miss(LIBRARY, fault=f"{place}.item: {error}")
            stud = self._place(place, entry.x, entry.y)
            if stud is not None:
                lying.append((stud, entry.item))
        return tuple(sorted(lying))

    def _open_ids(self) -> frozenset[str]:
        known = frozenset(decor.id for decor in self.field.decor if decor.kind.opens)
        for place, name in self.form.open.items():
            if name not in known:
                self._miss(
                    DECOR, fault=f"{place}: {unknown('door or window', name, sorted(known))}"
                )
        return known.intersection(self.form.open.values())

    def _actions(self) -> dict[str, CustomAction]:
        known = self.library.actions
        for place, name in self.form.actions.items():
            if name not in known:
                self._miss(LIBRARY, fault=f"{place}: {unknown('new action', name, known)}")
        return {name: known[name] for name in self.form.actions.values() if name in known}

    def _options(self) -> Options:
        given = self.form.options
        return Options(given.symmetric_treatment, given.dispute, Scheme(given.sectors))

    def _check_places(self, state: State) -> None:
        """Note who is put where he cannot be: in a wall, under a vehicle, over its border."""
        nobody = tuple(UnitState(unit.sheet, None) for unit in state.setting.units)
        empty = state.changed(units=nobody)
        for place, figure in zip(self.units, state.units, strict=True):
            if figure.stud is not None:
                faults = standing_problems(empty, figure.stud)
                self.faults += [f"{place}: {fault}" for fault in faults]
        for index, place in enumerate(self.vehicles):
            vehicle = state.vehicle_body(index)
            if met := overlapping(state, index):
                self.faults.append(f"{place}: {vehicle.id} overlaps {', '.join(met)}")
            self.faults += [f"{place}: {vehicle.id} {fault}" for fault in self._beyond(vehicle)]

    def _beyond(self, vehicle: Vehicle) -> Iterator[str]:
        """Yield that a vehicle reaches over the border."""
        (left, low), (right, high) = vehicle.prism.footprint.box_studs
        wide, long = self.field.width, self.field.length
        if min(left, low) < -TOLERANCE or max(right - wide, high - long) > TOLERANCE:
            yield (
                f"reaches over the border of the field of {wide} x {long} studs: "
                f"x {left:g} to {right:g}, y {low:g} to {high:g}"
            )


def _craft(entry: "VehicleDocument") -> VehicleState:
    return VehicleState(float(entry.x), float(entry.y), normal_deg(entry.heading_deg), entry.speed)
