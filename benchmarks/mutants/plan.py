"""The plan of a run: packages with their tests, and the survivors that were judged harmless."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutants.mutation import Mutant, mutants_of

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Package:
    """Sources that are mutated, and the tests that must notice."""

    name: str
    sources: list[str]
    tests: list[str]
    leave_out: list[str] = field(default_factory=list)
    compiled: bool = True
    """Whether kernels are compiled; they are if none is mutated."""

    def modules(self, root: Path) -> Iterator[str]:
        """Yield the modules that are mutated, from the root."""
        for source in self.sources:
            top = root / source
            for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
                name = path.relative_to(root)
                if not any(name.is_relative_to(folder) for folder in self.leave_out):
                    yield str(name)

    def mutants(self, root: Path) -> Iterator[Mutant]:
        """Yield all mutants."""
        for module in self.modules(root):
            yield from mutants_of(module, (root / module).read_text())


@dataclass(frozen=True)
class Harmless:
    """A survivor that changes nothing that a caller can see, or nothing that is promised."""

    path: str
    line: str
    becomes: str
    reason: str


def packages() -> tuple[float, list[Package]]:
    """Return the least score, and the packages."""
    tables = tomllib.loads((HERE / "plan.toml").read_text())
    least = tables.pop("least_score")
    return least, [Package(name, **table) for name, table in tables.items()]


def harmless() -> list[Harmless]:
    """Return the survivors that were judged harmless."""
    tables = tomllib.loads((HERE / "harmless.toml").read_text())
    return [Harmless(**table) for table in tables["survivor"]]
