"""Whoever reads the tree finds each behaviour: the docstring of a folder names its modules and rooms."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "brickphys"
FOLDERS = sorted(init.parent for init in PACKAGE.rglob("__init__.py") if init.parent != PACKAGE)
MOST_MODULES = 25


def holds(folder: Path) -> set[str]:
    """The modules and the rooms of a folder."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def name(folder: Path) -> str:
    return folder.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("folder", FOLDERS, ids=name)
def test_a_folder_names_all_that_is_in_it_and_nothing_else(folder):
    about = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    named = set(re.findall(r"`(\w+)/?`", about or ""))
    listed = re.findall(r"^- (.*?):", about or "", re.MULTILINE)
    own = {word for heads in listed for word in re.findall(r"`(\w+)/?`", heads)}
    assert holds(folder) - named == set()
    assert {word for word in own - holds(folder) if not (folder / word).is_dir()} == set()


@pytest.mark.parametrize("folder", FOLDERS, ids=name)
def test_a_folder_with_many_modules_has_rooms(folder):
    assert len([path for path in folder.glob("*.py") if path.stem != "__init__"]) <= MOST_MODULES
