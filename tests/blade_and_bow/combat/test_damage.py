"""What hits do to a unit by its density, and how they are spread over attackers (BB 9.4.7, 8.5.3, 9.4.4.4)."""

from itertools import product

import pytest

from brickphys.blade_and_bow.combat.hits import UnitDamage, damage, shares
from brickphys.blade_and_bow.sheets import Density

OPEN, DENSE, FLEXIBLE = Density.OPEN, Density.DENSE, Density.FLEXIBLE


def naive(density: Density, disrupted: bool, ranks: int, hits: int, ranged: bool) -> UnitDamage:
    """Apply one hit after the other."""
    ignored = ranks + 1 if density is FLEXIBLE and not ranged else 0
    disrupts, lost, recoils, checks = False, 0, False, 0
    for hit in range(hits):
        if hit < ignored:
            continue
        if not disrupted:
            disrupted = disrupts = True
        elif lost < ranks:
            lost += 1
        elif ranged:
            recoils, checks = True, checks + 1
        elif not recoils:
            recoils = True
        else:
            checks += 1
    return UnitDamage(disrupts, lost, recoils, checks)


def test_damage_is_that_of_one_hit_after_the_other() -> None:
    for density, disrupted, ranged, hits in product(
        Density, (False, True), (False, True), range(9)
    ):
        for ranks in range(1 if density is OPEN else 6):
            case = density, disrupted, ranks, hits, ranged
            assert damage(*case) == naive(*case), case


@pytest.mark.parametrize(
    ("density", "disrupted", "ranks", "hits", "found"),
    [
        (OPEN, False, 0, 3, UnitDamage(True, 0, True, 1)),  # 9.4.7.1, the peltast
        (OPEN, True, 0, 3, UnitDamage(False, 0, True, 2)),
        (OPEN, False, 0, 4, UnitDamage(True, 0, True, 2)),
        (DENSE, False, 2, 5, UnitDamage(True, 2, True, 1)),  # 9.4.7.2, the hoplite
        (DENSE, True, 2, 5, UnitDamage(False, 2, True, 2)),
        (FLEXIBLE, False, 2, 5, UnitDamage(True, 1)),  # 9.4.7.3, the maniple
        (FLEXIBLE, True, 2, 5, UnitDamage(False, 2)),
        (FLEXIBLE, True, 2, 6, UnitDamage(False, 2, True)),
        (FLEXIBLE, True, 2, 7, UnitDamage(False, 2, True, 1)),
    ],
)
def test_examples_of_the_book(
    density: Density, disrupted: bool, ranks: int, hits: int, found: UnitDamage
) -> None:
    assert damage(density, disrupted, ranks, hits) == found


def test_hits_are_spread_evenly_and_the_lead_has_the_odd_one() -> None:
    assert shares(5, 2) == (3, 2)
    assert shares(7, 3) == (3, 2, 2)
    assert shares(1, 3) == (1, 0, 0)
    for hits, count in product(range(9), range(1, 5)):
        found = shares(hits, count)
        assert sum(found) == hits
        assert list(found) == sorted(found, reverse=True)
        assert found[0] - found[-1] <= 1
