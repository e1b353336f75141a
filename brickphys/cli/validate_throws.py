"""Validate throws: tracked tosses of a cube, simulated and compared.

`radius` is the edge radius of a tracked cube, from heights alone.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.notes import StageProgress, bar
from brickphys.throws.conditions import ContactCoefficients

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.calibration.experiments.toss_comparison import TossComparison
    from brickphys.calibration.experiments.toss_tracks import Starts, Tosses
    from brickphys.calibration.experiments.tosses import Experiment, Model, Prediction
    from brickphys.shapes.body import Body


@click.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--friction",
    type=float,
    help="Friction of cube and table.  [default: fitted to the ContactNets tosses]",
)
@click.option("--restitution", type=float, help="Restitution.  [default: fitted likewise]")
@click.option("--cube-mm", default=104.8, help="Edge of the cube.")
@click.option("--mass-g", default=370.0, help="Mass of the cube.")
@click.option("--inertia-g-cm2", default=8100.0, help="Moment of inertia of the cube.")
@click.option(
    "--edge-radius-mm",
    default=3.4,
    help="Edge radius, as `validate radius` measures it; 0 for sharp edges.",
)
@click.option(
    "--tracks",
    type=options.FILE,
    help="Frames of the same tosses, to fit each start to its own flight.  [default: beside cube_tosses.csv, "
    "cube_toss_trajectories.npz]",
)
@click.option("--no-tracks", is_flag=True, help="Use first frames only, even if there are tracks.")
@click.option("--uncorrected", is_flag=True, help="Do not correct the known errors of the starts.")
@click.option("--engine", default="compiled", help="Physics engine: compiled or bullet.")
@click.option(
    "--fit", "fitted", is_flag=True, help="Fit friction, restitution and noise, cross-validated."
)
@click.option(
    "--distances", is_flag=True, help="With --fit: fit faces and distances, not faces alone."
)
@click.option("--folds", type=int, help="With --fit: folds of each cross-validation.  [default: 5]")
@options.run_options()
def throws(
    file: Path,
    friction: float | None,
    restitution: float | None,
    cube_mm: float,
    mass_g: float,
    inertia_g_cm2: float,
    edge_radius_mm: float,
    tracks: Path | None,
    no_tracks: bool,
    uncorrected: bool,
    engine: str,
    fitted: bool,
    distances: bool,
    folds: int | None,
    out: options.RunOptions,
) -> None:
    """Simulate each tracked toss of a cube in FILE and compare its final face and place.

    With --fit, each toss is predicted by a fit to other tosses. The known errors of the ContactNets tracks are
    corrected, unless --uncorrected is given. With tracks, each start is fitted to its own flight.

    \b
    Examples:
      brickphys validate throws cube_tosses.csv
      brickphys validate throws cube_tosses.csv --fit --distances --plot fit.png
      brickphys validate throws cube_tosses.csv --fit --edge-radius-mm 0 --tracks tracks.npz
    """
    out.check({"FILE": file, "--tracks": tracks})
    _check_fit(fitted, distances, folds, friction, restitution)
    used_tracks = _tracks(file, tracks, no_tracks, uncorrected)

    from brickphys.calibration.experiments.tosses import Experiment, cube

    body = cube(cube_mm, mass_g, inertia_g_cm2, edge_radius_mm)
    model = _model(friction, restitution, first_frames=used_tracks is None)
    tosses, starts = _read(file, used_tracks, uncorrected, body)
    experiment = Experiment(tosses, body, out.root, starts=starts, engine=engine)
    with bar("jobs") as advance:
        if fitted:
            comparison, shown = _fit(experiment, distances, folds or 5, out.workers, advance)
        else:
            comparison, shown = _predict(experiment, model, out.workers, advance)
    out.write(
        "validate.throws",
        comparison.document,
        lambda: echo(comparison.text()),
        partial(_figure, comparison, tosses, shown),
    )


def _check_fit(
    fitted: bool,
    distances: bool,
    folds: int | None,
    friction: float | None,
    restitution: float | None,
) -> None:
    if fitted and not (friction is None and restitution is None):
        raise InvalidValueError("--fit finds friction and restitution: leave out those options")
    if distances and not fitted:
        raise InvalidValueError("--distances needs --fit")
    if folds is not None and not fitted:
        raise InvalidValueError("--folds needs --fit")
    if folds is not None and folds < 2:
        raise InvalidValueError(f"folds {folds} is below 2")


def _model(friction: float | None, restitution: float | None, *, first_frames: bool) -> "Model":
    from brickphys.calibration.experiments.tosses import (
        CONTACT,
        FIRST_FRAME_NOISE_SCALE,
        NOISE_SCALE,
        Model,
    )

    return Model(
        ContactCoefficients(
            CONTACT.friction if friction is None else friction,
            CONTACT.restitution if restitution is None else restitution,
        ),
        FIRST_FRAME_NOISE_SCALE if first_frames else NOISE_SCALE,
    )


def _tracks(file: Path, tracks: Path | None, no_tracks: bool, uncorrected: bool) -> Path | None:
    """Return the given tracks, or those in the folder of the file."""
    if tracks is not None and (no_tracks or uncorrected):
        other = "--no-tracks" if no_tracks else "--uncorrected"
        raise InvalidValueError(f"--tracks and {other} exclude each other")
    beside = file.with_name(f"{file.stem.removesuffix('es')}_trajectories.npz")
    if tracks is not None or no_tracks or uncorrected or not beside.is_file():
        return tracks
    return beside


def _read(
    file: Path, tracks: Path | None, uncorrected: bool, body: "Body"
) -> "tuple[Tosses, Starts]":
    from brickphys.calibration.experiments import toss_tracks as toss_starts
    from brickphys.calibration.experiments.toss_tracks import read_tosses

    tosses = read_tosses(file)
    if tracks is not None:
        return tosses, toss_starts.refine(tosses, toss_starts.read_tracks(tracks), body)
    wrong = toss_starts.AS_TRACKED if uncorrected else toss_starts.Correction()
    return tosses, toss_starts.correct(tosses, wrong)


def _predict(
    experiment: "Experiment", model: "Model", workers: int, advance: "StageProgress"
) -> "tuple[TossComparison, Prediction]":
    from brickphys.calibration.experiments.toss_comparison import compare
    from brickphys.calibration.experiments.tosses import predict

    (shown,) = predict(experiment, [model], workers=workers, progress=partial(advance, "tosses"))
    return compare(experiment, [shown], model), shown


def _fit(
    experiment: "Experiment", distances: bool, folds: int, workers: int, advance: "StageProgress"
) -> "tuple[TossComparison, Prediction]":
    from brickphys.calibration.experiments.toss_comparison import compare
    from brickphys.calibration.experiments.toss_fit import fit

    found = fit(
        experiment, folds=folds, distances=distances, workers=workers,
        progress=partial(advance, "tosses"),
    )  # fmt: skip
    return compare(experiment, found.held_out, found.model, found), found.held_out[0]


def _figure(comparison: "TossComparison", tosses: "Tosses", shown: "Prediction") -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.validation import draw_reliability, draw_surface, draw_travel

    found = comparison.fit
    panels = 2 if found is None else 3
    figure = Figure(figsize=(4.8 * panels, 4.6), dpi=120, layout="constrained")
    axes = figure.subplots(1, panels, squeeze=False)[0]
    right = shown.predicted_face == tosses.final_face
    draw_travel(shown.travel_mm / 1000, tosses.travel_mm / 1000, right, axes[0])
    draw_reliability(comparison.scores.reliability, axes[1])
    if found is not None:
        filled = draw_surface(found.surface, found.chosen, found.model, axes[2])
        figure.colorbar(filled, ax=axes[2], label="nats a toss", format="%.2f", shrink=0.8)
    return figure


@click.command()
@click.argument("tracks", type=options.FILE)
@click.option("--cube-mm", default=104.8, help="Edge of the cube.")
@options.json_options
def radius(tracks: Path, cube_mm: float, as_json: bool) -> None:
    """Measure the edge radius of the tracked cube in TRACKS from its heights on edges and corners.

    No toss is simulated, and no final face is used.

    \b
    Example:
      brickphys validate radius cube_toss_trajectories.npz
    """
    from brickphys.calibration.experiments.toss_radius import edge_radius
    from brickphys.calibration.experiments.toss_tracks import read_tracks
    from brickphys.calibration.experiments.tosses import MASS_G, cube

    solid_g_cm2 = MASS_G * (cube_mm / 10) ** 2 / 6  # mass and moment of inertia have no effect
    body = cube(cube_mm, MASS_G, solid_g_cm2)
    found = edge_radius(read_tracks(tracks), body)
    if as_json:
        output.print_json("validate.radius", found.document())
    else:
        echo(found.text())
