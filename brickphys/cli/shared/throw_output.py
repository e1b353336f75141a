"""Throw output: writes the film of a throw."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared.options import FILE, grouped
from brickphys.cli.shared.output import check_plot, drawing, note_written
from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from brickphys.calibration.live import LiveChance

_SLOW = 4.0
"""How many times slower a film is than its throw, if nobody says."""
_MOST_PICTURES = 2000


@dataclass(frozen=True)
class ThrowFilmOptions:
    """The file of the film of a throw, None where none is wanted, and how many times slower than the throw it is."""

    animate: Path | None
    slow: float | None

    def check(self, bricks: int, *, is_thrown: bool, force: bool) -> None:
        """Raise InvalidValueError if there is nothing to film, or no film can be written, before any work is done."""
        if self.slow is not None and self.animate is None:
            raise InvalidValueError("--slow needs --animate")
        if self.animate is not None and not is_thrown:
            raise InvalidValueError("--animate films a throw, and needs --live")
        if self.animate is not None and bricks == 0:
            raise InvalidValueError("--animate: a throw needs at least 1 brick")
        check_plot(self.animate, force=force, option="--animate", suffixes=(".gif",))

    def save(
        self, thrower: "LiveChance", bricks: int, address: tuple[int, ...], title: str
    ) -> None:
        """Film the roll of an address, if that is wanted.

        Raises
        ------
        InvalidValueError
            If the film would be too long.
        """
        if self.animate is None:
            return
        from brickphys.plots.calibration.throw_film import FRAME_MS, ThrowFilm, every_s
        from brickphys.plots.gif import save_gif

        slow = _SLOW if self.slow is None else self.slow
        with drawing() as advance:
            recording = thrower.record(bricks, address, every_s(slow))
            film = ThrowFilm(recording, thrower.floor, title)
            if len(film) > _MOST_PICTURES:
                raise InvalidValueError(
                    f"--slow {slow:g}: the film would have {len(film)} pictures (at most {_MOST_PICTURES})"
                )
            save_gif(film, self.animate, FRAME_MS, partial(advance, "film"))
        note_written("film", self.animate)


throw_film_options = grouped(
    "film",
    ThrowFilmOptions,
    {
        "animate": click.option("--animate", type=FILE, help="Film the throw, with --live: .gif."),
        "slow": click.option(
            "--slow",
            type=click.FloatRange(0.1, 100),
            help=f"How many times slower the film is than the throw.  [default: {_SLOW:g}]",
        ),
    },
)
"""Adds ``--animate`` and ``--slow`` to a command, which gets them as `film`."""
