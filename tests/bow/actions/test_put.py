"""Gear is worn, taken off, drawn, put away and dropped: BOW 2.3.2."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.bow.actions.movement import put_down
from brickphys.bow.actions.objects import Drop, Grab, Put, Throw
from brickphys.bow.sentences import action_clause
from brickphys.bow.sheets.gear import Armor, Bag, Item, Loadout, Place, is_shield
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import State
from brickphys.rules.players.typed import Typed
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.bow.strategies import ITEMS, sheets
from tests.cases import examples

KNIGHT = unit("knight", "knight", "red", 5, 5)
ARCHER = unit("archer", "archer", "red", 5, 5)
FOE = unit("foe", "trooper", "blue", 29, 19)


def begin(*units, **more) -> Battle:
    battle = Battle(setup(*units, FOE, **more))
    return battle.do(f"unit {units[0]['id']}")


def gear(battle: Battle, name: str) -> dict[str, list[str]]:
    own = battle.unit(name).sheet.gear
    return {place.value: [item.name for item in own.at(place)] for place in Place}


def test_2_3_2_a_helmet_is_taken_off_and_put_on_and_the_sheet_follows():
    battle = begin(KNIGHT)
    assert gear(battle, "knight")["worn"] == ["helmet", "suit_of_armor"]
    assert battle.unit("knight").sheet.dodge_armor == 5
    battle.do("put helmet worn back")
    assert battle.unit("knight").sheet.dodge_armor == 4
    assert battle.state.actions_left == 1
    battle.do("put helmet back worn")
    assert battle.unit("knight").sheet.dodge_armor == 5


def test_2_3_2_the_menu_has_every_place_with_room():
    battle = begin(ARCHER).do("do put")
    assert battle.menu() == ["put bow held back", "put knife bag back"]
    battle = begin(ARCHER).do("throw bow held", "to 6,6", "do put")
    assert battle.menu() == ["put knife bag held", "put knife bag back"]


def test_2_3_2_what_does_not_fit_is_refused_with_its_reason():
    battle = begin(ARCHER)
    for text, why in {
        "put knife bag held": "archer has no room: held: bow, knife need 3 hands",
        "put bow held bag": "archer has no room: bag: 2 objects, but the bags on the back hold 1",
        "put bow held worn": "archer has no room: worn: bow cannot be worn",
        "put bow held held": "bow is already there: held",
        "put bow back held": "archer has no bow back",
        "put pouch back held": "archer cannot part with pouch",
        "put pot back held": "unknown gear 'pot'",
        "drop pouch back": "archer cannot part with pouch",
        "drop bow bag": "archer has no bow bag",
    }.items():
        (found,) = battle.why_not(text)
        assert why in found
        assert "(BOW 2.3.2)" in found


def test_2_3_2_a_weapon_over_the_capacity_of_the_sheet_is_not_drawn():
    """BOW 1.4.1: 3 of skill and 4 of a light saber are more than 6 studs; it can still be put down."""
    own = {"name": "master", "base": "basic_trooper", "attack": 3, "back": ["light_saber"]}
    battle = begin(unit("master", "master", "red", 5, 5), library={"unit": [own]})
    (why,) = battle.why_not("put light_saber back held")
    assert "attack_damage: 7" in why
    assert battle.menu().count("do put") == 0
    battle.do("do drop")
    assert battle.menu() == ["drop light_saber back"]


def test_2_3_2_gear_is_dropped_on_the_own_stud_from_anywhere():
    battle = begin(KNIGHT).do("drop helmet worn")
    assert battle.lying() == [((5, 5), "helmet")]
    assert battle.unit("knight").sheet.dodge_armor == 4
    battle.do("grab helmet 5,5 worn")
    assert battle.unit("knight").sheet.dodge_armor == 5


def test_2_3_2_inside_a_vehicle_gear_is_moved_and_not_dropped():
    """BOW 3.1: an occupant has its own hands for its own gear; the ground is out of reach."""
    driver = seated("driver", "archer", "red", "car", "driver")
    battle = begin(driver, vehicles=[vehicle("car", "tank", "red", 12, 10)])
    assert battle.why_not("drop bow held") == ["driver sits inside a vehicle (BOW 3.1)"]
    assert "do drop" not in battle.menu()
    battle.do("put bow held back", "put knife bag held")
    assert gear(battle, "driver") == {
        "held": ["knife"],
        "worn": [],
        "back": ["bow", "pouch"],
        "bag": [],
    }


def test_2_3_2_lists_say_from_where_to_where_and_their_words_can_be_typed():
    state = begin(KNIGHT).state
    typed, shown = Typed(GAME, state, GAME.actions(state)), set()
    for kind in (Put, Drop, Throw):
        for action in kind.legal(state):
            assert typed.action(action.shown()) == action
            shown.add(action.shown())
    assert {"put sword from hand onto back", "drop sword from hand"} <= shown


def test_2_3_2_the_story_tells_it():
    state = begin(KNIGHT).state
    told = {
        "put helmet worn held": "Knight takes the helmet off, into the hand.",
        "put helmet back worn": "Knight puts the helmet on.",
        "put sword held back": "Knight puts the sword onto the back.",
        "put sword back held": "Knight takes the sword in hand.",
        "drop sword held": "Knight drops the sword.",
    }
    for text, sentence in told.items():
        clause = action_clause(state, GAME.parse_action(text))
        assert f"Knight {clause}." == sentence


def test_2_3_2_the_situation_tells_what_the_unit_has_and_where():
    battle = begin(ARCHER)
    assert "archer has: bow held, pouch on the back, knife in the bag" in GAME.describe(
        battle.state
    )


# Whatever a unit has can be used again.

STATE = begin(unit("a", "basic_trooper", "red", 5, 5)).state


def with_sheet(sheet: MinifigSheet) -> State:
    return STATE.with_unit(0, replace(STATE.units[0], sheet=sheet))


def objects(state: State) -> Counter[str]:
    worn = (item.name for _, item in state.units[0].sheet.gear.items())
    return Counter([*worn, *(name for _, name in state.objects)])


def made(state: State, action: Put | Drop | Grab) -> State:
    """Make a move that must be legal and listed; it keeps all objects, and the sheet adds up."""
    assert list(action.problems(state)) == []
    assert action in set(type(action).legal(state))
    after = action.apply(state)
    assert objects(after) == objects(state)
    sheet = after.units[0].sheet
    assert sheet.problems() == []
    protecting = [*sheet.gear.worn, *filter(is_shield, sheet.gear.held)]
    armor = sum(item.armor for item in protecting if isinstance(item, Armor))
    assert sheet.dodge_armor == sheet.dodge + armor
    return after


def laid_down(state: State, but: tuple[Place, Item] | None = None) -> State:
    """Drop everything, what is in bags first, except for one object and the bag that may hold it."""
    kept = [but]
    for place in (Place.BAG, Place.HELD, Place.WORN, Place.BACK):
        for item in state.units[0].sheet.gear.at(place):
            if (place, item) in kept:
                kept.remove((place, item))
            elif not (but and but[0] is Place.BAG and place is Place.BACK):
                state = made(state, Drop(item.name, place))
    return state


@given(sheets(most=3))
@settings(max_examples=examples(0.5))
def test_2_3_2_from_any_loadout_every_object_comes_to_the_hand_the_body_and_the_ground(sheet):
    state = with_sheet(sheet)
    assert not list(laid_down(state).units[0].sheet.gear.items())
    for place, item in dict.fromkeys(sheet.gear.items()):
        alone = laid_down(state, but=(place, item))
        for target in {Place.HELD, Place.WORN} - {place}:
            possible = not replace(sheet, gear=Loadout(**{target.value: (item,)})).problems()
            assert (Put(item.name, place, target) in set(Put.legal(alone))) == possible
            lying = Grab(item.name, (5, 5), target)
            assert (lying in set(Grab.legal(laid_down(state)))) == possible


@given(sheets(most=3), st.lists(ITEMS, max_size=3), st.data())
def test_2_3_2_whatever_is_moved_nothing_is_lost_and_the_sheet_adds_up(sheet, lying, data):
    state = with_sheet(sheet).with_objects(*((STATE.units[0].stud, i.name) for i in lying))
    for _ in range(6):
        legal = [*Put.legal(state), *Drop.legal(state), *Grab.legal(state)]
        if not legal:
            break
        state = made(state, data.draw(st.sampled_from(legal)))


@given(sheets(most=3))
def test_2_3_2_what_is_listed_is_what_has_no_problem(sheet):
    state = with_sheet(sheet)
    own = {(place, item) for place, item in sheet.gear.items()}
    every = [Put(item.name, place, target) for place, item in own for target in Place]
    legal = {action for action in every if not list(action.problems(state))}
    assert set(Put.legal(state)) == legal
    loose = {(place, item) for place, item in own if not isinstance(item, Bag)}
    assert {(Place(a.place), a.item) for a in Drop.legal(state)} >= {
        (place, item.name) for place, item in loose
    }


@pytest.mark.parametrize("facing", range(4))
def test_whoever_is_put_down_faces_as_is_said(facing):
    figure = put_down(begin(KNIGHT).state, 0, facing).units[0]
    assert (figure.facing, figure.stud) == (facing, begin(KNIGHT).state.units[0].stud)
