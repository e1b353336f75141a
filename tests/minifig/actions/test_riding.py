"""Mounting and dismounting (MF Rules, MF Picking Up Weapons)."""

from math import dist

import pytest

from brickphys.minifig.actions import PickUp, TakeFigure
from brickphys.minifig.movement import Dismount, Go, Mount
from brickphys.minifig.state import FigureStep
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

TYPES = (TakeFigure, Go, Mount, Dismount, PickUp)
STATE = battle(
    fighter("tom", 5, 5, "sword"),
    fighter("rex", 5, 6.3, kind="dog"),
    fighter("kit", 5, 20, facing=90.0, horse="roan"),
    fighter("ben", 5.65, 20, player=1),
    things={
        "bay": ("horse", 5, 5.65),
        "roan": ("horse", 0, 0),
        "cart": ("wagon", 6.35, 5),
        "grey": ("horse", 30, 30),
    },
)


def test_who_mounts_stands_where_the_horse_is_and_faces_as_it_does():
    state = STATE.change_thing(0, facing_deg=180.0)
    assert listed((Mount,), state.replaced({"active": 0})) == ["mount bay"]
    state = played(TYPES, state, "take tom", "mount bay")
    rider = state.figures[0]
    assert (rider.place_in, rider.facing_deg, rider.horse) == ((5, 5.65), 180, 0)
    assert state.riders == {0: 0, 1: 2}
    assert state.body(0) == "rider"


@pytest.mark.parametrize(
    ("name", "horse", "problem"),
    [
        ("tom", "bey", "unknown horse 'bey': did you mean 'bay'? (MF Rules)"),
        ("tom", "cart", "unknown horse 'cart': known: bay, roan, grey (MF Rules)"),
        ("tom", "roan", "kit rides roan (MF Rules)"),
        ("tom", "grey", "tom does not touch grey (MF Rules)"),
        ("kit", "bay", "kit already rides (MF Rules)"),
        ("rex", "bay", "rex has no hands to ride with (MF Rules)"),
    ],
)
def test_who_cannot_mount(name, horse, problem):
    state = played(TYPES, STATE, f"take {name}")
    assert why_not(TYPES, state, f"mount {horse}") == [problem]
    assert f"mount {horse}" not in listed((Mount,), state)


def test_a_rider_dismounts_beside_the_horse_where_nobody_stands():
    state = played(TYPES, STATE, "take kit")
    spots = listed((Dismount,), state)
    assert len(spots) == 11  # of 16, five overlap ben
    for spot in spots:
        on_foot = played(TYPES, state, spot)
        place, horse = on_foot.figures[2].place_in, on_foot.things[1]
        assert on_foot.step is FigureStep.ON_FOOT
        assert on_foot.figures[2].horse is None
        assert 0.63 <= dist(place, horse.place_in) <= 0.68
        assert (horse.place_in, horse.facing_deg) == ((5, 20), 90)


@pytest.mark.parametrize(
    ("spot", "part"),
    [
        ("5 19", "5 19 is 0.37 in from the base of the horse, not beside it (MF Rules)"),
        (
            "5.1234 18.7654",
            "5.12 18.77 is 0.61 in from the base of the horse, not beside it (MF Rules)",
        ),
        ("5.6 20.2", "(MF Movement)"),  # on ben
        ("5 19.8", "(MF Movement)"),  # on the horse
    ],
)
def test_where_nobody_dismounts(spot, part):
    (problem,) = why_not(TYPES, played(TYPES, STATE, "take kit"), f"dismount {spot}")
    assert problem.endswith(part)


def test_nobody_dismounts_who_does_not_ride():
    state = played(TYPES, STATE, "take tom")
    assert why_not(TYPES, state, "dismount 5 4") == ["tom does not ride (MF Rules)"]
    assert not listed((Dismount,), state)


def riding_past(item_y: float):
    """Kit, who rides by a weapon that lies so far from the way."""
    return battle(
        fighter("kit", 5, 20, "axe", horse="roan"),
        things={"roan": ("horse", 0, 0)},
        lying={"club": ("club", 20, item_y)},
    )


@pytest.mark.parametrize(("item_y", "can"), [(20.5, True), (21.3, True), (21.4, False)])
def test_after_a_move_a_rider_dismounts_only_to_pick_something_up(item_y, can):
    state = played(TYPES, riding_past(item_y), "take kit", "go 20 20 0")
    assert (state.step is FigureStep.MOVED) == can
    spots = listed((Dismount,), state)
    assert bool(spots) == can
    for spot in spots:
        assert listed((PickUp,), played(TYPES, state, spot)) == ["pick_up club"]


def test_a_dismount_to_no_purpose_is_told():
    state = played(TYPES, riding_past(20.9), "take kit", "go 20 20 0")
    assert why_not(TYPES, state, "dismount 20 19.36") == [
        "kit has moved: it can dismount now only to pick something up (MF Rules)"
    ]


def test_two_things_at_one_place_are_one_reason_to_dismount():
    state = battle(
        fighter("kit", 5, 20, horse="roan"),
        things={"roan": ("horse", 0, 0)},
        lying={"club": ("club", 5.9, 20.7), "axe": ("axe", 5.9, 20.7)},
    )
    spots = listed((Dismount,), played(TYPES, state, "take kit"))
    assert len(spots) == len(set(spots)) == 17


ONE_RIDER = "roan has carried a rider in this round, and takes no other (MF Rules)"


def relay(**changes):
    """Kit rides roan up to tom; the club there is a reason to dismount after a move."""
    return battle(
        fighter("kit", 5, 20, horse="roan"),
        fighter("tom", 20, 20.65),
        fighter("ben", 30, 5, player=1),
        things={"roan": ("horse", 0, 0)},
        lying={"club": ("club", 20.9, 19.4)},
        **changes,
    )


def test_a_horse_carries_one_rider_a_round():
    """MF Movement: 20 in on horseback, not 20 for one rider and 15 more for the next."""
    state = played(TYPES, relay(), "take kit", "go 20 20 0", "dismount 20.5 19.6", "pick_up club")
    state = played(TYPES, state, "take tom")
    assert why_not(TYPES, state, "mount roan") == [ONE_RIDER]
    assert not listed((Mount,), state)
    later = state.replaced({"round": 2})
    assert listed((Mount,), later) == ["mount roan"]


def test_a_horse_whose_rider_fell_takes_no_other_in_this_round():
    state = relay().with_figure(0, relay().figures[0].at((20.0, 20.0), 0.0)).eliminated(0)
    state = played(TYPES, state, "take tom")
    assert why_not(TYPES, state, "mount roan") == [ONE_RIDER]
    assert listed((Mount,), state.replaced({"round": 2})) == ["mount roan"]


def test_a_rider_who_stays_mounts_again_in_the_same_round():
    """MF Picking Up Weapons: one turn to dismount, pick up a weapon and remount."""
    state = played(TYPES, relay(), "take kit", "dismount 5 20.64", "mount roan")
    assert state.riders == {0: 0}
