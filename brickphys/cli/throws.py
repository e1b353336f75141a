"""Throws: the commands on one shape and one condition.

`drop` throws it, `poses` computes its stable faces, `roll` is one brick roll, `sensitivity` ranks the causes that
change the chance of a side, and `predict` writes down what counts will show.
"""

from pathlib import Path
from typing import Any

import click

import brickphys
from brickphys.cli.shared import options, output, throw_options
from brickphys.cli.shared.output import echo
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.files import write_whole
from brickphys.odds.roll import Roll
from brickphys.text import counted


@click.command()
@options.shape_argument
@options.edge_radius_option
@options.engine_option
@click.option("--throws", default=2000, help="Number of hands to throw.")
@click.option("--bricks", default=1, help="Bodies per hand, thrown together.")
@throw_options.throw_options()
@click.option(
    "--table-mm",
    type=options.table_size,
    metavar="WIDTHxDEPTH",
    help="Size of the table, or of a square one: single bodies, released above its middle, may leave it.",
)
@options.html_option("the first throw, and the first hundred at rest,")
@options.run_options("Draw the shares of the poses")
def drop(html: Path | None, out: options.RunOptions, **how: Any) -> None:
    """Throw SHAPE and count how it stops.

    Ctrl-C stops, and shows the throws so far.

    SHAPE is 2x2 (1x1 to 2x8), plate:2x2, cuboid:AxBxC, coin:DxT, d6:A (mm) or a body file.

    \b
    Examples:
      brickphys drop 2x2 --throws 5000 --surface cloth --height-mm 200:200
      brickphys drop 2x2 --bricks 6 --throws 500
      brickphys drop 2x2 --floor baseplate --throws 200
      brickphys drop 2x2 --edge-radius-mm 0.3
      brickphys drop 2x2 --preset roll --table-mm 1200x800
      brickphys drop 2x2 --throws 2000 --html throw.html
    """
    from brickphys.engines.registry import default_engine
    from brickphys.throws.release import floor

    out.check({"SHAPE": how["shape"], "--surface": how["surface"]}, {"--html": html})
    output.check_page(html, force=out.force)
    if html and how["table_mm"]:
        raise InvalidValueError("--html shows a table without edges: leave out --table-mm")
    usual = default_engine(how["bricks"], floor(how["floor"])) if html else None
    if html and (how["engine"] or usual) == "mujoco":
        raise InvalidValueError(
            "--html: the mujoco engine cannot record a throw; use compiled or bullet"
        )
    thrown = brickphys.throw(seed=out.seed, workers=out.workers, **how)
    out.show("drop", thrown)
    if html:
        from brickphys.view.throw import throw_recording

        output.save_page(throw_recording(thrown), html)
    if not thrown.complete:
        done = thrown.tally.hands
        raise CancelledRunError(
            f"interrupted after {done} of {how['throws']} throws; the counts above are of these"
        )


@click.command()
@options.shape_argument
@options.edge_radius_option
@options.output_options("Draw the poses")
def poses(out: options.OutputOptions, **how: Any) -> None:
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
    out.check({"SHAPE": how["shape"]})
    out.show("poses", brickphys.poses(**how))


_ADDRESS = (0,)
"""Seed address of the roll."""


@click.command()
@click.argument("bricks", type=int)
@options.law_option
@throw_options.live_options
@options.plot_option("Draw the chance of each score")
@throw_options.throw_film_options
@options.force_option
@options.seed_option
@options.json_option
def roll(
    bricks: int,
    law_file: Path | None,
    rolls: throw_options.LiveOptions,
    plot: Path | None,
    film: throw_options.ThrowFilmOptions,
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
    root = options.root_seed(seed)
    if rolls.live:
        thrower, told = rolls.thrower(root)
        _show_roll(thrower.roll(bricks, _ADDRESS), "on a side", root, as_json=as_json)
        film.save(thrower, bricks, _ADDRESS, f"{counted(bricks, 'brick')}: {told}, seed {root}")
        return
    law = options.chosen_law(law_file)
    result = brickphys.roll(bricks, law, seed=root)
    _show_roll(result, law.stops, root, as_json=as_json)
    if plot is not None:
        from brickphys.plots.odds import roll_figure

        output.save_plot(roll_figure(law, bricks, result.score), plot)


def _show_roll(result: "Roll", stopped: str, root: int, *, as_json: bool) -> None:
    poses = result.poses and list(result.poses)
    if as_json:
        document = {"bricks": result.bricks, "score": result.score, "poses": poses, "seed": root}
        output.print_json("roll", document)
        return
    echo(f"{result.score} of {result.bricks} {stopped} (seed {root})")
    if poses:
        echo(", ".join(poses))


@click.command()
@options.shape_argument
@throw_options.throw_options("preset", "surface")
@click.option("--throws", default=200_000, help="Total number of bricks to throw.")
@click.option(
    "--points",
    default=256,
    help="Number of points in the ranges: a power of two, at least 64.",
)
@options.run_options("Draw a tornado")
def sensitivity(out: options.RunOptions, **how: Any) -> None:
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
    _check_design(how["points"], how["throws"])

    from brickphys.calibration.sensitivity import rank_causes

    found = rank_causes(seed=out.root, workers=out.workers, **how)
    if not found.effects.reliable:
        echo(f"brickphys: warning: {found.warning}", err=True)
    out.show("sensitivity", found)


def _check_design(points: int, throws: int) -> None:
    if not 128 <= points <= 8192 or points & (points - 1):
        raise InvalidValueError(f"--points {points} is not a power of two from 128 to 8192")
    if not 50 * points <= throws <= 10**8:
        raise InvalidValueError(f"--throws {throws} is outside {50 * points} to {10**8}")


@click.command()
@click.argument("shapes", nargs=-1, required=True, metavar="SHAPE...")
@options.names_option("--presets", "toss,hand,gentle,cup", "Kinds of throw.")
@options.surface_option
@click.option("--counted", default=1000, help="Throws that somebody will count.")
@click.option(
    "--throws", default=20_000, help="Throws of each shape by each preset, on each of three tables."
)
@click.option("--out", "page", type=options.FILE, help="Write the page to this .md file.")
@options.force_option
@options.workers_option
@options.seed_option
@options.json_option
def predict(
    shapes: tuple[str, ...],
    page: Path | None,
    surface: str | None,
    seed: int | None,
    *,
    force: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Write down how SHAPEs will stop, before anybody counts.

    The page tells for each kind of throw the share of every pose, its range over tables of that name, and the interval
    in which a count should lie.

    \b
    Examples:
      brickphys predict 2x2 --seed 1 --out predictions.md
      brickphys predict coin:20x5:r0.35 coin:20x10:r0.35 --presets toss --counted 500
    """
    output.check_plot(page, force=force, option="--out", suffixes=(".md",))
    from brickphys.calibration.predict import predict as predicted

    found = predicted(shapes, surface=surface or "wood", root=options.root_seed(seed), **how)
    if page is not None:
        write_whole(found.text() + "\n", page, force=force)
        output.note_written("page", page)
    if as_json:
        output.print_json("predict", found.document())
    elif page is None:
        echo(found.text())
