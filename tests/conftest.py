"""Settings of all tests."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# the first example may wait for Numba, and any for a busy machine: no example has a deadline
settings.register_profile("brickphys", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("brickphys")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without the garbage collector, which finds nothing and takes a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
