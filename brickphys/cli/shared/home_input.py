"""Home input: bricks counted at home, surface by surface, and the progress of response surfaces for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from brickphys.cli.shared import output
from brickphys.notes import Progress


@contextmanager
def response_progress() -> Iterator[Progress]:
    """Show the progress of a response surface that is thrown in the block."""
    with output.progress() as advance:
        yield partial(advance, "response surface")
