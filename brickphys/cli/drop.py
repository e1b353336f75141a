"""Drop: throw one shape under one condition."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    edge_radius_option,
    engine_option,
    html_option,
    shape_argument,
)
from brickphys.cli.shared.output_options import RunOptions, run_options
from brickphys.cli.shared.throw_options import ThrowOptions, throw_options
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.text import counted, percent, percent_range

if TYPE_CHECKING:
    from brickphys.calibration.throw import Throws


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
    out.write("drop", thrown.document, partial(_print, thrown), thrown.plot)
    if html:
        from brickphys.view.throw import throw_recording

        output.save_page(throw_recording(thrown), html)
    if not thrown.complete:
        done = thrown.result.tally.hands
        raise CancelledRunError(
            f"interrupted after {done} of {throws} throws; the counts above are of these"
        )


def _print(thrown: "Throws") -> None:
    cell, bricks, hands = thrown.cell, thrown.cell.conditions.bricks, thrown.result.tally.hands
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
            percent(count / thrown.result.tally.bricks),
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
