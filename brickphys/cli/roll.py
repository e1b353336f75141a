"""Roll: one brick roll, from the law or thrown live."""

from pathlib import Path

import click

from brickphys.cli.options import json_option, law_option, root_seed, seed_option


@click.command()
@click.argument("bricks", type=int)
@law_option
@click.option("--live", is_flag=True, help="Throw the bricks in the physics engine.")
@click.option("--preset", help="How, with --live: hand (if not given), drop or cup.")
@click.option("--floor", help="Its form, with --live: plane (if not given), baseplate or tray.")
@click.option(
    "--surface",
    help="On what, with --live: wood (if not given), glass, cloth or plastic (a baseplate's).",
)
@seed_option
@json_option
def roll(
    bricks: int,
    law_file: Path | None,
    live: bool,
    preset: str | None,
    floor: str | None,
    surface: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Roll BRICKS bricks and count those that stop on a side.

    The score comes from the law, or with --live from a throw of the bricks together, for which
    --preset, --floor and --surface say how and on what.

    \b
    Examples:
      brickphys roll 5
      brickphys roll 5 --live --surface cloth
    """
    from brickphys.cli import output
    from brickphys.errors import InvalidValueError
    from brickphys.odds.law_file import default_law, find_law
    from brickphys.rules.chance import ChanceSource, LawChance

    if live and law_file is not None:
        raise InvalidValueError("--live and --law exclude each other")
    if not live and not (preset is surface is floor is None):
        raise InvalidValueError("--preset, --floor and --surface need --live: a law has its own")
    root = root_seed(seed)
    source: ChanceSource
    if live:
        from brickphys.calibration.live import LiveChance
        from brickphys.throws.conditions import preset as preset_named
        from brickphys.throws.floors import floor as floor_named
        from brickphys.throws.surfaces import surface as surface_named

        form = floor_named("plane" if floor is None else floor)
        source = LiveChance(
            root,
            conditions=preset_named("hand" if preset is None else preset),
            contact=surface_named(form.surface if surface is None else surface).nominal,
            floor=form,
        )
    else:
        source = LawChance(default_law() if law_file is None else find_law(law_file), root)
    result = source.roll(bricks, (0,))
    if as_json:
        poses = None if result.poses is None else list(result.poses)
        output.print_json(
            "roll", {"bricks": bricks, "score": result.score, "poses": poses, "seed": root}
        )
        return
    click.echo(f"{result.score} of {bricks} on a side (seed {root})")
    if result.poses:
        click.echo(", ".join(result.poses))
