"""What a shot may do: its weights against the laws of projectiles, and shots flown one by one (MF Projectiles)."""

from dataclasses import replace
from math import radians

import numpy as np
import pytest

from brickphys.minifig.missiles import MISS, TOTAL, Goal, kill_chance, shot_weights, standing_bricks
from brickphys.minifig.setting import WallSpec
from brickphys.minifig.sheets import charts
from brickphys.minifig.shooting import ShotRoll
from brickphys.projectiles.shot import aim_law, shot_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import Scatter, weapon
from tests.minifig.small_battle import battle, fighter
from tests.projectiles.aim.brute_force import first_met

INCH = 25.4
LAW = pytest.approx
KEEP = WallSpec("keep", 20.0, 10.0, 0.0, 8, 4)
SHOOTER, BOB, BILL, DOG, RIDER = range(5)
"""Blue stands in a crowd, partly one behind the other."""
BLUE = [("bob", 20, 10, 180.0), ("bill", 21.2, 10.4, 200.0)]


def crowd(*arms, thing=None, walls=()):
    things = {"nag": ("horse", 0, 0), **({} if thing is None else {"engine": (thing, 2.0, 10.0)})}
    return battle(
        fighter("tom", 2, 11.6 if thing else 10, *arms),
        *(fighter(name, x, y, player=1, facing=facing) for name, x, y, facing in BLUE),
        fighter("rex", 18.5, 9.7, kind="dog", player=1, facing=90.0),
        fighter("sir", 24, 10.2, player=1, facing=180.0, horse="nag"),
        things=things,
        walls=walls,
    )


def on_table(state):
    """The figures in the order of their numbers, without the shooter, made by hand."""
    bodies = ("foot", "foot", "dog", "rider")
    return [
        Standing(target(body), one.x_in * INCH, one.y_in * INCH, one.facing_deg)
        for body, one in zip(bodies, state.figures[1:], strict=True)
    ]


NAMES = ("bob", "bill", "rex", "sir")


@pytest.mark.parametrize("missile", charts().missiles)
@pytest.mark.parametrize("goal", [BOB, RIDER])
def test_weights_sum_to_a_million(missile, goal):
    thing = missile if missile.endswith("catapult") else None
    state = crowd(thing=thing)
    if missile == "spear":
        state = state.with_figure(SHOOTER, state.figures[SHOOTER].at((8.0, 10.0), 0.0))
    weights = shot_weights(state, missile, SHOOTER, 1 if thing else None, Goal(goal))
    assert sum(weight for _, weight in weights) == TOTAL
    assert all(weight > 0 for _, weight in weights)
    assert weights[-1][0] == MISS


@pytest.mark.parametrize("missile", ["bow", "crossbow"])
def test_a_bb_hits_and_knocks_over_as_its_law_says(missile):
    state = crowd(missile)
    weights = dict(shot_weights(state, missile, SHOOTER, None, Goal(BOB)))
    law = shot_law(weapon(missile), (2 * INCH, 10 * INCH), on_table(state), 0)
    second = np.zeros(4)
    for (_, _, other, _), share in law.aim.pairs.items():
        second[other] += share  # a BB that has met a dog goes on: it counts for the dog alone
    for number, name in enumerate(NAMES):
        knocked, hit = (weights.get(f"{name} {how}", 0) / TOTAL for how in ("knocked over", "hit"))
        assert knocked + hit == LAW(law.aim.hit[number] - second[number], abs=2e-6)
        if not second[number]:
            assert knocked == LAW(float(law.knocked_by(number).share), abs=2e-6)
    assert weights[MISS] / TOTAL == LAW(law.aim.miss, abs=5e-6)
    assert weights["sir hit"] > 10 * weights.get("sir knocked over", 0)  # a rider hardly falls


