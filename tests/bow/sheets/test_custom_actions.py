"""New actions as data (BOW B.2, B.3)."""

from dataclasses import replace

import pytest

from brickphys.bow.sheets.catalogue import catalogue, unit
from brickphys.bow.sheets.library import (
    Effect,
    EffectKind,
    OpposedAction,
    TargetSide,
    TargetType,
    TrivialAction,
)
from brickphys.bow.sheets.plate import LETTERS, custom_lines

ACTIONS = catalogue().actions
FIREBOLT, SHOVE, GUARD = ACTIONS["firebolt"], ACTIONS["shove"], ACTIONS["take_guard"]


def test_a_trooper_has_no_magic_and_a_wizard_has():
    """BOW B.3: 0 or 1 is right for a basic trooper."""
    magic = [unit(name).ability("magic") for name in ("wizard", "jedi", "trooper")]
    protection = [unit(name).ability("magic_protection") for name in ("wizard", "jedi", "trooper")]
    assert (magic, protection) == ([4, 2, 0], [4, 2, 0])
    assert FIREBOLT.can_act(unit("wizard"))
    assert not FIREBOLT.can_act(unit("trooper"))


def test_what_an_action_needs_is_in_hand():
    assert not FIREBOLT.can_act(replace(unit("wizard"), gear=unit("archer").gear))
    assert not FIREBOLT.can_act(unit("jedi"))
    assert GUARD.can_act(unit("trooper"))
    assert not GUARD.can_act(unit("archer"))


def test_abilities_of_the_basic_rules_serve_too():
    assert SHOVE.new_abilities == ()
    assert FIREBOLT.new_abilities == ("magic_protection", "magic")


def test_damage_points_take_no_studs_and_share_the_line_of_what_meets_them():
    """BOW 2.4.4, B.3."""
    spell = ACTIONS["treating_spell"]
    assert spell.new_abilities == ("magic",)
    assert spell.shares_line(FIREBOLT)
    assert FIREBOLT.shares_line(spell)
    assert not spell.shares_line(SHOVE)
    for actions in ([spell, FIREBOLT], [FIREBOLT, spell]):
        assert custom_lines(unit("wizard"), actions) == (FIREBOLT,)
    assert custom_lines(unit("wizard"), [spell]) == (spell,)


def test_an_effect_is_the_difference_or_fixed():
    assert Effect(EffectKind.DAMAGE).amount(3) == 3
    assert Effect(EffectKind.PUSH, 1).amount(3) == 1


def test_the_library_tells_who_may_do_what():
    library = catalogue()
    names = [action.name for action in library.actions_of(unit("wizard"))]
    assert names == [
        *("firebolt", "mind_grip", "treating_spell", "lightning_bolt"),  # its own magic first
        *("opening_spell", "shove"),
    ]
    assert library.custom_abilities == ("magic_protection", "magic")


OPPOSED = OpposedAction(
    name="x",
    colour="blue",
    acting="magic",
    resisting="will",
    target=TargetSide.ENEMY,
    effect=Effect(EffectKind.DAMAGE),
)
TRIVIAL = TrivialAction(name="x", target=TargetSide.SELF, effect=Effect(EffectKind.GUARD, 1))
UNIT, VEHICLE, DOOR = TargetType
NOTHING = Effect(EffectKind.NOTHING)
PUSH = replace(OPPOSED, effect=Effect(EffectKind.PUSH, 1))
OPENING = replace(TRIVIAL, target=TargetSide.ANYONE, effect=Effect(EffectKind.OPEN), on=(DOOR,))


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        (replace(OPPOSED, range_studs=7), "range_studs: 7 is not a multiple of 5 (BOW B.1)"),
        (replace(OPPOSED, range_studs=-5), "range_studs: -5"),
        (replace(OPPOSED, colour="black"), "colour: 'black' is not one of blue"),
        (
            replace(OPPOSED, target=TargetSide.SELF),
            "target: an opposed action cannot have the unit itself as target",
        ),
        (replace(OPPOSED, effect=Effect(EffectKind.NOTHING)), "effect: an opposed action must"),
        (replace(OPPOSED, actions=0), "actions: 0 is less than 1 (BOW B.2)"),
        (replace(OPPOSED, effect=Effect(EffectKind.DAMAGE, 0)), "effect: 0 points"),
        (replace(TRIVIAL, effect=Effect(EffectKind.DAMAGE, 1)), "effect: damage needs an opposed"),
        (replace(TRIVIAL, effect=Effect(EffectKind.GUARD)), "effect: an action without a roll"),
        (replace(TRIVIAL, effect=Effect(EffectKind.NOTHING, 1)), "effect: nothing has no points"),
        (replace(OPPOSED, resisting="damage"), "resisting: damage is the power of the target's"),
        (replace(OPPOSED, acting="damage_points"), "acting: damage_points can only resist"),
        (replace(OPPOSED, on=()), "on: needs types of target"),
        (replace(OPPOSED, on=(VEHICLE, VEHICLE)), "on: needs types of target, each once"),
        (replace(PUSH, on=(VEHICLE,)), "on: push has no effect on a vehicle (BOW B.2)"),
        (replace(OPENING, on=(UNIT,)), "on: open has no effect on a unit"),
        (
            replace(OPENING, target=TargetSide.ENEMY),
            "target: a door belongs to no side: anyone, not enemy",
        ),
        (replace(OPENING, effect=Effect(EffectKind.OPEN, 1)), "effect: open has no points"),
        (replace(TRIVIAL, effect=NOTHING, on=(VEHICLE,)), "on: only a unit can act on itself"),
    ],
)
def test_faults(action, fault):
    (found,) = action.problems()
    assert found.startswith(fault)


