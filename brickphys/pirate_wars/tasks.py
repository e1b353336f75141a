"""Tasks: orders are carried out one by one; then minifigs reload, sail and set sails (PW Tasks).

Minifigs change their place, jump or swim, and two of them haul a gun across (PW Moving). With option `simultaneous`,
orders are hidden until all players have written theirs (PW Firing).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import dist
from typing import TYPE_CHECKING, Annotated, Self

from brickphys.geometry.clearance import nearest_point
from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars import boarding, damage, orders
from brickphys.pirate_wars.firing import Fire, Shoot, enemy_aim
from brickphys.pirate_wars.setting import ShipNumber
from brickphys.pirate_wars.sheets import Ammunition, ShipPlace, tasks_chart
from brickphys.pirate_wars.state import (
    GUN,
    LOADED,
    SAILING_PLACES,
    Order,
    Phase,
    Spot,
    State,
    rounded,
)
from brickphys.rules import words
from brickphys.rules.turn_state import FollowUp

if TYPE_CHECKING:
    import numpy as np

_NAMED = tuple(place for place in ShipPlace if place not in (ShipPlace.GUN, ShipPlace.WATER))


def _read_spot(text: str) -> Spot:
    names = {place.value: place for place in _NAMED}
    return (names[text], None) if text in names else (ShipPlace.GUN, GUN.read(text))


def spot_text(spot: Spot) -> str:
    """Return the word of a place."""
    place, gun = spot
    return place.value if gun is None else GUN.write(gun)


_SPOT = words.Argument(
    f"place ({', '.join(place.value for place in _NAMED)}, or a gun such as gun0)",
    "|".join((*(place.value for place in _NAMED), GUN.pattern)),
    _read_spot,
    spot_text,
    codes=words.Codes.of(
        [*((place, None) for place in _NAMED), *((ShipPlace.GUN, gun) for gun in range(100))]
    ),
)


@dataclass(frozen=True, slots=True)
class MoveMinifig(orders.OrderMove):
    """Move a minifig to a place on its ship (PW Moving)."""

    word = "move"
    does = "move a minifig"
    section = "PW Moving"
    minifig: Annotated[str, orders.MINIFIG]
    place: Annotated[Spot, _SPOT]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield moves of one minifig of each kind to guns, helms and sails that want hands; others are legal too."""
        specs = state.setting.minifigs
        for ship in orders.commanded(state):
            wanted = list(_wanted(state, ship))
            crew = orders.free(state, state.crews[ship] if wanted else ())
            hands = [n for n in crew if not _is_needed(state, ship, n)]
            for number in damage.one_of_each(state, hands):
                sheet, here = specs[number].sheet, state.minifigs[number].place
                for spot in wanted:
                    serves = sheet.sails if spot[1] is None else sheet.reloads_cannons
                    if serves and spot[0] is not here:
                        yield cls(specs[number].name, spot)

    def refusals(self, state: State, number: int, spot: Spot) -> Iterator[str]:
        (place, gun), now = spot, state.minifigs[number]
        assert now.ship is not None
        where, guns = state.setting.ships[now.ship], state.ships[now.ship].guns
        if gun is not None and (gun >= len(guns) or guns[gun].is_lost):
            yield f"{where.name} has no {spot_text(spot)}"
        elif now.spot == spot:
            yield f"{self.minifig} is already there"
        elif [*_spots(state, now.ship).values()].count(spot) >= (room := where.sheet.room(place)):
            yield f"no room at {spot_text(spot)} of {where.name}, which holds {room}"
        elif place is ShipPlace.HELM and not state.setting.minifigs[number].sheet.sails:
            yield f"{self.minifig} is a marine, and marines do not sail (PW Sailing)"

    @staticmethod
    def deed(
        state: State, ship: int, minifig: int, place: ShipPlace, gun: int | None = None
    ) -> State:
        """Move a minifig that is still aboard, if there is still room."""
        is_lost = gun is not None and state.ships[ship].guns[gun].is_lost
        if minifig not in state.crews[ship] or is_lost or not _has_room(state, ship, place, gun):
            return state
        return state.change_minifig(minifig, place=place, gun=gun)

    @classmethod
    def worth(cls, state: State, order: Order) -> float:
        """Return less of a place that is no gun, and a loss of a gun for who cannot reload it."""
        if order.place is not ShipPlace.GUN:
            return orders.MANS / 10
        serves = state.setting.minifigs[order.minifig or 0].sheet.reloads_cannons
        return orders.MANS if serves else -orders.IDLE


