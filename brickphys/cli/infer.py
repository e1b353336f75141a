"""Infer: the chance of a side and the contact coefficients from bricks thrown at home.

The answer is JSON for programs and text for people.
"""

from pathlib import Path
from typing import Any

import click

import brickphys
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.files import check_target


@click.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--surface",
    help="Surface of the throws: wood, glass, cloth, plastic or a surface file. Selects one of several in FILE.  "
    "[default: wood]",
)
@click.option(
    "--law",
    type=options.FILE,
    help="Law to compare and combine with: a file or a name.  [default: the shipped law of the surface]",
)
@click.option(
    "--prior",
    default="surface",
    help="Prior of friction and restitution: surface (its ranges) or broad.",
)
@click.option(
    "--half-width",
    default=0.01,
    help="Target half-width of the 95 % interval, for the number of further throws.",
)
@click.option(
    "--throws",
    type=int,
    help="Compute a new response surface from this many throws (a million is good) instead of the shipped one.",
)
@click.option(
    "--shape", help="Body file of --law, if it has one; --throws computes its response surface."
)
@click.option("--out", type=options.FILE, help="File for the law that combines law and counts.")
@options.plot_option("Draw the answer")
@options.force_option
@options.workers_option
@options.seed_option
@options.json_option
def infer(
    file: Path, out: Path | None, plot: Path | None, force: bool, as_json: bool, **how: Any
) -> None:
    """Infer the chance of a side, friction and restitution from the counted throws in FILE.

    FILE is CSV with one row per throw. Columns: bricks and score; optional are surface and the poses studs_up,
    studs_down, side, leaning. Capitals and blanks do not matter. The output also says whether the law fits, and how
    many more throws would decide this. --out writes a law that combines the prior law with your counts; if they
    contradict each other, your counts weigh more, and the law says so.

    \b
    Example:
      brickphys infer counts.csv --surface wood --out mine.json --plot mine.png

    \b
    JSON: file, law, prior, seed, and
      surfaces  a list of: surface, hands, bricks, sides, poses, p_side, ci95,
                rho {mean, ci95} or null (one brick a hand),
                friction and restitution {mean, ci95} or null, fit_p_value or null,
                law (its name) or null (there is none for the surface),
                law_check null, or p_law, fits (null if the throws are too few to tell),
                p_value, p_value_all, poses_p_value, lacking, verdict,
                more {by_chance, all_doubt, half_width, to_half_width}
      response  null, or throws, chi2, freedom, p_value, r_squared
      combined  null, or surface, p_side, ci95, confidence95 (holds the truth also if the
                law's range is wrong), own_weight (share of your counts in it),
                contradiction (a sentence; empty if law and counts agree), law_file
    """
    output.check_plot(plot, force=force)
    output.check_apart({"FILE": file, "--law": how["law"]}, {"--out": out, "--plot": plot})
    if out is not None:
        check_target(out, force=force)
    found = brickphys.infer(file, combine=out is not None, command=options.command_line(), **how)
    if found.combined and out is not None:
        found.combined.save(out, force=force)
    if as_json:
        output.print_json("infer", found.document(out))
    else:
        echo(found.text(out))
    if plot is not None:
        output.save_plot(found.plot(), plot)
