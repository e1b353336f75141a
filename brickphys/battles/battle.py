"""Battle: the value that a played or replayed game returns, with its result and its story."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brickphys.battles.players import AnyRecord, result_document, result_text, seated
from brickphys.battles.start import find_setup, law_rolls
from brickphys.errors import InvalidValueError
from brickphys.interface import Drawn, Row, public
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.odds.law_file import DEFAULT
from brickphys.rules.game import AnyGame
from brickphys.rules.play import MAX_STEPS
from brickphys.rules.play import play as play_game
from brickphys.rules.record import CHANCE
from brickphys.rules.registry import code_of, filed_game
from brickphys.rules.registry import game as registered
from brickphys.rules.replay import play_back, played_stamp, read_replay, write_replay
from brickphys.seeds import chosen_root


@dataclass(frozen=True, repr=False, eq=False)
class Battle(Drawn):
    """A played game."""

    game: AnyGame
    record: AnyRecord
    rolls: str
    """The source of the rolls, in words."""

    drawn_by = "battle:battle_figure"

    @property
    def winner(self) -> int | None:
        """The player with the highest return; None if there is no single one, or if the game is not over."""
        return self.record.winner

    @property
    def returns(self) -> tuple[Any, ...] | None:
        """The return to each player; None unless the game is over."""
        return self.record.returns

    @property
    def seed(self) -> int:
        """Root seed; the same seed, setup and players give the same game."""
        return self.record.root

    def line(self) -> str:
        """Return one line: who won, and the length of the game."""
        return f"{self.record.game}: {result_text(self.game, self.record)}"

    def rows(self) -> list[Row]:
        """Return one row for each step: who acted (or chance), and what happened."""
        found: list[Row] = []
        before = self.record.initial
        for number, step in enumerate(self.record.steps, start=1):
            is_chance = step.actor == CHANCE
            who = "chance" if is_chance else self.game.player_name(before, step.actor)
            told = " ".join(self.game.tell(before, step).splitlines())
            what = str(step.move) if is_chance else self.game.format_action(step.move)
            found.append({"step": number, "who": who, "move": what, "told": told})
            before = step.after
        return found

    def story(self) -> list[str]:
        """Return what happened, round by round."""
        return list(self.game.story(self.record))

    def document(self) -> dict[str, Any]:
        """Return the result as the JSON of the command ``play``."""
        return result_document(self.game, self.record)

    @public()
    def save(self, path: Path | str, *, force: bool = False) -> Path:
        """Write the replay, which `brickphys.replay` and the command ``replay`` play back; `force` replaces a file."""
        stamp = played_stamp(self.game)
        return write_replay(self.game, self.record, path, law=self.rolls, stamp=stamp, force=force)


@public()
def play(
    game: str | AnyGame,
    scenario: str | Path | None = None,
    bots: str | Sequence[str] = "greedy",
    *,
    law: LawLike = DEFAULT,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    max_steps: int = MAX_STEPS,
) -> Battle:
    """Play a game between bots.

    Parameters
    ----------
    game
        Its name (`brickphys.games` lists them), or a game.
    scenario
        A shipped setup, or a file; without one, the message names what ships with the game.
    bots
        ``"hard"``, ``"greedy"``, ``"fair"``, ``"easy"``, ``"lookahead"`` or ``"random"`` for each player in order; one
        name stands for all.
    law
        The law of the bricks, as of `brickphys.odds`.
    options
        Options of the rules: name -> value.
    seed
        Root seed; None draws one.
    max_steps
        Largest number of actions and rolls; a longer game is stopped.

    Raises
    ------
    InvalidValueError
        If a name is unknown, or a file has a fault.
    BrokenGameError
        If a game of your own raises an error; the message names the file and line.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.play("bow", "duel", "random", seed=7)
    <bow: a draw after 192 actions in 20 rounds (seed 7)>
    """
    played = registered(game) if isinstance(game, str) else game
    if scenario is None:
        raise InvalidValueError(
            f"play(): name a scenario of {played.name}: {', '.join(played.setups)}"
        )
    rolled, name = named_law(law)
    root = chosen_root(seed)
    with code_of(played):
        setup = find_setup(played, str(scenario), options or {})
        players = seated(played, setup, bots, rolled)
        record = play_game(
            played, setup, players, law_rolls(rolled, root), root=root, max_steps=max_steps
        )
    return Battle(played, record, name if played.rolls_bricks else "dice")


@public()
def replay(path: Path | str, game: str | AnyGame | None = None) -> Battle:
    """Play back a replay file, and check every line of it.

    Parameters
    ----------
    path
        The file.
    game
        A game of your own that it was recorded with: a game, or ``"module:Class"``. A file alone never runs code.

    Raises
    ------
    ReplayFileError
        If the file cannot be read, was cut or edited, is of another game, or if its game plays differently now; the
        message names the line.
    InvalidValueError
        If the file names a game that is not installed, and `game` does not say which it is.
    """
    written = read_replay(path)
    named = filed_game(written.game) if game is None else game
    played = registered(named) if isinstance(named, str) else named
    with code_of(played):
        return Battle(played, play_back(played, written, str(path)), written.law)
