"""Game start: where a game begins: a setup with its options, or a game that was not played to its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from brickphys.battles.setup import REPLAY, find_setup
from brickphys.cli.shared.options import naming, root_seed
from brickphys.errors import InvalidValueError
from brickphys.rules.game import AnyGame
from brickphys.rules.own_class import is_place
from brickphys.rules.record import Ending, Record, Setup

if TYPE_CHECKING:
    from brickphys.rules.replay.playback import Replay


@dataclass(frozen=True)
class GameStart:
    """Where a game begins.

    Attributes
    ----------
    setup, root
        The setup, and the root seed.
    before
        The game so far; None for a new one.
    players, law
        Who has played it, and the source of its rolls in words; empty for a new one.
    """

    setup: Setup
    root: int
    before: Record[Any, Any] | None = None
    players: str = ""
    law: str = ""

    @property
    def steps(self) -> Sequence[Any]:
        """The steps so far."""
        return self.before.steps if self.before else ()

    @property
    def states(self) -> Sequence[Any]:
        """The states so far."""
        return self.before.states if self.before else ()

    @property
    def address(self) -> tuple[int, ...]:
        """Which game of its root it is."""
        return self.before.address if self.before else ()

    def names(self, game: AnyGame) -> list[str]:
        """Return the names of the players."""
        first = game.initial(self.setup)
        return [game.player_name(first, player) for player in range(game.players(first))]

    def told(self, law: str) -> str:
        """Return the source of all rolls in words, given that of the rolls to come."""
        if not self.law or self.law.endswith(law):
            return self.law or law
        return f"{self.law}; then {law}"

    def save(
        self, game: AnyGame, steps: Sequence[Any], players: Sequence[str], law: str, name: str
    ) -> str:
        """Write a game with its steps so far, and return the command that goes on with it; `law` is of all rolls.

        Raises
        ------
        InvalidValueError
            If the file exists or cannot be written.
        """
        from brickphys.rules.replay.playback import played_stamp
        from brickphys.rules.replay.replay_file import write_replay

        record = Record(
            game=game.name,
            version=game.version,
            setup=self.setup,
            initial=game.initial(self.setup),
            steps=tuple(steps),
            ending=Ending.INTERRUPTED,
            returns=None,
            players=tuple(players),
            root=self.root,
            address=self.address,
        )
        write_replay(game, record, name, law=law, stamp=played_stamp(game))
        words = (
            game.name if is_place(game.name) else "--resume"
        )  # a file names no game of one's own
        return f"brickphys play {words} {quote(name)}"


def check_save(name: str) -> None:
    """Raise InvalidValueError if a name that was typed is none of a new replay."""
    if not name.endswith(REPLAY):
        raise InvalidValueError(f"save FILE: {name!r} is not the name of a {REPLAY} file")
    try:
        Path(name).lstat()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # too long, or with a character that no name may have
        raise InvalidValueError(f"save FILE: {name!r} is not the name of a file: {error}") from None
    raise InvalidValueError(f"save FILE: {name!r} exists already: choose a new name")


def game_start(game: AnyGame, source: str, options: Sequence[str], seed: int | None) -> GameStart:
    """Return the start of a game from a setup that ships, one in a file, or a replay that is not over.

    Raises
    ------
    InvalidValueError
        If there is no such setup; if the game in the replay is over, or would get another seed or other options.
    """
    if not source.endswith(REPLAY):
        return GameStart(_setup(game, source, options), root_seed(seed))
    from brickphys.rules.replay.replay_file import read_replay

    return resumed(game, read_replay(source), source, options, seed)


def resumed(
    game: AnyGame, written: "Replay", source: str, options: Sequence[str], seed: int | None
) -> GameStart:
    """Return the start of a game that goes on from its replay, which was read from a file.

    Raises
    ------
    InvalidValueError
        If it is over, or would get another seed or other options; ReplayFileError names the line that was edited.
    """
    from brickphys.rules.replay.playback import play_back

    if options or seed is not None:
        raise InvalidValueError(
            f"{source}: a continued game keeps its seed and options: leave out --seed and --option"
        )
    record = play_back(game, written, source)
    if record.ending is Ending.OVER:
        raise InvalidValueError(f"{source}: the game is over and cannot be continued")
    return GameStart(record.setup, record.root, record, ",".join(record.players), written.law)


def _setup(game: AnyGame, scenario: str, options: Sequence[str]) -> Setup:
    """Return a shipped setup by name, or one from a file; a message on a fault names the file or the options."""
    changes = dict(map(_option, options))
    if len(changes) < len(options):
        raise InvalidValueError(f"--option {' --option '.join(options)}: a name is given twice")
    setup = find_setup(game, scenario, {})
    if not options:
        return setup
    with naming(f"--option {' --option '.join(options)}"):
        return find_setup(game, scenario, changes)


def _option(text: str) -> tuple[str, Any]:
    """Return name and value of an option: true, false, a number, or else a text."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise InvalidValueError(f"--option {text}: not NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdecimal() else value
