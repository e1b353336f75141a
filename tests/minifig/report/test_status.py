"""The status of a battle: map and tables; the list of places: how it shows them, and what they are for."""

import re
from math import dist

import pytest

from brickphys.minifig.scene import figure_letters, table_map
from brickphys.minifig.setting import WallSpec, Zone, ZoneKind
from brickphys.minifig.state import Deed
from brickphys.minifig.status import battle_status, circle_aims, names
from brickphys.rules.aims import Carry, Circle, Hold, Reach, RoundLimit
from brickphys.rules.players.typed import Typed
from tests.minifig.battle import GAME
from tests.minifig.small_battle import SQUARE, battle, fighter


def squares(state):
    """The signs of a map by the middles of their squares, in inches."""
    lines = [line[5:] for line in table_map(state).splitlines()]
    rows = [line for line in lines if len(line) == len(lines[0])]
    size = state.setting.width_in / len(rows[0])
    return {
        ((x + 0.5) * size, (y + 0.5) * 2 * size): sign
        for y, row in enumerate(reversed(rows))
        for x, sign in enumerate(row)
    }


def lonely(**changes):
    return battle(fighter("red_1", 2, 2), fighter("blue_1", 45, 30, player=1), **changes)


@pytest.mark.parametrize("table", [(48.0, 36.0), (72.0, 48.0), (120.0, 60.0), (24.0, 24.0)])
def test_every_living_figure_has_one_square_near_its_place(table):
    row = [fighter(f"red_{n}", 3 + 0.66 * n, 5) for n in range(12)]
    state = battle(*row, fighter("blue_1", *table, player=1), table=table)
    state = state.change_figure(4, is_alive=False)
    found, letters = squares(state), figure_letters(state.setting)
    assert sorted(sign for sign in found.values() if sign.isalpha()) == sorted(
        letters[number] for number in state.alive
    )
    for number in state.alive:
        at = next(middle for middle, sign in found.items() if sign == letters[number])
        assert dist(at, state.figures[number].place_in) < 6


def test_letters_tell_the_first_player_from_the_others():
    state = battle(fighter("a", 1, 1), fighter("b", 5, 5, player=1), fighter("c", 9, 9, player=1))
    assert figure_letters(state.setting) == ("A", "a", "b")


@pytest.mark.parametrize(
    ("zone", "sign"),
    [
        (Zone(ZoneKind.WOODS, SQUARE), '"'),
        (Zone(ZoneKind.WATER, SQUARE), "~"),
        (Zone(ZoneKind.HILL, SQUARE, 3), "3"),
        (Zone(ZoneKind.HILL, SQUARE, 12), "9"),
    ],
)
def test_a_zone_covers_its_squares(zone, sign):
    found = squares(lonely(zones=(zone,)))
    for (x, y), shown in found.items():
        assert (shown == sign) == (10 <= x <= 20 and 10 <= y <= 20)


def test_the_area_of_an_aim_is_a_circle():
    state = lonely()
    aim = Hold(0, Circle((24.0, 18.0), 6.0), 2)
    object.__setattr__(state.setting, "aims", (aim,))
    for middle, shown in squares(state).items():
        assert (shown == ":") == (dist(middle, (24.0, 18.0)) <= 6)


def test_the_area_of_an_aim_hides_no_hill():
    state = lonely(zones=(Zone(ZoneKind.HILL, SQUARE, 3),))
    object.__setattr__(state.setting, "aims", (Hold(0, Circle((15.0, 15.0), 3.0), 2),))
    near = [sign for middle, sign in squares(state).items() if dist(middle, (15.0, 15.0)) <= 3]
    assert set(near) == {"3", ":"}


def test_a_breach_in_a_wall_is_seen():
    """MF Projectiles: where at most one brick is left, a wall is walked over."""
    wall = WallSpec("keep", 24.0, 18.0, 0.0, 16, 2)
    state = lonely(walls=(wall,))
    assert "-" not in squares(state).values()
    first = wall.spans[0]
    breached = state.without_brick(0, 0)
    low = [middle for middle, sign in squares(breached).items() if sign == "-"]
    assert low
    corners = wall.corners_in(first[0], first[1])
    assert min(y for _, y in corners) - 1 <= low[0][1] <= max(y for _, y in corners) + 1


def test_things_and_items_are_named():
    state = lonely(
        things={
            "bay": ("horse", 10, 10),
            "cart": ("wagon", 20, 10),
            "ram": ("big_catapult", 30, 10),
        },
        lying={"lost_sword": ("sword", 15, 20)},
    ).change_thing(2, is_loaded=False)
    text = battle_status(state)
    for entry in ("& bay", "% cart", "$ ram", "! lost_sword"):
        assert entry in text
    assert re.search(r"ram +big catapult +30\.0,10\.0 +east +to reload", text)
    assert re.search(r"lost_sword +sword +15\.0,20\.0", text)


