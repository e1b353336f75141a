"""Fights: what a melee or a volley should cost both sides by the exact law of its dice, for whole armies at once.

A `Fighter` is all of a unit that counts in a fight. Fights of equal fighters are worked out once, with the best
re-rolls of both sides (BB 9.4.5 to 9.4.10, 8.5). Costs are in losses: a lost rank is 1; see `dice_law.costs`.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from brickphys.blade_and_bow.combat.attack import gives_way
from brickphys.blade_and_bow.combat.hits import shares
from brickphys.blade_and_bow.command.actions import bonus
from brickphys.blade_and_bow.command.morale import least_failing, own_modifier
from brickphys.blade_and_bow.deck import EffectVerb
from brickphys.blade_and_bow.dice_law import (
    DiceSide,
    Stakes,
    UnitCondition,
    camp_costs,
    clash,
    costs,
    holds,
)
from brickphys.blade_and_bow.ground import beside, zones
from brickphys.blade_and_bow.sheets import FACES, Counter, CounterSide, charts
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACINGS, Square, Squares


class Vector(IntEnum):
    """From where an attacker strikes (BB 9.4.4.1); one from behind counts for all."""

    FRONT = 0
    LEFT = 1
    RIGHT = 2
    REAR = 3


_VECTORS = (
    *(Vector.FRONT, Vector.FRONT, Vector.LEFT),
    *(Vector.REAR, Vector.REAR, Vector.REAR),
    *(Vector.RIGHT, Vector.FRONT),
)
_FEAR = {Vector.LEFT: 0, Vector.FRONT: 1, Vector.RIGHT: 2}


def vector(towards: int, facing: int) -> Vector:
    """Return from where a unit strikes that is in a direction of its target, which has a facing."""
    return _VECTORS[(towards - facing) % FACINGS]


_NO_GAINS: tuple[int, ...] = (0, 0, 0, 0)


class Fighter(NamedTuple):
    """What of a unit counts in a fight, besides the ground."""

    counter: Counter
    ranks: int
    """Ranks besides itself."""
    disrupted: bool
    wall: bool
    """Whether it has a shield wall."""
    leaders: int
    """Leaders with it."""
    steady: int
    """The highest face with which a die of its rout checks passes."""
    sheltered: bool
    """Whether it is on its own camp."""
    trapped: bool = False
    """Whether no square beside it is free of enemies and their zones: then it is lost if it falls back."""
    gains: tuple[int, ...] = _NO_GAINS
    """What cards in force add: melee dice, faces to hit, faces to cancel, re-rolls."""

    def __hash__(self) -> int:
        return hash((self.counter.name, *self[1:]))

    @property
    def side(self) -> CounterSide:
        """The values of the side of its counter that is up."""
        return self.counter.disrupted if self.disrupted else self.counter.good

    @property
    def base(self) -> int:
        """Its dice by size (BB 9.3)."""
        return charts().dice[self.counter.size.value]

    @property
    def condition(self) -> UnitCondition:
        """What of it matters when it is hit."""
        cancels = charts().dice["camp_cancels"] * self.sheltered
        guards = int(self.leaders > 0)
        stand = self.counter.density, self.ranks, self.disrupted, self.steady, guards, cancels
        return UnitCondition(*stand, self.trapped)


_GAINS = (
    EffectVerb.MELEE_DICE,
    EffectVerb.HITS_TO,
    EffectVerb.CANCELS_FROM,
    EffectVerb.REROLLS,
)


def fighter(state: State, unit: int) -> Fighter:
    """Return a unit of the map as a fighter; worked out once for a state."""
    known: dict[int, Fighter] = vars(state).setdefault("fighters", {})
    if unit not in known:
        known[unit] = _fighter(state, unit)
    return known[unit]


def _fighter(state: State, unit: int) -> Fighter:
    spec, now = state.setting.units[unit], state.units[unit]
    player, gains = spec.player, _NO_GAINS
    if state.played:
        gains = tuple(bonus(state, verb, player, unit) for verb in _GAINS)
    return Fighter(
        spec.counter,
        max(now.ranks, 0),
        now.disrupted,
        now.wall,
        len(state.leaders_with(unit)),
        least_failing(state, player, own_modifier(state, unit)) - 1,
        bool(state.camp_set(player) >> state.square_of(unit) & 1),
        not _ways_back(state, player, unit),
        gains,
    )


def _ways_back(state: State, player: int, unit: int) -> Squares:
    """Return the squares into which a unit could fall back: through friends, but not past enemies (BB 9.4.8)."""
    near = beside(state.setting.grid)[state.square_of(unit)] & ~state.setting.closed
    return near & ~(zones(state, 1 - player).all | state.occupied[1 - player])


class Cost(NamedTuple):
    """What a fight costs on the mean, in losses."""

    target: float
    attackers: float = 0.0


def _faces(one: Fighter, hits_to: int) -> tuple[int, int]:
    """Return how many faces of its dice hit and cancel (BB 9.3, 13.2)."""
    chart = charts().dice
    wall = chart["wall"] * one.wall
    hits = min(max(hits_to - wall + one.gains[1], 0), FACES - 1)
    cancels = FACES + 1 - chart["cancels_from"] + wall + one.gains[2]
    return hits, min(max(cancels, 0), FACES - 1 - hits)


@lru_cache(maxsize=1 << 15)
def melee_cost(
    party: tuple[Fighter, ...],
    target: Fighter,
    vectors: tuple[Vector, ...],
    ground: tuple[int, int] = (0, 0),
) -> Cost:
    """Return the mean costs of a melee.

    The lead is the first of the party, and `vectors` are from where each strikes. `ground` are dice more for the
    ground of the target, and for that of the lead.
    """
    chart = charts().dice
    lead = party[0]
    behind = Vector.REAR in vectors
    aside = any(one is not Vector.FRONT for one in vectors)
    own = lead.base + lead.ranks + sum(one.base for one in party[1:]) + ground[0]
    own += chart["vector"] * aside + chart["immortal"] * lead.counter.is_immortal
    own += sum(one.gains[0] for one in party)
    other = target.base + target.ranks + chart["wall"] * target.wall + ground[1]
    other += target.gains[0]
    hits, cancels = _faces(target, chart["flanked_hits_to" if aside else "hits_to"])
    attack = DiceSide(
        min(own, chart["most"]),
        *_faces(lead, chart["hits_to"]),
        chart["attacker_rerolls"] + sum(one.leaders + one.gains[3] for one in party),
    )
    defence = DiceSide(
        min(other, chart["most"]),
        0 if behind or target.disrupted else hits,
        cancels,
        target.leaders + target.gains[3],
    )
    cost = _mean(attack, defence, costs(target.condition), _shared(party, vectors))
    if cost.target > GIVES_WAY and _may_retreat(party, target):
        return Cost(GIVES_WAY)
    return cost


GIVES_WAY = 0.15
"""What it costs a light unit to retreat before a melee: it is disrupted, but elsewhere."""


def _may_retreat(party: Sequence[Fighter], target: Fighter) -> bool:
    """Whether a target may give way to all attackers, if there is room (BB 9.4.2)."""
    able = target.counter.is_light and not target.disrupted and not target.wall
    return able and all(gives_way(target.counter, one.counter) for one in party)


def _shared(party: Sequence[Fighter], vectors: Sequence[Vector]) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits cost the attackers: the lead and those in front share them (BB 9.4.4.4)."""
    struck = [
        costs(one.condition)
        for n, (one, side) in enumerate(zip(party, vectors, strict=True))
        if not n or side is Vector.FRONT
    ]
    split = (shares(hits, len(struck)) for hits in range(charts().dice["most"] + 1))
    return tuple(sum(table[n] for table, n in zip(struck, each, strict=True)) for each in split)