@pytest.mark.parametrize("missile", ["small_catapult", "big_catapult"])
def test_a_stone_hits_as_its_law_says_and_rolls_without_effect(missile):
    state = crowd(thing=missile)
    weights = dict(shot_weights(state, missile, SHOOTER, 1, Goal(BOB)))
    law = aim_law(weapon(missile), (2 * INCH, 10 * INCH), on_table(state), 0)
    for number, name in enumerate(NAMES):
        for phase, how in enumerate(("direct", "bounced")):
            share = sum(w for text, w in weights.items() if f"{name} {how}" in text.split(", "))
            assert share / TOTAL == LAW(law.by_phase[number, phase], abs=2e-5)
    assert not any("rolled" in text for text in weights)
    both = sum(w for text, w in weights.items() if text.count(",") == 1)
    pairs = sum(p for (_, how, _, then), p in law.pairs.items() if how < 2 and then < 2)
    assert both / TOTAL == LAW(pairs, abs=2e-5)
    assert bool(both) == (missile == "big_catapult" or pairs > 1e-6)


def test_one_big_stone_may_hit_two_figures_and_no_small_one_a_third():
    weights = dict(shot_weights(crowd(thing="big_catapult"), "big_catapult", SHOOTER, 1, Goal(BOB)))
    assert weights["bob direct, bill direct"] > 1000
    assert max(text.count(",") for text in weights) == 1


def bricks_hit(weights):
    return {text: w for text, w in weights.items() if " brick " in text}


def test_a_wall_takes_what_it_hides_and_only_the_big_stone_takes_bricks():
    walls = (WallSpec("keep", 19.0, 10.0, 0.0, 8, 3),)
    for missile in ("bow", "small_catapult", "big_catapult"):
        thing = missile if missile != "bow" else None
        at = 1 if thing else None
        free = dict(shot_weights(crowd("bow", thing=thing), missile, SHOOTER, at, Goal(BOB)))
        hidden = crowd("bow", thing=thing, walls=walls)
        weights = dict(shot_weights(hidden, missile, SHOOTER, at, Goal(BOB)))
        bob = [sum(w for text, w in each.items() if "bob" in text) for each in (free, weights)]
        assert bob[1] < (0.6 if missile == "bow" else 0.95) * bob[0]
        assert bool(bricks_hit(weights)) == (missile == "big_catapult")


def test_a_big_stone_that_goes_on_through_a_figure_hits_the_wall_behind_it():
    state = battle(
        fighter("tom", 3, 10),
        fighter("bob", 20, 10, player=1, facing=180.0),
        things={"engine": ("big_catapult", 4.6, 10)},
        walls=(WallSpec("keep", 21.3, 10.0, 0.0, 8, 4),),
    )
    weights = dict(shot_weights(state, "big_catapult", 0, 0, Goal(1)))
    both = sum(w for text, w in weights.items() if text.startswith("bob direct, keep brick "))
    assert both > 0.2 * TOTAL
    assert not any("bounced, keep" in text for text in weights)


def test_a_siege_hits_bricks_directly_as_the_law_says():
    state = crowd(thing="big_catapult", walls=(KEEP,)).replaced({"walls": ((2,),)})
    for number in (BOB, BILL, DOG, RIDER):
        state = state.with_figure(number, state.figures[number].at((40.0, 30.0 + number), 0.0))
    goal = Goal(None, 0, 6)
    weights = bricks_hit(dict(shot_weights(state, "big_catapult", SHOOTER, 1, goal)))
    bricks = standing_bricks(KEEP, (2,))
    assert [number for number, _ in bricks] == [0, 1, 3, 4, 5, 6, 7, 8, 9]
    standing, at = [one for _, one in bricks], (2 * INCH, 10 * INCH)
    law = aim_law(weapon("big_catapult"), at, standing, 5)
    for place, (number, _) in enumerate(bricks):
        share = weights.get(f"keep brick {number}", 0) / TOTAL
        assert share == LAW(law.by_phase[place, 0], abs=2e-6)
    assert law.by_phase[:, 1].sum() > 0.01  # after a bounce no bricks are thrown


def test_bricks_stand_where_the_wall_stands():
    turned = WallSpec("keep", 20.0, 10.0, 30.0, 12, 2)
    wall = turned.target
    for number, one in standing_bricks(turned, ()):
        u, v, z = wall.parts[number].centre_mm
        c, s = np.cos(radians(30.0)), np.sin(radians(30.0))
        assert (one.x_mm, one.y_mm) == LAW((20 * INCH + c * u - s * v, 10 * INCH + s * u + c * v))
        assert one.target.aim_mm == LAW(z)
        assert one.target.parts[0].size_mm == wall.parts[number].size_mm
        assert one.target.is_fixed


