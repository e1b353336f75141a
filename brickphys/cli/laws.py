"""Laws: the measured laws that ship with the package, and those in files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.checks import stamp_check
from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo_line
from brickphys.cli.shared.infer_answer import correlation_words
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.text import percent, percent_range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from brickphys.odds.law import Law


@click.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@output_options("Draw the law in FILES, or the ranges of all listed laws")
def laws(files: tuple[Path, ...], out: OutputOptions) -> None:
    """List the shipped laws, which `odds` and `roll` take by name, and the laws in FILES.

    FILES may also be names of shipped laws. The surfaces wood and plastic stand for the laws default and baseplate.

    The columns:

    \b
      90 % range         chance of a side for nine in ten tables of this kind, bricks and hands
                         (for the one table and hand of a measured law)
      side               chance of a side for the nominal table, brick and throw
      95 % interval      by the throws alone; "-" if the range includes it
      hand sizes         numbers of bricks that were thrown together, also by a prior law and at home
      correlation        between the bricks of one hand, with its 95 % interval, as a test of the
                         hands finds it; the odds take 0 unless the test shows a positive one

    For each of FILES, a line says whether the present sources computed it. `brickphys verify` checks the file.

    \b
    Example:
      brickphys laws
      brickphys odds 3 2 --law baseplate
      brickphys laws mine.json
      brickphys laws glass --plot glass.png
    """
    from brickphys.odds.law_file import find_law, shipped_law, shipped_laws, shipped_name

    out.check({f"FILE {number}": str(file) for number, file in enumerate(files, start=1)})
    listed = {name: shipped_law(name) for name in shipped_laws()}
    names = [shipped_name(str(file)) or str(file) for file in files]
    listed |= {name: find_law(name) for name in names}
    out.write(
        "laws",
        lambda: {"laws": [_entry(name, law) for name, law in listed.items()]},
        partial(_print, listed, names),
        partial(_figure, listed, names),
    )


def _figure(listed: "Mapping[str, Law]", names: Sequence[str]) -> "Figure":
    from brickphys.plots.calibration.laws import laws_figure

    return listed[names[0]].plot() if len(names) == 1 else laws_figure(listed)


def _print(listed: "Mapping[str, Law]", names: Sequence[str]) -> None:
    output.print_table(
        (
            "law",
            "bricks",
            "surface",
            "90 % range",
            "side",
            "95 %\ninterval",
            "hand\nsizes",
            "correlation",
        ),
        [_row(name, law) for name, law in listed.items()],
    )
    for name in names:
        echo_line(f"{name}: {stamp_check(listed[name].stamp).what}")
        if listed[name].contradiction:
            echo_line(f"{name}: warning: {listed[name].contradiction}")


def _entry(name: str, law: "Law") -> dict[str, object]:
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
        "ci95": law.ci95,
        "bricks": [1, *law.hand_sizes],
        "rho": doubt and doubt.rho,
        "rho_ci95": doubt and doubt.ci95,
        "stamp": law.stamp and law.stamp.digest,
        "contradiction": law.contradiction,
    }


def _row(name: str, law: "Law") -> tuple[str, ...]:
    from brickphys.odds.law_words import numbers

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
        "" if doubt is None else correlation_words(doubt),
    )
