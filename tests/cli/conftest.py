"""Commands that need the shipped response surface share its fit."""

import sys

import pytest

from tests.fitted import fit_once

USERS = ("calibration.response", "calibration.home", "calibration.measure.measured_law")
"""Modules with a name for the fit; other tests may have loaded them already."""


@pytest.fixture(autouse=True, scope="module")
def the_shipped_surface_is_fitted_once():
    with pytest.MonkeyPatch.context() as patch:
        for module in (f"brickphys.{user}" for user in USERS):
            if module in sys.modules:
                patch.setattr(sys.modules[module], "fit_response", fit_once)
        yield
