"""Validate collisions: random scenes, or one of your own, checked by three methods; another program judged."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import BrickphysError, InvalidValueError, naming
from brickphys.notes import bar
from brickphys.text import counted, cut, percent

if TYPE_CHECKING:
    from collections import Counter

    from brickphys.vehicles.referee.asking import Ask
    from brickphys.vehicles.referee.judge import Judgement
    from brickphys.vehicles.sectors import Scheme
    from brickphys.vehicles.validation.validate import Findings


_JUDGED = ("tolerance", "workers", "out", "report", "force")
_MODES: Mapping[str, set[str]] = {
    "random scenes": {"scenes", "pybullet", "out", "workers", "seed"},
    "one scene": {"pybullet"},
    "answers": {"answers", *_JUDGED},
    "a program": {"program", "time_limit", *_JUDGED},
    "a program and random scenes": {"program", "time_limit", "scenes", "seed", *_JUDGED},
    "writing scenes": {"write", "scenes", "seed", "force"},
    "writing a corpus": {"corpus", "scenes", "seed"},
}
"""What the command can do, and the options that it then takes, beside --json."""
_WITH_FILE = {"one scene", "answers", "a program"}
"""Where scenes are read."""


@click.command()
@click.argument(
    "scene_file", metavar="[SCENE.toml|SCENES.jsonl]", required=False, type=options.FILE
)
@click.option("--scenes", default=2000, help="Number of random scenes.")
@click.option("--pybullet/--no-pybullet", default=True, help="Also check with PyBullet.")
@click.option(
    "--answers",
    type=options.FILE,
    metavar="ANSWERS.jsonl",
    help="Judge these answers of another program to SCENES.jsonl.",
)
@click.option(
    "--program",
    metavar="COMMAND",
    help="Judge a program that reads scenes on standard input and writes answers on standard output, a line each.",
)
@click.option(
    "--tolerance",
    type=float,
    help="Studs and degrees by which a place in an answer may be off.  [default: 1e-9]",
)
@click.option(
    "--time-limit",
    type=float,
    metavar="SECONDS",
    help="Time that the program may take for a scene.  [default: 10]",
)
@click.option(
    "--write",
    type=options.FILE,
    metavar="SCENES.jsonl",
    help="Only write the random scenes to this file, one a line.",
)
@click.option(
    "--corpus",
    type=options.FILE,
    metavar="FOLDER",
    help="Only write scenes of all kinds with their answers, packed, into this new or empty folder.",
)
@click.option(
    "--out",
    type=options.FILE,
    help="New or empty folder for scenes with disagreements or faults; made only if there are any.  "
    "[default: collisions-SEED; for answers none]",
)
@click.option(
    "--report",
    type=options.FILE,
    metavar="PAGE.html",
    help="Write a page about the answers, with the worst cases drawn.",
)
@options.workers_option
@options.seed_option
@options.force_option
@options.json_option
def collisions(
    scene_file: Path | None,
    scenes: int,
    pybullet: bool,
    answers: Path | None,
    program: str | None,
    tolerance: float | None,
    time_limit: float | None,
    write: Path | None,
    corpus: Path | None,
    out: Path | None,
    report: Path | None,
    workers: int,
    seed: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Check what a vehicle hits, where and on which side: in random scenes, in one of yours, or by your own program.

    Each move or course is compared with bisection by shapely, with PyBullet's contacts, and with facts known from the
    construction of the scene: near misses down to half the tolerance, slides, ties, overlaps at the start. For a
    scene in a file there are no such facts.

    With --answers or --program another program is judged by the exact geometry: right, wrong (what, and by how much),
    or undecided within the tolerance. --write gives it scenes; --corpus gives more kinds (outlines of any form,
    trajectories), and answers by which anybody can judge without this command. An answer is a line such as
    {"id": "scene 7", "hits": [{"id": "wall", "distance": 9.5}]}; all keys of `brickphys collide --json` are judged
    where they are given. All these files may end in .parquet: a row for each line, a column for each key. Files that
    are read may end in .jsonl.gz, too.

    The exit status is 0 if nothing is wrong, 1 if an answer is wrong or there is a disagreement, and 2 if no answer can
    be judged.

    \b
    Examples:
      brickphys validate collisions --scenes 10000 --seed 1
      brickphys validate collisions --no-pybullet --out disagreements
      brickphys validate collisions scene.toml
      brickphys validate collisions --scenes 1000 --seed 1 --write scenes.jsonl
      brickphys validate collisions --scenes 20000 --seed 2026 --corpus corpus
      brickphys validate collisions scenes.jsonl --answers mine.jsonl
      brickphys validate collisions scenes.jsonl --program "python mine.py" --report page.html
    """
    mode = "writing a corpus" if corpus else _mode(scene_file, answers, program, write)
    _check_mode(mode)
    if corpus:
        _write_corpus(scenes, options.root_seed(seed), corpus, as_json=as_json)
    elif write:
        _write_scenes(scenes, options.root_seed(seed), write, force=force, as_json=as_json)
    elif answers or program:
        asked = answers or _program(str(program), time_limit)
        given = scene_file or (scenes, options.root_seed(seed))
        _check_written(scene_file, answers, out, report, force=force)
        found = _judged(given, asked, tolerance, workers)
        _show(found, out, report, str(answers or program), as_json=as_json)
    elif scene_file:
        _check_file(scene_file, pybullet, as_json)
    else:
        _check_random(scenes, pybullet, out, workers, options.root_seed(seed), as_json)


