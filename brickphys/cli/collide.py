"""Collide: one compulsory move of a vehicle."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    FILE,
    force_option,
    json_option,
    plot_option,
    surface_option,
    unused_seed_option,
)
from brickphys.cli.shared.output import check_apart, check_plot, print_json, print_table, save_plot

if TYPE_CHECKING:
    from brickphys.geometry.pose import Pose
    from brickphys.vehicles.course import Hit, MoveResult, PieceResult
    from brickphys.vehicles.near_miss import NearMiss
    from brickphys.vehicles.physics.outcome import Crash
    from brickphys.vehicles.scene import Scene


@click.command()
@click.argument("scene_file", metavar="SCENE.toml", type=FILE)
@click.option(
    "--sectors", help="Where sectors end: quadrant, corner or contact.  [default: as in the scene]"
)
@plot_option()
@click.option(
    "--physics", is_flag=True, help="Make the move with bodies too: what flies where, what falls."
)
@click.option("--animate", type=FILE, help="Film the bodies into this .gif file.")
@click.option(
    "--speed-scale",
    type=float,
    help="Speed of the bodies: metres a second for one point of speed.  [default: 0.1]",
)
@click.option(
    "--clearance",
    type=float,
    metavar="STUDS",
    help="List what is missed by no more than this, the nearest first, and where on the course.",
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
    speed_scale: float | None,
    clearance: float | None,
    surface: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Resolve the compulsory move in SCENE.toml: what the vehicle hits, where, and how many bricks the victim resists.

    The vehicle goes straight ahead, five studs a point of speed, or follows the course in the file: straight pieces and
    turns. Units do not stop it; decor and vehicles do. A vehicle is hit in one of its sectors, which decides the
    relative speed. --physics makes a straight move with bodies too.

    \b
    Example:
      brickphys collide scene.toml --plot scene.png
      brickphys collide scene.toml --clearance 2
      brickphys collide scene.toml --physics --animate crash.gif
    """
    from brickphys.cli.shared.crash_output import animate_crash, make_crash
    from brickphys.vehicles.resolve import resolve
    from brickphys.vehicles.scene_file import read_scene

    _check_files(scene_file, plot, animate, force=force)
    if not (physics or animate) and (speed_scale is not None or surface is not None):
        raise click.UsageError("--speed-scale and --surface need --physics or --animate")
    scene = _with_sectors(read_scene(scene_file), sectors)
    if (physics or animate) and (scene.course or scene.lashed):
        what = "a course" if scene.course else "lashed vehicles"
        raise click.UsageError(
            f"bodies make one straight move of one vehicle; this scene has {what}"
        )
    if animate and not scene.mover.speed:
        raise click.UsageError(f"{scene.mover_id} stands still: nothing to film")
    move = resolve(scene)
    misses = None if clearance is None else _near_misses(scene, move, clearance)
    if plot:
        _draw(scene, move, misses, plot)
    crash = make_crash(scene, speed_scale, surface) if physics or animate else None
    if crash and animate:
        animate_crash(scene, crash, animate)
    (_print_document if as_json else _print)(scene, move, crash, misses)


def _check_files(scene_file: Path, plot: Path | None, animate: Path | None, *, force: bool) -> None:
    check_apart({"SCENE.toml": scene_file}, {"--plot": plot, "--animate": animate})
    check_plot(plot, force=force)
    check_plot(animate, force=force, option="--animate", suffixes=(".gif",))


def _with_sectors(scene: "Scene", name: str | None) -> "Scene":
    from dataclasses import replace

    from brickphys.vehicles.sectors import scheme_named

    return scene if name is None else replace(scene, scheme=scheme_named(name))


def _near_misses(scene: "Scene", move: "MoveResult", within_studs: float) -> "list[NearMiss]":
    from brickphys.vehicles.course import Mover
    from brickphys.vehicles.named_obstacles import NamedObstacles
    from brickphys.vehicles.near_miss import near_misses

    if not within_studs >= 0:
        raise click.UsageError(f"--clearance {within_studs:g} is not 0 or more")
    mover = Mover.of(scene.mover, scene.lashed_vehicles)
    return near_misses(mover, move, NamedObstacles.of(scene.bounds, scene.things), within_studs)


def _print_document(
    scene: "Scene", move: "MoveResult", crash: "Crash | None", misses: "list[NearMiss] | None"
) -> None:
    from brickphys.cli.shared.crash_output import crash_document

    document: dict[str, Any] = {
        "move": {**_move_document(move), "lashed": list(scene.lashed)},
        "hits": [_document(scene, hit) for hit in move.hits],
    }
    if misses is not None:
        document["clearances"] = [_miss_document(miss) for miss in misses]
    more = {"physics": crash_document(scene, move, crash)} if crash else {}
    print_json("collide", {**document, **more})


def _miss_document(miss: "NearMiss") -> dict[str, Any]:
    turned = miss.piece.turned_deg
    return {
        "kind": miss.thing.type.value,
        "id": miss.thing.id,
        "clearance": miss.clearance_studs,
        "piece": miss.number,
        "distance": miss.piece.at if turned is None else None,
        "turned_deg": turned,
    }


