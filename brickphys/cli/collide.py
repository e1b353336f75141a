"""Collide: one compulsory move of a vehicle."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    FILE,
    force_option,
    html_option,
    json_option,
    plot_option,
    surface_option,
    unused_seed_option,
)
from brickphys.cli.shared.output import (
    check_apart,
    check_page,
    check_plot,
    print_json,
    print_table,
    save_page,
    save_plot,
)

if TYPE_CHECKING:
    from brickphys.vehicles.collision import Collision
    from brickphys.vehicles.physics.outcome import Crash
    from brickphys.view.recording import SceneRecording


@click.command()
@click.argument("scene_file", metavar="SCENE.toml", type=FILE)
@click.option(
    "--sectors", help="Sector scheme: quadrant, corner or contact.  [default: that of the scene]"
)
@plot_option()
@click.option(
    "--physics",
    is_flag=True,
    help="Also simulate the move with rigid bodies: what flies where, what falls.",
)
@click.option("--animate", type=FILE, help="Film the rigid-body simulation to this .gif file.")
@html_option("the move, with --physics the rigid bodies,")
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
@surface_option
@force_option
@unused_seed_option
@json_option
def collide(
    scene_file: Path,
    sectors: str | None,
    plot: Path | None,
    physics: bool,
    animate: Path | None,
    html: Path | None,
    speed_scale: float | None,
    clearance: float | None,
    surface: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Resolve the compulsory move in SCENE.toml: what is hit, where, and how many bricks each victim must resist.

    The vehicle goes straight ahead, five studs per point of speed, or follows the course in the file (straight pieces
    and turns). Units do not stop it; decor and vehicles do. The sector in which a vehicle is hit decides the relative
    speed. --physics also simulates a straight move with rigid bodies.

    \b
    Example:
      brickphys collide scene.toml --plot scene.png
      brickphys collide scene.toml --clearance 2
      brickphys collide scene.toml --physics --animate crash.gif
      brickphys collide scene.toml --physics --html crash.html
    """
    from brickphys.cli.shared.crash_output import (
        animate_crash,
        crash_document,
        crash_maker,
        print_crash,
    )
    from brickphys.vehicles.collision import resolve

    _check_files(scene_file, plot, animate, html, force=force)
    if not (physics or animate) and (speed_scale is not None or surface is not None):
        raise click.UsageError("--speed-scale and --surface need --physics or --animate")
    found = resolve(scene_file, sectors=sectors, clearance_studs=clearance)
    scene, move = found.scene, found.move
    if physics or animate:
        from brickphys.vehicles.physics.crash import check_straight

        check_straight(scene)
    if animate and not scene.mover.speed:
        raise click.UsageError(f"{scene.mover_id} stands still: nothing to film")
    make_crash = crash_maker(speed_scale, surface) if physics or animate else None
    if not as_json:
        _print(found)
    crash = make_crash(scene) if make_crash else None
    if as_json:
        more = {"physics": crash_document(scene, move, crash)} if crash else {}
        print_json("collide", {**found.document(), **more})
    elif crash:
        print_crash(scene, move, crash)
    if plot:
        save_plot(found.plot(), plot)
    if crash and animate:
        animate_crash(crash, animate)
    if html:
        save_page(_recording(found, crash), html)


def _recording(found: "Collision", crash: "Crash | None") -> "SceneRecording":
    """Return the move in space and time: as rigid bodies if they were simulated, else as geometry."""
    from brickphys.view.crash import crash_recording
    from brickphys.view.sweep import sweep_recording

    return crash_recording(found.scene, crash) if crash else sweep_recording(found)


def _check_files(
    scene_file: Path, plot: Path | None, animate: Path | None, html: Path | None, *, force: bool
) -> None:
    written = {"--plot": plot, "--animate": animate, "--html": html}
    check_apart({"SCENE.toml": scene_file}, written)
    check_page(html, force=force)
    check_plot(plot, force=force)
    check_plot(animate, force=force, option="--animate", suffixes=(".gif",))


def _print(found: "Collision") -> None:
    scene, move, document = found.scene, found.move, found.document()
    also = f" with {' and '.join(scene.lashed)} lashed to it" if scene.lashed else ""
    echo(f"{move.vehicle_id}{also}: speed {scene.mover.speed}, {found.wanted}; {move.ending}\n")
    if move.hits:
        _print_hits(found, document["hits"])
    else:
        echo("nothing is hit")
    misses = document.get("clearances")
    if misses == []:
        echo("\nno near miss within this distance")
    elif misses:
        rows = [
            (miss["id"], miss["kind"], f"{miss['clearance']:.3f} studs", _after(found, miss))
            for miss in misses
        ]
        echo()
        print_table(("near miss", "kind", "distance", "after"), rows)


def _print_hits(found: "Collision", hits: list[dict[str, Any]]) -> None:
    lashed = found.scene.lashed
    rows = [
        (
            hit["id"],
            hit["kind"],
            _after(found, hit),
            "({:.2f}, {:.2f})".format(*hit["point"]),
            hit["sector"] or "",
            str(hit["bricks"]),
            *([hit["struck_by"]] if lashed else []),
        )
        for hit in hits
    ]
    columns = ("hit", "kind", "after", "at", "sector", "bricks to resist")
    print_table((*columns, "struck by") if lashed else columns, rows)


def _after(found: "Collision", hit: dict[str, Any]) -> str:
    """Tell when a hit is: after so many studs or degrees of which piece (from 0), if there are several."""
    turned = hit["turned_deg"]
    after = f"{hit['distance']:.3f} studs" if turned is None else f"{turned:.3f} degrees"
    return after if len(found.move.course) == 1 else f"{after} of piece {hit['piece']}"
