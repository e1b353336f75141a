"""Validate: compares physics with real throws, engines with each other, and geometry with independent geometry.

`prisms`, `coin` and `counts` are here: published and counted rolls beside simulated ones. The others are in
`validate_throws`, `validate_engines` and `validate_collisions`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.options import RunOptions, run_options
from brickphys.cli.shared.output import CommandGroup, echo
from brickphys.cli.shared.throw_options import conditions, throw_options
from brickphys.cli.validate_collisions import collisions
from brickphys.cli.validate_engines import engines
from brickphys.cli.validate_throws import radius, throws
from brickphys.notes import bar
from brickphys.text import percent, percent_range
from brickphys.throws.conditions import ContactCoefficients

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.calibration.experiments.body_comparison import BodyComparison, RollKind
    from brickphys.calibration.experiments.roll_comparison import CoinComparison, PrismComparison

_throw_options = throw_options(
    "preset", "height_mm", "speed_m_s", "spin_rad_s", preset="as the source tells"
)
_throws_option = click.option(
    "--throws", default=1000, help="Throws of each solid on each surface."
)


@click.command()
@click.option(
    "--edge-radius-mm",
    default=0.0,
    help="Edge radius of the prisms, whose side is 15 mm.",
)
@_throws_option
@_throw_options
@run_options()
def prisms(
    edge_radius_mm: float, throws: int, preset: str | None, out: RunOptions, **how: Any
) -> None:
    """Find the one surface that explains published rolls of eight square prisms.

    \b
    Examples:
      brickphys validate prisms --seed 1 --plot prisms.png
      brickphys validate prisms --seed 1 --edge-radius-mm 0.2
    """
    out.check()

    from brickphys.calibration.experiments.roll_comparison import compare_prisms
    from brickphys.calibration.experiments.rolls import published
    from brickphys.plots.validation import draw_prisms

    with bar("jobs") as advance:
        comparison = compare_prisms(
            conditions(preset or published()["prisms"].throw, **how), throws, out.root,
            edge_radius_mm=edge_radius_mm, workers=out.workers, progress=advance,
        )  # fmt: skip
    out.write(
        "validate.prisms",
        comparison.document,
        partial(_print_prisms, comparison),
        partial(_figure, partial(draw_prisms, comparison)),
    )


@click.command()
@click.option("--friction", type=float, help="Friction of body and surface.  [default: 0.25]")
@click.option("--restitution", type=float, help="Restitution of body and surface.  [default: 0.5]")
@click.option(
    "--edge-radius-mm",
    default=0.26,
    help="Edge radius of coin and cylinder, whose diameter is 15 mm.",
)
@_throws_option
@_throw_options
@run_options()
def coin(
    throws: int,
    friction: float | None,
    restitution: float | None,
    edge_radius_mm: float,
    preset: str | None,
    out: RunOptions,
    **how: Any,
) -> None:
    """Simulate how often a thick coin stops on its edge and a cylinder on an end, and compare with published tosses.

    \b
    Example:
      brickphys validate coin --seed 1 --plot coin.png
    """
    out.check()

    from brickphys.calibration.experiments.roll_comparison import COIN_SURFACE, compare_coin
    from brickphys.calibration.experiments.rolls import published
    from brickphys.plots.validation import draw_coin

    contact = ContactCoefficients(
        COIN_SURFACE.friction if friction is None else friction,
        COIN_SURFACE.restitution if restitution is None else restitution,
    )
    sets = published()
    coin_how, cylinder_how = (
        conditions(preset or sets[name].throw, **how) for name in ("coin", "cylinder")
    )
    with bar("jobs") as advance:
        comparison = compare_coin(
            coin_how, cylinder_how, throws, out.root,
            contact=contact, edge_radius_mm=edge_radius_mm, workers=out.workers, progress=advance,
        )  # fmt: skip
    out.write(
        "validate.coin",
        comparison.document,
        partial(_print_coin, comparison),
        partial(_figure, partial(draw_coin, comparison)),
    )


@click.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--unit-mm", default=12.0, help="Length of the unit of the meshes: 12 is a print of some 20 mm."
)
@click.option("--density-g-cm3", default=1.1, help="Density of the bodies.")
@click.option(
    "--edge-radius-mm", type=float, help="Radius of the rounded edges.  [default: 0 for a mesh]"
)
@options.names_option(
    "--engines", "compiled", "Engines, such as compiled,bullet; chi2 in all is that of the first."
)
@click.option("--throws", default=20_000, help="Throws of each body with each engine.")
@click.option(
    "--fit",
    is_flag=True,
    help="Find the surface and the throw that suit all bodies best; each is predicted by a fit to the others. What "
    "other options give is kept.",
)
@throw_options(
    "preset", "height_mm", "speed_m_s", "spin_rad_s", "friction", "restitution",
    preset="let go 20 to 40 mm up", friction="0.2", restitution="0.05",
)  # fmt: skip
@run_options()
def counts(
    file: Path,
    unit_mm: float,
    density_g_cm3: float,
    edge_radius_mm: float | None,
    engines: tuple[str, ...],
    throws: int,
    *,
    fit: bool,
    out: RunOptions,
    **how: Any,
) -> None:
    """Compare the counted rolls in FILE of dice of any shape with predictions: engines, quasi-static, solid angle.

    FILE is a CSV file with the columns body, face, rolls and normals; the mesh BODY.obj lies beside it. A body may
    also be a shape such as coin:15x5, whose faces are poses.

    \b
    Examples:
      brickphys validate counts counts.csv --seed 1
      brickphys validate counts counts.csv --fit --seed 1 --plot counts.png
    """
    out.check({"FILE": file})

    from brickphys.calibration.experiments.body_comparison import compare_bodies
    from brickphys.calibration.experiments.body_counts import read_counted_bodies

    bodies = read_counted_bodies(file, unit_mm, density_g_cm3, edge_radius_mm)
    with bar() as advance:
        comparison = compare_bodies(
            bodies, _kinds(fit=fit, **how), throws, out.root,
            engines=engines, workers=out.workers, progress=advance,
        )  # fmt: skip
    out.write(
        "validate.counts",
        comparison.document,
        lambda: echo(comparison.text()),
        lambda: _bodies_figure(comparison),
    )


def _kinds(
    *, fit: bool, preset: str | None, friction: float | None, restitution: float | None, **how: Any
) -> "list[RollKind]":
    """Return how bodies are thrown: as the options say, or all among which a fit chooses."""
    from brickphys.calibration.experiments import body_comparison as rolls
    from brickphys.throws.conditions import PRESETS

    throws = [rolls.THROW, *PRESETS.values()] if fit else [rolls.THROW]
    frictions = rolls.FRICTIONS if fit else (rolls.CONTACT.friction,)
    restitutions = rolls.RESTITUTIONS if fit else (rolls.CONTACT.restitution,)
    return rolls.candidates(
        [conditions(one, **how) for one in ([preset] if preset else throws)],
        frictions if friction is None else [friction],
        restitutions if restitution is None else [restitution],
    )


def _bodies_figure(comparison: "BodyComparison") -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.validation import draw_bodies

    figure = Figure(
        figsize=(10.5, 0.8 + 3.4 * len(comparison.results)), dpi=120, layout="constrained"
    )
    draw_bodies(comparison, figure.subplots(len(comparison.results), squeeze=False)[:, 0])
    return figure


def _figure(draw: Callable[[Any], None]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 4.6), dpi=120, layout="constrained")
    draw(figure.subplots(1, 2))
    return figure


def _print_prisms(comparison: "PrismComparison") -> None:
    from brickphys.calibration.experiments.rolls import degrees

    rolls, fit = comparison.rolls, comparison.fit
    echo(f"{rolls.source}\n")
    _print_ratios(comparison)
    echo(
        f"\none surface: friction {comparison.contact.friction:g} "
        f"({fit.friction_ci95[0]:.2f} to {fit.friction_ci95[1]:.2f}), restitution "
        f"{comparison.contact.restitution:g} ({fit.restitution_ci95[0]:.2f} to {fit.restitution_ci95[1]:.2f})"
    )
    echo(
        f"chi2 {comparison.chi2:.1f} with {degrees(rolls)} degrees of freedom, p {comparison.p_value:.1g}: "
        f"Gibbs (b {comparison.gibbs_b:.2f}) has one more, the smooth curve one less"
    )
    fair = float(rolls.chi2(comparison.fair_smooth))
    echo(f"the best smooth curve that gives a cube its third: chi2 {fair:.1f}")
    echo(f"edge radius {comparison.edge_radius_mm:g} mm, side 15 mm")
    if fit.at_edge:
        echo("note: the fit lies at the edge of the grid; the best values may be outside")
    echo(f"seed {comparison.root}")


def _print_ratios(comparison: "PrismComparison") -> None:
    """Print how often each prism stops upright, as published and by each model."""
    from brickphys.calibration.experiments.roll_comparison import interval

    rolls = comparison.rolls
    models = {
        "simulated": comparison.shares,
        "smooth curve": comparison.smooth,
        "Gibbs": comparison.gibbs,
        "solid angle": comparison.solid_angle,
    }
    rows = [
        (
            f"{row.ratio:.2f}",
            f"{row.rolls}",
            percent(row.share),
            percent_range(*interval(row.share, row.rolls)),
            *(percent(float(shares[i])) for shares in models.values()),
        )
        for i, row in enumerate(rolls.rows)
    ]
    chi2 = [f"{float(rolls.chi2(shares)):.0f}" for shares in models.values()]
    columns = ("thickness/side", "rolls", "square up", "95 % interval", *models)
    output.print_table(columns, [*rows, ("chi2", "", "", "", *chi2)])


def _print_coin(comparison: "CoinComparison") -> None:
    _print_edge(comparison)
    _print_surfaces(comparison)
    echo("")
    for one in comparison.cylinder.rows:
        found = "; ".join(
            f"{' and '.join(f'{e:.2f}' for e in values) or 'none'} at friction {mu:g}"
            for mu, values in comparison.implied(one.share).items()
        )
        how = comparison.cylinder_conditions.preset
        echo(f"cylinder ({how}), on an end {percent(one.share)}: restitution {found}")
    echo(f"seed {comparison.root}")


def _print_edge(comparison: "CoinComparison") -> None:
    """Print how often the coin stops on its edge: measured, simulated, and by two rules of thumb."""
    from brickphys.calibration.experiments.roll_comparison import CHECK, interval

    row, contact, checked = comparison.coin.rows[0], comparison.contact, CHECK * comparison.throws
    simulated = (
        f"simulated ({comparison.conditions.preset}), friction {contact.friction:g}, "
        f"restitution {contact.restitution:g}, edge radius {comparison.edge_radius_mm:g} mm"
    )
    counted = (
        ("measured", row.share, row.rolls),
        (simulated, comparison.at_contact, checked),
        ("  sharp edges", comparison.sharp_at_contact, checked),
    )
    output.print_table(
        (f"coin, thickness/diameter {row.ratio:g}", "on edge", "95 % interval"),
        [
            *(
                (what, percent(share), percent_range(*interval(share, n)))
                for what, share, n in counted
            ),
            *(("  " + name, percent(share), "") for name, share in comparison.varied.items()),
            ("solid angle", percent(comparison.solid_angle), ""),
            ("area", percent(comparison.area), ""),
        ],
    )


def _print_surfaces(comparison: "CoinComparison") -> None:
    """Print a table for each solid and throw: a row for each friction, a column for each restitution."""
    names = [f"e {e:g}" for e in comparison.restitutions]
    for title, table in (
        (f"coin on edge ({comparison.conditions.preset})", comparison.edges),
        (f"cylinder on an end ({comparison.cylinder_conditions.preset})", comparison.ends),
    ):
        echo("")
        lines = [
            (f"friction {mu:g}", *(percent(float(share)) for share in shares))
            for mu, shares in zip(comparison.frictions, table, strict=True)
        ]
        output.print_table((title, *names), lines)


@click.group(cls=CommandGroup)
def validate() -> None:
    """Compare the physics with reality, and the engines with each other.

    \b
    Examples:
      brickphys validate throws cube_tosses.csv
      brickphys validate counts counts.csv --fit
      brickphys validate prisms
      brickphys validate engines --engines bullet,compiled
      brickphys validate collisions --scenes 2000
    """


for _command in (throws, radius, counts, collisions, engines, prisms, coin):
    validate.add_command(_command)