def _is_needed(state: State, ship: int, minifig: int) -> bool:
    """Whether a minifig steers, or mans a gun that points at an enemy."""
    now = state.minifigs[minifig]
    return now.spot == _HELM or (now.gun is not None and bool(enemy_aim(state, ship, now.gun)))


_HELM: Spot = (ShipPlace.HELM, None)


def _wanted(state: State, ship: int) -> Iterator[Spot]:
    """Yield the places of a ship that want hands."""
    taken, sheet = Counter(_spots(state, ship).values()), state.sheet(ship)
    for gun, gun_state in enumerate(state.ships[ship].guns):
        if not gun_state.is_lost and taken[ShipPlace.GUN, gun] < sheet.room(ShipPlace.GUN):
            yield ShipPlace.GUN, gun
    if not taken[_HELM]:
        yield _HELM
    roomy = (p for p in (ShipPlace.DECK, ShipPlace.CASTLE) if taken[p, None] < sheet.room(p))
    if sailors(state, ship) < state.ships[ship].sails and (place := next(roomy, None)):
        yield place, None


def sailors(state: State, ship: int) -> int:
    """Return how many of the crew are where sails are handled, or ordered there, and can sail (PW Sailing)."""
    spots, specs = _spots(state, ship), state.setting.minifigs
    return sum(place in SAILING_PLACES and specs[n].sheet.sails for n, (place, _) in spots.items())


def _spots(state: State, ship: int) -> dict[int, Spot]:
    """Return where each of the crew is once the orders so far are carried out."""
    moves = {order.minifig: (place, order.gun) for order in state.orders if (place := order.place)}
    return {n: moves.get(n) or state.minifigs[n].spot for n in state.crews[ship]}


def _has_room(state: State, ship: int, place: ShipPlace, gun: int | None = None) -> bool:
    taken = Counter(state.minifigs[number].spot for number in state.crews[ship])
    return taken[place, gun] < state.sheet(ship).room(place)


_HAULERS = 2
"""How many of its crew a gun needs to be hauled."""
_CREWED_GUN = replace(orders.MANNED_GUN, refusal=partial(orders.gun_problem, hands=_HAULERS))


