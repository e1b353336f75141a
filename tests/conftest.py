"""What holds for all tests."""

from hypothesis import settings

# whichever example comes first may wait for Numba: no example has a deadline
settings.register_profile("brickphys", deadline=None)
settings.load_profile("brickphys")
