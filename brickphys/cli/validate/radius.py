"""Validate radius: the edge radius of a tracked cube, from heights alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import FILE, json_option, unused_seed_option

if TYPE_CHECKING:
    from brickphys.calibration.tosses.toss_radius import EdgeRadius


@click.command()
@click.argument("tracks", type=FILE)
@click.option("--cube-mm", default=104.8, show_default=True, help="Edge of the cube.")
@unused_seed_option
@json_option
def radius(tracks: Path, cube_mm: float, as_json: bool) -> None:
    """Measure the edge radius of the tracked cube in TRACKS from its heights on edges and corners.

    No toss is simulated, and no final face is used.

    \b
    Example:
      brickphys validate radius cube_toss_trajectories.npz
    """
    from brickphys.calibration.tosses.toss_radius import edge_radius
    from brickphys.calibration.tosses.toss_starts import read_tracks
    from brickphys.calibration.tosses.tosses import MASS_G, cube

    solid_g_cm2 = MASS_G * (cube_mm / 10) ** 2 / 6  # mass and moment of inertia have no effect
    body = cube(cube_mm, MASS_G, solid_g_cm2)
    found = edge_radius(read_tracks(tracks), body)
    if as_json:
        output.print_json("validate.radius", found.to_json())
    else:
        _print(found)


def _print(found: "EdgeRadius") -> None:
    rows = [
        (
            name,
            f"{one.tosses}",
            f"{one.frames}",
            f"{lift * one.radius_mm:.2f} mm",
            f"{one.radius_mm:.2f} +- {one.error_mm:.2f} mm",
            f"{one.uncorrected_mm:.2f} mm",
        )
        for name, lift, one in (
            ("along an edge", 2**0.5 - 1, found.edge),
            ("on a corner", 3**0.5 - 1, found.corner),
        )
    ]
    columns = ("cube stands", "tosses", "frames", "lower than sharp", "radius", "tilt uncorrected")
    output.print_table(columns, rows)
    low, high = found.ci95_mm
    echo(f"\nedge radius {found.radius_mm:.2f} mm, 95 % {low:.2f} to {high:.2f} mm")
    echo(
        f"tilt of cubes at rest wrong by {found.tilt_deg:.2f} degrees on each axis; "
        f"lengths x {found.scale:.4f} +- {found.scale_error:.4f}"
    )
