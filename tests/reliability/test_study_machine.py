"""A study ends with the same table, whatever happens to its runner and its folder: a state machine."""

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.cases import few
from tests.installed_game import installed_pebbles
from tests.reliability.study_machine import StudyMachine, UntilMachine

FEW = settings(
    max_examples=2,
    stateful_step_count=5,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # the steps that fail are few: to look for fewer takes long
)
MANY = settings(FEW, max_examples=25, stateful_step_count=20)


@pytest.fixture(autouse=True, scope="module")
def pebbles_are_known(tmp_path_factory):
    """Install the game of the studies, and learn what the rows are."""
    with installed_pebbles(tmp_path_factory):
        for machine in MACHINES:
            machine.learn(tmp_path_factory.mktemp("whole") / "batch")
        yield


MACHINES = (UntilMachine, StudyMachine)


@pytest.mark.parametrize("machine", few(MACHINES))
def test_no_row_is_lost_doubled_or_altered(machine):
    run_state_machine_as_test(machine, settings=FEW)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_no_row_is_lost_doubled_or_altered_in_many_studies(machine):
    run_state_machine_as_test(machine, settings=MANY)
