"""Setting: what never changes during a battle: field, players, units, vehicles, gear, aims, options."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as entry
from enum import Enum
from functools import cached_property

from brickphys.bow.field import Field, Studs
from brickphys.bow.sheets.gear import Item
from brickphys.bow.sheets.library import CustomAction, minifig_cost, vehicle_cost
from brickphys.bow.sheets.sheet import MinifigSheet, Seat, VehicleSheet
from brickphys.rules.aims import Aim
from brickphys.rules.record import GameSetting, numbered
from brickphys.vehicles.sectors import Scheme


class TurnRule(Enum):
    """What must be clear of decor and vehicles when a vehicle is turned (BOW 3.3)."""

    FREE = "free"
    """Where it stands then."""
    SWEPT = "swept"
    """The whole turn."""


class CrashRule(Enum):
    """What decides where everything lies after a hit or a crash (BOW 3.6)."""

    RULES = "rules"
    """The book: survivors are put beside the vehicle, vehicles stop where they touch."""
    PHYSICS = "physics"
    """Rigid bodies: a measured outcome. Bricks and sectors stay the book's."""


@dataclass(frozen=True)
class Options:
    """Choices between readings of the rules."""

    symmetric_treatment: bool = False
    """Treat and repair remove the difference of the rolls instead of 1 point (BOW 2.4.4)."""
    dispute: bool = False
    """The player of a covered target may dispute that it is visible, and a firer that one is hidden: 5 bricks each (BOW
    2.4.2)."""
    move_per_pilot: bool = False
    """Each pilot who takes the wheel makes a compulsory move, instead of one move a vehicle and round (BOW 3.3)."""
    sectors: Scheme = Scheme.QUADRANT
    """The limits of the sectors of a vehicle (BOW 3.6.3)."""
    turning: TurnRule = TurnRule.FREE
    """What must be clear when a vehicle is turned (BOW 3.3)."""
    crashes: CrashRule = CrashRule.RULES
    """What decides where everything lies after a hit or a crash (BOW 3.6)."""
    bricks_by_energy: bool = False
    """The bricks of a crash follow its energy as rigid bodies, at most the speed (BOW 3.6.2, 3.6.3; a house rule)."""


@dataclass(frozen=True)
class UnitSpec:
    """A unit: its name, its player, and its sheet at the start."""

    name: str
    """Its name."""
    player: int
    """Its player."""
    sheet: MinifigSheet
    """Its abilities and gear at the start; see `UnitState.sheet` for now."""


@dataclass(frozen=True)
class VehicleSpec:
    """A vehicle: its name, its player, and its sheet."""

    name: str
    """Its name."""
    player: int
    """Its player at the start."""
    sheet: VehicleSheet
    """Its abilities, its size and its seats."""


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a battle; states number units and vehicles in their order here."""

    field: Field
    """The battle field."""
    teams: tuple[int, ...]
    """The team of each player."""
    units: tuple[UnitSpec, ...]
    """The units, in the order in which states number them."""
    vehicles: tuple[VehicleSpec, ...] = ()
    """The vehicles, likewise."""
    gear: Mapping[str, Item] = entry(default_factory=dict)
    """All gear by name."""
    actions: Mapping[str, CustomAction] = entry(default_factory=dict)
    """Custom actions by name (BOW B)."""
    aims: tuple[Aim[Studs], ...] = ()
    """Ways to win besides being the last side."""
    options: Options = Options()
    """Choices of rules."""

    unit_numbers = numbered("units")
    vehicle_numbers = numbered("vehicles")

    @cached_property
    def owned(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each player's units."""
        return tuple(
            tuple(number for number, unit in enumerate(self.units) if unit.player == player)
            for player in range(len(self.players))
        )

    @cached_property
    def unit_teams(self) -> tuple[int, ...]:
        """The team of each unit."""
        return tuple(self.teams[unit.player] for unit in self.units)

    @cached_property
    def unit_costs(self) -> tuple[int, ...]:
        """The cost points of each unit, with the gear it has at the start (BOW A.4)."""
        return tuple(minifig_cost(unit.sheet) for unit in self.units)

    @cached_property
    def vehicle_costs(self) -> tuple[int, ...]:
        """The cost points of each vehicle (BOW A.4)."""
        return tuple(vehicle_cost(vehicle.sheet) for vehicle in self.vehicles)

    @cached_property
    def army_costs(self) -> tuple[int, ...]:
        """The cost points of each player's army (BOW 1.4.3)."""
        points = [0] * len(self.players)
        for unit, cost in zip(self.units, self.unit_costs, strict=True):
            points[unit.player] += cost
        for vehicle, cost in zip(self.vehicles, self.vehicle_costs, strict=True):
            points[vehicle.player] += cost
        return tuple(points)

    def seat(self, place: tuple[int, int]) -> Seat:
        """Return a seat, by the numbers of its vehicle and of the seat in it."""
        vehicle, seat = place
        return self.vehicles[vehicle].sheet.seats[seat]

    def team(self, unit: int) -> int:
        """Return the team of a unit."""
        return self.unit_teams[unit]
