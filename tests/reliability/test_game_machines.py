"""Games with people at the keyboard keep what was played, whatever is typed: state machines for every game."""

from typing import ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from brickphys.rules.registry import games
from tests.reliability.game_machine import GameMachine


class BladeAndBowMachine(GameMachine):
    name = "blade_and_bow"
    setups = ("marathon", "thermopylae")


class BowMachine(GameMachine):
    name = "bow"
    setups = ("duel", "chase", "skirmish")
    bots = ("random", "greedy")


class CampaignMachine(GameMachine):
    name = "campaign"
    setups = ("ten_days",)
    bots = ("random", "greedy")


class MinifigMachine(GameMachine):
    name = "minifig"
    setups = ("duel", "skirmish")


class PirateWarsMachine(GameMachine):
    name = "pirate_wars"
    setups = ("duel", "two_against_two")
    options: ClassVar = {"simultaneous": [True, False]}
    bots = ("random", "greedy")


MACHINES = {machine.name: machine for machine in GameMachine.__subclasses__()}
FEW = settings(
    max_examples=2,
    stateful_step_count=8,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # the steps that fail are few: to look for fewer takes long
)
MANY = settings(FEW, max_examples=20, stateful_step_count=30)


def test_every_game_has_a_machine():
    assert set(MACHINES) == set(games())


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_what_was_played_is_kept(name):
    run_state_machine_as_test(MACHINES[name], settings=FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MACHINES))
def test_what_was_played_is_kept_for_long(name):
    run_state_machine_as_test(MACHINES[name], settings=MANY)
