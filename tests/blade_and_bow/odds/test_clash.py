"""The dice of a melee with re-rolls: by every way in which they fall, and as a mean over single dice."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from brickphys.blade_and_bow.dice_law import EACH_HIT, FACES, DiceSide, Stakes, clash

HIT, BLANK, CANCEL = "hbc"
UNEVEN = Stakes((0.0, 3.0, 4.0, 9.0), (0.0, 1.0, 7.0))


def faces(side):
    return HIT * side.hits + BLANK * (FACES - side.hits - side.cancels) + CANCEL * side.cancels


def remain(attack, defence):
    on_target = attack.count(HIT) - defence.count(CANCEL)
    return max(0, on_target), max(0, defence.count(HIT) - attack.count(CANCEL))


def worth(attack, defence, stakes):
    lost = zip((stakes.target, stakes.attackers), remain(attack, defence), strict=True)
    target, attackers = (values[min(hits, len(values) - 1)] for values, hits in lost)
    return Fraction(target) - Fraction(attackers)


def by_every_die(one, other, stakes):
    """The oracle: every sequence of faces, every plan, in Fractions; sides are kept as sorted texts."""

    def mean(law, value):
        return sum(chance * value(dice) for dice, chance in law)

    def again(dice, which, side):
        rest = dice.replace(which, "", 1)
        return [("".join(sorted(rest + face)), Fraction(1, FACES)) for face in faces(side)]

    @cache
    def plan(attack, defence, rights, left):
        """Return the worth, and the class that is rolled again, "" for none."""
        if rights:
            mine, side, sign, after = attack, one, 1, (rights - 1, left)
        elif left:
            mine, side, sign, after = defence, other, -1, (0, left - 1)
        else:
            return worth(attack, defence, stakes), ""

        def value(dice):
            return plan(dice, defence, *after)[0] if rights else plan(attack, dice, *after)[0]

        ways = [(value(mine), "")]
        ways += [
            (mean(again(mine, which, side), value), which)
            for which in (HIT, BLANK, CANCEL)
            if which in mine
        ]
        best = max(sign * of for of, _ in ways)
        return next(way for way in ways if sign * way[0] == best)

    def follow(attack, defence, rights, left, chance, found):
        if not rights and not left:
            found[remain(attack, defence)] += chance
            return
        which = plan(attack, defence, rights, left)[1]
        side, mine = (one, attack) if rights else (other, defence)
        law = again(mine, which, side) if which else [(mine, Fraction(1))]
        for dice, share in law:
            if rights:
                follow(dice, defence, rights - 1, left, chance * share, found)
            else:
                follow(attack, dice, rights, left - 1, chance * share, found)

    found = Counter()
    rolls = [
        Counter("".join(sorted(r)) for r in product(faces(s), repeat=s.dice)) for s in (one, other)
    ]
    total = FACES ** (one.dice + other.dice)
    for (attack, ways), (defence, others) in product(rolls[0].items(), rolls[1].items()):
        rights = one.rerolls, other.rerolls
        follow(attack, defence, *rights, Fraction(ways * others, total), found)
    return found


def shares(law):
    total = sum(law.values())
    return {tuple(hits): Fraction(weight, total) for hits, weight in law.items()}


@pytest.mark.parametrize("stakes", [EACH_HIT, UNEVEN])
@pytest.mark.parametrize(
    ("attacker", "defender"),
    [
        (DiceSide(1), DiceSide(1)),
        (DiceSide(2, rerolls=1), DiceSide(2, rerolls=1)),
        (DiceSide(3, rerolls=2), DiceSide(2, 1, 3, rerolls=1)),
        (DiceSide(2, 3, 1, rerolls=1), DiceSide(3, 0, 2, rerolls=2)),
        (DiceSide(3, 1, 3, rerolls=1), DiceSide(3, rerolls=0)),
    ],
)
def test_the_law_is_that_of_every_way_in_which_dice_fall_and_are_rolled_again(
    attacker, defender, stakes
):
    assert shares(clash(attacker, defender, stakes)) == by_every_die(attacker, defender, stakes)


def test_dice_that_lie_are_not_rolled():
    law = clash(DiceSide(5, shown=(3, 1, 1)), DiceSide(4, shown=(2, 2, 0)))
    assert dict(law) == {(3, 1): 1}


def test_the_law_is_the_mean_of_those_after_the_dice_are_rolled_one_by_one():
    """Dice that lie, and one in the air: six faces lead to six laws of the same weight."""
    other = DiceSide(3, rerolls=1)
    whole = shares(clash(DiceSide(4, rerolls=2, shown=(1, 1, 1)), other))
    mean = Counter()
    for shown in (2, 1, 1), (1, 2, 1), (1, 1, 2):
        for remains, chance in shares(clash(DiceSide(4, rerolls=2, shown=shown), other)).items():
            mean[remains] += chance / 3
    assert whole == mean


@pytest.mark.parametrize("rights", [(4, 4), (6, 5)])
def test_weights_sum_to_all_ways_also_beyond_64_bits(rights):
    law = clash(*(DiceSide(8, rerolls=each) for each in rights))
    assert sum(law.values()) == FACES ** (16 + sum(rights))
