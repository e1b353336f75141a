"""Validate engines: compares the physics engines with each other."""

from functools import partial

import click

from brickphys.cli.shared import options
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.interface import drawer
from brickphys.notes import bar

_SHAPES = "2x2,1x2,plate:2x2,cuboid:10x10x20"
_HEIGHTS = "100:300,20:40"
_THROWS = "bullet=2000,compiled=50000,mujoco=1000"


def _throw_counts(text: str) -> dict[str, int]:
    """Return engine -> throws from ``ENGINE=N`` with commas between them; the key of one ``N`` for all is empty."""
    counts: dict[str, int] = {}
    for word in options.name_list(text):
        engine, _, number = word.rpartition("=")
        if not number.isdecimal() or engine.strip() in counts:
            raise click.BadParameter(f"{word!r} is neither a number nor ENGINE=NUMBER")
        counts[engine.strip()] = int(number[:12])
    if "" in counts and len(counts) > 1:
        raise click.BadParameter(f"{text!r} mixes a number for all engines with others")
    return counts


@click.command()
@options.names_option("--engines", "bullet,compiled,mujoco", "Engines to compare.", "names")
@options.names_option("--shapes", _SHAPES, "Shapes to throw: names or body files (.toml).")
@options.names_option("--surfaces", "wood,glass,cloth", "Surfaces: names or surface files (.toml).")
@click.option(
    "--heights-mm",
    type=lambda text: tuple(map(options.height_range, options.name_list(text))),
    metavar="LO:HI,LO:HI",
    default=_HEIGHTS,
    help="Ranges of heights of the centre of mass at release.",
)
@click.option(
    "--throws",
    type=_throw_counts,
    metavar="N|ENGINE=N,..",
    default=_THROWS,
    help="Throws in each cell, for all engines or for each.",
)
@options.floor_option
@options.run_options()
def engines(
    names: tuple[str, ...],
    shapes: tuple[str, ...],
    surfaces: tuple[str, ...],
    heights_mm: tuple[tuple[float, float], ...],
    throws: dict[str, int],
    floor: str,
    out: options.RunOptions,
) -> None:
    """Throw a grid of shapes, surfaces and heights with several engines and test whether they agree.

    Each engine uses different random numbers. Each pair of engines is tested in each cell with all poses. The chance
    of any false alarm in the whole table is 5 %.

    \b
    Examples:
      brickphys validate engines --engines bullet,compiled --throws 2000
      brickphys validate engines --shapes 2x2 --surfaces wood --plot engines.png
      brickphys validate engines --engines bullet,mujoco --shapes 2x2 --floor baseplate
    """
    out.check()
    root = out.root

    from brickphys.calibration.agreement import check_engines, compare_engines, comparison_grid

    spots = comparison_grid(shapes, surfaces, heights_mm, floor)
    counts = _counts(names, throws)
    check_engines(counts, spots)
    with bar() as advance:
        found = compare_engines(spots, counts, root, out.workers, advance)
    out.write(
        "validate.engines",
        partial(found.document, root),
        lambda: echo(found.text(root)),
        lambda: drawer("validation:agreement_figure")(found),
    )


def _counts(names: tuple[str, ...], throws: dict[str, int]) -> dict[str, int]:
    """Return engine -> throws, in the order of the engines."""
    from brickphys.engines.registry import engine

    for name in (*names, *filter(None, throws)):
        engine(name)
    missing = [name for name in names if name not in throws and "" not in throws]
    if missing:
        raise InvalidValueError(f"--throws has no number for engine {missing[0]!r}")
    return {name: throws.get(name, throws.get("", 0)) for name in names}
