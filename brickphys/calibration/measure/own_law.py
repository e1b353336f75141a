"""Own law: the law of one table and one hand, from what was measured and counted there."""

from dataclasses import dataclass
from pathlib import Path

from brickphys.arguments import public
from brickphys.calibration.home import hands_by_surface, surface_at_home
from brickphys.calibration.home_counts import HomeCounts, read_home_counts
from brickphys.calibration.measure.measured_base import base_law, measured_response, rng_of
from brickphys.calibration.measure.measured_law import measured_law
from brickphys.calibration.measure.measured_posterior import MeasuredPosterior, measured_posterior
from brickphys.calibration.measure.measurement_file import read_measurements
from brickphys.display import Drawn, Row
from brickphys.notes import Progress
from brickphys.odds.law import Law
from brickphys.progress import steps
from brickphys.seeds import chosen_root
from brickphys.text import percent, percent_range


@dataclass(frozen=True, repr=False, eq=False)
class Measured(Drawn):
    """The law of one table and one hand.

    Attributes
    ----------
    law
        The law, ready for the odds.
    posterior
        The chance of a side, and the causes that it follows from.
    counts
        Counted throws; None without counts.
    surface, seed
        Name of the surface; root seed of the draws of the causes.
    """

    law: Law
    posterior: MeasuredPosterior
    counts: HomeCounts | None
    surface: str
    seed: int

    drawn_by = "calibration.law:measured_figure"

    @property
    def p_side(self) -> float:
        """Chance of a side on this table by this hand."""
        return self.posterior.p.mean

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % interval of `p_side`."""
        return self.posterior.p.ci95

    @property
    def range90(self) -> tuple[float, float]:
        """90 % range of `p_side`, for this table and hand."""
        return self.posterior.p.range90

    def line(self) -> str:
        """Return one line: the chance of a side with its 95 % interval."""
        return (
            f"{self.law.shape} on a table like {self.surface}, as measured: a side in {percent(self.p_side)} "
            f"(95 % interval {percent_range(*self.ci95)})"
        )

    def rows(self) -> list[Row]:
        """Return one row for each cause: mean, 95 % interval, and whether it was measured."""
        assert self.law.measured is not None
        return [
            {
                "cause": name,
                "mean": cause.mean,
                "ci95_low": cause.ci95[0],
                "ci95_high": cause.ci95[1],
                "measured": cause.measured,
            }
            for name, cause in self.law.measured.causes.items()
        ]


@public()
def measure(
    file: Path | str,
    counts: Path | str | None = None,
    surface: str | Path = "wood",
    *,
    law: Path | str | None = None,
    throws: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    progress: Progress | bool = True,
    command: str = "",
) -> Measured:
    """Return the law of one table and one hand from its measurements.

    Parameters
    ----------
    file
        Measurement file, as the commands ``measure tilt``, ``drop`` and ``film`` write it. Causes without a test have
        the ranges of the surface and of the throw.
    counts
        File of counted throws, in the format of `brickphys.infer`; None without counts.
    surface
        The kind of table; its ranges are used for causes that were not measured.
    law
        A law that gives the shape, and the throw if there is no film; None for the shipped law of the surface.
    throws
        Compute a response surface around the filmed throw from this many throws; None for the shipped one.
    seed
        Root seed; None draws one.
    workers
        Number of processes; the result does not depend on it. A script that asks for more than one needs the guard
        ``if __name__ == "__main__":``.
    progress
        Of the throws of a new response surface: True shows a bar at a terminal or in a notebook, after two seconds;
        False shows nothing. A function is called with the throws so far, and all of them.
    command
        The command that is stored in the law.

    Raises
    ------
    InvalidValueError
        If a file has a fault, a name is unknown, or a number outside its range.
    """
    root, ranges = chosen_root(seed), surface_at_home(str(surface))
    measurements = read_measurements(Path(file))
    counted = _counts(counts, ranges.name)
    base = base_law(None if law is None else Path(law), ranges.name)
    with steps(progress, "response surface") as advance:
        response = measured_response(base, measurements, throws, root, workers, advance)
    found = measured_posterior(measurements.quantities(), response, ranges, counted, rng_of(root))
    own = measured_law(
        base,
        found,
        measurements,
        counted,
        surface=ranges.name,
        files=(Path(file).name, "" if counts is None else Path(counts).name),
        seed=root,
        command=command,
    )
    return Measured(own, found, counted, ranges.name, root)


def _counts(file: Path | str | None, surface: str) -> HomeCounts | None:
    """Return the bricks that were thrown on a surface and counted; None without a file."""
    if file is None:
        return None
    return hands_by_surface(read_home_counts(Path(file), surface), surface)[surface]
