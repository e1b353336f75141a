"""Every notebook runs from its folder, without errors, and draws something."""

import re
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LIMIT_S = 900
"""For one cell, on a machine that has other things to do."""


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def images(notebook):
    return [output for output in outputs(notebook) if "image/png" in output.get("data", {})]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_draws(path):
    notebook = nbformat.read(path, as_version=4)
    as_kept = images(notebook)
    NotebookClient(
        notebook,
        timeout=LIMIT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    assert not [output for output in outputs(notebook) if output.output_type == "error"]
    assert len(images(notebook)) == len(as_kept) >= 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_notebook_imports_is_there(path):
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    imports = re.findall(r"^from (brickphys[\w.]*) import (.+)$", code, re.MULTILINE)
    assert imports
    for module, names in imports:
        for name in re.findall(r"\w+", names):
            assert hasattr(import_module(module), name), f"{module} has no {name}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_its_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for output in outputs(notebook) if output.get("name") == "stderr"]
    assert path.stat().st_size < 1_500_000
