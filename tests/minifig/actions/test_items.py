"""Picking up weapons, two hands, and exchanges (MF Picking Up Weapons)."""

import pytest

from brickphys.minifig.actions import Exchange, PickUp, TakeFigure
from brickphys.minifig.state import State
from tests.minifig.small_battle import battle, fighter, listed, played, why_not

TYPES = (TakeFigure, PickUp, Exchange)
STATE = battle(
    fighter("tom", 5, 5, "sword"),
    fighter("tim", 10, 5, "sword", "shield", "helmet"),
    fighter("rex", 15, 5, kind="dog"),
    fighter("kit", 20, 5, horse="roan"),
    things={"roan": ("horse", 0, 0)},
    lying={
        "axe": ("axe", 5, 5.2),
        "club": ("club", 10, 5.2),
        "bow": ("bow", 10, 4.8),
        "spear": ("spear", 15, 5.1),
        "mace": ("club", 20, 5.3),
    },
)


def hands(state: State, figure: int) -> set[str]:
    return {state.setting.items[item].name for item in state.held.get(figure, ())}


def test_a_free_hand_picks_up():
    state = played(TYPES, STATE, "take tom")
    assert listed(TYPES[1:], state) == ["pick_up axe"]
    state = played(TYPES, state, "pick_up axe")
    assert hands(state, 0) == {"tom_sword", "axe"}
    assert state.items[state.setting.item_numbers["axe"]].at_in is None


def test_full_hands_exchange_each_for_each_and_what_is_worn_takes_none():
    state = played(TYPES, STATE, "take tim")
    assert listed(TYPES[1:], state) == [
        "exchange club tim_sword",
        "exchange club tim_shield",
        "exchange bow tim_sword",
        "exchange bow tim_shield",
    ]
    state = played(TYPES, state, "exchange bow tim_shield")
    assert hands(state, 1) == {"tim_sword", "bow"}
    shield = state.items[state.setting.item_numbers["tim_shield"]]
    assert (shield.holder, shield.at_in) == (None, (10, 5))


def test_a_free_hand_may_exchange_too():
    state = played(TYPES, STATE, "take tom", "exchange axe tom_sword")
    assert hands(state, 0) == {"axe"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("tom", "pick_up exe", "unknown item 'exe': did you mean 'axe'?"),
        ("tom", "pick_up club", "club lies 5.00 in from tom, out of reach"),
        ("tom", "pick_up tim_sword", "tim_sword is not on the table"),
        ("tim", "pick_up club", "tim has tim_sword and tim_shield in hand: use exchange"),
        ("tim", "exchange club tim_sward", "unknown item in the hands of tim 'tim_sward': did you"),
        ("tim", "exchange club axe", "unknown item in the hands of tim 'axe': known: tim_sword"),
        ("rex", "pick_up spear", "rex has no hands"),
        ("rex", "exchange spear axe", "rex has no hands"),
        ("kit", "pick_up mace", "kit rides, and must dismount first"),
    ],
)
def test_what_cannot_be_picked_up(name, text, problem):
    state = played(TYPES, STATE, f"take {name}")
    first = why_not(TYPES, state, text)[0]
    assert first.startswith(problem)
    assert first.endswith("(MF Picking Up Weapons)")
    assert text not in listed(TYPES[1:], state)


@pytest.mark.parametrize("name", ["rex", "kit"])
def test_dogs_and_riders_hold_and_reach_nothing(name):
    assert not listed(TYPES[1:], played(TYPES, STATE, f"take {name}"))


def test_a_crossbow_stays_loaded_or_not_from_hand_to_hand():
    state = battle(fighter("tom", 5, 5), lying={"arbalest": ("crossbow", 5, 5)})
    for is_loaded in (True, False):
        after = played(
            TYPES, state.change_item(0, is_loaded=is_loaded), "take tom", "pick_up arbalest"
        )
        assert after.items[0].is_loaded is is_loaded