def _mean(
    attack: DiceSide, defence: DiceSide, hurt: tuple[float, ...], back: tuple[float, ...]
) -> Cost:
    law = clash(attack, defence, Stakes(hurt, back))
    total = sum(law.values())
    on_target = sum(weight * hurt[min(hits.target, len(hurt) - 1)] for hits, weight in law.items())
    on_party = sum(
        weight * back[min(hits.attackers, len(back) - 1)] for hits, weight in law.items()
    )
    return Cost(on_target / total, on_party / total)


@lru_cache(maxsize=1 << 12)
def camp_cost(lead: Fighter, support: int, decides: bool, ground: tuple[int, int]) -> Cost:
    """Return the mean costs of an attack on a camp without a unit on it (BB 12), by the dice of all supporters."""
    chart = charts().dice
    own = lead.base + lead.ranks + support + ground[0] + lead.gains[0]
    own += chart["immortal"] * lead.counter.is_immortal
    attack = DiceSide(
        min(own, chart["most"]),
        *_faces(lead, chart["hits_to"]),
        chart["attacker_rerolls"] + lead.leaders + lead.gains[3],
    )
    cancels = FACES + 1 - chart["cancels_from"]
    defence = DiceSide(chart["camp"] + ground[1], chart["hits_to"], cancels)
    return _mean(attack, defence, camp_costs(decides=decides), costs(lead.condition))


