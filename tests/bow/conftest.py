"""The compiled loop is loaded before any test that watches the clock."""

import pytest

from brickphys.bow.sight import sight
from tests.bow.fields import at, flat_board


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    sight(flat_board(2, 2), at(0, 0), at(1, 1))
