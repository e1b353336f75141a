"""Measure: friction, restitution and throw of one's own table and hand, and the law that follows.

`tilt` is friction from the angles at which a brick slides. `drop` is restitution from heights of rebound, or from times
between impacts. `film` is height, speed and spin from filmed throws. `count` reads the poses of thrown bricks from
photos. `law` is the law that follows from the tests and from counted bricks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import brickphys
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.files import check_target, is_there, make_folder, write_whole

if TYPE_CHECKING:
    from brickphys.calibration.measure.drop import DropTest
    from brickphys.calibration.measure.film import FilmTest
    from brickphys.calibration.measure.measured import Mean, RootMeanSquare
    from brickphys.calibration.measure.measurement_file import Test

_out_option: Callable[[Any], Any] = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Measurement file (TOML) for the readings; created if missing.",
)


def _document(found: "Mean | RootMeanSquare | None") -> dict[str, Any] | None:
    """Return a measured number for JSON."""
    if found is None:
        return None
    return {"value": found.value, "ci95": found.ci95, "freedom": found.freedom}


def _line(name: str, found: "Mean | RootMeanSquare", unit: str = "") -> str:
    """Write a measured number with its interval."""
    low, high = found.ci95
    return f"{name:<22}{found.value:.3g}{unit} (95 % interval {low:.3g} to {high:.3g})"


def _keep(test: "Test", out: Path | None, *, force: bool) -> None:
    """Add a test to the measurement file if there is one, and name the file on standard error."""
    from brickphys.calibration.measure.measurement_file import add_measurement

    if out is not None:
        add_measurement(test, out, force=force)
        output.note_written("measurements", out)


def _tell(
    kind: str, numbers: Mapping[str, Any], lines: Iterable[str], out: Path | None, *, as_json: bool
) -> None:
    if as_json:
        output.print_json(f"measure-{kind}", {**numbers, "file": out and str(out)})
    else:
        echo("\n".join(lines))


@click.command()
@click.argument("angles", type=float, nargs=-1, required=True)
@click.option(
    "--error-deg",
    default=1.0,
    help="Largest reading error, which all angles may share.",
)
@_out_option
@options.force_option
@options.json_options
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
    from brickphys.calibration.measure.measured import TiltTest

    test = TiltTest(angles, error_deg)
    _keep(test, out, force=force)
    numbers = {"angles_deg": angles, "error_deg": error_deg, "friction": _document(test.friction)}
    head = f"{len(angles)} angles, with a common error of up to {error_deg:g}°"
    _tell("tilt", numbers, (head, _line("friction", test.friction)), out, as_json=as_json)


def _bounces(text: str) -> tuple[float, ...]:
    """Return the readings of the bounces of one drop; the test checks them."""
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not of the form 75 or 75,21,8") from None


@click.command()
@click.argument("drops", type=_bounces, nargs=-1)
@click.option("--height-mm", type=float, help="Height of the drops; required for rebound heights.")
@click.option("--times", is_flag=True, help="DROPS are times between impacts in seconds.")
@click.option(
    "--sound",
    "sounds",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Take the times from the clicks in this WAV file with one or more drops; may be repeated.",
)
@click.option("--error-mm", default=5.0, help="Largest error of the heights.")
@click.option("--error-ms", default=1.0, help="Largest error of the times.")
@_out_option
@options.force_option
@options.json_options
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
    _keep(test, out, force=force)
    bounces = sum(map(len, test.restitution))
    numbers = {"drops": len(test.restitution), "bounces": bounces}
    found = {"restitution": _document(test.mean), "by_drop": test.restitution}
    lines = f"{len(test.restitution)} drops, {bounces} bounces", _line("restitution", test.mean)
    _tell("drop", {**numbers, **found}, lines, out, as_json=as_json)


def _typed(
    drops: tuple[tuple[float, ...], ...],
    times: bool,
    height_mm: float | None,
    error_ms: float,
    error_mm: float,
) -> "DropTest":
    from brickphys.calibration.measure.drop import drop_of_heights, drop_of_times

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
    from brickphys.calibration.measure.drop import drop_of_times, drops_of, read_clicks

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


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--fps", type=float, required=True, help="Frames per second of the film.")
@click.option("--mm-per-px", default=1.0, help="Length in mm of one unit of x, y and z.")
@click.option(
    "--floor-px",
    type=float,
    help="Row of the table in the image, if z counts rows from the top.",
)
@click.option(
    "--scale-error",
    default=0.02,
    help="Largest relative error of the scale.",
)
@_out_option
@options.force_option
@options.json_options
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
    from brickphys.calibration.measure.film import check_fall, fall_m_s2, film_test, read_film

    output.check_apart({"FILE": file}, {"--out": out})
    flights = read_film(file, fps, mm_per_px, floor_px)
    fall = fall_m_s2(flights, scale_error)
    if fall is not None:
        check_fall(fall, fps)
    test = film_test(flights, scale_error)
    _keep(test, out, force=force)
    numbers = {
        "throws": len(flights),
        "frames": sum(len(flight.time_s) for flight in flights),
        "fall_m_s2": fall and fall.value,
        "fall_ci95_m_s2": fall and fall.ci95,
        "height_mm": _document(test.height),
        "height_range_mm": test.height_range_mm(0.0),
        "speed_m_s": _document(test.speed),
        "spin_rad_s": _document(test.spin),
    }
    lines = f"{len(flights)} throws", *_film_lines(test, fall)
    _tell("film", numbers, lines, out, as_json=as_json)


def _film_lines(test: "FilmTest", fall: "Mean | None") -> Iterator[str]:
    if fall is None:
        yield "fall                  not measured: too few frames, so rate and scale are not checked"
    else:
        yield _line("fall", fall, " m/s2")
    low, high = test.height_range_mm(0.0)
    yield _line("mean height", test.height, " mm")
    yield f"{'range of heights':<22}{low:.0f} to {high:.0f} mm"
    yield _line("RMS speed, each axis", test.speed, " m/s")
    if test.spin is None:
        yield "spin                  not measured: no turns were counted"
    else:
        yield _line("RMS spin, each axis", test.spin, " rad/s")


@click.command()
@click.argument("readings", nargs=-1, required=True)
@click.option("--error-mm", default=0.03, help="Largest error of the caliper.")
@click.option("--edge-mm", default=0.05, help="Largest error of edge radii.")
@click.option("--error-g", default=0.01, help="Largest error of the scale.")
@_out_option
@options.force_option
@options.json_options
def brick(
    readings: tuple[str, ...], out: Path | None, force: bool, as_json: bool, **errors: float
) -> None:
    """Measure your 2x2 bricks: READINGS of wall_mm, top_mm, stud_height_mm, edge_radius_mm, width_mm and mass_g.

    Lengths narrow the law. Width and mass check them: a mass that contradicts the lengths in ABS is told.

    \b
    Example:
      brickphys measure brick wall_mm=1.42,1.45,1.44 top_mm=1.12,1.1 mass_g=1.19,1.2 --out mine.toml

    \b
    JSON: readings, means (name -> value, ci95, freedom), mass_by_lengths_g (least, most),
      contradiction (a sentence; empty if there is none), file
    """
    from brickphys.calibration.measure.brick import brick_test

    test = brick_test(readings, **errors)
    _keep(test, out, force=force)
    numbers = {"readings": test.readings, "mass_by_lengths_g": test.mass_g}
    means = {name: _document(mean) for name, mean in test.means.items()}
    mass = "{:<22}{:.3g} to {:.3g} g in ABS".format("mass by the lengths", *test.mass_g)
    lines = *(_line(name, mean) for name, mean in test.means.items()), mass
    found = {**numbers, "means": means, "contradiction": test.contradiction}
    _tell("brick", found, lines, out, as_json=as_json)
    if test.contradiction and not as_json:
        echo(f"note: {test.contradiction}: check them", err=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--counts",
    type=click.Path(path_type=Path),
    help="CSV file of counted throws, in the format of `infer`.",
)
@click.option(
    "--surface",
    default="wood",
    help="Most similar surface, or a surface file: gives ranges of unmeasured causes and selects rows of --counts.",
)
@click.option(
    "--law",
    type=click.Path(path_type=Path),
    help="Law that gives the shape, and the throw if there is no film.  [default: the shipped law of the surface]",
)
@click.option(
    "--throws",
    type=int,
    help="Compute a response surface around the filmed throw from this many throws (a million is good) instead of "
    "the shipped one.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Law file to write.")
@options.force_option
@options.workers_option
@options.seed_option
@options.json_option
def law(file: Path, out: Path | None, force: bool, as_json: bool, **how: Any) -> None:
    """Compute your law, the chance of a side on your table by your hand, from the measurements in FILE.

    FILE is the TOML file of the tests. Causes without a test have the ranges of the surface and of the throw. --counts
    adds counted throws; if they contradict the measurements, they weigh more, and the law says so.

    \b
    Example:
      brickphys measure law mine.toml --counts counts.csv --out mine.json

    \b
    JSON: file, counts, surface, seed, p_side, p_range90 (this table and
      hand), ci95, measured_p {mean, ci95} (without the counts),
      poses (pose -> share), causes (name -> mean, ci95, measured), agreement_p_value (null without
      counts), counted_p {mean, ci95} (by the counts alone; null without), counts_weight (of the
      uniform prior, by which the counts alone decide), confidence95 (by both, also if the simulated
      range is wrong; null without counts), contradiction (a sentence; empty if there is none),
      draws (effective number), assumptions, law_file
    """
    counts = how["counts"]
    output.check_apart({"FILE": file, "--counts": counts, "--law": how["law"]}, {"--out": out})
    if out is not None:
        check_target(out, force=force)
    found = brickphys.measure(file, command=options.command_line(), **how)
    if out is not None:
        found.law.save(out, force=force)
    if as_json:
        files = {"file": str(file), "counts": counts and str(counts)}
        place = {"surface": found.surface, "seed": found.seed, "law_file": out and str(out)}
        output.print_json("measure-law", {**files, **place, **found.document()})
    else:
        echo(found.text())
        if out is not None:
            output.note_written("law", out)


@click.command()
@click.argument("photos", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--width-mm", type=float, required=True, help="Width of tray in a photo.")
@click.option("--camera-mm", type=float, required=True, help="Distance of the camera to the tray.")
@click.option("--bricks", type=int, help="Number of bricks thrown for each photo, to be checked.")
@click.option("--out", type=click.Path(path_type=Path), help="File of counts (CSV) for `infer`.")
@click.option("--pictures", type=click.Path(path_type=Path), help="Folder for photos with poses.")
@options.force_option
@options.json_options
def count(
    photos: tuple[Path, ...], out: Path | None, pictures: Path | None, force: bool, **how: Any
) -> None:
    """Count the poses of thrown 2x2 bricks in PHOTOS of a tray, each of one hand.

    The photos are taken straight from above, on paper of one colour that no brick has. Bricks that touch, lean or are
    cut off by the edge are `unclear`; photos with such bricks are left out of the file of counts. Check the --pictures.

    \b
    Example:
      brickphys measure count a.jpg b.jpg --width-mm 300 --camera-mm 600 --out counts.csv

    \b
    JSON: photos (file, poses, fault), poses (pose -> bricks; unclear too),
      hands (photos that count), counts_file, pictures (files)
    """
    from brickphys.calibration.measure.photo_counts import count_photos

    seen = {photo: pictures / f"{photo.stem}_seen.jpg" for photo in photos} if pictures else {}
    there = seen.values() if pictures and is_there(pictures) else ()
    for word, target in (("--out", out), *(("--pictures", target) for target in there)):
        if target is not None:
            output.check_apart({f"PHOTOS {one}": one for one in photos}, {word: target})
            check_target(target, force=force)
    as_json = how.pop("as_json")
    found = count_photos(photos, **how, pictures=pictures is not None)
    counts = None if out is None else found.csv()
    for photo in found.photos if pictures and make_folder(pictures) else ():
        write_whole(photo.picture, seen[photo.path], force=force)
    if as_json:
        files = {"counts_file": out and str(out), "pictures": [str(path) for path in seen.values()]}
        output.print_json("measure-count", {**found.document(), **files})
    else:
        echo(found.text())
    if pictures is not None:
        output.note_written("pictures", pictures)
    if out is not None and counts is not None:
        output.note_written("counts", write_whole(counts, out, force=force))


@click.group()
def measure() -> None:
    """Measure your own table and hand by a tilt test, a drop test, a film of throws and a caliper; compute their law.

    Each test adds its readings to the file that --out names; `measure law` reads that file. `measure count` reads
    thrown bricks from photos. docs/measure.md has the protocol.

    \b
    Examples:
      brickphys measure tilt 21.5 23 22 22.5 21 --out mine.toml
      brickphys measure drop 75,21 71,19 78 --height-mm 300 --out mine.toml
      brickphys measure film throws.csv --fps 240 --out mine.toml
      brickphys measure count a.jpg --width-mm 300 --camera-mm 600 --out counts.csv
      brickphys measure law mine.toml --counts counts.csv --out mine.json
    """


for _command in (tilt, drop, film, brick, count, law):
    measure.add_command(_command)
