"""Scenario files of Minifig battles: those that ship, and those that are written by hand."""

from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.scenario.shipped import ShippedScenarios
from brickphys.rules.setup.rule_options import RuleOption, rule_options


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.minifig.setup.setup_schema import BattleDocument
    from brickphys.rules.scenario.table_file import table_scenario

    return table_scenario(text, name, BattleDocument)


SCENARIOS = ShippedScenarios("brickphys.minifig", parse_scenario)
"""The setups that ship, by name."""


def options() -> tuple[RuleOption, ...]:
    """Return the options of the rules."""
    from brickphys.minifig.setup.setup_schema import OptionsDocument

    return rule_options(OptionsDocument)
