"""Commands that need the shipped response surface share its fit."""

import pytest

from brickphys.calibration import response
from tests.fitted import fit_once


@pytest.fixture(autouse=True, scope="module")
def the_shipped_surface_is_fitted_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(response, "fit_response", fit_once)
        yield
