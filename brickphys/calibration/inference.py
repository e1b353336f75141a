"""Inference: share of sides, friction, restitution and fit of a law, from bricks thrown at home on one surface."""

from dataclasses import dataclass

from brickphys.calibration.hands import side_hands
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_check import LawCheck, MoreThrows, check_law, more_throws
from brickphys.calibration.posterior import SharePosterior, share_posterior
from brickphys.calibration.response.surface import Response
from brickphys.calibration.surface_posterior import SurfacePosterior, surface_posterior
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law import Law
from brickphys.seeds import generator
from brickphys.throws.surfaces import SURFACES, Surface

PRIORS = ("surface", "broad")
MIN_HALF_WIDTH = 0.0001
_ADDRESS = 4


@dataclass(frozen=True, eq=False)
class Inference:
    """The results for one surface.

    Attributes
    ----------
    surface
        Name of the surface.
    counts
        The bricks thrown on it.
    share
        Posterior of the probability of a side and of the correlation of bricks in a hand.
    ranges
        Prior ranges of friction and restitution.
    contact
        Posterior of friction and restitution; None without a response surface.
    law
        The law for this surface; None if there is none.
    check
        Test of the law against the counts; None without a law.
    more
        Number of further throws for a given precision.
    """

    surface: str
    counts: HomeCounts
    share: SharePosterior
    ranges: Surface
    contact: SurfacePosterior | None
    law: Law | None
    check: LawCheck | None
    more: MoreThrows


def check_aims(prior: str, half_width: float) -> None:
    """Raise InvalidValueError if the prior is unknown or the target half-width is outside its range."""
    if prior not in PRIORS:
        raise unknown("prior", prior, PRIORS)
    if not MIN_HALF_WIDTH <= half_width < 0.5:
        raise InvalidValueError(f"half-width {half_width:g} is outside {MIN_HALF_WIDTH:g} to 0.5")


def infer(
    counts: HomeCounts,
    on: Surface,
    law: Law | None,
    response: Response | None,
    seed: int,
    *,
    prior: str = "surface",
    half_width: float = 0.01,
) -> Inference:
    """Return the results for bricks thrown on one surface.

    Parameters
    ----------
    counts
        Bricks thrown on that surface.
    on
        The surface.
    law
        A law, compared if it is for that surface; None if there is none.
    response
        Shares of poses for the law's shape and throw conditions; None if there are none.
    seed
        Root seed of the draws of the other uncertain causes.
    prior
        ``"surface"``: friction and restitution are in the ranges of the surface; ``"broad"``: in those of the response
        surface.
    half_width
        Target for the half-width of the 95 % interval of p.

    Raises
    ------
    InvalidValueError
        If the prior is unknown or the target outside its range.
    """
    check_aims(prior, half_width)
    share = share_posterior(side_hands(counts))
    known = law if law is not None and law.surface.name == on.name else None
    ranges = on
    contact = None
    if response is not None:
        if prior == "broad":
            friction, restitution = response.ranges["friction"], response.ranges["restitution"]
            ranges = Surface("broad", friction, restitution, "the whole response surface")
        # the seed address depends on the surface, so results do not depend on other surfaces in the file
        rng = generator(seed, _ADDRESS, [*SURFACES, on.name].index(on.name))
        contact = surface_posterior(counts, response, ranges, share.rho, rng)
    return Inference(
        on.name,
        counts,
        share,
        ranges,
        contact,
        known,
        check_law(counts, share, known) if known else None,
        more_throws(counts, share, known, half_width),
    )