def test_a_horse_that_is_ridden_stands_with_its_rider():
    state = battle(
        fighter("tom", 9, 9, "spear", "helmet", horse="bay", experience=7, facing=90),
        fighter("dan", 30, 9, "crossbow", player=1, experience=2),
        things={"bay": ("horse", 9, 9)},
    ).change_item(1, is_loaded=False)
    text = battle_status(state)
    assert "&" not in text
    assert re.search(
        r"A +tom +red +soldier +7 \(black\) +helmet, spear +9\.0,9\.0 +north +rides bay", text
    )
    assert re.search(
        r"a +dan +blue +soldier +2 \(yellow\) +crossbow .* dan_crossbow to reload", text
    )


def test_the_headline_says_what_the_active_figure_has_done():
    state = lonely()
    assert battle_status(state).startswith("Round 1, movement of red\n")
    active = state.replaced({"active": 0})
    assert battle_status(active).startswith("Round 1, movement of red, red 1 has done nothing\n")
    assert re.search(r"red_1 .* acts\n", battle_status(active))
    assert battle_status(state.replaced({"round": 0, "order": ()})).startswith("Before the first")


def test_the_dead_are_named_below_the_tables():
    state = lonely().change_figure(0, deed=Deed.MOVED).eliminated(1)
    assert battle_status(state).endswith("eliminated: blue_1")
    assert re.search(r"red_1 .* moved\n", battle_status(state))


def test_aims_are_sentences_and_areas():
    state, circle = lonely(), Circle((40.0, 30.0), 10.0)
    aims = (
        Reach(0, circle, (0,)),
        Carry(0, circle, "holy_grail"),
        Hold(1, circle, 3),
        RoundLimit(8),
    )
    object.__setattr__(state.setting, "aims", aims)
    found = circle_aims(state.setting)
    assert found.texts() == [
        "red: bring red 1 within 10 inches of 40,30.",
        "red: bring holy grail within 10 inches of 40,30.",
        "blue: be alone within 10 inches of 40,30 at the end of 3 rounds in a row.",
        "After 8 rounds, the side with the largest share of its figures left wins.",
        "The last side with figures left wins.",
    ]
    (area,) = found.areas()
    assert area.name == "aim of red and blue"
    assert (area.x, area.x + area.width) == (30.0, 48.0)


def test_what_a_figure_holds_or_rides_is_its_players():
    """A horse, and a weapon that changes hands; what lies about is nobody's."""
    red = fighter("red_1", 2, 2, "sword", horse="bay")
    state = battle(red, fighter("blue_1", 45, 30, player=1), things={"bay": ("horse", 2, 2)})
    assert names(state)["bay"].player == names(state)["red_1_sword"].player == 0
    assert names(state.change_item(0, holder=1))["red_1_sword"].player == 1
    lying = state.change_item(0, holder=None, at_in=(5.0, 5.0)).change_figure(0, horse=None)
    assert names(lying)["red_1_sword"].player is names(lying)["bay"].player is None


def lists(lying):
    """Tom's list of places, with what each is for, and what reads it."""
    state = battle(
        fighter("tom", 4, 10),
        fighter("bob", 16, 10, player=1),
        fighter("bob_2", 30, 20, player=1),
        active=0,
        lying=lying,
    )
    state = GAME.apply(state, GAME.parse_action("do go"))
    actions = GAME.actions(state)
    typed = Typed(GAME, state, actions)
    told = [GAME.purpose(state, action) for action in actions]
    return typed, list(zip(actions, typed.shown, told, strict=True))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bob_sword", "at the sword of bob"),
        ("bob_2_sword", "at the sword of bob 2"),
        ("old_axe", "at old axe"),
    ],
)
def test_names_are_told_as_they_are_read(name, told):
    """The item lies 4 inches to the east of Tom."""
    typed, listed = lists({name: (name.rpartition("_")[2], 8, 10)})
    (found,) = (action for action, _, purpose in listed if purpose == told)
    assert typed.action(told) == found
    assert not any("_" in purpose for _, _, purpose in listed)


def test_places_are_shown_with_their_facing_and_read_so():
    typed, listed = lists({"axe": ("axe", 8, 10)})
    shown = [text for _, text, _ in listed]
    assert "go 12,10 facing 0°" in shown  # 8 inches to the east, where Bob is
    for action, text, _ in listed:
        if text == "done":
            continue
        place, _, facing = text.removeprefix("go ").partition(" facing ")
        for form in (text, f"{place} facing {facing}", f"{place.replace(',', ' ')} {facing[:-1]}"):
            assert typed.action(form) == action


@pytest.mark.parametrize(
    "form",
    ["go 9,9.5 facing 45°", "9, 9.5 facing 45°", "go 9 9.5 facing north-east", "go 9,9.5 45°"],
)
def test_a_place_that_is_not_listed_is_read_in_the_form_of_the_list(form):
    typed, _ = lists({})
    assert GAME.format_action(typed.action(form)) == "go 9 9.5 45"
