"""Who shoots what at whom, sieges, reloading: conditions, and what becomes of the weapon (MF Projectiles)."""

from math import cos, sin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.minifig.missiles import Goal, PlacedBody, aim_fault, standing_figure
from brickphys.minifig.setting import Options, WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import INCH_MM, charts
from brickphys.minifig.shooting import SHOTS, ReloadWeapon, ShotRoll
from brickphys.minifig.state import Deed
from brickphys.projectiles.shot import place_of_aim
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

KEEP = WallSpec("keep", 30.0, 30.0, 0.0, 8, 4)
STATE = battle(
    fighter("tom", 5, 5, "bow"),
    fighter("tim", 5, 10, "crossbow", "spear"),
    fighter("ted", 3, 30, "sword"),
    fighter("rex", 3, 28.4, kind="dog"),
    fighter("bob", 20, 5, "axe", player=1),
    fighter("bill", 30, 10, player=1),
    fighter("ben", 25, 15, player=1, is_alive=False),
    things={
        "big": ("big_catapult", 3.0, 31.6),
        "small": ("small_catapult", 3.0, 27.2),
        "far": ("small_catapult", 10.0, 20.0),
    },
    walls=(KEEP,),
)
TOM, TIM, TED, REX, BOB, BILL = range(6)
BIG = 0


def acting(figure, state=STATE):
    return state.replaced({"active": figure})


@pytest.mark.parametrize(
    ("figure", "actions"),
    [
        (TOM, ["shoot bob", "shoot bill"]),
        (TIM, ["shoot bob", "shoot bill", "throw bob"]),  # a spear flies 20 inches
        (TED, ["launch bob", "launch bill", "besiege keep"]),
        (REX, []),  # a dog touches both catapults
        (BOB, []),
    ],
)
def test_what_each_figure_may_shoot(figure, actions):
    assert listed(SHOTS, acting(figure)) == actions


@pytest.mark.parametrize(
    ("figure", "text", "problem"),
    [
        (TOM, "shoot bbo", "unknown target 'bbo': did you mean 'bob'? (MF Projectiles)"),
        (TOM, "shoot tim", "tim is not an enemy (MF Projectiles)"),
        (TOM, "shoot tom", "tom is not an enemy (MF Projectiles)"),
        (TOM, "shoot ben", "ben is eliminated (MF Projectiles)"),
        (TOM, "throw bob", "tom has no spear in hand (MF Projectiles, MF Reloading)"),
        (TIM, "throw bill", "spear: range 25 in must be above 0 and at most 20 in (MF Projectiles)"),
        (TED, "shoot bob", "ted has no loaded bow or crossbow in hand (MF Projectiles, MF Reloading)"),
        (TOM, "launch bob", "tom has no free loaded catapult that it touches (MF Projectiles, MF Reloading)"),
        (TOM, "besiege keep", "tom has no free loaded big catapult that it touches (MF Projectiles, MF Reloading)"),
        (TED, "besiege bob", "unknown target 'bob': known: keep (MF Projectiles)"),
        (TED, "reload far", "unknown weapon 'far': known: big (MF Reloading)"),
        (TED, "reload big", "big is already loaded (MF Reloading)"),
    ],
)  # fmt: skip
def test_shots_that_cannot_be_made(figure, text, problem):
    (found,) = why_not(acting(figure), text)
    assert found == problem


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(charts().missiles)), st.floats(0.0, 80.0), st.floats(0.0, 6.3))
@example("spear", 20.0, 0.0)
@example("spear", 20.1, 0.0)
@example("bow", 0.2, 0.0)
def test_whom_a_missile_cannot_be_aimed_at_is_as_its_sights_say(missile, apart_in, bearing_rad):
    x, y = STATE.figures[BOB].place_in
    place = x + apart_in * cos(bearing_rad), y + apart_in * sin(bearing_rad)
    body = standing_figure(PlacedBody(BOB, STATE.body(BOB), x, y, 0.0))
    try:
        place_of_aim(
            charts().missiles[missile].weapon, (place[0] * INCH_MM, place[1] * INCH_MM), body
        )
        fault = None
    except InvalidValueError as error:
        fault = str(error)
    assert aim_fault(STATE, missile, place, Goal(BOB)) == fault


