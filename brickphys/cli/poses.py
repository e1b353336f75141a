"""Poses: the stable faces of a shape."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import edge_radius_option, shape_argument
from brickphys.cli.shared.output import print_table
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.text import percent

if TYPE_CHECKING:
    from brickphys.calibration.poses import Poses


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
    from brickphys.calibration.poses import poses as poses_of

    out.check({"SHAPE": shape})
    found = poses_of(shape, edge_radius_mm=edge_radius_mm)
    out.write("poses", partial(_document, found), partial(_print, found), found.plot)


def _document(found: "Poses") -> dict[str, Any]:
    body = found.body
    known = {"edge_radius_mm": body.edge_radius_mm, "mass_g": body.mass_g}
    return {"shape": body.name, **known, "poses": found.rows()}


def _print(found: "Poses") -> None:
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
