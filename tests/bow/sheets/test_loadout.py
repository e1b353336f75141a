"""Loadouts: hands, back and bags (BOW 2.3.2)."""

from itertools import product

import pytest
from hypothesis import given

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.gear import Loadout, Place
from brickphys.errors import InvalidValueError
from tests.bow.strategies import ITEMS, loadouts, rooms

GEAR = catalogue().gear


def loadout(**names: list[str]) -> Loadout:
    return Loadout(**{place: tuple(GEAR[name] for name in given) for place, given in names.items()})


def test_armor_adds_up_where_it_protects():
    """BOW A.2: helmet and shield are 2; a shield on the back or a helmet in the hand protects nobody."""
    assert loadout(held=["shield"], worn=["helmet"]).armor == 2
    assert loadout(held=["shield"], worn=["helmet", "suit_of_armor"]).armor == 4
    assert loadout(held=["helmet"], back=["shield"]).armor == 0


def test_a_shield_is_in_the_left_hand_whatever_the_order():
    assert loadout(held=["shield", "sword"]) == loadout(held=["sword", "shield"])
    assert [item.name for item in loadout(held=["shield", "wand"]).held] == ["wand", "shield"]


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ({"held": ["bow", "knife"]}, "held: bow, knife need 3 hands, but there are 2"),
        ({"held": ["rocket_launcher", "rocket_launcher"]}, "need 4 hands"),
        ({"held": ["bow", "shield"]}, "held: bow, shield need 3 hands"),
        ({"held": ["shield", "shield"]}, "held: shield, shield: only the left hand"),
        ({"worn": ["sword"]}, "worn: sword cannot be worn"),
        ({"worn": ["shield"]}, "worn: shield cannot be worn"),
        ({"worn": ["helmet", "helmet"]}, "worn: helmet and helmet are both for the head"),
        ({"worn": ["coat_of_mail", "suit_of_armor"]}, "are both for the body"),
        ({"back": ["bow", "sword", "knife"]}, "back: 3 objects, but it holds 2"),
        ({"bag": ["knife"]}, "bag: 1 objects, but the bags on the back hold 0"),
        (
            {"back": ["pouch"], "bag": ["knife", "key"]},
            "bag: 2 objects, but the bags on the back hold 1",
        ),
        ({"back": ["backpack"], "bag": ["bow"]}, "bag: bow is too big"),
        ({"back": ["backpack"], "bag": ["pouch"]}, "bag: pouch is too big"),
    ],
)
def test_what_does_not_fit_is_a_fault(names, fault):
    (found,) = loadout(**names).problems()
    assert fault in found
    assert "BOW" in found


def test_every_fault_is_told():
    faults = loadout(held=["bow", "bow"], worn=["sword"], back=["key"] * 3, bag=["key"]).problems()
    assert [fault.split(":")[0] for fault in faults] == ["held", "worn", "back", "bag"]


@given(loadouts(), ITEMS)
def test_taking_off_what_was_put_on_gives_the_same(gear, item):
    for place in rooms(gear, item):
        assert gear.put(item, place).take(item, place) == gear


@given(loadouts(), ITEMS)
def test_what_fits_is_put_and_what_does_not_is_refused(gear, item):
    for place in Place:
        if place in rooms(gear, item):
            assert gear.put(item, place).problems() == []
        else:
            with pytest.raises(InvalidValueError):
                gear.put(item, place)


@given(loadouts())
def test_a_switch_moves_things_and_loses_none(gear):
    """BOW 2.3.2: the stowed weapon is in hand afterwards, the other on the back or in the bag."""
    for held, stowed in product(gear.held, gear.back + gear.bag):
        try:
            new = gear.switch(held, stowed)
        except InvalidValueError:
            continue
        assert new.problems() == []
        assert stowed in new.held
        assert held in new.back + new.bag
        assert sorted(i.name for _, i in new.items()) == sorted(i.name for _, i in gear.items())


def test_a_switch_puts_the_weapon_where_the_other_was():
    gear = loadout(held=["sword"], back=["pouch"], bag=["gun"])
    assert gear.switch(GEAR["sword"], GEAR["gun"]) == loadout(
        held=["gun"], back=["pouch"], bag=["sword"]
    )


def test_a_big_weapon_goes_to_the_back_instead_of_the_bag():
    gear = loadout(held=["bow"], back=["pouch"], bag=["knife"])
    assert gear.switch(GEAR["bow"], GEAR["knife"]) == loadout(held=["knife"], back=["bow", "pouch"])


def test_no_switch_without_a_hand_for_it():
    gear = loadout(held=["sword", "shield"], back=["bow"])
    with pytest.raises(InvalidValueError, match="no room to change sword for bow"):
        gear.switch(GEAR["sword"], GEAR["bow"])


def test_what_is_not_there_is_neither_taken_nor_switched():
    gear = loadout(held=["sword"])
    with pytest.raises(InvalidValueError, match="back: no sword there"):
        gear.take(GEAR["sword"], Place.BACK)
    with pytest.raises(InvalidValueError, match="no gun there"):
        gear.switch(GEAR["sword"], GEAR["gun"])


def test_a_full_bag_stays_on():
    with pytest.raises(InvalidValueError, match="pouch is not empty"):
        loadout(back=["pouch"], bag=["key"]).take(GEAR["pouch"], Place.BACK)


def test_stowed_weapons_attack_one_at_a_time_the_most_damage_first():
    """BOW 2.3.2: an object that attacks nobody is no way to attack; two of a kind are one way."""
    gear = loadout(back=["backpack", "bow"], bag=["knife", "grenade", "key", "knife"])
    ways = [(way.weapons[0].name, len(way.weapons), way.damage) for way in gear.spare_armaments]
    assert ways == [("bow", 1, 2), ("knife", 1, 1)]
    assert loadout(held=["sword", "sword"], back=["rocket_launcher"]).damage == 4


def test_free_hands_and_room_in_bags():
    gear = loadout(held=["sword"], back=["pouch", "pouch"], bag=["key"])
    assert (gear.free_hands, gear.free_in_bags) == (1, 1)
    assert loadout(held=["bow"]).free_hands == 0
