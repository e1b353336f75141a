import numpy as np
import pytest

from brickphys.calibration import law_stamp
from brickphys.calibration.home_counts import HomeCounts
from brickphys.engines.registry import engine


@pytest.fixture(scope="package", autouse=True)
def _fixed_throws_are_not_kept():
    """Tests put other engines under the usual names; the user's cache must not have their fixed throws.

    They are kept here for each engine, since those of one take some seconds.
    """
    found = {}

    def kept(key, make):
        which = key, engine(*make.args)
        if which not in found:
            found[which] = make()
        return found[which]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(law_stamp, "kept", kept)
        yield


def _outcomes(rng, hands, bricks, shares, rho):
    """Counts (hands, outcomes) of bricks that share the chances of their hand."""
    shares = np.asarray(shares)
    chances = rng.dirichlet(shares * (1 - rho) / rho, hands) if rho else np.tile(shares, (hands, 1))
    return rng.multinomial(bricks, chances)


@pytest.fixture(scope="session")
def thrown():
    """Counts of a person whose bricks have known shares of studs up, studs down and side."""

    def throw(rng, hands, bricks, shares=(0.33, 0.37, 0.3), rho=0.0, poses=True):
        found = _outcomes(rng, hands, bricks, shares, rho)
        full = np.column_stack([found, np.zeros(hands, dtype=np.int64)])
        return HomeCounts(found.sum(axis=1), found[:, 2], full if poses else None)

    return throw
