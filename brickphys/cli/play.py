"""Play: any game, by bots or by persons at the keyboard."""

from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.battles.result import result_document
from brickphys.battles.seats import PERSON
from brickphys.cli.shared import game_output, output
from brickphys.cli.shared.game_output import PictureOptions, picture_options, story_option
from brickphys.cli.shared.game_start import GameStart, check_save, game_start, resumed
from brickphys.cli.shared.options import (
    FILE,
    chosen_law,
    json_option,
    law_option,
    naming,
    seed_option,
)
from brickphys.cli.shared.terminal import Terminal
from brickphys.cli.shared.throw_options import LiveOptions, live_options
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.files import check_target
from brickphys.notes import NOTES
from brickphys.rules.play import MAX_STEPS
from brickphys.signals import is_terminated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from brickphys.odds.law import Law
    from brickphys.rules.events.sources import EventSource
    from brickphys.rules.game import AnyGame
    from brickphys.rules.players.bots import Bot
    from brickphys.rules.players.keyboard import Keyboard
    from brickphys.rules.record import Record

_DEFAULT_BOT = "greedy"


class _PlayCommand(click.Command):
    """Its help names the games that are installed, and what a person may type; both are looked up only then."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from brickphys.rules.players.asked import COMMANDS
        from brickphys.rules.registry import games

        with formatter.section("Games"):
            formatter.write_text(f"{', '.join(games())}; `brickphys games` lists their setups")
        with formatter.section("A person types actions, their numbers in the list, or"):
            formatter.write_dl(list(COMMANDS.items()))
        super().format_options(ctx, formatter)


@click.command(cls=_PlayCommand)
@click.argument("game_name", metavar="[GAME", required=False)
@click.argument("scenario", metavar="SCENARIO]", required=False)
@click.option(
    "--resume",
    type=FILE,
    metavar="REPLAY",
    help="Continue a saved or interrupted game. The replay names it, and its players unless --bots does.",
)
@click.option(
    "--bots",
    help="Players in order, with commas: random, greedy, lookahead, person; one word is for all.  "
    f"[default: {_DEFAULT_BOT}; those of a continued game]",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of the rules; may be repeated.",
)
@law_option
@live_options
@click.option("--typed", is_flag=True, help="Roll on your own table, and type the results.")
@click.option(
    "--replay",
    "replay_file",
    type=FILE,
    help="Record the game in this file, for `replay`.",
)
@story_option
@picture_options
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    default=MAX_STEPS,
    show_default=True,
    help="Stop after this many actions and rolls.",
)
@seed_option
@json_option
def play(
    game_name: str | None,
    scenario: str | None,
    resume: Path | None,
    bots: str | None,
    options: tuple[str, ...],
    law_file: Path | None,
    rolls: LiveOptions,
    typed: bool,
    replay_file: Path | None,
    story: bool,
    pictures: PictureOptions,
    max_steps: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play GAME from SCENARIO: a shipped setup, a file of your own, or a saved game to continue.

    Bots are random (any legal action), greedy (best exact odds of the next choice) and lookahead (searches as far as
    its budget allows). A person plays at this terminal; persons with secrets pass it to each other. Bricks are rolled
    by a law, in the physics engine (--live; missiles use their laws) or on your own table (--typed). Dice are rolled
    by the seed or on your table. The same seed, bots and rolls give the same game. Ctrl-C ends it. --replay stores
    the steps so far, and --resume continues from there with the kind of rolls that you choose then.

    \b
    Examples:
      brickphys play bow duel --seed 7 --story
      brickphys play bow duel --bots person,greedy
      brickphys play bow duel --bots random --live --replay duel.jsonl --seed 7
      brickphys play bow duel --live --preset cup --surface cloth
      brickphys play bow skirmish --bots random,greedy --animate skirmish.gif
      brickphys play bow chase --option crashes=physics --story
      brickphys play bow my_scenario.toml --bots person --typed
      brickphys play blade_and_bow marathon --bots person,greedy
      brickphys play minifig duel --bots person,greedy
      brickphys play minifig siege --seed 3 --story --plot siege.png
      brickphys play campaign ten_days --seed 4 --story
      brickphys play pirate_wars duel --bots person,greedy
      brickphys play pirate_wars duel --bots person --option simultaneous=true
      brickphys play --resume saved.jsonl
      brickphys play --resume saved.jsonl --bots person,greedy --replay saved.jsonl --force
      brickphys play pirate_wars convoy --seed 7 --story --animate convoy.gif
    """
    from brickphys.rules.players.teller import Teller
    from brickphys.rules.replay.playback import played_stamp
    from brickphys.rules.replay.replay_file import write_replay

    written = {"--replay": replay_file, **pictures.files}
    output.check_apart({"SCENARIO": scenario, "--law": law_file}, written)
    output.check_apart({"--resume": resume}, pictures.files)
    game, source, begin = _game(game_name, scenario, resume)
    _check_rolls(game, law_file, rolls, typed=typed)
    if replay_file is not None:
        check_target(replay_file, force=pictures.force)
    painter = pictures.painter(game)
    law = chosen_law(law_file)
    start = begin(options, seed)
    terminal = Terminal(to_stderr=as_json, players=start.names(game))
    keyboard = _keyboard(terminal, start)
    players = _players(game, start, source, bots, law, keyboard)
    if typed and not keyboard.readers:
        Teller(game, None, keyboard)  # whoever types the rolls of bots
    chance, law_told = _source(
        game, law, law_file, start.root, terminal, keyboard, rolls, typed=typed
    )
    origin = _origin(start, source, law_told)
    record = _played(game, start, players, chance, keyboard, origin, written, max_steps)
    if replay_file is not None:
        stamp = played_stamp(game)
        write_replay(game, record, replay_file, law=origin, stamp=stamp, force=pictures.force)
    if as_json:
        _print_document(game, record, source, origin, story=story)
    else:
        game_output.print_game(game, record, story=story, goes_on=keyboard.goes_on)
    pictures.save(game, record, painter)
    if is_terminated() or not (PERSON in record.players or typed):
        _check_ending(record, replay_file)


