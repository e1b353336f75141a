"""What becomes of a unit by its hits: by every roll of its rout check, and as a mean over its hits."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import isclose

from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.odds import melee
from brickphys.blade_and_bow.sheets import Density
from brickphys.odds.distribution import Distribution
from tests.cases import examples

STANDS = st.builds(
    dice_law.UnitCondition,
    st.sampled_from(Density),
    st.integers(0, 3),
    st.booleans(),
    morale=st.integers(1, 5),
    guards=st.integers(0, 2),
    spared=st.integers(0, 1),
    trapped=st.booleans(),
)


@cache
def passes(morale: int, checks: int) -> Fraction:
    """Return the share of all rolls of so many dice in which no face is above the morale."""
    rolls = list(product(range(1, 7), repeat=checks))
    return Fraction(sum(max(roll, default=0) <= morale for roll in rolls), len(rolls))


def by_hand(
    stand: dice_law.UnitCondition, hits: int, ranged: bool
) -> tuple[int, Fraction, Fraction, int]:
    """Return whether it is disrupted, the chances that it recoils and that it routs, and its lost ranks (BB 9.4.7)."""
    hits -= min(hits, stand.spared)
    if stand.density is Density.FLEXIBLE and not ranged:
        hits -= min(hits, 1 + stand.ranks)
    disrupts = int(hits > 0 and not stand.disrupted)
    lost = min(hits - disrupts, stand.ranks)
    left = hits - disrupts - lost
    checks = max((left if ranged else max(left - 1, 0)) - stand.guards, 0)
    holds = passes(stand.morale, checks)
    return disrupts, holds if left else Fraction(0), 1 - holds, lost


@settings(max_examples=examples(0.3))
@given(STANDS, st.booleans())
def test_hits_cost_what_becomes_of_the_unit(stand: dice_law.UnitCondition, ranged: bool) -> None:
    for hits, cost in enumerate(dice_law.costs(stand, ranged=ranged)):
        disrupts, recoils, routs, lost = by_hand(stand, hits, ranged)
        back = dice_law.RECOIL * recoils + dice_law.ROUT * routs
        if stand.trapped and not ranged:
            back = recoils + routs  # either way it is lost
        assert isclose(cost, dice_law.DISRUPTION * disrupts + lost + back)


@settings(max_examples=50)
@given(STANDS, st.lists(st.integers(0, 5), min_size=1, max_size=3), st.booleans())
def test_chances_are_those_of_every_roll_of_the_rout_check(
    stand: dice_law.UnitCondition, counts: list[int], ranged: bool
) -> None:
    """Each of some numbers of hits is as likely."""
    found = [by_hand(stand, count, ranged) for count in counts]
    law = Distribution.from_counts({count: counts.count(count) for count in counts})
    chances, ranks = dice_law.fates("target", stand, law, ranged=ranged)
    means = [sum(column, Fraction(0)) / len(counts) for column in zip(*found, strict=True)]
    names = ["the target is disrupted", "the target recoils, and holds", "the target routs"]
    expected = dict(zip(names, means, strict=False))
    if stand.disrupted:
        del expected["the target is disrupted"]
    assert chances == expected
    if stand.ranks:
        assert ranks["ranks lost by the target"].mean() == means[3]
    else:
        assert not ranks


def test_a_camp_cancels_the_first_hit_and_is_lost_by_the_second() -> None:
    for decides, cost in ((False, dice_law.SACK), (True, dice_law.DECISIVE)):
        assert dice_law.camp_costs(decides=decides) == (0, 0, *[cost] * 7)
    assert dice_law.DECISIVE > dice_law.SACK > 0


def test_the_odds_tell_the_costs_by_which_players_choose() -> None:
    told = f"a disruption {dice_law.DISRUPTION}, a recoil {dice_law.RECOIL}, a rout {dice_law.ROUT}"
    assert f"a lost rank 1, {told}" in " ".join((melee.__doc__ or "").split())
