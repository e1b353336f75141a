"""Prospects: what each army could strike, as it stands or after a move, and what that should cost the other one.

All values are shares of a rout level: 1 is a whole army. Fights are judged by the exact law of their dice (`fights`).
Attacks that one leader can order together count in full, those beyond him in part: an impulse has few actions.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import inf
from typing import NamedTuple, TypeVar

from brickphys.blade_and_bow.command.formation import engaged
from brickphys.blade_and_bow.ground import (
    direction,
    enemy_squares,
    neighbours,
    sees,
    turns_to_aim,
    within,
    zones,
)
from brickphys.blade_and_bow.state import State, StatePart, part_of_pieces
from brickphys.blade_and_bow.tactics.fights import (
    Attacker,
    Cost,
    Fighter,
    Vector,
    blow_cost,
    camp_cost,
    dares,
    fighter,
    party_cost,
    vector,
    volley_cost,
)
from brickphys.blade_and_bow.tactics.reach import Reach, reaches
from brickphys.grid.grid import FACINGS, Square, Squares, each
from brickphys.rules.scene import Threat, strips

SECOND = 0.45
"""Share that counts of attacks beyond those of the best formation: they need another action."""
_HALF = FACINGS // 2


class Strike(NamedTuple):
    """An attack on a target by the units that do best together."""

    target: int | None
    """None for the camp."""
    units: tuple[int, ...]
    """Who strikes, the lead first."""
    cost: Cost
    """What it costs on the mean, in losses."""
    worth: float
    """What it brings, in shares of rout levels."""


class Shooter(NamedTuple):
    """A unit that can shoot at a target."""

    unit: int
    dice: int
    turns: int
    """Directions by which it turns first: each is a die more for the target (BB 8.4)."""


Able = TypeVar("Able", Attacker, Shooter)
Target = TypeVar("Target", int, int | None)


def loss_share(state: State, player: int) -> float:
    """Return the share of its rout level that a loss of an army is."""
    return 1.0 / max(state.rout_level(player), 1)


def worth_of(state: State, player: int, cost: Cost) -> float:
    """Return what costs of an attack by a player are worth to that player, in shares of rout levels."""
    gain, loss = loss_share(state, 1 - player), loss_share(state, player)
    return gain * cost.target - loss * cost.attackers


def attackers(state: State, player: int) -> dict[int | None, list[Attacker]]:
    """Return for each target of a melee the units of a player that can attack it as they stand (BB 9.1)."""
    enemies, grid = enemy_squares(state, player), state.setting.grid
    found: dict[int | None, list[Attacker]] = {}
    if not zones(state, player).all & enemies:
        return found
    for square in each(state.occupied[player] & grid.around(enemies)):
        unit = state.at[square]
        if not state.units[unit].disrupted:
            for target in engaged(state, unit):
                found.setdefault(target, []).append(_attacker(state, unit, target))
    return found


def _attacker(state: State, unit: int, target: int | None) -> Attacker:
    square, player = state.square_of(unit), state.player_of(unit)
    one, ground = fighter(state, unit), state.setting.terrain[square].melee_dice
    struck = None if target is None else fighter(state, target)
    side, ahead = Vector.FRONT, True
    if target is not None:
        towards = direction(state.setting.grid, state.square_of(target), square)
        assert towards is not None
        side = vector(towards, state.units[target].facing)
        ahead = towards == state.units[target].facing
    chance = 1.0
    if not state.units[unit].marker:
        chance = dares(state, one, player, square, struck, side)
    return Attacker(unit, one, side, ahead, chance, ground)


def strike(state: State, player: int, target: int | None, able: Sequence[Attacker]) -> Strike:
    """Return the best attack by some of the units that can attack a target; it may bring less than nothing."""
    best: Strike | None = None
    party: list[Attacker] = []
    left = list(able)
    while left:
        tried = [(strike_of(state, player, target, [*party, one]), one) for one in left]
        found, joins = max(tried, key=lambda pair: (pair[0].worth, -pair[1].unit))
        if best is not None and found.worth <= best.worth + 1e-4:
            break
        best = found
        party.append(joins)
        left.remove(joins)
    assert best is not None
    return best


def strike_of(state: State, player: int, target: int | None, party: Sequence[Attacker]) -> Strike:
    """Return an attack by just these units."""
    if target is None:
        cost = _camp_cost(state, 1 - player, party)
    else:
        cost = party_cost(
            party, fighter(state, target), state.setting.terrain[state.square_of(target)].melee_dice
        )
    units = tuple(one.unit for one in party)
    return Strike(target, units, cost, worth_of(state, player, cost))


def _camp_cost(state: State, owner: int, party: Sequence[Attacker]) -> Cost:
    camp, lead = state.camps[owner], party[0]
    assert camp is not None
    decides = bool(state.setting.special.camp_decides[owner])
    support = sum(one.fighter.base for one in party[1:])
    ground = state.setting.terrain[camp].melee_dice, lead.ground
    cost = camp_cost(lead.fighter, support, decides, ground)
    return Cost(lead.dares * cost.target, lead.dares * cost.attackers)


def melees(state: State, player: int, among: Iterable[int] | None = None) -> list[Strike]:
    """Return attacks of a player that bring something, each unit in one, the best first.

    `among` are the units that may attack; all, if None.
    """
    found = attackers(state, player)
    if among is not None:
        chosen = set(among)
        found = {
            target: [one for one in able if one.unit in chosen] for target, able in found.items()
        }
    return _one_by_one(found, partial(strike, state, player), above=0.0)


def _one_by_one(
    able: Mapping[Target, Sequence[Able]],
    best_by: Callable[[Target, Sequence[Able]], Strike],
    above: float = -inf,
) -> list[Strike]:
    """Return the best strike, then the best one by those who are left, and so on, each target once.

    `able` has who can strike each target, `best_by` returns the best strike at a target by some of them. Strikes that
    bring no more than `above` are left out.
    """
    left = {target: those for target, those in able.items() if those}
    strikes: list[Strike] = []
    while left:
        best = max(
            (best_by(target, those) for target, those in left.items()), key=lambda one: one.worth
        )
        if best.worth <= above:
            break
        strikes.append(best)
        rest = {
            target: [one for one in those if one.unit not in best.units]
            for target, those in left.items()
            if target != best.target
        }
        left = {target: those for target, those in rest.items() if those}
    return strikes


def shooters(
    state: State, player: int, among: Iterable[int] | None = None
) -> dict[int, list[Shooter]]:
    """Return for each target the units of a player that can shoot at it as they stand (BB 8.1 to 8.3)."""
    shut, grid = zones(state, 1 - player).all, state.setting.grid
    found: dict[int, list[Shooter]] = {}
    aims = [(state.at[square], square) for square in each(state.occupied[1 - player])]
    for unit in sorted(among) if among is not None else sorted(state.on_map(player)):
        square, side = state.square_of(unit), state.side(unit)
        if not side.missile_dice or shut >> square & 1 or state.units[unit].disrupted:
            continue
        reach = within(grid, square, side.missile_range)
        for target, place in aims:
            if reach >> place & 1 and sees(state, square, place):
                turned = turns_to_aim(state, unit, place)
                if not (turned and state.units[unit].wall):
                    found.setdefault(target, []).append(Shooter(unit, side.missile_dice, turned))
    return found


def volley(state: State, player: int, target: int, able: Sequence[Shooter]) -> Strike:
    """Return the best volley at a target by some of the units that can shoot at it: who turns least first."""
    struck, place = fighter(state, target), state.square_of(target)
    cover = state.setting.terrain[place].cover
    best: Strike | None = None
    order = sorted(able, key=lambda one: (one.turns, -one.dice, one.unit))
    dice = turned = 0
    for n, one in enumerate(order, 1):
        dice, turned = dice + one.dice, turned + one.turns
        cost = Cost(volley_cost(min(dice, 8), struck, min(cover + turned, 8)))
        worth = worth_of(state, player, cost)
        if best is None or worth > best.worth + 1e-6:
            best = Strike(target, tuple(each.unit for each in order[:n]), cost, worth)
    assert best is not None
    return best


def volleys(state: State, player: int, among: Iterable[int] | None = None) -> list[Strike]:
    """Return volleys of a player, each unit in one, the best first."""
    return _one_by_one(shooters(state, player, among), partial(volley, state, player))


def commanded(state: State, player: int, strikes: Sequence[Strike]) -> float:
    """Return what some strikes bring together: those of the best formation in full, all others in part."""
    total = sum(one.worth for one in strikes)
    best = max((one.worth for one in strikes), default=0.0)
    for squares in commands(state, player):
        best = max(
            best,
            sum(one.worth for one in strikes if squares >> state.square_of(one.units[0]) & 1),
        )
    return best + SECOND * (total - best)


def commands(state: State, player: int) -> Iterator[Squares]:
    """Yield the squares in the command range of each leader of a player who is on the map (BB 6.1.2)."""
    for spec, leader in zip(state.setting.leaders, state.leaders, strict=True):
        if spec.player == player and leader.square is not None:
            yield within(state.setting.grid, leader.square, spec.range_points)


MOVED = 0.5
"""Share that counts of an attack that needs a move first: of units that cannot strike as they stand."""


def threat(state: State, player: int) -> float:
    """Return what a player should win by moving into contact and attacking, by units that are not in contact."""
    key = part_of_pieces(state)
    return _threats(key)[player]


@lru_cache(maxsize=4096)
def _threats(part: StatePart) -> tuple[float, float]:
    return _threat(part.state, 0), _threat(part.state, 1)


def _threat(state: State, player: int) -> float:
    busy = {one.unit for able in attackers(state, player).values() for one in able}
    mobile = [one for one in reaches(state, player) if one.unit not in busy]
    if not mobile:
        return 0.0
    used, taken = dict[int, float](), state.occupied[0] | state.occupied[1]
    for square in each(state.occupied[1 - player]):
        target = state.at[square]
        worths = []
        for one in mobile:
            if not one.every >> square & 1:
                continue
            others = taken & ~(1 << state.square_of(one.unit))
            best = best_blow(state, one, target, square, state.units[target].facing, others)
            if best > 0.0:
                worths.append((best, one.unit))
        worths.sort(reverse=True)
        for n, (worth, unit) in enumerate(worths[:3]):
            used[unit] = max(used.get(unit, 0.0), worth * 0.6**n)
    return sum(used.values())


def best_blow(
    state: State, one: Reach, target: int, square: Square, facing: int, taken: Squares
) -> float:
    """Return what the best blow of a unit after a move brings on an enemy, in shares of rout levels.

    The enemy stands in the square and looks to the facing; the unit cannot end in squares that are `taken`.
    """
    around, best = neighbours(state.setting.grid)[square], 0.0
    player, struck = state.player_of(one.unit), fighter(state, target)
    for towards in range(FACINGS):
        behind = around[(towards + _HALF) % FACINGS]
        if one.blows[towards] >> square & 1 and behind is not None and not taken >> behind & 1:
            side = vector((towards + _HALF) % FACINGS, facing)
            best = max(best, blow_at(state, player, one.unit, struck, behind, side, square))
    return best


def exposed(
    state: State,
    player: int,
    unit: int,
    square: Square,
    facing: int,
    enemies: Sequence[Reach],
) -> float:
    """Return what the enemy should win by attacking a unit of a player that stands in a square with a facing."""
    around = neighbours(state.setting.grid)[square]
    own = state.occupied[player] & ~(1 << state.square_of(unit))
    worths = []
    for one in enemies:
        if not one.every >> square & 1:
            continue
        best = best_blow(state, one, unit, square, facing, own)
        if best > 0.0:
            there = state.square_of(one.unit)
            at_once = any(
                one.blows[t] >> square & 1 and around[(t + _HALF) % FACINGS] == there
                for t in range(FACINGS)
            )
            worths.append(best * (1.0 if at_once else MOVED))
    worths.sort(reverse=True)
    return sum(worth * 0.6**n for n, worth in enumerate(worths[:3]))


def blow_at(
    state: State,
    player: int,
    unit: int,
    struck: Fighter,
    square: Square,
    side: Vector,
    place: Square,
) -> float:
    """Return what an attack of a unit from a square brings on a fighter in a place."""
    one, terrain = fighter(state, unit), state.setting.terrain
    chance = dares(state, one, player, square, struck, side)
    ground = terrain[place].melee_dice, terrain[square].melee_dice
    return worth_of(state, player, blow_cost(one, struck, side, chance, ground))


def threats(state: State, player: int) -> Iterator[Threat]:
    """Yield whom each enemy of a player could attack in its next turn, after a move or by missiles as it stands."""
    setting, shot = state.setting, shooters(state, 1 - player)
    hits = {one.unit: one.every for one in reaches(state, 1 - player)}
    names = [unit.name for unit in setting.units]
    for unit in sorted(state.on_map(1 - player)):
        reach = hits.get(unit, 0)
        struck = [names[state.at[one]] for one in each(reach & state.occupied[player])]
        shots = [names[foe] for foe, able in shot.items() if any(one.unit == unit for one in able)]
        spots = strips(map(setting.middle, each(reach)))
        yield Threat(names[unit], tuple(struck), tuple(shots), spots)
