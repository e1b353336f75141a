"""Roll comparison: what the comparisons of prisms and of coins with published rolls have in common."""

from typing import Any

from brickphys.notes import Progress, StageProgress
from brickphys.odds.intervals import wilson
from brickphys.throws.conditions import Conditions

CHECK = 10
"""The best surface is simulated again, with this many times as many throws and other random numbers, because the least
chi-squared of a fitted map is biased low."""


def interval(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a published share."""
    return wilson(round(share * count), count)


def stage_progress(name: str, progress: StageProgress | None) -> Progress | None:
    """Return what reports the jobs of one stage; None if nothing is to be reported."""
    return None if progress is None else lambda done, total: progress(name, done, total)


def conditions_json(conditions: Conditions) -> dict[str, Any]:
    """Return the throw conditions as keys of the JSON object of a comparison."""
    return {
        "preset": conditions.preset,
        "height_mm": list(conditions.height_mm),
        "speed_m_s": conditions.speed_m_s,
        "spin_rad_s": conditions.spin_rad_s,
    }
