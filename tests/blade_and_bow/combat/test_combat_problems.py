"""Combats that no state holds are found; `fight` asserts that those of fights are in order."""

from typing import Any

import pytest

from brickphys.blade_and_bow.combat.commitment import combat_problems
from brickphys.blade_and_bow.pieces import Checked, Combat, Stage
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.fight import clash, melee, play, volley

STATE = battle(
    "....... ....... ....... ....... .......",
    "greeks spears D3 n as=ann",
    "greeks archers E5 n as=amy",
    "greeks spears A5 n as=far",
    "persians spears D2 s as=bob",
    "persians spears F2 s as=ben",
    "persians camp G1",
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"units": (0, 0)}, "are not units that act"),
        ({"units": ()}, "no unit attacks"),
        ({"units": (0, 2)}, "unit 2 is too far"),
        ({"lead": 1}, "does not attack"),
        ({"lead": None}, "no unit leads"),
        ({"target": 4}, "the target is not at D2"),
        ({"target": 1}, "unit 1 is not an enemy"),
        ({"target": None}, "no camp of the enemy is at D2"),
        ({"ranged": True}, "no unit is activated to shoot"),
        ({"attack": (1, 2)}, "hits, blanks and cancels"),
        ({"rerolls": (1,)}, "one for each side"),
        ({"checked": (Checked(1, (1,)),)}, "[1] lack commitment"),
        ({"stage": Stage.PARTY, "target": 4, "square": 26}, "cannot be attacked"),
    ],
)
def test_faults_are_named(changes: dict[str, Any], words: str) -> None:
    state = clash(STATE, "bob", "ann")
    assert not list(combat_problems(state))
    faults = list(combat_problems(state.change_combat(**changes)))
    assert any(words in fault for fault in faults), faults


def test_a_combat_needs_an_order() -> None:
    state = melee(STATE)
    combat = Combat(3, 24, ())
    for activation in (None, state.activation and state.activation.replaced({"closed": False})):
        (fault,) = combat_problems(state.replaced({"activation": activation, "combat": combat}))
        assert "no unit is activated to melee" in fault


def test_a_volley_has_no_commitment_and_no_camp() -> None:
    shot = play(volley(STATE, "amy"), "aim ben")
    assert not list(combat_problems(shot))
    for changes in ({"stage": Stage.COMMITMENT}, {"target": None}, {"again": True}):
        faults = list(combat_problems(shot.change_combat(**changes)))
        assert any("a volley cannot be at a camp" in fault for fault in faults)
