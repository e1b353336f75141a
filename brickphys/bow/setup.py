"""Setup: the first state of a battle from plain JSON values, with every fault and its key path."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from json import dumps
from typing import TYPE_CHECKING, Any

from brickphys.bow.action import FACING_NAMES
from brickphys.bow.aim_reading import read_aims
from brickphys.bow.catalogue import catalogue, foot
from brickphys.bow.custom import CustomAction
from brickphys.bow.facing import normal_deg
from brickphys.bow.field import Decor, Field, Kind, block
from brickphys.bow.library import Library
from brickphys.bow.moving import standing_problems
from brickphys.bow.rounds import StartRoll
from brickphys.bow.setting import Enlisted, Options, Parked, Setting
from brickphys.bow.sheet_file import library_of
from brickphys.bow.state import Craft, Figure, State
from brickphys.bow.studs import Stud
from brickphys.bow.traffic import overlapping
from brickphys.bow.vehicle_sheet import manning_problems
from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.replay import digest
from brickphys.vehicles.sectors import Scheme

if TYPE_CHECKING:
    from brickphys.bow.setup_schema import DecorDocument, SetupDocument, UnitDocument


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state in which a battle begins: the roll for the start comes next (BOW 2.2).

    Raises
    ------
    InvalidValueError
        With every fault, as ``key.path: what``.
    """
    document = _document(setup)
    library = _library(document)
    reading = _Reading(document, library, _field(document))
    state = reading.state(digest(dumps(setup, sort_keys=True)))
    if state is None or reading.faults:
        raise InvalidValueError(f"setup: {'; '.join(dict.fromkeys(reading.faults))}")
    return state


def _document(setup: Mapping[str, Any]) -> "SetupDocument":
    from pydantic import ValidationError

    from brickphys.bow.setup_schema import SetupDocument
    from brickphys.schema import faults

    try:
        return SetupDocument.model_validate(dict(setup))
    except ValidationError as error:
        raise InvalidValueError(f"setup: {'; '.join(faults(error, SetupDocument))}") from None


def _library(document: "SetupDocument") -> Library:
    """Return what the sheets are called by: models of vehicles are only loaded for those who have any."""
    over = catalogue() if document.vehicles or "vehicle" in document.library else foot()
    if not document.library:
        return over
    own = library_of(document.library, "setup: library", over)
    return Library(
        own.gear,
        own.vehicle_weapons,
        own.actions,
        {**over.units, **own.units},
        {**over.vehicles, **own.vehicles},
    )


def _field(document: "SetupDocument") -> Field:
    entry = document.field
    rows = [len(row) for row in entry.ground]
    if rows and (len(rows) != entry.length or set(rows) != {entry.width}):
        raise InvalidValueError(f"setup: field.ground: not {entry.length} rows of {entry.width}")
    faults, decor = [], []
    for index, piece in enumerate(entry.decor):
        if (piece.polygon is None) == (piece.block is None):
            faults.append(f"field.decor[{index}]: either a polygon or a block")
        else:
            decor.append(_decor(piece))
    if faults:
        raise InvalidValueError(f"setup: {'; '.join(faults)}")
    ground = tuple(height for row in entry.ground for height in row)
    try:
        return Field(entry.width, entry.length, tuple(decor), ground, entry.step)
    except InvalidValueError as error:
        raise InvalidValueError(f"setup: field: {error}") from None


def _decor(piece: "DecorDocument") -> Decor:
    corners = block(*piece.block) if piece.block else tuple(piece.polygon or ())
    kind = Kind(piece.kind)
    return Decor(piece.id, kind, corners, piece.bottom, piece.top, piece.locked, piece.color)


