"""Combined law: what a law said before, and what somebody threw at home, as one law."""

from brickphys.calibration.hands import side_hands
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_check import law_beta
from brickphys.calibration.posterior import beta_of, share_posterior
from brickphys.odds.law import Law
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import Combined
from brickphys.odds.roll import SIDE


def combined_law(law: Law, counts: HomeCounts, file: str, command: str) -> Law:
    """Return the law that follows from a law and from counts on its surface.

    The law before is a beta law of p as wide as its statistical and its systematic doubt together; the counts are
    the evidence. The posterior's interval becomes the law's, and its counts are as many throws as would know p so
    well: fewer than were ever thrown, because more throws of the engine do not remove the systematic doubt. Bricks of
    one hand are as alike as the hands at home show them to be if these show it, else as in the law before.

    Parameters
    ----------
    law
        The law before.
    counts
        What was thrown at home.
    file
        Name of the counts file, to be kept.
    command
        The command line, to be kept.
    """
    posterior = share_posterior(side_hands(counts), law_beta(law, systematic=True)).p
    size = round(sum(beta_of(posterior.mean, posterior.sd)))
    sides = min(max(round(posterior.mean * size), 1), size - 1)
    poses = _poses(law, counts, size - sides)
    own = overdispersion(counts.scores())
    low, high = posterior.ci95
    return Law(
        counts={pose: sides if pose == SIDE else poses[pose] for pose in law.counts},
        ci95=(min(low, sides / size), max(high, sides / size)),
        scores={1: (size - sides, sides)},
        shape=law.shape,
        surface=law.surface,
        conditions=law.conditions,
        engine=law.engine,
        versions=law.versions,
        seed=law.seed,
        overdispersion=own if own and own.found else law.overdispersion,
        complete=law.complete,
        command=command,
        combined=Combined(
            file=file,
            scores=counts.scores(),
            poses=counts.pose_totals(),
            prior_p=float(law.p),
            prior_ci95=law.ci95,
            prior_systematic=law.systematic.half_width if law.systematic else None,
            prior_throws=law.throws,
            prior_command=law.command,
        ),
    )


def _poses(law: Law, counts: HomeCounts, total: int) -> dict[str, int]:
    """Return so many bricks in all poses but the side, shared out as the law and the counts have them together."""
    home = counts.pose_totals() or {}
    others = [pose for pose in law.counts if pose != SIDE]
    # the law before is worth no more than what the result is beyond the counts at home
    before = sum(law.counts[pose] for pose in others)
    worth = max(total - sum(home.get(pose, 0) for pose in others), 1) / max(before, 1)
    weights = {pose: law.counts[pose] * worth + home.get(pose, 0) for pose in others}
    scale = total / (sum(weights.values()) or 1.0)
    shared = {pose: int(weight * scale) for pose, weight in weights.items()}
    largest = max(weights, key=lambda pose: weights[pose])
    shared[largest] += total - sum(shared.values())
    return shared
