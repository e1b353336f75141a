"""Measure law: the law that follows from the tests and from counted bricks."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    force_option,
    json_option,
    seed_option,
    workers_option,
)

if TYPE_CHECKING:
    from brickphys.calibration.home_counts import HomeCounts
    from brickphys.calibration.measure.measured_posterior import MeasuredPosterior
    from brickphys.odds.law import Law


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--counts",
    "counts_file",
    type=click.Path(path_type=Path),
    help="CSV file of counted throws, in the format of `infer`.",
)
@click.option(
    "--surface",
    default="wood",
    show_default=True,
    help="Most similar surface, or a surface file: gives ranges of unmeasured causes and selects rows of --counts.",
)
@click.option(
    "--law",
    "law_file",
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
@force_option
@workers_option
@seed_option
@json_option
def law(
    file: Path,
    counts_file: Path | None,
    surface: str,
    law_file: Path | None,
    throws: int | None,
    out: Path | None,
    force: bool,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Compute your law, the chance of a side on your table by your hand, from the measurements in FILE.

    FILE is the TOML file of `measure tilt`, `drop` and `film`. Causes without a test have the ranges of the surface
    and of the throw. --counts adds counted throws; if they contradict the measurements, only --force writes the law.

    \b
    Example:
      brickphys measure law mine.toml --counts counts.csv --out mine.json

    \b
    JSON: file, counts, surface, seed, p_side, p_range90 (this table and
      hand), ci95, measured_p {mean, ci95} (without the counts),
      poses (pose -> share), causes (name -> mean, ci95, measured), agreement_p_value (null without
      counts), contradiction (a sentence; empty if there is none), draws (effective number),
      assumptions, law_file (null if not written for a contradiction)
    """
    from brickphys.calibration.measure.own_law import measure
    from brickphys.cli.shared import output
    from brickphys.files import check_target

    output.check_apart({"FILE": file, "--counts": counts_file, "--law": law_file}, {"--out": out})
    if out is not None:
        check_target(out, force=force)
    found = measure(
        file,
        counts_file,
        surface,
        law=law_file,
        throws=throws,
        seed=seed,
        workers=workers,
        command=shlex.join(["brickphys", *sys.argv[1:]]),
    )
    written = out if force or not found.law.contradiction else None
    if written is not None:
        found.law.save(written, force=force)
    if as_json:
        files = {"file": str(file), "counts": counts_file and str(counts_file)}
        place = {"surface": found.surface, "seed": found.seed, "law_file": written and str(written)}
        output.print_json(
            "measure-law", {**files, **place, **_document(found.posterior, found.law)}
        )
    else:
        _print(found.posterior, found.law, found.counts, found.seed)
        if written is not None:
            output.note_written("law", written)
    if out is not None and written is None:
        found.law.save(out)  # raises why not


def _document(found: "MeasuredPosterior", own: "Law") -> dict[str, Any]:
    from dataclasses import asdict

    assert own.measured is not None
    measured = asdict(own.measured)
    return {
        "p_side": found.p.mean,
        "p_range90": found.p.range90,
        "ci95": found.p.ci95,
        "measured_p": {"mean": found.measured_p.mean, "ci95": found.measured_p.ci95},
        "poses": found.shares,
        "causes": measured["causes"],
        "agreement_p_value": found.agreement,
        "contradiction": own.contradiction,
        "draws": found.draws,
        "assumptions": measured["assumptions"],
    }


def _print(found: "MeasuredPosterior", own: "Law", counts: "HomeCounts | None", seed: int) -> None:
    from brickphys.cli.shared.output import print_table
    from brickphys.text import counted, percent, percent_range, short

    assert own.measured is not None
    echo(f"{own.measured.file}: {own.shape} on a table like {own.surface.name}; seed {seed}\n")
    rows = [
        (
            name,
            short(cause.mean),
            f"{short(cause.ci95[0])} to {short(cause.ci95[1])}",
            "measured" if cause.measured else "not measured",
        )
        for name, cause in own.measured.causes.items()
    ]
    print_table(("cause", "mean", "95 % interval", ""), rows)
    before, p = found.measured_p, found.p
    echo(
        f"\nchance of a side  {percent(before.mean)} (95 % interval {percent_range(*before.ci95)}) by the measurements"
    )
    if counts is not None and found.agreement is not None:
        verdict = "contradict each other" if own.contradiction else "agree"
        echo(
            f"                  {percent(p.mean)} (95 % interval {percent_range(*p.ci95)}) with "
            f"{counted(counts.thrown, 'brick')} counted; the two {verdict} (p-value {found.agreement:.2g})"
        )
    echo("\nassumptions:")
    for assumption in own.measured.assumptions:
        echo(f"- {assumption}")
