"""Points: what a battle is worth to a team, as one sum over all ships, crews and contacts; bots think by it.

Every ship has points: for its hull, its sails and its crew. The worth is the share of the points that a team has, made
steeper, from -1 to 1. Ships that touch or are lashed together count by the law of their contact (`contact`).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from brickphys.pirate_wars.damage import fighters
from brickphys.pirate_wars.helm import contact
from brickphys.pirate_wars.helm.contact import FLED, FREE, TAKEN, Side
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import data
from brickphys.pirate_wars.state import Phase, State


class Weights(NamedTuple):
    """The numbers of the worth, from ``data/points.toml``."""

    hull: float
    """Points of a hull line."""
    sail: float
    """Points of a sail line."""
    melee: float
    """Points of a point of Melee of the crew."""
    hand: float
    """Points of a minifig of the crew."""
    gun: float
    """Points of a gun that is left."""
    fled: float
    """Probability that a crew that flees returns; share of the points of a ship that flees."""
    empty: float
    """Share of the points of a ship without a crew, and of a minifig in the water."""
    steepness: float
    """Power of the points in the share."""


@lru_cache
def weights() -> Weights:
    """Return the shipped numbers."""
    return Weights(**data("points")["points"])


def ship_points(state: State, number: int) -> float:
    """Return the points of a ship without its crew."""
    of, ship = weights(), state.ships[number]
    if not ship.hull:
        return 0.0
    guns = sum(not gun.is_lost for gun in ship.guns)
    points = of.hull * ship.hull + of.sail * ship.sails + of.gun * guns
    if not state.crews[number]:
        return of.empty * points
    return of.fled * points if ship.is_fleeing else points


@lru_cache(maxsize=64)
def crew_points(setting: Setting) -> tuple[float, ...]:
    """Return the points of each minifig."""
    of = weights()
    return tuple(of.hand + of.melee * one.sheet.melee for one in setting.minifigs)


def team_points(state: State) -> dict[int, float]:
    """Return the points of each team, no contact counted."""
    setting, of = state.setting, weights()
    left = dict.fromkeys(sorted(set(setting.teams)), 0.0)
    for number, (team, points) in enumerate(
        zip(setting.minifig_teams, crew_points(setting), strict=True)
    ):
        now = state.minifigs[number]
        if now.is_alive:
            left[team] += points if now.ship is not None else of.empty * points
    for number, _ in state.afloat:
        left[state.team(number)] += ship_points(state, number)
    return left


def share(own: float, others: float) -> float:
    """Return the worth of own points against those of all others, from -1 to 1."""
    power = weights().steepness
    mine, theirs = own**power, others**power
    return (mine - theirs) / (mine + theirs) if mine + theirs else 0.0


def balance(points: Mapping[int, float], team: int) -> float:
    """Return the worth to a team of the points of all."""
    return share(points[team], sum(points.values()) - points[team])


def side_points(one: Side, guns: int) -> tuple[float, float]:
    """Return the points of a side of a contact: without its crew, and of its crew."""
    of = weights()
    ship = of.hull * one.hull + of.sail * one.sails + of.gun * guns if one.hull else 0.0
    return ship, of.hand * len(one.hands) + of.melee * one.melee


def contact_worth(
    rest: tuple[float, float],
    sides: tuple[Side, Side],
    guns: tuple[int, int],
    found: tuple[contact.End, ...],
) -> float:
    """Return the worth of a contact to the team of its first side.

    Parameters
    ----------
    rest
        The points of that team, and of all others, besides both ships.
    sides, guns
        Both ships, and how many guns each has left.
    found
        How the contact ends.
    """
    ships, crews = zip(*map(side_points, sides, guns), strict=True)
    total = 0.0
    for chance, fates, melee in found:
        points, fled = list(rest), [0.0, 0.0]
        for number in (0, 1):
            kept = crews[number] * melee[number] / (sides[number].melee or 1)
            fate = fates[number]
            if fate == FREE:
                points[number] += ships[number] + kept
            elif fate == FLED:
                fled[number] += ships[number] + kept
            elif fate == TAKEN:
                points[1 - number] += ships[number]
        total += chance * _with_fled(points, fled)
    return total


def _with_fled(points: list[float], fled: list[float]) -> float:
    """Return the mean worth of points, with those of crews that flee: they return with some probability."""
    back = weights().fled
    if fled[0] and fled[1]:
        return back * share(points[0] + fled[0], points[1] + fled[1])
    for number in (0, 1):
        if fled[number]:
            returned = points.copy()
            returned[number] += fled[number]
            return back * share(*returned) + (1.0 - back) * share(*points)
    return share(*points)


class Contact(NamedTuple):
    """What two ships in contact should do, and what that is worth to the team of the first one."""

    worth: float
    """From -1 to 1."""
    boards: int | None
    """Which of them boards, 0 or 1; None if neither."""
    gain: float
    """How much better it is for the first one to board than to be left alone."""


def best_contact(
    setting: Setting,
    rest: tuple[float, float],
    sides: tuple[Side, Side],
    guns: tuple[int, int],
    order: int | None,
    may_board: tuple[bool, bool] = (True, True),
) -> Contact:
    """Return what comes of two ships that touch, before orders are written, if each boards where that is best for it.

    Parameters
    ----------
    order
        Which of them writes orders and is tested first, 0 or 1; None if it is not known.
    may_board
        Whether each of them may still order a boarding.
    """
    if not (sides[0].hands and sides[1].hands):
        boards = 0 if sides[0].hands else 1
        fates = (FREE, TAKEN) if sides[0].hands else (TAKEN, FREE)
        melee = float(sides[0].melee), float(sides[1].melee)
        taken = contact_worth(rest, sides, guns, (contact.End(1.0, fates, melee),))
        alone = contact.End(1.0, (FREE, FREE), melee)
        return Contact(taken, boards, taken - contact_worth(rest, sides, guns, (alone,)))
    if not (sides[0].hull and sides[1].hull):
        return Contact(_sunk_worth(rest, sides, guns), None, 0.0)
    apart = contact_worth(rest, sides, guns, contact.ends(setting, sides, None, order))
    board = [
        contact_worth(rest, sides, guns, contact.ends(setting, sides, which, order))
        for which in (0, 1)
    ]

    def chosen(first: int) -> Contact:
        best, boards = apart, None
        for which in (1 - first, first):  # who writes first knows what the other one would do
            sign = 1.0 if which == 0 else -1.0
            if may_board[which] and sign * (board[which] - best) > 0.0:
                best, boards = board[which], which
        return Contact(best, boards, board[0] - apart)

    if order is not None:
        return chosen(order)
    both = [chosen(0), chosen(1)]
    return both[0]._replace(worth=(both[0].worth + both[1].worth) / 2)


def _sunk_worth(
    rest: tuple[float, float], sides: tuple[Side, Side], guns: tuple[int, int]
) -> float:
    """Return the worth of a contact after which a ship sinks, or both do; half of its crew is in the water.

    The crew of the other one is still tested, unless that was the last ship of its enemies.
    """
    of, points = weights(), list(rest)
    holds = 1.0
    for number, one in enumerate(sides):
        ship, crew = side_points(one, guns[number])
        if one.hull:
            points[number] += ship + crew
            holds = 1.0 if not rest[1 - number] else contact.hold_chance(one)
        elif rest[number]:
            points[number] += of.empty * crew / 2
    worth = holds * share(points[0], points[1])
    if holds < 1.0:
        worth += (1.0 - holds) * share(*(rest[n] if sides[n].hull else points[n] for n in (0, 1)))
    return worth


def pair_worth(state: State, one: int, other: int, team: int) -> Contact:
    """Return what a contact between two ships, as they are now, is worth to a team: that of the first ship."""
    points = team_points(state)
    sides = contact.side(state, one), contact.side(state, other)
    guns = tuple(sum(not gun.is_lost for gun in state.ships[n].guns) for n in (one, other))
    rest = [points[team], sum(points.values()) - points[team]]
    for number, which in enumerate((one, other)):
        ship = ship_points(state, which)
        crew = sum(crew_points(state.setting)[each] for each in fighters(state, which))
        rest[number] = max(rest[number] - ship - crew, 0.0)
    boarding = next((b for b in state.boardings if {b.attacker, b.defender} == {one, other}), None)
    order = first_of(state, one, other)
    if boarding is not None:
        attacker = 0 if boarding.attacker == one else 1
        found = contact.ends(state.setting, sides, attacker, order)
        worth = contact_worth((rest[0], rest[1]), sides, (guns[0], guns[1]), found)
        return Contact(worth, attacker, 0.0)
    may = tuple(may_still_board(state, which) for which in (one, other))
    return best_contact(
        state.setting, (rest[0], rest[1]), sides, (guns[0], guns[1]), order, (may[0], may[1])
    )


def may_still_board(state: State, ship: int) -> bool:
    """Tell whether the player of a ship has yet to write orders in this turn."""
    if state.phase in (Phase.MORALE, Phase.SHARKS):
        return False
    written = state.turn if state.phase is Phase.TASKS else 0
    now = state.ships[ship]
    return not now.is_fleeing and now.owner in state.order[written:]


def first_of(state: State, one: int, other: int) -> int | None:
    """Return which of two ships comes first in the initiative of this turn, 0 or 1; None if it is not known."""
    order = state.order
    owners = [state.ships[number].owner for number in (one, other)]
    if any(owner not in order for owner in owners):
        return None
    return 0 if order.index(owners[0]) < order.index(owners[1]) else 1
