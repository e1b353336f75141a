"""Infer: the chance of a side and the contact coefficients from bricks thrown at home.

The answer is JSON for programs and text for people.
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import brickphys
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo, echo_line, print_json
from brickphys.files import check_target
from brickphys.text import counted, percent, percent_range, signed

if TYPE_CHECKING:
    from brickphys.calibration.home import Inference, Inferred
    from brickphys.calibration.posterior import Posterior
    from brickphys.odds.law import Law
    from brickphys.odds.roll import Overdispersion


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
    show_default=True,
    help="Prior of friction and restitution: surface (its ranges) or broad.",
)
@click.option(
    "--half-width",
    default=0.01,
    show_default=True,
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
    contradict each other, only --force writes it.

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
      combined  null, or surface, p_side, ci95, own_weight (share of your counts in it),
                contradiction (a sentence; empty if law and counts agree), law_file (null if not
                written for that)
    """
    output.check_plot(plot, force=force)
    output.check_apart({"FILE": file, "--law": how["law"]}, {"--out": out, "--plot": plot})
    if out is not None:
        check_target(out, force=force)
    found = brickphys.infer(file, combine=out is not None, command=options.command_line(), **how)
    own = found.combined
    written = options.save_law(own, out, force=force) if own else None
    print_answer(found, how["law"], written, as_json=as_json)
    if plot is not None:
        output.save_plot(found.plot(), plot)
    if own and out is not None and written is None:
        own.save(out)  # raises why not


_INDENT = " " * 21
_LARGE_HAND = 12
"""Few games roll more bricks at once: a larger hand may be a total of several throws."""


def _title(found: "Inferred", law_file: Path | None) -> str:
    """Return the names of the laws that the counts are compared with."""
    names = found.compared_with
    if law_file is not None:
        source = str(law_file)
    elif names:
        source = "the shipped laws" if ";" in names else "the shipped law"
    else:
        source = "no law"
    return f"{source} ({names})" if names else source


def _spread(posterior: "Posterior | None") -> dict[str, Any] | None:
    return None if posterior is None else {"mean": posterior.mean, "ci95": posterior.ci95}


def _document(found: "Inferred", law_file: Path | None, out: Path | None) -> dict[str, Any]:
    response, combined = found.response, found.combined
    return {
        "file": str(found.file),
        "law": _title(found, law_file),
        "prior": found.prior,
        "seed": found.seed,
        "surfaces": [_surface_document(one) for one in found.surfaces],
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
            "own_weight": found.own_weight,
            "contradiction": combined.contradiction,
            "law_file": out and str(out),
        },
    }


def _surface_document(one: "Inference") -> dict[str, Any]:
    from brickphys.odds.law_choice import law_words

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
        "law": one.law and law_words(one.law),
        "law_check": _check_document(one),
        "more": asdict(one.more),
    }


def _check_document(one: "Inference") -> dict[str, Any] | None:
    if one.law is None or one.check is None:
        return None
    return {"p_law": float(one.law.p), "fits": one.check.fits, **asdict(one.check)}


def print_answer(
    found: "Inferred", law_file: Path | None, out: Path | None, *, as_json: bool
) -> None:
    """Print an answer as JSON or for people."""
    if as_json:
        print_json("infer", _document(found, law_file, out))
        return
    from brickphys.calibration.response_design import RESPONSE_POSES

    echo_line(f"{found.file}: compared with {_title(found, law_file)}; seed {found.seed}")
    for one in found.surfaces:
        _print_share(one)
        _print_law(one, law_file)
        if found.combined is not None and one.surface == found.combined.surface.name:
            _print_combined(found, found.combined, one)
    if out is not None and found.combined is not None:
        echo(f"law: {out}")
    has_poses = found.response is None or found.response.poses == len(RESPONSE_POSES)
    for one in found.surfaces:
        echo(f"\nin detail, on {one.surface} (95 % intervals in brackets)")
        own = found.combined
        is_of = own is not None and one.surface == own.surface.name
        _print_contact(one, found.prior, own if is_of else None, has_poses=has_poses)
        _print_check(one)
        _print_more(one)
    _print_missing(found)


def _print_share(one: "Inference") -> None:
    counts, p = one.counts, one.share.p
    hands = "one at a time" if counts.largest == 1 else f"in {counted(counts.hands, 'hand')}"
    thrown = "1 body" if counts.thrown == 1 else f"{counts.thrown:,} bodies {hands}"
    stops, scored = (one.law.stops, one.law.scored) if one.law else ("on a side", "a side")
    echo(
        f"\non {one.surface}: {thrown}, {counts.sides:,} {stops} ({percent(counts.sides / counts.thrown)})\n"
        f"  {f'chance of {scored}':<18} {percent(p.mean)} (95 % interval {percent_range(*p.ci95)}) by these throws"
    )
    if counts.largest > _LARGE_HAND:
        echo(
            f"  hands              {counts.largest} bodies in a row are one hand thrown together; for bodies\n"
            "                     that were thrown one by one, write a row for each: 1,0 or 1,1"
        )


def _print_law(one: "Inference", law_file: Path | None) -> None:
    """Print the chance by the law, and whether it fits."""
    if one.law is None or one.check is None:
        reason = "none ships for" if law_file is None else f"{law_file} is not for"
        echo(f"  the law            {reason} {one.surface}")
        return
    law, known = one.law, ""
    if law.p_range90 is not None:
        known = f" (90 % range {percent_range(*law.p_range90)}: {law.range_meaning})"
    echo(f"  by the law         {percent(float(law.p))}{known}\n{_INDENT}{one.check.verdict}")


