"""Roll: one brick roll, from the law or thrown live."""

from pathlib import Path

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    chosen_law,
    force_option,
    json_option,
    law_option,
    plot_option,
    root_seed,
    seed_option,
)
from brickphys.cli.shared.throw_options import LiveOptions, live_options
from brickphys.errors import InvalidValueError


@click.command()
@click.argument("bricks", type=int)
@law_option
@live_options
@plot_option("Draw the chance of each score")
@force_option
@seed_option
@json_option
def roll(
    bricks: int,
    law_file: Path | None,
    rolls: LiveOptions,
    plot: Path | None,
    force: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Roll BRICKS bricks and count those that stop on a side, or in another scoring pose of the law.

    The score comes from the law. With --live, the physics engine throws the bricks together, with --preset, --floor
    and --surface.

    \b
    Examples:
      brickphys roll 5
      brickphys roll 5 --live --surface cloth
    """
    from brickphys.odds.roll import Roll
    from brickphys.rules.events.bricks import BrickRoll
    from brickphys.rules.events.sources import LawSource

    if rolls.live and law_file is not None:
        raise InvalidValueError("--live and --law exclude each other")
    if rolls.live and plot is not None:
        raise InvalidValueError("--plot draws the chances of a law, and --live has none")
    rolls.check()
    output.check_plot(plot, force=force)
    output.check_apart({"--law": law_file}, {"--plot": plot})
    root = root_seed(seed)
    if rolls.live:
        thrown, _ = rolls.thrower(root)
        result, stopped = thrown.roll(bricks, (0,)), "on a side"
    else:
        law = chosen_law(law_file)
        score = LawSource(law, root).answer(BrickRoll(bricks), (0,))
        assert isinstance(score, int)
        result, stopped = Roll(bricks, score), law.stops
    if as_json:
        poses = None if result.poses is None else list(result.poses)
        output.print_json(
            "roll", {"bricks": bricks, "score": result.score, "poses": poses, "seed": root}
        )
    else:
        echo(f"{result.score} of {bricks} {stopped} (seed {root})")
        if result.poses:
            echo(", ".join(result.poses))
    if plot is not None:
        from brickphys.plots.odds import roll_figure

        output.save_plot(roll_figure(chosen_law(law_file), bricks, result.score), plot)
