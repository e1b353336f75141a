"""Orders: as they are typed, those that can no longer be done, and what cannot be pending (PW Tasks)."""

import re
from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from brickphys.errors import InvalidValueError, refuse
from brickphys.pirate_wars.boarding import BoardingResult, BoardingRoll, Crossing
from brickphys.pirate_wars.damage import Casualty, CriticalRoll, Foundering, GunLoss
from brickphys.pirate_wars.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.orders import MINIFIG, OrderMove
from brickphys.pirate_wars.sheets import Ammunition
from brickphys.pirate_wars.state import Fate, State
from brickphys.pirate_wars.tasks import ORDERS, carry_out
from brickphys.pirate_wars.turns import CODEC
from tests.pirate_wars.battle import GAME
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, number, read, settled, tasks, told, why_not


@dataclass(frozen=True, slots=True)
class Wave(OrderMove):
    """An order that a game does not have."""

    word = "wave"
    minifig: Annotated[str, MINIFIG]

    @staticmethod
    def deed(state: State, ship: int, minifig: int) -> State:
        return state.change_minifig(minifig, ship=ship, is_loaded=False)


def test_a_class_says_all_of_an_order_and_bots_want_none_of_no_worth(monkeypatch):
    monkeypatch.setitem(ORDERS, "wave", Wave)
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=200, player=1)))
    wave = next(Wave.legal(state))
    after = wave.apply(state)
    (order,) = after.orders
    assert Wave.sample() == "wave NAME"
    assert (Wave.of(state, order), Wave.fault(state, order)) == (wave, None)
    assert Wave.fault(state, replace(order, target=1)) == "wave with minifig, target"
    assert CODEC.parse(CODEC.format(after), lambda _: after.setting) == after
    assert GAME.estimate(after)[0] < GAME.estimate(state)[0]
    done = settled(carry_out(after))
    assert (done.orders, done.minifigs[order.minifig].is_loaded) == ((), False)


def test_a_shot_that_would_be_wasted_is_legal_and_told_to_be():
    """PW Firing: the first hull on the bore within range is hit."""
    near = boat(x=100, y=120, player=1)
    state = fleet(boat(x=100, y=100), near, boat(x=100, y=140, player=1))
    state = at(tasks(state), "a_pirate1", gun=0)
    state = at(state, "a_pirate2", gun=2)
    for text, why in (
        ("fire a gun0 ball b", ""),
        ("fire a gun0 shot b", "b is 9 studs from gun0, but shot reaches only 8 (PW Firing)"),
        ("fire a gun0 ball c", "gun0 points at b first (PW Firing)"),
        ("fire a gun2 ball b", "gun2 points at no hull (PW Firing)"),
        ("shoot a_captain b", "b is 8 studs away, but the weapon reaches only 4 (PW Firing)"),
        ("done", ""),
    ):
        action = read(state, text)
        assert why_not(state, text) == []
        assert GAME.waste(state, action) == why, text


FIRE = "'fire' takes ship, gun such as gun0, ammunition (ball or shot), target; got"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fire gun0 ball scorpion", f"ship missing: {FIRE} 'gun0 ball scorpion'"),
        ("fire swift ball scorpion", f"gun missing: {FIRE} 'swift ball scorpion'"),
        ("fire swift gun0 scorpion", f"ammunition missing: {FIRE} 'swift gun0 scorpion'"),
        ("fire swift gun0 ball", f"target missing: {FIRE} 'swift gun0 ball'"),
        ("fire ball scorpion", f"ship, gun missing: {FIRE} 'ball scorpion'"),
        ("fire", "'fire' needs ship, gun such as gun0, ammunition (ball or shot), target"),
        ("fire swift gun 0 ball scorpion", f"{FIRE} 'swift gun 0 ball scorpion'"),
        (
            "fire swift ball gun0 scorpion",
            "expected gun such as gun0, not 'ball': write fire SHIP GUN AMMUNITION TARGET",
        ),
        ("haul gun1", "ship missing: 'haul' takes ship, gun such as gun0; got 'gun1'"),
        ("haul gun1 swift", "expected gun such as gun0, not 'swift': write haul SHIP GUN"),
        (
            "move helm",
            "minifig missing: 'move' takes minifig, "
            "place (deck, castle, cabin, gun_deck, helm, or a gun such as gun0); got 'helm'",
        ),
        ("board swift", "target missing: 'board' takes ship, target; got 'swift'"),
        ("turn port", "expected angle in degrees, not 'port'"),
        ("done now", "'done' takes nothing; got 'now'"),
    ],
)
def test_a_wrong_order_tells_its_form_and_what_is_missing(text, told):
    with pytest.raises(InvalidValueError, match=f"^{re.escape(f'action {text!r}: {told}')}$"):
        GAME.parse_action(text)


