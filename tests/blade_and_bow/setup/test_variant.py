"""Variants of battles that ship: what is left out, what is cleared, and every fault."""

from typing import Any

import numpy as np
import pytest

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.scenario import SCENARIOS, variant
from brickphys.blade_and_bow.setup import first_state
from brickphys.errors import InvalidValueError


def test_without_changes_it_is_the_battle_that_ships():
    assert variant({"scenario": "marathon"}) == ("marathon", SCENARIOS["marathon"])


def test_units_stay_away_and_ground_is_cleared():
    label, setup = BladeAndBow().draw_setup(
        {"scenario": "plataea", "without": ["helots_1"], "clear": ["hill", "woods"]},
        np.random.default_rng(1),
    )
    assert label == "plataea without helots_1 with hill, woods cleared"
    whole, part = first_state(SCENARIOS["plataea"]).setting, first_state(setup).setting
    assert [unit for unit in whole.units if unit.name != "helots_1"] == list(part.units)
    assert {ground.name for ground in part.terrain} == {"clear", "river", "town"}
    assert "hill" in SCENARIOS["plataea"]["field"]["ground"]  # what ships is as it was


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"scenario": "maraton"}, "scenario: unknown scenario 'maraton': did you mean 'marathon'?"),
        ({}, "scenario: missing"),
        ({"scenario": "marathon", "without": ["spears"]}, "without[0]: unknown unit 'spears'"),
        ({"scenario": "marathon", "clear": ["hil"]}, "clear[0]: unknown terrain 'hil'"),
        (
            {"scenario": "thermopylae", "without": ["guard"]},
            "leaders[2].square: no unit of persians is in R15 (BB 14.3)",
        ),
    ],
)
def test_faults_are_named(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        variant(options)
    assert fault in str(caught.value)
