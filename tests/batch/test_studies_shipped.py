"""The studies that ship: they can be run, and their page tells of each."""

from pathlib import Path

import pytest

from brickphys.batch.spec import find_spec, studies, study_text

PAGE = Path(__file__).parents[2] / "docs" / "studies.md"
MOST = 10**6


def test_there_are_studies():
    assert {"calibration", "edges", "sectors", "fairness", "calibration_matters"} <= set(studies())


@pytest.mark.parametrize("name", studies())
def test_a_study_says_what_it_asks_and_with_which_seed(name):
    text, spec = study_text(name), find_spec(name)
    assert text.startswith("# ")
    assert "seed" in spec.document
    assert spec.document["title"]
    assert spec.most_runs <= 2 * MOST


@pytest.mark.parametrize("name", studies())
def test_the_page_has_the_command_of_every_study(name):
    assert f"batch run {name} " in PAGE.read_text(encoding="utf-8")
