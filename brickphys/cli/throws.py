"""Throws: the commands on one shape and one condition.

`drop` throws it, `poses` computes its stable faces, `roll` is one brick roll, and `sensitivity` ranks the causes that
change the chance of a side.
"""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import (
    OutputOptions,
    RunOptions,
    chosen_law,
    edge_radius_option,
    engine_option,
    force_option,
    html_option,
    json_option,
    law_option,
    output_options,
    plot_option,
    root_seed,
    run_options,
    seed_option,
    shape_argument,
)
from brickphys.cli.shared.output import echo, print_table
from brickphys.cli.shared.throw_options import (
    LiveOptions,
    ThrowFilmOptions,
    ThrowOptions,
    live_options,
    throw_film_options,
    throw_options,
)
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import bar
from brickphys.text import counted, percent, percent_range

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.calibration.response import Response
    from brickphys.calibration.response_design import ResponseDesign
    from brickphys.calibration.systematic import Sensitivity, SobolIndex
    from brickphys.calibration.throw import Poses, Throws
    from brickphys.calibration.throwers import ThrowCell
    from brickphys.odds.law import Law
    from brickphys.odds.roll import Roll
    from brickphys.throws.conditions import Surface


@click.command()
@shape_argument
@edge_radius_option
@engine_option
@click.option("--throws", default=2000, show_default=True, help="Number of hands to throw.")
@click.option("--bricks", default=1, show_default=True, help="Bodies per hand, thrown together.")
@throw_options()
@html_option("the first throw, and the first hundred at rest,")
@run_options("Draw the shares of the poses")
def drop(
    shape: str,
    edge_radius_mm: float | None,
    engine: str | None,
    throws: int,
    bricks: int,
    throw: ThrowOptions,
    html: Path | None,
    out: RunOptions,
) -> None:
    """Throw SHAPE and count how it stops.

    Ctrl-C stops, and shows the throws so far.

    SHAPE is 2x2 (1x1 to 2x8), plate:2x2, cuboid:AxBxC, coin:DxT, d6:A (mm) or a body file.

    \b
    Examples:
      brickphys drop 2x2 --throws 5000 --surface cloth --height-mm 200:200
      brickphys drop 2x2 --bricks 6 --throws 500
      brickphys drop 2x2 --floor baseplate --throws 200
      brickphys drop 2x2 --edge-radius-mm 0.3
      brickphys drop 2x2 --throws 2000 --html throw.html
    """
    from brickphys.calibration.throw import throw as throw_shape

    out.check({"SHAPE": shape, "--surface": throw.surface})
    output.check_apart(
        {"SHAPE": shape, "--surface": throw.surface, "--plot": out.plot}, {"--html": html}
    )
    output.check_page(html, force=out.force)
    if html and engine == "mujoco":
        raise InvalidValueError(
            "--html: the mujoco engine cannot record a throw; use compiled or bullet"
        )
    thrown = throw_shape(
        shape,
        throws,
        bricks=bricks,
        engine=engine,
        edge_radius_mm=edge_radius_mm,
        seed=out.seed,
        workers=out.workers,
        **asdict(throw),
    )
    out.write("drop", thrown.document, partial(_print_throws, thrown), thrown.plot)
    if html:
        from brickphys.view.throw import throw_recording

        output.save_page(throw_recording(thrown), html)
    if not thrown.complete:
        done = thrown.tally.hands
        raise CancelledRunError(
            f"interrupted after {done} of {throws} throws; the counts above are of these"
        )


