"""State: a battle at one moment, which is also what a player sees: BOW hides nothing.

Units, vehicles and players have numbers: indices of the tuples of the state and of its setting. Of unit `n`:

- Turn: the player is ``state.player``, the unit ``state.active`` (-1 while it is being chosen), with
  ``state.actions_left`` actions.
- Name: ``state.setting.units[n].name``; its number by name is ``state.setting.unit_numbers[name]``.
- Side: ``state.setting.units[n].player``; ``state.are_enemies(m, n)`` compares the teams of two units.
- Health: ``state.units[n].sheet.health - state.units[n].damage`` is left. ``state.in_play()`` yields who takes part.
- Place: ``state.setting.field.xy(state.units[n].stud)`` is column and row; ``state.stance(n)`` also tells the height,
  and where riders are.
- Distance: ``math.dist`` of two places. ``brickphys.bow.actions.targets`` has ``target_distance_studs(state, name)``,
  from head to head as the rules measure it, and ``resistance(state, name)``, the bricks against attacks.
- Weapons: ``sheet.armaments`` are the ways to attack, ``sheet.bricks(armament)`` their bricks, ``sheet.gear`` all
  objects.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar

from brickphys.bow.field import Stance, Stud
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.sheet import MinifigSheet, Seat
from brickphys.bow.sight import Visibility
from brickphys.bow.terrain import Board, terrain
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import heading_deg
from brickphys.odds.roll import MAX_BRICKS
from brickphys.rules.turn_state import Count, TurnState
from brickphys.vehicles.scene import Vehicle

MOST_GUARD_BRICKS = 50
"""With all other bricks that resist they are no more than a brick roll may have (ours)."""


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit at one moment; without stud and seat it is out of the battle, with both it walks beside a vehicle."""

    sheet: MinifigSheet = field(hash=False)
    """Its abilities, and its gear as it is now."""
    stud: Count | None
    """The stud on which it stands; None on or in a vehicle, or out of the battle."""
    facing: Annotated[int, range(8)] = 0
    """0 to 7, 45 degrees each, counter-clockwise from +x (east)."""
    damage: Count = 0
    """Damage points (BOW 2.4.3)."""
    marked: bool = False
    """Whether a marking brick is beside it (BOW 2.2)."""
    seat: tuple[Count, Count] | None = None
    """The numbers of its vehicle and seat (BOW 3.1)."""
    guard: Annotated[int, range(MOST_GUARD_BRICKS + 1)] = 0
    """Bricks that custom actions add to its Dodge/Armor until its next turn, at most `MOST_GUARD_BRICKS` (BOW B.2)."""
    held_up: Count = 0
    """Actions that custom actions take from its next turn (BOW B.3)."""

    @property
    def plays(self) -> bool:
        """Whether it takes part."""
        return self.stud is not None or self.seat is not None

    @property
    def on_foot(self) -> bool:
        """Whether it stands on a stud and belongs to no vehicle."""
        return self.stud is not None and self.seat is None

    @property
    def rides(self) -> bool:
        """Whether it sits on or in a vehicle: it does not walk beside one (BOW 3.1)."""
        return self.stud is None and self.seat is not None

    @property
    def is_dead(self) -> bool:
        """Whether its damage has reached its health (BOW 2.4.3)."""
        return self.damage >= self.sheet.health


@dataclass(frozen=True, slots=True)
class VehicleState:
    """A vehicle at one moment."""

    x_studs: float
    """Its centre, x."""
    y_studs: float
    """Its centre, y."""
    heading_deg: float
    """Its heading, counter-clockwise from +x."""
    speed: Count = 0
    """Its current speed (BOW 3.2)."""
    damage: Count = 0
    """Damage points."""
    moved: bool = False
    """Whether its compulsory move is done (BOW 3.3)."""
    gone: bool = False
    """Whether it was destroyed or has left the field."""
    driver: Count = 0
    """The player who drove it last: the one whose unit was last in the pilot's seat, at first its own (BOW 3.3)."""
    base_plates: float = 0.0
    """The height of what it stands on; in the air, of what it took off from (BOW 3.2)."""

    @property
    def centre_studs(self) -> Point:
        """Its centre, on the field."""
        return self.x_studs, self.y_studs


