"""Laws: the measured laws that ship with the package, and those in files.

`calibrate` throws until the chance of a side is known, and writes the law.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo, echo_line
from brickphys.cli.shared.throw_options import throw_options
from brickphys.errors import BrickphysError, CancelledRunError, InterruptedRunError
from brickphys.files import check_target
from brickphys.interface import drawer, share_table
from brickphys.notes import bar
from brickphys.odds.law import Law
from brickphys.odds.law_choice import HONEST_THROWS, made_by, numbers, outside_range
from brickphys.odds.law_file import find_law, shipped_law, shipped_laws, shipped_name
from brickphys.odds.provenance import CONTACT_LAW, ENGINE, Systematic
from brickphys.odds.roll import SIDE
from brickphys.stamp import stamp_check
from brickphys.text import percent, percent_range, short

if TYPE_CHECKING:
    from brickphys.calibration.plan import Plan


@click.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@options.output_options("Draw the law in FILES, or the ranges of all listed laws")
def laws(files: tuple[Path, ...], out: options.OutputOptions) -> None:
    """List the shipped laws, which `odds` and `roll` take by name, and the laws in FILES.

    FILES may also be names of shipped laws. The surfaces wood and plastic stand for the laws default and baseplate.

    The columns:

    \b
      90 % range         chance of a side for nine in ten tables of this kind, bricks and hands, if
                         these vary as assumed (for the one table and hand of a measured law)
      nominal            the chance that the odds use: the median of that range, or of a law of an
                         earlier version the share for the usual table, brick and throw
      95 % interval      of the nominal by the throws and the engine's steps; "-" if the range
                         includes it
      hand sizes         numbers of bricks that were thrown together, also by a prior law and at home
      correlation        between the bricks of one hand, with its 95 % interval, as a test of the
                         hands finds it; the odds take 0 unless the test shows a positive one

    The second table says which engines threw, and how often the share of 200 honest throws at the
    nominal leaves the range, by counting alone. For each of FILES, a line says whether the present
    sources computed it. `brickphys verify` checks the file.

    \b
    Example:
      brickphys laws
      brickphys odds 3 2 --law baseplate
      brickphys laws mine.json
      brickphys laws glass --plot glass.png
    """
    out.check({f"FILE {number}": str(file) for number, file in enumerate(files, start=1)})
    listed = {name: shipped_law(name) for name in shipped_laws()}
    names = [shipped_name(str(file)) or str(file) for file in files]
    listed |= {name: find_law(name) for name in names}
    out.write(
        "laws",
        lambda: {"laws": [_entry(name, law) for name, law in listed.items()]},
        partial(_print_laws, listed, names),
        listed[names[0]].plot if len(names) == 1 else lambda: drawer("law:laws_figure")(listed),
    )


def _print_laws(listed: Mapping[str, Law], names: Sequence[str]) -> None:
    output.print_table(
        (
            "law",
            "bricks",
            "surface",
            "90 % range",
            "nominal",
            "95 %\ninterval",
            "hand\nsizes",
            "correlation",
        ),
        [_row(name, law) for name, law in listed.items()],
    )
    echo()
    output.print_table(
        ("law", "engines behind the nominal", f"{HONEST_THROWS} throws\noutside"),
        [
            (name, made_by(law), "-" if (part := outside_range(law)) is None else percent(part, 0))
            for name, law in listed.items()
        ],
    )
    for name in names:
        echo_line(f"{name}: {stamp_check(listed[name].stamp).what}")
        if listed[name].contradiction:
            echo_line(f"{name}: warning: {listed[name].contradiction}")


def _entry(name: str, law: Law) -> dict[str, object]:
    doubt = law.overdispersion
    return {
        "name": name,
        "shape": law.shape,
        "preset": law.conditions.preset,
        "surface": law.surface.name,
        "floor": law.surface.floor,
        "scoring": law.scoring,
        "files": dict(law.files),
        "p_side": float(law.p),
        "p_range90": law.p_range90,
        "engines": made_by(law),
        "outside_200": outside_range(law),
        "ci95": law.ci95,
        "nominal": law.nominal,
        "bricks": [1, *law.hand_sizes],
        "rho": doubt and doubt.rho,
        "rho_ci95": doubt and doubt.ci95,
        "stamp": law.stamp and law.stamp.digest,
        "contradiction": law.contradiction,
    }


def _row(name: str, law: Law) -> tuple[str, ...]:
    half = (law.ci95[1] - law.ci95[0]) / 2
    doubt = law.overdispersion
    return (
        name,
        f"{law.shape}, {law.conditions.preset}{'' if law.scored == 'a side' else f', {law.scored}'}",
        law.surface.description,
        "unknown" if law.p_range90 is None else percent_range(*law.p_range90),
        percent(float(law.p)),
        "-" if law.has_all_doubt else f"+- {percent(half, 2)}",
        numbers([1, *law.hand_sizes]),
        "" if doubt is None else doubt.words,
    )


@click.command()
@click.option(
    "--shape",
    default="2x2",
    help="Brick, plate, or body file (.toml) with scores.",
)
@throw_options("preset", "floor", "surface")
@click.option(
    "--half-width",
    default=0.005,
    help="Half-width of the 95 % interval of the chance.",
)
@click.option(
    "--bricks",
    type=options.most_bricks,
    metavar="1..K",
    help="Numbers of bodies thrown together.  [default: 1..6, or 1 where PyBullet and MuJoCo are missing]",
)
@click.option(
    "--hands",
    type=int,
    help="Hands for each number of bodies.  [default: one per 200 single throws]",
)
@options.engine_option
@options.workers_option
@options.seed_option
@click.option("--out", type=options.FILE, default="law.json", help="Law file to write.")
@options.plot_option("Draw the law")
@options.force_option
@options.json_option
def calibrate(
    bricks: int | None,
    seed: int | None,
    out: Path,
    plot: Path | None,
    force: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Throw until the chance of a side is known, and write the law.

    The command throws single bodies until the 95 % interval is narrow enough, then hands of several bodies, then
    bodies with other tables, moulds, edges and throws. These last throws give the 90 % range of the chance. On a
    plane it throws at least 65,536 single bodies, which gives a half-width of 0.004. Ctrl-C writes the law of the
    throws so far and marks it as incomplete.

    \b
    Example:
      brickphys calibrate --surface cloth --half-width 0.01 --out cloth.json --plot cloth.png
    """
    _check_files(out, plot, force=force)
    root = options.root_seed(seed)

    from brickphys.calibration.calibrate import throw_law
    from brickphys.calibration.plan import Plan, checked_reference, usual_bricks
    from brickphys.engines.registry import REFERENCE

    plan = Plan(
        max_bricks=usual_bricks(how["floor"]) if bricks is None else bricks,
        seed=root,
        command=options.command_line() + ("" if seed is not None else f" --seed {root}"),
        **how,
    )
    reference = checked_reference(plan)
    if reference != REFERENCE:
        alone = plan.cell(1).engine == reference
        bodies = "all bodies" if alone else "bodies together"
        thrown = f" throws {bodies} and" if alone or plan.max_bricks > 1 else ""
        slow = ", on studs up to ten times as slow" if plan.cell(1).floor.studs else ""
        echo(f"without PyBullet {reference}{thrown} is the reference engine{slow}", err=True)
    if sys.stderr.isatty():
        echo(_work(plan), err=True)
    reasons: list[BrickphysError] = []
    with bar() as advance:
        law = throw_law(plan, advance, reasons.append)
    law.save(out, force=force)
    if as_json:
        output.print_json("calibrate", _law_document(law, out))
    else:
        _print_law(law, out)
    if plot is not None:
        output.save_plot(law.plot(), plot)
    if reasons:
        raise _cut_short(law, reasons[0], how["half_width"], out)


