"""Game rolls: what answers the chance events of a game: a law, live throws, or a person at a table."""

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.options import chosen_law, grouped, law_option
from brickphys.cli.shared.throw_options import LiveOptions, live_options
from brickphys.errors import InvalidValueError
from brickphys.rules.game import AnyGame

if TYPE_CHECKING:
    from brickphys.odds.law import Law
    from brickphys.rules.events.sources import EventSource
    from brickphys.rules.players.keyboard import Keyboard


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
    def law(self) -> "Law":
        """The law that bots and persons reckon with."""
        return chosen_law(self.law_file)

    def source(
        self, game: AnyGame, law: "Law", root: int, keyboard: "Keyboard[Any, Any]"
    ) -> "tuple[EventSource, str]":
        """Return the source of the chance events, and its description in a replay."""
        from brickphys.battles.rolls import law_rolls, told_law

        if self.typed:
            return _typed(game, keyboard)
        if not (game.rolls_bricks and self.rolls.live):
            called = "default" if self.law_file is None else self.law_file
            return law_rolls(law, root), told_law(game, law, called)
        thrower, how = self.rolls.thrower(root)
        thrower.check_together()
        return law_rolls(law, root, thrower.roll), f"bricks thrown live ({how})"


def _typed(game: AnyGame, keyboard: "Keyboard[Any, Any]") -> "tuple[EventSource, str]":
    """Return a person at the keyboard, who may type a roll once more."""
    from brickphys.battles.rolls import told_table
    from brickphys.rules.events.bricks import BrickRoll
    from brickphys.rules.events.sources import TypedSource
    from brickphys.rules.players.teller import Teller

    if not keyboard.readers:
        Teller(game, None, keyboard)  # whoever types the rolls of bots
    keyboard.corrects = lambda state: game.chance(state) != BrickRoll(0)
    undo = partial(keyboard.undo, game, keyboard.seats)
    source = TypedSource(keyboard.line, keyboard.write, keyboard.tell_news, undo)
    return source, told_table(game)


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