def _print_throws(thrown: "Throws") -> None:
    cell, bricks, hands = thrown.cell, thrown.cell.conditions.bricks, thrown.tally.hands
    number = counted(hands, "body", "bodies") if bricks == 1 else counted(hands, "hand")
    how = f" of {bricks}" if bricks > 1 else " one at a time" if hands > 1 else ""
    echo(
        f"{number}{how}: {cell.shape}, preset {cell.conditions.preset}, on {thrown.place} "
        f"(friction {cell.contact.friction:g}, restitution {cell.contact.restitution:g}), "
        f"engine {cell.engine}, seed {thrown.seed}\n"
    )
    rows = [
        (
            pose,
            str(count),
            percent(count / thrown.tally.bricks),
            percent_range(*thrown.poses_ci95[pose]),
        )
        for pose, count in thrown.counts.items()
    ]
    output.print_table(("pose", "bodies", "share", "95 % interval"), rows)
    if thrown.legend:
        echo(f"\n{thrown.legend}")
    if thrown.ci95 is not None:
        scored = " or ".join(thrown.scoring)
        echo(f"\n{scored}: {percent_range(*thrown.ci95)} (95 % interval)")


@click.command()
@shape_argument
@edge_radius_option
@output_options("Draw the poses")
def poses(shape: str, edge_radius_mm: float | None, out: OutputOptions) -> None:
    """Compute the stable faces of SHAPE without throwing it.

    The rest height is that of the centre of mass. The barrier is the height by which it must rise to leave the pose.
    The solid-angle share is the share of a body that falls without turning and topples without speed.

    SHAPE is 2x2 (1x1 to 2x8), plate:2x2, cuboid:AxBxC, coin:DxT, d6:A (mm) or a body file. The poses of a cuboid, x, y
    and z, say which of its edges A, B and C ends vertical; those of a body file are named there by the face that lies
    below.

    \b
    Example:
      brickphys poses 2x2
    """
    from brickphys.calibration.throw import poses as poses_of

    out.check({"SHAPE": shape})
    found = poses_of(shape, edge_radius_mm=edge_radius_mm)
    out.write("poses", partial(_poses_document, found), partial(_print_poses, found), found.plot)


def _poses_document(found: "Poses") -> dict[str, Any]:
    body = found.body
    known = {"edge_radius_mm": body.edge_radius_mm, "mass_g": body.mass_g}
    return {"shape": body.name, **known, "poses": found.rows()}


def _print_poses(found: "Poses") -> None:
    body = found.body
    echo(
        f"{body.name}: {body.mass_g:.2f} g, centre of mass {body.centre_of_mass_mm:.2f} mm "
        "above the underside\n"
    )
    rows = [
        (
            rest.pose,
            str(rest.faces),
            f"{rest.rest_height_mm:.2f} mm",
            f"{rest.barrier_mm:.3f} mm",
            percent(rest.solid_angle_share),
        )
        for rest in found.rests
    ]
    print_table(("pose", "faces", "rest height", "barrier", "solid-angle share"), rows)
    if found.legend:
        echo(f"\n{found.legend}")


_ADDRESS = (0,)
"""Seed address of the roll."""


