"""Measure tilt: friction from the angles at which a brick slides."""

from pathlib import Path

import click

from brickphys.cli.measure.result import document, keep, line, out_option, show
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import force_option, json_option, unused_seed_option


@click.command()
@click.argument("angles", type=float, nargs=-1, required=True)
@click.option(
    "--error-deg",
    default=1.0,
    show_default=True,
    help="Largest reading error, which all angles may share.",
)
@out_option
@force_option
@unused_seed_option
@json_option
def tilt(
    angles: tuple[float, ...], error_deg: float, out: Path | None, force: bool, as_json: bool
) -> None:
    """Compute the friction from the ANGLES in degrees at which a body slides down a tilted board.

    \b
    Example:
      brickphys measure tilt 21.5 23 22 22.5 21 --error-deg 0.5 --out mine.toml

    \b
    JSON: angles_deg, error_deg, friction {value, ci95, freedom}, file
    """
    from brickphys.calibration.measure.tilt import TiltTest

    test = TiltTest(angles, error_deg)
    keep(test, out, force=force)
    if as_json:
        numbers = {"angles_deg": angles, "error_deg": error_deg}
        show("tilt", {**numbers, "friction": document(test.friction)}, out)
        return
    echo(f"{len(angles)} angles, with a common error of up to {error_deg:g}°")
    echo(line("friction", test.friction))
