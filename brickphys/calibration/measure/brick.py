"""Brick: lengths of one's own 2x2 bricks by caliper and gauge, and their mass, which checks the lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from brickphys.calibration.measure.measured import Mean, mean_of
from brickphys.errors import InvalidValueError, unknown
from brickphys.shapes.brick import BRICK_DIMENSIONS, solids
from brickphys.shapes.solids import compose
from brickphys.units import BRICK_MM, STUD_MM

CAUSES = ("wall_mm", "top_mm", "stud_height_mm", "edge_radius_mm")
"""Lengths that the law depends on; the others check them."""
_LOW = (0.8, 0.7, 1.3, 0.02, 15.4, 0.8)
_HIGH = (2.0, 2.0, 2.1, 0.7, 16.0, 2.0)
LIMITS = dict(zip((*CAUSES, "width_mm", "mass_g"), zip(_LOW, _HIGH, strict=True), strict=True))
"""Readings outside are in another unit, or of another brick."""
_USUAL = {"wall_mm": (1.2, 1.5), "top_mm": (1.0, 1.5), "stud_height_mm": (1.6, 1.8)}
_USUAL_WIDTH_MM, _DENSITY_G_CM3, _MODEL_ERROR = (15.75, 15.85), (1.03, 1.07), 0.037
"""The error is the largest of masses by lengths (`brickphys.shapes.brick`): tubes and ribs are not measured."""


@dataclass(frozen=True)
class BrickTest:
    """Readings of lengths and mass by name, and for each name the largest error that all its readings share; uniform.

    Raises InvalidValueError if names differ or are unknown, or a reading is outside `LIMITS` or alone.
    """

    readings: Mapping[str, tuple[float, ...]]
    errors: Mapping[str, float]

    def __post_init__(self) -> None:
        if not self.readings or self.readings.keys() != self.errors.keys():
            raise InvalidValueError("readings and errors need the same names, one at least")
        for name, values in self.readings.items():
            if name not in LIMITS:
                raise unknown("length", name, LIMITS)
            low, high = LIMITS[name]
            for value in values:
                if not low <= value <= high:
                    told = f"{name} {value:g} is outside {low:g} to {high:g}: is it in"
                    raise InvalidValueError(f"{told} {name.split('_')[-1]}, and of a 2x2?")
            if not 0 <= self.errors[name] <= high - low:
                raise InvalidValueError(f"error {self.errors[name]:g} of {name} is not plausible")
            if not low <= self.means[name].ci95[0] <= self.means[name].ci95[1] <= high:
                told = "{} {:.3g} to {:.3g} (95 % interval)".format(name, *self.means[name].ci95)
                raise InvalidValueError(f"{told} reaches outside {low:g} to {high:g}: repeat")

    @cached_property
    def means(self) -> dict[str, Mean]:
        """Mean of each name."""
        return {name: mean_of(own, self.errors[name], name) for name, own in self.readings.items()}

    @property
    def mass_g(self) -> tuple[float, float]:
        """Least and greatest mass in ABS by the intervals of the lengths; usual ranges stand for those not measured."""
        usual = {**_USUAL, "width_mm": _USUAL_WIDTH_MM}
        ends = {n: self.means[n].ci95 if n in self.means else own for n, own in usual.items()}
        masses = []
        for end, sign in enumerate((-1, 1)):
            lengths = {name: ends[name][end] for name in _USUAL}
            clearance_mm = 2 * STUD_MM - ends["width_mm"][end]
            d = replace(BRICK_DIMENSIONS, **lengths, clearance_mm=clearance_mm)
            density = _DENSITY_G_CM3[end] * (1 + sign * _MODEL_ERROR)
            masses.append(compose(solids(2, 2, BRICK_MM, d), density).mass_g)
        return masses[0], masses[1]

    @property
    def contradiction(self) -> str:
        """A sentence if the intervals of the mass by scale and by the lengths are apart; else empty."""
        low, high = self.mass_g
        least, most = self.means["mass_g"].ci95 if "mass_g" in self.means else self.mass_g
        told = f"mass {least:.3g} to {most:.3g} g contradicts the lengths, {low:.3g} to {high:.3g} g in ABS"
        return told if least > high or most < low else ""


def brick_test(words: Sequence[str], error_mm: float, edge_mm: float, error_g: float) -> BrickTest:
    """Return the test of words such as ``wall_mm=1.42,1.44``; InvalidValueError if one has another form."""
    readings: dict[str, tuple[float, ...]] = {}
    for word in words:
        name, _, values = word.partition("=")
        try:
            numbers = tuple(float(value) for value in values.split(","))
        except ValueError:
            raise InvalidValueError(f"{word!r} is not of the form wall_mm=1.42,1.44") from None
        readings[name] = readings.get(name, ()) + numbers
    special = {"edge_radius_mm": edge_mm, "mass_g": error_g}
    return BrickTest(readings, {name: special.get(name, error_mm) for name in readings})
