"""Game start: where a game begins, and who rolls.

A game begins with a setup and its options, or it is one that was not played to its end. A law, live throws, or a person
at a table answer its chance events.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from brickphys.battles.start import (
    REPLAY,
    GameStart,
    find_setup,
    law_origin,
    law_rolls,
    resumed,
    table_origin,
)
from brickphys.cli.shared.game_files import UNSAVED, found_replay
from brickphys.cli.shared.options import FILE, chosen_law, grouped, law_option, root_seed
from brickphys.cli.shared.throw_options import LiveOptions, live_options
from brickphys.errors import InvalidValueError, naming
from brickphys.notes import NOTES
from brickphys.odds.law import Law
from brickphys.reading import read_text
from brickphys.rules import registry
from brickphys.rules.game import AnyGame
from brickphys.rules.players.keyboard import Keyboard, Teller
from brickphys.rules.record import Setup
from brickphys.rules.replay import Replay, read_replay
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.sources import EventSource, TypedSource


@dataclass(frozen=True)
class StartOptions:
    """What a command says of the beginning of a game; `source` names it in messages."""

    game_name: str | None
    scenario: str | None
    resume: Path | None
    options: tuple[str, ...]
    roster: Path | None

    @property
    def source(self) -> str:
        """Where the game begins, in words."""
        return str(self.scenario if self.resume is None else self.resume)

    @property
    def file(self) -> Path | None:
        """The replay with which the game goes on; None for a new one."""
        is_replay = self.scenario is not None and self.scenario.endswith(REPLAY)
        return Path(str(self.scenario)) if is_replay else self.resume

    def game(self) -> tuple[AnyGame, Replay | None]:
        """Return the game, and the replay with which it goes on.

        Raises InvalidValueError if there is no such game or replay, or the words name two beginnings; click.UsageError
        if they name none.
        """
        if self.resume is not None:
            if self.game_name is not None:
                raise InvalidValueError(
                    f"--resume {self.resume}: the replay contains the game: "
                    f"leave out {self.game_name!r}"
                )
            written = read_replay(self.resume)
            return registry.filed_game(written.game), written
        if self.game_name is None:
            raise _missing("GAME", registry.games())
        game = registry.game(self.game_name)
        if self.scenario is None:
            raise _missing("SCENARIO", game.setups)
        return game, None

    def start(self, game: AnyGame, written: Replay | None, seed: int | None) -> GameStart:
        """Return where the game begins; see `game_start` and `brickphys.battles.start`."""
        if self.roster is not None and self.file is not None:
            raise InvalidValueError(
                f"--roster {self.roster}: {self.source} continues a game, which has its units already"
            )
        if written is None:
            start = game_start(game, self.source, self.options, seed)
            return start if self.roster is None else _with_roster(game, start, self.roster)
        return _resumed(game, written, self.source, self.options, seed)

    def tell_resumed(self, game: AnyGame, start: GameStart) -> None:
        """Note which game goes on, if one does."""
        if start.before is not None and self.file is not None:
            NOTES.info(_resumed_line(game, start, self.file))


start_options = grouped(
    "begin",
    StartOptions,
    {
        "game_name": click.argument("game_name", metavar="[GAME", required=False),
        "scenario": click.argument("scenario", metavar="SCENARIO]", required=False),
        "resume": click.option(
            "--resume",
            type=FILE,
            metavar="REPLAY",
            callback=lambda _ctx, _param, file: file and found_replay(file, UNSAVED),
            help="Continue a saved or interrupted game; last is the game that you last left unsaved.  The replay names "
            "the game, and its players unless --bots does.",
        ),
        "options": click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set an option of the rules; may be repeated.",
        ),
        "roster": click.option(
            "--roster",
            type=FILE,
            help="Begin with the survivors in this file, which --save-roster has written.",
        ),
    },
)
"""Adds GAME, SCENARIO, ``--resume``, ``--option`` and ``--roster`` to a command, which gets them as `begin`."""


def _missing(argument: str, known: Iterable[str]) -> click.UsageError:
    """Return the error that an argument is not there, with what it may be."""
    told = f"Missing argument '{argument}': {', '.join(known)}."
    return click.UsageError(told, click.get_current_context())


def _resumed_line(game: AnyGame, start: GameStart, file: Path) -> str:
    """Return which game goes on from a file: its scenario, round, who is to act, who plays, and when it was stored."""
    record = start.before
    assert record is not None
    state, rounds = record.final, game.rounds(record.final)
    shipped = (name for name, setup in game.setups.items() if setup == start.setup)
    names = [game.player_name(state, player) for player in range(game.players(state))]
    actor = game.actor(state)
    seats = zip(names, record.players, strict=True)
    stored = datetime.fromtimestamp(file.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    parts = [
        *([f"{game.round_word.lower()} {rounds}"] if rounds else []),
        f"{names[actor]} is to act" if actor >= 0 else "a roll is due",
        ", ".join(f"{name}: {player}" for name, player in seats),
        f"stored {stored}",
    ]
    what = " ".join([game.name, *shipped])
    return f"{what} (seed {start.root}) goes on: {'; '.join(parts)}"


def game_start(game: AnyGame, source: str, options: Sequence[str], seed: int | None) -> GameStart:
    """Return the start of a game from a setup that ships, one in a file, or a replay that is not over.

    InvalidValueError if there is no such setup; if the game in the replay is over, or would get another seed or other
    options.
    """
    if not source.endswith(REPLAY):
        return GameStart(_setup(game, source, options), root_seed(seed))

    return _resumed(game, read_replay(source), source, options, seed)


def _resumed(
    game: AnyGame, written: Replay, source: str, options: Sequence[str], seed: int | None
) -> GameStart:
    """Return the start of a game that goes on from its replay; InvalidValueError if it would get another seed."""
    if options or seed is not None:
        raise InvalidValueError(
            f"{source}: a continued game keeps its seed and options: leave out --seed and --option"
        )
    return resumed(game, written, source)


def _setup(game: AnyGame, scenario: str, options: Sequence[str]) -> Setup:
    """Return a shipped setup by name, or one from a file; a message on a fault names the file or the options."""
    changes = rule_options(options)
    setup = find_setup(game, scenario, {})
    if not options:
        return setup
    with naming(f"--option {' --option '.join(options)}"):
        return find_setup(game, scenario, changes)


def _with_roster(game: AnyGame, start: GameStart, path: Path) -> GameStart:
    """Return the start of a game with the units of a roster; a message on a fault names the file."""
    roster = game.read_roster(read_text(path), str(path))
    with naming(str(path)):
        setup = game.with_roster(start.setup, roster)
        game.initial(setup)
    return replace(start, setup=setup)


def rule_options(options: Sequence[str]) -> dict[str, Any]:
    """Return options of the rules, each ``NAME=VALUE``, by name; InvalidValueError if a name is given twice."""
    changes = dict(map(_option, options))
    if len(changes) < len(options):
        raise InvalidValueError(f"--option {' --option '.join(options)}: a name is given twice")
    return changes


def _option(text: str) -> tuple[str, Any]:
    """Return name and value of an option: true, false, a number, or else a text."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise InvalidValueError(f"--option {text}: not NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdecimal() else value


