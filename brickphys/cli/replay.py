"""Replay: a game that was written with `play --replay`, played back and checked.

A spectator steps through a game by single keys at a terminal, and by lines elsewhere.
"""

from pathlib import Path
from typing import Any

import click

from brickphys.battles.players import AnyRecord, names_of, result_document, result_text
from brickphys.cli.shared import game_output, output
from brickphys.cli.shared.game_files import FINISHED, UNSAVED, found_replay
from brickphys.cli.shared.game_output import (
    PictureOptions,
    picture_options,
    save_roster_option,
    story_option,
)
from brickphys.cli.shared.options import FILE, json_options, think_option
from brickphys.cli.shared.output import echo
from brickphys.cli.shared.terminal import Terminal
from brickphys.errors import InvalidValueError, naming, unknown
from brickphys.odds.law_file import default_law
from brickphys.rules import registry
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS, Level, level, thinks_long
from brickphys.rules.players.spectator import AnySpectator, Spectator
from brickphys.rules.players.typed import WIDTH
from brickphys.rules.replay import play_back, read_replay
from brickphys.rules.report.analysis import (
    Analysis,
    Analyst,
    caveat,
    check_is_open,
    columns,
    remarks,
    rows,
)
from brickphys.rules.report.analysis import document as analysis_document
from brickphys.rules.report.char_map import Ink, inked, joined

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
    names = names_of(game, record)
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


