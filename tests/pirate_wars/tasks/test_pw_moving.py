"""Moving minifigs and guns, and swimming (PW Moving)."""

import pytest
from fleet import boat, fleet
from told_tasks import at, listed, tasks, told, why_not

from brickphys.pirate_wars.damage.casualties import overboard
from brickphys.pirate_wars.sheets.minifigs import Role
from brickphys.pirate_wars.sheets.ship_sheet import Place
from brickphys.pirate_wars.state.state import State

CREW = (Role.CAPTAIN, Role.MARINE, Role.MARINE, *[Role.PIRATE] * 7)


def ship(sheet: str = "black_seas_barracuda", **changes) -> State:
    """Ship a with two pirates at gun 0 and one at gun 1; b is to the right of it."""
    state = fleet(
        boat(sheet, x=100, y=100, crew=CREW, **changes),
        boat(x=100, y=80, player=1),
        boat(x=100, y=200, player=0, crew=()),
    )
    state = at(at(state, "a_pirate3", "a_pirate4", gun=0), "a_pirate5", gun=1)
    return tasks(state)


def place(state: State, name: str) -> tuple[Place, int | None]:
    now = state.minifigs[state.setting.minifig_numbers[name]]
    return now.place, now.gun


@pytest.mark.parametrize(
    ("word", "where"),
    [
        ("castle", (Place.CASTLE, None)),
        ("cabin", (Place.CABIN, None)),
        ("gun_deck", (Place.GUN_DECK, None)),
        ("helm", (Place.HELM, None)),
        ("gun1", (Place.GUN, 1)),
    ],
)
def test_a_minifig_moves_to_any_place_of_its_ship(word, where):
    state = told(ship(), f"move a_pirate6 {word}")
    assert place(state, "a_pirate6") == (Place.DECK, None)
    assert place(told(state, "done"), "a_pirate6") == where


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        ("move a_pirate3 gun9", "a has no gun9 (PW Moving)"),
        ("move a_pirate6 gun2", "a has no gun2 (PW Moving)"),
        ("move a_pirate6 gun0", "no room at gun0 of a, which holds 2 (PW Moving)"),
        ("move a_pirate6 deck", "a_pirate6 is already there (PW Moving)"),
        ("move a_marine1 helm", "a_marine1 is a marine, and marines do not sail (PW Sailing)"),
        ("move b_captain deck", "b_captain belongs to blue (PW Tasks)"),
        ("move a_pirate9 deck", "a_pirate9 is dead (PW Tasks)"),
        ("haul a gun1", "gun1 of a has 1 at it, but needs 2 (PW Tasks)"),
        ("haul b gun1", "b belongs to blue (PW Tasks)"),
        ("swim a_captain a", "a_captain is not in the water (PW Moving)"),
    ],
)
def test_what_cannot_be_ordered(order, problem):
    state = ship().change_gun(0, 2, is_lost=True).lost(9)
    assert why_not(state, order) == [problem]


def test_no_room_below_on_a_ship_without_a_gun_deck():
    state = ship("caribbean_clipper")
    assert why_not(state, "move a_pirate6 gun_deck") == [
        "no room at gun_deck of a, which holds 0 (PW Moving)"
    ]


def test_places_are_kept_for_those_who_were_ordered_there_first():
    state = told(ship(), "move a_pirate6 gun1")
    assert why_not(state, "move a_pirate7 gun1") == [
        "no room at gun1 of a, which holds 2 (PW Moving)"
    ]
    state = told(ship(), "move a_pirate3 cabin", "move a_pirate7 gun0", "done")
    assert place(state, "a_pirate7") == (Place.GUN, 0)
    assert place(state, "a_pirate3") == (Place.CABIN, None)


def test_two_haul_a_gun_to_the_other_side():
    state = ship()
    assert "haul a gun0" in listed(state)  # b is to the right
    state = told(state, "haul a gun0", "done")
    sheet = state.setting.ships[0].sheet
    gun = state.ships[0].gun(sheet, 0)
    assert (gun.ahead_studs, gun.left_studs, gun.bearing_deg) == (6, -5, -90)
    back = told(state.replaced({"turn": 0, "busy": frozenset()}), "haul a gun0", "done")
    assert back.ships[0].gun(sheet, 0) == sheet.guns[0]


def test_the_hands_of_a_gun_that_is_hauled_do_nothing_else():
    state = told(ship(), "haul a gun0")
    assert why_not(state, "fire a gun0 ball b") == [
        "the crew of gun0 of a already has an order: one task per turn (PW Tasks)"
    ]


def test_a_bow_gun_has_no_other_side():
    state = at(ship("renegade_runner"), "a_pirate4", "a_pirate3", gun=0)
    assert why_not(state, "haul a gun0") == [
        "gun0 of a stands in the middle, and cannot change sides (PW Moving)"
    ]


def swimmer(off_studs: float) -> State:
    """A pirate in the water, so far to the left of ship a; another ship of the player is far away."""
    state = overboard(ship(), 9)
    now = state.minifigs[9]
    return state.with_minifig(9, type(now)(None, Place.WATER, at_studs=(100.0, 106.0 + off_studs)))


@pytest.mark.parametrize("off_studs", [0.0, 5.0, 8.0])
def test_a_swimmer_within_8_studs_comes_aboard(off_studs):
    state = told(swimmer(off_studs), "swim a_pirate9 a", "done")
    assert state.minifigs[9].ship == 0
    assert place(state, "a_pirate9") == (Place.DECK, None)


@pytest.mark.parametrize("off_studs", [8.1, 20.0])
def test_a_swimmer_farther_off_swims_8_studs_to_it(off_studs):
    state = told(swimmer(off_studs), "swim a_pirate9 a", "done")
    assert state.minifigs[9].swims
    assert state.minifigs[9].at_studs == pytest.approx((100.0, 106.0 + off_studs - 8.0))


def test_a_swimmer_comes_aboard_a_ship_that_is_lashed_to_another_one():
    state = told(swimmer(5.0).lash(0, 1), "swim a_pirate9 a", "done")
    assert state.minifigs[9].ship == 0


def test_swimmers_are_listed_with_the_nearest_own_ship():
    assert [text for text in listed(swimmer(20.0)) if text.startswith("swim")] == [
        "swim a_pirate9 a"
    ]
    assert [text for text in listed(swimmer(60.0)) if text.startswith("swim")] == [
        "swim a_pirate9 c"
    ]
    assert why_not(swimmer(1.0), "swim a_pirate9 b") == ["b belongs to blue (PW Tasks)"]
    assert why_not(swimmer(1.0), "move a_pirate9 deck") == ["a_pirate9 is in the water (PW Moving)"]


def test_a_swimmer_finds_room_below_if_the_deck_is_full():
    crew = (Role.CAPTAIN, *[Role.PIRATE] * 17)
    state = tasks(fleet(boat(x=100, y=100, crew=crew)))
    wet = type(state.minifigs[17])(None, Place.WATER, at_studs=(100.0, 106.0))
    state = told(state.with_minifig(17, wet), "swim a_pirate17 a", "done")
    assert place(state, "a_pirate17") == (Place.CASTLE, None)


def test_the_list_of_moves_is_short():
    moves = [text for text in listed(ship()) if text.startswith("move")]
    assert len(moves) <= 24
    assert "move a_pirate6 gun1" in moves
    assert "move a_pirate6 helm" in moves
    assert not [text for text in moves if "marine" in text]  # they neither sail nor reload
    assert not why_not(ship(), "move a_marine1 gun1")
