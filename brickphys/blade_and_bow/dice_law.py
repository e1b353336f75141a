"""Dice law: the dice of two sides with their re-rolls, and what they do to units (BB 8.5, 9.4.5 to 9.4.10).

It is a dynamic programme. Re-rolls are those that are best for who rolls: each side goes by the worth of the hits that
remain on both, the attacker knowing that the defender rolls again after it. A state is the number of hits and
cancellations of either side; a right moves it along one of four ways: keep, or roll a hit, a blank or a cancellation
again. A card for the table shows whether the target is hit, by numbers of dice.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from brickphys.blade_and_bow.combat.dice import Rerolls, Resolution, SideRoll, pools, rerolls
from brickphys.blade_and_bow.combat.hits import damage, receivers, shares
from brickphys.blade_and_bow.command.morale import least_failing, own_modifier
from brickphys.blade_and_bow.pieces import Stage
from brickphys.blade_and_bow.sheets import FACES, Density, charts
from brickphys.blade_and_bow.state import State
from brickphys.odds.answer import CardWords, OddsCard
from brickphys.odds.distribution import Distribution, summed
from brickphys.rules.report.parts import distribution

_MOST_DICE = 24
"""Dice and re-rolls of both sides together, up to which the weights of the law fit into 64 bits."""
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
_ROUNDING = 1e-9


class DiceSide(NamedTuple):
    """The dice of one side, and its rights to roll one again."""

    dice: int
    hits: int = 2
    """Faces of a die that are hits."""
    cancels: int = 2
    rerolls: int = 0
    shown: tuple[int, ...] = (0, 0, 0)
    """Hits, blanks and cancellations of the dice that lie already; the rest is to be rolled."""


class Stakes(NamedTuple):
    """What each side loses by 0, 1, 2, ... hits; more hits than are listed lose no more."""

    target: tuple[float, ...] = tuple(map(float, range(9)))
    attackers: tuple[float, ...] = tuple(map(float, range(9)))


EACH_HIT = Stakes()
"""All hits count the same."""


class Hits(NamedTuple):
    """Hits that remain after cancellations (BB 9.4.7)."""

    target: int
    attackers: int


@lru_cache(maxsize=4096)
def clash(attacker: DiceSide, defender: DiceSide, stakes: Stakes = EACH_HIT) -> Mapping[Hits, int]:
    """Return the hits that remain -> weight, from any moment of the dice; both choose re-rolls by the stakes.

    The chance is the weight divided by the sum of all.
    """
    sides = attacker, defender
    small = sum(side.dice + side.rerolls for side in sides) <= _MOST_DICE
    weights = np.multiply.outer(*(_first(side, np.int64 if small else object) for side in sides))
    remain = _remain(sides)
    worth = _listed(stakes.target, remain[0]) - _listed(stakes.attackers, remain[1])
    plans = []
    for side, sign, turn in ((defender, -1.0, True), (attacker, 1.0, False)):
        value = sign * _turned(worth, turn=turn)
        for _ in range(side.rerolls):
            value, plan = _improved(value, side)
            plans.append((side, plan, turn))
        worth = _turned(sign * value, turn=turn)
    for side, plan, turn in reversed(plans):
        weights = _turned(_rolled_again(_turned(weights, turn=turn), side, plan), turn=turn)
    found: dict[Hits, int] = {}
    for index in zip(*np.nonzero(weights), strict=True):
        hits = Hits(int(remain[0][index]), int(remain[1][index]))
        found[hits] = found.get(hits, 0) + int(weights[index])
    return found


def _first(side: DiceSide, kind: type) -> Array:
    """Return the weights of the numbers of hits and cancellations before any re-roll."""
    hits, _, cancels = side.shown
    rest, blanks = side.dice - sum(side.shown), FACES - side.hits - side.cancels
    found: Array = np.zeros((side.dice + 1, side.dice + 1), dtype=kind)
    for h in range(rest + 1):
        for c in range(rest - h + 1):
            ways = comb(rest, h) * comb(rest - h, c)
            each = side.hits**h * side.cancels**c * blanks ** (rest - h - c)
            found[hits + h, cancels + c] = ways * each
    return found


def _remain(sides: tuple[DiceSide, DiceSide]) -> tuple[Array, Array]:
    """Return the hits that remain on the target and on the attackers for all numbers of both sides."""
    attacker, defender = (np.arange(side.dice + 1) for side in sides)
    shape = (len(attacker),) * 2 + (len(defender),) * 2
    on_target = attacker[:, None, None, None] - defender
    on_attackers = defender[:, None] - attacker[:, None, None]
    nets = (np.maximum(net, 0) for net in (on_target, on_attackers))
    first, second = (np.broadcast_to(net, shape) for net in nets)
    return first, second


def _listed(worths: tuple[float, ...], hits: Array) -> Array:
    return np.array(worths)[np.minimum(hits, len(worths) - 1)]


def _turned(values: Array, *, turn: bool) -> Array:
    """Return values with the numbers of the other side first, if asked."""
    return values.transpose(2, 3, 0, 1) if turn else values


def _improved(value: Array, side: DiceSide) -> tuple[Array, Array]:
    """Return six times the worth with one right to roll again, and the plan: 0 to keep, else the class of the die."""
    n, blanks = side.dice, FACES - side.hits - side.cancels
    mean = side.hits * value[1:, :n] + blanks * value[:n, :n] + side.cancels * value[:n, 1:]
    ways = np.full((4, *value.shape), -np.inf)
    ways[0] = FACES * value
    ways[1, 1:, :n], ways[2, :n, :n], ways[3, :n, 1:] = mean, mean, mean
    shown = np.add.outer(np.arange(n + 1), np.arange(n + 1))
    ways[2, shown >= n] = -np.inf  # no blank is there
    best = ways.max(axis=0)
    return best, np.where(best > ways[0] + _ROUNDING, ways.argmax(axis=0), 0)


def _rolled_again(weights: Array, side: DiceSide, plan: Array) -> Array:
    """Return the weights after one right, all six times as large."""
    n, blanks = side.dice, FACES - side.hits - side.cancels
    again = [np.where(plan == way, weights, 0) for way in range(4)]
    less = again[1][1:, :n] + again[2][:n, :n] + again[3][:n, 1:]  # one die is in the hand
    after = FACES * again[0]
    after[1:, :n] += side.hits * less
    after[:n, :n] += blanks * less
    after[:n, 1:] += side.cancels * less
    return after


DISRUPTION, RECOIL, ROUT = 0.3, 0.15, 0.8
"""Cost of these, where a lost rank costs 1. A unit that routs may rally, but is missing for at least a turn."""
SACK, DECISIVE = 2.0, 8.0
"""Cost of a camp, and of a camp or leader that decides the battle, in the same unit."""


class UnitCondition(NamedTuple):
    """What of a unit matters when it is hit."""

    density: Density
    ranks: int = 0
    disrupted: bool = False
    morale: int = 3
    """The highest face with which a die of a rout check passes."""
    guards: int = 0
    """Rout checks that are cancelled (BB 9.4.10)."""
    spared: int = 0
    """Hits that its camp cancels (BB 12)."""
    trapped: bool = False
    """Whether it cannot fall back: then it is eliminated (BB 9.4.8.1)."""


def holds(morale: int, checks: int) -> float:
    """Return the chance that all dice of a rout check pass."""
    return float((morale / FACES) ** checks)


@lru_cache(maxsize=4096)
def costs(stand: UnitCondition, *, ranged: bool = False) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits cost the player of a unit, by a lost rank as 1."""
    return tuple(_cost(stand, hits, ranged=ranged) for hits in range(charts().dice["most"] + 1))


