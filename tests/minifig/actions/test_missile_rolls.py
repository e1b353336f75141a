"""What hits do: rows of the chart of missiles, sieges, and where spears lie (MF Projectiles)."""

from fractions import Fraction
from math import cos, dist, radians, sin
from statistics import mean

import pytest

from brickphys.minifig.missiles import aimed_brick
from brickphys.minifig.setting import Options, WallSpec
from brickphys.minifig.shooting import BreachRoll, HitRoll, MeleeHitRoll, ShotRoll
from brickphys.odds.law import BinomialLaw
from brickphys.projectiles.shot import PHASES
from brickphys.rules.rolls import BrickRoll
from tests.minifig.small_battle import battle, fighter

WALL = WallSpec("keep", 20.0, 20.0, 0.0, 8, 3)
TOM, BOB, BILL = range(3)
BIG, SMALL = range(2)


def shot(weapon, target=BOB, wall=None):
    """A battle that waits for a shot of tom."""
    arms = [weapon] if weapon in ("bow", "crossbow", "spear") else []
    state = battle(
        fighter("tom", 5, 10, *arms),
        fighter("bob", 18, 10, "axe", "shield", player=1, horse="nag"),
        fighter("bill", 19.4, 10.3, player=1),
        things={
            "big": ("big_catapult", 5.0, 11.6),
            "small": ("small_catapult", 5.0, 8.9),
            "nag": ("horse", 0, 0),
        },
        walls=(WALL,),
    )
    thing = {"big_catapult": BIG, "small_catapult": SMALL}.get(weapon)
    target = None if wall is not None else target
    return state.push_pending(ShotRoll(TOM, 0 if arms else None, thing, target, wall))


def settled(state, *outcomes):
    """The state after outcomes of what is pending, one after the other."""
    for outcome in outcomes:
        roll = state.pending[0]
        assert not roll.problems(state)
        state = roll.settle(state.pop_pending(), outcome)
    return state


@pytest.mark.parametrize("weapon", ["bow", "crossbow", "spear"])
def test_who_is_knocked_over_by_a_bb_is_eliminated_without_bricks(weapon):
    state = settled(shot(weapon), "bill knocked over")
    assert state.alive == (TOM, BOB)
    assert not state.pending


@pytest.mark.parametrize(
    ("weapon", "outcome", "bricks"),
    [
        ("spear", "bob hit", 3),
        ("bow", "bob hit", 3),
        ("crossbow", "bob hit", 3),
        ("small_catapult", "bob direct", 3),
        ("small_catapult", "bob bounced", 2),
        ("big_catapult", "bob direct", 5),
        ("big_catapult", "bob bounced", 4),
    ],
)
def test_bricks_after_a_hit_and_one_on_its_side_eliminates(weapon, outcome, bricks):
    state = settled(shot(weapon), outcome)
    assert state.event == BrickRoll(bricks)
    assert settled(state, 0).alive == (TOM, BOB, BILL)
    for score in (1, bricks):
        assert settled(state, score).alive == (TOM, BILL)
    none = state.event.law(BinomialLaw(Fraction(1, 4)))[0]
    assert none == Fraction(3, 4) ** bricks


@pytest.mark.parametrize("weapon", ["bow", "spear", "small_catapult", "big_catapult"])
def test_a_miss_and_a_stone_that_rolls_do_nothing(weapon):
    state = settled(shot(weapon), "miss")
    assert (state.alive, state.pending) == ((TOM, BOB, BILL), ())


def test_a_stone_that_hits_two_throws_bricks_for_each():
    state = settled(shot("big_catapult"), "bob direct, bill bounced")
    assert state.pending == (
        HitRoll(BOB, "big_catapult", "direct"),
        HitRoll(BILL, "big_catapult", "bounced"),
    )
    assert settled(state, 2, 0).alive == (TOM, BILL)
    assert settled(state, 1, 4).alive == (TOM,)


def test_the_dead_leave_what_they_held_and_their_horse():
    state = settled(shot("bow"), "bob knocked over")
    assert [(one.holder, one.at_in) for one in state.items[1:]] == [(None, (18.0, 10.0))] * 2
    assert (state.riders, state.things[2].place_in) == ({}, (18.0, 10.0))


@pytest.mark.parametrize(
    ("weapon", "outcome", "holder", "place"),
    [
        ("spear", "miss", None, (18.0, 10.0)),  # where it was aimed at
        ("spear", "bill hit", None, (19.4, 10.3)),
        ("spear", "bill knocked over", None, (19.4, 10.3)),
        ("spear", "bob hit", None, (18.0, 10.0)),
        ("bow", "miss", TOM, None),
    ],
)
def test_a_spear_lies_where_it_hit_or_where_it_was_aimed_at(weapon, outcome, holder, place):
    state = settled(shot(weapon), outcome)
    assert (state.items[0].holder, state.items[0].at_in) == (holder, place)


def test_a_siege_throws_five_bricks_and_takes_one_brick_out_where_it_hit():
    state = settled(shot("big_catapult", wall=0), "keep brick 4")
    assert state.pending == (BreachRoll(0, 4, "big_catapult"),)
    assert state.event == BrickRoll(5)
    assert settled(state, 0).walls == ((),)
    for score in (1, 5):
        assert settled(state, score).walls == ((4,),)


