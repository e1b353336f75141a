"""The chart of movement, row by row, on foot, on horseback and with a wagon; mounting and dismounting (MF Movement)."""

from math import cos, dist, hypot, radians, sin

import pytest

from brickphys.minifig.actions import PickUp
from brickphys.minifig.movement import Dismount, Go, HaulWagon, Mount
from brickphys.minifig.state import Deed, FigureStep
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

ROWS = battle(
    fighter("tom", 40, 30),
    fighter("pip", 40, 35, kind="peasant"),
    fighter("rex", 40, 40, kind="dog"),
    fighter("kit", 40, 45, horse="roan"),
    fighter("ned", 40, 50),
    things={"roan": ("horse", 0, 0), "bay": ("horse", 39.35, 50)},
    table=(80.0, 80.0),
)


@pytest.mark.parametrize(
    ("name", "before", "y", "most_in"),
    [
        ("tom", (), 30, 8.0),  # Infantry, Flat Terrain
        ("pip", (), 35, 8.0),
        ("kit", (), 45, 20.0),  # Cavalry, Flat Terrain
        ("ned", ("mount bay",), 50, 15.0),  # -5 if the rider mounted the horse
        ("rex", (), 40, 14.0),  # Hunting Dog, Flat
    ],
)
def test_a_figure_goes_so_far_and_no_farther(name, before, y, most_in):
    state = played(ROWS, f"take {name}", *before)
    x = state.figures[state.setting.figure_numbers[name]].place_in[0]
    farther = why_not(state, f"go {x + most_in + 0.01:.10g} {y} 0")
    assert farther
    assert all(problem.endswith("(MF Movement)") for problem in farther)
    there = played(state, f"go {x + most_in:.10g} {y} 12.5")
    number = state.setting.figure_numbers[name]
    assert there.figures[number].place_in == (x + most_in, y)
    assert there.figures[number].facing_deg == 12.5


def test_the_horse_goes_with_its_rider():
    state = played(ROWS, "take kit", "go 50 45 90")
    state = state.change_figure(3, deed=Deed.NOTHING)
    state = played(state, "take kit", "dismount 50 45.64")
    assert (state.things[0].place_in, state.things[0].facing_deg) == ((50, 45), 90)


def test_to_stay_and_turn_is_a_move():
    state = played(ROWS, "take tom", "go 40 30 270")
    assert state.figures[0].facing_deg == 270
    assert state.figures[0].deed is Deed.MOVED


def test_without_a_facing_it_looks_at_the_enemy_nearest_to_where_it_goes():
    foes = (fighter("bob", 10, 18, player=1), fighter("ben", 26, 18, player=1))
    state = battle(fighter("tom", 20, 18, facing=33), *foes, active=0)
    assert Go.completed(state, ("20", "18", None)) == Go(20.0, 18.0, 0.0)
    assert Go.completed(state, ("14", "18", None)) == Go(14.0, 18.0, 180.0)
    assert Go.completed(state, ("26", "12", None)) == Go(26.0, 12.0, 90.0)
    assert Go.completed(state, ("20", "18", "7")) is None
    alone = battle(fighter("tom", 20, 18, facing=33), active=0)
    assert Go.completed(alone, ("20", "19", None)) == Go(20.0, 19.0, 33)


def pushing(**changes):
    return battle(
        fighter("tom", 20, 20, **changes), things={"cart": ("wagon", 21.35, 20)}, table=(60, 60)
    )


def pulling():
    return battle(
        fighter("kit", 20, 20, horse="roan"),
        things={"roan": ("horse", 0, 0), "cart": ("wagon", 18.65, 20)},
        table=(60, 60),
    )


def mounting():
    return battle(
        fighter("ned", 20, 20.65),
        things={"roan": ("horse", 20, 20), "cart": ("wagon", 18.65, 20)},
        table=(60, 60),
    )


@pytest.mark.parametrize(
    ("state", "moves", "most_in"),
    [
        (pushing(), ("take tom",), 6.0),  # Infantry, Pushing a wagon
        (pulling(), ("take kit",), 15.0),  # Cavalry, Pulling Carts etc
        (mounting(), ("take ned", "mount roan"), 10.0),  # ours: -5 for who mounted
    ],
)
@pytest.mark.parametrize("swerve_deg", [0.0, 44.9, -44.9])
def test_a_wagon_goes_so_far_and_no_farther(state, moves, most_in, swerve_deg):
    state = played(state, *moves)
    wagon = state.setting.thing_numbers["cart"]
    (x, y), start = state.things[wagon].place_in, state.figures[0].place_in
    way = cos(radians(swerve_deg)), sin(radians(swerve_deg))

    def haul(far_in: float) -> str:
        return (
            f"haul cart {round(x + far_in * way[0], 4):.10g} {round(y + far_in * way[1], 4):.10g}"
        )

    assert why_not(state, haul(most_in + 0.01))
    after = played(state, haul(most_in - 2e-4))
    there = after.things[wagon].place_in
    assert dist(there, (x, y)) == pytest.approx(most_in, abs=4e-4)
    moved = after.figures[0].place_in
    assert (moved[0] - start[0], moved[1] - start[1]) == pytest.approx((there[0] - x, there[1] - y))
    assert hypot(moved[0] - there[0], moved[1] - there[1]) == pytest.approx(1.35)
    assert after.things[wagon].facing_deg == after.figures[0].facing_deg
    assert after.figures[0].facing_deg == pytest.approx(swerve_deg % 360, abs=0.01)