def _cost(stand: UnitCondition, hits: int, *, ranged: bool) -> float:
    left = max(hits - stand.spared, 0)
    found = damage(stand.density, stand.disrupted, stand.ranks, left, ranged)
    stays = holds(stand.morale, max(found.checks - stand.guards, 0))
    falls_back = stays * RECOIL + (1.0 - stays) * ROUT
    if stand.trapped and not ranged:
        falls_back = 1.0
    return found.disrupts * DISRUPTION + found.ranks + found.recoils * falls_back


@lru_cache
def camp_costs(*, decides: bool) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits on a camp cost its player, who has lost without it if it decides the battle."""
    dice, cost = charts().dice, DECISIVE if decides else SACK
    return tuple(cost * (hits > dice["camp_cancels"]) for hits in range(dice["most"] + 1))


_NONE = (0, 0, 0)


def combat_chain(state: State) -> Mapping[State, Fraction] | None:
    """Return the states after the hits of a combat whose dice are to be rolled -> probability; None if they are not.

    All re-rolls are those that are best for who rolls, by the costs of hits. Dice of which the same hits remain are
    one: in these states they show the hits that remain, and nothing else.
    """
    if not isinstance(state.first_pending, SideRoll):
        return None
    law = chances(combat_law(state))
    ends = next(n for n, one in enumerate(state.pending) if isinstance(one, Resolution))
    state = state.replaced({"pending": state.pending[ends + 1 :]}).change_combat(rerolls=(0, 0))
    shown = (
        (state.change_combat(attack=(hits.target, 0, 0), defence=(hits.attackers, 0, 0)), chance)
        for hits, chance in law
    )
    return summed((Resolution().happen(rolled), chance) for rolled, chance in shown)


def chances(law: Mapping[Hits, int]) -> Iterator[tuple[Hits, Fraction]]:
    """Yield the hits of a law with their probabilities."""
    total = sum(law.values())
    return ((hits, Fraction(weight, total)) for hits, weight in law.items())


def combat_law(state: State) -> Mapping[Hits, int]:
    """Return the hits of a combat that remain -> weight, from any moment after its attackers and lead are chosen."""
    return clash(*sides(state), combat_stakes(state))


def sides(state: State) -> tuple[DiceSide, DiceSide]:
    """Return the dice of the attacker and of the defender of the combat as they are now."""
    combat = state.fight
    if combat.stage is Stage.DICE and combat.attack:
        shown = combat.attack, combat.defence
        asked = {each.side for each in state.pending if isinstance(each, Rerolls)}
        rights = tuple(n if side in asked else 0 for side, n in enumerate(combat.rerolls))
    else:
        shown = _NONE, _NONE
        rights = (0, 0) if combat.ranged else rerolls(state)
    first, second = (
        DiceSide(pool.dice, pool.hits, pool.cancels, right, counts)
        for pool, right, counts in zip(pools(state), rights, shown, strict=True)
    )
    return first, second


def combat_stakes(state: State) -> Stakes:
    """Return what the hits of the combat cost the players; attackers share theirs (BB 9.4.4.4)."""
    combat = state.fight
    ranged, target = combat.ranged, combat.target
    if target is None:
        enemy = 1 - state.player_of(combat.units[0])
        hurt = camp_costs(decides=bool(state.setting.special.camp_decides[enemy]))
    else:
        hurt = costs(stand(state, target), ranged=ranged)
    if ranged:
        return Stakes(hurt, (0.0,))
    own = receivers(state)
    tables = [costs(stand(state, unit)) for unit in own]
    split = (shares(hits, len(own)) for hits in range(len(hurt)))
    back = (sum(table[n] for table, n in zip(tables, each, strict=True)) for each in split)
    return Stakes(hurt, tuple(back))


def stand(state: State, unit: int) -> UnitCondition:
    """Return what of a unit matters when it is hit."""
    spec, now, player = state.setting.units[unit], state.units[unit], state.player_of(unit)
    on_camp = state.camp_set(player) >> state.square_of(unit) & 1
    return UnitCondition(
        spec.counter.density,
        now.ranks,
        now.disrupted,
        least_failing(state, player, own_modifier(state, unit)) - 1,
        int(state.leader_of(unit) is not None),
        charts().dice["camp_cancels"] if on_camp else 0,
    )


def fates(
    who: str, stand: UnitCondition, hits: Distribution, *, ranged: bool = False
) -> tuple[dict[str, Fraction], dict[str, Distribution]]:
    """Return the chances of what becomes of a unit by the law of its hits, and the law of the ranks that it loses.

    Who passes a rout check for missiles then recoils; in melee it rolls after its recoil.
    """
    disrupted = recoils = routs = Fraction(0)
    ranks: list[tuple[int, Fraction]] = []
    for count, chance in hits.items():
        left = max(count - stand.spared, 0)
        found = damage(stand.density, stand.disrupted, stand.ranks, left, ranged)
        checks = max(found.checks - stand.guards, 0)
        holds = Fraction(stand.morale, FACES) ** checks
        disrupted += chance * found.disrupts
        recoils += chance * found.recoils * holds
        routs += chance * (1 - holds)
        ranks.append((found.ranks, chance))
    chances = {
        f"the {who} is disrupted": disrupted,
        f"the {who} recoils, and holds": recoils,
        f"the {who} routs": routs,
    }
    if stand.disrupted:
        del chances[f"the {who} is disrupted"]
    return chances, {f"ranks lost by the {who}": distribution(ranks)} if stand.ranks else {}


MOST_DEFENCE = 6
_CARD_WORDS = CardWords(
    "Is the target hit?",
    "dice of the attacker",
    "dice of the target",
    "expected hits",
    (
        "In melee, with the best re-roll of the attacker; hits less cancellations (BB 9.4.5 to 9.4.7).",
        "Missiles have no re-roll, so they hit less often (BB 8.5).",
    ),
)


def odds_card() -> OddsCard:
    """Return the chance of a hit and the expected hits of 1 to 8 dice against 0 to 6."""
    attacks, defences = range(1, charts().dice["most"] + 1), range(MOST_DEFENCE + 1)
    rerolls = charts().dice["attacker_rerolls"]
    cells = [[hits_left(one, other, rerolls) for other in defences] for one in attacks]
    return OddsCard(
        _CARD_WORDS,
        tuple(attacks),
        tuple(defences),
        tuple(tuple(chance for chance, _ in row) for row in cells),
        tuple(tuple(mean for _, mean in row) for row in cells),
    )


def hits_left(dice: int, defence: int, rerolls: int) -> tuple[Fraction, Fraction]:
    """Return the chance that a hit on the target is left after cancellations, and the mean number of those left.

    The attacker re-rolls what is best where each hit is worth the same.
    """
    law = [*chances(clash(_side(dice, rerolls), _side(defence, 0)))]
    hit = sum((chance for left, chance in law if left.target), Fraction(0))
    return hit, sum((chance * left.target for left, chance in law), Fraction(0))


def _side(dice: int, rerolls: int) -> DiceSide:
    faces = charts().dice
    return DiceSide(dice, faces["hits_to"], FACES + 1 - faces["cancels_from"], rerolls)
