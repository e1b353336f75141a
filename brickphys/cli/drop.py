"""Drop: throw one shape under one condition."""

from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    edge_radius_option,
    engine_option,
    json_option,
    root_seed,
    seed_option,
    shape_argument,
    workers_option,
)
from brickphys.cli.shared.throw_options import ThrowOptions, throw_options
from brickphys.errors import CancelledRunError
from brickphys.text import counted, percent, percent_range

if TYPE_CHECKING:
    from brickphys.calibration.drop import DropResult
    from brickphys.calibration.throwers import ThrowCell


@click.command()
@shape_argument
@edge_radius_option
@engine_option
@click.option("--throws", default=2000, show_default=True, help="Hands to throw.")
@click.option(
    "--bricks", default=1, show_default=True, help="Bodies in each hand, thrown together."
)
@throw_options()
@workers_option
@seed_option
@json_option
def drop(
    shape: str,
    edge_radius_mm: float | None,
    engine: str | None,
    throws: int,
    bricks: int,
    throw: ThrowOptions,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Throw SHAPE and count how it stops.

    Ctrl-C stops and shows what has been thrown so far.

    SHAPE is 2x2 (1x1 to 2x8), plate:2x2, cuboid:AxBxC, coin:DxT, d6:A (mm) or a body file.

    \b
    Examples:
      brickphys drop 2x2 --throws 5000 --surface cloth --height-mm 200:200
      brickphys drop 2x2 --bricks 6 --throws 500
      brickphys drop 2x2 --floor baseplate --throws 200
      brickphys drop 2x2 --edge-radius-mm 0.3
    """
    from brickphys.calibration.drop import cell_of
    from brickphys.calibration.drop import drop as throw_all
    from brickphys.throws.floors import floor
    from brickphys.throws.surfaces import surface

    on = surface(floor(throw.floor).surface if throw.surface is None else throw.surface)
    changes = throw.changes | {"edge_radius_mm": edge_radius_mm}
    cell = cell_of(shape, engine, throw.preset, on, bricks, throw.floor, **changes)
    root = root_seed(seed)
    with output.progress() as advance:
        result = throw_all(cell, throws, root, workers, advance)
    if as_json:
        output.print_json("drop", _document(result, cell, on.name, root))
    else:
        _print(result, cell, on.name, root)
    if not result.complete:
        done = result.tally.hands
        raise CancelledRunError(
            f"interrupted after {done} of {throws} throws; these are counted above"
        )


def _document(result: "DropResult", cell: "ThrowCell", surface: str, root: int) -> dict[str, Any]:
    conditions, throws = cell.conditions, result.tally.hands
    return {
        "shape": cell.shape,
        "edge_radius_mm": cell.body.edge_radius_mm,
        "engine": cell.engine,
        "throws": throws,
        "complete": result.complete,
        "bricks": conditions.bricks,
        "counts": dict(result.tally.counts),
        "poses_ci95": result.tally.pose_intervals,
        "scoring": result.scoring,
        "p_side": result.p_side,
        "ci95": result.ci95,
        "seconds": result.seconds,
        "throws_per_s": throws / result.seconds,
        "seed": root,
        "preset": conditions.preset,
        "floor": cell.floor.name,
        "surface": surface,
        "height_mm": conditions.height_mm,
        "speed_m_s": conditions.speed_m_s,
        "spin_rad_s": conditions.spin_rad_s,
        "friction": cell.contact.friction,
        "restitution": cell.contact.restitution,
    }


def _place(cell: "ThrowCell", surface: str) -> str:
    return surface if cell.floor.is_plane else f"a {surface} {cell.floor.name}"


def _print(result: "DropResult", cell: "ThrowCell", surface: str, root: int) -> None:
    bricks = cell.conditions.bricks
    hands = result.tally.hands
    thrown = counted(hands, "body", "bodies") if bricks == 1 else counted(hands, "hand")
    how = f" of {bricks}" if bricks > 1 else " one at a time" if hands > 1 else ""
    echo(
        f"{thrown}{how}: {cell.shape}, preset {cell.conditions.preset}, on {_place(cell, surface)} "
        f"(friction {cell.contact.friction:g}, restitution {cell.contact.restitution:g}), "
        f"engine {cell.engine}, seed {root}\n"
    )
    intervals = result.tally.pose_intervals
    rows = [
        (
            pose,
            str(count),
            percent(count / result.tally.bricks),
            percent_range(*intervals[pose]),
        )
        for pose, count in result.tally.counts.items()
    ]
    output.print_table(("pose", "bodies", "share", "95 % interval"), rows)
    if result.ci95 is not None:
        scored = " or ".join(result.scoring)
        echo(f"\n{scored}: {percent_range(*result.ci95)} (95 % interval)")