@click.command()
@click.argument("bricks", type=int)
@law_option
@live_options
@plot_option("Draw the chance of each score")
@throw_film_options
@force_option
@seed_option
@json_option
def roll(
    bricks: int,
    law_file: Path | None,
    rolls: LiveOptions,
    plot: Path | None,
    film: ThrowFilmOptions,
    force: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Roll BRICKS bricks and count those that stop on a side, or in another scoring pose of the law.

    The score comes from the law. With --live, the physics engine throws the bricks together, with --preset, --floor
    and --surface; --animate films this throw from the side and from above, until all bricks are at rest.

    \b
    Examples:
      brickphys roll 5
      brickphys roll 5 --live --surface cloth
      brickphys roll 3 --live --seed 4 --animate throw.gif
      brickphys roll 3 --live --floor tray --animate throw.gif --slow 1
    """
    if rolls.live and law_file is not None:
        raise InvalidValueError("--live and --law exclude each other")
    if rolls.live and plot is not None:
        raise InvalidValueError("--plot draws the chances of a law, and --live has none")
    rolls.check()
    output.check_plot(plot, force=force)
    film.check(bricks, is_thrown=rolls.live, force=force)
    output.check_apart({"--law": law_file}, {"--plot": plot, "--animate": film.animate})
    root = root_seed(seed)
    show = _print_roll_json if as_json else _print_roll
    if rolls.live:
        thrower, told = rolls.thrower(root)
        show(thrower.roll(bricks, _ADDRESS), "on a side", root)
        film.save(thrower, bricks, _ADDRESS, f"{counted(bricks, 'brick')}: {told}, seed {root}")
        return
    law = chosen_law(law_file)
    result = _rolled(law, bricks, root)
    show(result, law.stops, root)
    if plot is not None:
        from brickphys.plots.odds import roll_figure

        output.save_plot(roll_figure(law, bricks, result.score), plot)


def _rolled(law: "Law", bricks: int, root: int) -> "Roll":
    from brickphys.odds.roll import Roll
    from brickphys.rules.rolls import BrickRoll
    from brickphys.rules.sources import LawSource

    score = LawSource(law, root).answer(BrickRoll(bricks), _ADDRESS)
    assert isinstance(score, int)
    return Roll(bricks, score)


def _print_roll_json(result: "Roll", _: str, root: int) -> None:
    poses = None if result.poses is None else list(result.poses)
    document = {"bricks": result.bricks, "score": result.score, "poses": poses, "seed": root}
    output.print_json("roll", document)


def _print_roll(result: "Roll", stopped: str, root: int) -> None:
    echo(f"{result.score} of {result.bricks} {stopped} (seed {root})")
    if result.poses:
        echo(", ".join(result.poses))


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

    from brickphys.calibration.response import fit_response
    from brickphys.calibration.response_design import ENGINE, design_cell
    from brickphys.calibration.systematic import SURFACE_DEGREE, salib
    from brickphys.calibration.systematic import sensitivity as analyse
    from brickphys.odds.roll import scored
    from brickphys.throws.conditions import surface as known
    from brickphys.throws.release import PLANE

    on = known(PLANE.surface if throw.surface is None else throw.surface)
    cell = design_cell(shape, throw.preset, on)
    root = out.root
    salib()
    design = _throw_design(cell, on, points, throws // points, root, out.workers)
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
        lambda: {**names, "seed": root, **_sensitivity_document(found, response)},
        lambda: _print_sensitivity(
            found, response, f"{title}, engine {ENGINE}, seed {root}", chance
        ),
        lambda: _sensitivity_figure(found, title, chance),
    )


def _check_design(points: int, throws: int) -> None:
    if not 64 <= points <= 8192 or points & (points - 1):
        raise InvalidValueError(f"--points {points} is not a power of two from 64 to 8192")
    if not 50 * points <= throws <= 10**8:
        raise InvalidValueError(f"--throws {throws} is outside {50 * points} to {10**8}")


def _throw_design(
    cell: "ThrowCell", on: "Surface", points: int, each: int, root: int, workers: int
) -> "ResponseDesign":
    """Throw the design under a progress bar."""
    from brickphys.calibration.response_design import throw_design

    with bar() as advance:
        report = partial(advance, "design")
        return throw_design(cell, on, points, each, root, workers, report)


def _sensitivity_document(found: "Sensitivity", response: "Response") -> dict[str, Any]:
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


def _print_sensitivity(found: "Sensitivity", response: "Response", title: str, chance: str) -> None:
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
    from brickphys.calibration.systematic import LEAST_RELIABILITY

    wanted = max(found.throws_wanted, response.throws)
    unit = 10 ** max(0, len(str(wanted)) - 2)
    return (
        f"{response.throws:,} throws are too few to tell the causes apart: {found.reliability:.2f} of what the "
        f"response surface shows is more than its own error (limit {LEAST_RELIABILITY:g}); "
        f"some {-(-wanted // unit) * unit:,} throws would be enough"
    )


def _sensitivity_figure(found: "Sensitivity", title: str, chance: str) -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.law import draw_tornado

    figure = Figure(figsize=(8, 6), dpi=120, layout="constrained")
    ax = figure.add_subplot()
    draw_tornado(found, ax, chance)
    doubt = "" if found.reliable else "\n(too few throws to tell the causes apart)"
    ax.set_title(f"What decides the chance of {chance}\n{title}{doubt}")
    return figure
