"""The compiled loop is loaded before any test that watches the clock."""

import pytest
from bow_fields import at, flat_board

from brickphys.bow.field.sight import sight


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    sight(flat_board(2, 2), at(0, 0), at(1, 1))