def test_a_catapult_throws_over_who_is_too_near():
    near = battle(
        fighter("ted", 5, 5),
        fighter("bob", 9, 5, player=1),
        things={"big": ("big_catapult", 5.0, 6.6)},
        active=0,
    )
    (problem,) = why_not(near, "launch bob")
    assert problem == "big_catapult throws over what is 4.5 in away: too near (MF Projectiles)"


def test_who_shoots_is_done_and_does_not_attack():
    state = played(acting(TOM), "shoot bob")
    assert state.pending == (ShotRoll(TOM, 0, None, BOB, None),)
    assert (state.active, state.figures[TOM].deed) == (None, Deed.OTHER)
    assert state.items[0].is_loaded  # a bow needs no reloading
    assert state.event.question.startswith("a shot (tom shoots at bob with a bow):")


def test_a_crossbow_is_reloaded_for_a_whole_round():
    empty = played(acting(TIM), "shoot bob").replaced({"pending": ()})
    assert not empty.items[1].is_loaded
    again = acting(TIM, empty)
    assert listed(SHOTS, again) == ["throw bob", "reload tim_crossbow"]
    loaded = played(again, "reload tim_crossbow")
    assert loaded.items[1].is_loaded
    assert (loaded.active, loaded.figures[TIM].deed) == (None, Deed.OTHER)


def test_a_catapult_is_reloaded_by_who_touches_it():
    empty = played(acting(TED), "launch bob").replaced({"pending": ()})
    assert not empty.things[BIG].is_loaded
    empty = empty.replaced({"round": 2})
    assert listed(SHOTS, acting(TED, empty)) == ["reload big"]
    assert not listed((ReloadWeapon,), acting(REX, empty))
    assert not listed((ReloadWeapon,), acting(TOM, empty))
    assert played(acting(TED, empty), "reload big").things[BIG].is_loaded


def test_a_catapult_does_one_thing_a_round_whoever_works_it():
    """MF Reloading: a round passes between a shot and the next; bob may touch the sling of his enemies too."""
    crew = battle(
        fighter("tom", 3, 20),
        fighter("tim", 3, 22.2),
        fighter("bob", 4.11, 21.1, player=1),
        fighter("ben", 40, 20, player=1),
        things={"sling": ("small_catapult", 3.0, 21.1)},
    )
    shot = played(acting(0, crew), "launch ben").replaced({"pending": ()})
    for figure in (1, 2):
        assert not listed(SHOTS, acting(figure, shot))
        problem = "sling has shot in this round (MF Reloading)"
        assert why_not(acting(figure, shot), "reload sling") == [problem]
    later = shot.replaced({"round": 2})
    loaded = played(acting(1, later), "reload sling")
    assert not listed(SHOTS, acting(0, loaded))
    assert listed(SHOTS, acting(0, loaded.replaced({"round": 3}))) == ["launch ben"]


def test_a_wall_hides_who_stands_right_behind_it():
    hidden = battle(
        fighter("tom", 5, 16, "bow"),
        fighter("bob", 31, 16, player=1),
        walls=(WallSpec("keep", 30.0, 16.0, 0.0, 8, 5),),
        active=0,
    )
    assert not listed(SHOTS, hidden)
    assert why_not(hidden, "shoot bob") == ["tom cannot see bob (MF Projectiles)"]
    breached = hidden.replaced({"walls": (tuple(range(len(KEEP.spans))),)})
    assert listed(SHOTS, breached) == ["shoot bob"]


def test_a_wall_without_bricks_is_no_target():
    every = tuple(range(len(KEEP.spans)))
    state = acting(TED, STATE.replaced({"walls": (every,)}))
    assert why_not(state, "besiege keep") == ["nothing of keep is left (MF Projectiles)"]
    assert "besiege keep" not in listed(SHOTS, state)


def test_a_rider_works_no_catapult_and_a_small_one_besieges_no_wall():
    rides = battle(
        fighter("ted", 3, 20, "bow", horse="nag"),
        fighter("bob", 40, 20, player=1),
        things={"small": ("small_catapult", 3.0, 21.1), "nag": ("horse", 0, 0)},
        walls=(KEEP,),
        active=0,
    )
    assert listed(SHOTS, rides) == ["shoot bob"]
    dismounted = rides.change_figure(0, horse=None)
    assert listed(SHOTS, dismounted) == ["shoot bob", "launch bob"]


