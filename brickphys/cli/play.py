"""Play: any game, by bots or by persons at the keyboard."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

import click
from click.core import ParameterSource

from brickphys.battles.lesson import Lesson, lesson_of, lesson_start, teller
from brickphys.battles.mail_seat import MailSeat, is_mail
from brickphys.battles.players import PERSON, installed_players, result_document, seated
from brickphys.battles.start import GameStart
from brickphys.cli.shared import game_output, output
from brickphys.cli.shared.game_files import FINISHED, GameFiles, new_kept
from brickphys.cli.shared.game_output import (
    PictureOptions,
    game_progress,
    picture_options,
    save_roster_option,
    story_option,
)
from brickphys.cli.shared.game_start import RollOptions, StartOptions, roll_options, start_options
from brickphys.cli.shared.options import FILE, json_option, seed_option, think_option
from brickphys.cli.shared.output import echo
from brickphys.cli.shared.terminal import Terminal
from brickphys.errors import CancelledRunError, InterruptedRunError, InvalidValueError, naming
from brickphys.files import check_target
from brickphys.notes import NOTES
from brickphys.odds.law import Law
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS, thinks_long
from brickphys.rules.play import MAX_STEPS, started
from brickphys.rules.play import play as play_game
from brickphys.rules.players.bots import Bot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.players.prompt import COMMANDS
from brickphys.rules.record import Ending, Record
from brickphys.rules.registry import games
from brickphys.rules.replay import played_stamp, write_replay
from brickphys.rules.sources import EventSource
from brickphys.signals import is_terminated

_DEFAULT_BOT = "greedy"


class _PlayCommand(click.Command):
    """Its help names the games that are installed, and what a person may type; both are looked up only then."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Games"):
            formatter.write_text(f"{', '.join(games())}; `brickphys games` lists their setups")
        with formatter.section("Levels of the bots that plan"):
            formatter.write_dl([(level.name, level.about) for level in LEVELS.values()])
        with formatter.section("A person types actions, their numbers in the list, or"):
            formatter.write_dl(list(COMMANDS.items()))
        super().format_options(ctx, formatter)


