"""Law response: the response surface of the throws of a law, thrown for it."""

from dataclasses import asdict, replace

from brickphys.calibration.response.design import ANY_SURFACE, design_cell, throw_design
from brickphys.calibration.response.surface import Response, fit_response
from brickphys.calibration.throwers import ThrowCell
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.law import Law
from brickphys.shapes.body_file import is_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions

_POINTS = 512


def is_named(law: Law) -> bool:
    """Return whether a law is of a shape by name, not of a body file."""
    try:
        parse_shape(law.shape)
    except InvalidValueError:
        return False
    return True


def law_cell(law: Law, shape: str | None = None) -> ThrowCell:
    """Return single bricks in the middle of any surface's ranges, thrown as those of a law.

    Parameters
    ----------
    law
        The law.
    shape
        The body file of the law; None if it is of a shape by name.

    Raises
    ------
    InvalidValueError
        If the body file is missing, has a fault, or is not that of the law.
    """
    if shape is None and not is_named(law):
        raise InvalidValueError(
            f"throws (--throws): the law is of {law.shape}, a body of a file; name that file with shape (--shape)"
        )
    if shape is not None and (is_named(law) or not is_body_file(shape)):
        raise InvalidValueError(
            f"shape {shape} (--shape): only for a law of a body file, whose name ends in .toml"
        )
    cell = design_cell(shape or law.shape, "hand", ANY_SURFACE)
    for name, content in cell.file.files if cell.file else ():
        if content not in law.files.values():
            raise InvalidValueError(
                f"shape {shape} (--shape): not the body of the law: {name} has changed since (SHA-256)"
            )
    return replace(cell, conditions=Conditions(**asdict(law.conditions)))


def thrown_response(
    cell: ThrowCell, throws: int, seed: int, workers: int, progress: Progress
) -> Response:
    """Throw a response surface over any surface with about so many bricks.

    Raises
    ------
    InvalidValueError
        If the number of throws is outside its range.
    """
    if not 10 * _POINTS <= throws <= 10**8:
        raise InvalidValueError(f"throws {throws} (--throws) is outside {10 * _POINTS} to {10**8}")
    each = throws // _POINTS
    return fit_response(throw_design(cell, ANY_SURFACE, _POINTS, each, seed, workers, progress))
