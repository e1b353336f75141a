"""Validate engines: compares the physics engines with each other.

`collisions` makes random scenes, and checks every result by three methods.
"""

from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.interface import drawer
from brickphys.notes import bar
from brickphys.text import counted, percent

if TYPE_CHECKING:
    from collections import Counter

    from brickphys.vehicles.sectors import Scheme
    from brickphys.vehicles.validation.validate import Findings

_SHAPES = "2x2,1x2,plate:2x2,cuboid:10x10x20"
_SURFACES = "wood,glass,cloth"
_HEIGHTS = "100:300,20:40"
_THROWS = "bullet=2000,compiled=50000,mujoco=1000"


def _name_list(text: str) -> tuple[str, ...]:
    """Return names with commas between them; empty and repeated names are refused."""
    names = tuple(word.strip() for word in text.split(","))
    if "" in names:
        raise click.BadParameter(f"{text!r} has an empty name")
    if len(set(names)) < len(names):
        raise click.BadParameter(f"{text!r} has a name twice")
    return names


def _heights(text: str) -> tuple[tuple[float, float], ...]:
    """Return ranges of heights with commas between them; the conditions check the values."""
    return tuple(map(options.height_range, _name_list(text)))


def _throw_counts(text: str) -> dict[str, int]:
    """Return engine -> throws from ``ENGINE=N`` with commas between them; the key of one ``N`` for all is empty."""
    counts: dict[str, int] = {}
    for word in _name_list(text):
        engine, _, number = word.rpartition("=")
        if not number.isdecimal() or engine.strip() in counts:
            raise click.BadParameter(f"{word!r} is neither a number nor ENGINE=NUMBER")
        counts[engine.strip()] = int(number[:12])
    if "" in counts and len(counts) > 1:
        raise click.BadParameter(f"{text!r} mixes a number for all engines with others")
    return counts