def _game(
    name: str | None, scenario: str | None, resume: Path | None
) -> "tuple[AnyGame, str, Callable[[Sequence[str], int | None], GameStart]]":
    """Return the game, where it begins, and what makes the start of that with options and a seed."""
    from brickphys.rules import registry
    from brickphys.rules.replay.replay_file import read_replay

    if resume is not None:
        if name is not None:
            raise InvalidValueError(
                f"--resume {resume}: the replay names the game and where it begins: leave {name!r} out"
            )
        written = read_replay(resume)
        game = registry.filed_game(written.game)
        return game, str(resume), partial(resumed, game, written, str(resume))
    if name is None:
        raise click.UsageError("Missing argument 'GAME'.", click.get_current_context())
    game = registry.game(name)
    if scenario is None:
        raise click.UsageError("Missing argument 'SCENARIO'.", click.get_current_context())
    return game, scenario, partial(game_start, game, scenario)


def _seats(start: GameStart, source: str) -> str:
    """Return who plays if nobody says it: those who have played a game that goes on."""
    from brickphys.rules.players.bots import bots

    if unknown := set(start.players.split(",")) - {"", PERSON, *bots()}:
        raise InvalidValueError(
            f"{source}: was played by {', '.join(sorted(unknown))}: --bots must say who plays on"
        )
    return start.players or _DEFAULT_BOT


def _keyboard(terminal: Terminal, start: GameStart) -> "Keyboard[Any, Any]":
    """Return the keyboard of a terminal, which has seen the steps of a game that goes on."""
    from brickphys.rules.players.keyboard import Keyboard

    keyboard = Keyboard[Any, Any](
        terminal.read, terminal.write, terminal.clearing, terminal.columns
    )
    for before, step in zip(start.states, start.steps, strict=False):
        keyboard.watch(before, step)
    return keyboard


def _origin(start: GameStart, source: str, law_told: str) -> str:
    """Return what all steps were rolled from, and note if the law changes in a game that goes on."""
    origin = start.told(law_told)
    if start.law not in ("", origin):
        NOTES.info(f"{source} was rolled from {start.law}; it continues with rolls from {law_told}")
    return origin


