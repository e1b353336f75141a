"""Inference: all that bricks thrown at home say of one surface."""

from dataclasses import dataclass

from brickphys.calibration.hands import side_hands
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_check import LawCheck, MoreThrows, check_law, more_throws
from brickphys.calibration.posterior import SharePosterior, share_posterior
from brickphys.calibration.response import Response
from brickphys.calibration.surface_posterior import SurfacePosterior, surface_posterior
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.seeds import generator
from brickphys.throws.surfaces import SURFACES, Surface, surface

PRIORS = ("surface", "broad")
MIN_HALF_WIDTH = 0.0001
_ADDRESS = 4


@dataclass(frozen=True, eq=False)
class Inference:
    """What bricks thrown on one surface say.

    Attributes
    ----------
    surface
        Its name.
    counts
        What was thrown.
    share
        The chance of a side, and the correlation of bricks in a hand.
    ranges
        What was taken to be known of friction and restitution before.
    contact
        Friction and restitution; None where no response surface was given.
    law
        What the counts are compared with; None if there is no law for this surface.
    check
        The law against the counts; None likewise.
    more
        How many more throws would settle what is open.
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
    """Raise InvalidValueError if there is no such prior, or nobody can aim at such a half-width."""
    if prior not in PRIORS:
        raise InvalidValueError(f"prior {prior!r} is none of {', '.join(PRIORS)}")
    if not MIN_HALF_WIDTH <= half_width < 0.5:
        raise InvalidValueError(f"half-width {half_width:g} is outside {MIN_HALF_WIDTH:g} to 0.5")


def infer(
    counts: HomeCounts,
    name: str,
    law: Law | None,
    response: Response | None,
    seed: int,
    *,
    prior: str = "surface",
    half_width: float = 0.01,
) -> Inference:
    """Return what bricks thrown on one surface say.

    Parameters
    ----------
    counts
        What was thrown, all of it on that surface.
    name
        The surface.
    law
        Compared where it is for that surface; None if there is none.
    response
        Shares of the poses of the law's shape thrown as the law says; None if there is none.
    seed
        Root seed of the draws of what is not known.
    prior
        ``"surface"``: friction and restitution lie in the ranges of the named surface; ``"broad"``: anywhere on the
        response surface.
    half_width
        Aim for the 95 % interval of p.

    Raises
    ------
    InvalidValueError
        If a name is unknown or the aim absurd.
    """
    check_aims(prior, half_width)
    share = share_posterior(side_hands(counts))
    known = law if law is not None and law.surface.name == name else None
    ranges = surface(name)
    contact = None
    if response is not None:
        if prior == "broad":
            friction, restitution = response.ranges["friction"], response.ranges["restitution"]
            ranges = Surface("broad", friction, restitution, "the whole response surface")
        # an address of its own for each surface, so that none depends on what else is in the file
        rng = generator(seed, _ADDRESS, list(SURFACES).index(name))
        contact = surface_posterior(counts, response, ranges, share.rho, rng)
    return Inference(
        name,
        counts,
        share,
        ranges,
        contact,
        known,
        check_law(counts, share, known) if known else None,
        more_throws(counts, share, known, half_width),
    )
