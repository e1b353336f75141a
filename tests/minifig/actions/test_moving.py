"""Every row of the chart of movement, on foot, on horseback and with a wagon (MF Movement)."""

from math import cos, dist, hypot, radians, sin

import pytest

from brickphys.minifig.actions import TakeFigure
from brickphys.minifig.movement import Dismount, Go, HaulWagon, Mount
from brickphys.minifig.state import Deed
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

TYPES = (TakeFigure, Go, HaulWagon, Mount, Dismount)
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
    state = played(TYPES, ROWS, f"take {name}", *before)
    x = state.figures[state.setting.figure_numbers[name]].place_in[0]
    farther = why_not(TYPES, state, f"go {x + most_in + 0.01:.10g} {y} 0")
    assert farther
    assert all(problem.endswith("(MF Movement)") for problem in farther)
    there = played(TYPES, state, f"go {x + most_in:.10g} {y} 12.5")
    number = state.setting.figure_numbers[name]
    assert there.figures[number].place_in == (x + most_in, y)
    assert there.figures[number].facing_deg == 12.5


def test_the_horse_goes_with_its_rider():
    state = played(TYPES, ROWS, "take kit", "go 50 45 90")
    state = state.change_figure(3, deed=Deed.NOTHING)
    state = played(TYPES, state, "take kit", "dismount 50 45.64")
    assert (state.things[0].place_in, state.things[0].facing_deg) == ((50, 45), 90)


def test_to_stay_and_turn_is_a_move():
    state = played(TYPES, ROWS, "take tom", "go 40 30 270")
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
    state = played(TYPES, state, *moves)
    wagon = state.setting.thing_numbers["cart"]
    (x, y), start = state.things[wagon].place_in, state.figures[0].place_in
    way = cos(radians(swerve_deg)), sin(radians(swerve_deg))

    def haul(far_in: float) -> str:
        return (
            f"haul cart {round(x + far_in * way[0], 4):.10g} {round(y + far_in * way[1], 4):.10g}"
        )

    assert why_not(TYPES, state, haul(most_in + 0.01))
    after = played(TYPES, state, haul(most_in - 2e-4))
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
    state = played(TYPES, state, f"take {name}")
    assert why_not(TYPES, state, f"haul cart {goal}")[0] == f"{problem} (MF Movement)"


def test_only_wagons_are_hauled():
    state = battle(
        fighter("tom", 20, 20),
        things={"cart": ("wagon", 40, 20), "gun": ("small_catapult", 21.15, 20)},
    ).replaced({"active": 0})
    assert why_not(TYPES, state, "haul gun 25 20") == [
        "unknown wagon 'gun': known: cart (MF Movement)"
    ]
    assert not listed((HaulWagon,), state)


def test_listed_hauls_are_legal_and_go_all_the_way():
    state = played(TYPES, pushing(), "take tom")
    hauls = listed((HaulWagon,), state)
    assert len(hauls) == 10
    assert "haul cart 27.3498 20" in hauls
    for haul in hauls:
        played(TYPES, state, haul)


def test_a_wagon_stops_at_what_stands_in_its_way():
    state = battle(
        fighter("tom", 20, 20),
        fighter("bob", 25, 20, player=1),
        things={"cart": ("wagon", 21.35, 20)},
    )
    state = played(TYPES, state, "take tom")
    assert why_not(TYPES, state, "haul cart 26 20")
    played(TYPES, state, "haul cart 23.6 20")
