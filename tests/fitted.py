"""The shipped response surface: its fit takes longer than most tests, and each process of the tests makes it once."""

from functools import cache

import numpy as np

from brickphys.calibration import response as surface
from brickphys.calibration.response import Response
from brickphys.calibration.response_design import ResponseDesign, shipped_design

_fit = surface.fit_response


@cache
def shipped_response() -> Response:
    """Return the fit to the shipped design."""
    return _fit(shipped_design())


def fit_once(design: ResponseDesign, *degree: int) -> Response:
    """Fit a design, unless it has the points and the counts of the shipped one, whose fit is known."""
    shipped = shipped_design()
    same = (
        not degree
        and design.ranges == shipped.ranges
        and np.array_equal(design.points, shipped.points)
        and np.array_equal(design.counts, shipped.counts)
    )
    return shipped_response() if same else _fit(design, *degree)
