"""The compiled loops are loaded before any test that watches the clock; tests of all rooms share `fleet`."""

import pytest

from brickphys.pirate_wars.sailing import begin_move
from tests.pirate_wars.fleet import boat, fleet


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    begin_move(fleet(boat(x=50, y=50), boat(x=80, y=50, heading=90)), 0)
