"""Game output: the result, story, picture, film and page of a game that was played.

While bots play, those who wait see how far a game has come: a line at a terminal, elsewhere one note.
"""

import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.battles.players import AnyRecord, result_text
from brickphys.battles.start import title_of
from brickphys.cli.shared import options, output
from brickphys.errors import InvalidValueError, naming
from brickphys.files import check_target, write_whole
from brickphys.notes import Waiting
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, Step, Watcher
from brickphys.rules.registry import builder, painter
from brickphys.rules.report.trajectories import Trajectories
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.plots.painter import Painter
    from brickphys.rules.report.analysis import Analysis

_STORY_WIDTH = 100

story_option = click.option("--story", is_flag=True, help="Print what happened, round by round.")
save_roster_option = click.option(
    "--save-roster",
    type=options.FILE,
    help="When the game is over, write the units that survived to this .toml file, for `play --roster`.",
)


@dataclass(frozen=True)
class PictureOptions:
    """The files of picture, film and page of a game, None where none is wanted, and what of the game they show.

    Without `rounds` (the first and the last) they show all of it, without `side` (a player by name) the ways of all.
    """

    plot: Path | None
    film: Path | None
    force: bool
    rounds: tuple[int, int] | None = None
    side: str | None = None
    html: Path | None = None

    @property
    def files(self) -> dict[str, Path | None]:
        """The files by their options."""
        return {"--plot": self.plot, "--animate": self.film, "--html": self.html}

    @property
    def is_wanted(self) -> bool:
        """Whether any of the files is wanted."""
        return any(self.files.values())

    def painter(self, game: AnyGame, *, is_judged: bool = False) -> "Painter[Any] | None":
        """Return the painter of a game if pictures of its field are wanted, before the game is played.

        Where it is judged, the plot is none of its field. InvalidValueError if a file cannot be written, the game has
        no pictures, or none is wanted of some rounds or of one side.
        """
        if self.rounds and not self.is_wanted:
            raise InvalidValueError("--rounds needs --plot, --animate or --html")
        if self.side and not (self.plot or self.film):
            raise InvalidValueError("--side needs --plot or --animate")
        if is_judged and self.plot and (self.rounds or self.side):
            raise InvalidValueError(
                "--plot with --analyse shows the whole game: leave out --rounds and --side"
            )
        output.check_plot(self.plot, force=self.force)
        output.check_plot(self.film, force=self.force, option="--animate", suffixes=(".gif",))
        output.check_page(self.html, force=self.force)
        if self.html:
            builder(game)
        return painter(game) if self.film or (self.plot and not is_judged) else None

    def save(
        self,
        game: AnyGame,
        record: AnyRecord,
        painter: "Painter[Any] | None",
        viewer: int | None = None,
        title: str = "",
        analysis: "Analysis | None" = None,
    ) -> None:
        """Draw, film and show a game that was played, as a viewer may know it; see `brickphys.rules.game.Game.tell`.

        The title of its scenario heads the page; without one, that of the setup that ships, if it began with that. Of a
        game that is judged the chance to win is drawn.
        """
        if self.plot is not None and analysis is not None:
            from brickphys.plots.analysis import analysis_figure

            output.save_plot(analysis_figure(game, record, analysis), self.plot)
            replace(self, plot=None).save(game, record, painter, viewer, title, analysis)
            return
        if not self.is_wanted:
            return
        trajectories = game.trajectories(record, **({} if viewer is None else {"viewer": viewer}))
        if self.rounds is not None:
            if self.rounds[0] <= trajectories.last_round < self.rounds[1]:
                output.echo_line(f"--rounds: the game has {trajectories.rounds_told}", err=True)
            with naming("--rounds"):
                trajectories = trajectories.during(*self.rounds)
        if self.side is not None:
            with naming("--side"):
                trajectories = trajectories.side(self.side)
        if self.html is not None:
            from brickphys.view.battle import battle_page

            scenario = title or title_of(game, record.setup)
            page = battle_page(game, trajectories, scenario)
            if analysis is not None:
                from brickphys.view.chances import with_chances

                page = with_chances(page, record, trajectories, analysis)
            output.save_page(page, self.html)
        if painter is None:
            return
        if self.plot is not None:
            from brickphys.plots.battle import trajectories_figure

            output.save_plot(trajectories_figure(trajectories, painter), self.plot)
        if self.film is not None:
            _save_film(trajectories, painter, self.film)