ASIDE = "at most 45 degrees to the side"


@pytest.mark.parametrize(
    ("state", "name", "goal", "problem"),
    [
        (pushing(), "tom", "21.35 22", f"cart must be pushed ahead of tom, {ASIDE}"),
        (pushing(), "tom", "20.35 20", f"cart must be pushed ahead of tom, {ASIDE}"),
        (pulling(), "kit", "16.65 20", f"cart must be pulled after kit, {ASIDE}"),
        (pushing(kind="dog"), "tom", "23 20", "tom has no hands to haul with"),
        (mounting(), "ned", "20 20", "ned does not touch cart"),
    ],
)
def test_what_is_not_hauled(state, name, goal, problem):
    state = played(state, f"take {name}")
    assert why_not(state, f"haul cart {goal}")[0] == f"{problem} (MF Movement)"


def test_only_wagons_are_hauled():
    state = battle(
        fighter("tom", 20, 20),
        things={"cart": ("wagon", 40, 20), "gun": ("small_catapult", 21.15, 20)},
    ).replaced({"active": 0})
    assert why_not(state, "haul gun 25 20") == ["unknown wagon 'gun': known: cart (MF Movement)"]
    assert not listed((HaulWagon,), state)


def test_listed_hauls_are_legal_and_go_all_the_way():
    state = played(pushing(), "take tom")
    hauls = listed((HaulWagon,), state)
    assert len(hauls) == 10
    assert "haul cart 27.3498 20" in hauls
    for haul in hauls:
        played(state, haul)


def test_a_wagon_stops_at_what_stands_in_its_way():
    state = battle(
        fighter("tom", 20, 20),
        fighter("bob", 25, 20, player=1),
        things={"cart": ("wagon", 21.35, 20)},
    )
    state = played(state, "take tom")
    assert why_not(state, "haul cart 26 20")
    played(state, "haul cart 23.6 20")


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
    state = played(state, "take tom", "mount bay")
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
    state = played(STATE, f"take {name}")
    assert why_not(state, f"mount {horse}") == [problem]
    assert f"mount {horse}" not in listed((Mount,), state)


def test_a_rider_dismounts_beside_the_horse_where_nobody_stands():
    state = played(STATE, "take kit")
    spots = listed((Dismount,), state)
    assert len(spots) == 11  # of 16, five overlap ben
    for spot in spots:
        on_foot = played(state, spot)
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
    (problem,) = why_not(played(STATE, "take kit"), f"dismount {spot}")
    assert problem.endswith(part)


def test_nobody_dismounts_who_does_not_ride():
    state = played(STATE, "take tom")
    assert why_not(state, "dismount 5 4") == ["tom does not ride (MF Rules)"]
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
    state = played(riding_past(item_y), "take kit", "go 20 20 0")
    assert (state.step is FigureStep.MOVED) == can
    spots = listed((Dismount,), state)
    assert bool(spots) == can
    for spot in spots:
        assert listed((PickUp,), played(state, spot)) == ["pick_up club"]


def test_a_dismount_to_no_purpose_is_told():
    state = played(riding_past(20.9), "take kit", "go 20 20 0")
    assert why_not(state, "dismount 20 19.36") == [
        "kit has moved: it can dismount now only to pick something up (MF Rules)"
    ]


def test_two_things_at_one_place_are_one_reason_to_dismount():
    state = battle(
        fighter("kit", 5, 20, horse="roan"),
        things={"roan": ("horse", 0, 0)},
        lying={"club": ("club", 5.9, 20.7), "axe": ("axe", 5.9, 20.7)},
    )
    spots = listed((Dismount,), played(state, "take kit"))
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
    state = played(relay(), "take kit", "go 20 20 0", "dismount 20.5 19.6", "pick_up club")
    state = played(state, "take tom")
    assert why_not(state, "mount roan") == [ONE_RIDER]
    assert not listed((Mount,), state)
    later = state.replaced({"round": 2})
    assert listed((Mount,), later) == ["mount roan"]


def test_a_horse_whose_rider_fell_takes_no_other_in_this_round():
    state = relay().with_figure(0, relay().figures[0].at((20.0, 20.0), 0.0)).eliminated(0)
    state = played(state, "take tom")
    assert why_not(state, "mount roan") == [ONE_RIDER]
    assert listed((Mount,), state.replaced({"round": 2})) == ["mount roan"]


def test_a_rider_who_stays_mounts_again_in_the_same_round():
    """MF Picking Up Weapons: one turn to dismount, pick up a weapon and remount."""
    state = played(relay(), "take kit", "dismount 5 20.64", "mount roan")
    assert state.riders == {0: 0}
