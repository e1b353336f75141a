"""State: a battle at one moment; what a player sees lacks the orders that others write in secret.

Ships, minifigs and players have numbers: indices of the tuples of the state and of its setting. Of ship `n`:

- Turn: the player is ``state.player`` in ``state.phase``, the ship ``state.active`` (None between ships).
- Name: ``state.ship_name(n)``; its number by name is ``state.setting.ship_numbers[name]``.
- Side: ``state.ships[n].owner``; ``state.enemies(player)`` yields the ships afloat of other teams.
- Health: ``state.ships[n].hull`` and ``sails`` are open lines; ``state.sheet(n).chart`` has those of the
  undamaged ship. ``len(state.crews[n])`` is its crew.
- Place: ``state.ships[n].centre_studs`` and ``heading_deg``. ``math.dist`` of two middles is their distance.
- Weapons: ``state.ships[n].gun(sheet, k)`` is gun `k` where it stands now, ``state.ships[n].guns[k].loads`` its load;
  ``gun.cannon(ammunition)`` has its dice and range. ``state.setting.minifigs[m].weapon`` is a minifig's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple

from brickphys.geometry.obstacles import Prism
from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.setting import MinifigNumber, Setting, ShipNumber
from brickphys.pirate_wars.sheets import Ammunition, Damage, Gun, ShipPlace, ShipSheet
from brickphys.rules.turn_state import Count, PlayerNumber, Question, Replaceable, TurnState
from brickphys.rules.words import Argument, Codes
from brickphys.text import spoken

LOADED = 2
"""Loads of a gun that can fire: each minifig that reloads adds one (PW Reloading)."""
_DECIMALS = 12
"""Places are rounded to this many decimals; rounding errors never add up to the tolerance of an overlap."""


class Fate(Enum):
    """Whether a ship is still in the battle."""

    AFLOAT = "afloat"
    SUNK = "sunk"
    LEFT = "left_the_sea"
    FLED = "fled_out_of_range"
    STRUCK = "struck_its_colours"
    """No enemy was near enough to take it."""


@dataclass(frozen=True, slots=True)
class GunState:
    """A gun at one moment."""

    loads: Annotated[int, range(LOADED + 1)] = LOADED
    """2 if it is loaded, 1 if half."""
    is_hauled: bool = False
    """Whether it stands on the other side than at the start (PW Moving)."""
    is_lost: bool = False
    """Whether it is out of the battle."""


@dataclass(frozen=True)
class ShipState(Replaceable):
    """A ship at one moment."""

    x_studs: float
    """Where the middle of its length is, along x."""
    y_studs: float
    """The same along y."""
    heading_deg: float
    """Counter-clockwise from +x."""
    hull: Count
    """The open hull lines (HF): what is left of its health."""
    sails: Count
    """The open sail lines (SF)."""
    owner: PlayerNumber
    """The player whose crew sails it: another one's after it was taken."""
    guns: tuple[GunState, ...]
    """Its guns, in the order of its sheet."""
    fate: Fate = Fate.AFLOAT
    """Whether it is still in the battle."""
    is_adrift: bool = False
    """Whether it drifts in this turn (PW Movement)."""
    rudder_lost: bool = False
    """Whether it drifts for good (PW, Critical Hit Chart)."""
    mast_turns: Count = 0
    """Turns that it drifts for a lost mast."""
    fled_round: Count = 0
    """The turn of the book in which its crew began to flee; 0 if it does not."""
    is_abandoned: bool = False
    """Whether its crew has abandoned it, and nobody has taken it since (PW, Morale Chart)."""

    @classmethod
    def undamaged(cls, sheet: ShipSheet, owner: int, pose: Pose) -> "ShipState":
        """Return a ship as it is at the start, all guns loaded."""
        guns = (GunState(),) * len(sheet.guns)
        return cls(0.0, 0.0, 0.0, sheet.chart.hull, sheet.chart.sails, owner, guns).at(pose)

    @cached_property
    def pose(self) -> Pose:
        """Its place and heading."""
        return Pose(self.x_studs, self.y_studs, self.heading_deg)

    @property
    def centre_studs(self) -> Point:
        """The middle of its length."""
        return self.x_studs, self.y_studs

    @property
    def damage(self) -> Damage:
        """The open lines of its damage chart."""
        return Damage(self.hull, self.sails)

    @property
    def is_afloat(self) -> bool:
        """Whether it is still in the battle."""
        return self.fate is Fate.AFLOAT

    @property
    def is_fleeing(self) -> bool:
        """Whether its crew flees: it is sailed by its player, and its crew has no orders but sailing (PW Morale)."""
        return self.fled_round > 0

    def at(self, pose: Pose) -> "ShipState":
        """Return the ship at another place, rounded."""
        x, y, heading_deg = pose
        return self.replaced(
            {
                "x_studs": round(x, _DECIMALS) + 0.0,
                "y_studs": round(y, _DECIMALS) + 0.0,
                "heading_deg": round(heading_deg % 360.0, _DECIMALS) % 360.0,
            }
        )

    def gun(self, sheet: ShipSheet, number: int) -> Gun:
        """Return a gun, on the side where it stands now."""
        gun = sheet.guns[number]
        return gun.hauled if self.guns[number].is_hauled else gun


