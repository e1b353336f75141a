"""Infer: what bricks thrown at home say."""

import itertools
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.options import json_option, root_seed, seed_option, workers_option

if TYPE_CHECKING:
    from brickphys.calibration.home_counts import HomeCounts
    from brickphys.calibration.inference import Inference
    from brickphys.calibration.posterior import Posterior
    from brickphys.calibration.response import Response
    from brickphys.odds.law import Law

_POINTS = 512


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--surface",
    help="On what it all fell, if the file does not say: wood (default), glass, cloth or plastic.",
)
@click.option(
    "--law",
    "law_file",
    type=click.Path(path_type=Path),
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
@click.option("--out", type=click.Path(path_type=Path), help="Law that combines law and counts.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the answer (png, svg, pdf).")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
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
    out: Path | None,
    plot: Path | None,
    force: bool,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Tell what bricks say that were thrown at home and counted in FILE.

    FILE is CSV with a row a throw and the columns bricks and score, if you like also surface and
    the poses studs_up, studs_down, side, leaning. The answer: the chance of a side, friction and
    restitution of the table, whether the law fits, and how many more throws would settle it.
    --out writes a law that combines the law before with your counts.

    \b
    Example:
      brickphys infer counts.csv --surface wood --out mine.json --plot mine.png

    \b
    JSON: file, law, prior, seed, and
      surfaces  a list of: surface, hands, bricks, sides, poses, p_side, ci95,
                rho {mean, ci95} or null (one brick a hand),
                friction and restitution {mean, ci95} or null, fit_p_value or null,
                law_check {p_law, p_value, p_value_all, poses_p_value, verdict}
                or null (the law is for another surface),
                more {by_chance, all_doubt, half_width, to_half_width}
      response  null, or throws, chi2, freedom, p_value, r_squared
      combined  null, or surface, p_side, ci95, law_file
    """
    from brickphys.calibration.combined_law import combined_law
    from brickphys.calibration.home_counts import read_home_counts
    from brickphys.calibration.inference import infer as infer_surface
    from brickphys.cli import output
    from brickphys.files import check_target
    from brickphys.odds.law_file import write_law

    root = root_seed(seed)
    counts = read_home_counts(file)
    by_surface = _by_surface(counts, surface)
    law = _law(law_file, list(by_surface))
    if out is not None:
        _check_out(out, law, by_surface)
        check_target(out, force=force)
    _check_files(file, law_file, out, plot)
    output.check_plot(plot, force=force)
    response = _response(law, throws, root, workers)
    found = [
        infer_surface(hands, name, law, response, root, prior=prior, half_width=half_width)
        for name, hands in by_surface.items()
    ]
    combined = None
    if out is not None:
        words = shlex.join(["brickphys", *sys.argv[1:]])
        combined = combined_law(law, by_surface[law.surface.name], file.name, words)
        write_law(combined, out, force=force)
        _warn(found, law)
    if plot is not None:
        from brickphys.plots.infer import infer_figure

        output.save_plot(infer_figure(found, law, combined), plot)
    if as_json:
        document = {
            "file": str(file),
            "law": _law_name(law, law_file),
            "prior": prior,
            "seed": root,
        }
        output.print_json("infer", document | _document(found, law, response, combined, out))
    else:
        click.echo(f"{file}: compared with {_law_name(law, law_file)}; seed {root}")
        for one in found:
            _print(one, law, prior)
        _print_rest(response, law, combined, out, plot)


def _warn(found: "list[Inference]", law: "Law") -> None:
    """Say so if a law was combined with counts that contradict it."""
    from brickphys.calibration.law_check import LEVEL

    for one in found:
        if one.surface == law.surface.name and one.check and one.check.p_value_all < LEVEL:
            click.echo(
                "warning: law and counts contradict each other, even with all that is not known; together they are a "
                "compromise that neither supports",
                err=True,
            )


def _law(law_file: Path | None, surfaces: Sequence[str]) -> "Law":
    """Return the law that was named, or the shipped one of the first surface, or the default."""
    from brickphys.odds.law_file import default_law, find_law, shipped_law, shipped_laws

    if law_file is not None:
        return find_law(law_file)
    shipped = (shipped_law(name) for name in shipped_laws())
    fitting = (law for law in shipped if law.surface.name == surfaces[0])
    return next(fitting, default_law())


def _law_name(law: "Law", law_file: Path | None) -> str:
    name = f"{law.shape}, {law.conditions.preset}, {law.surface.description}"
    return f"{'the shipped law' if law_file is None else law_file} ({name})"


def _by_surface(counts: "HomeCounts", surface: str | None) -> "dict[str, HomeCounts]":
    """Return the hands of each surface: as the file says, or as the option does."""
    from brickphys.errors import InvalidValueError
    from brickphys.throws.surfaces import surface as known

    if counts.surfaces is not None:
        if surface is not None:
            raise InvalidValueError("--surface and a column surface exclude each other")
        return dict(counts.by_surface())
    return {known(surface or "wood").name: counts}


def _check_files(file: Path, law_file: Path | None, out: Path | None, plot: Path | None) -> None:
    """Refuse to write over what is read, or twice to one file."""
    from brickphys.errors import InvalidValueError

    named = {"FILE": file, "--law": law_file, "--out": out, "--plot": plot}
    places = {name: path.absolute() for name, path in named.items() if path is not None}
    for one, other in itertools.combinations(places, 2):
        if places[one] == places[other] and other in ("--out", "--plot"):
            raise InvalidValueError(f"{one} and {other} are the same file, {named[other]}")


def _check_out(out: Path, law: "Law", by_surface: "dict[str, HomeCounts]") -> None:
    from brickphys.errors import InvalidValueError

    if law.surface.name not in by_surface:
        raise InvalidValueError(
            f"--out: the law is for {law.surface.name}, the counts for {', '.join(by_surface)}; "
            "a law of their surface (brickphys calibrate --surface) can be named with --law"
        )
    if law.combined and law.combined.scores == by_surface[law.surface.name].scores():
        raise InvalidValueError(
            f"--out {out}: the law already holds these very hands (of {law.combined.file}); they must not count twice"
        )


def _response(law: "Law", throws: int | None, seed: int, workers: int) -> "Response | None":
    """Return the response surface of what the law threw: shipped, thrown anew, or None (there is none for studs)."""
    from brickphys.calibration.response import fit_response
    from brickphys.calibration.response_design import (
        ANY_SURFACE,
        design_cell,
        shipped_design,
        throw_design,
    )
    from brickphys.cli import output
    from brickphys.errors import InvalidValueError

    if law.surface.floor != "plane":
        if throws is not None:
            raise InvalidValueError(f"--throws: no response surface for a {law.surface.floor}")
        return None
    if throws is None:
        shipped = shipped_design()
        same = (shipped.shape, shipped.preset) == (law.shape, law.conditions.preset)
        return fit_response(shipped) if same else None
    if not 10 * _POINTS <= throws <= 10**8:
        raise InvalidValueError(f"--throws {throws} is outside {10 * _POINTS} to {10**8}")
    cell = design_cell(law.shape, law.conditions.preset, ANY_SURFACE)
    with output.progress() as advance:

        def tell(done: int, total: int) -> None:
            advance("response surface", done, total)

        each = throws // _POINTS
        return fit_response(throw_design(cell, ANY_SURFACE, _POINTS, each, seed, workers, tell))


def _spread(posterior: "Posterior | None") -> dict[str, Any] | None:
    return None if posterior is None else {"mean": posterior.mean, "ci95": posterior.ci95}


def _document(
    found: "list[Inference]",
    law: "Law",
    response: "Response | None",
    combined: "Law | None",
    out: Path | None,
) -> dict[str, Any]:
    return {
        "surfaces": [_surface_document(one, law) for one in found],
        "response": response
        and {
            "throws": response.throws,
            "chi2": response.chi2,
            "freedom": response.freedom,
            "p_value": response.p_value,
            "r_squared": response.r_squared,
        },
        "combined": combined
        and {
            "surface": combined.surface.name,
            "p_side": float(combined.p),
            "ci95": combined.ci95,
            "law_file": str(out),
        },
    }


def _surface_document(one: "Inference", law: "Law") -> dict[str, Any]:
    from dataclasses import asdict

    contact = one.contact
    return {
        "surface": one.surface,
        "hands": one.counts.hands,
        "bricks": one.counts.thrown,
        "sides": one.counts.sides,
        "poses": one.counts.pose_totals(),
        "p_side": one.share.p.mean,
        "ci95": one.share.p.ci95,
        "rho": _spread(one.share.rho),
        "friction": None if contact is None else _spread(contact.friction),
        "restitution": None if contact is None else _spread(contact.restitution),
        "fit_p_value": None if contact is None else contact.fit_p_value,
        "law_check": one.check and {"p_law": float(law.p), **asdict(one.check)},
        "more": asdict(one.more),
    }


def _print(one: "Inference", law: "Law", prior: str) -> None:
    from brickphys.cli.output import percent, percent_range

    counts, p, rho = one.counts, one.share.p, one.share.rho
    hands = "one at a time" if counts.largest == 1 else f"in {counts.hands} hands"
    click.echo(
        f"\non {one.surface}: {counts.thrown} bricks {hands}, {counts.sides} on a side\n"
        f"  chance of a side   {percent(p.mean)} ({percent_range(*p.ci95)}, 95 % interval)"
    )
    if rho is not None:
        click.echo(f"  bricks of a hand   correlated by {_number(rho)}")
    _print_contact(one, prior)
    if one.check is not None:
        check = one.check
        click.echo(
            f"  the law            {percent(float(law.p))}: {check.verdict}\n"
            f"                     p-value {check.p_value:.2g} by chance alone, {check.p_value_all:.2g} with all that "
            "is not known"
        )
        if check.poses_p_value is not None:
            click.echo(
                f"                     p-value of its poses {check.poses_p_value:.2g} by chance alone"
            )
    _print_more(one)


def _print_contact(one: "Inference", prior: str) -> None:
    contact = one.contact
    if contact is None:
        return
    ends = (
        f"friction {one.ranges.friction[0]:g} to {one.ranges.friction[1]:g}, "
        f"restitution {one.ranges.restitution[0]:g} to {one.ranges.restitution[1]:g}"
    )
    click.echo(
        f"  friction           {_number(contact.friction)}\n"
        f"  restitution        {_number(contact.restitution)}\n"
        f"                     before: {ends} ({prior} ranges, all equally likely)"
    )
    if one.counts.poses is None:
        click.echo(
            "                     the score alone binds friction and restitution only together; write down poses"
        )
    if contact.fit_p_value < 0.05:
        click.echo(
            f"                     no friction and restitution in these ranges explain the counts "
            f"(p-value {contact.fit_p_value:.2g})"
        )


def _print_more(one: "Inference") -> None:
    more, points = one.more, 100 * one.more.half_width
    reached = f"{more.to_half_width} more bricks" if more.to_half_width else "reached already"
    click.echo(f"  more throws        to +- {points:g} points: {reached}")
    if one.check is None:
        return
    for what, number in (("by chance alone", more.by_chance), ("with all doubt", more.all_doubt)):
        if number is None:
            answer = "no number of throws, the law itself is not known so well"
        else:
            answer = f"{number} more bricks" if number else "there are enough"
        click.echo(f"                     to tell this from the law {what}: {answer}")


def _print_rest(
    response: "Response | None",
    law: "Law",
    combined: "Law | None",
    out: Path | None,
    plot: Path | None,
) -> None:
    from brickphys.cli.output import percent, percent_range

    if response is None:
        click.echo(
            f"\nnote: no response surface ships for {law.shape}, {law.conditions.preset}: --throws 1000000 makes one, "
            "and friction and restitution follow"
        )
    if combined is not None:
        click.echo(
            f"\nlaw and counts together: {percent(float(combined.p))} "
            f"({percent_range(*combined.ci95)}, every doubt in it)\nlaw: {out}"
        )
    if plot is not None:
        click.echo(f"plot: {plot}", err=True)


def _number(posterior: "Posterior") -> str:
    low, high = posterior.ci95
    return f"{posterior.mean:.3f} ({low:.3f} to {high:.3f})"
