"""Infer: the chance of a side and the contact coefficients from bricks thrown at home."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.infer_answer import Answer, print_answer
from brickphys.cli.shared.options import (
    FILE,
    force_option,
    json_option,
    plot_option,
    root_seed,
    seed_option,
    workers_option,
)
from brickphys.errors import InvalidValueError
from brickphys.files import check_target

if TYPE_CHECKING:
    from brickphys.calibration.home_counts import HomeCounts
    from brickphys.calibration.inference import Inference
    from brickphys.calibration.response import Response
    from brickphys.odds.law import Law


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--surface",
    help="On what it fell: wood (if the file does not say), glass, cloth, plastic or a surface file; "
    "chooses where the file says.",
)
@click.option(
    "--law",
    "law_file",
    type=FILE,
    help="Law to compare and to combine with: a file or a name; the shipped one of the surface if not given.",
)
@click.option(
    "--prior",
    default="surface",
    show_default=True,
    help="Friction and restitution before: surface (its ranges) or broad.",
)
@click.option(
    "--half-width",
    default=0.01,
    show_default=True,
    help="Aim for the 95 % interval: how many more throws reach it?",
)
@click.option(
    "--throws",
    type=int,
    help="Throw a response surface anew with so many bricks (a million is good) instead of the shipped one.",
)
@click.option(
    "--shape", help="The body file of --law, if it is of one: --throws throws its response surface."
)
@click.option("--out", type=FILE, help="Law that combines law and counts.")
@plot_option("Draw the answer")
@force_option
@workers_option
@seed_option
@json_option
def infer(
    file: Path,
    surface: str | None,
    law_file: Path | None,
    prior: str,
    half_width: float,
    throws: int | None,
    shape: str | None,
    out: Path | None,
    plot: Path | None,
    force: bool,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Infer the chance of a side, friction and restitution from bricks thrown at home and counted in FILE.

    FILE is CSV with a row a throw and the columns bricks and score, optionally also surface and
    the poses studs_up, studs_down, side, leaning (capitals and blanks do not matter). The answer
    also says whether the law fits, and how many more throws would decide it.
    --out writes a law that combines the law before with your counts.

    \b
    Example:
      brickphys infer counts.csv --surface wood --out mine.json --plot mine.png

    \b
    JSON: file, law, prior, seed, and
      surfaces  a list of: surface, hands, bricks, sides, poses, p_side, ci95,
                rho {mean, ci95} or null (one brick a hand),
                friction and restitution {mean, ci95} or null, fit_p_value or null,
                law (its name) or null (there is none for the surface),
                law_check {p_law, fits, p_value, p_value_all, poses_p_value, lacking, verdict} or null,
                more {by_chance, all_doubt, half_width, to_half_width}
      response  null, or throws, chi2, freedom, p_value, r_squared
      combined  null, or surface, p_side, ci95, law_file
    """
    output.check_plot(plot, force=force)
    output.check_apart({"FILE": file, "--law": law_file}, {"--out": out, "--plot": plot})
    root = root_seed(seed)

    from brickphys.calibration import inference
    from brickphys.calibration.home_counts import read_home_counts
    from brickphys.cli.shared.home_input import hands_by_surface, surface_at_home

    inference.check_aims(prior, half_width)
    chosen = None if surface is None else surface_at_home(surface)
    own = None if chosen is None else chosen.name
    by_surface = hands_by_surface(read_home_counts(file, own), own)
    laws = _laws(law_file, list(by_surface))
    first = _first(laws)
    if out is not None:
        _check_out(out, first, by_surface, force=force)
    if shape is not None and throws is None:
        raise InvalidValueError(f"--shape {shape} needs --throws, such as --throws 1000000")
    response, alike = _response(laws, first, throws, shape, root, workers)
    found = [
        inference.infer(
            hands,
            chosen or surface_at_home(name),
            laws[name],
            alike[name],
            root,
            prior=prior,
            half_width=half_width,
        )
        for name, hands in by_surface.items()
    ]
    combined = None if out is None else _combine(first, found, file, out, force=force)
    answer = Answer(file, law_file, laws, first, prior, root, found, response, combined, out)
    _plot(found, combined, plot)
    print_answer(answer, as_json=as_json)


