"""Why a unit cannot attack an enemy, or go to a square: a reason with its section wherever that is not listed."""

from collections import Counter
from collections.abc import Iterator

import pytest

from brickphys.blade_and_bow.combat.attack import Aim, AttackUnit, Charge, Loose, With
from brickphys.blade_and_bow.command.actions import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.command.movement import TakeUnit
from brickphys.blade_and_bow.notation import turn_types
from brickphys.blade_and_bow.state import State
from brickphys.rules.players.person import answer
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.fight import melee, play, volley
from tests.blade_and_bow.game import GAME, question, setup, warlike_states

FIELD = "....... ....... ....... ....... ......."
PIECES = (
    "greeks spears D3 n as=ann",
    "greeks spears C3 ne as=amy",
    "greeks hoplite E3 n +1 as=eve",
    "greeks archers G5 n as=arc",
    "greeks spears A5 n as=far",
    "greeks spears C4 ne as=dis disrupted",
    "greeks leader leo D4 1-6-3/red",
    "greeks camp A4",
    "persians spears D2 s as=bob",
    "persians spears E2 s as=bill",
    "persians spears G1 s as=zed",
    "persians archers A1 s as=pete",
    "persians spears - s as=late",
    "persians camp F1",
)


def why(state: State, text: str) -> str:
    """What is answered to ``why TEXT``."""
    (told,) = answer(question(state), "why", text)
    return told


def places(state: State) -> Iterator[SquareAnswer | TakeUnit]:
    """Every square where one is asked for, and every unit where one is to be taken."""
    first = state.first_pending
    if isinstance(first, SquareQuestion):
        (kind,) = (one for one in first.answers if issubclass(one, SquareAnswer))
        yield from map(kind, state.setting.squares)
    elif first is None and state.activation is not None and TakeUnit in turn_types(state):
        yield from (TakeUnit(one.name) for one in state.setting.units)


def fights(state: State) -> Iterator[AttackUnit | Aim | With | Charge | Loose]:
    """Every attack, by the names of all units and camps, where a target or an attacker is to be chosen."""
    names = [one.name for one in state.setting.units]
    names += [f"camp_{name}" for name in state.setting.players]
    for kind in turn_types(state):
        if issubclass(kind, AttackUnit | With):
            yield from map(kind, names)
        elif issubclass(kind, Charge):
            yield kind()


@pytest.mark.parametrize("name", ["marathon", "thermopylae"])
def test_whatever_is_not_listed_has_reasons_with_their_sections(name: str) -> None:
    counts = Counter[bool]()
    for state in warlike_states(setup(name), 5):
        if GAME.actor(state) < 0:
            continue
        legal = set(GAME.actions(state))
        fighting = () if state.pending or state.activation is None else fights(state)
        for one in (*fighting, *places(state)):
            reasons = GAME.problems(state, one)
            assert bool(reasons) is (one not in legal), (one, reasons)
            assert all("(BB " in reason and "choice" not in reason for reason in reasons)
            counts[bool(reasons)] += 1
    assert counts[True] > 300
    assert counts[False] > 50


WHY = [
    ("attack bob by far", "'single far melee' is illegal: far has no enemy in front (BB 9.1)"),
    ("attack bob by dis", "'single dis melee' is illegal: dis is disrupted (BB 3.5)"),
    ("attack zed by ann", "'attack zed' is illegal: ann: not beside zed (BB 9.1)"),
    ("attack bill by amy", "'attack bill' is illegal: amy: not beside bill (BB 9.1)"),
    (
        "attack bill by ann",
        "'attack bill' is illegal: ann: bob is straight ahead, so nobody else can be attacked (BB 9.1)",
    ),
    ("attack late by ann", "'attack late' is illegal: late is not on the map (BB 9.1)"),
    ("attack dis by ann", "'attack dis' is illegal: dis belongs to greeks (BB 9.1)"),
    (
        "attack bob",
        "'attack bob' is ambiguous: attack bob by ann, attack bob by amy",
    ),
    ("attack bob by ann", "'attack bob' is legal after 'single ann melee'"),
    (
        "aim bob by arc",
        "'aim bob' is illegal: arc: bob is 9 points away, and the reach is 8 (BB 8.2)",
    ),
    ("aim bob by far", "'single far shoot' is illegal: far has no missiles (BB 2.3.2.3)"),
    (
        "with amy",
        "'with amy' is illegal: choose a target first: attack or aim at an enemy, then with UNIT (BB 5.4.4)",
    ),
    ("go A3 n by ann", "'single ann move' is illegal: ann is in a strong enemy zone (BB 7.2.2)"),
]


