"""Imports point one way, no files import each other in a circle, and heavy libraries load only when they compute."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from brickphys.calibration.law_stamp import LAW_SOURCES
from brickphys.projectiles.measure import HIT_SOURCES

PACKAGE = Path(__file__).parent.parent / "brickphys"
BASE = {
    *("checks", "errors", "files", "interface", "jit", "notes", "reading", "schema", "seeds"),
    *("signals", "stamp", "text", "units", "workers"),
}
GAMES = {"bow", "pirate_wars", "minifig", "blade_and_bow"}
BELOW_BATCH = {
    "geometry",
    "grid",
    "shapes",
    "throws",
    "engines",
    "odds",
    "calibration",
    "vehicles",
    "projectiles",
    "rules",
}
ALLOWED = {
    "geometry": set(),
    "grid": set(),
    "odds": set(),
    "shapes": {"geometry"},
    "throws": {"shapes", "odds"},
    "engines": {"throws", "shapes", "odds"},
    "calibration": {"engines", "throws", "shapes", "odds"},
    "vehicles": {"geometry", "shapes"},
    "projectiles": {"engines", "throws", "shapes", "odds", "geometry"},
    "rules": {"odds", "grid", "geometry"},
    **{game: {"rules", "odds", "grid", "geometry", "vehicles", "shapes"} for game in GAMES},
    "battles": BELOW_BATCH,
    "batch": BELOW_BATCH | {"battles"},
    "plots": BELOW_BATCH | {"battles", "batch"},
    "view": BELOW_BATCH | {"battles", "batch", "plots"},
    "cli": BELOW_BATCH | {"battles", "batch", "plots", "view"},
    "public": BELOW_BATCH | {"battles", "batch"},
}
"""Package -> the packages that it may import besides `BASE`."""
MAY_ALSO = {
    "vehicles/crash.py": {"engines", "throws"},
    "vehicles/crash_source.py": {"throws"},
    "vehicles/validation/pybullet_check.py": {"engines"},
    "minifig/": {"projectiles"},
    **{f"{room}/games/{game}": {game} for room in ("plots", "view") for game in GAMES},
}
"""Folders and files -> what they may import besides: these speak to the engines, those draw one game."""
NAMES_OF_MODELS = {"brickphys.vehicles.crash": {"minifig"}}
"""Module -> names of games that are there the names of models, too."""
ROOMS = {
    "bow": [
        {"rulebook"},
        {"field", "line_kernel", "sheets"},
        {"terrain", "setting", "documents"},
        {"sight"},
        {"state"},
        {"actions"},
        {"turns", "scene"},
        {"notation", "setup", "status", "sentences", "odds", "bot"},
        {"scenario", "story"},
        {"army"},
    ],
    "pirate_wars": [
        {"sheets", "documents"},
        {"setting"},
        {"state"},
        {"damage", "orders", "scene"},
        {"sailing", "firing", "boarding"},
        {"tasks"},
        {"morale"},
        {"turns"},
        {"setup", "status", "sentences", "boarding_odds", "bot"},
        {"scenario", "story", "prompt", "odds"},
        {"army"},
    ],
    "minifig": [
        {"sheets", "places_kernel"},
        {"setting"},
        {"state", "documents"},
        {"ground"},
        {"reach", "actions", "melee", "missiles", "scene"},
        {"movement", "shooting", "status", "odds"},
        {"turns", "bot", "conduct"},
        {"setup", "sentences", "worth"},
        {"scenario", "prompt", "plans"},
        {"story"},
        {"game"},
    ],
    "blade_and_bow": [
        {"sheets"},
        {"deck"},
        {"setting"},
        {"pieces", "documents"},
        {"state"},
        {"ground", "scene", "setup"},
        {"ways"},
        {"command"},
        {"combat", "deployment"},
        {"status"},
        {"turns", "dice_law", "sentences"},
        {"notation", "odds", "bot", "scenario", "story"},
        {"prompt"},
    ],
}
"""Game -> its rooms, floor by floor: a room imports rooms of the floors below, and none of its own floor.

Those that are not named are above the game itself: the campaign of minifig.
"""
FILES = sorted(PACKAGE.rglob("*.py"))


def module(path: Path) -> str:
    """The dotted name of a file."""
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


MODULES = {module(path): path for path in FILES}


WATCHED = (ast.Import, ast.ImportFrom, ast.Constant)


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The imports and the constants of a file, for all tests that look through them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, WATCHED)]


def imported(path: Path) -> set[str]:
    """The modules of brickphys that a file imports, wherever in it and for types only too."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= inner or {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("brickphys.")}


@cache
def imports() -> dict[str, set[str]]:
    """The modules that each module imports; the tests that need it wait for it, not all others."""
    return {name: imported(path) - {name} for name, path in MODULES.items()}


def test_pyplot_is_imported_nowhere():
    """It keeps figures and chooses a window system; pictures are drawn without both."""
    wrong = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        if "pyplot" in path.read_text(encoding="utf-8")
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any("pyplot" in f"{alias.name} {getattr(node, 'module', '')}" for alias in node.names)
    ]
    assert wrong == []


