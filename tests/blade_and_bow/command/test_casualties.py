"""What becomes of leaders, and of units that check for rout (BB 6.3 to 6.5, 9.4.10)."""

from collections import Counter

from brickphys.blade_and_bow.command.morale import captured, leader_checks, ranks_lost, rout_checks
from brickphys.blade_and_bow.deck import EffectVerb, deck
from brickphys.blade_and_bow.pieces import Box, Played
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.battle import battle, leader, place, unit
from tests.blade_and_bow.fight import after

FIELD = """
    .....
    .....
    .....
"""
DANGER, SAFE, KILLED, ALIVE = (1, 0), (0, 1), (1, 0), (0, 1)


def led(*more: str) -> State:
    return battle(
        FIELD,
        "greeks spears B2 e",
        "greeks hoplite D2 w +2",
        "greeks leader miltiades B2 1-9-4/red",
        "greeks leader callimachus B2 2-4-2/red",
        *more,
    )


def test_each_leader_is_killed_by_a_six_and_then_a_face_up_to_his_value() -> None:
    state = after(leader_checks(led(), 0))
    assert state.event.reason == "danger for miltiades"
    assert dict(state.event.classes) == {"danger": 1, "none": 5}
    state = after(state, DANGER)
    assert dict(state.event.classes) == {"killed": 4, "alive": 2}
    dead = after(state, KILLED)
    assert dead.leaders[0].box is Box.ELIMINATED
    assert dead.morale(0) == 2  # the next one commands
    assert dead.event.reason == "danger for callimachus"
    assert after(dead, SAFE).leaders[1].box is Box.MAP
    assert after(state, ALIVE, SAFE).leaders[0].box is Box.MAP


def test_a_captured_leader_is_on_the_turn_track_for_two_turns() -> None:
    state = captured(led(), 1).replaced({"turn": 4})
    for rolls in ((SAFE,), (DANGER, ALIVE)):
        caught = after(state, *rolls).leaders[1]
        assert (caught.box, caught.square, caught.returns) == (Box.CAPTURED, None, 6)
    assert after(state, DANGER, KILLED).leaders[1].box is Box.ELIMINATED


def test_lost_ranks_are_losses_and_stay_counted() -> None:
    state = led()
    hoplite = unit(state, "hoplite")
    state = ranks_lost(ranks_lost(state, hoplite, 1), hoplite, 1)
    assert (state.units[hoplite].ranks, state.units[hoplite].lost) == (0, 2)
    assert state.losses == (2, 0)


def test_one_leader_cancels_one_rout_check_and_so_do_cards() -> None:
    state = led()
    spears, hoplite = unit(state, "spears"), unit(state, "hoplite")
    assert not after(rout_checks(state, spears, 1)).pending
    assert after(rout_checks(state, spears, 3)).event.dice == 2  # two leaders cancel no more
    assert after(rout_checks(state, hoplite, 3)).event.dice == 3
    guards = ((n, card.effect) for n, card in enumerate(deck()) if card.effect)
    card, effect = next((n, effect) for n, effect in guards if effect.verb is EffectVerb.GUARD)
    state = state.replaced({"played": (Played(card, 0, hoplite),)})
    assert after(rout_checks(state, hoplite, 3)).event.dice == 3 - effect.amount


def test_any_die_that_fails_routs_the_unit_with_its_leaders() -> None:
    state = after(rout_checks(led(), 0, 3))
    assert dict(state.event.classes) == {"pass": 4, "fail": 2}
    assert place(after(state, (2, 0)), "spears") == "B2 e"
    state = after(state, (1, 1))
    assert place(state, "spears") == "routed"
    assert Counter(one.box for one in state.leaders) == {Box.ROUTED: 2}
    assert state.losses == (0, 0)  # its fate is decided in rout management


def test_what_is_certain_is_not_rolled() -> None:
    state = led("persians leader xerxes E3 1-9-6/red", "persians archers E1 w")
    assert place(after(rout_checks(state, unit(state, "archers"), 5)), "archers") == "E1 w"
    xerxes = leader(state, "xerxes")
    state = after(captured(state, xerxes), DANGER)
    assert not state.pending
    assert state.leaders[xerxes].box is Box.ELIMINATED
