"""Measured law: the law of one table and one hand, from the posterior of its measurements, and both as people see them.

Besides measurements and counts the law is made from a law, a response surface and a generator.
"""

from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from brickphys.calibration.combined_law import contradiction, equivalent_counts, law_by, split
from brickphys.calibration.home import hands_by_surface, surface_at_home
from brickphys.calibration.home_counts import HomeCounts, read_home_counts
from brickphys.calibration.measure.film import FilmTest
from brickphys.calibration.measure.measured_posterior import (
    ASSUMPTIONS,
    COUNTS_ASSUMPTION,
    MeasuredPosterior,
    measured_posterior,
)
from brickphys.calibration.measure.measurement_file import Measurements, read_measurements
from brickphys.calibration.posterior import Posterior
from brickphys.calibration.response import is_named, law_response
from brickphys.calibration.response_design import ENGINE, LEAST_HEIGHT
from brickphys.calibration.throwers import body_of
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.interface import Drawn, Row, public
from brickphys.notes import Progress, steps
from brickphys.odds import provenance
from brickphys.odds.law import Law
from brickphys.odds.law_file import default_law, find_law, shipped_law_on
from brickphys.odds.roll import SIDE
from brickphys.seeds import chosen_root, generator
from brickphys.text import counted, paragraphs, percent, percent_range, short, table
from brickphys.throws.conditions import Conditions


def filmed_conditions(film: FilmTest, shape: str, like: provenance.LawConditions) -> Conditions:
    """Return the throw conditions of a film; what it did not measure is as in other conditions."""
    return Conditions(
        height_mm=film.height_range_mm(LEAST_HEIGHT * body_of(shape).radius_mm),
        speed_m_s=film.speed.value,
        spin_rad_s=film.spin.value if film.spin else like.spin_rad_s,
        scatter=like.scatter,
    )


def measured_law(
    law: Law,
    found: MeasuredPosterior,
    measurements: Measurements,
    counts: HomeCounts | None,
    *,
    surface: str,
    files: tuple[str, str],
    seed: int,
    command: str,
) -> Law:
    """Return the law of a measured table and hand.

    As in `brickphys.calibration.combined_law`, the counts are scaled to the number of throws that would give p the
    same precision, and the interval includes all uncertainties.

    Parameters
    ----------
    law
        A law for the same shape on a plane. What was not measured is taken from it: the conditions without a film, and
        the correlation between bricks of a hand, unless the counts show one.
    counts
        The bricks that were counted; None without counts.
    """
    size, sides = equivalent_counts(found.p)
    others = {pose: found.shares.get(pose, 0.0) for pose in law.counts if pose != SIDE}
    causes = found.causes
    versions = {name: version(name) for name in ("brickphys", "numpy", "scipy")}
    return replace(
        law_by(law, found.p, {SIDE: sides, **split(size - sides, others)}, counts),
        surface=provenance.LawSurface(surface, causes["friction"].mean, causes["restitution"].mean),
        conditions=_conditions(law, found, measurements.film),
        engine=ENGINE,
        versions=versions | dict(engine(ENGINE).versions),
        seed=seed,
        complete=True,
        command=command,
        combined=None if counts is None else _counted(found, counts, files[1], command),
        measured=_sources(found, measurements, counts, files[0]),
        contradiction=_contradiction(found, counts, files),
    )


def _contradiction(
    found: MeasuredPosterior, counts: HomeCounts | None, files: tuple[str, str]
) -> str:
    if counts is None or found.agreement is None:
        return ""
    measured, counted = files
    return contradiction(counts.thrown, counted, f"the measurements of {measured}", found.agreement)


def _conditions(
    law: Law, found: MeasuredPosterior, film: FilmTest | None
) -> provenance.LawConditions:
    if film is None:
        return law.conditions
    thrown = filmed_conditions(film, law.shape, law.conditions)
    speed, spin = found.causes["speed_m_s"].mean, found.causes["spin_rad_s"].mean
    return replace(thrown.of_one, speed_m_s=speed, spin_rad_s=spin)


def _sources(
    found: MeasuredPosterior, measurements: Measurements, counts: HomeCounts | None, file: str
) -> provenance.MeasuredSources:
    causes = {
        name: provenance.MeasuredCause(cause.mean, cause.ci95, name in measurements.quantities())
        for name, cause in found.causes.items()
    }
    told = measurements.brick.contradiction if measurements.brick else ""
    counts_too = (COUNTS_ASSUMPTION,) if counts else ()
    assumptions = (*ASSUMPTIONS, *counts_too, *found.cut_off, *filter(None, (told,)))
    return provenance.MeasuredSources(file, causes, assumptions)


