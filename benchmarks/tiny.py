"""Tiny: each benchmark at a size at which it takes seconds; ``python -m benchmarks.tiny collisions games``.

Its figures say nothing. The tests run every benchmark so, and none rots.
"""

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Any, NamedTuple
from unittest.mock import patch


class Tiny(NamedTuple):
    """A tiny size: words of the command line, and constants of the module, or of another one as ``games.ROUNDS``."""

    words: tuple[str, ...] = ()
    constants: Mapping[str, Any] = {}
    is_slow: bool = False
    """Whether it takes more than some seconds all the same: it starts processes, a browser or whole battles."""


_BESIDE_BOW = {"games.ROUNDS": 1, "games.GREEDY_S": 0.01, "games.BATTLE": "duel"}
TINY: Mapping[str, Tiny] = {
    "aim_law": Tiny((), {"ROUNDS": 1, "SHOTS": 1}),
    "batches": Tiny(
        ("--rounds", "1", "--seconds", "0.1"), {"ROWS": 8000, "SHARD": 1000}, is_slow=True
    ),
    "blade_and_bow": Tiny((), {"BATTLES": 1, **_BESIDE_BOW}, is_slow=True),
    "bots": Tiny(
        (),
        {
            "BATTLES": ("minifig/duel", "bow/duel"),
            "LEVEL": "easy",
            "GAMES": 1,
            "ROUNDS": 1,
        },
        is_slow=True,
    ),
    "bullet_steps": Tiny(
        ("--throws", "4", "--surfaces", "wood", "glass"),
        {"POINTS": 2, "STEPS": (500, 1000, 4000), "USUAL": 2},
        is_slow=True,
    ),
    "campaign": Tiny((), {"DAYS": 5, "ROUNDS": 1}, is_slow=True),
    "clicks": Tiny((), {"CLICKS": 1}, is_slow=True),
    "cluster_kills": Tiny(
        ("--throws", "8000", "--workers", "2", "--every", "1000"), {}, is_slow=True
    ),
    "collisions": Tiny(
        ("--picture", "cost.png"),
        {
            "OBSTACLES": 5,
            "MOVES": {
                "sweep": 4,
                "impacts": 4,
                "shapely": 2,
                "pybullet, 0.05": 2,
                "pybullet, 0.005": 1,
            },
            "ROUNDS": 1,
            "CHECKED": 3,
            "COUNTS": (1, 3, 10),
            "COST_MOVES": 12,
            "BATCH": 3,
            "FILE_OBSTACLES": 20,
        },
        is_slow=True,
    ),
    "contact_time": Tiny(("--throws", "2"), {"ROWS": ((1e-3, 16),)}),
    "convergence": Tiny(
        ("--throws", "4", "--workers", "1", "--only", "default"),
        {},
        is_slow=True,
    ),
    "crash_witness": Tiny(("2", "1")),
    "crashes": Tiny((), {"THINGS": (2,), "ROUNDS": 1}),
    "driving": Tiny(("overlaps", "0", "1")),
    "engine_offsets": Tiny(
        ("--bullet", "128", "--mujoco", "128"),
        {"POINTS": 128, "THROWS_PER_POINT": 60},
        is_slow=True,
    ),
    "encounters": Tiny((), {"PAIRS": 5, "SAMPLED": 1, "ROUNDS": 1}),
    "films": Tiny((), {"BATTLES": (("bow", "duel"),), "TURNS": 3}, is_slow=True),
    "fit_battles": Tiny(("1", "greedy"), {"DAYS": 30}),
    "fit_worth": Tiny(("minifig", "--games", "5", "--bots", "random/random")),
    "flat_drops": Tiny(
        (),
        {
            "RESTITUTIONS": (0.3,),
            "FRICTIONS": (0.4,),
            "HEIGHTS_MM": (20.0,),
            "DROPS": (("2x2", "upright"),),
            "FAULTS": {"tilted by 0.1 degrees": (0.1, 0.0, 0.0)},
        },
        is_slow=True,
    ),
    "games": Tiny(
        (),
        {"ROUNDS": 1, "BATTLES": 1, "OPPONENTS_STEPS": 10, "CROWD": 4, "GREEDY_S": 0.01},
        is_slow=True,
    ),
    "home_counts": Tiny((), {"ROWS": 1000}, is_slow=True),
    "impacts": Tiny((), {"HITS": 2, "NAIVE_HITS": 2, "TIPPING_MM": (32.0,)}, is_slow=True),
    "lanes": Tiny((), {"ROUNDS": 1, "THROWS": 64}, is_slow=True),
    "limit": Tiny(("--throws", "4", "--only", "default"), {}, is_slow=True),
    "low_friction": Tiny(
        ("--only", "shares", "--only", "steps"),
        {"THROWS": {"compiled": 8, "bullet": 8, "mujoco": 2}, "FRICTIONS": (0.2,)},
        is_slow=True,
    ),
    "many_cells": Tiny(("--cells", "100")),
    "many_moves": Tiny(
        (),
        {
            "COUNTS": (9, 12),
            "DRAWN": 1,
            "TRIED": 3,
            "MOVES": dict.fromkeys(("arrays", "python", "touches", "shapely"), 3),
            "ROUNDS": 1,
        },
        is_slow=True,
    ),
    "minifig": Tiny(
        (), {**_BESIDE_BOW, "aim_law.ROUNDS": 1, "aim_law.SHOTS": 1, "SCENARIO": "duel"}
    ),
    "peers": Tiny(("--scenes", "38"), {}, is_slow=True),
    "pirate_wars": Tiny((), {"FLEETS": 1, "RUNS": 2, "DUELS": 1, **_BESIDE_BOW}, is_slow=True),
    "prior_coverage": Tiny((), {"BRICKS": (2,), "MEASURED_TRUTHS": (None, 0.25), "PEOPLE": 1}),
    "start": Tiny(("--throws", "8", "--workers", "1"), {}, is_slow=True),
    "throw_parts": Tiny(("--throws", "8"), {"READINGS": 10}, is_slow=True),
    "throws": Tiny(
        ("--memory-throws", "64"),
        {"ROUNDS": 1, "NAIVE_THROWS": 2, "ENGINE_THROWS": {"bullet": 8, "compiled": 8}},
        is_slow=True,
    ),
    "tray_photos": Tiny(("--photos", "1"), is_slow=True),
    "trays": Tiny(
        ("--compiled", "8", "--bullet", "4", "--mujoco", "1"),
        {"SHAPES": ("d6:16",), "SURFACES": ("wood",)},
    ),
    "view": Tiny((), {"_CLICKS": 2, "_SECONDS": 0.2}, is_slow=True),
    "tables": Tiny((), {"TABLES": 2, "CHOICES": 2, "THINKS_S": 0.1}, is_slow=True),
    "view_app": Tiny(
        (), {"_STARTS": 1, "_SESSIONS": 2, "_CLICKS": 2, "_CLICKS_OF_EACH": 1}, is_slow=True
    ),
}
"""Benchmark -> its tiny size."""
ELSEWHERE: Mapping[str, str] = {
    "ahead": "it writes a file of the package, which tests of the engine compare",
    "app_server": "a server, for tests of pages",
    "chromium": "a browser, for tests of pages",
    "contact_laws": "laws of contact, with tests of their own",
    "contact_physics": "it needs files of real tosses, which are not here",
    "dask_cluster": "a cluster, for the tests of batches",
    "models": "it writes the models, which tests of shapes compare",
    "mujoco_rollout": "a loop that the benchmark of throws runs",
    "encounter_march": "marches that the benchmark of encounters checks by",
    "renderer": "pictures of models, with tests of its own",
    "peer_libraries": "libraries that the benchmark of peers asks",
    "fitting": "the fit of weights, with tests of its own",
    "naive_pybullet": "a loop that the benchmark of throws runs",
}
"""Modules that are run in other ways -> how."""


def run(name: str) -> None:
    """Run a benchmark at its tiny size.

    Raises
    ------
    AttributeError
        If it has no such constant any more.
    SystemExit
        If it ends with another status than 0.
    """
    tiny = TINY[name]
    with ExitStack() as stack:
        stack.enter_context(patch.object(sys, "argv", [name, *tiny.words]))
        for place, value in tiny.constants.items():
            module, _, constant = f"{name}.{place}".rpartition(".")
            owner = import_module(f"benchmarks.{module.rpartition('.')[2]}")
            stack.enter_context(patch.object(owner, constant, value))
        try:
            import_module(f"benchmarks.{name}").main()
        except SystemExit as ended:
            if ended.code:
                raise


def main() -> None:
    """Run the benchmarks that the command line names, or all."""
    for name in sys.argv[1:] or TINY:
        print(f"{name}:", flush=True)
        run(name)


if __name__ == "__main__":
    main()