@pytest.mark.parametrize("bearing", range(0, 360, 20))
def test_from_any_side_the_nearest_brick_is_aimed_at_and_of_those_the_highest(bearing):
    """By the middles of the bricks, from six inches round a turned wall of which some bricks are out."""
    wall = WallSpec("keep", 20.0, 20.0, 35.0, 12, 3)
    place = (20.0 + 6.0 * cos(radians(bearing)), 20.0 + 6.0 * sin(radians(bearing)))
    state = battle(fighter("tom", *place), fighter("bob", 40, 30, player=1), walls=(wall,))
    for out in ((), (0, 3, 6), (1, 2, 4, 7)):
        left = [number for number in range(len(wall.spans)) if number not in out]

        def order(number):
            first, end, course = wall.spans[number]
            corners = wall.corners_in(first, end)
            middle = mean(x for x, _ in corners), mean(y for _, y in corners)
            return round(dist(middle, place), 4), -course

        assert aimed_brick(state.replaced({"walls": (out,)}), 0, place) == min(left, key=order)


def test_the_events_of_a_shot_have_the_law_of_the_shot():
    state = shot("bow")
    event = state.event
    law = event.law(BinomialLaw(Fraction(1, 4)))
    assert sum(law.values()) == 1
    assert event.problems("bob hit") == []
    assert event.problems("tom hit")
    for outcome in law:
        settled(state, outcome)


@pytest.mark.parametrize(
    ("roll", "words"),
    [
        (ShotRoll(TOM, 0, BIG, BOB, None), "needs a weapon or a catapult"),
        (ShotRoll(TOM, None, 2, BOB, None), "needs a weapon or a catapult"),
        (ShotRoll(BOB, 0, None, TOM, None), "does not hold the weapon"),
        (ShotRoll(TOM, None, BIG, BOB, 0), "needs a figure or a wall"),
        (ShotRoll(TOM, None, BIG, TOM, None), "no possible target"),
        (ShotRoll(TOM, 0, None, BILL, None), "a shot at a dead figure"),
        (HitRoll(BOB, "big_catapult", "rolled"), "no bricks after a rolled hit by 'big_catapult'"),
        (HitRoll(BOB, "sling", "direct"), "no bricks after a direct hit by 'sling'"),
        (HitRoll(BILL, "bow", "direct"), "a hit on a dead figure"),
        (BreachRoll(0, 1, "small_catapult"), "'small_catapult' cannot besiege a wall"),
        (BreachRoll(0, 99, "big_catapult"), "brick: 99 is not from 0 to 6"),
        (BreachRoll(0, 3, "big_catapult"), "brick 3 of keep is out"),
    ],
)
def test_what_cannot_be_pending(roll, words):
    state = shot("bow").replaced({"walls": ((3,),)}).eliminated(BILL)
    (problem,) = roll.problems(state)
    assert words in problem


def test_a_hit_after_a_bounce_says_so():
    state = shot("big_catapult")
    words = {how: HitRoll(BILL, "big_catapult", how).event(state).reason for how in PHASES[:2]}
    assert words == {
        "direct": "bill is hit by a big catapult",
        "bounced": "bill is hit by a big catapult after a bounce",
    }


def melee_shot(weapon):
    """Tom shoots at bob, who fights ann and al; bill stands apart."""
    return battle(
        fighter("tom", 5, 10, weapon),
        fighter("bob", 18, 10, player=1),
        fighter("bill", 24, 10, player=1),
        fighter("ann", 18.65, 10),
        fighter("al", 17.35, 10),
        options=Options(no_missiles_in_contact=False),
    ).push_pending(ShotRoll(TOM, 0, None, BOB, None))


ANN, AL = 3, 4


def test_with_the_option_off_a_shot_into_a_melee_strikes_any_figure_of_it():
    """MF Projectiles is silent: each figure of the melee is as likely, whichever the missile came to."""
    for met in ("bob", "ann", "al"):
        state = settled(melee_shot("bow"), f"{met} hit")
        assert state.pending == (MeleeHitRoll((BOB, ANN, AL), "bow", "hit"),)
        law = state.event.law(BinomialLaw(Fraction(1, 4)))
        assert law == dict.fromkeys(["bob", "ann", "al"], Fraction(1, 3))
        assert settled(state, "al").pending == (HitRoll(AL, "bow", "direct"),)
    felled = settled(melee_shot("spear"), "al knocked over", "ann")
    assert felled.alive == (TOM, BOB, BILL, AL)
    assert felled.items[0].at_in == (17.35, 10.0)


def test_who_fights_nobody_is_struck_as_the_shot_says():
    state = settled(melee_shot("bow"), "bill hit")
    assert state.pending == (HitRoll(BILL, "bow", "direct"),)
    by_rule = settled(shot("bow"), "bill hit")
    assert by_rule.pending == state.pending


def test_a_figure_of_a_melee_that_has_fallen_is_not_struck_again():
    roll = MeleeHitRoll((BOB, ANN, AL), "bow", "hit")
    state = melee_shot("bow").pop_pending().eliminated(ANN)
    assert set(roll.event(state).law(BinomialLaw(Fraction(1, 4)))) == {"bob", "al"}
    assert not roll.lapses(state)
    assert roll.lapses(state.eliminated(BOB).eliminated(AL))


@pytest.mark.parametrize(
    "roll",
    [
        MeleeHitRoll((AL, BOB), "bow", "hit"),
        MeleeHitRoll((), "bow", "hit"),
        MeleeHitRoll((BOB, AL), "big_catapult", "rolled"),
        MeleeHitRoll((BOB, AL), "big_catapult", "knocked over"),
        MeleeHitRoll((BOB, AL), "sling", "hit"),
    ],
)
def test_which_hits_in_a_melee_cannot_be_pending(roll):
    assert len(roll.problems(melee_shot("bow"))) == 1
