"""Validate prisms and validate coin: published rolls beside simulated ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import (
    force_option,
    json_option,
    plot_option,
    root_seed,
    seed_option,
    workers_option,
)
from brickphys.cli.shared.throw_options import ThrowOptions, throw_options

if TYPE_CHECKING:
    from brickphys.calibration.rolls.roll_comparison import CoinComparison, PrismComparison
    from brickphys.throws.conditions import Conditions


@dataclass(frozen=True)
class _Request:
    """What both commands are asked for: the throws, and where the answer goes."""

    conditions: "Conditions"
    throws: int
    root: int
    workers: int
    plot: Path | None
    as_json: bool

    def answer(
        self,
        kind: str,
        document: Mapping[str, Any],
        draw: Callable[[Any], None],
        print_text: Callable[[], None],
    ) -> None:
        """Draw the plot if there is one, and print the document as JSON or call `print_text`."""
        if self.plot is not None:
            _draw(draw, self.plot)
        if self.as_json:
            output.print_json(kind, document)
        else:
            print_text()


def _request_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a request to a command, which gets the request as its first argument."""

    @wraps(command)
    def called(
        throws: int,
        throw: ThrowOptions,
        workers: int,
        seed: int | None,
        plot: Path | None,
        force: bool,
        as_json: bool,
        **others: Any,
    ) -> None:
        output.check_plot(plot, force=force)
        request = _Request(throw.conditions(), throws, root_seed(seed), workers, plot, as_json)
        command(request, **others)

    for option in _OPTIONS:
        called = option(called)
    return called


_OPTIONS: tuple[Callable[..., Any], ...] = (
    json_option,
    force_option,
    plot_option(),
    seed_option,
    workers_option,
    throw_options("preset", "height_mm", "speed_m_s", "spin_rad_s"),
    click.option(
        "--throws", default=1000, show_default=True, help="Of each solid on each surface."
    ),
)
"""The last is shown first."""


@click.command()
@_request_options
def prisms(request: _Request) -> None:
    """Find the one surface that explains published rolls of eight square prisms.

    \b
    Example:
      brickphys validate prisms --seed 1 --plot prisms.png
    """
    from brickphys.calibration.rolls.roll_comparison import compare_prisms
    from brickphys.plots.rolls import draw_prisms

    with output.progress("jobs") as advance:
        comparison = compare_prisms(
            request.conditions,
            request.throws,
            request.root,
            workers=request.workers,
            progress=advance,
        )
    request.answer(
        "validate.prisms",
        comparison.to_json(),
        partial(draw_prisms, comparison),
        partial(_print_prisms, comparison),
    )


@click.command()
@click.option("--friction", type=float, help="Of the pair; 0.45 if not given.")
@click.option("--restitution", type=float, help="Of the pair; 0.5 if not given.")
@_request_options
def coin(request: _Request, friction: float | None, restitution: float | None) -> None:
    """Predict how often a published thick coin stops on its edge, and a cylinder on its ends.

    \b
    Example:
      brickphys validate coin --seed 1 --plot coin.png
    """
    from brickphys.calibration.rolls.roll_comparison import COIN_SURFACE, compare_coin
    from brickphys.plots.rolls import draw_coin
    from brickphys.throws.surfaces import ContactCoefficients

    contact = ContactCoefficients(
        COIN_SURFACE.friction if friction is None else friction,
        COIN_SURFACE.restitution if restitution is None else restitution,
    )
    with output.progress("jobs") as advance:
        comparison = compare_coin(
            request.conditions,
            request.throws,
            request.root,
            contact=contact,
            workers=request.workers,
            progress=advance,
        )
    request.answer(
        "validate.coin",
        comparison.to_json(),
        partial(draw_coin, comparison),
        partial(_print_coin, comparison),
    )


def _draw(draw: Callable[[Any], None], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 4.6), dpi=120, layout="constrained")
    draw(figure.subplots(1, 2))
    output.save_plot(figure, path)


def _print_prisms(comparison: "PrismComparison") -> None:
    from brickphys.calibration.rolls.roll_comparison import interval
    from brickphys.calibration.rolls.roll_fit import degrees

    rolls, fit = comparison.rolls, comparison.fit
    click.echo(f"{rolls.source}\n")
    rows = [
        (
            f"{row.ratio:.2f}",
            f"{row.rolls}",
            output.percent(row.share),
            output.percent_range(*interval(row.share, row.rolls)),
            output.percent(float(comparison.shares[i])),
            output.percent(float(comparison.gibbs[i])),
            output.percent(float(comparison.solid_angle[i])),
        )
        for i, row in enumerate(rolls.rows)
    ]
    chi2 = [f"{float(value):.0f}" for value in (
        comparison.chi2, rolls.chi2(comparison.gibbs), rolls.chi2(comparison.solid_angle)
    )]  # fmt: skip
    names = ("thickness/side", "rolls", "square up", "95 %", "simulated", "Gibbs", "solid angle")
    output.print_table(names, [*rows, ("chi2", "", "", "", *chi2)])
    click.echo(
        f"\none surface: friction {fit.contact.friction:g} "
        f"({fit.friction_ci95[0]:.2f} to {fit.friction_ci95[1]:.2f}), restitution "
        f"{fit.contact.restitution:g} ({fit.restitution_ci95[0]:.2f} to {fit.restitution_ci95[1]:.2f})"
    )
    click.echo(
        f"chi2 {comparison.chi2:.1f} with {degrees(rolls)} degrees of freedom, p {comparison.p_value:.1g}: "
        f"Gibbs (b {comparison.gibbs_b:.2f}) has one more"
    )
    if fit.at_edge:
        click.echo("note: the fit lies on the border of what was tried; the best may be outside")
    click.echo(f"seed {comparison.root}")


def _print_coin(comparison: "CoinComparison") -> None:
    from brickphys.calibration.rolls.roll_comparison import CHECK, interval

    row, contact = comparison.coin.rows[0], comparison.contact
    simulated = interval(comparison.at_contact, CHECK * comparison.throws)
    output.print_table(
        (f"coin, thickness/diameter {row.ratio:g}", "on edge", "95 %"),
        [
            (
                "measured",
                output.percent(row.share),
                output.percent_range(*interval(row.share, row.rolls)),
            ),
            (
                f"simulated, friction {contact.friction:g}, restitution {contact.restitution:g}",
                output.percent(comparison.at_contact),
                output.percent_range(*simulated),
            ),
            *(
                ("  " + name, output.percent(share), "")
                for name, share in comparison.varied.items()
            ),
            ("solid angle", output.percent(comparison.solid_angle), ""),
            ("area", output.percent(comparison.area), ""),
        ],
    )
    names = [f"e {e:g}" for e in comparison.restitutions]
    for title, table in (
        ("coin on edge", comparison.edges),
        ("coin on edge, let go of", comparison.edges_dropped),
        ("cylinder on an end", comparison.ends),
        ("cylinder on an end, let go of", comparison.ends_dropped),
    ):
        click.echo("")
        lines = [
            (f"friction {mu:g}", *(output.percent(float(share)) for share in shares))
            for mu, shares in zip(comparison.frictions, table, strict=True)
        ]
        output.print_table((title, *names), lines)
    click.echo("")
    for one in comparison.cylinder.rows:
        found = "; ".join(
            f"{' and '.join(f'{e:.2f}' for e in values) or 'none'} at friction {mu:g}"
            for mu, values in comparison.implied(one.share).items()
        )
        click.echo(
            f"cylinder let go of, on an end {output.percent(one.share)}: restitution {found}"
        )
    click.echo(f"seed {comparison.root}")
