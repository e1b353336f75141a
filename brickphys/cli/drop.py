"""Drop: throw one shape under one condition."""

import click

from brickphys.cli.options import (
    HeightRange,
    engine_option,
    json_option,
    preset_option,
    root_seed,
    seed_option,
    shape_argument,
    surface_option,
    workers_option,
)


@click.command()
@shape_argument
@engine_option
@click.option("--throws", default=2000, show_default=True, help="Hands to throw.")
@click.option(
    "--bricks", default=1, show_default=True, help="Bricks in each hand, thrown together."
)
@preset_option
@surface_option
@click.option(
    "--height-mm", type=HeightRange(), help="Lowest and highest centre of mass above the floor."
)
@click.option("--speed-m-s", type=float, help="RMS horizontal speed on each axis.")
@click.option("--spin-rad-s", type=float, help="RMS spin on each axis.")
@click.option(
    "--friction", type=float, help="Of the pair; the middle of the surface's range if not given."
)
@click.option("--restitution", type=float, help="Of the pair, likewise.")
@workers_option
@seed_option
@json_option
def drop(
    shape: str,
    engine: str,
    throws: int,
    bricks: int,
    preset: str,
    surface: str,
    height_mm: tuple[float, float] | None,
    speed_m_s: float | None,
    spin_rad_s: float | None,
    friction: float | None,
    restitution: float | None,
    workers: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Throw SHAPE and count how it stops.

    SHAPE is 2x2 (1x1 to 2x8), plate:2x2, cuboid:AxBxC, coin:DxT or d6:A (mm).

    \b
    Examples:
      brickphys drop 2x2 --throws 5000 --surface cloth --height-mm 200:200
      brickphys drop 2x2 --bricks 6 --throws 500
    """
    from dataclasses import replace

    from brickphys.calibration.drop import drop as throw_all
    from brickphys.calibration.throwers import Cell
    from brickphys.cli import output
    from brickphys.engines.registry import engine as engine_named
    from brickphys.shapes.catalogue import parse_shape
    from brickphys.throws.conditions import preset as preset_named
    from brickphys.throws.surfaces import Contact
    from brickphys.throws.surfaces import surface as surface_named

    engine_named(engine)
    root = root_seed(seed)
    base, nominal = preset_named(preset), surface_named(surface).nominal
    conditions = replace(
        base,
        height_mm=base.height_mm if height_mm is None else height_mm,
        speed_m_s=base.speed_m_s if speed_m_s is None else speed_m_s,
        spin_rad_s=base.spin_rad_s if spin_rad_s is None else spin_rad_s,
        bricks=bricks,
    )
    contact = Contact(
        nominal.friction if friction is None else friction,
        nominal.restitution if restitution is None else restitution,
    )
    name = parse_shape(shape).name
    cell = Cell(name, conditions, contact, engine, (bricks,))
    with output.progress() as advance:
        result = throw_all(cell, throws, root, workers, advance)
    document = {
        "shape": name,
        "engine": engine,
        "throws": throws,
        "bricks": bricks,
        "counts": dict(result.tally.counts),
        "p_side": result.p_side,
        "ci95": result.ci95,
        "seconds": result.seconds,
        "throws_per_s": throws / result.seconds,
        "seed": root,
        "preset": preset,
        "surface": surface,
        "height_mm": conditions.height_mm,
        "speed_m_s": conditions.speed_m_s,
        "spin_rad_s": conditions.spin_rad_s,
        "friction": contact.friction,
        "restitution": contact.restitution,
    }
    if as_json:
        output.print_json("drop", document)
        return
    hands = "bricks one at a time" if bricks == 1 else f"hands of {bricks}"
    click.echo(
        f"{throws} {hands}: {name}, preset {preset}, on {surface} (friction {contact.friction:g}, "
        f"restitution {contact.restitution:g}), engine {engine}, seed {root}\n"
    )
    rows = [
        (pose, str(count), output.percent(count / result.tally.bricks))
        for pose, count in result.tally.counts.items()
    ]
    output.print_table(("pose", "bricks", "share"), rows)
    if result.ci95 is not None:
        click.echo(f"\nside: {output.percent_range(*result.ci95)} (95 % interval)")
