"""Edited laws: every leaf of a law file is changed; it is refused, found by `verify`, or on the list of trust."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brickphys.calibration.law_origin import checks
from brickphys.errors import LawFileError
from brickphys.odds.law_file import parse_law, shipped_laws
from brickphys.projectiles.impact_law import LAWS as IMPACT_LAWS
from brickphys.projectiles.measure import checks as impact_checks

LAWS = Path(__file__).parent.parent.parent / "brickphys" / "laws"
TRUSTED = (
    r"versions\.\w+",
    r"command",
    r"complete",
    r"systematic\.throws",
    r"systematic\.range_error",
    r"systematic\.sources\.\w+\.(shift|error)",
    r"p_side\.range90\[[01]\]",
    r"systematic\.nominal_error",
    r"systematic\.reference_counts\[[01]\]",
    r"posterior\.\w+\[\d+\]",
    r"validation\..*",
    r"stamp\..*",
)
"""Keys of a law that can be changed alone without a contradiction in the file, or to what is known of bricks."""
READ_ONLY = (
    *TRUSTED,
    r"seed",
    r"engine",
    r"hands_engine",
    r"shape",
    r"conditions\..*",
    r"surface\..*",
    r"systematic\.sources\.\w+\.(low|high)",
    r"systematic\.to_limit\[\d\]",
)
"""Those of which reading alone finds no contradiction: of a law's table and throw, which no odds depend on."""
PLAUSIBLE = {
    "shape": ["2x4", "plate:2x2", "coin:20x2"],
    "engine": ["bullet", "compiled"],
    "hands_engine": ["compiled", None],
    "name": ["glass", "cloth", "wood"],
    "floor": ["baseplate", "plane", "tray"],
    "preset": ["cup", "custom"],
}
"""Key -> other values that such a key may have."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the path and value of every leaf of a JSON value; of the draws of a posterior, of the first row."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        if path[:1] == ("posterior",) and isinstance(key, int) and key > 0:
            return
        if isinstance(one, (dict, list)) and one:
            yield from leaves(one, (*path, key))
        else:
            yield (*path, key), one


def edits(path: tuple[Any, ...], value: Any) -> list[Any]:
    """Return other values for a leaf: slightly and grossly different, and plausible ones."""
    plausible = [one for one in PLAUSIBLE.get(path[-1], []) if one != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0) if value else 2, 10 * value + 3]
    if isinstance(value, float):
        return [value * 1.01 + 1e-4, value / 2 + 1e-3, 0.0 if value else 1.0, 1.0, 1e154, -1e308]
    if isinstance(value, str):
        return [f"{value}x", "", *plausible]
    return [1, "x", {}, *plausible]


def edited(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a JSON value with one leaf changed."""
    changed = json.loads(json.dumps(document))
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


def dotted(path: tuple[Any, ...]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)[1:]


def is_listed(path: tuple[Any, ...], keys: tuple[str, ...]) -> bool:
    return any(re.fullmatch(key, dotted(path)) for key in keys)


def believed(document: Any, file: Path, most: int | None = None) -> set[str]:
    """Return the leaves of a law that can be changed although they are not listed; tries some edits of each."""
    found = set()
    for path, value in leaves(document):
        for edit in [edit for edit in edits(path, value) if edit != value][:most]:
            text = json.dumps(edited(document, path, edit))
            try:
                parse_law(text)
            except LawFileError:
                continue
            if not is_listed(path, READ_ONLY):
                found.add(f"{dotted(path)} = {edit!r} is read")
            elif not is_listed(path, TRUSTED):
                file.write_text(text)
                if not any(check.fault for check in checks(file)):
                    found.add(f"{dotted(path)} = {edit!r} is verified")
    return found


def test_no_leaf_of_a_law_is_believed_that_is_not_listed(tmp_path):
    document = json.loads((LAWS / "pybullet.json").read_text())
    assert believed(document, tmp_path / "law.json", 1) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_laws())
def test_no_leaf_of_any_shipped_law_is_believed_that_is_not_listed(name, tmp_path):
    document = json.loads((LAWS / f"{name}.json").read_text())
    assert believed(document, tmp_path / "law.json") == set()


@pytest.mark.parametrize("name", shipped_laws())
def test_every_shipped_law_is_all_right(name):
    found = list(checks(LAWS / f"{name}.json"))
    assert [check for check in found if check.fault] == []
    assert found[-1].what.startswith("taken on trust: what was thrown")


@pytest.mark.parametrize("path", sorted(IMPACT_LAWS.glob("*.json")), ids=lambda path: path.stem)
def test_every_shipped_impact_law_is_all_right(path):
    assert [check for check in impact_checks(path) if check.fault] == []


def test_no_leaf_of_an_impact_law_is_believed_that_is_not_listed(tmp_path):
    trusted = (r"versions\.\w+", "seed", "command", "unsettled", r"stamp\..*")
    document = json.loads((IMPACT_LAWS / "bb-dog.json").read_text())
    file, found = tmp_path / "law.json", set()
    for path, value in leaves(document):
        is_count = re.fullmatch(r"arrivals\[\d+\]\.(hits|knocked).*", dotted(path))
        if is_count or (path[0] == "arrivals" and path[1] > 0) or is_listed(path, trusted):
            continue  # counts are what was thrown; arrivals are alike
        for edit in [edit for edit in edits(path, value) if edit != value][:1]:
            file.write_text(json.dumps(edited(document, path, edit)))
            if not any(check.fault for check in impact_checks(file)):
                found.add(f"{dotted(path)} = {edit!r}")
    assert found == set()
