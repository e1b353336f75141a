"""Selected: a plugin of pytest that runs chosen tests in an order, each within its limit of CPU time."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings

QUIET = (
    *("-q", "-n", "0", "--tb=no", "-p", "no:cacheprovider", "--no-header"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # Hypothesis is loaded before pytest runs
    *("-W", "ignore:overflow encountered:RuntimeWarning"),  # as compiled code does
)
COLLECTION_S, LEAST_TEST_S, TIMES_SLOWER = 60.0, 10.0, 20.0
"""Limits of CPU time: for imports and collection, and for each test: the least, and so many times of what it took.

What it took was measured with few examples (`benchmarks.mutants.reach`), and perhaps after another test that had
imported the libraries and made the fixtures, which now falls to it: hence the least.
"""


class Selected:
    """Runs tests in an order, each within its limit of CPU time; all examples of Hypothesis are the same each time."""

    def __init__(self, seconds: dict[str, float], most_examples: int = 1000) -> None:
        self._seconds, self._most_examples = seconds, most_examples
        self._ranks = {name: rank for rank, name in enumerate(seconds)}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Make Hypothesis repeatable; what fails is not shrunk."""
        phases = (Phase.explicit, Phase.generate)
        usual = settings.default
        assert usual is not None
        settings.register_profile(
            "mutants",
            usual,
            derandomize=True,
            database=None,
            phases=phases,
            max_examples=min(usual.max_examples, self._most_examples),
        )
        settings.load_profile("mutants")
        signal.setitimer(signal.ITIMER_PROF, COLLECTION_S)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the selected tests, in their order."""
        if self._ranks:
            known = [item for item in items if item.nodeid in self._ranks]
            items[:] = sorted(known, key=lambda item: self._ranks[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Limit the CPU time of a test; a test that is not known yet may take as long as a collection."""
        limit = TIMES_SLOWER * self._seconds.get(item.nodeid, COLLECTION_S) + LEAST_TEST_S
        signal.setitimer(signal.ITIMER_PROF, limit)
        return (yield)
