"""Morale: the dice that fail, and what changes them (BB 3.4, 9.4.3)."""

from itertools import product

import pytest

from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale, least_failing
from tests.blade_and_bow.battle import battle, unit

GROUND = "......\n......\n......\n......"


class Check(MoraleRoll):
    """A roll that tells by the number of actions how it ended."""

    __slots__ = ()
    what = "check"

    def passed(self, state):
        return state.replaced({"actions": 10})

    def failed(self, state):
        return state.replaced({"actions": 20})


def line(*more, value=3, **changes):
    """Return a battle of hoplites and peltasts whose commander has a command value."""
    return battle(
        GROUND,
        "greeks hoplite A1 e as=ann",
        "greeks peltast B1 e as=bob",
        "persians peltast F4 w as=pel",
        "persians hoplite F3 w as=hop",
        f"greeks leader leon A4 1-6-{value}/red",
        *more,
        **changes,
    )


@pytest.mark.parametrize("value", range(1, 5))
@pytest.mark.parametrize("modifier", range(-3, 4))
def test_a_die_fails_above_the_commanders_value(value, modifier):
    """BB 3.4, against the six faces."""
    state = line(value=value)
    fails = [face for face in range(1, 7) if face + modifier > value]
    least = least_failing(state, 0, modifier)
    assert fails == list(range(least, 7))


def test_an_army_without_leaders_has_morale_two():
    assert least_failing(line(), 1, 0) == 3


def test_what_is_certain_is_not_rolled():
    state = line(value=3)
    ann = unit(state, "ann")
    asked = ask_morale(state, Check(ann, 2))
    assert asked.first_pending == Check(ann, 2)
    assert asked.actions == 3
    assert ask_morale(line(value=6), Check(ann)).actions == 10
    assert ask_morale(line(value=1, sacked=(True, False)), Check(ann)).actions == 20


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_a_roll_passes_if_every_die_does(dice):
    """The law of the event, against all faces (BB 3.4.1)."""
    state = ask_morale(line(), Check(0, dice))
    law = state.event.law(None)
    passing = sum(all(face <= 3 for face in faces) for faces in product(range(1, 7), repeat=dice))
    found = sum(
        chance
        for outcome, chance in law.items()
        if Check(0, dice).settle(state.pop_pending(), outcome).actions == 10
    )
    assert found * 6**dice == passing
