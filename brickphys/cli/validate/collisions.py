"""Validate collisions: random scenes, and every result checked by three methods."""

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import FILE, json_option, root_seed, seed_option, workers_option
from brickphys.progress import bar
from brickphys.text import counted, percent

if TYPE_CHECKING:
    from collections import Counter

    from brickphys.vehicles.sectors import Scheme
    from brickphys.vehicles.validation.validate import Findings


@click.command()
@click.argument("scene_file", metavar="[SCENE.toml]", required=False, type=FILE)
@click.option("--scenes", default=2000, show_default=True, help="Number of scenes.")
@click.option(
    "--pybullet/--no-pybullet", default=True, show_default=True, help="Also check with PyBullet."
)
@click.option(
    "--out",
    type=FILE,
    help="New or empty folder for scenes with disagreements; made only if there are any.  "
    "[default: collisions-SEED]",
)
@workers_option
@seed_option
@json_option
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
    root = root_seed(seed)
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
        output.print_json("validate.collisions", _document(found, root, pybullet, files))
    else:
        _print(found, root, pybullet, files)


def _check_file(path: Path, pybullet: bool, as_json: bool) -> None:
    from brickphys.vehicles.scene_file import read_scene
    from brickphys.vehicles.validation.comparison import Check
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
                check.value: sum(one.check is check for one in wrong) for check in Check
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


def _document(found: "Findings", root: int, pybullet: bool, files: list[Path]) -> dict[str, Any]:
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


def _print(found: "Findings", root: int, pybullet: bool, files: list[Path]) -> None:
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