def test_the_same_situation_has_the_same_weights_and_is_worked_out_once():
    state = crowd("bow")
    first = shot_weights(state, "bow", SHOOTER, None, Goal(BOB))
    later = state.replaced({"round": 7, "turn": 1})
    assert shot_weights(later, "bow", SHOOTER, None, Goal(BOB)) is first


def test_estimates_of_bots_are_near_the_law_of_a_target_alone():
    state = battle(fighter("tom", 2, 10, "bow"), fighter("bob", 20, 10, facing=180.0, player=1))
    for missile, bricks in (("bow", 3), ("small_catapult", 3), ("big_catapult", 5)):
        law = shot_law(weapon(missile), (2 * INCH, 10 * INCH), [on_side(state)], 0)
        none = (1 - 0.29) ** np.array([bricks, bricks - 1, 0])
        if missile == "bow":
            knocked = float(law.knocked_by(0).share)
            exact = knocked + (law.aim.hit[0] - knocked) * (1 - none[0])
        else:
            exact = float((law.aim.by_phase[0] * (1 - none)).sum())
        assert kill_chance(state, missile, (2.0, 10.0), 1) == LAW(exact, abs=0.03)
    assert kill_chance(state, "spear", (-3.0, 10.0), 1) == 0.0  # beyond its range


def on_side(state):
    one = state.figures[1]
    return Standing(target("foot"), one.x_in * INCH, one.y_in * INCH, one.facing_deg)


@pytest.mark.slow
@pytest.mark.parametrize("missile", ["bow", "small_catapult", "big_catapult"])
def test_weights_agree_with_shots_flown_one_by_one(missile):
    thing = missile if missile != "bow" else None
    state, count = crowd("bow", thing=thing), 10_000
    weights = dict(shot_weights(state, missile, SHOOTER, 1 if thing else None, Goal(BOB)))
    standing = [
        Standing(one.target, one.x_mm - 2 * INCH, one.y_mm - 10 * INCH, one.facing_deg)
        for one in on_table(state)
    ]
    flown = first_met(weapon(missile), standing, 0, count, seed=3)
    for number, name in enumerate(NAMES):
        for phase, how in enumerate(("direct", "bounced")):
            mine = flown[number, phase] if thing else flown[number].sum()
            hows = [f"{name} {how}"] if thing else [f"{name} hit", f"{name} knocked over"]
            first = sum(w for text, w in weights.items() if text.split(", ")[0] in hows) / TOTAL
            error = np.sqrt(max(first * (1 - first), 1 / count) / count)
            assert abs(mine - first) < 4 * error + 0.012, (name, how, mine, first)


def scattered_twice(name):
    """A weapon with twice its scatter."""
    given = weapon(name)
    wide = Scatter(*(2.0 * each for each in vars(given.scatter).values()))
    return replace(given, scatter=wide)


@pytest.mark.parametrize("name", ["small_catapult", "big_catapult"])
def test_a_shot_over_a_wall_has_twice_the_scatter_and_the_wall_is_in_its_way(name):
    """By the law of aim over the bricks and bob, from the catapult; those who are hit directly."""
    wall = WallSpec("keep", 20.0, 10.0, 0.0, 8, 6)
    state = battle(
        fighter("tom", 2, 11.6),
        fighter("bob", 23, 10, player=1, facing=180.0),
        things={"engine": (name, 2.0, 10.0)},
        walls=(wall,),
    )
    roll = ShotRoll(0, None, 0, 1, None)
    weights = dict(shot_weights(state, name, 0, 0, roll.goal(state)))
    bob = Standing(target("foot"), 23 * INCH, 10 * INCH, 180.0)
    bricks = [there for _, there in standing_bricks(wall, ())]
    law = aim_law(scattered_twice(name), (2 * INCH, 10 * INCH), [bob, *bricks], 0)
    direct = sum(weight for hit, weight in weights.items() if "bob direct" in hit)
    assert direct / TOTAL == LAW(law.by_phase[0, 0], abs=1e-5)
    seen = dict(shot_weights(state, name, 0, 0, Goal(1)))
    assert direct < seen["bob direct"]
