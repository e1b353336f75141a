"""Moving minifigs and guns, jumping and swimming (PW Moving)."""

import pytest

from brickphys.pirate_wars import damage
from brickphys.pirate_wars.boarding import break_off, strength
from brickphys.pirate_wars.damage import critical
from brickphys.pirate_wars.sheets import Role, ShipPlace
from brickphys.pirate_wars.state import Boarding, MinifigState, State
from brickphys.pirate_wars.status import names
from brickphys.pirate_wars.turns import state_problems
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import answered, at, listed, settled, swims, tasks, told, why_not

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


def place(state: State, name: str) -> tuple[ShipPlace, int | None]:
    now = state.minifigs[state.setting.minifig_numbers[name]]
    return now.place, now.gun


@pytest.mark.parametrize(
    ("word", "where"),
    [
        ("castle", (ShipPlace.CASTLE, None)),
        ("cabin", (ShipPlace.CABIN, None)),
        ("gun_deck", (ShipPlace.GUN_DECK, None)),
        ("helm", (ShipPlace.HELM, None)),
        ("gun1", (ShipPlace.GUN, 1)),
    ],
)
def test_a_minifig_moves_to_any_place_of_its_ship(word, where):
    state = told(ship(), f"move a_pirate6 {word}")
    assert place(state, "a_pirate6") == (ShipPlace.DECK, None)
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
    assert place(state, "a_pirate7") == (ShipPlace.GUN, 0)
    assert place(state, "a_pirate3") == (ShipPlace.CABIN, None)


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
    return swims(ship(), "a_pirate9", (100.0, 106.0 + off_studs))


@pytest.mark.parametrize("off_studs", [0.0, 5.0, 8.0, 8.1, 20.0])
def test_a_swimmer_comes_aboard_within_8_studs_and_else_swims_so_far(off_studs):
    now = told(swimmer(off_studs), "swim a_pirate9 a", "done").minifigs[9]
    if off_studs <= 8.0:
        assert (now.ship, now.place, now.at_studs) == (0, ShipPlace.DECK, None)
    else:
        assert now.swims
        assert now.at_studs == pytest.approx((100.0, 106.0 + off_studs - 8.0))


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
    state = swims(tasks(fleet(boat(x=100, y=100, crew=crew))), "a_pirate17", (100.0, 106.0))
    state = told(state, "swim a_pirate17 a", "done")
    assert place(state, "a_pirate17") == (ShipPlace.CASTLE, None)


def allied(off_studs: float = 2.0) -> State:
    """PW Moving: a sailor of a in the water beside c, the ship of an ally; blue's b is an enemy of both."""
    state = fleet(
        boat(x=100, y=100, crew=CREW),
        boat(x=100, y=40, player=1),
        boat(x=100, y=200, player=2),
        teams=(0, 1, 0),
    )
    return tasks(swims(state, "a_pirate9", (100.0, 206.0 + off_studs)))


def test_a_swimmer_is_taken_aboard_by_any_ship_of_the_team():
    """PW Moving: a friendly ship, within 8 studs."""
    assert "swim a_pirate9 c" in listed(allied())
    assert why_not(allied(), "swim a_pirate9 b") == ["b belongs to blue (PW Tasks)"]
    assert told(allied(), "swim a_pirate9 c", "done").minifigs[9].ship == 2
    farther = told(allied(20.0), "swim a_pirate9 c", "done")
    assert farther.minifigs[9].at_studs == pytest.approx((100.0, 218.0))


def test_who_is_taken_aboard_by_an_ally_belongs_to_its_crew():
    """The owner of the ship commands, counts and loses the rescued one; no orders of the own player any more."""
    state = told(allied(), "swim a_pirate9 c", "done")
    assert 9 in state.crews[2]
    assert not list(state.boarders(2))
    assert not list(state_problems(state))
    own = state.replaced({"turn": 0, "busy": frozenset()})
    assert why_not(own, "move a_pirate9 castle") == ["a_pirate9 belongs to green (PW Tasks)"]
    ally = state.replaced({"turn": 2, "busy": frozenset()})
    moved = told(ally, "move a_pirate9 castle")
    assert moved.writer(moved.orders[0]) == 2
    assert (names(ally)["a_pirate9"].player, names(ally)["a_pirate8"].player) == (2, 0)
    assert place(told(moved, "done"), "a_pirate9") == (ShipPlace.CASTLE, None)
    assert strength(ally, 2) == 4 + 9 + 1
    asked = damage.lose_crew(ally, 2, 1)
    assert asked.awaited(damage.Casualty).player(asked) == 2
    assert not told(asked, "lose a_pirate9").minifigs[9].is_alive


