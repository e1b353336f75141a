"""Measure film: height, speed and spin from filmed throws."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.measure.result import document, keep, line, out_option, show
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import force_option, json_option, unused_seed_option

if TYPE_CHECKING:
    from brickphys.calibration.measure.film import FilmTest
    from brickphys.calibration.measure.measured import Mean


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--fps", type=float, required=True, help="Frames per second of the film.")
@click.option(
    "--mm-per-px", default=1.0, show_default=True, help="Length in mm of one unit of x, y and z."
)
@click.option(
    "--floor-px",
    type=float,
    help="Row of the table in the image, if z counts rows from the top.",
)
@click.option(
    "--scale-error",
    default=0.02,
    show_default=True,
    help="Largest relative error of the scale.",
)
@out_option
@force_option
@unused_seed_option
@json_option
def film(
    file: Path,
    fps: float,
    mm_per_px: float,
    floor_px: float | None,
    scale_error: float,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Compute height, speed and spin of the filmed throws in FILE.

    FILE is CSV with the position of the body in each frame of its flight. Columns: throw (a name), frame (a number),
    x (along the throw), z (height above the table); optional are y (depth) and turns (turns since the first frame of
    the throw). If the bodies do not fall with the acceleration of gravity, the film is rejected: its frame rate or
    its scale is wrong.

    \b
    Example:
      brickphys measure film throws.csv --fps 240 --mm-per-px 0.42 --floor-px 1040 --out mine.toml

    \b
    JSON: throws, frames, fall_m_s2 and fall_ci95_m_s2 (null if there are too few frames), height_mm,
      speed_m_s, spin_rad_s {value, ci95, freedom} (mean; RMS on each axis; spin is null without
      turns), height_range_mm, file
    """
    from brickphys.calibration.measure.film import check_fall, fall_m_s2, film_test
    from brickphys.calibration.measure.film_file import read_film
    from brickphys.cli.shared import output

    output.check_apart({"FILE": file}, {"--out": out})
    flights = read_film(file, fps, mm_per_px, floor_px)
    fall = fall_m_s2(flights, scale_error)
    if fall is not None:
        check_fall(fall, fps)
    test = film_test(flights, scale_error)
    keep(test, out, force=force)
    if as_json:
        numbers = {
            "throws": len(flights),
            "frames": sum(len(flight.time_s) for flight in flights),
            "fall_m_s2": fall and fall.value,
            "fall_ci95_m_s2": fall and fall.ci95,
            "height_mm": document(test.height),
            "height_range_mm": test.height_range_mm(0.0),
            "speed_m_s": document(test.speed),
            "spin_rad_s": document(test.spin),
        }
        show("film", numbers, out)
    else:
        echo(f"{len(flights)} throws")
        _print(test, fall)


def _print(test: "FilmTest", fall: "Mean | None") -> None:
    """Print what the throws of a film have shown."""
    if fall is None:
        echo(
            "fall                  not measured: too few frames, so rate and scale are not checked"
        )
    else:
        echo(line("fall", fall, " m/s2"))
    low, high = test.height_range_mm(0.0)
    echo(line("mean height", test.height, " mm"))
    echo(f"{'range of heights':<22}{low:.0f} to {high:.0f} mm")
    echo(line("RMS speed, each axis", test.speed, " m/s"))
    if test.spin is None:
        echo("spin                  not measured: no turns were counted")
    else:
        echo(line("RMS spin, each axis", test.spin, " rad/s"))
