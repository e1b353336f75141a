"""Collide: one compulsory move of a vehicle.

With `--physics` it reports the bodies of rigid-body physics, and `--animate` films them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import naming
from brickphys.text import counted
from brickphys.throws.conditions import surface

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point
    from brickphys.vehicles.chances import Chances
    from brickphys.vehicles.collision import Collision
    from brickphys.vehicles.course import MoveResult
    from brickphys.vehicles.crash_outcome import Crash, Impact, ThingOutcome
    from brickphys.vehicles.encounter import SceneEncounters
    from brickphys.vehicles.scene import Scene


@click.command()
@click.argument(
    "scene_file", metavar="SCENE.toml|SCENES.jsonl|TRAFFIC.xml|CAR.ldr", type=options.FILE
)
@click.option(
    "--sectors", help="Sector scheme: quadrant, corner or contact.  [default: that of the scene]"
)
@options.plot_option()
@click.option(
    "--physics",
    is_flag=True,
    help="Also simulate the move with rigid bodies: what flies where, what falls.",
)
@click.option(
    "--animate", type=options.FILE, help="Film the rigid-body simulation to this .gif file."
)
@options.html_option("the move, with --physics the rigid bodies,")
@click.option(
    "--speed-scale",
    type=float,
    help="Speed of the bodies, in m/s per point of speed.  [default: 0.1]",
)
@click.option(
    "--clearance",
    type=float,
    metavar="STUDS",
    help="List near misses up to this distance, the nearest first, with their place on the course.",
)
@click.option(
    "--doubt",
    "doubts",
    multiple=True,
    metavar="[ID=]X,Y,DEGREES",
    help="Also find the chance of each hit if a pose (of the mover without ID) is known with these standard deviations "
    "only. May be repeated; adds to the table [doubt] of the scene.",
)
@click.option(
    "--out",
    type=options.FILE,
    metavar="ANSWERS.jsonl|SCENE.geojson",
    help="Answer SCENES.jsonl, which has a scene a line: write the result of each to this file. Of one scene: write it "
    "with its hits as GeoJSON. Scenes and answers may be .parquet, too.",
)
@options.surface_option
@options.force_option
@options.seed_option
@options.json_option
def collide(
    scene_file: Path,
    sectors: str | None,
    plot: Path | None,
    physics: bool,
    animate: Path | None,
    html: Path | None,
    speed_scale: float | None,
    clearance: float | None,
    doubts: tuple[str, ...],
    out: Path | None,
    surface: str | None,
    force: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Resolve the compulsory move in SCENE.toml: what is hit, where, and how many bricks each victim must resist.

    The vehicle goes straight ahead, five studs per point of speed, or follows the course in the file (straight pieces
    and turns). Units do not stop it; decor and vehicles do. The sector in which a vehicle is hit decides the relative
    speed. --physics also simulates the move with rigid bodies. A scene may be a .json or .geojson file, too.

    --out answers many scenes: each line of SCENES.jsonl is the content of a scene file as JSON, with an id; a file that
    ends in .parquet has a row for each, and a column for each key. SCENES.jsonl.gz is read, too. If any line has a
    fault, all faults are told and nothing is written.

    TRAFFIC.xml is a scenario of CommonRoad: it tells when the bodies in it meet, and how near they come, in metres;
    with --clearance only pairs that come so near. CAR.ldr or .mpd is a model of LDraw: its outline and mass are told.

    \b
    Example:
      brickphys collide scene.toml --plot scene.png
      brickphys collide scene.toml --clearance 2
      brickphys collide scene.toml --doubt 0.2,0.2,3 --doubt cart=0.5,0.5,10
      brickphys collide scene.toml --physics --animate crash.gif
      brickphys collide scene.toml --physics --html crash.html
      brickphys collide scene.geojson --out hits.geojson
      brickphys collide scenes.jsonl --out answers.jsonl
      brickphys collide traffic.xml --clearance 2
      brickphys collide car.ldr --plot car.png
    """
    from brickphys.files import write_whole
    from brickphys.vehicles.collision import resolve

    if scene_file.suffix.lower() in (".xml", ".ldr", ".mpd"):
        _tell_foreign(scene_file, clearance, plot, force=force, as_json=as_json)
        return
    drawn = out if out and out.suffix.lower() == ".geojson" else None
    if scene_file.suffix.lower() in options.MANY_READ or (out and not drawn):
        answers = _checked_out(scene_file, out)
        _answer(scene_file, answers, sectors, clearance, force=force, as_json=as_json)
        return
    _check_files(scene_file, plot, animate, html, drawn, force=force)
    if not (physics or animate) and (speed_scale is not None or surface is not None):
        raise click.UsageError("--speed-scale and --surface need --physics or --animate")
    found = resolve(scene_file, sectors=sectors, clearance_studs=clearance)
    scene = found.scene
    if physics or animate:
        from brickphys.vehicles.crash import check_bodies

        check_bodies(scene)
    if animate and not scene.mover.speed:
        raise click.UsageError(f"{scene.mover_id} stands still: nothing to film")
    chances, met = _chances(found, doubts, seed), _encounters(scene)
    make_crash = crash_maker(speed_scale, surface) if physics or animate else None
    crash = _told(found, chances, met, make_crash, as_json=as_json)
    if plot:
        output.save_plot(found.plot(), plot)
    if drawn:
        write_whole(json.dumps(found.geojson()) + "\n", drawn, force=True)
        output.note_written("scene", drawn)
    if crash and animate:
        animate_crash(crash, animate)
    if html:
        from brickphys.view.collision import crash_recording, sweep_recording

        output.save_page(crash_recording(scene, crash) if crash else sweep_recording(found), html)


