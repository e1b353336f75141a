"""Charts: the numbers of sailing, tasks and critical hits, from a data file that explains them."""

from dataclasses import dataclass
from functools import lru_cache

from brickphys.pirate_wars.sheets.minifigs import data


@dataclass(frozen=True)
class SailingChart:
    """The numbers of sailing, in studs and degrees (PW Movement)."""

    drift_studs: float
    full_speed_deg: float
    half_speed_deg: float
    leap_turn_deg: float
    small_turn_deg: float
    ram_deg: float


@dataclass(frozen=True)
class TasksChart:
    """The numbers of tasks, and the effect of each face of the die of a critical hit (PW Tasks)."""

    swim_studs: float
    hands_per_sail: int
    most_set: int
    critical_hits: int
    bursting_sixes: int
    critical: tuple[str, ...]
    powder_hits: int


@lru_cache
def sailing_chart() -> SailingChart:
    """Return the numbers of sailing."""
    return SailingChart(**{name: float(value) for name, value in data("charts")["sailing"].items()})


@lru_cache
def tasks_chart() -> TasksChart:
    """Return the numbers of tasks."""
    found = data("charts")
    effects = tuple(found["critical"])
    return TasksChart(**found["tasks"], critical=effects, powder_hits=found["powder_hits"])