@click.command()
@click.argument(
    "file",
    type=FILE,
    callback=lambda _ctx, _param, file: found_replay(file, UNSAVED, FINISHED),
)
@click.option(
    "--game",
    "game_name",
    metavar="MODULE:CLASS",
    help="Game of your own with which FILE was recorded. A file alone never runs code; this option does.",
)
@save_roster_option
@story_option
@picture_options
@click.option(
    "--viewer",
    metavar="PLAYER",
    help="Show the game as this player (a name) sees it.",
)
@click.option(
    "--step",
    "steps",
    is_flag=True,
    help="Go through the game event by event: Enter or n next, p back, r N to round N, s the whole situation, q leave.",
)
@analyse_option
@bot_option
@think_option
@json_options
def replay(
    file: Path,
    game_name: str | None,
    save_roster: Path | None,
    story: bool,
    pictures: PictureOptions,
    viewer: str | None,
    steps: bool,
    analyse: bool,
    bot_name: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Play back the game recorded in FILE, and check every line.

    FILE may be last: the game that you played last at the keyboard.

    If the file was cut or edited, or if the game plays differently now, a message names the line. Without --story and
    pictures this prints the last situation. With --analyse it tells what luck and what choices have decided.

    \b
    Examples:
      brickphys replay duel.jsonl --story
      brickphys replay duel.jsonl --animate duel.gif
      brickphys replay duel.jsonl --html duel.html
      brickphys replay duel.jsonl --step
      brickphys replay last --step
      brickphys replay last --analyse --plot chances.png
      brickphys replay raid.jsonl --save-roster veterans.toml
      brickphys replay skirmish.jsonl --plot opening.png --rounds 1..2 --side red
      brickphys replay marathon.jsonl --story --plot marathon.png --viewer persians
      brickphys replay five.jsonl --game five:Five
    """
    output.check_apart({"FILE": file}, {"--save-roster": save_roster, **pictures.files})
    if steps and (as_json or story):
        raise InvalidValueError(
            f"--step and {'--json' if as_json else '--story'} exclude each other"
        )
    if bot_name is not None and not analyse:
        raise InvalidValueError("--bot needs --analyse")
    if not yes and (told := thinks_long([bot_name or ""])):
        raise InvalidValueError(told)
    if analyse and (steps or viewer is not None):
        raise InvalidValueError(
            f"--analyse and {'--step' if steps else '--viewer'} exclude each other"
        )
    bot = judge(bot_name) if analyse else None
    written = read_replay(file)
    game = registry.game(game_name) if game_name else registry.filed_game(written.game)
    game_output.check_roster(game, save_roster, force=pictures.force)
    painter = pictures.painter(game, is_judged=analyse)
    record = play_back(game, written, str(file))
    analysis = None if bot is None else analysed(game, record, bot)
    game_output.write_roster(game, record, save_roster, force=pictures.force)
    number = None if viewer is None else _number(viewer, names_of(game, record))
    if steps:
        _step_through(game, record, number)
    elif as_json:
        _print_document(game, record, written.law, number, analysis, story=story)
    else:
        has_more = pictures.is_wanted or analyse
        _print(game, record, written.law, number, story=story, final=not has_more)
        if analysis is not None:
            print_analysis(game, record, analysis)
    pictures.save(game, record, painter, number, analysis=analysis)


def _step_through(game: AnyGame, record: AnyRecord, viewer: int | None) -> None:
    """Let somebody at the keyboard step through the game; its result is on the last page."""
    spectator = Spectator(game, record, viewer, result_text(game, record))
    colours = game.player_colours(record.final)
    step_through(spectator, Terminal(to_stderr=False, players=colours))


def _print_document(
    game: AnyGame,
    record: AnyRecord,
    rolls: str,
    viewer: int | None,
    analysis: Analysis | None,
    *,
    story: bool,
) -> None:
    final = game.format_state(record.final)
    if viewer is not None:
        final = game.format_view(game.observe(record.final, viewer))
    more: dict[str, Any] = {"story": list(game.story(record, viewer))} if story else {}
    if analysis is not None:
        more["analysis"] = analysis_document(analysis, names_of(game, record))
    document = {"ok": True, **result_document(game, record), "law": rolls, "final": final}
    output.print_json("replay", {**document, **more})


def _print(
    game: AnyGame, record: AnyRecord, rolls: str, viewer: int | None, *, story: bool, final: bool
) -> None:
    """Print the result; the last situation too, unless the story or pictures are wanted in its place."""
    if story:
        game_output.print_story(game, record, viewer)
    echo(
        f"ok: {len(record.steps)} steps play back as written; rolls from: {rolls}\n"
        f"{result_text(game, record)}"
    )
    if story or not final:
        return
    names = names_of(game, record)
    viewers = range(len(names)) if viewer is None else (viewer,)
    views = {game.observe(record.final, player): player for player in viewers}
    for view, player in views.items():
        if len(views) > 1:
            echo(f"\nas {names[player]} sees it:", nl=False)
        echo(f"\n{game.describe(view)}")


def _number(viewer: str, names: list[str]) -> int:
    """Return the number of the player of a name; InvalidValueError if there is none."""
    if viewer not in names:
        raise unknown("player for --viewer", viewer, names)
    return names.index(viewer)


_KEYS = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\r", "\n", " "), "n"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\x7f"), "p"),
}
"""Arrows and other keys without a letter -> the command that they are."""
_ESCAPE = "\x1b"
_HINT = "Enter next, p back, r round, s situation, q leave"


def step_through(spectator: AnySpectator, terminal: Terminal) -> None:
    """Show a game page by page until the spectator leaves, or the input ends."""
    columns = terminal.columns() or WIDTH
    shown: str | None = spectator.page(columns)
    wipe = terminal.clearing
    while shown is not None:
        if wipe:
            wipe()
        terminal.write(joined([shown, ""], "\n"))
        shown = _asked(spectator, terminal, columns, is_by_keys=wipe is not None)


def _asked(
    spectator: AnySpectator, terminal: Terminal, columns: int, *, is_by_keys: bool
) -> str | None:
    """Ask until something can be done; return what is to be shown then, None to leave."""
    while True:
        try:
            typed = _key(terminal) if is_by_keys else terminal.read()
            return spectator.do(typed, columns)
        except EOFError:
            return None
        except InvalidValueError as error:
            terminal.write(inked(str(error), Ink.FAULT))


def _key(terminal: Terminal) -> str:
    """Return what is done by the key that is pressed; EOFError for those that leave."""
    terminal.write(inked(_HINT, Ink.QUIET))
    key = terminal.key()
    if key == _ESCAPE:
        raise EOFError
    if key == "r":
        terminal.write("to which round?")
        return f"r {terminal.read()}"
    return _KEYS.get(key, key)
