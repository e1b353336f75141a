"""Game analysis: the chance to win in a game that was played, and how luck and choices have changed it."""

from typing import Any

import click

from brickphys.battles.players import AnyRecord
from brickphys.cli.shared import output
from brickphys.cli.shared.options import naming
from brickphys.cli.shared.output import echo
from brickphys.errors import unknown
from brickphys.odds.law_file import default_law
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS, Level, level
from brickphys.rules.report.analysis import (
    Analysis,
    Analyst,
    caveat,
    check_is_open,
    columns,
    remarks,
    rows,
)

_HARDEST = [*LEVELS][-1]

analyse_option = click.option(
    "--analyse",
    is_flag=True,
    help="Judge every roll and every choice: the chance to win, luck, and what the worst choices have cost. "
    "--plot then draws the chance to win over the game, and --html shows it below the picture.",
)
bot_option = click.option(
    "--bot",
    "bot_name",
    metavar="LEVEL",
    help=f"Bot that judges, {', '.join(LEVELS)}, or with a budget for each choice such as hard:2s or hard:5000 "
    f"(states). Needs --analyse.  [default: {_HARDEST}]",
)


def judge(name: str | None) -> Level:
    """Return the level of the bot that judges; InvalidValueError if none has the name, or its budget is nothing."""
    found = level(_HARDEST if name is None else name)
    if found is None:
        raise unknown("level for --bot", str(name), LEVELS)
    return found


def analysed(game: AnyGame, record: AnyRecord, bot: Level) -> Analysis:
    """Return the analysis of a game; how far it has come is shown on standard error.

    InvalidValueError if something is hidden in a game that is not over, or something measured has no stand-in for bots.
    """
    with naming("--analyse"), output.working("analysis", "steps") as advance:
        check_is_open(game, record)
        analyst: Analyst[Any, Any, Any] = Analyst(game, default_law(), bot)
        return analyst.analysis(record, advance)


def print_analysis(game: AnyGame, record: AnyRecord, analysis: Analysis) -> None:
    """Print what has made up the chance to win of each player, the worst choices and the greatest luck."""
    names = [game.player_name(record.initial, player) for player in range(len(record.players))]
    echo(f"\nthe chance to win as {analysis.level} judges it, in points of 100:")
    output.print_table(columns(analysis), rows(analysis, names))
    output.echo_text(f"({caveat(analysis)})")
    found = [*remarks(analysis, names)]
    for is_choice, head in ((True, "the worst choices"), (False, "the greatest luck")):
        own = [one for one in found if one.is_choice is is_choice]
        echo(f"\n{head}: {'' if own else 'none'}".rstrip())
        for one in own:
            word = f"{game.round_word.lower()} {one.round}" if one.round else f"step {one.step}"
            output.echo_text(f"{one.sign}  {word}, {one.text}", "  ")
