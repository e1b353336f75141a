"""Start: where a game begins, which may be in its middle, and who rolls.

A setup ships with a game or is in a file. A law, or a person at a table, answers the chance events. Programs keep games
for a person in the user's folder for states of programs.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.files import is_shipped, is_there, make_folder, remove_oldest, write_synced
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.roll import Roll
from brickphys.rules.events import ChanceEvent, Measurement
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Ending, Record, Setup, with_options
from brickphys.rules.replay import Replay, play_back
from brickphys.rules.rolls import BrickRoll, OpposedRoll
from brickphys.rules.sources import EventSource, LawSource, MixedSource, RollSource


@dataclass(frozen=True)
class GameStart:
    """Where a game begins."""

    setup: Setup
    root: int
    """The root seed."""
    before: Record[Any, Any] | None = None
    """The game so far; None for a new one."""
    players: str = ""
    """Who has played it; empty for a new one."""
    law: str = ""
    """The source of its rolls in words; empty for a new one."""

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

    def so_far(
        self, game: AnyGame, steps: Sequence[Any], players: Sequence[str]
    ) -> Record[Any, Any]:
        """Return the record of a game after its steps so far."""
        return Record(
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


def resumed(game: AnyGame, written: Replay, source: str) -> GameStart:
    """Return the start of a game that goes on from its replay, which was read from a file; `source` names that.

    InvalidValueError if it is over; ReplayFileError names the line that was edited.
    """
    record = play_back(game, written, source)
    if record.ending is Ending.OVER:
        raise InvalidValueError(f"{source}: the game is over and cannot be continued")
    return continued(record, written.law)


def continued(record: Record[Any, Any], law: str) -> GameStart:
    """Return the start of a game that goes on from a record; `law` is the source of its rolls in words."""
    return GameStart(record.setup, record.root, record, ",".join(record.players), law)


REPLAY = ".jsonl"
"""Ending of files that a game can be continued from."""


def find_setup(game: AnyGame, scenario: str, options: Mapping[str, Any]) -> Setup:
    """Return a setup that ships with a game by its name, or one in a file, with some of its options changed.

    InvalidValueError if there is none, or the game cannot begin with it; the message names the file unless the options
    are at fault.
    """
    if is_shipped(scenario, game.setups):
        return with_rules(game, game.setups[scenario], options)
    if not Path(scenario).suffix and not is_there(scenario):
        raise InvalidValueError(
            f"{unknown('setup', scenario, game.setups)} (or a .toml or {REPLAY} file)"
        )
    return with_rules(game, _begun(game, game.read_setup(scenario), scenario), options)


def own_setup(game: AnyGame, text: str, name: str) -> Setup:
    """Return the setup in the text of a file.

    InvalidValueError if there is none, or the game cannot begin with it; the message names the file.
    """
    return _begun(game, game.parse_setup(text, name), name)


def with_rules(game: AnyGame, setup: Setup, options: Mapping[str, Any]) -> Setup:
    """Return a setup with some of its options changed; InvalidValueError if the game cannot begin with them."""
    changed = with_options(setup, options)
    if options:
        game.initial(changed)
    return changed


def titles(game: AnyGame) -> Mapping[str, str]:
    """Return the titles of the setups that ship, by name; none in a game without scenarios."""
    try:
        return game.scenarios()
    except InvalidValueError:
        return {}


def title_of(game: AnyGame, setup: Setup) -> str:
    """Return the title of a setup that ships; empty for any other, which does not know its title."""
    named = titles(game)
    return next((named.get(name, "") for name, one in game.setups.items() if one == setup), "")


def _begun(game: AnyGame, setup: Setup, name: str) -> Setup:
    """Return the setup of a file, with which the game can begin; the message of an error names the file."""
    try:
        game.initial(setup)
    except InvalidValueError as error:
        raise InvalidValueError(f"{name}: {error}") from None
    return setup


def law_rolls(
    law: RollLaw, root: int, thrown: Callable[[int, tuple[int, ...]], Roll] | None = None
) -> EventSource:
    """Return the source of all outcomes of a game.

    `thrown` throws bricks live in place of the law; None if the law answers.
    """
    sources: dict[type[ChanceEvent], EventSource] = {Measurement: _Crashes()}
    if thrown is not None:
        sources |= dict.fromkeys((BrickRoll, OpposedRoll), RollSource(thrown))
    return MixedSource(LawSource(law, root), sources)


class _Crashes:
    """The source of crashes, which loads the physics of vehicles once something crashes."""

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> tuple[float, ...]:
        """Return the places of units and vehicles after a move."""
        from brickphys.vehicles.crash_source import CrashSource

        return CrashSource().answer(event, address)


def law_origin(game: AnyGame, law: Law, called: object) -> str:
    """Return in words that a law rolls, for replays; a game without bricks has dice."""
    return f"the law {called} (a side: {float(law.p):.4f})" if game.rolls_bricks else "dice"


def table_origin(game: AnyGame) -> str:
    """Return in words that people roll, for replays."""
    return f"{'bricks thrown' if game.rolls_bricks else 'dice rolled'} on a table"


def state_folder(kind: str) -> Path | None:
    """Return the folder of kept games of a kind, which may not exist yet; None where the user has no home."""
    root = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not root.is_absolute():
        try:
            root = Path.home() / ".local" / "state"
        except RuntimeError:
            return None
    return root / "brickphys" / kind


def keep_private(path: Path, content: bytes, most: int = 1) -> None:
    """Keep a file that nobody else may read, and no more than `most` in its folder; InvalidValueError if it fails."""
    try:
        if not path.exists():
            make_folder(path.parent).chmod(0o700)
            remove_oldest(path.parent, path.suffix, most)
        write_synced(content, path)
    except OSError as error:
        raise InvalidValueError(error.strerror or str(error)) from None
