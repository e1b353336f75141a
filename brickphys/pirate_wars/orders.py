"""Orders: the base class of all orders, why an order is illegal, and distances between ships (PW Tasks, PW Firing)."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import lru_cache, partial
from math import dist
from typing import Any, ClassVar, Self

from brickphys.geometry.clearance import nearest_points
from brickphys.geometry.obstacles import Prism
from brickphys.geometry.polygon import TOLERANCE, Point, entry_studs, unit_vector
from brickphys.geometry.sweep import overlap
from brickphys.pirate_wars.sheets import ShipPlace
from brickphys.pirate_wars.state import GUN, Life, Order, State, Strike
from brickphys.rules.moves import Among, Move
from brickphys.text import spoken


def bore(state: State, ship: int, gun: int) -> tuple[Point, Point]:
    """Return the muzzle of a gun, and the unit vector of its bore."""
    placed = state.ships[ship].gun(state.sheet(ship), gun)
    pose = state.ships[ship].pose
    muzzle = pose.on_field((placed.ahead_studs, placed.left_studs))
    return muzzle, unit_vector(pose.heading_deg + placed.bearing_deg)


def strike(state: State, ship: int, gun: int, within_studs: float) -> Strike | None:
    """Return the first hull that the shot of a gun meets; None if there is none so near."""
    muzzle, (ux, uy) = bore(state, ship, gun)
    found: Strike | None = None
    for number, other in state.afloat:
        radius = state.sheet(number).radius_studs
        dx, dy = other.x_studs - muzzle[0], other.y_studs - muzzle[1]
        if number == ship or abs(ux * dy - uy * dx) > radius or ux * dx + uy * dy < -radius:
            continue
        distance = entry_studs(muzzle, (ux, uy), state.prism(number).footprint)
        if distance <= (found.distance_studs if found else within_studs + TOLERANCE):
            found = Strike(number, distance)
    return found


def rakes(state: State, ship: int, target: int) -> bool:
    """Whether some gun of a ship is dead ahead or astern of the target, so that its shot does double damage.

    Its muzzle is off the keel line by half the width at most (ours), and beyond the bow or the rudder.
    """
    sheet, keel = state.sheet(target), state.ships[target].pose
    for number, gun in enumerate(state.ships[ship].guns):
        ahead, left = keel.in_frame(bore(state, ship, number)[0])
        is_in_line = 2 * abs(left) <= sheet.width_studs + TOLERANCE
        if is_in_line and 2 * abs(ahead) > sheet.length_studs and not gun.is_lost:
            return True
    return False


def gap_studs(state: State, one: int, other: int) -> float:
    """Return the distance of two hulls; 0 if they touch or overlap by less than a rounding."""
    return _gap_studs(state.prism(one), state.prism(other))


def is_within(state: State, one: int, other: int, studs: float) -> bool:
    """Whether two hulls are at most so far from each other; most pairs are so far apart that no hull is looked at."""
    centres = (state.ships[number].centre_studs for number in (one, other))
    radii = sum(state.sheet(number).radius_studs for number in (one, other))
    return dist(*centres) - radii <= studs and gap_studs(state, one, other) <= studs


@lru_cache(maxsize=4096)
def _gap_studs(one: Prism, other: Prism) -> float:
    if overlap(one, other):
        return 0.0
    return dist(*nearest_points(one.footprint, other.footprint))


_TOUCH_STUDS = 1e-6
"""Largest distance between ships that touch: places are rounded."""


def in_contact(state: State, one: int, other: int) -> bool:
    """Whether two ships touch each other (PW Boarding)."""
    return is_within(state, one, other, _TOUCH_STUDS)


def touched(state: State, ship: int) -> list[int]:
    """Return the enemies with whom a ship may be in a fight now: lashed to it, or touching it."""
    return [
        number
        for number, enemy in state.enemies(state.ships[ship].owner)
        if enemy.hull
        and state.ships[ship].hull
        and (
            (min(ship, number), max(ship, number)) in state.lashed
            or in_contact(state, ship, number)
        )
    ]


def commanded(state: State) -> Iterator[int]:
    """Yield the numbers of the ships to which the player can give any order, not only to board."""
    for number, ship in state.afloat:
        if ship.owner == state.player and takes_orders(state, number):
            yield number


def takes_orders(state: State, ship: int) -> bool:
    """Tell whether a ship can be given any order, not only to board."""
    now = state.ships[ship]
    return now.is_afloat and not now.is_fleeing and not state.is_lashed(ship)


def free(state: State, minifigs: Iterable[int]) -> list[int]:
    """Return those of some minifigs who have no order, and have done nothing in this turn."""
    return [number for number in minifigs if number not in state.employed]


def ship_problem(
    state: State,
    number: int,
    *_before: object,
    may_be_lashed: bool = False,
    may_be_an_ally: bool = False,
) -> str | None:
    """Return why the player cannot give orders to a ship; None if it is possible."""
    if problem := _out_problem(state, number):
        return problem
    ship, name = state.ships[number], state.ship_name(number)
    is_ally = may_be_an_ally and state.team(number) == state.setting.teams[state.player]
    if ship.owner != state.player and not is_ally:
        return f"{name} belongs to {state.setting.players[ship.owner]} (PW Tasks)"
    if ship.is_fleeing:
        return f"{name} flees: its crew can only sail (PW Morale)"
    if state.is_lashed(number) and not may_be_lashed:
        return f"{name} is lashed to another ship: its crew can only board (PW Boarding)"
    return None


def target_problem(state: State, number: int, *_before: object) -> str | None:
    """Return why a ship cannot be attacked; None if it can."""
    if problem := _out_problem(state, number):
        return problem
    is_friend = state.team(number) == state.setting.teams[state.player]
    return f"{state.ship_name(number)} is not an enemy (PW Tasks)" if is_friend else None


def _out_problem(state: State, number: int) -> str | None:
    ship, name = state.ships[number], state.ship_name(number)
    out = f"{name} is out of the battle: {spoken(ship.fate.value)} (PW Tasks)"
    return None if ship.is_afloat else out


def minifig_problem(state: State, number: int, *, swims: bool = False) -> str | None:
    """Return why the player cannot give an order to a minifig aboard a ship, or in the water; None if he can."""
    name, now = state.minifig_name(number), state.minifigs[number]
    player = state.commander(number)
    if player != state.player:
        return f"{name} belongs to {state.setting.players[player]} (PW Tasks)"
    if not now.is_alive:
        return f"{name} {_ENDS[now.life]} (PW Tasks)"
    if now.swims != swims:
        return f"{name} is {'in the water' if now.swims else 'not in the water'} (PW Moving)"
    if number in state.employed:
        return f"{name} already has an order: one task per turn (PW Tasks)"
    if now.ship is None:
        return None
    if number not in state.crews[now.ship]:
        ship = state.ship_name(now.ship)
        return f"{name} has boarded {ship}, and fights there (PW Boarding)"
    return ship_problem(state, now.ship)


_ENDS = {Life.DEAD: "is dead", Life.PRISONER: "is a prisoner", Life.LEFT: "has left the battle"}


def gun_problem(state: State, gun: int, number: int, *, hands: int = 1) -> str | None:
    """Return why a gun of a ship has not enough hands for an order; None if it has."""
    guns, ship = state.ships[number].guns, state.ship_name(number)
    if gun >= len(guns):
        return f"gun{gun}: the guns of {ship} are gun0 to gun{len(guns) - 1} (PW Firing)"
    if guns[gun].is_lost:
        return f"gun{gun} of {ship} is destroyed (PW Firing)"
    there = state.gunners(number, gun)
    if len(there) < hands:
        return f"gun{gun} of {ship} has {len(there)} at it, but needs {hands} (PW Tasks)"
    if len(free(state, there)) < hands:
        return f"the crew of gun{gun} of {ship} already has an order: one task per turn (PW Tasks)"
    return None


SHIP = Among(
    "ship", lambda state, *_: state.setting.ship_numbers, section="PW Tasks", refusal=ship_problem
)
"""An own ship that can be given any order."""
BOARDING_SHIP = replace(SHIP, refusal=partial(ship_problem, may_be_lashed=True))
"""An own ship, also one that is lashed to another one."""
FRIENDLY_SHIP = replace(
    SHIP, refusal=partial(ship_problem, may_be_lashed=True, may_be_an_ally=True)
)
"""A ship of the team."""
TARGET = replace(SHIP, refusal=target_problem)
"""A ship of an enemy."""
MINIFIG = replace(
    SHIP,
    noun="minifig",
    things=lambda state: state.setting.minifig_numbers,
    refusal=minifig_problem,
)
"""An own minifig aboard a ship, without an order."""
SWIMMER = replace(MINIFIG, refusal=partial(minifig_problem, swims=True))
"""An own minifig in the water."""
MANNED_GUN = Among("gun", None, GUN, refusal=gun_problem)
"""A gun of the ship before it, with a hand."""

MANS, IDLE = 0.01, 0.005
"""Worth to bots that search single orders of one that mans a gun or saves a swimmer, and loss of one that seems to
bring nothing: by hand, since it decides no game, but something must choose among orders that bring no dice."""
_SAMPLES = {
    "ship": "SHIP", "minifig": "NAME", "gun": "gun0", "ammunition": "ball", "target": "TARGET",
    "place": "deck",
}  # fmt: skip


class OrderMove(Move[State]):
    """Write an order; it is carried out once all orders of the player are written (PW Firing).

    The class of an order says all of it: its fields are some of those of `Order`, and `deed` carries it out. It is
    known once it is in `tasks.ORDER_TYPES`.
    """

    __slots__ = ()

    when = "write orders after all ships have moved"
    section = "PW Tasks"
    effect: ClassVar[str] = ""
    """What a rare order does, whose words alone do not say it."""
    gain: ClassVar[float] = -IDLE
    """What `worth` returns by default: bots write no order that brings nothing."""
    is_for_lashed: ClassVar[bool] = False
    """Whether the crew of a ship that is lashed to another one carries it out (PW Boarding)."""
    is_last: ClassVar[bool] = False
    """Whether it is carried out only at the end of the phase."""
    added: ClassVar[frozenset[str]] = frozenset()
    """What `order` says besides the fields."""

    @staticmethod
    def deed(state: State, *args: Any, **given: Any) -> State:
        """Return the state after the order is carried out, given what it says; what can no longer be done lapses."""
        raise NotImplementedError

    @classmethod
    def worth(cls, state: State, order: Order) -> float:
        """Return the worth of an order to bots, as a share of a battle, besides what its dice should bring."""
        return cls.gain

    @classmethod
    def sample(cls) -> str:
        """Return how such an order is written."""
        return " ".join((cls.word, *(_SAMPLES[field.name] for field in fields(cls))))

    @classmethod
    def of(cls, state: State, order: Order) -> Self:
        """Return the action that writes an order, with names in place of numbers."""
        given = {**order.given, "place": (order.place, order.gun)}
        values = {field.name: given[field.name] for field in fields(cls)}
        names = {"minifig": state.minifig_name, "ship": state.ship_name, "target": state.ship_name}
        return cls(**{key: names.get(key, lambda it: it)(it) for key, it in values.items()})

    def order(self, state: State) -> Order:
        """Return the order, with numbers in place of names."""
        given = dict(zip((field.name for field in fields(self)), self.things(state), strict=True))
        if "place" in given:
            given["place"], given["gun"] = given["place"]
        if "ship" not in given:
            given["ship"] = state.minifigs[given["minifig"]].ship
        return Order(self.word, **given)

    def result(self, state: State, *things: object) -> State:
        return state.replaced({"orders": (*state.orders, self.order(state))})

    @classmethod
    def fault(cls, state: State, order: Order) -> str | None:
        """Return why an order that was read from text is none of this type; None if it is one."""
        own = {field.name for field in fields(cls)} | cls.added
        at_gun = {"gun"} if order.place is ShipPlace.GUN else set()
        given = order.given.keys() - {"ship"}
        if given != own - {"ship"} | at_gun or order.place is ShipPlace.WATER:
            return f"{order.task} with {', '.join(sorted(given)) or 'nothing'}"
        if order.gun is not None and order.gun >= len(state.ships[order.ship].guns):
            return f"{order.task}: the ship has no gun {order.gun}"
        swims = order.minifig is not None and state.minifigs[order.minifig].swims
        if swims != (SWIMMER in cls._among):
            return f"{order.task}: minifig {order.minifig} is in the water, or is not"
        return None