@dataclass(frozen=True, slots=True)
class Haul(orders.OrderMove):
    """Two of its crew haul a gun to the other side of the ship (PW Moving)."""

    word = "haul"
    does = "haul a gun"
    section = "PW Moving"
    effect = "to the other side of the ship"
    gain = orders.MANS / 10
    ship: Annotated[str, orders.SHIP]
    gun: Annotated[int, _CREWED_GUN]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield guns that point at no enemy, but would after it; others are legal too."""
        for ship in orders.commanded(state):
            for gun, gun_state in enumerate(state.ships[ship].guns):
                crew = orders.free(state, state.gunners(ship, gun))
                if gun_state.is_lost or len(crew) < _HAULERS:
                    continue
                hauled = state.change_gun(ship, gun, is_hauled=not gun_state.is_hauled)
                if enemy_aim(hauled, ship, gun) and not enemy_aim(state, ship, gun):
                    one = cls(state.ship_name(ship), gun)
                    yield from words.without_problems(state, (one,))

    def refusals(self, state: State, ship: int, gun: int) -> Iterator[str]:
        if not state.sheet(ship).guns[gun].left_studs:
            yield f"gun{gun} of {self.ship} stands in the middle, and cannot change sides"

    @staticmethod
    def deed(state: State, ship: int, gun: int) -> State:
        """Haul a gun that still has two hands."""
        crew = [number for number in state.gunners(ship, gun) if number not in state.busy]
        now = state.ships[ship].guns[gun]
        if len(crew) < _HAULERS or now.is_lost:
            return state
        state = state.replaced({"busy": state.busy.union(crew)})
        return state.change_gun(ship, gun, is_hauled=not now.is_hauled)


@dataclass(frozen=True, slots=True)
class Swim(orders.OrderMove):
    """Swim to a ship of the team, and aboard if it is near enough at the start (PW Moving)."""

    word = "swim"
    does = "swim to a ship"
    section = "PW Morale Chart"
    is_for_lashed = True
    minifig: Annotated[str, orders.SWIMMER]
    ship: Annotated[str, orders.FRIENDLY_SHIP]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield one swimmer of each kind with the nearest ship of the team; others are legal too."""
        team, specs = state.setting.teams[state.player], state.setting.minifigs
        ships = [
            number
            for number, ship in state.afloat
            if state.team(number) == team
            and ship.hull
            and not (ship.is_fleeing or ship.is_abandoned)
        ]
        own = (n for n in state.swimmers() if ships and specs[n].player == state.player)
        for number in damage.one_of_each(state, orders.free(state, own)):
            nearest = min(ships, key=lambda ship: _shore(state, number, ship)[1])
            yield cls(specs[number].name, state.ship_name(nearest))

    def refusals(self, state: State, _swimmer: int, ship: int) -> Iterator[str]:
        """Return why nobody swims to the ship; any way is short enough to begin."""
        if state.ships[ship].is_abandoned:
            yield f"{self.ship} is abandoned, a prize for an enemy"

    @staticmethod
    def deed(state: State, ship: int, minifig: int) -> State:
        """Let a minifig swim; who comes aboard stands where there is room, or on deck."""
        now, reach = state.minifigs[minifig], tasks_chart().swim_studs
        (x, y), far = _shore(state, minifig, ship)
        if far <= reach + TOLERANCE:
            roomy = (p for p in _NAMED if p is not ShipPlace.HELM and _has_room(state, ship, p))
            place = next(roomy, ShipPlace.DECK)
            return state.change_minifig(minifig, ship=ship, place=place, at_studs=None)
        assert now.at_studs is not None
        (from_x, from_y), share = now.at_studs, reach / far
        at = from_x + share * (x - from_x), from_y + share * (y - from_y)
        return state.change_minifig(minifig, at_studs=rounded(at))

    @classmethod
    def worth(cls, state: State, order: Order) -> float:
        at, ship = state.minifigs[order.minifig or 0].at_studs, state.ships[order.ship]
        return orders.MANS - 1e-5 * dist(at or ship.centre_studs, ship.centre_studs)


@dataclass(frozen=True, slots=True)
class Jump(orders.OrderMove):
    """Set a minifig down in the water beside its ship (PW Tasks)."""

    word = "jump"
    does = "jump overboard"
    section = "PW Damage Chart"
    effect = "into the water beside the ship"
    minifig: Annotated[str, orders.MINIFIG]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield one minifig of each kind on ships that sink at the end of the phase; others are legal too."""
        specs = state.setting.minifigs
        for ship in orders.commanded(state):
            crew = () if state.ships[ship].hull else orders.free(state, state.crews[ship])
            jumps = (cls(specs[number].name) for number in damage.one_of_each(state, crew))
            yield from words.without_problems(state, jumps)

    def refusals(self, state: State, number: int) -> Iterator[str]:
        """Return why it stays: the captain of an imperial ship goes down with it."""
        ship = state.minifigs[number].ship
        assert ship is not None
        is_lost = number == damage.captain(state, ship) and not damage.is_pirate_captain(
            state, number
        )
        if is_lost and not state.ships[ship].hull:
            yield f"{self.minifig} goes down with the ship"

    @staticmethod
    def deed(state: State, ship: int, minifig: int) -> State:
        """Put a minifig that is still aboard into the water."""
        return damage.overboard(state, minifig) if minifig in state.crews[ship] else state

    @classmethod
    def worth(cls, state: State, order: Order) -> float:
        return -1.0 if state.ships[order.ship].hull else orders.MANS


def _shore(state: State, minifig: int, ship: int) -> tuple[tuple[float, float], float]:
    """Return the point of a ship's hull that is nearest to a swimmer, and how far it is."""
    at = state.minifigs[minifig].at_studs
    assert at is not None
    point = nearest_point(state.prism(ship).footprint, at)
    return point, dist(point, at)