def _counted(
    found: MeasuredPosterior, counts: HomeCounts, file: str, command: str
) -> provenance.Combined:
    """Return the data of the counts; the prior law is that of the measurements alone."""
    return provenance.Combined(
        file=file,
        scores=counts.scores(),
        poses=counts.pose_totals(),
        prior_p=found.measured_p.mean,
        prior_ci95=found.measured_p.ci95,
        prior_range90=found.measured_p.range90,
        prior_throws=equivalent_counts(found.measured_p)[0],
        prior_command=command,
    )


_ADDRESS = 5
_INDENT = " " * 18


def _chance(p: Posterior) -> str:
    return f"{percent(p.mean)} (95 % interval {percent_range(*p.ci95)})"


def base_law(law_file: Path | None, surface: str) -> Law:
    """Return the law for what was not measured: that of a file, or a shipped one of a plane.

    Raises InvalidValueError if it is no law of a brick or plate on a plane.
    """
    if law_file is None:
        shipped = shipped_law_on(surface)
        return shipped if shipped and shipped.surface.floor == "plane" else default_law()
    base = find_law(law_file)
    if base.surface.floor != "plane":
        raise InvalidValueError(
            f"law {law_file} (--law): on a {base.surface.floor}; only planes are measured"
        )
    if not is_named(base):
        raise InvalidValueError(
            f"law {law_file} (--law): of {base.shape}, a body of a file; only bricks and plates are measured. "
            "infer takes counts of such a body, with shape (--shape)"
        )
    return base


@dataclass(frozen=True, repr=False, eq=False)
class Measured(Drawn):
    """The law of one table and one hand."""

    law: Law
    posterior: MeasuredPosterior
    """The chance of a side, and the causes that it follows from."""
    counts: HomeCounts | None
    """Counted throws; None without counts."""
    surface: str
    seed: int

    drawn_by = "law:measured_figure"

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

    def document(self) -> dict[str, Any]:
        """Return the law as values of JSON; those of its files are left out."""
        found, own = self.posterior, self.law
        assert own.measured is not None
        measured = asdict(own.measured)
        return {
            "p_side": found.p.mean,
            "p_range90": found.p.range90,
            "ci95": found.p.ci95,
            "measured_p": {"mean": found.measured_p.mean, "ci95": found.measured_p.ci95},
            "poses": found.shares,
            "causes": measured["causes"],
            "confidence95": found.confidence,
            "agreement_p_value": found.agreement,
            "counted_p": found.counted_p
            and {"mean": found.counted_p.mean, "ci95": found.counted_p.ci95},
            "counts_weight": found.counts_weight,
            "contradiction": own.contradiction,
            "draws": found.draws,
            "assumptions": measured["assumptions"],
        }

    def text(self) -> str:
        own, before, p = self.law, self.posterior.measured_p, self.posterior.p
        assert own.measured is not None
        rows = [
            (
                name,
                short(cause.mean),
                f"{short(cause.ci95[0])} to {short(cause.ci95[1])}",
                "measured" if cause.measured else "not measured",
            )
            for name, cause in own.measured.causes.items()
        ]
        chance = f"chance of a side  {_chance(before)} by the measurements"
        counts_alone = self.posterior.counted_p
        confidence = self.posterior.confidence
        if self.counts is not None and counts_alone is not None and confidence is not None:
            weight = percent(self.posterior.counts_weight, 0)
            more = f"\n{_INDENT}your counts weigh more than the simulated range: alone they have {weight} of the weight"
            chance += (
                f"\n{_INDENT}{_chance(counts_alone)} by {counted(self.counts.thrown, 'brick')} counted, alone"
                f"\n{_INDENT}{_chance(p)} by both; the two {'contradict each other' if own.contradiction else 'agree'} "
                f"(p-value {self.posterior.agreement:.2g}){more if own.contradiction else ''}"
                f"\n{_INDENT}{percent_range(*confidence)} if the simulated range may be wrong "
                "(95 % confidence interval)"
            )
        return paragraphs(
            f"{own.measured.file}: {own.shape} on a table like {own.surface.name}; seed {self.seed}",
            table(("cause", "mean", "95 % interval", ""), rows),
            chance,
            "\n- ".join(["assumptions:", *own.measured.assumptions]),
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
    film = measurements.film
    thrown = None if film is None else filmed_conditions(film, base.shape, base.conditions)
    with steps(progress, "response surface") as advance:
        response = law_response(base, throws, root, workers, advance, conditions=thrown)
    if response is None:
        raise InvalidValueError(
            f"no response surface ships for {base.shape}, {base.conditions.preset}: throws (--throws 1000000) computes "
            "one"
        )
    rng = generator(root, _ADDRESS)
    draws = (base.posterior or {}) if base.engine == ENGINE else {}
    offsets = draws.get("engine_offset", (0.0,))  # of that engine, by which the surface was thrown
    found = measured_posterior(
        measurements.quantities(), response, ranges, counted, rng, offsets=offsets
    )
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
