"""Contact: one exact law of what comes of two ships that touch, from a ram until one of them is free.

It counts everything once: the lines that a ram crosses off, the minifigs that these cost, the tests of morale of both
crews in the order of initiative with all their causes, and rounds of boarding until a crew is destroyed, yields or
flees (PW Movement, PW Boarding, PW Morale). Crews lose their weakest first, and nobody leaves a fight by choice but a
weaker defender who has won a round.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from brickphys.pirate_wars.damage import Casualty, fighters
from brickphys.pirate_wars.morale import morale_chart, target_number
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import Damage, DamageChart, Line
from brickphys.pirate_wars.state import MoraleCause, Phase, State

FREE, TAKEN, FLED, LOST = range(4)
"""What becomes of a ship: free and manned, taken by the other one, fled, or lost to both (see `contact_kernel`)."""
_CAUSES = (MoraleCause.ADRIFT, MoraleCause.BOARDING, MoraleCause.HALF_CREW)


class Side(NamedTuple):
    """A ship of a contact, with its crew."""

    number: int
    """Its number in the setting."""
    hull: int
    """Open hull lines."""
    sails: int
    """Open sail lines."""
    hands: tuple[tuple[int, int], ...]
    """Melee (or Attack, by an option) and Attack of each of its crew, the weakest first."""
    causes: tuple[bool, bool, bool]
    """Whether it has a cause for a test of morale in this turn: adrift, boarding, half of the crew."""
    busy: tuple[int, int] = (0, 0)
    """Melee and number of those of its crew who have another task in this turn, and do not fight."""
    shooters: tuple[tuple[int, int], ...] = ()
    """Those of its hands who may shoot and have nothing else to do."""

    @property
    def melee(self) -> int:
        """The sum of the crew in a boarding."""
        return sum(value for value, _ in self.hands)


class End(NamedTuple):
    """An end of a contact."""

    chance: float
    fates: tuple[int, int]
    """What becomes of either ship: `FREE`, `TAKEN`, `FLED` or `LOST`."""
    melee: tuple[float, float]
    """The mean sum of Melee that either crew has left."""


def side(state: State, number: int) -> Side:
    """Return a ship as a side of a contact; casualties that its owner is asked for are gone already."""
    setting, ship = state.setting, state.ships[number]
    every = fighters(state, number)
    working = state.working if state.phase is Phase.TASKS else frozenset[int]()
    at_work = [setting.minifigs[one].sheet.melee for one in every if one in working]
    hands = sorted(_values(setting)[one] for one in every if one not in working)
    dead = sum(
        question.count
        for question in state.pending
        if isinstance(question, Casualty) and question.ship == number
    )
    found = [cause for whose, cause in state.causes if whose == number]
    full, left = len(setting.crews[number]), max(len(hands) - dead, 0)
    is_half = MoraleCause.HALF_CREW in found or (2 * (left + len(at_work)) <= full < 2 * len(every))
    causes = MoraleCause.ADRIFT in found, MoraleCause.BOARDING in found, is_half
    busy = sum(at_work), len(at_work)
    hands = hands[len(hands) - left :]
    ready = [_values(setting)[one] for one in marines(state, number) if one not in working]
    return Side(
        number, ship.hull, ship.sails, tuple(hands), causes, busy, _among(hands, sorted(ready))
    )


def _among(
    hands: Sequence[tuple[int, int]], some: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    left = Counter(hands) & Counter(some)
    return tuple(sorted(left.elements()))


def marines(state: State, number: int) -> list[int]:
    """Return who of a crew may shoot and has nothing else to do."""
    specs, now, ship = state.setting.minifigs, state.minifigs, state.ships[number]
    if ship.is_fleeing:
        return []
    return [
        one
        for one in state.crews[number]
        if specs[one].weapon and now[one].is_loaded and not specs[one].sheet.sails
    ]


def after_shots(setting: Setting, shooting: Side, target: Side) -> tuple[Side, Side]:
    """Return both ships after all who may have shot from one at the other: they do not fight in this turn."""
    hits = round(sum(min(attack, 5) / 6 for _, attack in shooting.shooters))
    fighting = sorted((Counter(shooting.hands) - Counter(shooting.shooters)).elements())
    melee, hands = shooting.busy
    busy = melee + sum(value for value, _ in shooting.shooters), hands + len(shooting.shooters)
    full, before = len(setting.crews[target.number]), len(target.hands) + target.busy[1]
    left = target.hands[hits:]
    is_half = target.causes[2] or 2 * (len(left) + target.busy[1]) <= full < 2 * before
    return (
        shooting._replace(hands=tuple(fighting), busy=busy, shooters=()),
        target._replace(
            hands=left,
            causes=(*target.causes[:2], is_half),
            shooters=_among(left, target.shooters),
        ),
    )


@lru_cache(maxsize=64)
def _values(setting: Setting) -> tuple[tuple[int, int], ...]:
    """Return for each minifig its value in a boarding, and its Attack."""
    by_attack = setting.options.boarding_by_attack
    return tuple(
        (one.attack if by_attack else one.sheet.melee, one.attack) for one in setting.minifigs
    )


def hit(one: Side, chart: DamageChart, full: int, hits: int) -> Side:
    """Return a side after hits of a ram on its hull, each line of which costs a minifig (PW Damage Chart)."""
    damage = Damage(one.hull, one.sails)
    for _ in range(hits):
        damage = chart.hit(damage, Line.HULL)
    before = len(one.hands)
    gone = min(one.hull + one.sails - damage.hull - damage.sails, before)
    is_half = one.causes[2] or (2 * (before - gone) <= full < 2 * before)
    causes = one.causes[0], one.causes[1], is_half
    return one._replace(hull=damage.hull, sails=damage.sails, hands=one.hands[gone:], causes=causes)


def rammed(setting: Setting, rammer: Side, target: Side) -> tuple[Side, Side]:
    """Return both ships just after one has rammed the other (PW Movement)."""
    adrift = [one._replace(causes=(True, *one.causes[1:])) for one in (rammer, target)]
    sheets = [setting.ships[one.number].sheet for one in adrift]
    fulls = [len(setting.crews[one.number]) for one in adrift]
    recoil = 1 + (sheets[1].size > sheets[0].size)
    return (
        hit(adrift[0], sheets[0].chart, fulls[0], recoil),
        hit(adrift[1], sheets[1].chart, fulls[1], -(-rammer.sails // 2)),
    )


def hold_chance(one: Side) -> float:
    """Return the probability that a crew passes its test of morale, if it has a cause for one."""
    causes = [cause for cause, holds in zip(_CAUSES, one.causes, strict=True) if holds]
    if not causes or not one.hands:
        return 1.0
    target = target_number(max(attack for _, attack in one.hands), causes)
    return min(max(target, 0), 6) / 6


def ends(
    setting: Setting, sides: Sequence[Side], boards: int | None, first: int | None
) -> tuple[End, ...]:
    """Return how a contact ends.

    `boards` is which of both ships, 0 or 1, orders a boarding in this turn, or is the attacker of one that goes on;
    None if none is: then they are free after the tests of morale. `first` is whose crew is tested first in this turn;
    None if initiative is yet to be rolled.
    """
    one, other = sides
    fulls = len(setting.crews[one.number]), len(setting.crews[other.number])
    return _ends(one.hands, other.hands, one.causes, other.causes, fulls, boards, first)


@lru_cache(maxsize=16384)
def _ends(
    hands: tuple[tuple[int, int], ...],
    other_hands: tuple[tuple[int, int], ...],
    causes: tuple[bool, ...],
    other_causes: tuple[bool, ...],
    fulls: tuple[int, int],
    boards: int | None,
    first: int | None,
) -> tuple[End, ...]:
    import numpy as np

    from brickphys.pirate_wars.helm.contact_kernel import contact_ends

    crews = hands, other_hands
    most = max(len(hands), len(other_hands)) + 1
    melee, attack = np.zeros((2, most)), np.zeros((2, most))
    for number, crew in enumerate(crews):
        best = 0
        for left, (value, its_attack) in enumerate(reversed(crew), 1):
            best = max(best, its_attack)
            melee[number, left], attack[number, left] = melee[number, left - 1] + value, best
    table = contact_ends(
        melee,
        attack,
        np.array(fulls, np.int64),
        np.array([len(crew) for crew in crews], np.int64),
        np.array((causes, other_causes), np.int64),
        -1 if boards is None else boards,
        -1 if first is None else first,
        np.array([morale_chart()[cause][0] for cause in _CAUSES], np.int64),
    )
    return tuple(
        End(chance, (own, its), (sum_melee / chance, its_melee / chance))
        for own, row in enumerate(table.tolist())
        for its, (chance, sum_melee, its_melee) in enumerate(row)
        if chance > 0.0
    )