@dataclass(frozen=True)
class RollOptions:
    """How a command has a game roll."""

    law_file: Path | None
    rolls: LiveOptions
    typed: bool

    def check(self, game: AnyGame) -> None:
        """Raise InvalidValueError if options exclude each other, or the game throws no bricks."""
        options = {"law": self.law_file, **asdict(self.rolls)}
        given = [f"--{name}" for name, value in options.items() if value not in (None, False)]
        if given and not game.rolls_bricks:
            raise InvalidValueError(f"{', '.join(given)}: {game.name} rolls dice, not bricks")
        if (self.law_file is not None) + self.rolls.live + self.typed > 1:
            raise InvalidValueError("--law, --live and --typed exclude each other")
        self.rolls.check()

    @property
    def law(self) -> Law:
        """The law that bots and persons reckon with."""
        return chosen_law(self.law_file)

    def source(
        self, game: AnyGame, law: Law, root: int, keyboard: Keyboard[Any, Any]
    ) -> tuple[EventSource, str]:
        """Return the source of the chance events, and its description in a replay."""
        if self.typed:
            return _typed(game, keyboard)
        if not (game.rolls_bricks and self.rolls.live):
            called = "default" if self.law_file is None else self.law_file
            return law_rolls(law, root), law_origin(game, law, called)
        thrower, how = self.rolls.thrower(root)
        thrower.check_together()
        return law_rolls(law, root, thrower.roll), f"bricks thrown live ({how})"


def _typed(game: AnyGame, keyboard: Keyboard[Any, Any]) -> tuple[EventSource, str]:
    """Return a person at the keyboard, who may type a roll once more."""
    if not keyboard.readers:
        Teller(game, None, keyboard)  # whoever types the rolls of bots
    keyboard.corrects = lambda state: game.chance(state) != BrickRoll(0)
    undo = partial(keyboard.undo, game, keyboard.seats)
    source = TypedSource(keyboard.line, keyboard.write, keyboard.tell_news, undo)
    return source, table_origin(game)


roll_options = grouped(
    "chance",
    RollOptions,
    {
        "law_file": law_option,
        "rolls": live_options,
        "typed": click.option(
            "--typed", is_flag=True, help="Roll on your own table, and type the results."
        ),
    },
)
"""Adds the options of laws, live and typed rolls to a command, which gets them as `chance`."""
