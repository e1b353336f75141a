"""Scenario files of Minifig battles: those that ship, and those that are written by hand."""

from pathlib import Path

from brickphys.errors import ScenarioFileError, raised_as
from brickphys.files import read_text
from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.scenario.shipped import ShippedScenarios


def read_scenario(path: Path | str) -> Scenario:
    """Return the scenario in a file; ScenarioFileError tells every fault of form."""
    with raised_as(ScenarioFileError):
        return parse_scenario(read_text(path), str(path))


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error (see `read_scenario`)."""
    from brickphys.minifig.setup.setup_schema import BattleDocument
    from brickphys.rules.scenario.table_file import table_scenario

    return table_scenario(text, name, BattleDocument)


SCENARIOS = ShippedScenarios("brickphys.minifig", parse_scenario)
"""The setups that ship, by name."""
