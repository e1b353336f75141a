"""Settings of all tests."""

import gc
import os
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import HealthCheck, settings

from tests import without_pybullet

# before NumPy is imported: threads of linear algebra, two in each worker, wait for each other at full load
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
QUICK, THOROUGH = 25, 50
"""Examples of each property in the fast suite, and with the slow tests."""


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile of Hypothesis, before any test is imported, and take what is not installed into account."""
    # the first example may wait for Numba, and any for a busy machine: no example has a deadline
    settings.register_profile(
        "brickphys",
        max_examples=QUICK if config.option.markexpr == "not slow" else THOROUGH,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("brickphys")
    without_pybullet.install(config)


@pytest.fixture(autouse=True, scope="session")
def unsaved_games_are_kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test leaves a game in the folder of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True, scope="session")
def nobody_waits() -> Iterator[None]:
    """What commands print does not depend on how busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brickphys.notes.NOTE_AFTER_S", inf)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without the garbage collector, which finds nothing and takes a quarter of the time.

    What was collected and imported stays to the end, so no later search for garbage looks at it.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
