"""Predict: what counts of a body will show, written down before anybody counts.

A page of predictions is worth something because it was made first. It names the date, the program and the seed, so that
anybody can make it again, and for each pose the interval in which a count should lie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from time import strftime
from typing import Any

from scipy.stats import betabinom

from brickphys import __version__
from brickphys.calibration.throw import Throws, throw
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import StageProgress
from brickphys.stamp import stamp_here
from brickphys.text import percent, percent_range
from brickphys.throws.conditions import surface as surface_named

MOST_COUNTED = 1_000_000
_PAGE_COLUMNS = 120


@dataclass(frozen=True)
class PosePrediction:
    """How often a body will stop in a pose."""

    pose: str
    share: float
    """On the nominal surface."""
    range: tuple[float, float]
    """Least and greatest share on the nominal surface, and at the ends of the ranges of friction and restitution."""
    count: tuple[int, int]
    """In 95 % of all counts on any of these surfaces, at least and at most so many throws."""


@dataclass(frozen=True)
class Prediction:
    """How a body will stop by one kind of throw."""

    shape: str
    preset: str
    poses: tuple[PosePrediction, ...]


@dataclass(frozen=True)
class Predictions:
    """Predictions of some bodies on one surface."""

    made: tuple[Prediction, ...]
    surface: str
    counted: int
    """The throws of a count."""
    throws: int
    root: int
    day: str

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "date": self.day,
            "version": __version__,
            "stamp": stamp_here().digest,
            "surface": self.surface,
            "counted": self.counted,
            "throws": self.throws,
            "seed": self.root,
            "predictions": [
                {
                    "shape": one.shape,
                    "preset": one.preset,
                    "poses": {
                        pose.pose: {
                            "share": pose.share,
                            "range": list(pose.range),
                            "count": list(pose.count),
                        }
                        for pose in one.poses
                    },
                }
                for one in self.made
            ],
        }

    def text(self) -> str:
        """Return the page, in Markdown."""
        of = f"{self.counted:,}"
        told = (
            f"Made on {self.day} by brickphys {__version__} (program and libraries "
            f"{stamp_here().digest[:12]}), seed {self.root}, {self.throws:,} throws a row, without any count. "
            f"In 95 of 100 counts of {of} such throws of this body on such a table the number lies in the last column. "
            "A count outside it contradicts the model of the body, of the table or of the hand."
        )
        parts = [f"# Predictions for {self.surface}", fill(told, _PAGE_COLUMNS)]
        for shape in dict.fromkeys(one.shape for one in self.made):
            rows = [
                f"| `{one.preset}` | {pose.pose} | {percent(pose.share)} | {percent_range(*pose.range)} "
                f"| {pose.count[0]:,} to {pose.count[1]:,} |"
                for one in self.made
                if one.shape == shape
                for pose in one.poses
            ]
            head = [f"| throw | pose | share | over tables | of {of} |", "|---|---|---|---|---|"]
            parts.append("\n".join([f"## {shape}", "", *head, *rows]))
        return "\n\n".join(parts)


def predict(
    shapes: Sequence[str],
    presets: Sequence[str],
    surface: str,
    counted: int,
    throws: int,
    root: int,
    *,
    workers: int = 1,
    progress: StageProgress | bool = True,
    day: str | None = None,
) -> Predictions:
    """Return predictions of each shape by each preset on a surface.

    Raises InvalidValueError if a name is unknown, or a number impossible; CancelledRunError on Ctrl-C.

    Parameters
    ----------
    counted
        How many throws somebody will count.
    throws
        Throws of each shape by each preset on each of five surfaces.
    day
        The date when they are made; None for today.
    """
    if twice := [shape for shape in shapes if shapes.count(shape) > 1]:
        raise InvalidValueError(f"shape {twice[0]} is there twice")
    if not 1 <= counted <= MOST_COUNTED:
        raise InvalidValueError(f"counted {counted} is outside 1..{MOST_COUNTED}")
    on = surface_named(surface)
    made = []
    for shape in shapes:
        for preset in presets:
            found = [
                throw(
                    shape, throws, preset=preset, surface=surface, friction=contact.friction,
                    restitution=contact.restitution, seed=root, workers=workers, progress=progress,
                )
                for contact in (on.nominal, *on.of_impacts.corners)
            ]  # fmt: skip
            if not all(one.complete for one in found):
                raise CancelledRunError(f"interrupted while {shape} was thrown: no page")
            made.append(Prediction(shape, preset, tuple(_poses(found, counted))))
    return Predictions(tuple(made), on.name, counted, throws, root, day or strftime("%Y-%m-%d"))


def _poses(found: Sequence[Throws], counted: int) -> Iterator[PosePrediction]:
    """Yield the prediction of each pose that came on any surface; the first of them is the nominal one."""
    for pose in found[0].counts:
        throws, times = found[0].tally.bricks, [one.counts[pose] for one in found]
        low, high = min(times), max(times)
        if high:  # Jeffreys' posterior of a share: its throws have an error, too
            least = betabinom.ppf(0.025, counted, low + 0.5, throws - low + 0.5)
            most = betabinom.ppf(0.975, counted, high + 0.5, throws - high + 0.5)
            shares = times[0] / throws, (low / throws, high / throws)
            yield PosePrediction(pose, *shares, (int(least), int(most)))