@dataclass
class _Reading:
    """A setup while it is read."""

    document: "SetupDocument"
    library: Library
    field: Field
    faults: list[str] = attribute(default_factory=list)

    def state(self, setup_digest: str) -> State | None:
        """Return the first state; None if its parts do not fit together."""
        self._unique()
        units, vehicles = self._units(), self._vehicles()
        objects, open_ids, actions = self._objects(), self._open_ids(), self._actions()
        aims = read_aims(self.document, self.field, self._teams(), self.library, self.faults)
        document = self.document
        if len(units) < len(document.units) or len(vehicles) < len(document.vehicles):
            return None
        setting = Setting(
            digest=setup_digest,
            field=self.field,
            players=tuple(player.name for player in self.document.players),
            teams=self._teams(),
            units=units,
            vehicles=vehicles,
            gear=dict(self.library.gear),
            actions=actions,
            aims=aims,
            options=self._options(),
        )
        state = State(
            setting=setting,
            figures=self._figures(setting),
            crafts=tuple(
                Craft(float(entry.x), float(entry.y), normal_deg(entry.heading_deg), entry.speed)
                for entry in document.vehicles
            ),
            objects=objects,
            open_ids=open_ids,
            holding=(0,) * len(setting.aims),
        )
        self._check_places(state)
        players = range(len(setting.players))
        return state.first(StartRoll(tuple(p for p in players if setting.owned[p])))

    def _unique(self) -> None:
        players = Counter(player.name for player in self.document.players)
        named = [unit.id for unit in self.document.units]
        things = Counter(named + [vehicle.id for vehicle in self.document.vehicles])
        for what, names in (("players", players), ("units and vehicles", things)):
            self.faults += [
                f"{what}: {count} are called {name!r}" for name, count in names.items() if count > 1
            ]
        if len(set(self._teams())) < 2:
            self.faults.append("players: all are of one team")

    def _teams(self) -> tuple[int, ...]:
        return tuple(
            index if player.team is None else player.team
            for index, player in enumerate(self.document.players)
        )

    def _player(self, place: str, name: str) -> int:
        names = [player.name for player in self.document.players]
        if name not in names:
            self.faults.append(f"{place}.player: {unknown('player', name, names)}")
            return 0
        return names.index(name)

    def _units(self) -> tuple[Enlisted, ...]:
        found = []
        known = self.library.units
        for index, entry in enumerate(self.document.units):
            player = self._player(f"units[{index}]", entry.player)
            if entry.sheet in known:
                found.append(Enlisted(entry.id, player, known[entry.sheet]))
            else:
                error = unknown("sheet of a unit", entry.sheet, known)
                self.faults.append(f"units[{index}].sheet: {error}")
        teams = {self._teams()[unit.player] for unit in found}
        if len(teams) < 2 and not self.faults:
            self.faults.append("units: only one team has any")
        return tuple(found)

    def _vehicles(self) -> tuple[Parked, ...]:
        found = []
        known = self.library.vehicles
        for index, entry in enumerate(self.document.vehicles):
            place = f"vehicles[{index}]"
            player = self._player(place, entry.player)
            if entry.sheet not in known:
                error = unknown("sheet of a vehicle", entry.sheet, known)
                self.faults.append(f"{place}.sheet: {error}")
                continue
            sheet = known[entry.sheet]
            if entry.speed not in sheet.speeds:
                known_speeds = ", ".join(map(str, sheet.speeds))
                self.faults.append(f"{place}.speed: {entry.speed} is none of {known_speeds}")
            if not (entry.x <= self.field.width and entry.y <= self.field.length):
                self.faults.append(f"{place}: its centre is outside the field")
            found.append(Parked(entry.id, player, sheet))
        return tuple(found)

    def _figures(self, setting: Setting) -> tuple[Figure, ...]:
        taken: dict[object, str] = {}
        figures = []
        for index, (entry, unit) in enumerate(zip(self.document.units, setting.units, strict=True)):
            place = f"units[{index}]"
            facing = FACING_NAMES.index(entry.facing)
            stud, seat = self._stud(place, entry), self._seat(place, entry, setting, unit)
            where = seat if stud is None else stud
            if where in taken:
                self.faults.append(f"{place}: where {taken[where]!r} is already")
            elif where is not None:
                taken[where] = entry.id
            figures.append(Figure(unit.sheet, stud, facing, seat=seat))
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
        self, place: str, entry: "UnitDocument", setting: Setting, unit: Enlisted
    ) -> tuple[int, int] | None:
        if entry.vehicle is None:
            if entry.seat is not None:
                self.faults.append(f"{place}.seat: seat without vehicle")
            return None
        numbers = setting.vehicle_numbers
        if entry.vehicle not in numbers:
            error = unknown("vehicle", entry.vehicle, numbers)
            self.faults.append(f"{place}.vehicle: seat without vehicle: {error}")
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
        for index, entry in enumerate(self.document.objects):
            place = f"objects[{index}]"
            if entry.item not in self.library.gear:
                error = unknown("gear", entry.item, self.library.gear)
                self.faults.append(f"{place}.item: {error}")
            stud = self._place(place, entry.x, entry.y)
            if stud is not None:
                lying.append((stud, entry.item))
        return tuple(sorted(lying))

    def _open_ids(self) -> frozenset[str]:
        known = {decor.id for decor in self.field.decor if decor.kind.opens}
        for index, name in enumerate(self.document.open):
            if name not in known:
                error = unknown("door or window", name, sorted(known))
                self.faults.append(f"open[{index}]: {error}")
        return frozenset(self.document.open) & known

    def _actions(self) -> dict[str, CustomAction]:
        known = self.library.actions
        for index, name in enumerate(self.document.actions):
            if name not in known:
                self.faults.append(f"actions[{index}]: {unknown('new action', name, known)}")
        return {name: known[name] for name in self.document.actions if name in known}

    def _options(self) -> Options:
        given = self.document.options
        return Options(given.symmetric_treatment, given.dispute, Scheme(given.sectors))

    def _check_places(self, state: State) -> None:
        """Note who is put where he cannot be: in a wall, under a vehicle, over its border."""
        nobody = tuple(Figure(unit.sheet, None) for unit in state.setting.units)
        empty = state.changed(figures=nobody)
        for index, figure in enumerate(state.figures):
            if figure.stud is not None:
                faults = standing_problems(empty, figure.stud)
                self.faults += [f"units[{index}]: {fault}" for fault in faults]
        for index, vehicle in enumerate(state.setting.vehicles):
            if met := overlapping(state, index):
                name = vehicle.name
                self.faults.append(f"vehicles[{index}]: {name} overlaps {', '.join(met)}")
