"""Game analysis: the chance to win in a game that was played, and how luck and choices have changed it."""

from typing import Any

import click

from brickphys.battles.players import AnyRecord
from brickphys.cli.shared import output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law_file import default_law
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS, Level, level
from brickphys.rules.players.advice import points
from brickphys.rules.record import Ending
from brickphys.rules.report.analysis import Analysis, Analyst
from brickphys.text import signed

_HARDEST = [*LEVELS][-1]
_COLUMNS = ("player", "start", "luck", "own choices", "others' choices", "end", "given away")

analyse_option = click.option(
    "--analyse",
    is_flag=True,
    help="Judge every roll and every choice: the chance to win, luck, and what the worst choices have cost. "
    "--plot then draws the chance to win over the game.",
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
    found = level(name or _HARDEST)
    if found is None:
        raise unknown("level for --bot", str(name), LEVELS)
    return found


def analysed(game: AnyGame, record: AnyRecord, bot: Level) -> Analysis:
    """Return the analysis of a game; how far it has come is shown on standard error.

    Raises
    ------
    InvalidValueError
        If something is hidden in a game that is not over.
    """
    if record.ending is not Ending.OVER and any(map(game.hidden, record.states)):
        raise InvalidValueError(
            "--analyse: this game is not over, and the analysis would tell what is hidden in it"
        )
    analyst: Analyst[Any, Any, Any] = Analyst(game, default_law(), bot)
    with output.working("analysis", "steps") as advance:
        return analyst.analysis(record, advance)


def print_analysis(game: AnyGame, record: AnyRecord, analysis: Analysis) -> None:
    """Print what has made up the chance to win of each player, the worst choices and the greatest luck."""
    names = [game.player_name(record.initial, player) for player in range(len(record.players))]
    echo(f"\nthe chance to win as {analysis.level} judges it, in points of 100:")
    output.print_table(_COLUMNS, [_row(analysis, *pair) for pair in enumerate(names)])
    worst = analysis.worst
    echo("\nthe worst choices:" if worst else "\nno choice had a better one")
    for one in worst:
        lead = f"{moment(game, one.round, one.first)}, {names[one.player]}, {points(one.cost):.1f} points"
        output.echo_text(f"{lead}: {one.done}; better: {one.better}", "  ")
    luckiest = analysis.luckiest
    echo("\nthe greatest luck:" if luckiest else "\nno roll has changed anything")
    for roll in luckiest:
        player = max(range(len(names)), key=lambda player: roll.luck[player])
        lead = f"{moment(game, roll.round, roll.step)}, {names[player]}"
        told = " ".join(roll.told.split())
        output.echo_text(f"{lead} {signed(points(roll.luck[player]), 1)}: {told}", "  ")


def _row(analysis: Analysis, player: int, name: str) -> tuple[str, ...]:
    """Return the line of a player: the first four numbers add up to the fifth."""
    one = analysis.balance(player)
    changes = (signed(points(part), 1) for part in (one.luck, one.own, one.others))
    start, end = (f"{points(1 + worth):.1f}" for worth in (one.start, one.end))
    return (name, start, *changes, end, f"{points(one.given_away):.1f}")


def moment(game: AnyGame, number: int | None, step: int) -> str:
    """Return when a step happened, in words, given its round."""
    return f"{game.round_word.lower()} {number}" if number else f"step {step + 1}"
