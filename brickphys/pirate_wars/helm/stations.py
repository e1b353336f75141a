"""Stations: what the crew of a ship should do in the tasks of a turn: board, fire, shoot, and who mans what.

Sails come first: nobody who is needed for them leaves them. What the sails can spare mans guns, or sets sails again.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb
from typing import NamedTuple

from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars import firing
from brickphys.pirate_wars.boarding import BoardingOrder
from brickphys.pirate_wars.damage import is_visible, visible
from brickphys.pirate_wars.helm.points import may_still_board, pair_worth
from brickphys.pirate_wars.orders import free, gap_studs, rakes, takes_orders, touched
from brickphys.pirate_wars.sheets import Ammunition, Line, ShipPlace
from brickphys.pirate_wars.state import LOADED, SAILING_PLACES, Spot, State
from brickphys.pirate_wars.tasks import Jump, MoveMinifig, Swim, sailing_hands
from brickphys.pirate_wars.worth import EMPTY, NOTHING, Balance, Sums, crew_sums
from brickphys.rules.words import Action
from brickphys.text import counted

_SETS, _SWIMMER = Sums(sails=0.5), Sums(melee=1.0, hands=1.0).times(1.0 - EMPTY)
"""What a hand at the sails brings, two of whom set one, and a minifig who comes out of the water."""
_MANS = 0.004
"""Worth of a gun that is manned: where nothing else is gained."""
_BATTLE_STUDS = 60.0
"""Guns are manned while an enemy is so near."""


class Deed(NamedTuple):
    """Orders that belong together."""

    purpose: str
    """What they are for."""
    orders: tuple[Action[State], ...]
    """The orders, in the order of writing."""
    worth: float
    """How much better they are than no orders."""


def deeds(state: State, ship: int) -> list[Deed]:
    """Return what the crew of a ship may do, besides nothing, the best first."""
    found = list(_boardings(state, ship))
    if takes_orders(state, ship) and state.crews[ship]:
        found += _work(state, ship)
    return sorted((deed for deed in found if deed.worth > 0.0), key=lambda deed: -deed.worth)


def _boardings(state: State, ship: int) -> Iterator[Deed]:
    """Yield the boardings that are better than to wait for what the other ship does."""
    balance = Balance.of(state, state.team(ship))
    for enemy in touched(state, ship):
        order = BoardingOrder(state.ship_name(ship), state.ship_name(enemy))
        if any(order.problems(state)):
            continue
        found = pair_worth(state, ship, enemy, balance)
        if found.gain > 0.0:
            yield Deed(f"boards {state.called(enemy)}", (order,), found.gain)


def _work(state: State, ship: int) -> Iterator[Deed]:
    """Yield all that the crew does at guns, with muskets, and on its way to other places, as one."""
    if not state.ships[ship].hull:
        yield from _jumps(state, ship)
        return
    guns, shots = _guns(state, ship), _muskets(state, ship)
    for chosen in ((guns, shots), (guns,), (shots,), ()):
        parts = [part for part in chosen if part]
        after = state
        for order in (order for part in parts for order in part.orders):
            after = order.apply(after)
        moves = _moves(after, ship)
        parts += [moves] if moves else []
        if not parts:
            continue
        orders = tuple(order for part in parts for order in part.orders)
        purpose = ", ".join(part.purpose for part in parts)
        worth = sum(part.worth for part in parts) - _weakened(state, ship, orders)
        yield Deed(purpose, orders, worth)


def _weakened(state: State, ship: int, orders: Sequence[Action[State]]) -> float:
    """Return what it loses against enemies who may still board that hands have other tasks, and do not fight."""
    balance, lost = Balance.of(state, state.team(ship)), 0.0
    foes = [enemy for enemy in touched(state, ship) if may_still_board(state, enemy)]
    if not foes:
        return 0.0
    after = state
    for order in orders:
        after = order.apply(after)
    for enemy in foes:
        lost += pair_worth(state, ship, enemy, balance).held
        lost -= pair_worth(after, ship, enemy, balance).held
    return lost


def _loss(state: State, ship: int, lost: Sums) -> float:
    """Return what it is worth to the enemies of a ship that it loses something."""
    balance = Balance.of(state, state.team(ship))
    return balance.worth - balance.less(lost)


def _gain(state: State, team: int, won: Sums) -> float:
    """Return what it is worth to a team that it gains something."""
    balance = Balance.of(state, team)
    return balance.worth_of(balance.own.plus(won), balance.other) - balance.worth


def hits_law(dice: int, target: int) -> list[float]:
    """Return the probabilities of 0, 1, 2 ... hits of some dice with a target number."""
    p = target / 6
    return [comb(dice, n) * p**n * (1 - p) ** (dice - n) for n in range(dice + 1)]


def shot_costs(state: State, ship: int, gun: int, ammunition: Ammunition, target: int) -> Sums:
    """Return what a shot should cost its target: lines, and a minifig for each."""
    weapon = firing.cannon(state, ship, gun, ammunition)
    chart, before = state.sheet(target).chart, state.ships[target].damage
    twice = 2 if ammunition is Ammunition.SHOT and rakes(state, ship, target) else 1
    line = Line.SAIL if ammunition is Ammunition.SHOT else None
    total = NOTHING
    for hits, chance in enumerate(hits_law(weapon.dice, weapon.target or 0)):
        damage = before
        for _ in range(hits * twice):
            damage = chart.hit(damage, line)
        hull, sails = before.hull - damage.hull, before.sails - damage.sails
        lost = Sums(hull, sails, hull + sails, hull + sails)
        total = total.plus(lost, chance)
    return total


def _guns(state: State, ship: int) -> Deed | None:
    """Return the shots of all guns that bear on an enemy."""
    orders, worth, at = list[Action[State]](), 0.0, dict[int, int]()
    for gun in firing.ready_guns(state, ship):
        aim = firing.enemy_aim(state, ship, gun)
        if aim is None or not state.ships[aim.ship].hull:
            continue
        kinds = [
            kind
            for kind in Ammunition
            if aim.distance_studs <= firing.cannon(state, ship, gun, kind).range_studs + TOLERANCE
        ]
        gains = {
            kind: _loss(state, aim.ship, shot_costs(state, ship, gun, kind, aim.ship))
            for kind in kinds
        }
        best = max(kinds, key=lambda kind: (gains[kind], kind is Ammunition.BALL))
        if gains[best] > 0.0:
            orders.append(firing.Fire(state.ship_name(ship), gun, best, state.ship_name(aim.ship)))
            worth += gains[best]
            at[aim.ship] = at.get(aim.ship, 0) + 1
    if not orders:
        return None
    told = (f"{counted(count, 'gun')} at {state.called(target)}" for target, count in at.items())
    return Deed(f"fires {' and '.join(told)}", tuple(orders), worth)


def _muskets(state: State, ship: int) -> Deed | None:
    """Return the shots of all who can be spared and see an enemy within range; one who sails only if hands are left."""
    specs, now = state.setting.minifigs, state.minifigs
    near = firing.in_musket_range(state, ship)
    if not near:
        return None
    target = min(near, key=lambda enemy: gap_studs(state, ship, enemy))
    ready = [
        one
        for one in free(state, state.crews[ship])
        if specs[one].weapon
        and now[one].is_loaded
        and now[one].gun is None
        and is_visible(state, one)
    ]
    spare = sailing_hands(state, ship) - state.ships[ship].sails
    left, shooters = float(len(visible(state, target))), list[int]()
    kill = min((crew_sums(state.setting, [one]) for one in visible(state, target)), key=sum)
    for one in sorted(ready, key=lambda one: (specs[one].sheet.sails, -specs[one].attack)):
        sails = specs[one].sheet.sails and now[one].place in SAILING_PLACES
        if left <= 0.0 or (sails and spare <= 0):
            continue
        spare -= sails
        left -= min(specs[one].attack, 5) / 6
        shooters.append(one)
    if not shooters:
        return None
    hits = sum(min(specs[one].attack, 5) / 6 for one in shooters)
    name = state.ship_name(target)
    orders = tuple(firing.Shoot(specs[one].name, name) for one in shooters)
    purpose = f"{counted(len(shooters), 'minifig')} shoot at {state.called(target)}"
    return Deed(purpose, orders, _loss(state, target, kill.times(hits)))


def _jumps(state: State, ship: int) -> Iterator[Deed]:
    """Yield that all who may leave a ship that sinks."""
    crew = free(state, state.crews[ship])
    jumps = [Jump(state.minifig_name(one)) for one in crew]
    legal = tuple(jump for jump in jumps if not any(jump.problems(state)))
    if legal:
        saved = crew_sums(state.setting, crew).times(EMPTY)
        yield Deed("leaves the sinking ship", legal, _gain(state, state.team(ship), saved))


def swims(state: State) -> list[Deed]:
    """Return that all swimmers of the player swim to a ship of the team."""
    found = dict[str, Action[State]]()
    for one in Swim.legal(state):
        found[one.minifig] = one
    saved = _gain(state, state.setting.teams[state.player], _SWIMMER)
    return [
        Deed(f"swims to {swim.ship.replace('_', ' ')}", (swim,), saved)  # type: ignore[attr-defined]
        for swim in found.values()
    ]


def _moves(state: State, ship: int) -> Deed | None:
    """Return who should go to another place: to the sails if they want hands, else to guns near an enemy."""
    now, sheet = state.ships[ship], state.sheet(ship)
    most = max(min(sheet.chart.sails, now.hull), now.sails)
    at_sails = sum(
        state.setting.minifigs[one].sheet.sails and state.minifigs[one].place in SAILING_PLACES
        for one in state.crews[ship]
    )
    spare = sailing_hands(state, ship) - now.sails
    far = min(
        (
            gap_studs(state, ship, enemy)
            for enemy, its in state.enemies(now.owner)
            if state.crews[enemy]
        ),
        default=_BATTLE_STUDS * 2,
    )
    wanted = now.sails + 2 * min(most - now.sails, 2) - at_sails
    if wanted > 0:
        return _to_sails(state, ship, wanted, keeps_guns=far < _BATTLE_STUDS and spare >= 0)
    if far <= 2 * _BATTLE_STUDS and spare > 0 and most == now.sails:
        return _to_guns(state, ship, min(spare, -wanted))
    return None


def _to_sails(state: State, ship: int, wanted: int, *, keeps_guns: bool) -> Deed | None:
    """Return that hands from guns that point at nobody, and from below, go to the sails."""
    specs, now = state.setting.minifigs, state.minifigs
    hands = [
        one
        for one in free(state, state.crews[ship])
        if specs[one].sheet.sails
        and now[one].place not in SAILING_PLACES
        and not _keeps(state, ship, now[one].gun, keeps_guns=keeps_guns)
    ]
    spots: Sequence[Spot] = tuple((place, None) for place in (ShipPlace.CASTLE, ShipPlace.DECK))
    orders = _sent(state, hands, spots, wanted)
    gain = _gain(state, state.team(ship), _SETS.times(len(orders)))
    return Deed("sends hands to the sails", orders, gain) if orders else None


def _keeps(state: State, ship: int, gun: int | None, *, keeps_guns: bool) -> bool:
    return gun is not None and (keeps_guns or firing.enemy_aim(state, ship, gun) is not None)


def _to_guns(state: State, ship: int, spare: int) -> Deed | None:
    """Return that hands whom the sails can spare go to guns without a crew, then to those with one hand."""
    specs, now, guns = state.setting.minifigs, state.minifigs, state.ships[ship].guns
    hands = [
        one
        for one in free(state, state.crews[ship])
        if specs[one].sheet.reloads_cannons
        and now[one].place in (ShipPlace.DECK, ShipPlace.CASTLE)
        and specs[one].weapon is None
    ]
    crewed = {gun: len(state.gunners(ship, gun)) for gun in range(len(guns))}
    spots: list[Spot] = [
        (ShipPlace.GUN, gun)
        for wanted, gun in product((0, 1), range(len(guns)))
        if not guns[gun].is_lost
        and crewed[gun] <= wanted
        and (wanted == 0 or guns[gun].loads < LOADED)
    ]
    orders = _sent(state, hands, spots, min(spare, len(spots)), once=True)
    return Deed("mans guns", orders, _MANS * len(orders)) if orders else None


def _sent(
    state: State, hands: Sequence[int], spots: Sequence[Spot], most: int, *, once: bool = False
) -> tuple[MoveMinifig, ...]:
    """Return legal orders that send hands to the first of some places that has room for each."""
    orders, left = list[MoveMinifig](), list(spots)
    for one in hands:
        if len(orders) >= most:
            break
        for spot in left:
            move = MoveMinifig(state.minifig_name(one), spot)
            if not any(move.problems(state)):
                state = move.apply(state)
                orders.append(move)
                if once:
                    left.remove(spot)
                break
    return tuple(orders)
