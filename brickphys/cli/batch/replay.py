"""Replay of a study's game: plays one run again, and writes it as `play --replay` does."""

from pathlib import Path

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    FILE,
    force_option,
    json_option,
    trust_option,
    unused_seed_option,
)


@click.command()
@click.argument("folder", metavar="DIR", type=FILE)
@click.option(
    "--cell",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Cell of the game, counted from 0 in the order of the table.",
)
@click.option(
    "--run",
    type=click.IntRange(min=0),
    required=True,
    help="Number of the game in its cell, counted from 0.",
)
@click.option(
    "--out", "file", type=FILE, required=True, help="Record the game in this file, for `replay`."
)
@click.option(
    "--continue-anyway",
    is_flag=True,
    help="Play the game even if another program computed it, and report a different result.",
)
@trust_option
@force_option
@unused_seed_option
@json_option
def replay(
    folder: Path,
    cell: int,
    run: int,
    file: Path,
    continue_anyway: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Play one game of the study of battles in DIR again, and record it.

    The game has the setup, the bots and the random numbers of its run, and is compared with its row. `brickphys replay`
    can then show, draw or film it.

    \b
    Examples:
      brickphys batch report results --sql "select cell, run from rows where winner = 1"
      brickphys batch replay results --cell 3 --run 8 --out game.jsonl
      brickphys replay game.jsonl --story --animate game.gif
    """
    from brickphys.batch.run.again import played_again
    from brickphys.batch.store.store import open_store
    from brickphys.battles.result import result_text
    from brickphys.files import check_target

    check_target(file, force=force)
    battle = played_again(open_store(folder), cell, run, continue_anyway=continue_anyway)
    battle.save(file, force=force)
    if as_json:
        output.print_json("batch-replay", {"cell": cell, "run": run, **battle.document()})
    else:
        echo(f"cell {cell}, run {run}: {result_text(battle.game, battle.record)}")
    output.note_written("replay", file)
