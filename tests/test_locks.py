"""The locks: what running needs, everything, and the tools of the documentation; the same versions and hashes."""

import re
import tomllib
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]


def pins(name: str) -> dict[str, str]:
    """Return name -> version and hashes of a lock, without the platforms that need it."""
    text = re.sub(r" ; [^\\\n]*", "", (ROOT / name).read_text().strip())
    blocks = re.split(r"\n(?=\S)", text)
    return {block.split("==")[0]: block for block in blocks}


RUN, ALL, DOCS, LOWEST = (
    pins(f"requirements{part}.lock") for part in ("-run", "", "-docs", "-lowest")
)


def test_running_needs_a_part_of_all_with_the_same_pins() -> None:
    assert RUN.items() < ALL.items()


def test_running_has_every_dependency_and_no_extra_and_no_tool() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    needed = {Requirement(line).name for line in project["project"]["dependencies"]}
    assert needed | {Requirement(line).name for line in groups["build"]} <= RUN.keys()
    extras = [
        line for lines in project["project"]["optional-dependencies"].values() for line in lines
    ]
    tools = [line for line in groups["dev"] if isinstance(line, str)]
    others = {Requirement(line).name.lower() for line in extras + tools}
    assert not others & RUN.keys()


def test_the_documentation_is_built_by_the_same_versions_of_what_is_shared() -> None:
    shared = DOCS.keys() & ALL.keys()
    assert {name: DOCS[name] for name in shared} == {name: ALL[name] for name in shared}
    assert {"zensical", "mkdocstrings-python", "nbconvert"} <= DOCS.keys() - ALL.keys()


def test_the_lowest_versions_are_those_of_the_project() -> None:
    """A few are higher, since other packages need that."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needs = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    locked = {name: re.split(r"==|[\s\\]", block)[1] for name, block in LOWEST.items()}
    higher = []
    for need in map(Requirement, needs):
        found = Version(locked[canonicalize_name(need.name)])
        assert found in need.specifier
        if not any(Version(one.version) == found for one in need.specifier):
            higher.append(need.name)
    assert len(higher) < len(needs) / 4


def test_every_pin_has_a_hash_and_the_locks_name_no_registry_and_no_path() -> None:
    for block in (*(RUN | ALL | DOCS).values(), *LOWEST.values()):
        assert "--hash=sha256:" in block
        assert not re.search(r"://|^-|file:|@", block, re.MULTILINE)