def _print_combined(found: "Inferred", combined: "Law", one: "Inference") -> None:
    """Print the chance by law and counts together, and how much of it is a person's own."""
    from brickphys.calibration.combined_law import prior_worth
    from brickphys.odds.law_choice import chance_words

    known = f"95 % interval {percent_range(*combined.ci95)}: {combined.interval_meaning}"
    echo(f"  both together      {chance_words(combined, known)}")
    if combined.contradiction:
        echo(f"{_INDENT}a compromise that neither supports: law and counts contradict each other")
    if found.own_weight is None:
        return
    worth = prior_worth(found.main)
    own, law = (round(number) for number in (max(0.0, combined.throws - worth), worth))
    bodies = counted(one.counts.thrown, "body", "bodies")
    echo(
        f"{_INDENT}{percent(found.own_weight, 0)} of the weight is yours: your {bodies} count as much as "
        f"{counted(own, 'single throw')}, the law as much as {law:,}"
    )


def _print_check(one: "Inference") -> None:
    if one.check is None:
        return
    check = one.check
    echo(
        f"  fit of the law     p-value {check.p_value:.2g} by the counting error alone, "
        f"{check.p_value_all:.2g} with the law's 90 % range"
    )
    if check.poses_p_value is not None:
        echo(f"{_INDENT}p-value of the poses {check.poses_p_value:.2g} by the counting error alone")


def _print_contact(
    one: "Inference", prior: str, combined: "Law | None", *, has_poses: bool
) -> None:
    from brickphys.calibration.posterior import MAX_RHO

    if one.share.rho is not None:
        bound = _bound(one.share.rho, (0.0, MAX_RHO), " between the bodies of one hand")
        echo(f"  correlation        {bound}")
        for line in _test_lines(one, combined):
            echo(f"{_INDENT}{line}")
    contact = one.contact
    if contact is None:
        return
    ends = (
        f"friction {one.ranges.friction[0]:g} to {one.ranges.friction[1]:g}, "
        f"restitution {one.ranges.restitution[0]:g} to {one.ranges.restitution[1]:g}"
    )
    echo(
        f"  friction           {_bound(contact.friction, one.ranges.friction)}\n"
        f"  restitution        {_bound(contact.restitution, one.ranges.restitution)}\n"
        f"{_INDENT}prior: {ends} ({prior} ranges, uniform)"
    )
    if one.counts.poses is None or not has_poses:
        advice = "; record the poses" if has_poses else ""
        echo(f"{_INDENT}the score alone cannot separate friction from restitution{advice}")
    if contact.fit_p_value < 0.05:
        echo(
            f"{_INDENT}no friction and restitution in these ranges explain the counts "
            f"(p-value {contact.fit_p_value:.2g})"
        )


def _test_lines(one: "Inference", combined: "Law | None") -> Iterator[str]:
    """Yield what a test of the hands shows, and which correlation a combined law has: another estimate."""
    from brickphys.calibration.posterior import MAX_RHO
    from brickphys.odds.roll import overdispersion

    yield f"prior: any correlation from 0 to {MAX_RHO:g} is as likely"
    test = overdispersion(one.counts.scores())
    if test is None:
        return
    shown = "shows one" if test.found else "does not show one"
    yield f"a test against no correlation {shown} (p-value {test.p_value:.2g})"
    if combined is None:
        return
    kept = combined.overdispersion
    if kept is None:
        yield "the law of both has none: its prior law has no hands"
        return
    whose = "of this test" if test.found else "of the prior law"
    yield f"the law of both has that {whose}: {correlation_words(kept)}"


def correlation_words(test: "Overdispersion") -> str:
    """Write the correlation of a test of independence with its 95 % interval; zero has no sign."""
    low, high = (signed(end, 3) for end in test.ci95)
    return f"{signed(test.rho, 3)} ({low} to {high})"


def _print_more(one: "Inference") -> None:
    more, points = one.more, 100 * one.more.half_width
    reached = _more_bodies(more.to_half_width) or "reached already"
    echo(f"  more throws        to +- {points:g} points: {reached}")
    if one.check is None:
        return
    if one.check.lacking:
        lacking = _more_bodies(one.check.lacking)
        echo(f"{_INDENT}to find a difference of ten points from the law: {lacking}")
        return
    for what, number in (
        ("counting error alone", more.by_chance),
        ("with its 90 % range", more.all_doubt),
    ):
        if number is None:
            answer = "impossible, the law itself is too uncertain"
        else:
            answer = _more_bodies(number) or "enough already"
        echo(f"{_INDENT}to distinguish this from the law ({what}): {answer}")


def _print_missing(found: "Inferred") -> None:
    """Print why there is no friction and restitution."""
    from brickphys.calibration.response import is_named

    main = found.main
    if found.response is not None:
        return
    if main.surface.floor != "plane":
        note = (
            f"friction and restitution are inferred on planes only, not on a {main.surface.floor}"
        )
    elif not is_named(main):
        note = (
            f"no response surface ships for {main.shape}, a body of a file: --shape FILE.toml --throws 100000 "
            "computes one;\nfriction and restitution can then be inferred"
        )
    else:
        note = (
            f"no response surface ships for {main.shape}, {main.conditions.preset}: --throws 1000000 makes "
            "one (some minutes);\nfriction and restitution can then be inferred"
        )
    echo(f"\nnote: {note}")


def _more_bodies(number: int) -> str:
    return counted(number, "more body", "more bodies") if number else ""


def _bound(posterior: "Posterior", before: tuple[float, float], of: str = "") -> str:
    """Write the posterior of a number that had a uniform prior, and whether the counts say anything of it."""
    doubt = "; these counts hardly determine it" if posterior.is_open(before) else ""
    low, high = posterior.ci95
    return f"{posterior.mean:.3f} ({low:.3f} to {high:.3f}){of}{doubt}"
