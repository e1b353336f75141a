"""A scenario as the text of a file, for tests that change it or read it back."""

import tomli_w

from brickphys.rules.scenario import Scenario


def scenario_text(scenario: Scenario) -> str:
    """TOML without a drawing: it reads back as the same setup."""
    head = {"title": scenario.title, "text": scenario.text}
    return tomli_w.dumps({**head, **scenario.setup}, multiline_strings=True)
