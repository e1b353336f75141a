"""Imports point one way, and heavy libraries load only when something is computed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "brickphys"
BASE = {"errors", "units", "seeds", "schema", "jit", "files", "workers", "notes"}
ALLOWED = {
    "shapes": set(),
    "throws": {"shapes"},
    "engines": {"throws", "shapes"},
    "odds": set(),
    "calibration": {"engines", "throws", "shapes", "odds"},
    "vehicles": {"shapes"},
    "rules": {"odds"},
    "bow": {"rules", "odds", "vehicles", "shapes"},
    "batch": {"calibration", "engines", "throws", "shapes", "odds", "vehicles", "rules"},
    "plots": {
        "calibration",
        "engines",
        "throws",
        "shapes",
        "odds",
        "vehicles",
        "rules",
        "bow",
        "batch",
    },
    "cli": {
        "calibration",
        "engines",
        "throws",
        "shapes",
        "odds",
        "vehicles",
        "rules",
        "bow",
        "batch",
        "plots",
    },
}
MAY_ALSO = {
    "vehicles/physics/crash.py": {"engines", "throws"},
    "vehicles/validation/pybullet_check.py": {"engines"},
}
"""The files of their package that speak to the engines."""
FILES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Return the parts of brickphys that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("brickphys.")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    package = path.relative_to(PACKAGE).parts[0].replace("__main__.py", "cli")
    name = path.relative_to(PACKAGE).as_posix()
    allowed = ALLOWED.get(package, set()) | BASE | {package} | MAY_ALSO.get(name, set())
    assert imported(path) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_pybullet_is_imported_in_its_client_only(path: Path) -> None:
    if path.name != "client.py":
        assert "import pybullet" not in path.read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_mujoco_is_imported_in_its_engine_only(path: Path) -> None:
    if not path.name.startswith("mujoco"):
        assert "import mujoco" not in path.read_text()


def loaded(statement: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has after a statement."""
    code = (
        f"import sys; {statement}; print(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "brickphys.cli.main",
        "brickphys.odds",
        "brickphys.rules.registry",
        "brickphys.rules.checks.conformance",
        "brickphys.rules.tournament.tournament",
    ],
)
def test_help_odds_and_rules_start_without_heavy_libraries(module: str) -> None:
    assert not loaded(f"import {module}") & {"pybullet", "matplotlib", "scipy", "pydantic"}


def test_help_of_every_command_needs_no_physics() -> None:
    code = (
        "import brickphys.cli.main as m, click; c = click.Context(m.cli); "
        "[m.cli.get_command(c, n).get_help(click.Context(m.cli.get_command(c, n))) "
        "for n in m.cli.list_commands(c)]"
    )
    assert not loaded(code) & {"pybullet", "matplotlib", "numpy"}


def test_engines_load_their_libraries_only_to_throw() -> None:
    assert not loaded("import brickphys.calibration.calibrate") & {"pybullet", "mujoco"}
