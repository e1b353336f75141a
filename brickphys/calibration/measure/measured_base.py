"""Measured base: what the law of measurements is made from besides them: a law, a response surface, a generator."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from brickphys.calibration.measure.measured_law import filmed_conditions
from brickphys.calibration.measure.measurement_file import Measurements
from brickphys.calibration.response.design import shipped_design
from brickphys.calibration.response.of_law import is_named, law_cell, thrown_response
from brickphys.calibration.response.surface import Response, fit_response
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.law import Law
from brickphys.odds.law_file import default_law, find_law, shipped_law_on
from brickphys.seeds import generator

_ADDRESS = 5


def rng_of(seed: int) -> np.random.Generator:
    """Return the generator of the posterior of measurements."""
    return generator(seed, _ADDRESS)


def base_law(law_file: Path | None, surface: str) -> Law:
    """Return the law for what was not measured: that of a file, or a shipped one of a plane.

    Raises
    ------
    InvalidValueError
        If it is no law of a brick or plate on a plane.
    """
    if law_file is None:
        shipped = shipped_law_on(surface)
        return shipped if shipped and shipped.surface.floor == "plane" else default_law()
    base = find_law(law_file)
    if base.surface.floor != "plane":
        raise InvalidValueError(
            f"law {law_file} (--law): on a {base.surface.floor}; only planes are measured"
        )
    if not is_named(base):
        raise InvalidValueError(
            f"law {law_file} (--law): of {base.shape}, a body of a file; only bricks and plates are measured. "
            "infer takes counts of such a body, with shape (--shape)"
        )
    return base


def measured_response(
    base: Law,
    measurements: Measurements,
    throws: int | None,
    seed: int,
    workers: int,
    progress: Progress,
) -> Response:
    """Return the response surface: the shipped one, or one of so many throws around the measured throw.

    Raises
    ------
    InvalidValueError
        If none ships for the throws of the law, or the number of throws is outside its range.
    """
    if throws is None:
        shipped = shipped_design()
        if (shipped.shape, shipped.preset) != (base.shape, base.conditions.preset):
            raise InvalidValueError(
                f"no response surface ships for {base.shape}, {base.conditions.preset}: throws (--throws 1000000) "
                "computes one"
            )
        return fit_response(shipped)
    cell = law_cell(base)
    if measurements.film is not None:
        filmed = filmed_conditions(measurements.film, base.shape, base.conditions)
        cell = replace(cell, conditions=filmed)
    return thrown_response(cell, throws, seed, workers, progress)