def _move_document(move: "MoveResult") -> dict[str, Any]:
    return {
        "vehicle": move.vehicle_id,
        "distance": move.distance_studs,
        "travelled": move.travelled_studs,
        "stopped_by": list(move.stopped_by),
        "leaves_field": move.leaves_field,
        "pieces": [_piece_document(piece) for piece in move.pieces],
        "end": _pose_document(move.end),
    }


def _pose_document(pose: "Pose") -> dict[str, float]:
    return {"x": pose.x_studs, "y": pose.y_studs, "heading_deg": pose.heading_deg}


def _piece_document(piece: "PieceResult") -> dict[str, Any]:
    turned = piece.turned_deg
    done = {"travelled": piece.travelled_studs} if turned is None else {"turned_deg": turned}
    return {**done, "stopped_by": list(piece.stopped_by)}


def _document(scene: "Scene", hit: "Hit") -> dict[str, Any]:
    from brickphys.vehicles.resolve import relative_speed

    sector, bricks = hit.sector(scene.scheme), relative_speed(scene.mover, hit, scene.scheme)
    return {
        "kind": hit.type.value,
        "id": hit.id,
        "struck_by": _struck_by(scene, hit),
        "piece": hit.piece,
        "distance": hit.distance_studs if hit.turned_deg is None else None,
        "turned_deg": hit.turned_deg,
        "impact_deg": hit.impact_deg,
        "point": list(hit.contact.point_studs),
        "normal": list(hit.contact.normal),
        "edge": _edge(hit),
        "pose": _pose_document(hit.pose),
        "sector": sector and sector.value,
        "relative_speed": bricks,
        "bricks": bricks,
    }


def _struck_by(scene: "Scene", hit: "Hit") -> str:
    """Return which vehicle strikes: the mover, or one that is lashed to it."""
    return (scene.mover, *scene.lashed_vehicles)[hit.part].id


def _edge(hit: "Hit") -> list[list[float]] | None:
    """Return both ends of the edge that is touched; None at a corner, and for an overlap at the start."""
    if hit.contact.edge is None:
        return None
    corners: list[list[float]] = hit.thing.prism.footprint.vertices_studs.tolist()
    return [corners[hit.contact.edge], corners[(hit.contact.edge + 1) % len(corners)]]


def _print(
    scene: "Scene", move: "MoveResult", crash: "Crash | None", misses: "list[NearMiss] | None"
) -> None:
    from brickphys.cli.shared.crash_output import print_crash

    also = f" with {' and '.join(scene.lashed)} lashed to it" if scene.lashed else ""
    echo(f"{move.vehicle_id}{also}: speed {scene.mover.speed}, {_wanted(move)}; {move.ending}\n")
    if move.hits:
        _print_hits(scene, move)
    else:
        echo("nothing is hit")
    if misses == []:
        echo("\nnothing that is missed comes so near")
    elif misses:
        rows = [
            (miss["id"], miss["kind"], f"{miss['clearance']:.3f} studs", _after(move, miss))
            for miss in map(_miss_document, misses)
        ]
        echo()
        print_table(("missed", "kind", "by", "after"), rows)
    if crash:
        print_crash(scene, move, crash)


def _print_hits(scene: "Scene", move: "MoveResult") -> None:
    documents = [_document(scene, hit) for hit in move.hits]
    rows = [
        (
            hit["id"],
            hit["kind"],
            _after(move, hit),
            "({:.2f}, {:.2f})".format(*hit["point"]),
            hit["sector"] or "",
            str(hit["bricks"]),
            *([hit["struck_by"]] if scene.lashed else []),
        )
        for hit in documents
    ]
    columns = ("hit", "kind", "after", "at", "sector", "bricks to resist")
    print_table((*columns, "struck by") if scene.lashed else columns, rows)


def _after(move: "MoveResult", hit: dict[str, Any]) -> str:
    """Tell when a hit is: after so many studs or degrees of which piece, if there are several."""
    turned = hit["turned_deg"]
    after = f"{hit['distance']:.3f} studs" if turned is None else f"{turned:.3f} degrees"
    return after if len(move.course) == 1 else f"{after} of piece {hit['piece'] + 1}"


def _wanted(move: "MoveResult") -> str:
    from brickphys.vehicles.piece import PivotTurn

    if len(move.course) > 1:
        return f"a course of {len(move.course)} pieces"
    turns = [piece.turn_deg for piece in move.course if isinstance(piece, PivotTurn)]
    return f"a turn by {turns[0]:g} degrees" if turns else f"{move.distance_studs:g} studs"


def _draw(scene: "Scene", move: "MoveResult", misses: "list[NearMiss] | None", path: Path) -> None:
    from brickphys.plots.vehicles.scene import scene_figure

    save_plot(scene_figure(scene, move, misses or ()), path)
