"""Marks: things in a picture as values, so that a film can find what has changed."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes


@dataclass(frozen=True)
class Mark:
    """Something in a picture: a function that draws it on axes, and what else that function is given.

    Equal marks look alike.

    Attributes
    ----------
    draw
        Is called with all of `given` and the axes.
    given
        Values that can be hashed.
    """

    draw: Callable[..., object]
    given: tuple[Hashable, ...] = ()

    def on(self, ax: Axes) -> None:
        """Draw it."""
        self.draw(*self.given, ax)


def draw_marks(marks: Iterable[Mark], ax: Axes) -> None:
    """Draw marks in their order."""
    for mark in marks:
        mark.on(ax)


def told_apart(marks: Iterable[Mark]) -> Iterator[tuple[Mark, int]]:
    """Yield each mark with how many equal ones came before it."""
    seen = Counter[Mark]()
    for mark in marks:
        yield mark, seen[mark]
        seen[mark] += 1
