"""Measured law: the law of one table and one hand, from the posterior of its measurements."""

from dataclasses import replace
from importlib.metadata import version

from brickphys.calibration.causes import LEAST_HEIGHT
from brickphys.calibration.combined_law import contradiction, equivalent_counts, split
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.measure.film import FilmTest
from brickphys.calibration.measure.measured_posterior import (
    ASSUMPTIONS,
    COUNTS_ASSUMPTION,
    MeasuredPosterior,
)
from brickphys.calibration.measure.measurement_file import Measurements
from brickphys.calibration.response.design import ENGINE
from brickphys.calibration.throwers import body_of
from brickphys.engines.registry import engine
from brickphys.odds.law import Law
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import (
    Combined,
    LawConditions,
    LawSurface,
    MeasuredCause,
    MeasuredSources,
)
from brickphys.odds.roll import SIDE
from brickphys.throws.conditions import Conditions


def filmed_conditions(film: FilmTest, shape: str, like: LawConditions) -> Conditions:
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
    found
        Posterior of the measurements.
    measurements, counts
        What was measured, and the bricks that were counted; None without counts.
    surface
        Name of the surface.
    files
        Names of the measurement file and of the counts file, stored in the law.
    seed, command
        Root seed and command line, stored in the law.
    """
    size, sides = equivalent_counts(found.p)
    others = {pose: found.shares.get(pose, 0.0) for pose in law.counts if pose != SIDE}
    low, high = found.p.ci95
    own = overdispersion(counts.scores()) if counts else None
    causes = found.causes
    return replace(
        law,
        counts={SIDE: sides, **split(size - sides, others)},
        ci95=(min(low, sides / size), max(high, sides / size)),
        scores={1: (size - sides, sides)},
        surface=LawSurface(surface, causes["friction"].mean, causes["restitution"].mean),
        conditions=_conditions(law, found, measurements.film),
        engine=ENGINE,
        hands_engine=None,
        versions={name: version(name) for name in ("brickphys", "numpy", "scipy")}
        | dict(engine(ENGINE).versions),
        seed=seed,
        overdispersion=own if own and own.found else law.overdispersion,
        prior_hands=None if own and own.found else law.tested_hands,
        p_range90=found.p.range90,
        systematic=None,
        complete=True,
        command=command,
        validation=None,
        combined=None if counts is None else _counted(found, counts, files[1], command),
        measured=_sources(found, measurements, counts, files[0]),
        stamp=law_stamp(),
        contradiction=_contradiction(found, counts, files),
    )


def _contradiction(
    found: MeasuredPosterior, counts: HomeCounts | None, files: tuple[str, str]
) -> str:
    if counts is None or found.agreement is None:
        return ""
    measured, counted = files
    return contradiction(counts.thrown, counted, f"the measurements of {measured}", found.agreement)


def _conditions(law: Law, found: MeasuredPosterior, film: FilmTest | None) -> LawConditions:
    if film is None:
        return law.conditions
    thrown = filmed_conditions(film, law.shape, law.conditions)
    speed, spin = found.causes["speed_m_s"].mean, found.causes["spin_rad_s"].mean
    return LawConditions(thrown.preset, thrown.height_mm, speed, spin, thrown.scatter)


def _sources(
    found: MeasuredPosterior, measurements: Measurements, counts: HomeCounts | None, file: str
) -> MeasuredSources:
    """Return the causes of the law, and the assumptions behind it."""
    causes = {
        name: MeasuredCause(cause.mean, cause.ci95, name in measurements.quantities())
        for name, cause in found.causes.items()
    }
    assumptions = (*ASSUMPTIONS, *((COUNTS_ASSUMPTION,) if counts else ()), *found.cut_off)
    return MeasuredSources(file, causes, assumptions)


def _counted(found: MeasuredPosterior, counts: HomeCounts, file: str, command: str) -> Combined:
    """Return the data of the counts; the prior law is that of the measurements alone."""
    return Combined(
        file=file,
        scores=counts.scores(),
        poses=counts.pose_totals(),
        prior_p=found.measured_p.mean,
        prior_ci95=found.measured_p.ci95,
        prior_range90=found.measured_p.range90,
        prior_throws=equivalent_counts(found.measured_p)[0],
        prior_command=command,
    )
