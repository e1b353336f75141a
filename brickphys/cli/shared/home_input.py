"""Home input: bricks counted at home, surface by surface, and response surfaces that are thrown for them."""

from dataclasses import asdict, replace
from functools import partial

import click

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.response import Response, fit_response
from brickphys.calibration.response_design import ANY_SURFACE, design_cell, throw_design
from brickphys.calibration.throwers import ThrowCell
from brickphys.cli.shared import output
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.shapes.catalogue import parse_shape
from brickphys.text import counted
from brickphys.throws.conditions import Conditions
from brickphys.throws.surfaces import Surface, is_surface_file, surface

_POINTS = 512


def has_response(law: Law) -> bool:
    """Return whether a law is of a shape by name, for which a response surface can be thrown."""
    try:
        parse_shape(law.shape)
    except InvalidValueError:
        return False
    return True


def law_cell(law: Law) -> ThrowCell:
    """Return single bricks in the middle of any surface's ranges, thrown as those of a law.

    Raises
    ------
    InvalidValueError
        If the law is of a body file: only bricks and plates have a response surface.
    """
    if not has_response(law):
        raise InvalidValueError(f"--throws: no response surface for {law.shape}, a body of a file")
    cell = design_cell(law.shape, "hand", ANY_SURFACE)
    return replace(cell, conditions=Conditions(**asdict(law.conditions)))


def thrown_response(cell: ThrowCell, throws: int, seed: int, workers: int) -> Response:
    """Throw a response surface over any surface with about so many bricks, and show the progress.

    Raises
    ------
    InvalidValueError
        If the number of throws is outside its range.
    """
    if not 10 * _POINTS <= throws <= 10**8:
        raise InvalidValueError(f"--throws {throws} is outside {10 * _POINTS} to {10**8}")
    with output.progress() as advance:
        report, each = partial(advance, "response surface"), throws // _POINTS
        return fit_response(throw_design(cell, ANY_SURFACE, _POINTS, each, seed, workers, report))


def surface_at_home(name: str) -> Surface:
    """Return the surface of a name, in whatever case, or of a surface file."""
    return surface(name if is_surface_file(name) else name.lower())


def hands_by_surface(counts: HomeCounts, name: str | None) -> dict[str, HomeCounts]:
    """Return the hands of each surface, or those of the given one."""
    if counts.surfaces is None:
        return {name or "wood": counts}
    hands = dict(counts.by_surface())
    if name is None:
        return hands
    if name not in hands:
        raise InvalidValueError(f"--surface {name}: the file has hands on {', '.join(hands)} only")
    left_out = [
        f"{counted(other.hands, 'hand')} on {on}" for on, other in hands.items() if on != name
    ]
    if left_out:
        click.echo(f"note: --surface {name} leaves out {', '.join(left_out)}", err=True)
    return {name: hands[name]}
