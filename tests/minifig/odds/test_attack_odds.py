"""Exact odds: of hand-to-hand by every way in which the bricks can fall, of volleys by the laws of missiles."""

from fractions import Fraction
from itertools import product

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.odds import ATTACKERS, DEFENDERS, ELIMINATED, ODDS, attack, table, volley
from brickphys.minifig.sheets import charts
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_file import default_law
from brickphys.projectiles.shot import FINE, shot_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon

THIRD = BinomialLaw(Fraction(1, 3))


def eliminated(attacker, defender, law=THIRD, **options):
    return attack(attacker, defender, law, **options).chances[ELIMINATED]


def by_every_brick(attack_bricks, defence_bricks, ahead=0):
    """The oracle: all 3**n equally likely ways, each brick on a side in one of three."""
    ways = list(product((1, 0, 0), repeat=attack_bricks + defence_bricks))
    won = sum(sum(way[:attack_bricks]) + ahead > sum(way[attack_bricks:]) for way in ways)
    return Fraction(won, len(ways))


def test_odds_by_hand():
    assert eliminated("peasant", "peasant") == Fraction(1, 3)
    assert eliminated("dog", "soldier,shield") == Fraction(2, 9)  # on a side, and the shield not
    assert eliminated("soldier,bow", "peasant") == 1 - Fraction(4, 9)
    assert eliminated("peasant,brown", "peasant") == 1  # a point of experience against nothing
    assert eliminated("peasant", "peasant,brown") == 0


@pytest.mark.parametrize(
    ("attacker", "defender", "bricks"),
    [
        ("soldier,sword", "soldier,shield,helmet", (3, 2)),
        ("soldier,sword,shield,plate,helmet", "soldier,sword", (3, 0)),
        ("soldier,sword,rear", "soldier,armour", (4, 1)),
        ("soldier,sword,rear,downward", "soldier,plate", (5, 2)),
        ("soldier,axe,wall", "peasant,club,wall", (5, 2)),
        ("peasant,spear,mounted", "soldier,mounted", (4, 2)),
        ("peasant,mounted", "peasant,higher", (1, 1)),
        ("soldier,mounted,rear", "dog", (5, 0)),
    ],
)
@pytest.mark.parametrize("colours", [("green", "green"), ("brown", "green"), ("white", "blue")])
def test_odds_are_those_of_every_way_in_which_the_bricks_can_fall(
    attacker, defender, bricks, colours
):
    one, other = map(charts().colours.index, colours)
    pair = f"{attacker},{colours[0]}", f"{defender},{colours[1]}"
    assert eliminated(*pair) == by_every_brick(*bricks, one - other)
    if max(one, other) <= 1:
        more = bricks[0] + one, bricks[1] + other
        assert eliminated(*pair, experience_bricks=True) == by_every_brick(*more)


def test_scores_are_told_with_experience_and_decide_the_attack():
    report = attack("soldier,sword,yellow", "soldier,shield,plate,black", THIRD)
    one, other = report.laws.values()
    assert (min(one), max(one), min(other), max(other)) == (2, 5, 7, 10)
    assert report.chances[ELIMINATED] == 0
    assert sum(report.chances.values()) == 1
    assert "3 bricks (attack 1, weapon 1, soldier 1) and 2 of experience" in report.title


def test_a_tie_saves_the_defender():
    nothing, all_sides = BinomialLaw(Fraction(0)), BinomialLaw(Fraction(1))
    assert eliminated("dog", "peasant", nothing) == 0
    assert eliminated("soldier,sword", "soldier,shield,plate", all_sides) == 0


def test_a_table_is_made_of_the_odds_of_its_pairs():
    found = table(THIRD).table
    assert (found.rows, found.columns) == (ATTACKERS, DEFENDERS)
    for one, row in zip(found.rows, found.chances, strict=True):
        assert row == tuple(eliminated(one, other) for other in found.columns)


def test_a_measured_law_gives_its_doubts_about_the_same_chance():
    law = default_law()
    low, high = attack("soldier,sword", "soldier,shield", law).doubts[ELIMINATED][0]
    assert low < eliminated("soldier,sword", "soldier,shield", law) < high
    assert attack("dog", "dog", THIRD).doubts[ELIMINATED] == (None, None)