_HULL_PLATES = 9.0
"""Height of all hulls: the same, so that any two of them meet."""


@lru_cache(maxsize=4096)  # preparing a prism costs more than a sweep
def hull_prism(sheet: ShipSheet, pose: Pose) -> Prism:
    """Return the space that the hull of a ship fills at some place."""
    return Prism(pose.placed(sheet.hull), 0.0, _HULL_PLATES)


SAILING_PLACES = (ShipPlace.HELM, ShipPlace.DECK, ShipPlace.CASTLE)
"""Where sails are handled (PW Sailing)."""


Spot = tuple[ShipPlace, int | None]
"""A place on a ship, and the number of the gun if it is one."""


class Life(Enum):
    """What has become of a minifig."""

    ALIVE = "alive"
    DEAD = "dead"
    PRISONER = "prisoner"
    LEFT = "left"
    """It left the battle with its ship."""


@dataclass(frozen=True, slots=True)
class MinifigState:
    """A minifig at one moment."""

    ship: ShipNumber | None
    """The number of the ship where it is; None in the water, and after its end."""
    place: ShipPlace
    """Where it is on the ship, or in the water."""
    gun: Count | None = None
    """The number of the gun that it mans; None elsewhere."""
    at_studs: tuple[float, float] | None = None
    """Where it swims; None on a ship."""
    is_loaded: bool = True
    """Whether its musket or pistol is loaded."""
    life: Life = Life.ALIVE
    """Whether it takes part."""

    @property
    def spot(self) -> Spot:
        """Its place with the number of the gun."""
        return self.place, self.gun

    @property
    def is_alive(self) -> bool:
        """Whether it takes part."""
        return self.life is Life.ALIVE

    @property
    def swims(self) -> bool:
        """Whether it is in the water."""
        return self.is_alive and self.place is ShipPlace.WATER


GUN = Argument(
    "gun such as gun0",
    r"gun\d{1,2}",
    lambda text: int(text.removeprefix("gun")),
    lambda number: f"gun{number}",
    codes=Codes.of(range(100)),
)


@dataclass(frozen=True, slots=True)
class Order:
    """An order; ships, minifigs and guns are numbers. None stands for what it does not say.

    Who has no order does the usual task of the place: at a gun that is not loaded reloading it; on deck, in a castle
    and at the helm reloading an empty weapon, else sailing (PW Tasks).
    """

    task: str
    """The word of its type: one of `tasks.ORDERS`."""
    ship: ShipNumber
    """The ship on which it is done; for a swimmer, the ship to which it swims."""
    minifig: MinifigNumber | None = None
    """The minifig that does it; None if a gun's crew or the whole crew does it."""
    gun: Count | None = None
    """The gun that fires or is hauled, or to which the minifig goes."""
    ammunition: Ammunition | None = None
    """What the gun fires."""
    target: ShipNumber | None = None
    """The ship that is attacked."""
    place: ShipPlace | None = None
    """Where the minifig goes."""

    @property
    def given(self) -> dict[str, Any]:
        """What it says besides its task, by field."""
        names = [field.name for field in fields(self) if field.name != "task"]
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def rounded(at_studs: Point) -> Point:
    """Return a place in the water as states hold it."""
    return round(at_studs[0], 9) + 0.0, round(at_studs[1], 9) + 0.0


class Phase(Enum):
    """The part of a turn (PW Turn Sequence)."""

    INITIATIVE = "initiative"
    MOVEMENT = "movement"
    FALLING_OFF = "falling_off"
    """After all ships have moved (PW Movement)."""
    TASKS = "tasks"
    MORALE = "morale"
    SHARKS = "sharks"
    """The end of the phase of morale (PW Morale)."""


class MoraleCause(Enum):
    """Why a crew tests its morale (PW, Morale Chart)."""

    ADRIFT = "adrift"
    BOARDING = "boarding"
    CAPTAIN = "captain"
    HALF_CREW = "half_crew"


@dataclass(frozen=True, slots=True)
class Boarding:
    """A boarding that goes on from turn to turn, between two ships that are lashed together (PW Boarding)."""

    attacker: ShipNumber
    """The ship that boards."""
    defender: ShipNumber
    """The ship that is boarded."""

    @property
    def ships(self) -> tuple[int, int]:
        """The two."""
        return self.attacker, self.defender


