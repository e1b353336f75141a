"""Whatever a file holds, its reader raises InvalidValueError only, and what it accepts is read again as the same."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from tests.reliability.crowded import CROWDED
from tests.reliability.documents import documents, filled
from tests.reliability.examples import FORGERS
from tests.reliability.readers import OWN_FILES, READERS, plain

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "brickphys"
CORPUS = HERE.parent / "corpus"
"""Files that once made a reader fail, by reader; their names say why."""
FEW, MANY = 4, 600
MOST_CPU_S = 6.0
"""Three times what is promised: a test may wait for a busy processor."""
MOST_MB = 500
SLOW_TO_START = ("replay", "campaign", "body", "sheets")
"""Readers whose example takes a second to make or to load: they are fuzzed by the slow test only."""


def check(name: str, content: bytes, folder: Path) -> bool:
    """Assert what every reader promises of a file; return whether it was accepted."""
    reader = READERS[name]
    path = folder / f"thing.{reader.ending}"
    path.write_bytes(content)
    try:
        value = reader.read(path)
    except InvalidValueError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "\n" not in refused
        return False
    path.write_bytes(reader.again(value, content))
    assert plain(reader.read(path)) == plain(value)
    return True


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("read")


def fuzz(name: str, folder: Path, examples: int) -> None:
    """Give a reader files that are nearly right; of files with checks, half are forged."""
    reader = READERS[name]
    made = documents(reader.example(), reader.ending)
    if name in FORGERS:
        made = st.one_of(made, made.map(partial(forged, FORGERS[name])))

    @settings(max_examples=examples, derandomize=True, database=None)
    @given(made)
    def run(content: bytes) -> None:
        check(name, content, folder)

    run()


def forged(forge: Callable[[bytes], bytes], content: bytes) -> bytes:
    """Return a file with checks of its own content, where that is possible."""
    try:
        return forge(content)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return content


@pytest.mark.parametrize("name", [name for name in READERS if name not in SLOW_TO_START])
def test_a_reader_accepts_its_example_and_survives_a_few_damaged_files(name, folder):
    assert check(name, READERS[name].example(), folder)
    fuzz(name, folder, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_many_damaged_files_of_each_reader(name, folder):
    assert check(name, READERS[name].example(), folder)
    fuzz(name, folder, MANY)


@pytest.mark.parametrize(
    "path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_what_once_failed_is_refused_or_read(path, folder):
    check(path.parent.name, path.read_bytes(), folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_the_largest_files_take_little_time_and_memory(name, tmp_path):
    reader = READERS[name]
    paths = []
    crowded = CROWDED.get(name, lambda _: [])(reader.example())
    for number, content in enumerate([*filled(reader.example(), reader.ending), *crowded]):
        paths.append(tmp_path / f"{number}.{reader.ending}")
        paths[-1].write_bytes(content)
    done = subprocess.run(
        [sys.executable, HERE / "read_costs.py", name, *paths],
        capture_output=True,
        text=True,
        check=True,
    )
    costs = json.loads(done.stdout)
    assert max(costs["cpu_s"]) < MOST_CPU_S, costs
    assert costs["mb"] < MOST_MB, costs


def reading_modules() -> set[str]:
    """Modules that open files of users: they import what reads a path, or a library's reader."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "brickphys.reading import" not in text:
            continue
        tree = ast.parse(text)
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = {
            alias.name
            for node in imports
            if node.module == "brickphys.reading"
            for alias in node.names
        }
        if any(name.startswith("read_") for name in names):
            found.add(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    return found


def test_every_module_that_reads_files_has_its_fuzz_test():
    known = {module for reader in READERS.values() for module in reader.modules}
    assert reading_modules() - {"brickphys.reading"} == known | OWN_FILES.keys()