NOBODY = -1
"""The number of no unit, or of no team."""
Index = Annotated[int, range(NOBODY, 1_000_001)]
"""The number of a unit or a team, or `NOBODY`."""
UnitNumber = Annotated[int, "units"]
"""The index of a unit; the notation of states refuses one that the setting does not have."""
BrickCount = Annotated[int, range(MAX_BRICKS + 1)]
"""How many bricks are rolled."""


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A battle at one moment; its notation has the fields in this order."""

    kept: ClassVar = {
        "board": frozenset({"units", "vehicles", "open_ids"}),
        "visible": frozenset({"units", "vehicles", "open_ids", "active"}),
        "attack_plans": frozenset({"units", "vehicles", "open_ids", "active"}),
        "falling": frozenset({"vehicles", "open_ids"}),
        "me": frozenset({"units", "active"}),
        "piloted": frozenset({"units", "active"}),
        "to_play": frozenset({"units", "round"}),
        "last_team": frozenset({"units"}),
        "_in_play": frozenset({"units"}),
    }

    setting: Setting
    """What never changes."""
    round: Count = 0
    """1, 2, ...; 0 while the players roll for the start."""
    player: Count = 0
    """The player whose turn it is."""
    active: Index = NOBODY
    """The unit whose turn it is; `NOBODY` while it is being chosen."""
    actions_left: Count = 0
    """What is left of its Action Budget."""
    shots: tuple[tuple[Count, Count], ...] = ()
    """The vehicle and seat of each shot in this turn with a weapon that has a firing rate, in order; with a weapon that
    another minifig reloads, of each shot since then (BOW 3.1)."""
    driven: tuple[Count, ...] = ()
    """The vehicles that have made a compulsory move in this turn, in order (BOW 3.3)."""
    menu: str = ""
    """The type of action that was chosen, while its arguments are open; else empty."""
    finished: tuple[Count, ...] = ()
    """Players with no unit left to play in this round, in the order in which they ran out (BOW 2.2)."""
    holding: tuple[Count, ...] = ()
    """Rounds for which each aim of the setting has been held."""
    destroyed: tuple[Count, ...] = ()
    """The cost points that each player has destroyed of other teams (BOW A.4)."""
    result: Index | None = None
    """The team that has won; `NOBODY` for a draw; None while the battle lasts."""
    units: tuple[UnitState, ...]
    """The states of the units, in the order of the setting."""
    vehicles: tuple[VehicleState, ...] = ()
    """The states of the vehicles, in the order of the setting."""
    objects: tuple[tuple[Count, str], ...] = ()
    """(stud, name of gear) of all free objects on the ground, in order."""
    open_ids: frozenset[str] = frozenset()
    """Doors and windows that are open."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once, since searches need it often."""
        return hash(
            (
                self.units,
                self.vehicles,
                self.objects,
                self.open_ids,
                (self.round, self.player, self.active, self.actions_left, self.shots, self.menu),
                (
                    self.driven,
                    self.finished,
                    self.pending,
                    self.holding,
                    self.destroyed,
                    self.result,
                ),
            )
        )

    @property
    def unloaded(self) -> tuple[tuple[int, int], ...]:
        """Those of `shots` that last beyond a turn: their weapons must be reloaded (BOW 3.1)."""
        if not self.shots:
            return ()
        vehicles = self.setting.vehicles
        weapons = [(shot, vehicles[shot[0]].sheet.seats[shot[1]].weapon) for shot in self.shots]
        return tuple(shot for shot, weapon in weapons if weapon is not None and weapon.reload)

    @cached_property
    def board(self) -> Board:
        """What is where on the field, as walks, sight and weapons need it."""
        units = 0
        for unit_state in self.units:
            if unit_state.stud is not None:
                units |= 1 << unit_state.stud
        vehicles = tuple(self.vehicle_body(number) for number in self.vehicles_left)
        return Board(terrain(self.setting.field, self.open_ids), units, vehicles)

    @cached_property
    def visible(self) -> dict[str, Visibility]:
        """How much the active unit sees of targets, by name, as far as it was worked out."""
        return {}

    @cached_property
    def attack_plans(self) -> dict[tuple[str, str], Any]:
        """The attacks of the active unit by target and weapon, as far as they were worked out (`AttackPlan`)."""
        return {}

    @cached_property
    def falling(self) -> list[tuple[int, float] | None]:
        """The vehicle that stands on nothing, if any, and how high it comes to stand; empty if not worked out."""
        return []

    @cached_property
    def me(self) -> UnitState:
        """The unit whose turn it is."""
        return self.units[self.active]

    @property
    def my_name(self) -> str:
        """The name of the unit whose turn it is."""
        return self.setting.units[self.active].name

    def named(self, name: str) -> UnitState | VehicleState:
        """Return a unit or vehicle by its name."""
        vehicle = self.setting.vehicle_numbers.get(name)
        return (
            self.units[self.setting.unit_numbers[name]]
            if vehicle is None
            else self.vehicles[vehicle]
        )

    @property
    def adds_marks(self) -> bool:
        """Whether a played unit gets a mark, as in odd rounds; in even ones it loses its mark (BOW 2.2)."""
        return self.round % 2 == 1

    def is_unplayed(self, unit: int) -> bool:
        """Tell whether a unit can still be played in this round (BOW 2.2)."""
        unit_state = self.units[unit]
        return unit_state.plays and unit_state.marked != self.adds_marks

    def unplayed(self, player: int) -> Iterator[int]:
        """Yield the units that a player can still play in this round (BOW 2.2)."""
        return (unit for unit in self.setting.owned[player] if self.is_unplayed(unit))

    @cached_property
    def to_play(self) -> frozenset[int]:
        """The players who can still play a unit in this round (BOW 2.2)."""
        units, played = self.setting.units, self.adds_marks
        return frozenset(
            [units[unit].player for unit, now in self._in_play if now.marked != played]
        )

    def in_play(self) -> tuple[tuple[int, UnitState], ...]:
        """Return the units that take part, with their numbers."""
        return self._in_play

    @cached_property
    def _in_play(self) -> tuple[tuple[int, UnitState], ...]:
        return tuple([pair for pair in enumerate(self.units) if pair[1].plays])

    @cached_property
    def last_team(self) -> int | None:
        """The only team that has units in play; `NOBODY` if there is none, None if there are several."""
        teams = {self.setting.unit_teams[unit] for unit, _ in self._in_play}
        if len(teams) > 1:
            return None
        return teams.pop() if teams else NOBODY

    def are_enemies(self, one: int, other: int) -> bool:
        """Tell whether two units are of different teams."""
        return self.setting.team(one) != self.setting.team(other)

    def stance(self, unit: int) -> Stance:
        """Return the place of a unit; one that rides is at the middle of its vehicle."""
        unit_state = self.units[unit]
        if unit_state.stud is not None:
            return self.setting.field.stances[unit_state.stud]
        vehicle = self.vehicle_body(self.seat_of(unit)[0])
        return Stance(vehicle.x_studs, vehicle.y_studs, vehicle.bottom_plates)

    def seat_of(self, unit: int) -> tuple[int, Seat]:
        """Return the number of the vehicle, and the seat, in which a unit sits."""
        seat = self.units[unit].seat
        assert seat is not None
        return seat[0], self.setting.seat(seat)

    def occupants(self, vehicle: int) -> list[int]:
        """Return the units of a vehicle, in the order of seats; some may walk beside it."""
        return list(self._crews.get(vehicle, ()))

    @cached_property
    def _crews(self) -> dict[int, list[int]]:
        seated = sorted(
            (now.seat, unit) for unit, now in enumerate(self.units) if now.seat is not None
        )
        crews = dict[int, list[int]]()
        for (vehicle, _), unit in seated:
            crews.setdefault(vehicle, []).append(unit)
        return crews

    def pilot(self, vehicle: int) -> int:
        """Return the unit in the pilot's seat, or `NOBODY` (BOW 3.1)."""
        pilots = (unit for unit in self.occupants(vehicle) if self.seat_of(unit)[1].pilot)
        return next(pilots, NOBODY)

    @cached_property
    def piloted(self) -> int | None:
        """The number of the vehicle that the active unit pilots, if any."""
        if self.active == NOBODY or self.me.seat is None:
            return None
        vehicle, seat = self.seat_of(self.active)
        return vehicle if seat.pilot else None

    @property
    def vehicles_left(self) -> list[int]:
        """The numbers of the vehicles on the field."""
        return [
            number for number, vehicle_state in enumerate(self.vehicles) if not vehicle_state.gone
        ]

    def flies(self, vehicle: int) -> bool:
        """Tell whether a vehicle is in the air."""
        return self.setting.vehicles[vehicle].sheet.flying and self.vehicles[vehicle].speed > 0

    def vehicle_body(self, number: int) -> Vehicle:
        """Return a vehicle as geometry."""
        return _vehicle_body(self.setting, number, self.vehicles[number])

    def heading_deg(self, unit: int) -> float:
        """Return the heading of a unit; an occupant has that of its vehicle (ours)."""
        unit_state = self.units[unit]
        if unit_state.seat is not None:
            return self.vehicles[unit_state.seat[0]].heading_deg
        return heading_deg(unit_state.facing)

    def with_unit(self, unit: int, unit_state: UnitState) -> "State":
        """Return the state with one unit changed."""
        return self.with_entry("units", unit, unit_state)

    def with_vehicle(self, vehicle: int, vehicle_state: VehicleState) -> "State":
        """Return the state with one vehicle changed."""
        return self.with_entry("vehicles", vehicle, vehicle_state)

    def with_objects(self, *dropped: tuple[Stud, str]) -> "State":
        """Return the state with more free objects."""
        return self.replaced({"objects": tuple(sorted((*self.objects, *dropped)))})


@lru_cache(maxsize=4096)
def _vehicle_body(setting: Setting, number: int, vehicle_state: VehicleState) -> Vehicle:
    """Return a vehicle on what it stands on; a flyer that moves is as high over that as its sheet says."""
    spec = setting.vehicles[number]
    size, base = spec.sheet.footprint, vehicle_state.base_plates
    if not (spec.sheet.flying and vehicle_state.speed):
        base -= size.bottom_plates
    return Vehicle(
        spec.name,
        vehicle_state.x_studs,
        vehicle_state.y_studs,
        vehicle_state.heading_deg,
        size.length_studs,
        size.width_studs,
        base + size.bottom_plates,
        base + size.top_plates,
        vehicle_state.speed,
    )