def ready() -> State:
    """Ship a has two at gun 0; ship b touches it."""
    state = fleet(boat(x=100, y=100), boat(x=100, y=112, player=1))
    return tasks(at(state, "a_pirate1", "a_pirate2", gun=0))


def killed(state: State, *names: str) -> State:
    for name in names:
        state = state.lost(number(state, name))
    return state


@pytest.mark.parametrize(
    ("order", "dead"),
    [
        ("fire a gun0 ball b", ["a_pirate1", "a_pirate2"]),
        ("shoot a_captain b", ["a_captain"]),
        ("move a_pirate3 gun1", ["a_pirate3"]),
        ("haul a gun0", ["a_pirate2"]),
    ],
)
def test_orders_of_the_dead_lapse(order, dead):
    before = killed(told(ready(), order), *dead)
    after = settled(carry_out(before))
    assert after.replaced({"orders": (), "busy": frozenset()}) == before.replaced({"orders": ()})
    assert settled(carry_out(told(ready(), order))) != told(ready(), order).replaced({"orders": ()})


def test_a_gun_fires_with_those_who_are_left():
    state = killed(told(ready(), "fire a gun0 ball b"), "a_pirate1")
    assert settled(carry_out(state)).first_pending == GunRoll(0, 0, Ammunition.BALL, 1)


def test_no_room_no_move():
    state = told(ready(), "move a_pirate3 helm")
    state = settled(carry_out(at(state, "a_pirate4", place=state.orders[0].place)))
    assert state.minifigs[3].place is not state.minifigs[4].place


def test_orders_of_a_ship_that_has_been_boarded_lapse():
    state = told(ready(), "fire a gun0 ball b").lash(0, 1)
    state = settled(carry_out(state))
    assert not state.pending
    assert state.ships[0].guns[0].loads == 2


def test_a_ship_that_is_gone_is_not_boarded():
    state = told(ready(), "board a b").change_ship(1, fate=Fate.LEFT)
    assert not settled(carry_out(state)).boardings


@pytest.mark.parametrize(
    ("pending", "fault"),
    [
        (Casualty(2, 1), "ship: 2 is not from 0 to 1"),
        (Casualty(0, 0), "count: 0 is not from 1 to 20"),
        (GunLoss(5), "ship: 5 is not from 0 to 1"),
        (Foundering(2), "ship: 2 is not from 0 to 1"),
        (CriticalRoll(2), "ship: 2 is not from 0 to 1"),
        (GunRoll(0, 4, Ammunition.BALL, 1), "gun: 4 is not from 0 to 3"),
        (GunRoll(0, 0, Ammunition.BALL, 2), "target: 2 is not from 0 to 1"),
        (MusketRoll(20, 1), "minifig: 20 is not from 0 to 19"),
        (BoardingRoll(0, 1, 7), "face: 7 is not from 1 to 6"),
        (BoardingResult(0, 0, 1), "winner: of neither side"),
        (Crossing(0, 2), "defender: 2 is not from 0 to 1"),
    ],
)
def test_what_cannot_be_pending(pending, fault):
    state = ready()
    text = CODEC.format(state.replaced({"pending": (pending,)}))
    with pytest.raises(InvalidValueError, match=fault):
        refuse("state", pending.problems(CODEC.parse(text, lambda _: state.setting)))


def test_what_is_asked_for_is_told():
    state = ready()
    assert Casualty(1, 2).prompt(state) == "b loses 2 minifigs: who is next?"
    assert Casualty(1, 1).prompt(state) == "b loses 1 minifig: who?"
    assert GunLoss(1).prompt(state) == "b loses a gun and its crew: which?"
    assert Crossing(0, 1).prompt(state) == "who crosses from a to b? hold sends nobody else"
    roll = GunRoll(0, 0, Ammunition.SHOT, 1).event(state)
    assert roll.question == (
        "3 dice (gun 0 of a fires shot at b, 3 or less hits): "
        "how many hits, misses other than sixes, sixes?"
    )