@click.command(cls=_PlayCommand)
@start_options
@click.option(
    "--bots",
    help="Players in order, separated by commas: random, easy, fair, greedy, hard, lookahead, person; one word is for "
    "all.  "
    f"[default: {_DEFAULT_BOT}; those of a continued game]",
)
@click.option(
    "--lesson",
    is_flag=True,
    help="Learn GAME: a guided first game against a bot, step by step; it has its scenario, players and seed.",
)
@click.option(
    "--mail",
    type=FILE,
    help="Begin a game by mail: this file goes to and fro, and --resume FILE goes on.",
)
@click.option("--seat", metavar="NAME", help="By mail: your seat, such as red, if it is not clear.")
@roll_options
@click.option(
    "--replay",
    "replay_file",
    type=FILE,
    help="Record the game in this file, for `replay`.",
)
@save_roster_option
@story_option
@picture_options
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    default=MAX_STEPS,
    help="Stop after this many actions and rolls.",
)
@think_option
@seed_option
@json_option
def play(
    begin: StartOptions,
    bots: str | None,
    lesson: bool,
    mail: Path | None,
    seat: str | None,
    chance: RollOptions,
    replay_file: Path | None,
    save_roster: Path | None,
    story: bool,
    pictures: PictureOptions,
    max_steps: int,
    yes: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play GAME from SCENARIO: a shipped setup, a file of your own, or a saved game to continue.

    Bots are easy, fair, greedy and hard (below; hard:2s thinks for two seconds a decision), lookahead (searches single
    choices as far as its budget allows) and random. People play at this terminal, and pass it on when something must
    stay hidden. Bricks are rolled by a law, in the physics engine (--live; missiles use
    their laws) or on your own table (--typed). Dice are rolled by the program or on your table (--typed). The same
    seed, bots and rolls give the same game. Ctrl-C ends it. --replay stores the steps so far, and --resume continues
    from there; you may choose another kind of rolls then. A game that a person leaves unsaved is kept: `play --resume
    last` continues it. --mail plays by one file that is sent to and fro: nobody can foresee rolls or see other hands.

    \b
    Examples:
      brickphys play bow --lesson
      brickphys play bow duel --seed 7 --story
      brickphys play bow duel --bots person,greedy
      brickphys play bow duel --live --preset cup --surface cloth --replay duel.jsonl
      brickphys play bow skirmish --bots random,greedy --animate skirmish.gif
      brickphys play bow my_scenario.toml --bots person --typed
      brickphys play blade_and_bow marathon --bots person,greedy
      brickphys play minifig siege --seed 3 --story --plot siege.png
      brickphys play campaign ten_days --seed 4 --story
      brickphys play pirate_wars duel --bots person --option simultaneous=true
      brickphys play minifig duel --save-roster veterans.toml
      brickphys play minifig skirmish --roster veterans.toml
      brickphys play --resume saved.jsonl --bots person,greedy --replay saved.jsonl --force
      brickphys play bow duel --mail duel.jsonl --seat red
      brickphys play --resume duel.jsonl
    """
    if mail or seat or is_mail(begin.file):
        own = _mail_seat(begin, mail, seat, seed, force=pictures.force)
        _play_by_mail(own, bots or PERSON, as_json=as_json)
        return
    written = _written(begin, chance, replay_file, save_roster, pictures)
    if lesson:
        begin = _as_lesson(begin, bots, seed is not None)
    game, resumed = begin.game()
    chance.check(game)
    game_output.check_roster(game, save_roster, force=pictures.force)
    if replay_file is not None:
        check_target(replay_file, force=pictures.force)
        if max_steps > MAX_STEPS:
            raise InvalidValueError(
                f"--max-steps: {max_steps:,} is above {MAX_STEPS:,}, which a --replay can hold"
            )
    painter, law = pictures.painter(game), chance.law
    start = lesson_start(game) if lesson else begin.start(game, resumed, seed)
    taught = lesson_of(game, start) if lesson or start.before else None
    title = _title(game, begin) if pictures.html else ""
    terminal = Terminal(to_stderr=as_json, players=game.player_colours(game.initial(start.setup)))
    keyboard = _keyboard(game, terminal, start, taught)
    players = _players(game, start, begin.source, bots, law, keyboard, is_patient=yes)
    source, told = chance.source(game, law, start.root, keyboard)
    origin = _origin(start, begin.source, told)
    files = GameFiles(game, start, players, origin, keyboard, written, begin.file)
    begin.tell_resumed(game, start)
    record = _played(game, start, players, source, keyboard, max_steps)
    _write(game, record, replay_file, origin, force=pictures.force)
    goes_on, again = files.ending(record), files.seen_again(record)
    if as_json:
        _print_document(game, record, begin.source, origin, story=story)
        if goes_on or again:
            terminal.write(goes_on or again)
    else:
        game_output.print_game(game, record, story=story, goes_on=goes_on)
        if again:
            echo(again)
    pictures.save(game, record, painter, title=title)
    if record.ending is Ending.OVER:
        game_output.write_roster(game, record, save_roster, force=pictures.force)
    elif save_roster is not None:
        NOTES.warning("--save-roster %s: not written: the game is not over", save_roster)
    _check_ending(record, replay_file, typed=chance.typed)


_BY_MAIL = "game_name scenario resume options mail seat bots seed force as_json"
"""Parameters that a game by mail has."""


def _mail_seat(
    begin: StartOptions, mail: Path | None, seat: str | None, seed: int | None, *, force: bool
) -> MailSeat:
    """Return the seat in a game by mail that begins or goes on."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(f"{option.name}")
        if source is ParameterSource.COMMANDLINE and f"{option.name}" not in _BY_MAIL.split():
            raise InvalidValueError(f"{option.opts[0]}: leave it out in a game by mail")
    if mail is None and begin.file is not None and is_mail(begin.file):
        own = MailSeat.opened(begin.file, seat, seed)
        if begin.options or begin.game_name not in (None, own.mail.game.name):
            raise InvalidValueError(
                f"{begin.file}: the file has the game and its options: leave them out"
            )
        return own
    if mail is None or begin.file is not None:
        raise InvalidValueError(
            "--seat: a game by mail begins with --mail FILE, --seat and a setup"
        )
    game, _ = begin.game()
    return MailSeat.begun(mail, game, begin.start(game, None, 0).setup, seat, seed, force=force)


def _play_by_mail(own: MailSeat, bot: str, *, as_json: bool) -> None:
    """Play a seat as far as it goes without the others, write the file, and tell who is next."""
    mail, seat, setup, law = own.mail, own.seat, own.mail.session.setup, find_law(DEFAULT)
    game, root, known = mail.game, int(mail.known[seat][:13], 16), mail.record
    start = GameStart(setup, root, replace(known, steps=known.steps[: own.told]))
    terminal = Terminal(to_stderr=as_json, players=game.player_colours(known.initial))
    keyboard = _keyboard(game, terminal, start, None)
    keyboard.save, keyboard.is_recorded = (lambda _: "it is stored when you quit"), True
    names = [bot if n == seat else "random" for n in range(len(mail.names))]
    with naming("--bots"):
        players = seated(game, setup, names, law, lambda n: Person(game, n, law, keyboard))
    is_here = True
    while is_here:
        is_here, known = mail.go_on(seat), mail.record
        for number in range(len(keyboard.steps), len(known.steps)):
            keyboard.watch(known.states[number], known.steps[number])
        keyboard.fixed = len(known.steps)
        chance, steps = mail.session.chance, [*known.steps]
        session = started(game, setup, players, chance, root, (), steps)
        try:
            while session.actor == seat:
                before = session.last
                if (taken := session.step()) is not None:
                    keyboard.watch(before, taken)
        except (InterruptedRunError, KeyboardInterrupt):
            is_here = False
        for step in session.steps[len(steps) :]:
            mail.choose(seat, step.text)
    own.write()
    if keyboard.readers:
        keyboard.tell_news()
    record, waits_for = mail.record, mail.waits_for
    told = f"{own.path}: " + (f"send it to {mail.names[waits_for]}; " if waits_for != seat else "")
    resume = f"`brickphys play --resume {quote(str(own.path))}`"
    is_over = record.ending is Ending.OVER
    told += f"{resume} {'adds the last secrets, and checks all' if is_over else 'goes on'}"
    if waits_for < 0:
        kept = new_kept(f"{game.name}-{record.root}", FINISHED)
        _write(game, record, kept, "the secrets of all seats", force=True)
        told = f"{own.path}: all secrets agree ({resume} checks again); `brickphys replay last --step` shows the game"
    if as_json:
        at = {"file": str(own.path), "seat": seat, "waits_for": waits_for}
        output.print_json("play", {**result_document(game, record), "mail": at})
    elif is_over:
        game_output.print_game(game, record, story=False)
    if not as_json:
        echo(told)


def _title(game: AnyGame, begin: StartOptions) -> str:
    """Return the title of the scenario; empty for a replay, which names none, and in a game without scenarios."""
    if begin.file is not None:
        return ""
    try:
        return game.scenario(begin.source).title
    except InvalidValueError:
        return ""


def _written(
    begin: StartOptions,
    chance: RollOptions,
    replay_file: Path | None,
    save_roster: Path | None,
    pictures: PictureOptions,
) -> dict[str, Path | None]:
    """Return the files to write, by their options; none of them is one that is read, but for a resumed replay."""
    drawn = {"--save-roster": save_roster, **pictures.files}
    written = {"--replay": replay_file, **drawn}
    read = {"SCENARIO": begin.scenario, "--law": chance.law_file, "--roster": begin.roster}
    output.check_apart(read, written)
    output.check_apart({"--resume": begin.resume}, drawn)
    return written


def _as_lesson(begin: StartOptions, *given: object) -> StartOptions:
    """Return the beginning of a lesson; InvalidValueError if it has none, or what it has itself is given."""
    if any((*given, begin.scenario, begin.resume, begin.roster, begin.options)):
        raise InvalidValueError(
            "--lesson has its scenario, players and seed: leave out SCENARIO, --resume, --roster, --option, --bots "
            "and --seed"
        )
    return replace(begin, scenario="lesson")


def _keyboard(
    game: AnyGame, terminal: Terminal, start: GameStart, taught: Lesson | None
) -> Keyboard[Any, Any]:
    """Return the keyboard of a terminal, which has seen the steps of a game that goes on; a lesson speaks there."""

    def read() -> str:
        tell()
        return terminal.read()

    keyboard = Keyboard[Any, Any](read, terminal.write, terminal.clearing, terminal.columns)
    tell = teller(taught, keyboard)
    for before, step in zip(start.states, start.steps, strict=False):
        keyboard.is_automatic = step.actor >= 0 and game.only_action(before) is not None
        keyboard.watch(before, step)
    return keyboard


def _origin(start: GameStart, source: str, law_told: str) -> str:
    """Return what all steps were rolled from, and note if the law changes in a game that goes on."""
    origin = start.told(law_told)
    if start.law not in ("", origin):
        NOTES.info(f"{source} was rolled from {start.law}; it continues with rolls from {law_told}")
    return origin


def _played(
    game: AnyGame,
    start: GameStart,
    players: Sequence[Bot[Any, Any]],
    source: EventSource,
    keyboard: Keyboard[Any, Any],
    max_steps: int,
) -> Record[Any, Any]:
    """Play the game; whoever is at the keyboard is told its end."""
    with nullcontext() if keyboard.readers else game_progress(game) as progress:
        record = play_game(
            game,
            start.setup,
            players,
            source,
            root=start.root,
            address=start.address,
            steps=start.steps,
            max_steps=max_steps,
            watchers=[keyboard.watch, *filter(None, [progress])],
            corrects=keyboard.corrects,
        )
    if keyboard.readers and record.ending is Ending.OVER:
        keyboard.tell_end(record.final)
    elif keyboard.reader or (keyboard.readers and record.ending is not Ending.INTERRUPTED):
        keyboard.tell_news()
    return record


def _write(
    game: AnyGame, record: Record[Any, Any], path: Path | None, origin: str, *, force: bool
) -> None:
    if path is not None:
        write_replay(game, record, path, law=origin, stamp=played_stamp(game), force=force)


def _print_document(
    game: AnyGame, record: Record[Any, Any], source: str, origin: str, *, story: bool
) -> None:
    document = {"scenario": source, **result_document(game, record), "law": origin}
    more = {"story": list(game.story(record))} if story else {}
    output.print_json("play", {**document, **more})


def _check_ending(record: Record[Any, Any], replay_file: Path | None, *, typed: bool) -> None:
    """Raise CancelledRunError if a game was interrupted, unless people left it; the message names the replay."""
    is_left = (typed or PERSON in record.players) and not is_terminated()
    if record.ending is Ending.INTERRUPTED and not is_left:
        kept = f"; what was played so far is in {replay_file}" if replay_file else ""
        raise CancelledRunError(f"interrupted{kept}")


def _players(
    game: AnyGame,
    start: GameStart,
    source: str,
    bots: str | None,
    law: Law,
    keyboard: Keyboard[Any, Any],
    *,
    is_patient: bool,
) -> list[Bot[Any, Any]]:
    """Return the players; one word stands for all."""
    words = bots or installed_players(start.players, source) or _DEFAULT_BOT
    with naming("--bots") if bots else nullcontext():
        found = seated(
            game, start.setup, words, law, lambda seat: Person(game, seat, law, keyboard)
        )
        if not is_patient and (told := thinks_long(one.name for one in found)):
            raise InvalidValueError(told)
        return found