@lru_cache(maxsize=1 << 12)
def volley_cost(dice: int, target: Fighter, more: int) -> float:
    """Return the mean cost of a volley at a unit that has `more` dice for ground and turning (BB 8.5)."""
    chart = charts().dice
    armour = target.side.missile_defence + more + chart["wall"] * target.wall
    hurt = costs(target.condition, ranged=True)
    attack = DiceSide(min(dice, chart["most"]), chart["hits_to"], 0)
    cancels = FACES + 1 - chart["cancels_from"]
    defence = DiceSide(min(armour, chart["most"]), 0, cancels)
    return _mean(attack, defence, hurt, (0.0,)).target


def _rings(state: State, player: int) -> tuple[int, int]:
    """Return the squares beside a leader, and those two squares from one; worked out once for a state (BB 9.4.3)."""
    known: dict[int, tuple[int, int]] = vars(state).setdefault("leader_rings", {})
    if player not in known:
        grid = state.setting.grid
        first = second = 0
        for square, who in state.leaders_at.items():
            if state.setting.leaders[who[0]].player == player:
                near = beside(grid)[square]
                first |= near
                second |= grid.around(near) & ~near & ~(1 << square)
        known[player] = first, second
    return known[player]


def dares(
    state: State, one: Fighter, player: int, square: Square, target: Fighter | None, side: Vector
) -> float:
    """Return the chance that a unit in a square commits itself to a melee, without points of cards (BB 9.4.3).

    The target is None for a camp; the `side` is that from where the unit strikes.
    """
    if one.leaders:
        return 1.0
    table = charts().morale
    dice, helps = 1, table["immortal"] * one.counter.is_immortal
    if target is not None:
        if target.disrupted or side is Vector.REAR:
            return 1.0
        dice += target.side.fear[_FEAR[side]]
        if target.counter.is_light and not one.counter.is_light:
            helps += table["bigger"]
    near, far = _rings(state, player)
    helps += table["adjacent"] * (near >> square & 1) + table["nearby"] * (far >> square & 1)
    return holds(min(max(one.steady + helps, 0), FACES), dice)


def blow_cost(
    one: Fighter, target: Fighter, side: Vector, chance: float, ground: tuple[int, int]
) -> Cost:
    """Return the mean costs of an attack by one unit that dares it with a chance; see `melee_cost`."""
    cost = melee_cost((one,), target, (side,), ground)
    return Cost(chance * cost.target, chance * cost.attackers)


class Attacker(NamedTuple):
    """A unit that may strike a target."""

    unit: int
    fighter: Fighter
    side: Vector
    ahead: bool
    """Whether it is straight before the target."""
    dares: float
    """The chance that it commits itself."""
    ground: int
    """Dice more for the enemy of a unit on its ground."""


def party_cost(party: Sequence[Attacker], target: Fighter, ground: int) -> Cost:
    """Return the mean costs of an attack by some units, over who of them commits himself."""
    loose = [one for one in party if one.dares < 1.0]
    hurt = back = 0.0
    for who in product((True, False), repeat=len(loose)):
        chance, missing = 1.0, set[int]()
        for one, comes in zip(loose, who, strict=True):
            chance *= one.dares if comes else 1.0 - one.dares
            if not comes:
                missing.add(one.unit)
        those = [one for one in party if one.unit not in missing]
        if those and chance:
            cost = committed_cost(those, target, ground)
            hurt += chance * cost.target
            back += chance * cost.attackers
    return Cost(hurt, back)


def committed_cost(party: Sequence[Attacker], target: Fighter, ground: int) -> Cost:
    """Return the mean costs of an attack by units that are committed; the best of those who can lead leads."""
    able = (
        [one for one in party if one.ahead]
        or [one for one in party if one.side is Vector.FRONT]
        or list(party)
    )
    lead = max(able, key=lambda one: (one.fighter.ranks, one.fighter.base, -one.unit))
    order = [lead, *sorted((one for one in party if one is not lead), key=lambda one: one.unit)]
    return melee_cost(
        tuple(one.fighter for one in order),
        target,
        tuple(one.side for one in order),
        (ground, lead.ground),
    )
