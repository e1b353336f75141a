"""Measurement file: the measurements of one table and one hand as TOML, a section for each test."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from brickphys.calibration.measure.brick import CAUSES, BrickTest
from brickphys.calibration.measure.drop import DropTest
from brickphys.calibration.measure.film import FilmTest
from brickphys.calibration.measure.measured import Quantity, TiltTest
from brickphys.errors import InvalidValueError, naming
from brickphys.files import write_whole
from brickphys.reading import read_toml
from brickphys.schema import Strict, validated

SCHEMA = "brickphys.measurements/1"
Numbers = tuple[float, ...]
Test = TiltTest | DropTest | FilmTest | BrickTest
KINDS: dict[str, Any] = {"tilt": TiltTest, "drop": DropTest, "film": FilmTest, "brick": BrickTest}


@dataclass(frozen=True)
class Measurements:
    """The tests of one table and one hand; None for those that were not made."""

    tilt: TiltTest | None = None
    drop: DropTest | None = None
    film: FilmTest | None = None
    brick: BrickTest | None = None

    def quantities(self) -> dict[str, Quantity]:
        """Return what was measured, by the names of causes in `brickphys.calibration.systematic`."""
        found: dict[str, Quantity] = {}
        if self.tilt is not None:
            found["friction"] = self.tilt.friction
        if self.drop is not None:
            found["restitution"] = self.drop.mean
        if self.film is not None:
            found |= {"height_mm": self.film.height, "speed_m_s": self.film.speed}
            if self.film.spin is not None:
                found["spin_rad_s"] = self.film.spin
        if self.brick is not None:
            found |= {name: one for name, one in self.brick.means.items() if name in CAUSES}
        return found


class _Tilt(Strict):
    """The tilt test."""

    angles_deg: list[float]
    """Angles at which it began to slide, in degrees."""
    error_deg: float
    """Greatest error that all readings share, in degrees."""


class _Drop(Strict):
    """The drop test."""

    restitution: list[list[float]]
    """For each drop, the restitution of each of its bounces."""
    error: float
    """Greatest error that all of them share."""


class _Film(Strict):
    """The filmed throws."""

    heights_mm: list[float]
    """For each throw, the height in mm at which its vertical speed is 0."""
    speeds_m_s: list[float]
    """For each throw, the horizontal speed in m/s."""
    spins_rad_s: list[float]
    """For each throw whose turns were counted, the spin in rad/s."""
    scale_error: float
    """Greatest relative error of the scale of the film."""


class _Brick(Strict):
    """Lengths and mass of the bricks."""

    readings: dict[str, list[float]]
    """Readings of wall_mm, top_mm, stud_height_mm, edge_radius_mm, width_mm and mass_g, or some of them."""
    errors: dict[str, float]
    """For each of these names the greatest error that all its readings share."""


class MeasurementDocument(Strict):
    """A whole file."""

    schema_: Annotated[Literal["brickphys.measurements/1"], Field(alias="schema")]
    """The format and its version."""
    tilt: _Tilt | None = None
    """Tilt test: the friction."""
    drop: _Drop | None = None
    """Drop test: the restitution."""
    film: _Film | None = None
    """Filmed throws: height, speed and spin."""
    brick: _Brick | None = None
    """Lengths and mass of the bricks."""


def read_measurements(path: Path) -> Measurements:
    """Read a measurement file.

    Raises InvalidValueError if the file cannot be read, or has a fault of form or of meaning.
    """
    document = validated(MeasurementDocument, read_toml(path), str(path))
    tests: dict[str, Any] = {}
    for name, kind in KINDS.items():
        section = getattr(document, name)
        if section is not None:
            with naming(f"{path}: {name}"):
                tests[name] = kind(**_tuples(section.model_dump()))
    if not tests:
        raise InvalidValueError(f"{path}: no measurement; known: {', '.join(KINDS)}")
    return Measurements(**tests)


def _tuples(value: Any) -> Any:
    """Return a section with tuples in the place of arrays."""
    if isinstance(value, dict):
        return {key: _tuples(inner) for key, inner in value.items()}
    return tuple(_tuples(inner) for inner in value) if isinstance(value, list) else value


def add_measurement(test: Test, path: Path, *, force: bool) -> Measurements:
    """Add a test to a measurement file, or begin one; return all that the file then has.

    Raises InvalidValueError if the file has such a test and `force` is not given, is no measurement file, or cannot be
    written.
    """
    import tomli_w

    (name,) = (name for name, kind in KINDS.items() if kind is type(test))
    before = read_measurements(path) if path.exists() else Measurements()
    if getattr(before, name) is not None and not force:
        raise InvalidValueError(
            f"{path}: has a {name} test already; --force replaces it (from Python force=True)"
        )
    changes: Any = {name: test}
    after = replace(before, **changes)
    sections = {key: section for key, section in asdict(after).items() if section is not None}
    write_whole(tomli_w.dumps({"schema": SCHEMA, **sections}), path, force=True)
    return after