def test_an_action_that_only_takes_time():
    assert not list(replace(TRIVIAL, effect=Effect(EffectKind.NOTHING)).problems())


NEEDS_A_ROLL = {EffectKind.DAMAGE, EffectKind.PUSH, EffectKind.HOLD, EffectKind.DISARM}
ON_VEHICLES = {EffectKind.DAMAGE, EffectKind.HEAL, EffectKind.NOTHING}
ON_DOORS = {EffectKind.OPEN, EffectKind.NOTHING}


def is_faultless(action):
    return not list(action.problems())


@pytest.mark.parametrize("kind", EffectKind)
def test_b_2_each_effect_has_its_types_of_targets_its_points_and_its_roll(kind):
    """An action has a fault exactly where the tables of effects, written down again here, say so."""
    pointless = kind in ON_DOORS
    effect = Effect(kind, None if pointless else 1)
    right = {
        UNIT: kind is not EffectKind.OPEN,
        VEHICLE: kind in ON_VEHICLES,
        DOOR: kind in ON_DOORS,
    }
    trivial = replace(TRIVIAL, target=TargetSide.ANYONE, effect=effect)
    opposed = replace(OPPOSED, target=TargetSide.ANYONE, effect=effect)
    for target, fits in right.items():
        trivial_fits = fits and kind not in NEEDS_A_ROLL
        opposed_fits = fits and target is not DOOR and kind is not EffectKind.NOTHING
        assert is_faultless(replace(trivial, on=(target,))) == trivial_fits
        assert is_faultless(replace(opposed, on=(target,))) == opposed_fits
    rolled = replace(opposed, effect=Effect(kind), on=(UNIT,))
    assert is_faultless(rolled) == (not pointless)


@pytest.mark.parametrize("colour", LETTERS)
def test_b_3_a_colour_is_free_if_it_has_no_meaning_in_the_basic_rules(colour):
    """BOW 1.4.1."""
    taken = colour in ("white", "green", "dark_grey", "black", "red", "yellow")
    assert bool(list(replace(OPPOSED, colour=colour).problems())) == taken


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"on": (DOOR,), "target": TargetSide.ANYONE}, "on: a door rolls no bricks"),
        ({"on": (UNIT, DOOR)}, "target: a door belongs to no side: anyone, not enemy"),
        ({"resisting": "damage"}, "points that it has are damage_points, its Attack/Damage is"),
    ],
)
def test_b_1_faults_that_come_with_others(change, words):
    assert words in "\n".join(replace(OPPOSED, **change).problems())


def test_b_3_what_an_action_is_when_nothing_else_is_said():
    assert (OPPOSED.range_studs, OPPOSED.actions, OPPOSED.needs) == (0, 1, None)
    assert (OPPOSED.on, OPPOSED.sight, OPPOSED.about) == ((UNIT,), True, "")
    for studs in (0, 5, 10):
        assert list(replace(OPPOSED, range_studs=studs).problems()) == []


def test_b_3_a_line_is_shared_by_the_same_two_abilities_alone():
    magic = replace(OPPOSED, acting="magic", resisting="will")
    assert magic.shares_line(replace(magic, name="y"))
    assert not magic.shares_line(replace(magic, resisting="faith"))
    assert not magic.shares_line(replace(magic, acting="faith"))
    healing = replace(magic, resisting="damage_points")
    assert not healing.shares_line(replace(magic, acting="faith"))
    assert (magic.meets_damage, healing.meets_damage) == (False, True)
    assert replace(magic, resisting="magic").new_abilities == ("magic",)
