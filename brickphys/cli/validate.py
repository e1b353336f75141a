"""Validate: the laboratory against reality, and its engines against each other."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.options import json_option, root_seed, seed_option, workers_option
from brickphys.cli.validate_engines import engines

if TYPE_CHECKING:
    from brickphys.calibration.toss_comparison import Comparison, Estimate
    from brickphys.calibration.toss_file import Tosses
    from brickphys.calibration.tosses import Prediction


@click.group()
def validate() -> None:
    """Compare the physics with reality, and the engines with each other.

    \b
    Examples:
      brickphys validate throws cube_tosses.csv
      brickphys validate engines --engines bullet,compiled
    """


validate.add_command(engines)


@validate.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--friction",
    type=float,
    help="Of cube and table; fitted to the ContactNets tosses if not given.",
)
@click.option("--restitution", type=float, help="Likewise.")
@click.option("--cube-mm", default=104.8, show_default=True, help="Edge of the cube.")
@click.option("--mass-g", default=370.0, show_default=True, help="Its mass.")
@click.option("--inertia-g-cm2", default=8100.0, show_default=True, help="Its moment of inertia.")
@click.option(
    "--fit", "fitted", is_flag=True, help="Fit friction and restitution, cross-validated."
)
@click.option(
    "--folds", type=int, help="Folds of each cross-validation, with --fit; 5 if not given."
)
@workers_option
@seed_option
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Draw to this .png, .svg or .pdf file."
)
@click.option("--force", is_flag=True, help="Overwrite the plot.")
@json_option
def throws(
    file: Path,
    friction: float | None,
    restitution: float | None,
    cube_mm: float,
    mass_g: float,
    inertia_g_cm2: float,
    fitted: bool,
    folds: int | None,
    workers: int,
    seed: int | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Simulate each tracked toss of a cube in FILE and compare where it ends.

    With --fit every toss is predicted by a fit that has not seen it.

    \b
    Examples:
      brickphys validate throws cube_tosses.csv
      brickphys validate throws cube_tosses.csv --fit --workers 2 --plot fit.png
    """
    from brickphys.calibration.toss_comparison import compare
    from brickphys.calibration.toss_file import read_tosses
    from brickphys.calibration.toss_fit import check_folds, fit
    from brickphys.calibration.tosses import CONTACT, Experiment, cube, predict
    from brickphys.calibration.workers import check_workers
    from brickphys.cli import output
    from brickphys.errors import InvalidValueError
    from brickphys.throws.surfaces import Contact

    if fitted and not (friction is None and restitution is None):
        raise InvalidValueError("--fit finds friction and restitution: leave out those options")
    if folds is not None and not fitted:
        raise InvalidValueError("--folds needs --fit")
    folds = 5 if folds is None else folds
    output.check_plot(plot, force=force)
    check_workers(workers)
    contact = Contact(
        CONTACT.friction if friction is None else friction,
        CONTACT.restitution if restitution is None else restitution,
    )
    experiment = Experiment(
        read_tosses(file), cube(cube_mm, mass_g, inertia_g_cm2), root_seed(seed)
    )
    with output.progress("jobs") as advance:

        def tell(done: int, total: int) -> None:
            advance("tosses", done, total)

        if fitted:
            check_folds(folds, experiment.tosses)
            found = fit(experiment, folds=folds, workers=workers, progress=tell)
            comparison = compare(experiment, found.held_out, found.contact, found)
            shown = found.held_out[0]
        else:
            (shown,) = predict(experiment, [contact], workers=workers, progress=tell)
            comparison = compare(experiment, [shown], contact)
    if plot is not None:
        _draw(comparison, experiment.tosses, shown, plot)
    if as_json:
        output.print_json("validate.throws", comparison.to_json())
    else:
        _print(comparison)


def _draw(comparison: "Comparison", tosses: "Tosses", shown: "Prediction", path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from brickphys.cli.output import save_plot
    from brickphys.plots.tosses import draw_surface, draw_travel

    found = comparison.fit
    panels = 1 if found is None else 2
    figure = Figure(figsize=(5.5 * panels, 5.0), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, panels, squeeze=False)[0]
    right = shown.face == tosses.final_face
    draw_travel(shown.travel_mm / 1000, tosses.travel_mm / 1000, right, axes[0])
    if found is not None:
        chosen = tuple((c.friction, c.restitution, times) for c, times in found.chosen)
        best = (found.contact.friction, found.contact.restitution)
        drawn = draw_surface(found.surface, chosen, best, axes[1])
        figure.colorbar(drawn.filled, ax=axes[1], label="nats a toss", format="%.2f")
    save_plot(figure, path)


def _print(comparison: "Comparison") -> None:
    from brickphys.cli.output import percent, percent_range, print_table

    def share(estimate: "Estimate") -> str:
        return f"{percent(estimate.value)} ({percent_range(estimate.low, estimate.high)})"

    def number(estimate: "Estimate", unit: str = "") -> str:
        return f"{estimate.value:.3f}{unit} ({estimate.low:.3f} to {estimate.high:.3f})"

    pairs = comparison.shares.items()
    rows = [
        (f"ends on {name} face", share(both.simulated), share(both.real)) for name, both in pairs
    ]
    travel = comparison.travel_m
    rows.append(("travelled distance", number(travel.simulated, " m"), number(travel.real, " m")))
    click.echo(f"{comparison.tosses} tosses, 95 % intervals in brackets\n")
    print_table(("", "simulated", "real"), rows)
    click.echo(f"\nfinal face right   {share(comparison.face_accuracy)}")
    click.echo(f"  without physics  {share(comparison.baseline_accuracy)}: the lowest face stays")
    click.echo(f"log loss           {number(comparison.log_loss)}")
    click.echo(f"  without physics  {comparison.baseline_log_loss:.3f}")
    if comparison.sure_accuracy is not None:
        click.echo(
            f"sure tosses        {percent(comparison.sure_share)} of all, "
            f"{percent(comparison.sure_accuracy)} of them right"
        )
    _print_conditions(comparison)


def _print_conditions(comparison: "Comparison") -> None:
    contact, found = comparison.contact, comparison.fit
    how = "given" if found is None else f"fitted; figures cross-validated, {found.folds} folds"
    click.echo(f"friction {contact.friction:g}, restitution {contact.restitution:g} ({how})")
    if found is not None and found.at_edge:
        click.echo("note: the fit lies on the border of what was tried; the best may be outside")
    for count, what in (
        (comparison.unsettled, "simulated tosses lean or never came to rest"),
        (comparison.lifted, "starts reached into the floor and were lifted out"),
        (comparison.mismatched, "starts name a face that is not the lowest by their quaternion"),
    ):
        if count:
            click.echo(f"note: {count:g} {what}")
    click.echo(f"seed {comparison.root}")
