"""Home input: bricks counted at home, surface by surface, and the progress of response surfaces for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from brickphys.calibration.home_counts import HomeCounts
from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.text import counted
from brickphys.throws.surfaces import Surface, is_surface_file, surface


@contextmanager
def response_progress() -> Iterator[Progress]:
    """Show the progress of a response surface that is thrown in the block."""
    with output.progress() as advance:
        yield partial(advance, "response surface")


def surface_at_home(name: str) -> Surface:
    """Return the surface of a name, in whatever case, or of a surface file."""
    return surface(name if is_surface_file(name) else name.lower())


def hands_by_surface(counts: HomeCounts, name: str | None) -> dict[str, HomeCounts]:
    """Return the hands of each surface, or those of the given one."""
    if counts.surfaces is None:
        return {name or "wood": counts}
    hands = dict(counts.by_surface())
    if name is None:
        return hands
    if name not in hands:
        raise InvalidValueError(f"--surface {name}: the file has hands on {', '.join(hands)} only")
    left_out = [
        f"{counted(other.hands, 'hand')} on {on}" for on, other in hands.items() if on != name
    ]
    if left_out:
        echo(f"note: --surface {name} leaves out {', '.join(left_out)}", err=True)
    return {name: hands[name]}