def carry_out(state: State) -> State:
    """Return the state in which all orders that are written are being carried out, in the order of writing.

    What can no longer be done lapses. A ship is scuttled only at the end of the phase (PW Firing).
    """
    return state.push_pending(CarryOut())


def end_of_tasks(state: State) -> State:
    """Return the state in which the phase is being ended: boardings, scuttling, reloading and sailing.

    A ship that was rammed and is not boarded is lashed no longer; one without a crew is taken without dice (ours).
    Crews that were lashed to another ship do nothing else in this turn.
    """
    engaged = frozenset(ship for pair in state.lashed for ship in pair)
    pairs = [set(one.ships) for one in state.boardings]
    lashed = tuple(pair for pair in state.lashed if set(pair) in pairs)
    rounds = (
        boarding.BoardingRoll(one.attacker, one.defender)
        if damage.fighters(state, one.attacker) and damage.fighters(state, one.defender)
        else boarding.BoardingResult(one.attacker, one.defender, None)
        for one in state.boardings
    )
    return state.replaced({"lashed": lashed}).push_pending(*rounds, EndOfTasks(engaged))


@dataclass(frozen=True, slots=True)
class CarryOut(FollowUp[State]):
    """The next order is carried out."""

    def happen(self, state: State) -> State:
        """Carry out the first order that is not for the end of the phase, and go on with the next."""
        found = next((order for order in state.orders if not ORDERS[order.task].is_last), None)
        if found is None:
            return state
        kind = ORDERS[found.task]
        left = list(state.orders)
        left.remove(found)
        state = state.replaced({"orders": tuple(left)}).push_pending(self)
        if state.is_lashed(found.ship) and not kind.is_for_lashed:
            return state
        state = kind.deed(state, **found.given)
        busy = state.busy if found.minifig is None else state.busy | {found.minifig}
        return state.replaced({"busy": busy})


@dataclass(frozen=True, slots=True)
class EndOfTasks(FollowUp[State]):
    """Guns and weapons are reloaded, sails set or lost, and ships scuttled.

    The crews of the ships `engaged`, which were lashed to another one before the boardings of this turn, do none of the
    usual tasks, and they lose no sails (ours).
    """

    engaged: frozenset[ShipNumber]

    def happen(self, state: State) -> State:
        last = state.orders
        for ship, ship_state in state.afloat:
            if ship_state.hull and ship not in self.engaged:
                state = usual_tasks(state, ship)
        state = state.replaced({"orders": (), "busy": frozenset()})
        for order in last:
            state = ORDERS[order.task].deed(state, **order.given)
        return state


def usual_tasks(state: State, ship: int) -> State:
    """Return the state after those of a crew who had no order have reloaded, or else sailed (PW Reloading)."""
    hands, specs = sailing_hands(state, ship), state.setting.minifigs
    guns = enumerate(state.ships[ship].guns)
    to_load = {number for number, gun in guns if gun.loads < LOADED and not gun.is_lost}
    for number in orders.free(state, state.crews[ship]):
        sheet, now = specs[number].sheet, state.minifigs[number]
        if now.gun in to_load and sheet.reloads_cannons:
            loads = state.ships[ship].guns[now.gun].loads + 1
            state = state.change_gun(ship, now.gun, loads=min(loads, LOADED))
        elif not now.is_loaded:
            state = state.change_minifig(number, is_loaded=True)
    return _sail(state, ship, hands)


