"""Sensitivity: how much each cause moves the chance of a side."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import shape_argument
from brickphys.cli.shared.output_options import RunOptions, run_options
from brickphys.cli.shared.throw_options import ThrowOptions, throw_options
from brickphys.errors import InvalidValueError
from brickphys.progress import bar
from brickphys.text import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.calibration.response.design import ResponseDesign
    from brickphys.calibration.response.surface import Response
    from brickphys.calibration.sensitivity import Sensitivity, SobolIndex
    from brickphys.calibration.throwers import ThrowCell
    from brickphys.throws.surfaces import Surface


@click.command()
@shape_argument
@throw_options("preset", "surface")
@click.option(
    "--throws", default=200_000, show_default=True, help="Total number of bricks to throw."
)
@click.option(
    "--points",
    default=256,
    show_default=True,
    help="Number of points in the ranges: a power of two, at least 64.",
)
@run_options("Draw a tornado")
def sensitivity(shape: str, throw: ThrowOptions, throws: int, points: int, out: RunOptions) -> None:
    """Rank the causes that change the chance that SHAPE stops on a side, or in another scoring pose.

    Bricks are thrown at many points of the ranges of table, mould, edges and throw. A response surface is fitted.
    Sobol' indices give the share of each cause in the variance of the chance: alone (first order), and with its
    interactions (total).

    SHAPE is a brick, a plate or a body file with scores.

    \b
    Example:
      brickphys sensitivity 2x2 --surface wood --plot tornado.png

    \b
    JSON: shape, scoring, preset, surface, engine, seed, throws, p_side (mean), sd (over the causes),
      causes    name -> first, total {value, ci95}, low, high {value, p, ci95}, shift
      response  points, chi2, freedom, p_value, r_squared,
                reliability (share of the surface's variance beyond its own error),
                reliable, throws_wanted
    """
    out.check()
    _check_design(points, throws)

    from brickphys.calibration.response.design import ENGINE, design_cell
    from brickphys.calibration.response.surface import fit_response
    from brickphys.calibration.sensitivity import SURFACE_DEGREE, salib
    from brickphys.calibration.sensitivity import sensitivity as analyse
    from brickphys.odds.roll import scored
    from brickphys.throws.floors import PLANE
    from brickphys.throws.surfaces import surface as known

    on = known(PLANE.surface if throw.surface is None else throw.surface)
    cell = design_cell(shape, throw.preset, on)
    root = out.root
    salib()
    design = _throw(cell, on, points, throws // points, root, out.workers)
    response = fit_response(design, SURFACE_DEGREE)
    found = analyse(response, root)
    if not found.reliable:
        echo(f"brickphys: warning: {_too_few(found, response)}", err=True)
    title = f"{cell.shape}, preset {throw.preset}, on {on.name}"
    chance = scored(cell.body.scoring)
    body = {"shape": cell.shape, "scoring": cell.body.scoring}
    names = {**body, "preset": throw.preset, "surface": on.name, "engine": ENGINE}
    out.write(
        "sensitivity",
        lambda: {**names, "seed": root, **_document(found, response)},
        lambda: _print(found, response, f"{title}, engine {ENGINE}, seed {root}", chance),
        lambda: _figure(found, title, chance),
    )


def _check_design(points: int, throws: int) -> None:
    if not 64 <= points <= 8192 or points & (points - 1):
        raise InvalidValueError(f"--points {points} is not a power of two from 64 to 8192")
    if not 50 * points <= throws <= 10**8:
        raise InvalidValueError(f"--throws {throws} is outside {50 * points} to {10**8}")


def _throw(
    cell: "ThrowCell", on: "Surface", points: int, each: int, root: int, workers: int
) -> "ResponseDesign":
    """Throw the design under a progress bar."""
    from brickphys.calibration.response.design import throw_design

    with bar() as advance:
        report = partial(advance, "design")
        return throw_design(cell, on, points, each, root, workers, report)


def _document(found: "Sensitivity", response: "Response") -> dict[str, Any]:
    return {
        "throws": response.throws,
        "p_side": found.p,
        "sd": found.sd,
        "causes": {
            name: {**asdict(effect), "shift": effect.shift}
            for name, effect in found.effects.items()
        },
        "response": {
            "points": response.points,
            "chi2": response.chi2,
            "freedom": response.freedom,
            "p_value": response.p_value,
            "r_squared": response.r_squared,
            "reliability": found.reliability,
            "reliable": found.reliable,
            "throws_wanted": found.throws_wanted,
        },
    }


def _print(found: "Sensitivity", response: "Response", title: str, chance: str) -> None:
    echo(
        f"{title}\n{chance} in {percent(found.p)} on average over all causes, which move it by "
        f"+- {100 * found.sd:.1f} points (standard deviation)\n"
    )

    def index(one: "SobolIndex") -> str:
        return f"{one.value:.2f} ({one.ci95[0]:.2f} to {one.ci95[1]:.2f})"

    rows = [
        (
            name,
            f"{effect.low.value:.3g} to {effect.high.value:.3g}",
            percent(effect.low.p),
            percent(effect.high.p),
            index(effect.first),
            index(effect.total),
        )
        for name, effect in found.effects.items()
    ]
    output.print_table(("cause", "range", "p, low", "p, high", "first order", "total"), rows)
    echo(
        f"\nresponse surface of {response.throws} throws: chi2 {response.chi2:.0f} for {response.freedom} degrees of "
        f"freedom (p-value {response.p_value:.2g}), R2 {response.r_squared:.2f}, reliability {found.reliability:.2f}"
    )


def _too_few(found: "Sensitivity", response: "Response") -> str:
    from brickphys.calibration.sensitivity import LEAST_RELIABILITY

    wanted = max(found.throws_wanted, response.throws)
    unit = 10 ** max(0, len(str(wanted)) - 2)
    return (
        f"{response.throws:,} throws are too few to tell the causes apart: {found.reliability:.2f} of what the "
        f"response surface shows is more than its own error (limit {LEAST_RELIABILITY:g}); "
        f"some {-(-wanted // unit) * unit:,} throws would be enough"
    )


def _figure(found: "Sensitivity", title: str, chance: str) -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.calibration.tornado import draw_tornado

    figure = Figure(figsize=(8, 6), dpi=120, layout="constrained")
    ax = figure.add_subplot()
    draw_tornado(found, ax, chance)
    doubt = "" if found.reliable else "\n(too few throws to tell the causes apart)"
    ax.set_title(f"What decides the chance of {chance}\n{title}{doubt}")
    return figure
