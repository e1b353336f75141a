"""Live: the options that say how and on what bricks are thrown live, and who throws them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from brickphys.calibration.live import LiveChance

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--live", is_flag=True, help="Throw the bricks in the physics engine."),
    click.option("--preset", help="How, with --live: hand (if not given), drop or cup."),
    click.option("--floor", help="Its form, with --live: plane (if not given), baseplate or tray."),
    click.option(
        "--surface",
        help="On what, with --live: wood (if not given), glass, cloth or plastic (a baseplate's).",
    ),
)


def live_options(command: Command) -> Command:
    """Add ``--live``, ``--preset``, ``--floor`` and ``--surface``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_live(*, live: bool, preset: str | None, floor: str | None, surface: str | None) -> None:
    """Raise InvalidValueError if it is said how to throw what is not thrown."""
    from brickphys.errors import InvalidValueError

    if not live and not (preset is surface is floor is None):
        raise InvalidValueError("--preset, --floor and --surface need --live: a law has its own")


def live_chance(
    root: int, preset: str | None, floor: str | None, surface: str | None
) -> "tuple[LiveChance, str]":
    """Return who throws the bricks, and how and on what in words; InvalidValueError if a name is unknown."""
    from brickphys.calibration.live import LiveChance
    from brickphys.throws.conditions import preset as preset_named
    from brickphys.throws.floors import floor as floor_named
    from brickphys.throws.surfaces import surface as surface_named

    form = floor_named("plane" if floor is None else floor)
    kind = form.surface if surface is None else surface
    thrower = LiveChance(
        root,
        conditions=preset_named("hand" if preset is None else preset),
        contact=surface_named(kind).nominal,
        floor=form,
    )
    return thrower, f"{thrower.shape}, {thrower.conditions.preset}, {form.name} of {kind}"
