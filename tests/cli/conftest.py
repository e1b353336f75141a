"""Commands that need the shipped response surface share its fit."""

import pytest
from fitted import fit_once


@pytest.fixture(autouse=True, scope="module")
def the_shipped_surface_is_fitted_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brickphys.calibration.response.surface.fit_response", fit_once)
        yield