def sailing_hands(state: State, ship: int) -> int:
    """Return how many of a crew sail: who has no order, no weapon to reload, and is where sails are handled."""
    crew = (
        (state.setting.minifigs[n], state.minifigs[n])
        for n in orders.free(state, state.crews[ship])
    )
    return sum(
        spec.sheet.sails and now.is_loaded and now.place in SAILING_PLACES for spec, now in crew
    )


def sails_with(state: State, ship: int, hands: int) -> int:
    """Return the sails of a ship with so many hands: some are lost for want of them, or set by others (PW Sailing)."""
    now, chart = state.ships[ship], tasks_chart()
    if hands < now.sails:
        return hands
    more = min((hands - now.sails) // chart.hands_per_sail, chart.most_set)
    return state.sheet(ship).chart.reset(now.damage, more).sails


def _sail(state: State, ship: int, hands: int) -> State:
    before, sails = state.ships[ship].sails, sails_with(state, ship, hands)
    if sails < before:
        return damage.lose_sails(state, ship, before - sails)
    return state if sails == before else state.change_ship(ship, sails=sails)


@dataclass(frozen=True, slots=True)
class Done(words.Unconditional[State]):
    """Write no more orders; they are carried out, with option `simultaneous` once all players have written."""

    word = "done"

    def apply(self, state: State) -> State:
        state = state.replaced({"turn": state.turn + 1})
        waits = state.setting.options.simultaneous and state.turn < len(state.order)
        return state if waits else carry_out(state)


ORDER_TYPES: words.ActionTypes = (
    Fire,
    Shoot,
    boarding.BoardingOrder,
    MoveMinifig,
    Haul,
    Swim,
    Jump,
    boarding.Scuttle,
    Done,
)
"""What a player can do in the Tasks phase."""
ORDERS: Mapping[str, type[orders.OrderMove]] = {
    each.word: each for each in ORDER_TYPES if issubclass(each, orders.OrderMove)
}
"""The types of orders by their words."""


_MOST_DRAWN = 4
"""Orders that are drawn in place of those that a player has written in secret."""


def is_hidden(state: State) -> bool:
    """Tell whether players write orders that others may not know."""
    writes = state.phase is Phase.TASKS and not state.pending and state.winners is None
    return writes and state.setting.options.simultaneous


def seen(state: State, player: int) -> State:
    """Return a state without the orders that others have written."""
    if not is_hidden(state):
        return state
    own = tuple(order for order in state.orders if state.writer(order) == player)
    return state.replaced({"orders": own})


def redrawn(state: State, player: int, rng: "np.random.Generator") -> State:
    """Return a state with other orders, drawn at random, of all others who have begun to write."""
    if not is_hidden(state):
        return state
    turn, drawn = state.turn, seen(state, player)
    for number in range(turn + 1):
        drawn = drawn.replaced({"turn": number})
        if drawn.player != player:
            for _ in range(rng.integers(_MOST_DRAWN + 1)):
                if possible := list(_possible(drawn)):
                    drawn = possible[int(rng.integers(len(possible)))].apply(drawn)
    return drawn.replaced({"turn": turn})


def _possible(state: State) -> Iterator[words.Action[State]]:
    """Yield the orders that are listed, and all shots that may be declared, though they be wasted."""
    for each in ORDERS.values():
        yield from each.legal(state)
    shots = (
        Fire(state.ship_name(ship), gun, ammunition, state.ship_name(enemy))
        for ship in orders.commanded(state)
        for gun in range(len(state.ships[ship].guns))
        for ammunition in Ammunition
        for enemy, _ in state.enemies(state.player)
    )
    yield from words.without_problems(state, shots)