class Strike(NamedTuple):
    """What the bore of a gun points at."""

    ship: int  # the number of the first ship on the line along the bore, at the waterline
    distance_studs: float  # how far its hull is from the muzzle


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A battle at one moment."""

    kept: ClassVar = {
        "afloat": frozenset({"ships"}),
        "aims": frozenset({"ships"}),
        "crews": frozenset({"ships", "minifigs"}),
        "working": frozenset({"ships", "minifigs", "orders", "busy"}),
        "employed": frozenset({"ships", "minifigs", "orders", "busy"}),
    }

    setting: Setting
    """What never changes."""
    ships: Annotated[tuple[ShipState, ...], "ships"]
    """All ships, in the order of the setting."""
    minifigs: Annotated[tuple[MinifigState, ...], "minifigs"]
    """All minifigs, in the order of the setting."""
    round: Count = 0
    """How many turns of the book have begun; 0 before the first."""
    phase: Phase = Phase.INITIATIVE
    """The part of the turn."""
    order: tuple[PlayerNumber, ...] = ()
    """The players in the order of their initiative, the lowest first."""
    turn: Count = 0
    """How many players are done in this phase."""
    active: ShipNumber | None = None
    """The ship that moves now; None between ships."""
    done: frozenset[ShipNumber] = frozenset()
    """The ships that have moved, or fallen off, in this phase."""
    move_studs: float = 0.0
    """How far the active ship moves in this turn."""
    left_studs: float = 0.0
    """How much of that is left."""
    may_turn_deg: float = 0.0
    """How far it may turn now, either way; 0 while it leaps."""
    orders: tuple[Order, ...] = ()
    """The orders that are written and not yet carried out, in this order."""
    lashed: tuple[tuple[ShipNumber, ShipNumber], ...] = ()
    """Pairs of ships that are lashed together, the lower number first."""
    boardings: tuple[Boarding, ...] = ()
    """The boardings that go on."""
    causes: tuple[tuple[ShipNumber, MoraleCause], ...] = ()
    """The ships whose crews test their morale in this turn, each with the cause."""
    holding: Annotated[tuple[Count, ...], "aims"] = ()
    """For how many turns in a row each aim has been held."""
    busy: frozenset[MinifigNumber] = frozenset()
    """The minifigs that have done a task in this turn."""
    winners: tuple[Count, ...] | None = None
    """The teams that have won, none in a draw; None while the battle goes on."""

    def __hash__(self) -> int:
        """Return the hash of what mostly differs: the many minifigs are left out."""
        own = (self.round, self.phase, self.turn, self.active, self.orders, self.pending)
        return hash((self.setting, self.ships, *own))

    @property
    def player(self) -> int:
        """The player whose turn it is in this phase."""
        return self.order[self.turn]

    def sheet(self, ship: int) -> ShipSheet:
        """Return the sheet of a ship."""
        return self.setting.ships[ship].sheet

    def ship_name(self, ship: int) -> str:
        """Return the name of a ship as it is written."""
        return self.setting.ships[ship].name

    def called(self, ship: int) -> str:
        """Return the name of a ship as it is read."""
        return spoken(self.setting.ships[ship].name)

    def minifig_name(self, minifig: int) -> str:
        """Return the name of a minifig as it is written."""
        return self.setting.minifigs[minifig].name

    def team(self, ship: int) -> int:
        """Return the team that sails a ship now."""
        return self.setting.teams[self.ships[ship].owner]

    def writer(self, order: Order) -> int:
        """Return the player who has written an order; that of a swimmer names the ship to which it swims."""
        if order.minifig is not None and self.minifigs[order.minifig].swims:
            return self.commander(order.minifig)
        return self.ships[order.ship].owner

    def commander(self, minifig: int) -> int:
        """Return the player who gives a minifig its orders: in the crew of a ship its owner, else its own (ours)."""
        ship = self.minifigs[minifig].ship
        if ship is not None and minifig in self.crews[ship]:
            return self.ships[ship].owner
        return self.setting.minifigs[minifig].player

    @cached_property
    def afloat(self) -> Sequence[tuple[int, ShipState]]:
        """The numbers and states of the ships that are still in the battle."""
        return [(number, ship) for number, ship in enumerate(self.ships) if ship.is_afloat]

    @cached_property
    def aims(self) -> dict[tuple[int, int], Strike | None]:
        """What the guns of ships are known to point at within range: while orders are written, nothing changes it."""
        return {}

    @cached_property
    def crews(self) -> tuple[tuple[int, ...], ...]:
        """For each ship the numbers of its own living minifigs aboard it: those of the team that owns it."""
        found: list[list[int]] = [[] for _ in self.ships]
        owners = [self.setting.teams[ship.owner] for ship in self.ships]
        pairs = zip(self.setting.minifig_teams, self.minifigs, strict=True)
        for number, (team, minifig) in enumerate(pairs):
            ship = minifig.ship  # None for the dead
            if ship is not None and team == owners[ship]:
                found[ship].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def working(self) -> frozenset[int]:
        """The numbers of the minifigs whose task of this turn, ordered or done, is another one than to board."""
        found = set(self.busy)
        for order in self.orders:
            if order.minifig is not None:
                found.add(order.minifig)
            elif order.gun is not None:
                found.update(self.gunners(order.ship, order.gun))
        return frozenset(found)

    @cached_property
    def employed(self) -> frozenset[int]:
        """The numbers of the minifigs that have an order, or have done a task in this turn (PW Tasks)."""
        whole = (one.ship for one in self.orders if one.minifig is None and one.gun is None)
        return self.working.union(*(self.crews[ship] for ship in whole))

    def is_lashed(self, ship: int) -> bool:
        """Whether a ship is lashed to another one: then its crew can only board, or scuttle it (PW Boarding)."""
        return any(ship in pair for pair in self.lashed)

    def boarders(self, ship: int) -> Iterator[int]:
        """Yield the numbers of the living minifigs of other teams aboard a ship."""
        for number, minifig in enumerate(self.minifigs):
            if minifig.is_alive and minifig.ship == ship and number not in self.crews[ship]:
                yield number

    def swimmers(self) -> Iterator[int]:
        """Yield the numbers of the minifigs in the water."""
        return (number for number, minifig in enumerate(self.minifigs) if minifig.swims)

    def gunners(self, ship: int, gun: int) -> list[int]:
        """Return the numbers of the crew at a gun."""
        return [number for number in self.crews[ship] if self.minifigs[number].gun == gun]

    def enemies(self, player: int) -> Iterator[tuple[int, ShipState]]:
        """Yield the ships afloat that other teams sail."""
        team = self.setting.teams[player]
        return ((number, ship) for number, ship in self.afloat if self.team(number) != team)

    def prism(self, ship: int) -> Prism:
        """Return the space that the hull of a ship fills."""
        return hull_prism(self.sheet(ship), self.ships[ship].pose)

    def with_ship(self, number: int, ship: ShipState) -> "State":
        """Return the state with another state of a ship."""
        return self.with_entry("ships", number, ship)

    def change_ship(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a ship changed."""
        return self.with_entry("ships", number, self.ships[number].replaced(changes))

    def change_gun(self, number: int, gun: int, **changes: Any) -> "State":
        """Return the state with some attributes of a gun of a ship changed."""
        guns = self.ships[number].guns
        changed = (*guns[:gun], replace(guns[gun], **changes), *guns[gun + 1 :])
        return self.change_ship(number, guns=changed)

    def change_minifig(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a minifig changed."""
        return self.with_entry("minifigs", number, replace(self.minifigs[number], **changes))

    def with_cause(self, ship: int, cause: MoraleCause) -> "State":
        """Return the state in which the crew of a ship has a cause, once, to test its morale in this turn."""
        if (ship, cause) in self.causes:
            return self
        return self.replaced({"causes": (*self.causes, (ship, cause))})

    def lash(self, one: int, other: int) -> "State":
        """Return the state with two ships lashed together."""
        pair = (min(one, other), max(one, other))
        return self if pair in self.lashed else self.replaced({"lashed": (*self.lashed, pair)})

    def cast_off(self, ship: int) -> "State":
        """Return the state with a ship neither lashed to another one nor in a boarding (PW Boarding)."""
        boardings = (one for one in self.boardings if ship not in one.ships)
        lashed = (pair for pair in self.lashed if ship not in pair)
        return self.replaced({"boardings": tuple(boardings), "lashed": tuple(lashed)})

    def lost(self, number: int, life: Life = Life.DEAD) -> "State":
        """Return the state without a minifig."""
        return self.change_minifig(
            number, ship=None, place=ShipPlace.DECK, gun=None, at_studs=None, life=life
        )


class OwnerQuestion(Question[State]):
    """A question to the owner of one of its ships; `asks` has the fields of its ships in braces."""

    __slots__ = ()

    owner_of: ClassVar[str] = "ship"  # the field of that ship

    def player(self, state: State) -> int:
        number: int = getattr(self, self.owner_of)
        return state.ships[number].owner

    def prompt(self, state: State) -> str:
        names = ((field.name, getattr(self, field.name)) for field in fields(self))
        return self.asks.format(**{name: state.called(ship) for name, ship in names})