def _work(plan: "Plan") -> str:
    from brickphys.calibration.plan import expected_work

    stages = ", ".join(f"{stage} {count:,}" for stage, count in expected_work(plan).items())
    return f"for +- {short(100 * plan.half_width)} points about so many throws: {stages}"


def _check_files(out: Path, plot: Path | None, *, force: bool) -> None:
    """Raise InvalidValueError, before anything is thrown, if a file could not be written later."""
    check_target(out, force=force)
    output.check_plot(plot, force=force)
    output.check_apart({}, {"--out": out, "--plot": plot})


def _law_document(law: Law, out: Path) -> dict[str, object]:
    systematic = law.systematic and {
        "range_error": law.systematic.range_error,
        "sources": {name: source.shift for name, source in law.systematic.sources.items()},
    }
    return {
        "shape": law.shape,
        "p_side": float(law.p),
        "p_side_exact": str(law.p),
        "nominal": law.nominal,
        "p_range90": law.p_range90,
        "ci95": law.ci95,
        "systematic": systematic,
        "counts": dict(law.counts),
        "poses_ci95": law.poses_ci95,
        "scoring": law.scoring,
        "throws": law.throws,
        "complete": law.complete,
        "seed": law.seed,
        "law_file": str(out),
    }


def _print_law(law: Law, out: Path) -> None:
    where = f"90 % range of {law.scored}: not measured"
    if law.p_range90 is not None:
        where = f"{law.scored} in {percent_range(*law.p_range90)} (90 % range: {law.range_meaning})"
    echo(f"{law.shape}, preset {law.conditions.preset}, on {law.surface.description}: {where}")
    if law.nominal is not None:
        error = f"+- {50 * (law.ci95[1] - law.ci95[0]):.1f} points by throws and steps"
        echo(f"  nominal {percent(law.nominal)} ({error}); {made_by(law)}")
    share = percent(float(law.share))
    echo(f"  at the usual friction, restitution, mould, edges and throw: {share}")
    if law.systematic is not None:
        _print_sources(law.systematic)
    echo(f"\n{share_table(law.counts, law.poses_ci95)}")
    if law.overdispersion is not None:
        echo(f"\ntogether: {_together(law, law.overdispersion.finding)}")
    half_width = (law.share_ci95[1] - law.share_ci95[0]) / 2
    echo(
        f"\n95 % interval of {share}: {percent_range(*law.share_ci95)} (counting error of {law.throws:,} "
        f"throws: +- {percent(half_width, 2)}), engine {law.engine}, seed {law.seed}\nlaw: {out}"
    )


