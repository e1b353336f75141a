"""Campaign: a solo campaign in a file: begin one, play its days, take them back, see its map and its diary."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from brickphys.battles.players import result_document
from brickphys.cli.shared import game_output, options, output
from brickphys.cli.shared.game_output import PictureOptions, picture_options
from brickphys.cli.shared.output import CommandGroup, echo, echo_line
from brickphys.cli.shared.terminal import Terminal
from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.files import check_target
from brickphys.reading import read_toml
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import Bot, bot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.record import OVER, Ending, Record, Step
from brickphys.rules.registry import game, trusting
from brickphys.rules.replay import play_back, played_stamp, read_replay, write_replay
from brickphys.rules.sources import LawSource
from brickphys.text import counted

GAME, SETUP = "campaign", "ten_days"
_PERSON = "person"


@click.group(cls=CommandGroup)
def campaign() -> None:
    """Play a solo campaign day by day; a file stores it.

    The file is a replay. Each command plays it back and checks it. It is written whole after each day.

    \b
    Examples:
      brickphys campaign new quest.jsonl --days 30 --seed 7
      brickphys campaign day quest.jsonl
      brickphys campaign day quest.jsonl --bot greedy
      brickphys campaign day quest.jsonl --undo
      brickphys campaign map quest.jsonl --plot quest.png
      brickphys campaign log quest.jsonl
    """


@campaign.command()
@click.argument("file", type=options.FILE)
@click.option("--days", type=int, default=10, help="Length of the campaign in days.")
@click.option(
    "--party",
    type=options.FILE,
    help="TOML file with your own [[party]] tables (name, kind, arms, horse, experience) and, optionally, [square].",
)
@options.force_option
@options.seed_option
@options.json_option
def new(
    file: Path, days: int, party: Path | None, force: bool, seed: int | None, as_json: bool
) -> None:
    """Begin a campaign and store it in FILE.

    \b
    Example:
      brickphys campaign new quest.jsonl --days 30 --seed 7
    """
    output.check_apart({"--party": party}, {"FILE": file})
    check_target(file, force=force)
    played = game(GAME)
    own = read_toml(party) if party else {}
    if party and (not own or "days" in own):
        raise InvalidValueError(
            f"{party}: should have [[party]] tables and, optionally, [square]; --days sets the length"
        )
    setup = {**played.setups[SETUP], **own, "days": days}
    try:
        initial = played.initial(setup)
    except InvalidValueError as error:
        raise InvalidValueError(f"{party}: {error}" if party else str(error)) from None
    record = Record[Any, Any](
        game=played.name,
        version=played.version,
        setup=setup,
        initial=initial,
        steps=(),
        ending=Ending.INTERRUPTED,
        returns=None,
        players=(_PERSON,),
        root=options.root_seed(seed),
    )
    _write(played, record, file, _law_text(), force=force)
    if as_json:
        output.print_json("campaign.new", _document(played, record, file))
    else:
        echo(f"{played.describe(initial)}\n")
        echo_line(f"{file}: a campaign of {counted(days, 'day')}")


@campaign.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--bot",
    help="Let a bot play the day: random, easy, fair, greedy, hard or lookahead.  [default: you, at the keyboard]",
)
@click.option("--undo", is_flag=True, help="Take the last day back; play none.")
@options.json_options
def day(file: Path, bot: str | None, undo: bool, as_json: bool) -> None:
    """Play the next day of the campaign in FILE.

    If you leave with `quit`, the day continues next time.

    \b
    Example:
      brickphys campaign day quest.jsonl --bot greedy
    """
    if undo and bot:
        raise InvalidValueError("--undo and --bot exclude each other")
    game, record, law = _read(file)
    if not undo and game.actor(record.final) == OVER:
        raise InvalidValueError(f"{file}: the campaign is over; --undo takes its last day back")
    after = _without_last_day(game, record, file) if undo else _played(game, record, bot, as_json)
    _write(game, after, file, law if undo else _both(law), force=True)
    if as_json:
        output.print_json("campaign.day", _document(game, after, file))
        return
    if undo:
        echo_line(f"{file}: a day was taken back")
    story = list(game.story(after))
    game_output.print_lines(story[-1:] if undo else story[-2:])


@campaign.command(name="map")
@click.argument("file", type=options.FILE)
@picture_options
@options.json_options
def draw_map(file: Path, pictures: PictureOptions, as_json: bool) -> None:
    """Show the known land and the party.

    \b
    Example:
      brickphys campaign map quest.jsonl --plot quest.png
    """
    output.check_apart({"FILE": file}, pictures.files)
    game, record, _ = _read(file)
    pictures.save(game, record, pictures.painter(game))
    text = game.describe(record.final)
    if as_json:
        document = {**_document(game, record, file), "map": text.splitlines()}
        output.print_json("campaign.map", document)
    else:
        echo(text)


@campaign.command()
@click.argument("file", type=options.FILE)
@options.json_options
def log(file: Path, as_json: bool) -> None:
    """Print the diary: an entry for each day.

    \b
    Example:
      brickphys campaign log quest.jsonl
    """
    game, record, _ = _read(file)
    if as_json:
        document = {**_document(game, record, file), "log": list(game.story(record))}
        output.print_json("campaign.log", document)
    else:
        game_output.print_lines(game.story(record))


def _read(file: Path) -> tuple[AnyGame, Record[Any, Any], str]:
    """Return the game, the campaign in a file, and the source of its rolls.

    ReplayFileError names the line that was edited or is foreign.
    """
    played, written = game(GAME), read_replay(file)
    return played, play_back(played, written, str(file)), written.law


def _write(game: AnyGame, record: Record[Any, Any], file: Path, law: str, *, force: bool) -> None:
    """Write the campaign; `law` is the source of its rolls in words."""
    write_replay(game, record, file, law=law, stamp=played_stamp(game), force=force)


def _law_text() -> str:
    return f"the law default (a side: {float(options.chosen_law(None).p):.4f})"


def _both(before: str) -> str:
    """Return the source of all rolls in words, given that of those before the day."""
    return before if before.endswith(_law_text()) else f"{before}; then {_law_text()}"


def _document(game: AnyGame, record: Record[Any, Any], file: Path) -> dict[str, Any]:
    document = result_document(game, record)
    return {"file": str(file), "day": document.pop("rounds"), **document}


def _played(
    game: AnyGame, record: Record[Any, Any], bot: str | None, as_json: bool
) -> Record[Any, Any]:
    """Return the campaign after the day, or what of it was played until its player left."""
    law, begun = options.chosen_law(None), game.rounds(record.final)
    terminal = Terminal(to_stderr=as_json, players=game.player_colours(record.final))
    keyboard = Keyboard[Any, Any](
        terminal.read, terminal.write, terminal.clearing, terminal.columns
    )
    keyboard.save = lambda _name: "the campaign is stored in its file; quit stores the day so far"
    keyboard.is_recorded = True
    for before, step in zip(record.states, record.steps, strict=False):
        keyboard.watch(before, step)

    def stop(_before: Any, step: Step[Any, Any]) -> None:
        if game.rounds(step.after) != begun:
            raise InterruptedRunError("the day is over")

    player = _player(game, bot, keyboard)
    after = play(
        game,
        record.setup,
        [player],
        LawSource(law, record.root),
        root=record.root,
        address=record.address,
        steps=record.steps,
        watchers=[keyboard.watch, stop],
    )
    known = record.players[0].split(" and ") if record.steps else []
    return replace(after, players=(" and ".join(dict.fromkeys([*known, player.name])),))


def _player(game: AnyGame, name: str | None, keyboard: Keyboard[Any, Any]) -> Bot[Any, Any]:
    law = options.chosen_law(None)
    with trusting():  # named by --bots
        return bot(name, game, law) if name else Person(game, 0, law, keyboard)


def _without_last_day(game: AnyGame, record: Record[Any, Any], file: Path) -> Record[Any, Any]:
    """Return the campaign without the last day on which anything was played."""
    if not record.steps:
        raise InvalidValueError(f"{file}: no day has been played")
    days = [game.rounds(before) for before in record.states[:-1]]
    kept = record.steps[: days.index(days[-1])]
    return replace(record, steps=kept, ending=Ending.INTERRUPTED, returns=None)