def _plot(found: "Sequence[Inference]", combined: "Law | None", path: Path | None) -> None:
    """Draw the answer if there is a file for it."""
    if path is not None:
        from brickphys.cli.shared import output
        from brickphys.plots.calibration.infer import infer_figure

        output.save_plot(infer_figure(found, combined), path)


def _combine(
    law: "Law", found: "Sequence[Inference]", file: Path, out: Path, *, force: bool
) -> "Law":
    """Write the law that combines a law with the counts of its surface."""
    from brickphys.calibration.combined_law import combined_law
    from brickphys.odds.law_file import write_law

    one = next(one for one in found if one.surface == law.surface.name)
    words = shlex.join(["brickphys", *sys.argv[1:]])
    combined = combined_law(law, one.counts, file.name, words)
    write_law(combined, out, force=force)
    if one.check and not one.check.fits:
        echo(
            "warning: law and counts contradict each other, even within the 90 % range of the law; together they are a "
            "compromise that neither supports",
            err=True,
        )
    return combined


def _laws(law_file: Path | None, surfaces: Sequence[str]) -> "dict[str, Law | None]":
    """Return the law for each surface: the given one, or the shipped one."""
    from brickphys.odds.law_file import find_law, shipped_law_on

    if law_file is not None:
        return dict.fromkeys(surfaces, find_law(law_file))
    return {name: shipped_law_on(name) for name in surfaces}


def _first(laws: "Mapping[str, Law | None]") -> "Law":
    """Return the law to combine with: that of the first surface, or else the default."""
    from brickphys.odds.law_file import default_law

    return next(iter(laws.values())) or default_law()


def _response(
    laws: "Mapping[str, Law | None]",
    first: "Law",
    throws: int | None,
    shape: str | None,
    root: int,
    workers: int,
) -> "tuple[Response | None, dict[str, Response | None]]":
    """Return the response surface, and by surfaces that or None where the law differs in more than the surface."""
    on_plane = (law for law in laws.values() if law is not None and law.surface.floor == "plane")
    thrown = next(on_plane, first)  # studs have no response surface
    response = _response_of(thrown, throws, shape, root, workers)
    return response, {on: response if _alike(law, thrown) else None for on, law in laws.items()}


def _alike(law: "Law | None", other: "Law") -> bool:
    """Return whether two laws differ in the surface alone; true for counts without a law."""
    return law is None or (
        (law.shape, law.conditions.preset, law.surface.floor)
        == (other.shape, other.conditions.preset, other.surface.floor)
    )


def _check_out(out: Path, law: "Law", by_surface: "dict[str, HomeCounts]", *, force: bool) -> None:
    """Raise InvalidValueError if law and counts cannot be combined, or the file cannot be written."""
    if len(by_surface) > 1:
        raise InvalidValueError(
            f"--out {out}: a law is for one surface, the counts are for {', '.join(by_surface)}; choose with --surface"
        )
    if law.surface.name not in by_surface:
        raise InvalidValueError(
            f"--out: the law is for {law.surface.name}, the counts for {', '.join(by_surface)}; "
            "a law of their surface (brickphys calibrate --surface) can be named with --law"
        )
    if law.combined and law.combined.scores == by_surface[law.surface.name].scores():
        raise InvalidValueError(
            f"--out {out}: the law already holds these very hands (of {law.combined.file}); they must not count twice"
        )
    check_target(out, force=force)


def _response_of(
    law: "Law", throws: int | None, shape: str | None, seed: int, workers: int
) -> "Response | None":
    """Return the response surface of the law's throws: shipped, thrown anew, or None (there is none for studs)."""
    from brickphys.calibration.law_response import law_cell, thrown_response
    from brickphys.calibration.response import fit_response
    from brickphys.calibration.response_design import shipped_design
    from brickphys.cli.shared.home_input import response_progress

    if law.surface.floor != "plane":
        if throws is not None:
            raise InvalidValueError(f"--throws: no response surface for a {law.surface.floor}")
        return None
    if throws is None:
        shipped = shipped_design()
        same = (shipped.shape, shipped.preset) == (law.shape, law.conditions.preset)
        return fit_response(shipped) if same else None
    cell = law_cell(law, shape)
    with response_progress() as progress:
        return thrown_response(cell, throws, seed, workers, progress)
