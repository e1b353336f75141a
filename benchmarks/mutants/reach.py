"""Reach: which test reaches which lines of which module, and how long it takes."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

from benchmarks.mutants.selected import QUIET, Selected

EXAMPLES = 10
"""A property is measured with so few examples of Hypothesis: they reach most lines, and cost a tenth."""


class _Clock(Selected):
    def __init__(self, coverage: Coverage) -> None:
        super().__init__({}, EXAMPLES)
        self._coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Take the CPU time of a test, and write its lines down as its own."""
        self._coverage.switch_context(item.nodeid)
        begun = time.process_time()
        try:
            return (yield from super().pytest_runtest_protocol(item))
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - begun, 3)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down a test that fails."""
        if report.failed:
            self.failed.append(report.nodeid)


def measure(tests: list[str], sources: list[str], found: Path) -> int:
    """Run tests and write what they reach to a file; return pytest's exit status."""
    files = [str(Path(source).resolve() / "*") for source in sources]
    files += [str(Path(source).resolve()) for source in sources]
    coverage = Coverage(data_file=None, config_file=False, include=files)
    clock = _Clock(coverage)
    coverage.start()
    try:
        status = pytest.main([*QUIET, *tests], plugins=[clock])
    finally:
        coverage.stop()
    data = coverage.get_data()
    root = Path.cwd()
    lines = {
        str(Path(name).relative_to(root)): data.contexts_by_lineno(name)
        for name in data.measured_files()
    }
    result = {"seconds": clock.seconds, "failed": clock.failed, "lines": lines}
    found.write_text(json.dumps(result))
    return int(status)


BUDGET_S = 12.0
"""CPU time that the tests of one mutant may usually take: beyond, they are left out."""


@dataclass(frozen=True)
class Reach:
    """What the tests of a package reach."""

    seconds: dict[str, float]
    """CPU time of each test that passes."""
    lines: dict[str, dict[int, list[str]]]
    """Of each module: line -> the tests that reach it; "" is the import."""

    @classmethod
    def of(cls, answer: dict[str, Any]) -> "Reach":
        """Read the answer of a server, without the tests that fail unmutated."""
        failed = set(answer["failed"])
        seconds = {name: s for name, s in answer["seconds"].items() if name not in failed}
        lines = {
            path: {int(line): names for line, names in of_module.items()}
            for path, of_module in answer["lines"].items()
        }
        return cls(seconds, lines)

    def tests_of(self, path: str, first: int, last: int) -> dict[str, float]:
        """Return the tests that may notice a change of these lines, with their CPU time, in the order to run them.

        These are the tests that reach the lines, and all tests in a file named as the module, because what is computed
        once is reached by the first test alone. Lines that run at import concern all tests that reach the module. Those
        of the module's own file come first, then the shorter ones, up to `BUDGET_S` in all.
        """
        of_module = self.lines.get(path, {})
        reached = {name for line in range(first, last + 1) for name in of_module.get(line, ())}
        if not reached - {""}:
            reached = {name for names in of_module.values() for name in names}
        own = f"_{Path(path).stem}.py::"  # test_sectors.py, or test_named_sectors.py
        names = [name for name in self.seconds if name in reached or own in name]
        names.sort(key=lambda name: (own not in name, self.seconds[name]))
        ends = accumulate(self.seconds[name] for name in names)
        return {
            name: self.seconds[name]
            for name, end in zip(names, ends, strict=True)
            if end <= BUDGET_S or name == names[0]
        }
