"""New actions as data (BOW B.2, B.3)."""

from dataclasses import replace

import pytest

from brickphys.bow.sheets.catalogue import catalogue, unit
from brickphys.bow.sheets.custom_actions import (
    Effect,
    EffectKind,
    OpposedAction,
    Target,
    TrivialAction,
)

ACTIONS = catalogue().actions
FIREBOLT, SHOVE, GUARD = ACTIONS["firebolt"], ACTIONS["shove"], ACTIONS["take_guard"]


def test_a_trooper_has_no_magic_and_a_wizard_has():
    """BOW B.3: 0 or 1 is right for a basic trooper."""
    assert FIREBOLT.bricks(unit("wizard"), unit("trooper")) == (4, 0)
    assert FIREBOLT.bricks(unit("jedi"), unit("wizard")) == (2, 4)
    assert FIREBOLT.can_act(unit("wizard"))
    assert not FIREBOLT.can_act(unit("trooper"))


def test_what_an_action_needs_is_in_hand():
    assert not FIREBOLT.can_act(replace(unit("wizard"), gear=unit("archer").gear))
    assert not FIREBOLT.can_act(unit("jedi"))
    assert GUARD.can_act(unit("trooper"))
    assert not GUARD.can_act(unit("archer"))


def test_abilities_of_the_basic_rules_serve_too():
    assert SHOVE.bricks(unit("knight"), unit("jedi")) == (2, 4)
    assert SHOVE.new_abilities == ()
    assert FIREBOLT.new_abilities == ("magic_protection", "magic")


def test_an_effect_is_the_difference_or_fixed():
    assert Effect(EffectKind.DAMAGE).amount(3) == 3
    assert Effect(EffectKind.PUSH, 1).amount(3) == 1


def test_the_library_tells_who_may_do_what():
    library = catalogue()
    names = [action.name for action in library.actions_of(unit("wizard"))]
    assert names == ["firebolt", "mind_grip", "shove"]
    assert library.custom_abilities == ("magic_protection", "magic")


def test_nothing_that_ships_has_a_fault():
    assert [fault for action in ACTIONS.values() for fault in action.problems()] == []


OPPOSED = OpposedAction("x", "blue", "magic", "will", Target.ENEMY, Effect(EffectKind.DAMAGE))
TRIVIAL = TrivialAction("x", Target.SELF, Effect(EffectKind.GUARD, 1))


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        (replace(OPPOSED, range_studs=7), "range_studs: 7 is no multiple of 5 (BOW B.1)"),
        (replace(OPPOSED, range_studs=-5), "range_studs: -5"),
        (replace(OPPOSED, colour="black"), "colour: 'black' is none of blue"),
        (replace(OPPOSED, target=Target.SELF), "target: nobody rolls against oneself"),
        (replace(OPPOSED, effect=Effect(EffectKind.NOTHING)), "effect: an opposed action must"),
        (replace(OPPOSED, actions=0), "actions: 0 is less than 1 (BOW B.2)"),
        (replace(OPPOSED, effect=Effect(EffectKind.DAMAGE, 0)), "effect: 0 points"),
        (replace(TRIVIAL, effect=Effect(EffectKind.DAMAGE, 1)), "effect: damage needs an opposed"),
        (replace(TRIVIAL, effect=Effect(EffectKind.GUARD)), "effect: without a roll"),
        (replace(TRIVIAL, effect=Effect(EffectKind.NOTHING, 1)), "effect: nothing has no points"),
    ],
)
def test_faults(action, fault):
    (found,) = action.problems()
    assert found.startswith(fault)


def test_an_action_that_only_takes_time():
    assert replace(TRIVIAL, effect=Effect(EffectKind.NOTHING)).problems() == []


@pytest.mark.parametrize("colour", ["white", "green", "dark_grey", "black", "red", "yellow"])
def test_colours_of_the_basic_rules_are_taken(colour):
    """BOW B.3, 1.4.1."""
    assert replace(OPPOSED, colour=colour).problems()
