"""Scenario files of BOW: those that ship, and those that are written by hand (``docs/scenarios.md``)."""

from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.scenario.shipped import ShippedScenarios
from brickphys.rules.setup.rule_options import RuleOption, rule_options


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.bow.setup.scenario_format import BattleFormat
    from brickphys.rules.scenario import scenario_file

    return scenario_file.parse_scenario(text, name, BattleFormat())


SCENARIOS = ShippedScenarios("brickphys.bow", parse_scenario)
"""The setups that ship, by name."""


def options() -> tuple[RuleOption, ...]:
    """Return the options of the rules."""
    from brickphys.bow.setup.setup_schema import OptionsDocument

    return rule_options(OptionsDocument)
