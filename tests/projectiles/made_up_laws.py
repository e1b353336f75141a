"""Impact laws with counts that a test chooses."""

import numpy as np

from brickphys.projectiles.impact_law import ASIDES_MM, HEIGHTS_MM, ImpactLaw

SHAPE = (3, 2, 2, len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)


def made_up(projectile="bb", body="foot", share=0.6, hits=400, only=...):
    """A law in which this share of the hits knocks over, in some cells only."""
    knocked = np.zeros(SHAPE, dtype=np.int64)
    knocked[only] = round(share * hits)
    return ImpactLaw(
        projectile,
        body,
        (2.0, 8.0),
        (0.0, 30.0),
        np.full(SHAPE, hits, dtype=np.int64),
        knocked,
        0,
        {},
        {},
        1,
        "a test",
    )
