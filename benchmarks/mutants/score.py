"""Score of a package: which of its mutants the tests notice."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from shutil import copytree, rmtree

from benchmarks.mutants.mutation import Mutant
from benchmarks.mutants.plan import Harmless, Package
from benchmarks.mutants.reach import Reach
from benchmarks.mutants.trial import Outcome, Server

HEAD = (
    f"{'package':14}{'mutants':>8}{'tried':>7}{'killed':>8}{'by limit':>10}{'harmless':>10}"
    f"{'survivors':>11}{'score':>8}{'s':>7}"
)


@dataclass(frozen=True)
class Score:
    """What became of the mutants of a package."""

    package: str
    mutants: int
    """All that there are."""
    outcomes: list[Outcome]
    """Of those tried."""
    harmless: list[Outcome]
    """Survivors that were judged harmless: they do not count."""
    seconds: float

    @property
    def survivors(self) -> list[Outcome]:
        """Survivors that count."""
        return [o for o in self.outcomes if not o.is_killed and o not in self.harmless]

    @property
    def share(self) -> float:
        """Share of killed mutants among those that are not harmless."""
        counted = len(self.outcomes) - len(self.harmless)
        return 1.0 - len(self.survivors) / counted if counted else 1.0

    def row(self) -> str:
        """Return a line of the table."""
        limit = sum(o.status == "timeout" for o in self.outcomes)
        killed = sum(o.is_killed for o in self.outcomes)
        return (
            f"{self.package:14}{self.mutants:8,}{len(self.outcomes):7}{killed:8}{limit:10}"
            f"{len(self.harmless):10}{len(self.survivors):11}{self.share:8.1%}{self.seconds:7.0f}"
        )


def is_listed(outcome: Outcome, listed: Sequence[Harmless]) -> bool:
    """Return whether a survivor was judged harmless."""
    mutant = (outcome.path, outcome.line, outcome.becomes)
    return any(mutant == (h.path, h.line, h.becomes) for h in listed)


@contextmanager
def _servers(package: Package, tree: Path, workers: int) -> Iterator[tuple[Reach, Queue[Server]]]:
    """Measure what the tests reach; then give each worker a copy of the tree, with what was compiled."""
    with ExitStack() as stack:
        opened: Queue[Server] = Queue()
        for number in range(workers):
            root = tree
            if number:
                root = tree.with_name(f"{tree.name}-{number}")
                copytree(tree, root)
                stack.callback(rmtree, root)
            server = Server(root, compiled=package.compiled)
            stack.callback(server.close)
            opened.put(server)
            if not number:
                reach, failed = server.reach(package.tests, package.sources)
                for name in failed:
                    print(f"  not used, it fails without a mutant: {name}", flush=True)
        yield reach, opened


CONTROLS = 2
"""So many mutants are tried without their change too: their tests must pass."""


def try_all(package: Package, drawn: list[Mutant], tree: Path, workers: int) -> list[Outcome]:
    """Try mutants out in copies of the tree, and print each survivor."""
    with _servers(package, tree, workers) as (reach, free), ThreadPoolExecutor(workers) as pool:

        def try_out(mutant: Mutant) -> Outcome:
            server = free.get()
            try:
                if mutant in drawn[:CONTROLS]:
                    server.control(mutant, reach)
                outcome = server.try_out(mutant, reach)
            finally:
                free.put(server)
            if not outcome.is_killed:
                where = f"{outcome.path}:{outcome.number} ({outcome.tests} tests)"
                change = f"    - {outcome.line}\n    + {outcome.becomes}"
                print(f"  {outcome.status}: {where}\n{change}", flush=True)
            return outcome

        return list(pool.map(try_out, drawn))
