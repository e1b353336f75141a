"""Roll: one brick roll, from the law or thrown live."""

from pathlib import Path
from typing import TYPE_CHECKING

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
from brickphys.cli.shared.throw_output import ThrowFilmOptions, throw_film_options
from brickphys.errors import InvalidValueError
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.odds.law import Law
    from brickphys.odds.roll import Roll

_ADDRESS = (0,)
"""Seed address of the roll."""


@click.command()
@click.argument("bricks", type=int)
@law_option
@live_options
@plot_option("Draw the chance of each score")
@throw_film_options
@force_option
@seed_option
@json_option
def roll(
    bricks: int,
    law_file: Path | None,
    rolls: LiveOptions,
    plot: Path | None,
    film: ThrowFilmOptions,
    force: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Roll BRICKS bricks and count those that stop on a side, or in another scoring pose of the law.

    The score comes from the law. With --live, the physics engine throws the bricks together, with --preset, --floor
    and --surface; --animate films this throw from the side and from above, until all bricks are at rest.

    \b
    Examples:
      brickphys roll 5
      brickphys roll 5 --live --surface cloth
      brickphys roll 3 --live --seed 4 --animate throw.gif
      brickphys roll 3 --live --floor tray --animate throw.gif --slow 1
    """
    if rolls.live and law_file is not None:
        raise InvalidValueError("--live and --law exclude each other")
    if rolls.live and plot is not None:
        raise InvalidValueError("--plot draws the chances of a law, and --live has none")
    rolls.check()
    output.check_plot(plot, force=force)
    film.check(bricks, is_thrown=rolls.live, force=force)
    output.check_apart({"--law": law_file}, {"--plot": plot, "--animate": film.animate})
    root = root_seed(seed)
    show = _print_json if as_json else _print
    if rolls.live:
        thrower, told = rolls.thrower(root)
        show(thrower.roll(bricks, _ADDRESS), "on a side", root)
        film.save(thrower, bricks, _ADDRESS, f"{counted(bricks, 'brick')}: {told}, seed {root}")
        return
    law = chosen_law(law_file)
    result = _rolled(law, bricks, root)
    show(result, law.stops, root)
    if plot is not None:
        from brickphys.plots.odds import roll_figure

        output.save_plot(roll_figure(law, bricks, result.score), plot)


def _rolled(law: "Law", bricks: int, root: int) -> "Roll":
    from brickphys.odds.roll import Roll
    from brickphys.rules.events.bricks import BrickRoll
    from brickphys.rules.events.sources import LawSource

    score = LawSource(law, root).answer(BrickRoll(bricks), _ADDRESS)
    assert isinstance(score, int)
    return Roll(bricks, score)


def _print_json(result: "Roll", _: str, root: int) -> None:
    poses = None if result.poses is None else list(result.poses)
    document = {"bricks": result.bricks, "score": result.score, "poses": poses, "seed": root}
    output.print_json("roll", document)


def _print(result: "Roll", stopped: str, root: int) -> None:
    echo(f"{result.score} of {result.bricks} {stopped} (seed {root})")
    if result.poses:
        echo(", ".join(result.poses))