def _together(law: Law, finding: str) -> str:
    """Return the finding on bodies of a hand, in words that fit the body of a law."""
    if law.scoring == (SIDE,):
        return finding
    return finding.replace("bricks", "bodies").replace(" sides", " that score")


def _print_sources(systematic: Systematic) -> None:
    words = {
        ENGINE: f"moved to {systematic.moved_to}",
        CONTACT_LAW: "as a study found (triangular)",
    }
    rows = [
        (
            name.replace("_", " ") if name in words else name,
            words.get(name, f"{short(source.low)} to {short(source.high)}"),
            f"{100 * source.shift:+.2f}, assumed"
            if name == CONTACT_LAW
            else f"{100 * source.shift:+.2f} +- {100 * source.error:.2f}",
        )
        for name, source in systematic.sources.items()
    ]
    echo()
    output.print_table(("source", "range (uniform)", "shift of p, points"), rows)
    if systematic.range_error is not None:
        echo(
            f"ends of the 90 % range: +- {100 * systematic.range_error:.1f} points (standard error)"
        )


def _cut_short(
    law: Law, reason: BrickphysError, half_width: float, out: Path
) -> InterruptedRunError:
    """Return the error of a calibration that was interrupted."""
    kind = CancelledRunError if isinstance(reason, CancelledRunError) else InterruptedRunError
    reached = (law.share_ci95[1] - law.share_ci95[0]) / 2
    return kind(
        f"{reason}: {law.throws} single throws (half-width {reached:.4f} of {half_width:g}), hands of up to "
        f"{max(law.scores)}; {out} holds them, marked as not complete"
    )