@pytest.mark.parametrize(
    ("attacker", "defender", "words"),
    [
        ("knight", "dog", "'knight': unknown kind 'knight'"),
        ("soldier,swort", "dog", "unknown word 'swort': did you mean 'sword'"),
        ("soldier,higher", "dog", "unknown word 'higher'"),
        ("dog", "soldier,rear", "unknown word 'rear'"),
        ("soldier,sword,bow,shield", "dog", "has 2 hands"),
        ("dog,mounted", "dog", "a dog has 0 hands"),
        ("dog", "dog,helmet", "a dog has 0 hands"),
        ("soldier,red,blue", "dog", "one colour, not 2"),
        ("soldier,downward", "dog,higher", "only one of them can stand higher"),
        ("", "dog", "unknown kind ''"),
    ],
)
def test_impossible_figures_are_named(attacker, defender, words):
    with pytest.raises(InvalidValueError, match=words):
        attack(attacker, defender, THIRD)
    with pytest.raises(InvalidValueError, match=words):
        table(THIRD, (attacker,), (defender,))


def test_every_table_has_a_help():
    assert all(tell.__doc__ for tell in ODDS.values())


P = Fraction(1, 4)
LAW = BinomialLaw(P)
INCH = 25.4


def exact(name, inches, body="foot", facing=180.0):
    """The law of one shot at a body alone."""
    return shot_law(
        weapon(name),
        (0.0, 0.0),
        [Standing(target(body), inches * INCH, 0.0, facing)],
        0,
        nodes=FINE,
    )


@pytest.mark.parametrize(("name", "inches", "body"), [("bow", 24, "foot"), ("spear", 12, "dog")])
def test_a_bb_eliminates_who_it_knocks_over_and_others_by_three_bricks(name, inches, body):
    law = exact(name, inches, body)
    knocked, hit = float(law.knocked_by(0).share), float(law.aim.hit[0])
    found = volley(name, LAW, inches, 4, body)
    kill = found.chances["a shot eliminates"]
    assert float(kill) == pytest.approx(knocked + (hit - knocked) * (1 - 0.75**3), abs=1e-5)
    assert found.chances["any of them eliminates"] == 1 - (1 - kill) ** 4
    spread = found.laws["figures that are eliminated"]
    assert spread.probability(2) == 6 * kill**2 * (1 - kill) ** 2
    assert sum(spread.values()) == 1


@pytest.mark.parametrize(("name", "bricks"), [("small_catapult", 3), ("big_catapult", 5)])
def test_a_stone_eliminates_by_bricks_one_less_after_a_bounce_and_none_rolling(name, bricks):
    direct, bounced, _ = exact(name, 30).aim.by_phase[0]
    found = volley(name, LAW, 30)
    expected = direct * (1 - 0.75**bricks) + bounced * (1 - 0.75 ** (bricks - 1))
    assert float(found.chances["a shot eliminates"]) == pytest.approx(expected, abs=1e-5)
    assert float(found.chances["it does nothing"]) == pytest.approx(1 - direct - bounced, abs=1e-5)


def test_a_wall_and_the_side_matter():
    def kill(**given):
        return volley("bow", LAW, 18, **given).chances["a shot eliminates"]

    assert kill(body="foot:wall2") < kill()
    assert kill(side="side") < kill()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"missile": "bwo"}, "unknown missile 'bwo': did you mean 'bow'"),
        ({"missile": "spear"}, "spear: range 24 in must be above 0 and at most 20 in"),
        ({"missile": "bow", "shots": 0}, "shots: 0 is outside 1..60"),
        ({"missile": "bow", "body": "fot"}, "unknown body 'fot'"),
        ({"missile": "bow", "range_in": -1.0}, "bow: range"),
    ],
)
def test_volleys_that_cannot_be(given, says):
    with pytest.raises(InvalidValueError, match=says):
        volley(given.pop("missile"), LAW, **given)


def test_a_stone_over_a_wall_has_twice_the_scatter():
    given = weapon("big_catapult")
    wide = given.scattered(2.0)
    assert vars(wide.scatter) == {name: 2 * each for name, each in vars(given.scatter).items()}
    there = [Standing(target("foot"), 30 * INCH, 0.0, 180.0)]
    direct, *_ = shot_law(wide, (0.0, 0.0), there, 0, nodes=FINE).aim.by_phase[0]
    found = volley("big_catapult", LAW, 30, indirect=True)
    assert float(found.chances["a shot hits directly"]) == pytest.approx(direct, abs=1e-5)
    assert "over a wall that hides it" in found.title


def test_only_catapults_throw_over_walls():
    with pytest.raises(InvalidValueError, match="a bow throws over no wall: small_catapult, big_"):
        volley("bow", LAW, indirect=True)
