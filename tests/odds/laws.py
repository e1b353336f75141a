"""Laws of one table and one hand, and law files with edits."""

import json
from dataclasses import replace
from typing import Any

import pytest

from brickphys.errors import LawFileError
from brickphys.odds.distribution import wilson
from brickphys.odds.law import Law
from brickphys.odds.law_file import parse_law
from brickphys.odds.provenance import Combined

HOME = Combined("mine.csv", {2: (3, 1, 0)}, None, 0.2, wilson(2, 10), None, 10, "")
"""Eight bricks at home, beside a prior law of ten."""


def narrowed(law: Law, **more: Any) -> Law:
    """Return a law as if computed for one table and one hand, by single bricks: its range is narrow."""
    ends = (0.1935, 0.2066)
    alone = {1: law.scores[1]}
    return replace(law, scores=alone, hands_engine=None, p_range90=ends, systematic=None, **more)


def text(law: Law, **edits: Any) -> str:
    """Return the file of a law with values put at ``key__path``."""
    document = json.loads(json.dumps(law.document()))
    for path, value in edits.items():
        *parents, key = path.split("__")
        place = document
        for parent in parents:
            place = place[parent]
        place[key] = value
    return json.dumps(document)


def refused(law: Law, **edits: Any) -> str:
    """Return why a law with edits is refused, in one line."""
    with pytest.raises(LawFileError) as caught:
        parse_law(text(law, **edits))
    message = str(caught.value)
    assert message.startswith("law: ")
    assert "\n" not in message
    return message
