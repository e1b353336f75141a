"""Painter: the drawing functions that a game supplies; the pictures of all games are made with them."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Generic

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from brickphys.errors import InvalidValueError
from brickphys.plots.labels import Box, Label, draw_labels
from brickphys.plots.marks import draw_marks
from brickphys.plots.pieces import Pieces
from brickphys.rules.colours import player_colours
from brickphys.rules.record import State
from brickphys.rules.report.army import ArmyUnit
from brickphys.text import short_name
from brickphys.units import STUD_MM


class Painter(ABC, Generic[State]):
    """Draws the field and the pieces of one game; it is made without parameters.

    A game names its painter as `pictures` (see `brickphys.rules.game.Game`).

    Attributes
    ----------
    unit
        The unit of lengths on the field, for the axes.
    unit_mm
        Its true length; of a game that knows none any number.
    least_inches
        The least length of a unit in pictures, where pieces are as large as that.
    """

    unit: str = "studs"
    unit_mm: float = STUD_MM
    least_inches: float = 0.0

    @abstractmethod
    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field."""

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the field without its pieces."""

    @abstractmethod
    def pieces(self, state: State) -> Pieces:
        """Return what stands on the field, with its names: values, of which a film draws only those that are new."""

    def draw_pieces(
        self, state: State, labels: Sequence[Label], written: Sequence[Box], ax: Axes
    ) -> None:
        """Draw the pieces, and write their names and other labels where they cover nothing that is written."""
        pieces = self.pieces(state)
        draw_marks(pieces.marks, ax)
        draw_labels([*labels, *pieces.labels], [*pieces.taken, *written], ax)

    @abstractmethod
    def players(self, state: State) -> Sequence[str]:
        """Return the names of the players."""

    def colours(self, state: State) -> Sequence[str]:
        """Return the colour of each player: those of their names, if the game does not know better."""
        return player_colours(self.players(state))

    def called(self, state: State, unit: str) -> str:
        """Return what a unit is called in pictures, given its name: this without that of its player, or its letter."""
        return short_name(unit, self.players(state))

    def ground(self, state: State) -> Hashable:
        """Return what the look of the field depends on: a film draws it anew only where this has changed."""
        return None

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the entries of the legend besides the players' colours."""
        return ()

    def later_entries(self, state: State) -> int:
        """Return how many more entries the legend may get while a game is played."""
        return 0

    def signs(self, state: State) -> str:
        """Return a sentence on signs of its own that a picture of this state shows; empty if there are none."""
        return ""

    def sheets_figure(self, sheets: Sequence[Any]) -> Figure:
        """Return a picture of description sheets of this game; InvalidValueError if it draws none."""
        raise InvalidValueError(f"--plot: no picture of {', '.join(one.name for one in sheets)}")

    def true_size_mm(self, sheet: Any) -> tuple[float, float]:
        """Return width and height of the picture of a sheet on paper; InvalidValueError if it draws none."""
        raise InvalidValueError(f"no picture of {sheet.name} in true size")

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw a sheet on axes that have the size of `true_size_mm`."""

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        """Draw what is seen of a unit from above inside its footprint, whose middle is at the origin of the axes."""
