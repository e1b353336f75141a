"""Prospects: the estimate of the game: what an unfinished battle is worth to each player, at any moment.

To the worth of what all have (`worth`) it adds what dice that are ordered or about to be rolled should cost, the law of
ships that touch, and a little for places: guns that bear, an enemy ahead whom it is good to ram, ships beside each
other, and the border of the sea, and orders such as to man guns. What a team gains by these, all others lose. How far
ships have to go to each other does not count: with it the estimate foresaw winners worse than a coin.
"""

from collections.abc import Iterator
from math import dist, inf

from brickphys.pirate_wars.boarding import BoardingOrder
from brickphys.pirate_wars.damage import Casualty
from brickphys.pirate_wars.firing import MusketRoll, bearing_hits, coming_shots, mean_hits
from brickphys.pirate_wars.helm.points import CREW, LINE, met_worth, pair_worth
from brickphys.pirate_wars.orders import touched
from brickphys.pirate_wars.sailing import is_in_irons, stays_on_sea
from brickphys.pirate_wars.sheets import Ammunition
from brickphys.pirate_wars.state import ShipState, State
from brickphys.pirate_wars.tasks import ORDERS
from brickphys.pirate_wars.worth import Balance, Sums, aboard, weights

_BEARS, _NEAR, _LEAVES = 0.2, 0.5, 3.0
"""Logarithms of odds: for each hit that guns should score now; for a ship beside one that is much weaker; for a ship
that cannot stay on the sea."""
_GUN_STUDS = 16.0
"""Guns are looked at where an enemy is so near."""
_IRONS = 0.3
"""Logarithm of odds of a ship in irons."""
_RAMS = 0.5
"""Share of what a ram brings that counts for a ship that points at an enemy."""


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, -1 to 1."""
    teams = state.setting.teams
    every = sorted(set(teams))
    lost = dict.fromkeys(every, Sums())
    for target, sums in (*_casualties(state), *_shots(state)):
        lost[state.team(target)] = lost[state.team(target)].plus(sums)
    places = dict.fromkeys(every, 0.0)
    for number, ship in state.afloat:
        if ship.hull and state.crews[number]:
            places[state.team(number)] += _place(state, number, ship)
    for order in state.orders:
        team = state.setting.teams[state.writer(order)]
        places[team] += 2.0 * ORDERS[order.task].worth(state, order)
    found = dict[int, float]()
    for team in every:
        if len(every) == 2 and found:
            found[team] = -found[every[0]]  # the features of the one are minus those of the other
        else:
            found[team] = _worth(state, team, lost, places)
    return tuple(found[team] for team in teams)


def _worth(state: State, team: int, lost: dict[int, Sums], places: dict[int, float]) -> float:
    balance = Balance.of(state, team, weights("worth"))
    others = sum(places.values()) - places[team]
    odds = balance.odds + places[team] - others / max(len(places) - 1, 1)
    balance = balance._replace(own=balance.own.minus(lost[team]), odds=odds)
    for each, sums in lost.items():
        if each != team:
            balance = balance._replace(other=balance.other.minus(sums))
    worth = total = balance.worth
    for one, _ in state.afloat:
        for other in touched(state, one) if state.team(one) == team else ():
            boards = _boards(state, one, other)
            total += pair_worth(state, one, other, balance, boards).worth - worth
    for number, ship in state.afloat:
        for enemy, its in state.enemies(ship.owner):
            if _points_at(state, number, ship, enemy, its):
                if state.team(number) == team:
                    total += _RAMS * (met_worth(state, balance, number, enemy) - worth)
                elif state.team(enemy) == team:
                    total += _RAMS * (met_worth(state, balance, number, enemy, own=1) - worth)
    return max(min(total, 1.0), -1.0)


def _casualties(state: State) -> Iterator[tuple[int, Sums]]:
    """Yield the ships whose owners are asked for casualties, with what these cost."""
    for question in state.pending:
        if isinstance(question, Casualty):
            yield question.ship, CREW.times(question.count)


def _shots(state: State) -> Iterator[tuple[int, Sums]]:
    """Yield the targets of shots that are ordered or about to be rolled, with what these should cost them."""
    for roll in coming_shots(state):
        if isinstance(roll, MusketRoll):
            yield roll.target, CREW.times(min(state.setting.minifigs[roll.minifig].attack, 5) / 6)
            continue
        hits = mean_hits(state, roll.ship, roll.gun, roll.ammunition)
        ball = roll.ammunition is Ammunition.BALL
        yield roll.target, (LINE if ball else Sums(0.0, 1.0, 1.0, 1.0)).times(hits)


def _boards(state: State, one: int, other: int) -> int | None:
    """Return which of two ships is ordered to board the other one, 0 or 1; None if neither is."""
    for order in state.orders:
        if order.task == BoardingOrder.word and {order.ship, order.target} == {one, other}:
            return 0 if order.ship == one else 1
    return None


def _place(state: State, number: int, ship: ShipState) -> float:
    """Return what the place of a ship is worth to its team, in logarithms of odds."""
    crews = aboard(state)
    own, _ = crews.get((number, state.team(number)), (0, 0))
    value, nearest = 0.0, inf
    for enemy, its in state.enemies(ship.owner):
        theirs, hands = crews.get((enemy, state.team(enemy)), (0, 0))
        if not hands:
            continue
        far = dist(ship.centre_studs, its.centre_studs)
        length = state.sheet(number).length_studs + state.sheet(enemy).length_studs
        nearest = min(nearest, far - length / 2)
        value += _NEAR * max(1.0 - far / length, 0.0) * (own - theirs) / max(own + theirs, 1)
    if nearest <= _GUN_STUDS and not ship.is_fleeing:
        value += _BEARS * bearing_hits(state, number)
    if _is_near_border(state, number, ship) and not stays_on_sea(state, number, 2):
        value -= _LEAVES
    if ship.sails and is_in_irons(state, number):
        value -= _IRONS
    return value


def _is_near_border(state: State, number: int, ship: ShipState) -> bool:
    sheet, sea = state.sheet(number), state.setting.sea
    x, y = ship.centre_studs
    room = min(x, y, sea.width_studs - x, sea.height_studs - y)
    return room < sheet.chart.speed_studs(ship.damage) + sheet.length_studs / 2


def _points_at(state: State, number: int, ship: ShipState, enemy: int, its: ShipState) -> bool:
    """Whether the next leap of a ship, straight ahead, should ram an enemy."""
    if not (ship.hull and its.hull and ship.sails and state.crews[number]) or ship.is_adrift:
        return False
    ahead, left = ship.pose.in_frame(its.centre_studs)
    sheet, target = state.sheet(number), state.sheet(enemy)
    way = sheet.width_studs / 2 + target.width_studs / 2
    reach = 1.5 * sheet.length_studs + target.radius_studs
    return 0.0 < ahead < reach and abs(left) < way and not state.is_lashed(number)