def package(name: str) -> str:
    """The package of a module."""
    return name.split(".")[1].replace("__main__", "cli") if "." in name else "public"


def test_packages_import_one_way():
    wrong = []
    for name, path in MODULES.items():
        place, own = path.relative_to(PACKAGE).as_posix(), package(name)
        allowed = ALLOWED.get(own, set()) | BASE | {own}
        for also, more in MAY_ALSO.items():
            allowed |= more if place.startswith(also) else set()
        wrong += [
            f"{place} imports {other}" for other in imports()[name] if package(other) not in allowed
        ]
    assert wrong == []


def reached(start: str) -> set[str]:
    """The packages that a module loads, with all that these load in turn."""
    found, new = set(), {start}
    while new:
        found |= new
        new = {name for one in new for name in imports().get(one, ())} - found
    return {"base" if package(name) in BASE else package(name) for name in found}


@pytest.mark.parametrize(
    ("module", "sources"),
    [
        ("brickphys.calibration.calibrate", LAW_SOURCES),
        ("brickphys.calibration.combined_law", LAW_SOURCES),
        ("brickphys.calibration.measure.measured_law", LAW_SOURCES),
        ("brickphys.projectiles.measure", HIT_SOURCES),
    ],
)
def test_the_stamp_of_a_law_names_all_sources_that_it_is_computed_from(module, sources):
    assert reached(module) <= set(sources)


def test_rooms_of_a_game_import_one_way():
    wrong = []
    for game, floors in ROOMS.items():
        floor_of = {room: number for number, floor in enumerate(floors) for room in floor}
        top = len(floors)
        for name in MODULES:
            parts = name.split(".")
            if parts[1:2] != [game] or len(parts) < 3:
                continue
            for other in imports()[name]:
                there = other.split(".")
                if there[1] != game or there[2:3] == parts[2:3]:
                    continue
                if floor_of.get(there[2], top) >= floor_of.get(parts[2], top + 1):
                    wrong.append(f"{name} imports {other}")
    assert wrong == []


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of more than one node (Tarjan, 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for after in sorted(arrows[node] & arrows.keys()):
            if after not in index:
                visit(after)
                low[node] = min(low[node], low[after])
            elif after in stack:
                low[node] = min(low[node], index[after])
        if low[node] == index[node]:
            circle = set(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            if len(circle) > 1:
                found.append(circle)

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def test_the_search_for_circles_finds_them():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_files_import_each_other_in_a_circle():
    assert circles(imports()) == []


def test_nothing_but_games_and_their_pictures_knows_a_game_by_name():
    wrong = []
    for name, path in MODULES.items():
        homes = tuple(f"{room}/games/{game}" for room in ("plots", "view") for game in GAMES)
        drawn_here = path.relative_to(PACKAGE).as_posix().startswith(homes)
        if package(name) in GAMES or drawn_here:
            continue
        wrong += [
            f"{name}:{node.lineno} {node.value!r}"
            for node in nodes(path)
            if isinstance(node, ast.Constant)
            and node.value in GAMES - NAMES_OF_MODELS.get(name, set())
        ]
    assert wrong == []


def test_libraries_of_physics_are_imported_in_their_own_files_only():
    wrong = [
        f"{name} imports {library}"
        for name, path in MODULES.items()
        for library, homes in (("pybullet", ("client",)), ("mujoco", ("mujoco", "mujoco_world")))
        if path.stem not in homes and f"import {library}" in path.read_text(encoding="utf-8")
    ]
    assert wrong == []


def loaded(statement: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has after a statement."""
    code = (
        f"import sys; {statement}; print(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_help_odds_and_rules_start_without_heavy_libraries():
    light = ("cli.main", "odds", "rules.registry", "rules.checks.conformance", "rules.tournament")
    found = loaded(f"import {', '.join(f'brickphys.{name}' for name in light)}")
    assert not found & {"pybullet", "matplotlib", "scipy", "pydantic"}


def test_help_of_every_command_needs_no_physics():
    code = (
        "import brickphys.cli.main as m, click; c = click.Context(m.cli); "
        "[m.cli.get_command(c, n).get_help(click.Context(m.cli.get_command(c, n))) "
        "for n in m.cli.list_commands(c)]"
    )
    assert not loaded(code) & {"pybullet", "matplotlib", "numpy"}


def test_engines_load_their_libraries_only_to_throw():
    assert not loaded("import brickphys.calibration.calibrate") & {"pybullet", "mujoco"}


def test_no_command_makes_random_numbers():
    """The stamp leaves `cli` out: what decides numbers belongs below it."""
    wrong = [name for name in imports() if package(name) == "cli" and _makes_numbers(MODULES[name])]
    assert wrong == []


def _makes_numbers(path: Path) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "brickphys.seeds"
        and any(alias.name == "generator" for alias in node.names)
        for node in nodes(path)
    )