def _told(
    found: "Collision",
    chances: "Chances | None",
    met: "SceneEncounters | None",
    make_crash: "Callable[[Scene], Crash] | None",
    *,
    as_json: bool,
) -> "Crash | None":
    """Print what was found, for people before the rigid bodies are simulated, and return these."""
    if not as_json:
        echo(found.text())
        for more in (chances, met):
            if more:
                echo(f"\n{more.text()}")
    crash = make_crash(found.scene) if make_crash else None
    if as_json:
        also: dict[str, Any] = {}
        also |= {"physics": crash_document(found.scene, found.move, crash)} if crash else {}
        also |= {"chances": chances.document()} if chances else {}
        also |= {"encounters": met.document()} if met else {}
        output.print_json("collide", {**found.document(), **also})
    elif crash:
        print_crash(found.scene, found.move, crash)
    return crash


def _encounters(scene: "Scene") -> "SceneEncounters | None":
    """Return the encounters in time if vehicles have trajectories."""
    if not scene.in_time:
        return None
    from brickphys.vehicles.encounter import encounters_of

    return encounters_of(scene)


def _chances(found: "Collision", doubts: Sequence[str], seed: int | None) -> "Chances | None":
    """Return the chances of hits if anything is in doubt."""
    if not (doubts or found.scene.doubt):
        return None
    from brickphys.vehicles.chances import hit_chances
    from brickphys.vehicles.scene import covariance_of

    given = {}
    for text in doubts:
        name, _, numbers = text.rpartition("=")
        try:
            deviations = [float(number) for number in numbers.split(",")]
        except ValueError:
            raise click.UsageError(f"--doubt {text}: not three numbers X,Y,DEGREES") from None
        name = name or found.scene.mover_id
        if name in given:
            raise click.UsageError(f"--doubt {text}: there is one of {name} already")
        with naming(f"--doubt {text}"):
            given[name] = covariance_of(deviations)
    return hit_chances(found, doubt=given, seed=options.root_seed(seed))


def _checked_out(scenes: Path, out: Path | None) -> Path:
    """Return where answers go; refuse options that are for one scene where there are many."""
    if out is None:
        raise click.UsageError(f"{scenes}: many scenes need --out ANSWERS.jsonl")
    if scenes.suffix.lower() in (".toml", ".json", ".geojson"):
        raise click.UsageError(
            f"{scenes}: --out is for scenes as JSON Lines, one a line, or it ends in .geojson"
        )
    _refuse_given("is for one scene", *_OF_ONE_SCENE)
    return out


