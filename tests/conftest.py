"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# the first example may wait for Numba, and any for a busy machine: no example has a deadline
settings.register_profile("brickphys", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("brickphys")
