"""Tilt: friction from the angles at which a brick slides down a board."""

import math
from dataclasses import dataclass
from functools import cached_property

from brickphys.calibration.measure.measured import Mean, mean_of
from brickphys.errors import InvalidValueError

MAX_ANGLE_DEG = 80.0
"""Greatest angle with its error: friction 5.7, far above that of any table. A brick tips over before it."""
MAX_ERROR_DEG = 20.0


@dataclass(frozen=True)
class TiltTest:
    """Angles of a board at which a brick slides.

    Attributes
    ----------
    angles_deg
        Angles to the horizontal, one for each repetition.
    error_deg
        Greatest error of reading that all angles share (a table that is not level, a crooked protractor); uniform.

    Raises
    ------
    InvalidValueError
        If there are fewer than two angles, an angle is not between 0 and 90, the error is outside 0 to 20 degrees, an
        angle with its error is above `MAX_ANGLE_DEG`, or the interval of the friction reaches above its tangent or
        below 0.
    """

    angles_deg: tuple[float, ...]
    error_deg: float

    def __post_init__(self) -> None:
        for angle in self.angles_deg:
            if not 0 < angle < 90:
                raise InvalidValueError(
                    f"angle {angle:g} is not between 0 and 90 degrees: no body begins to slide there"
                )
        if not 0 <= self.error_deg <= MAX_ERROR_DEG:
            raise InvalidValueError(
                f"error {self.error_deg:g} is outside 0 to {MAX_ERROR_DEG:g} degrees"
            )
        steepest = max(self.angles_deg, default=0.0)
        if steepest + self.error_deg > MAX_ANGLE_DEG:
            raise InvalidValueError(
                f"angle {steepest:g} with its error of {self.error_deg:g} is above {MAX_ANGLE_DEG:g} degrees: there a "
                "body tips over, it does not slide"
            )
        low, high = self.friction.ci95
        most = math.tan(math.radians(MAX_ANGLE_DEG))
        if not 0 <= low < high <= most:
            raise InvalidValueError(
                f"friction {low:.2g} to {high:.2g} (95 % interval) reaches outside 0 to {most:.2g}: the angles are too "
                "few for their scatter and error; repeat the test"
            )

    @cached_property
    def friction(self) -> Mean:
        """Coefficient of friction: the mean tangent of the angles (Coulomb)."""
        tangents = [math.tan(math.radians(angle)) for angle in self.angles_deg]
        steepness = sum(1 + tangent**2 for tangent in tangents) / max(len(tangents), 1)
        return mean_of(tangents, steepness * math.radians(self.error_deg), "angles")