def _mode(
    scenes: Path | None, answers: Path | None, program: str | None, write: Path | None
) -> str:
    """Return what the command is asked to do, a key of `_MODES`."""
    if write:
        return "writing scenes"
    if answers or program:
        if answers and program:
            raise click.UsageError("--answers and --program exclude each other")
        if answers and not scenes:
            raise click.UsageError("--answers needs the file of its scenes, SCENES.jsonl")
        if scenes and scenes.suffix.lower() in (".toml", ".json", ".geojson"):
            raise click.UsageError(f"{scenes}: scenes to judge by are JSON Lines, one a line")
        return "answers" if answers else "a program" if scenes else "a program and random scenes"
    if scenes and scenes.suffix.lower() in options.MANY_READ:
        raise click.UsageError(f"{scenes}: many scenes are to judge by: add --answers or --program")
    return "one scene" if scenes else "random scenes"


def _check_mode(mode: str) -> None:
    """Refuse options that the command does not take in a mode, and a scene where they are random."""
    context = click.get_current_context()
    for name in sorted(set().union(*_MODES.values()) | {"scene_file"}):
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        may = name in _MODES[mode] or (name == "scene_file" and mode in _WITH_FILE)
        if given and not may:
            called = "SCENES" if name == "scene_file" else f"--{name.replace('_', '-')}"
            home = next((one for one in _MODES if name in _MODES[one]), "one scene")
            raise click.UsageError(f"{called} is for {home}, not for {mode}")


def _write_scenes(scenes: int, root: int, path: Path, *, force: bool, as_json: bool) -> None:
    from brickphys.files import write_whole
    from brickphys.vehicles.referee.scene_lines import file_content, random_lines

    output.check_plot(path, force=force, option="--write", suffixes=options.MANY_SCENES)
    with output.working("scenes", "scenes") as advance:
        text, digest = random_lines(scenes, root, lambda done: advance(done, scenes))
    write_whole(file_content(text, path), path, force=force)
    found = {"scenes": scenes, "file": str(path), "digest": digest, "seed": root}
    if as_json:
        output.print_json("validate.collisions.scenes", found)
        return
    echo(f"{counted(scenes, 'scene')}, digest {digest}, seed {root}")
    output.note_written("scenes", path)


def _write_corpus(scenes: int, root: int, folder: Path, *, as_json: bool) -> None:
    from brickphys.vehicles.referee.corpus import corpus
    from brickphys.vehicles.validation.validate import check_folder

    check_folder(folder, "--corpus")
    with output.working("scenes", "scenes") as advance:
        made = corpus(scenes, root, lambda done: advance(done, scenes))
    sizes = {path.name: path.stat().st_size for path in made.write(folder)}
    if as_json:
        found = {"scenes": scenes, "seed": root, "files": sizes, "digests": made.digests()}
        output.print_json("validate.collisions.corpus", {**found, "folder": str(folder)})
        return
    size_mb = sum(sizes.values()) / 1e6
    echo(f"{counted(scenes, 'scene')} with answers, seed {root}, {size_mb:.1f} MB packed")
    echo(", ".join(f"digest of {name} {value}" for name, value in made.digests().items()))
    output.note_written("corpus", folder)


def _program(command: str, limit_s: float | None) -> "Ask":
    from brickphys.vehicles.referee.asking import LIMIT_S, Program

    with naming("--program"):
        return Program(command, LIMIT_S if limit_s is None else limit_s)


def _check_written(*paths: Path | None, force: bool) -> None:
    """Refuse files of scenes and answers that are one with the folder or the page, or targets that are there."""
    from brickphys.vehicles.validation.validate import check_folder

    scenes, answers, out, report = paths
    read = {"SCENES.jsonl": scenes, "--answers": answers}
    output.check_apart(read, {"--report": report, "--out": out})
    output.check_plot(report, force=force, option="--report", suffixes=(".html", ".htm"))
    if out:
        check_folder(out)


