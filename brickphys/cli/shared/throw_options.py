"""Throw options: how and onto what bricks are thrown, as one value of a command, and the film of a throw."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options
from brickphys.cli.shared.output import check_plot, drawing, note_written
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import Conditions, preset, surface
from brickphys.throws.conditions import preset as known

if TYPE_CHECKING:
    from brickphys.calibration.live import LiveChance

_DEFAULT_PRESET, _DEFAULT_FLOOR = "hand", "plane"


def conditions(preset: str | Conditions, **changes: Any) -> Conditions:
    """Return the conditions of one brick, by the name of a preset or as given, called custom if a value is not None."""
    from dataclasses import replace

    changes = {name: value for name, value in changes.items() if value is not None}
    how = known(preset) if isinstance(preset, str) else preset
    return replace(how, preset="custom", **changes) if changes else how


def _number(option: str, what: str) -> "_Option":
    return lambda default: click.option(
        option, type=float, help=f"{what}{f'  [default: {default}]' if default else ''}"
    )


_Option = Callable[[str], Callable[[Any], Any]]
"""Returns the decorator that adds an option, by what is told of its default."""
_OPTIONS: dict[str, _Option] = {
    "preset": options.preset_option,
    "floor": lambda _: options.floor_option,
    "surface": lambda _: options.surface_option,
    "height_mm": lambda _: click.option(
        "--height-mm",
        type=options.height_range,
        metavar="LO:HI",
        help="Height of the centre of mass at release: lowest and highest.",
    ),
    "speed_m_s": _number("--speed-m-s", "RMS speed on each horizontal axis."),
    "spin_rad_s": _number("--spin-rad-s", "RMS angular speed about each axis."),
    "start": lambda _: click.option(
        "--start",
        help="Orientation at release: any, flip (turning over about a level axis), or a pose, as picked up.",
    ),
    "friction": _number("--friction", "Friction of body and surface."),
    "restitution": _number("--restitution", "Restitution, 0 to 0.7."),
}
_DEFAULTS = {
    "friction": "middle of the surface's range",
    "restitution": "middle of the range",
}


def throw_options(*names: str, **defaults: str) -> Callable[..., Any]:
    """Return the decorator that adds options by the parameters of `brickphys.throw`, all by default.

    What is told of a default may be given; the preset has then none.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names or [*_OPTIONS]):
            command = _OPTIONS[name]({**_DEFAULTS, **defaults}.get(name, ""))(command)
        return command

    return decorate


@dataclass(frozen=True)
class LiveOptions:
    """Whether bricks are thrown live, and how and onto what; None where an option was not given."""

    live: bool
    preset: str | None
    floor: str | None
    surface: str | None

    def check(self) -> None:
        """Raise InvalidValueError if options say how to throw, but nothing is thrown."""
        if not self.live and not (self.preset is self.surface is self.floor is None):
            raise InvalidValueError(
                "--preset, --floor and --surface need --live: a law has its own"
            )

    def thrower(self, root: int) -> "tuple[LiveChance, str]":
        """Return the source of live throws, and how and onto what it throws, in words.

        InvalidValueError if a name is unknown.
        """
        from brickphys.calibration.live import LiveChance
        from brickphys.throws.release import floor

        form = floor(_DEFAULT_FLOOR if self.floor is None else self.floor)
        kind = form.surface if self.surface is None else self.surface
        thrower = LiveChance(
            root,
            conditions=preset(_DEFAULT_PRESET if self.preset is None else self.preset),
            contact=surface(kind).nominal,
            floor=form,
        )
        return thrower, f"{thrower.shape}, {thrower.conditions.preset}, {form.name} of {kind}"


live_options = options.grouped(
    "rolls",
    LiveOptions,
    {
        "live": click.option(
            "--live", is_flag=True, help="Throw the bricks in the physics engine."
        ),
        "preset": click.option(
            "--preset",
            help="Kind of throw, with --live: hand, gentle, toss, roll, drop, cup or flip.  [default: hand]",
        ),
        "floor": click.option(
            "--floor", help="Floor, with --live: plane, baseplate or tray.  [default: plane]"
        ),
        "surface": click.option(
            "--surface",
            help="Surface, with --live: wood, glass, cloth or plastic.  [default: wood; plastic on a baseplate]",
        ),
    },
)
"""Adds ``--live``, ``--preset``, ``--floor`` and ``--surface`` to a command, which gets them as `rolls`."""


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
        """Film the roll of an address, if that is wanted; InvalidValueError if the film would be too long."""
        if self.animate is None:
            return
        from brickphys.plots.gif import save_gif
        from brickphys.plots.physics_film import THROW_FRAME_MS, ThrowFilm, every_s

        slow = _SLOW if self.slow is None else self.slow
        with drawing() as advance:
            recording = thrower.record(bricks, address, every_s(slow))
            film = ThrowFilm(recording, thrower.floor, title)
            if len(film) > _MOST_PICTURES:
                raise InvalidValueError(
                    f"--slow {slow:g}: the film would have {len(film)} pictures (at most {_MOST_PICTURES})"
                )
            save_gif(film, self.animate, THROW_FRAME_MS, partial(advance, "film"))
        note_written("film", self.animate)


throw_film_options = options.grouped(
    "film",
    ThrowFilmOptions,
    {
        "animate": click.option(
            "--animate", type=options.FILE, help="Film the throw, with --live: .gif."
        ),
        "slow": click.option(
            "--slow",
            type=click.FloatRange(0.1, 100),
            help=f"How many times slower the film is than the throw.  [default: {_SLOW:g}]",
        ),
    },
)
"""Adds ``--animate`` and ``--slow`` to a command, which gets them as `film`."""
