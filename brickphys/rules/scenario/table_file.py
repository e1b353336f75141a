"""Table file: a scenario file without a map, whose tables are those of a setup after a title and a text."""

from brickphys.errors import ScenarioFileError, raised_as
from brickphys.reading import parse_toml
from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.scenario.schema import TitledDocument
from brickphys.schema import validated

_HEAD = ("title", "text")


def table_scenario(text: str, name: str, document: type[TitledDocument]) -> Scenario:
    """Return the scenario in a text of this form; ScenarioFileError, which begins with the name, tells every fault."""
    with raised_as(ScenarioFileError):
        raw = parse_toml(text, name)
        head = validated(document, raw, name)
    setup = {key: value for key, value in raw.items() if key not in _HEAD}
    return Scenario(head.title, head.text, setup, {}, {}, {})