def _save_film(trajectories: Trajectories[Any], painter: "Painter[Any]", path: Path) -> None:
    from brickphys.plots.film import FRAME_MS, Film
    from brickphys.plots.gif import save_gif

    with output.drawing() as advance:
        film = Film(trajectories, painter)
        save_gif(film, path, FRAME_MS, partial(advance, "film"), sampled=(0,))
    output.note_written("film", path)
    if film.left_out:
        turns = len(film) + film.left_out
        told = f"it shows {len(film)} of {turns} turns and actions; its captions name the others"
        output.echo_line(f"film: {told}", err=True)


picture_options = options.grouped(
    "pictures",
    PictureOptions,
    {
        "plot": options.plot_option("Draw the course of the game"),
        "film": click.option(
            "--animate", "film", type=options.FILE, help="Film the game to this .gif file."
        ),
        "rounds": click.option(
            "--rounds",
            type=options.round_range,
            metavar="A..B",
            help="Draw, film and show only these rounds (turns, days): 3, or 2..4.",
        ),
        "side": click.option(
            "--side",
            metavar="PLAYER",
            help="Draw only the ways and names of this player's units; film only its turns and losses.",
        ),
        "html": options.html_option("the game"),
        "force": options.force_option,
    },
)
"""Adds ``--plot``, ``--animate``, ``--rounds``, ``--side``, ``--html`` and ``--force`` to a command, as `pictures`."""


def check_roster(game: AnyGame, path: Path | None, *, force: bool) -> None:
    """Raise InvalidValueError if a game keeps no roster, or none can be written to `path`, before any work is done."""
    if path is None:
        return
    if not game.keeps_rosters:
        raise InvalidValueError(f"--save-roster {path}: {game.name} keeps no rosters")
    if path.suffix.lower() != ".toml":
        raise InvalidValueError(f"--save-roster {path}: the name must end in .toml")
    check_target(path, force=force)


def write_roster(game: AnyGame, record: AnyRecord, path: Path | None, *, force: bool) -> None:
    """Write who survived a game, if that is wanted; InvalidValueError if the game is not over."""
    if path is not None:
        with naming(f"--save-roster {path}"):
            text = game.roster(record.final)
        write_whole(text, path, force=force)
        output.note_written("roster", path)


def print_game(game: AnyGame, record: AnyRecord, *, story: bool, goes_on: str = "") -> None:
    """Print the result of a game, after its story if that is wanted; see `result_text`."""
    if story:
        print_story(game, record)
    output.echo(result_text(game, record, goes_on))


def print_story(game: AnyGame, record: AnyRecord, viewer: int | None = None) -> None:
    """Print the story of a game, as a viewer may know it; see `brickphys.rules.game.Game.tell`."""
    print_lines(game.story(record, viewer))
    output.echo()


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of a story, the long ones folded."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        output.echo(
            textwrap.fill(
                line.strip(),
                _STORY_WIDTH,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + 2),
                break_on_hyphens=False,
            )
        )


@contextmanager
def game_progress(game: AnyGame) -> Iterator[Watcher[Any, Any]]:
    """Yield a watcher of the steps of a game, which shows on standard error how far it is once it has taken long."""
    actions, line = 0, None
    waiting = Waiting()
    with ExitStack() as stack:

        def watch(_before: Any, step: Step[Any, Any]) -> None:
            nonlocal actions, line
            actions += step.actor != CHANCE
            if not waiting.is_long:
                return
            number = game.rounds(step.after)
            where = f"{game.round_word.lower()} {number}, " if number else ""
            told = f"the bots play: {where}{counted(actions, 'action')}"
            if sys.stderr is None or not sys.stderr.isatty():
                if not waiting.is_told:
                    output.echo_line(f"{told} in {waiting.seconds:.0f} s", err=True)
                waiting.is_told = True
                return
            if line is None:
                from rich.console import Console

                line = stack.enter_context(Console(stderr=True).status(told))
            line.update(told)

        yield watch
