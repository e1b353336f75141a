"""Telling: what `play` and `replay` say about a game that was played: its result, story, picture and film."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from brickphys.cli.shared.options import plot_option
from brickphys.rules.game import Game
from brickphys.rules.record import Ending, Record
from brickphys.text import agreed, counted

F = TypeVar("F", bound=Callable[..., Any])
AnyGame = Game[Any, Any, Any]
AnyRecord = Record[Any, Any]

_STORY_WIDTH = 100
_FILMED = {"bow": "brickphys.plots.bow.course"}
"""Games with a picture of their course, and the module that draws it."""

story_option = click.option("--story", is_flag=True, help="Tell what happened, round by round.")
course_option = plot_option("Draw the course of the game", "plot_file")
animate_option = click.option(
    "--animate",
    "film_file",
    type=click.Path(path_type=Path),
    help="Film the course of the game: .gif.",
)


def check_pictures(
    game: AnyGame, plot_file: Path | None, film_file: Path | None, *, force: bool
) -> None:
    """Raise InvalidValueError if a picture cannot be made or written, before the game is played."""
    from brickphys.cli.shared.output import check_plot
    from brickphys.errors import InvalidValueError

    check_plot(plot_file, force=force)
    check_plot(film_file, force=force, option="--animate", suffixes=(".gif",))
    if game.name not in _FILMED and (plot_file or film_file):
        raise InvalidValueError(
            f"--plot and --animate: {game.name} has no picture; {', '.join(_FILMED)} has"
        )


def save_pictures(record: AnyRecord, plot_file: Path | None, film_file: Path | None) -> None:
    """Draw and film the course of a game."""
    from brickphys.cli.shared.output import drawing, save_plot, tell_written

    if plot_file is not None:
        from brickphys.plots.bow.course import course_figure

        save_plot(course_figure(record), plot_file)
    if film_file is not None:
        from brickphys.plots.bow.course import FRAME_MS, film
        from brickphys.plots.crash_film import save_gif

        with drawing() as advance:
            images = list(film(record, lambda done, total: advance("film", done, total)))
            save_gif(images, film_file, FRAME_MS)
        tell_written("film", film_file)


def result_document(game: AnyGame, record: AnyRecord) -> dict[str, Any]:
    """Return who has won and how long it took, for JSON; returns that are no whole numbers are rounded."""
    return {
        "game": record.game,
        "version": record.version,
        "players": list(record.players),
        "names": _names(game, record),
        "ending": record.ending.value,
        "winner": record.winner,
        "returns": None if record.returns is None else [_plain(worth) for worth in record.returns],
        "rounds": game.rounds(record.final),
        "actions": record.actions,
        "seed": record.root,
    }


def result_text(game: AnyGame, record: AnyRecord) -> str:
    """Tell in a line who has won and how long it took."""
    rounds = game.rounds(record.final)
    length = counted(record.actions, "action") + (
        f" in {counted(rounds, 'round')}" if rounds is not None else ""
    )
    return f"{_outcome(game, record)} after {length} (seed {record.root})"


def tell_game(game: AnyGame, record: AnyRecord, *, story: bool) -> None:
    """Print how a game went, with its story if that is wanted."""
    if story:
        tell_story(game, record)
    click.echo(result_text(game, record))


def tell_story(game: AnyGame, record: AnyRecord) -> None:
    """Print the story of a game."""
    for line in game.story(record):
        indent = len(line) - len(line.lstrip())
        click.echo(
            textwrap.fill(
                line.strip(),
                _STORY_WIDTH,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + 2),
                break_on_hyphens=False,
            )
        )
    click.echo()


def _outcome(game: AnyGame, record: AnyRecord) -> str:
    if record.ending is Ending.LIMIT:
        return "stopped at the limit of steps"
    if record.returns is None:
        return "interrupted"
    best = max(record.returns)
    names = _names(game, record)
    won = [
        (name, bot)
        for name, bot, worth in zip(names, record.players, record.returns, strict=True)
        if worth == best
    ]
    if len(won) == len(names):
        return "a draw"
    told = " and ".join(f"{name} ({bot})" for name, bot in won)
    verb = agreed(won[0][0], "win").split()[-1] if len(won) == 1 else "win"
    return f"{told} {verb}"


def _names(game: AnyGame, record: AnyRecord) -> list[str]:
    return [game.player_name(record.initial, player) for player in range(len(record.players))]


def _plain(worth: Any) -> int | float:
    return worth if isinstance(worth, int) else float(worth)
