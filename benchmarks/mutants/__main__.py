"""Run the mutation tests: ``python -m benchmarks.mutants [PACKAGE ...]``."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.mutants.mutation import sample
from benchmarks.mutants.plan import harmless, packages
from benchmarks.mutants.score import HEAD, Score, is_listed, try_all
from benchmarks.mutants.trial import copy_tree

ROOT = Path(__file__).parents[2]
SECONDS_A_MUTANT = 4.0
"""As measured, for the plan."""


def _options() -> argparse.Namespace:
    _, known = packages()
    names = [package.name for package in known]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("package", nargs="*", default=names, help=f"of {', '.join(names)}")
    parser.add_argument("--per-package", type=int, default=60, help="mutants drawn of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="mutants of modules whose path holds this text")
    parser.add_argument("--out", type=Path, help="a JSON file for all outcomes")
    options = parser.parse_args()
    if unknown := set(options.package) - set(names):
        parser.error(f"unknown package {sorted(unknown)[0]!r}; there are {', '.join(names)}")
    return options


def _scores(options: argparse.Namespace) -> list[Score]:
    _, known = packages()
    scores, listed = [], harmless()
    chosen = [package for package in known if package.name in options.package]
    seconds = len(chosen) * options.per_package * SECONDS_A_MUTANT / options.workers
    print(
        f"{len(chosen)} packages, {options.per_package} mutants of each, seed {options.seed}: "
        f"some {seconds / 60:.0f} minutes, and the tests of each once before",
        flush=True,
    )
    for package in chosen:
        begun = time.perf_counter()
        mutants = [m for m in package.mutants(ROOT) if options.only in m.path]
        drawn = sample(mutants, options.per_package, options.seed)
        print(f"{package.name}: {len(drawn)} of {len(mutants):,} mutants", flush=True)
        with TemporaryDirectory(prefix="mutants-") as folder:
            tree = Path(folder, "tree")
            copy_tree(ROOT, tree)
            outcomes = try_all(package, drawn, tree, options.workers)
        alive = [o for o in outcomes if not o.is_killed and is_listed(o, listed)]
        taken = time.perf_counter() - begun
        scores.append(Score(package.name, len(mutants), outcomes, alive, taken))
        print(f"{HEAD}\n{scores[-1].row()}", flush=True)
    return scores


def main() -> int:
    """Try the drawn mutants out; return 1 if a package's score is too low."""
    options, (least, _) = _options(), packages()
    scores = _scores(options)
    if options.out:
        rows = [{"package": s.package} | asdict(o) for s in scores for o in s.outcomes]
        options.out.write_text(json.dumps(rows, indent=1) + "\n")
    print("\n".join(["", HEAD, *(score.row() for score in scores)]))
    low = [score.package for score in scores if score.share < least]
    if low:
        print(f"below {least:.0%}: {', '.join(low)}")
    return bool(low)


if __name__ == "__main__":
    sys.exit(main())
