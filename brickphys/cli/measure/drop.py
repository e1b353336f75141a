"""Measure drop: restitution from heights of rebound, or from times between impacts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.measure.result import document, keep, line, out_option, show
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import force_option, json_option, unused_seed_option

if TYPE_CHECKING:
    from brickphys.calibration.measure.drop import DropTest


class Readings(click.ParamType[tuple[float, ...]]):
    """Readings of the bounces of one drop, separated by commas."""

    name = "A,B,.."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """Parse the readings; the test checks them."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(float(word) for word in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not of the form 75 or 75,21,8", param, ctx)


@click.command()
@click.argument("drops", type=Readings(), nargs=-1)
@click.option("--height-mm", type=float, help="Height of the drops; required for rebound heights.")
@click.option("--times", is_flag=True, help="DROPS are times between impacts in seconds.")
@click.option(
    "--sound",
    "sounds",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Take the times from the clicks in this WAV file with one or more drops; may be repeated.",
)
@click.option("--error-mm", default=5.0, show_default=True, help="Largest error of the heights.")
@click.option("--error-ms", default=1.0, show_default=True, help="Largest error of the times.")
@out_option
@force_option
@unused_seed_option
@json_option
def drop(
    drops: tuple[tuple[float, ...], ...],
    height_mm: float | None,
    times: bool,
    sounds: tuple[Path, ...],
    error_mm: float,
    error_ms: float,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Compute the restitution from DROPS of a small plastic ball: the heights of its rebounds in mm.

    With --times, DROPS are the times in seconds from impact to impact. Separate the readings of one drop by commas.
    Give at least two drops, or one with several bounces.

    \b
    Examples:
      brickphys measure drop 75,21 71,19 78 --height-mm 300 --out mine.toml
      brickphys measure drop --times 0.252,0.128 0.247,0.125,0.064
      brickphys measure drop --sound drops.wav --height-mm 300

    \b
    JSON: drops, bounces, restitution {value, ci95, freedom}, by_drop (a list for each drop), file
    """
    if sounds:
        test = _of_sounds(drops, times, sounds, height_mm, error_ms, error_mm)
    else:
        test = _typed(drops, times, height_mm, error_ms, error_mm)
    keep(test, out, force=force)
    bounces = sum(map(len, test.restitution))
    if as_json:
        numbers = {"drops": len(test.restitution), "bounces": bounces}
        found = {"restitution": document(test.mean), "by_drop": test.restitution}
        show("drop", {**numbers, **found}, out)
        return
    echo(f"{len(test.restitution)} drops, {bounces} bounces")
    echo(line("restitution", test.mean))


def _typed(
    drops: tuple[tuple[float, ...], ...],
    times: bool,
    height_mm: float | None,
    error_ms: float,
    error_mm: float,
) -> "DropTest":
    from brickphys.calibration.measure.drop import drop_of_heights, drop_of_times
    from brickphys.errors import InvalidValueError

    if not drops:
        raise InvalidValueError("no drops: type their readings, or name a --sound")
    if times:
        return drop_of_times(drops, error_ms, height_mm, error_mm)
    if height_mm is None:
        raise InvalidValueError("--height-mm is missing: give the height of the drops")
    return drop_of_heights(height_mm, drops, error_mm)


def _of_sounds(
    drops: tuple[tuple[float, ...], ...],
    times: bool,
    sounds: tuple[Path, ...],
    height_mm: float | None,
    error_ms: float,
    error_mm: float,
) -> "DropTest":
    from brickphys.calibration.measure.clicks import drops_of, read_clicks
    from brickphys.calibration.measure.drop import drop_of_times
    from brickphys.errors import InvalidValueError

    if drops or times:
        raise InvalidValueError(
            "--sound takes its times from the file: leave out DROPS and --times"
        )
    heard = []
    for path in sounds:
        found = drops_of(read_clicks(path))
        if not found:
            raise InvalidValueError(
                f"{path}: no drop among its clicks: the flights of a drop become shorter"
            )
        shown = ["/".join(f"{time:.3f}" for time in flights) for flights in found]
        echo(f"note: {path}: flights of each drop in s: {', '.join(shown)}", err=True)
        heard += found
    return drop_of_times(heard, error_ms, height_mm, error_mm)