@click.command()
@click.option(
    "--engines",
    "names",
    type=_name_list,
    metavar="A,B",
    default="bullet,compiled,mujoco",
    help="Engines to compare.",
)
@click.option(
    "--shapes",
    type=_name_list,
    metavar="A,B",
    default=_SHAPES,
    help="Shapes to throw: names or body files (.toml).",
)
@click.option(
    "--surfaces",
    type=_name_list,
    metavar="A,B",
    default=_SURFACES,
    help="Surfaces: names or surface files (.toml).",
)
@click.option(
    "--heights-mm",
    type=_heights,
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
@options.run_options()
def engines(
    names: tuple[str, ...],
    shapes: tuple[str, ...],
    surfaces: tuple[str, ...],
    heights_mm: tuple[tuple[float, float], ...],
    throws: dict[str, int],
    out: options.RunOptions,
) -> None:
    """Throw a grid of shapes, surfaces and heights with several engines and test whether they agree.

    Each engine uses different random numbers. Each pair of engines is tested in each cell with all poses. The chance
    of any false alarm in the whole table is 5 %.

    \b
    Examples:
      brickphys validate engines --engines bullet,compiled --throws 2000
      brickphys validate engines --shapes 2x2 --surfaces wood --plot engines.png
    """
    out.check()
    root = out.root

    from brickphys.calibration.agreement import check_engines, compare_engines, comparison_grid

    spots = comparison_grid(shapes, surfaces, heights_mm)
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


@click.command()
@click.argument("scene_file", metavar="[SCENE.toml]", required=False, type=options.FILE)
@click.option("--scenes", default=2000, help="Number of scenes.")
@click.option("--pybullet/--no-pybullet", default=True, help="Also check with PyBullet.")
@click.option(
    "--out",
    type=options.FILE,
    help="New or empty folder for scenes with disagreements; made only if there are any.  "
    "[default: collisions-SEED]",
)
@options.workers_option
@options.seed_option
@options.json_option
def collisions(
    scene_file: Path | None,
    scenes: int,
    pybullet: bool,
    out: Path | None,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Check what a vehicle hits, where and on which side, in random scenes or in one scene of your own.

    Each move or course is compared with bisection by shapely, with PyBullet's contacts, and with facts known from the
    construction of the scene: near misses down to half the tolerance, slides, ties, overlaps at the start. For a
    scene in a file there are no such facts, and --scenes, --out, --workers and --seed do not apply.

    \b
    Examples:
      brickphys validate collisions --scenes 10000 --seed 1
      brickphys validate collisions --no-pybullet --out disagreements
      brickphys validate collisions scene.toml
    """
    from brickphys.vehicles.validation.validate import (
        check_folder,
        validate_collisions,
        write_disagreements,
    )
    from brickphys.workers import check_workers

    if scene_file:
        _check_file(scene_file, pybullet, as_json)
        return
    root = options.root_seed(seed)
    folder = out or Path(f"collisions-{root}")
    check_folder(folder)
    check_workers(workers)
    with bar("scenes") as advance:
        found = validate_collisions(
            scenes,
            root,
            pybullet=pybullet,
            workers=workers,
            progress=lambda done: advance("scenes", done, scenes),
        )
    files = write_disagreements(found, root, folder)
    if as_json:
        output.print_json("validate.collisions", _collisions_document(found, root, pybullet, files))
    else:
        _print_collisions(found, root, pybullet, files)


def _check_file(path: Path, pybullet: bool, as_json: bool) -> None:
    from brickphys.vehicles.scene_file import read_scene
    from brickphys.vehicles.validation.comparison import CheckKind
    from brickphys.vehicles.validation.validate import validate_scene

    source = click.get_current_context().get_parameter_source
    for name in ("scenes", "out", "workers", "seed"):
        if source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for random scenes; {path} is one scene")
    wrong, counts = validate_scene(read_scene(path), pybullet=pybullet)
    if as_json:
        document = {
            "checked": 1,
            "disagreements": {
                check.value: sum(one.check is check for one in wrong) for check in CheckKind
            },
            "details": [{"check": one.check.value, "detail": one.detail} for one in wrong],
            "compared": _compared(counts),
            "undecided": counts["undecided"],
        }
        output.print_json("validate.collisions", document)
        return
    for one in wrong:
        echo(f"{one.check.value}: {one.detail}")
    echo(
        f"{counted(len(wrong), 'disagreement') if wrong else 'no disagreement'}; compared: "
        f"{counted(counts['legs'], 'piece')}, {counted(counts['hits'], 'hit')}, "
        f"{counted(counts['touches'], 'contact')} of PyBullet{_undecided(counts)}; clearances are not compared"
    )


def _undecided(counts: "Counter[str]") -> str:
    questions = counts["undecided"]
    return f"; {counted(questions, 'question')} too near to the tolerance" if questions else ""


def _compared(counts: "Counter[str]") -> dict[str, int]:
    return {
        **{name: counts[name] for name in ("legs", "hits", "touches")},
        "rests": counts["clearances"],
    }


def _collisions_document(
    found: "Findings", root: int, pybullet: bool, files: list[Path]
) -> dict[str, Any]:
    from brickphys.vehicles.sectors import Scheme, Sector

    return {
        "checked": found.checked,
        "disagreements": {check.value: count for check, count in found.by_check().items()},
        "scenes": {kind.value: count for kind, count in found.scenes.items()},
        "compared": {**_compared(found.counts), "known": found.counts["known"]},
        "undecided": found.counts["undecided"],
        "largest_studs": {kind.value: off for kind, off in found.largest.items()},
        "witness": pybullet,
        "sectors": {
            scheme.value: {
                side.value: {sector.value: found.sides[scheme, side, sector] for sector in Sector}
                for side in Sector
            }
            for scheme in Scheme
        },
        "speeds": {
            "vehicles": found.speeds[()],
            **{
                f"{first.value}, {second.value}": found.speeds[first, second]
                for first, second in combinations(Scheme, 2)
            },
        },
        "files": [str(path) for path in files],
        "seed": root,
    }


def _print_collisions(found: "Findings", root: int, pybullet: bool, files: list[Path]) -> None:
    from brickphys.vehicles.sectors import Scheme

    rows = [
        (kind.value, str(count), f"{found.largest[kind]:.1g}")
        for kind, count in found.scenes.items()
    ]
    output.print_table(
        ("kind of scene", "scenes", "largest difference, studs or degrees"),
        rows,
    )
    counts = found.counts
    echo(
        f"\n{counts['legs']} pieces, {counts['hits']} hits and {counts['known']} facts known by construction "
        f"compared{_undecided(counts)}; clearances are not compared"
    )
    if pybullet:
        echo(
            f"PyBullet saw {counts['touches']} first touches and {counts['clearances']} things near the end of a move"
        )
    wrong = {check.value: count for check, count in found.by_check().items() if count}
    echo()
    if wrong:
        output.print_table(
            ("disagreements", "count"), [(name, str(n)) for name, n in wrong.items()]
        )
    else:
        echo(f"no disagreement in {counted(found.checked, 'scene')}")
    if files:
        echo(f"{counted(len(files), 'scene')} to look at: {files[0].parent}")
    if found.sides:
        for scheme in Scheme:
            _print_sides(found, scheme)
        _print_speeds(found)
    echo(f"seed {root}")


def _print_sides(found: "Findings", scheme: "Scheme") -> None:
    from brickphys.vehicles.sectors import Sector

    rows, right = [], 0
    for side in Sector:
        counts = [found.sides[scheme, side, sector] for sector in Sector]
        total = sum(counts)
        right += found.sides[scheme, side, side]
        rows.append(
            (
                side.value,
                *(f"{n} ({percent(n / total, 0)})" if total else "0" for n in counts),
            )
        )
    everything = sum(n for (one, _, _), n in found.sides.items() if one is scheme)
    echo(f"\n{scheme.value}: {percent(right / everything)} as PyBullet's normal points\n")
    output.print_table(("normal points out of", *(sector.value for sector in Sector)), rows)


def _print_speeds(found: "Findings") -> None:
    from brickphys.vehicles.sectors import Scheme

    total = found.speeds[()]
    echo(f"\nof {total} vehicles hit, the bricks to resist differ between")
    for first, second in combinations(Scheme, 2):
        share = found.speeds[first, second] / total
        echo(f"  {first.value} and {second.value}: {percent(share)}")