def _judged(
    scenes: Path | tuple[int, int], answers: "Path | Ask", tolerance: float | None, workers: int
) -> "Judgement":
    from brickphys.geometry.polygon import TOLERANCE
    from brickphys.vehicles.referee.judge import judge_files

    with bar("scenes") as advance:
        return judge_files(
            scenes, answers,
            tolerance=TOLERANCE if tolerance is None else tolerance,
            workers=workers, progress=advance,
        )  # fmt: skip


def _show(
    found: "Judgement", out: Path | None, report: Path | None, whose: str, *, as_json: bool
) -> None:
    """Print a judgement, and write its scenes and its page; raise an error if answers are wrong, or there are none."""
    from brickphys.files import write_whole

    if not found.checked:
        problems = dict.fromkeys(cut(problem, 200) for problem in found.problems)
        first, *others = problems
        rest = f"; and {len(others)} more" if others else ""
        raise InvalidValueError(f"{found.reach()}: {first}{rest}")
    files = found.save(out) if out else []
    if as_json:
        more = {"files": [str(path) for path in files]}
        output.print_json("validate.collisions.answers", {**found.document(), **more})
    else:
        echo(found.text())
    if files and out:
        output.note_written("scenes", out)
    if report:
        from brickphys.view.judgement import judgement_page

        write_whole(judgement_page(found, f"Collisions by {whose}"), report, force=True)
        output.note_written("page", report)
    _end(found.wrong, f"{found.wrong:,} of {counted(found.checked, 'answer')} wrong")


def _end(wrong: int, told: str) -> None:
    """Let the command end with status 1, and say why, if anything is wrong."""
    if wrong:
        raise BrickphysError(told)


def _check_random(
    scenes: int, pybullet: bool, out: Path | None, workers: int, root: int, as_json: bool
) -> None:
    from brickphys.vehicles.validation.validate import (
        check_folder,
        validate_collisions,
        write_disagreements,
    )

    folder = out or Path(f"collisions-{root}")
    check_folder(folder)
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
    wrong = sum(found.by_check().values())
    _end(wrong, counted(wrong, "disagreement"))


def _check_file(path: Path, pybullet: bool, as_json: bool) -> None:
    from brickphys.vehicles.course import course_of
    from brickphys.vehicles.scene_file import read_scene
    from brickphys.vehicles.validation.comparison import CheckKind
    from brickphys.vehicles.validation.validate import validate_scene

    scene = read_scene(path)
    if scene.in_time and not course_of(scene):
        raise InvalidValueError(
            f"{path}: trajectories are not checked; brickphys collide {path} tells when they meet"
        )
    wrong, counts = validate_scene(scene, pybullet=pybullet)
    if as_json:
        checks = {check.value: sum(one.check is check for one in wrong) for check in CheckKind}
        document = {
            "checked": 1,
            "disagreements": checks,
            "details": [{"check": one.check.value, "detail": one.detail} for one in wrong],
            "compared": _compared(counts),
            "undecided": counts["undecided"],
        }
        output.print_json("validate.collisions", document)
    else:
        for one in wrong:
            echo(f"{one.check.value}: {one.detail}")
        echo(
            f"{counted(len(wrong), 'disagreement') if wrong else 'no disagreement'}; compared: "
            f"{counted(counts['legs'], 'piece')}, {counted(counts['hits'], 'hit')}, "
            f"{counted(counts['touches'], 'contact')} of PyBullet{_undecided(counts)}; "
            f"{'trajectories and ' if scene.in_time else ''}clearances are not compared"
        )
    _end(len(wrong), counted(len(wrong), "disagreement"))


def _undecided(counts: "Counter[str]") -> str:
    questions = counts["undecided"]
    return f"; {counted(questions, 'question')} too near to the tolerance" if questions else ""


def _compared(counts: "Counter[str]") -> dict[str, int]:
    return {**{n: counts[n] for n in ("legs", "hits", "touches")}, "rests": counts["clearances"]}


def _collisions_document(
    found: "Findings", root: int, pybullet: bool, files: list[Path]
) -> dict[str, Any]:
    from brickphys.vehicles.sectors import Scheme, Sector

    both = {f"{a.value}, {b.value}": found.speeds[a, b] for a, b in combinations(Scheme, 2)}
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
        "speeds": {"vehicles": found.speeds[()], **both},
        "files": [str(path) for path in files],
        "seed": root,
    }


def _print_collisions(found: "Findings", root: int, pybullet: bool, files: list[Path]) -> None:
    from brickphys.vehicles.sectors import Scheme

    off = {kind: f"{largest:.1g}" for kind, largest in found.largest.items()}
    rows = [(kind.value, str(count), off[kind]) for kind, count in found.scenes.items()]
    output.print_table(("kind of scene", "scenes", "largest difference, studs or degrees"), rows)
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
        output.print_table(("disagreements", "count"), [(one, str(n)) for one, n in wrong.items()])
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
        shares = (f"{n} ({percent(n / total, 0)})" if total else "0" for n in counts)
        rows.append((side.value, *shares))
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