def test_one_who_was_rescued_boards_with_the_ship_and_comes_back_to_it():
    """PW Boarding."""
    state = told(allied(), "swim a_pirate9 c", "done").replaced({"busy": frozenset()})
    state = state.change_ship(1, x_studs=100.0, y_studs=188.0).lash(1, 2)
    state = state.replaced({"boardings": (Boarding(2, 1),)})
    state = state.change_minifig(9, ship=1)
    assert 9 in damage.fighters(state, 2)
    assert not list(state_problems(state))
    asked = damage.lose_crew(state, 1, 1, damage.CasualtyGroup.BOARDERS)
    assert not asked.minifigs[9].is_alive
    assert break_off(state, 1).minifigs[9].ship == 2


def test_of_two_captains_aboard_the_ship_has_its_own():
    """PW Damage Chart, PW Critical Hit Chart: a rescued captain neither goes down with it nor is the one killed."""
    state = allied().with_entry("minifigs", 0, MinifigState(2, ShipPlace.DECK))
    own = state.setting.minifig_numbers["c_captain"]
    assert damage.captain(state, 2) == own
    assert critical(state, 2, 5).minifigs[0].is_alive
    assert not critical(state, 2, 5).minifigs[own].is_alive
    assert damage.captain(state.lost(own), 2) == 0


def test_a_minifig_is_set_down_in_the_water():
    """PW Tasks: by an order that may be typed; it is listed only on a ship that sinks."""
    state = ship()
    assert not [text for text in listed(state) if text.startswith("jump")]
    state = told(state, "jump a_pirate9")
    assert why_not(state, "move a_pirate9 castle") == [
        "a_pirate9 already has an order: one task per turn (PW Tasks)"
    ]
    after = told(state, "done")
    assert after.minifigs[9].swims
    assert after.minifigs[9].at_studs == (100.0, 106.0)


def test_nobody_jumps_from_a_ship_in_a_boarding():
    """PW Boarding: no other tasks."""
    state = ship().lash(0, 1)
    assert why_not(state, "jump a_pirate9") == [
        "a is lashed to another ship: its crew can only board (PW Boarding)"
    ]


def test_who_jumps_from_a_ship_that_sinks_does_not_go_down_with_it():
    """PW Damage Chart: half of those who are still aboard at the end of the phase, rounded up."""
    state = ship(hull=0, sails=0)
    assert "jump a_pirate6" in listed(state)  # one of each kind
    names = [spec.name for spec in state.setting.minifigs[:10]]
    gone = told(state, *(f"jump {name}" for name in names[4:]), "done")
    sunk = answered(settled(damage.sink(gone, 0)))
    assert [sum(now.swims for now in sunk.minifigs[a:b]) for a, b in ((0, 4), (4, 10))] == [2, 6]


def test_the_captain_of_an_imperial_ship_goes_down_with_it():
    """PW Damage Chart: he does not jump from a ship that sinks; from another one he may."""
    sinking = ship("caribbean_clipper", hull=0, sails=0)
    assert why_not(sinking, "jump a_captain") == [
        "a_captain goes down with the ship (PW Damage Chart)"
    ]
    assert "jump a_captain" not in listed(sinking)
    assert not why_not(ship("caribbean_clipper"), "jump a_captain")
    assert not why_not(ship(hull=0, sails=0), "jump a_captain")  # a pirate


def test_the_list_of_moves_is_short():
    moves = [text for text in listed(ship()) if text.startswith("move")]
    assert len(moves) <= 24
    assert "move a_pirate6 gun1" in moves
    assert "move a_pirate6 helm" in moves
    assert not [text for text in moves if "marine" in text]  # they neither sail nor reload
    assert not why_not(ship(), "move a_marine1 gun1")