def _played(
    game: "AnyGame",
    start: GameStart,
    players: "Sequence[Bot[Any, Any]]",
    source: "EventSource",
    keyboard: "Keyboard[Any, Any]",
    origin: str,
    written: "Mapping[str, Path | None]",
    max_steps: int,
) -> "Record[Any, Any]":
    """Play the game, with what persons save on the way and are told at the end; `written` are the files of the end."""
    from brickphys.rules.play import play as play_game
    from brickphys.rules.record import Ending

    names = [player.name for player in players]

    def save(name: str) -> str:
        check_save(name)
        output.check_apart({}, {"save": name, **written})
        steps = [step for _, step in keyboard.steps]
        keyboard.goes_on = start.save(game, steps, names, origin, name)
        return f"saved; `{keyboard.goes_on}` continues from here"

    keyboard.save = save
    record = play_game(
        game,
        start.setup,
        players,
        source,
        root=start.root,
        address=start.address,
        steps=start.steps,
        max_steps=max_steps,
        watchers=[keyboard.watch],
        corrects=keyboard.corrects,
    )
    if keyboard.reader or (keyboard.readers and record.ending is not Ending.INTERRUPTED):
        keyboard.tell_news()
    return record


def _check_rolls(
    game: "AnyGame", law_file: Path | None, rolls: LiveOptions, *, typed: bool
) -> None:
    """Raise InvalidValueError if options of rolls exclude each other, or the game throws no bricks."""
    options = {"law": law_file, **asdict(rolls)}
    given = [f"--{name}" for name, value in options.items() if value not in (None, False)]
    if given and not game.rolls_bricks:
        raise InvalidValueError(f"{', '.join(given)}: {game.name} rolls dice, not bricks")
    if (law_file is not None) + rolls.live + typed > 1:
        raise InvalidValueError("--law, --live and --typed exclude each other")
    rolls.check()


def _print_document(
    game: "AnyGame", record: "Record[Any, Any]", source: str, origin: str, *, story: bool
) -> None:
    """Print the result of a game as JSON."""
    document = {"scenario": source, **result_document(game, record), "law": origin}
    more = {"story": list(game.story(record))} if story else {}
    output.print_json("play", {**document, **more})


def _check_ending(record: "Record[Any, Any]", replay_file: Path | None) -> None:
    """Raise CancelledRunError if a game was interrupted; the message names the replay."""
    from brickphys.rules.record import Ending

    if record.ending is Ending.INTERRUPTED:
        kept = f"; what was played so far is in {replay_file}" if replay_file else ""
        raise CancelledRunError(f"interrupted{kept}")


def _players(
    game: "AnyGame",
    start: GameStart,
    source: str,
    bots: str | None,
    law: "Law",
    keyboard: "Keyboard[Any, Any]",
) -> "list[Bot[Any, Any]]":
    """Return the players; one word stands for all."""
    from brickphys.battles.seats import seated
    from brickphys.rules.players.person import Person

    words = bots or _seats(start, source)
    with naming("--bots") if bots else nullcontext():
        return seated(game, start.setup, words, law, lambda seat: Person(game, seat, law, keyboard))


def _source(
    game: "AnyGame",
    law: "Law",
    law_file: Path | None,
    root: int,
    terminal: Terminal,
    keyboard: "Keyboard[Any, Any]",
    rolls: LiveOptions,
    *,
    typed: bool,
) -> "tuple[EventSource, str]":
    """Return the source of the chance events, and its description in a replay."""
    from brickphys.battles.rolls import law_rolls
    from brickphys.rules.events.bricks import BrickRoll
    from brickphys.rules.events.sources import TypedSource

    if typed:
        what = "bricks thrown" if game.rolls_bricks else "dice rolled"
        keyboard.corrects = lambda state: game.chance(state) != BrickRoll(0)
        typed_source = TypedSource(
            terminal.read, terminal.write, keyboard.tell_news, keyboard.correct
        )
        return typed_source, f"{what} on a table"
    thrown = None
    if not game.rolls_bricks:
        told = "dice"
    elif not rolls.live:
        called = "default" if law_file is None else law_file
        told = f"the law {called} (a side: {float(law.p):.4f})"
    else:
        thrower, how = rolls.thrower(root)
        told = f"bricks thrown live ({how})"
        thrown = thrower.roll
    return law_rolls(law, root, thrown), told