_OF_ONE_SCENE = ("plot", "physics", "animate", "html", "speed_scale", "surface", "doubts")


def _refuse_given(why: str, *names: str) -> None:
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-").replace("doubts", "doubt")
            raise click.UsageError(f"--{option} {why}")


def _tell_foreign(
    path: Path, clearance: float | None, plot: Path | None, *, force: bool, as_json: bool
) -> None:
    """Tell what is in a file of another program."""
    from brickphys.shapes.ldraw import ldraw
    from brickphys.vehicles.commonroad import read_commonroad

    is_traffic = path.suffix.lower() == ".xml"
    name, odd = ("scenario", "plot") if is_traffic else ("model of LDraw", "clearance")
    _refuse_given(f"is not for a {name}", odd, "sectors", "out", *_OF_ONE_SCENE[1:])
    _check_files(path, plot, None, None, None, force=force)
    found: Any = read_commonroad(path).encountered(clearance) if is_traffic else ldraw(path)
    if as_json:
        output.print_json("collide.traffic" if is_traffic else "collide.model", found.document())
    else:
        echo(found.text())
    if plot:
        output.save_plot(found.plot(), plot)


def _answer(
    scenes: Path, out: Path, sectors: str | None, clearance: float | None, *, force: bool, as_json: bool
) -> None:  # fmt: skip
    from brickphys.files import digest, write_whole
    from brickphys.vehicles.referee.scene_lines import answer_lines, file_content

    output.check_apart({"SCENES.jsonl": scenes}, {"--out": out})
    output.check_plot(out, force=force, option="--out", suffixes=options.MANY_SCENES)
    lines = answer_lines(scenes, sectors=sectors, clearance_studs=clearance)
    text = "".join(lines)
    write_whole(file_content(text, out), out, force=force)
    if as_json:
        found = {"scenes": len(lines), "file": str(out), "digest": digest(text)}
        output.print_json("collide.answers", found)
        return
    echo(f"{counted(len(lines), 'scene')} answered, digest {digest(text)}")
    output.note_written("answers", out)


def _check_files(scene_file: Path, *written_to: Path | None, force: bool) -> None:
    plot, animate, html, out = written_to
    written = {"--plot": plot, "--animate": animate, "--html": html, "--out": out}
    output.check_apart({"SCENE.toml": scene_file}, written)
    output.check_page(html, force=force)
    output.check_plot(plot, force=force)
    output.check_plot(animate, force=force, option="--animate", suffixes=(".gif",))
    output.check_plot(out, force=force, option="--out", suffixes=(".geojson",))


_IMPACT_COLUMNS = (
    "impact of", "with", "after,\nstuds", "at,\nstuds", "closing,\nm/s", "impulse,\nmN s",
    "delta-v of the\nfirst, m/s", "of the\nsecond, m/s", "energy lost,\nmJ",
)  # fmt: skip
_OUTCOME_COLUMNS = (
    "thing", "ends at,\nstuds", "heading,\ndegrees", "tilt,\ndegrees", "moved,\nstuds", "state", "nearest\nfree stud",
)  # fmt: skip


def crash_maker(scale_m_s: float | None, surface_name: str | None) -> "Callable[[Scene], Crash]":
    """Return the function that makes the move of a scene with bodies, on a surface by name (wood if None).

    InvalidValueError if there is no such surface, or the scale is impossible.
    """
    from brickphys.vehicles.crash import SPEED_SCALE_M_S, check_scale, crash

    floor = surface("wood" if surface_name is None else surface_name).nominal
    scale = SPEED_SCALE_M_S if scale_m_s is None else check_scale(scale_m_s)
    return partial(crash, scale_m_s=scale, floor=floor)


def animate_crash(crash: "Crash", path: Path) -> None:
    """Film a crash into a .gif file."""
    from brickphys.plots.physics_film import save_film

    with output.drawing() as advance:
        save_film(crash, path, partial(advance, "film"))
    output.note_written("film", path)


