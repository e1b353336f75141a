"""Where PyBullet is not installed, a test that fails because it needs PyBullet is skipped."""

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from types import ModuleType

import pytest


class WithoutPybullet:
    """A plugin of pytest, and a finder of modules that finds none and notes whether PyBullet was looked for."""

    def __init__(self) -> None:
        self.was_looked_for = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        self.was_looked_for |= name == "pybullet"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.was_looked_for = False
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report = yield
        told = "PyBullet cannot be imported" in getattr(report, "longreprtext", "")
        if report.failed and (told or self.was_looked_for):
            report.outcome = "skipped"
            report.longrepr = (str(item.path), 0, "needs PyBullet, which is not installed")
        return report


def install(config: pytest.Config) -> None:
    """Install the plugin if there is no PyBullet."""
    if find_spec("pybullet") is None:
        plugin = WithoutPybullet()
        sys.meta_path.insert(0, plugin)
        config.pluginmanager.register(plugin)
