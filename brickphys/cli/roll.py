"""Roll: one brick roll, from the law or thrown live."""

from pathlib import Path

import click

from brickphys.cli.options import json_option, root_seed, seed_option


@click.command()
@click.argument("bricks", type=int)
@click.option(
    "--law",
    "law_file",
    type=click.Path(path_type=Path),
    help="Law file; the shipped law if not given.",
)
@click.option("--live", is_flag=True, help="Throw the bricks in the physics engine.")
@click.option("--preset", help="How, with --live: hand (if not given), drop or cup.")
@click.option("--surface", help="On what, with --live: wood (if not given), glass or cloth.")
@seed_option
@json_option
def roll(
    bricks: int,
    law_file: Path | None,
    live: bool,
    preset: str | None,
    surface: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Roll BRICKS bricks and count those that stop on a side.

    The score comes from the law, or with --live from a throw of the bricks together, for which
    --preset and --surface say how and on what.

    \b
    Examples:
      brickphys roll 5
      brickphys roll 5 --live --surface cloth
    """
    from brickphys.cli import output
    from brickphys.errors import InvalidValueError
    from brickphys.odds.law_file import default_law, read_law
    from brickphys.rules.chance import ChanceSource, LawChance

    if live and law_file is not None:
        raise InvalidValueError("--live and --law exclude each other")
    if not live and (preset is not None or surface is not None):
        raise InvalidValueError("--preset and --surface need --live: a law has its own")
    root = root_seed(seed)
    source: ChanceSource
    if live:
        from brickphys.calibration.live import LiveChance
        from brickphys.throws.conditions import preset as preset_named
        from brickphys.throws.surfaces import surface as surface_named

        conditions, contact = (
            preset_named("hand" if preset is None else preset),
            surface_named("wood" if surface is None else surface).nominal,
        )
        source = LiveChance(root, conditions=conditions, contact=contact)
    else:
        source = LawChance(default_law() if law_file is None else read_law(law_file), root)
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