SHOOT_ANYHOW = Options(no_missiles_in_contact=False)
NO_MISSILE = "touches an enemy: no missile is shot by or at it (option no_missiles_in_contact)"


def skirmish(options=None):
    """Ann fights bob; tom, who works a sling, and ben stand free."""
    return battle(
        fighter("ann", 10, 10, "bow", "spear"),
        fighter("tom", 3, 10, "bow"),
        fighter("bob", 10.65, 10, player=1),
        fighter("ben", 25, 20, player=1),
        things={"sling": ("small_catapult", 3.0, 11.1)},
        options=options,
        active=0,
    )


def test_nobody_shoots_in_contact_with_an_enemy_or_at_who_is():
    """MF Projectiles is silent; by default a missile is shot neither by nor at a figure that touches an enemy."""
    state = skirmish()
    assert listed(SHOTS, state) == []
    for text in ("shoot ben", "throw bob"):
        assert why_not(state, text) == [f"ann {NO_MISSILE} (MF Projectiles)"]
    by_tom = acting(1, state)
    assert listed(SHOTS, by_tom) == ["shoot ben", "launch ben"]
    assert why_not(by_tom, "launch bob") == [f"bob {NO_MISSILE} (MF Projectiles)"]
    pending = ShotRoll(1, 2, None, 2, None)
    assert pending.problems(state) == [f"pending: bob {NO_MISSILE}"]


def test_with_the_option_off_everybody_shoots_at_everybody():
    state = skirmish(SHOOT_ANYHOW)
    assert listed(SHOTS, state) == ["shoot bob", "shoot ben", "throw bob", "throw ben"]
    assert listed(SHOTS, acting(1, state)) == ["shoot bob", "shoot ben", "launch bob", "launch ben"]


def test_a_besieger_in_contact_does_not_shoot_either():
    state = acting(TED).with_figure(BOB, STATE.figures[BOB].at((3.65, 30.0), 0.0))
    assert listed(SHOTS, state) == []
    assert why_not(state, "besiege keep") == [f"ted {NO_MISSILE} (MF Projectiles)"]


def behind(courses=5, weapon="small_catapult", zones=()):
    """Bob stands behind a wall; ann has a bow, and tom works a catapult."""
    return battle(
        fighter("ann", 5, 16, "bow"),
        fighter("tom", 5, 18),
        fighter("bob", 33, 16, player=1),
        things={"sling": (weapon, 5.0, 19.1 if weapon == "small_catapult" else 19.6)},
        walls=(WallSpec("keep", 30.0, 16.0, 0.0, 8, courses),),
        zones=zones,
    )


@pytest.mark.parametrize("weapon", ["small_catapult", "big_catapult"])
def test_a_catapult_throws_over_a_wall_at_whom_it_hides(weapon):
    """MF Projectiles is silent: only catapults shoot at who is not seen, and only walls are thrown over."""
    state = behind(weapon=weapon)
    assert why_not(acting(0, state), "shoot bob") == ["ann cannot see bob (MF Projectiles)"]
    assert "launch bob" in listed(SHOTS, acting(1, state))
    shot = played(acting(1, state), "launch bob")
    assert shot.pending[0].goal(shot) == Goal(2, is_hidden=True)
    kind = weapon.replace("_", " ")
    question = f"a shot (tom shoots at bob, whom a wall hides, with a {kind}):"
    assert shot.event.question.startswith(question)


def test_who_is_seen_over_a_low_wall_is_shot_at_as_ever():
    shot = played(acting(1, behind(courses=1)), "launch bob")
    assert not shot.pending[0].goal(shot).is_hidden


def test_nobody_throws_over_a_hill_that_hides_the_target():
    corners = ((20.0, 10.0), (22.0, 10.0), (22.0, 22.0), (20.0, 22.0))
    state = acting(1, behind(courses=1, zones=(Zone(ZoneKind.HILL, corners, 12),)))
    assert listed(SHOTS, state) == []
    problem = "tom cannot see bob: a hill is in the way (MF Projectiles)"
    assert why_not(state, "launch bob") == [problem]