def crash_document(scene: "Scene", move: "MoveResult", crash: "Crash") -> dict[str, Any]:
    """Return a crash for JSON; lengths in studs, heights in plates, energies in millijoules."""
    from brickphys.vehicles.crash_outcome import differences

    return {
        "speed_m_s": crash.speed_m_s,
        "travelled": crash.travelled_studs,
        "settled": crash.settled,
        "time_s": crash.time_s,
        "energy_mj": crash.energy_mj,
        "energy_lost_mj": crash.energy_lost_mj,
        "impacts": [_plain(asdict(impact)) for impact in crash.impacts],
        "outcomes": [_plain(outcome.rows()[0]) for outcome in crash.outcomes],
        "riders": [_plain(outcome.rows()[0]) for outcome in crash.riders],
        "differences": [asdict(difference) for difference in differences(move, crash)],
        "thrown_to": {name: stud and list(stud) for name, stud in _thrown(scene, crash).items()},
    }


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for JSON, where lengths are studs and heights plates."""
    return {key.removesuffix("_studs").removesuffix("_plates"): row[key] for key in row}


def _thrown(scene: "Scene", crash: "Crash") -> "dict[str, Point | None]":
    """Return the studs of the figures that were hit, and of the crew that was thrown off."""
    from brickphys.vehicles.crash_outcome import landing_spots, standing
    from brickphys.vehicles.scene import ThingType

    units = [o for o in crash.outcomes if o.type is ThingType.UNIT and o.was_hit]
    crew = [rider for rider in crash.riders if rider.thrown_off]
    hit = {outcome.id: outcome.end_studs for outcome in (*units, *crew)}
    bottoms = {unit.id: unit.bottom_plates for unit in scene.units}
    return landing_spots(hit, scene.bounds, standing(crash), bottoms)


def print_crash(scene: "Scene", move: "MoveResult", crash: "Crash") -> None:
    """Print a crash as two tables, and a line for each difference between the rule and the bodies."""
    from brickphys.vehicles.crash_outcome import differences
    from brickphys.vehicles.scene import ThingType

    if not crash.speed_m_s:
        echo(f"\nrigid bodies: {crash.mover_id} stands still")
        return
    echo(
        f"\nrigid bodies: {crash.mover_id} starts at {crash.speed_m_s:g} m/s and is driven for "
        f"{crash.travelled_studs:.3f} studs; first impacts take {crash.energy_lost_mj:.2f} of the "
        f"{crash.energy_mj:.2f} mJ of kinetic energy put in\n"
    )
    if crash.impacts:
        output.print_table(_IMPACT_COLUMNS, [_impact_row(impact) for impact in crash.impacts])
        echo()
    thrown = _thrown(scene, crash)
    affected = [o for o in (*crash.outcomes, *crash.riders) if o.is_affected]
    if affected:
        output.print_table(_OUTCOME_COLUMNS, [_outcome_row(o, thrown) for o in affected])
    if any(o.type is ThingType.UNIT and o.was_hit for o in crash.outcomes):
        echo(
            "\nPlaces after figures are struck differ by some studs with step and processor: docs/crash.md"
        )
    if found := differences(move, crash):
        echo("\nrule and rigid bodies differ:")
        echo("\n".join(f"  {each}" for each in found))


def _impact_row(impact: "Impact") -> tuple[str, ...]:
    travelled = impact.travelled_studs
    return (
        impact.first,
        impact.second,
        "" if travelled is None else f"{travelled:.3f}",
        "({:.2f}, {:.2f})".format(*impact.point_studs),
        f"{impact.closing_speed_m_s:.3f}",
        f"{impact.impulse_mn_s:.3f}",
        *(f"{change:.3f}" for change in impact.delta_v_m_s),
        f"{impact.energy_lost_mj:.3f}",
    )


def _outcome_row(outcome: "ThingOutcome", thrown: "dict[str, Point | None]") -> tuple[str, ...]:
    stud = thrown.get(outcome.id)
    return (
        outcome.id,
        "({:.2f}, {:.2f})".format(*outcome.end_studs),
        f"{round(outcome.heading_deg)}",
        f"{round(outcome.tilt_deg)}",
        f"{outcome.moved_studs:.2f}",
        outcome.state,
        "({:g}, {:g})".format(*stud) if stud else "",
    )