@pytest.mark.parametrize(("text", "told"), WHY)
def test_before_a_unit_is_ordered_its_own_reason_is_told(text: str, told: str) -> None:
    assert why(battle(FIELD, *PIECES), text).startswith(told)


FORMED = [
    ("attack zed", "ann, amy, eve: not beside zed (BB 9.1)"),
    ("attack camp_greeks", "camp greeks belongs to greeks (BB 9.1)"),
    ("attack nobody", "unknown target 'nobody': known: bob, bill, zed, pete, late, camp_persians"),
    ("with ann", "choose a target first"),
    ("attack bob by arc", "'with arc' is illegal: arc is not in the formation (BB 3.5)"),
    ("attack bob by ann", "'with ann' is legal after 'attack bob'"),
    ("attack bill by eve", "after 'attack bill' nobody is asked for: type it without 'eve'"),
    ("attack zed by ann", "ann, amy, eve: not beside zed (BB 9.1)"),
]


@pytest.mark.parametrize(("text", "told"), FORMED)
def test_of_a_formation_the_reasons_of_all_are_told(text: str, told: str) -> None:
    assert told in why(melee(battle(FIELD, *PIECES), "ann", "amy", "eve"), text)


def test_who_joins_an_attack_is_told_why_not() -> None:
    state = play(melee(battle(FIELD, *PIECES), "ann", "amy", "eve"), "attack bob")
    assert "say first who attacks: with UNIT, then charge (BB 9.4.1)" in why(state, "charge")
    assert "eve: bill is straight ahead" in why(state, "with eve")
    assert "ann attacks already (BB 8.5.1, 9.1)" in why(play(state, "with ann"), "with ann")
    assert "bob belongs to persians (BB 3.5)" in why(state, "with bob")


def test_nobody_is_attacked_twice_in_an_action_nor_across_a_wall() -> None:
    state = melee(battle(FIELD, *PIECES), "ann", "eve")
    struck = state.change_activation(struck=(state.setting.unit_numbers["bob"],))
    assert "bob has been attacked in this action (BB 8.6, 9.1)" in why(struck, "attack bob")
    walled = melee(battle(FIELD, *PIECES, walls=["D3 D2"]), "ann", "eve")
    assert "ann: a wall is before bob (BB 9.1)" in why(walled, "attack bob")


def test_a_camp_is_no_target_of_a_volley_nor_while_a_unit_is_in_it() -> None:
    archers = "greeks archers E5 n as=arc"
    open_camp = ("persians camp E3", "persians spears D3 s as=bob")
    state = volley(battle(FIELD, archers, *open_camp))
    assert "only units are aimed at (BB 8.6)" in why(state, "aim camp_persians")
    held = ("persians camp E4", "persians spears E4 s as=bob")
    state = melee(battle(FIELD, "greeks spears E5 n as=ann", *held))
    assert "bob is in camp persians: attack that unit (BB 12)" in why(state, "attack camp_persians")


def test_a_shield_wall_does_not_turn_and_units_block_the_sight() -> None:
    far = "persians spears C1 s as=far"
    state = volley(
        battle(
            FIELD,
            "greeks archers C5 w wall as=arc",
            "greeks spears B5 n",
            far,
            "persians spears A5 e as=bob",
        )
    )
    assert "far is outside the arc, and a shield wall does not turn" in why(state, "aim far")
    assert "bob is out of sight (BB 8.3, 3.3)" in why(state, "aim bob")
