"""Lab throw: what the throw lab throws, as a value, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from brickphys.calibration.drop import DropResult, cell_of
from brickphys.calibration.law_of_throws import law_of_throws
from brickphys.calibration.tally import Tally, sides_difference
from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import ThrowCell
from brickphys.odds.law import Law
from brickphys.rules.report.signed import signed
from brickphys.shapes.body_file import BodyFile
from brickphys.text import percent
from brickphys.throws.surfaces import ContactCoefficients, Surface


@dataclass(frozen=True)
class LabTable:
    """A table.

    Attributes
    ----------
    floor
        Name of the floor.
    surface
        Its material.
    friction, restitution
        In place of those of the surface; None for these.
    files
        Name and SHA-256 of the file of the surface, if it is of one.
    """

    floor: str
    surface: Surface
    friction: float | None = None
    restitution: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name for people."""
        words = self.surface.name if self.floor == "plane" else f"{self.surface.name} {self.floor}"
        contact, own = self.contact, self.surface.nominal
        if contact.friction != own.friction:
            words += f", friction {contact.friction:g}"
        if contact.restitution != own.restitution:
            words += f", restitution {contact.restitution:g}"
        return words

    @property
    def contact(self) -> ContactCoefficients:
        """Friction and restitution of a brick on it."""
        own = self.surface.nominal
        return ContactCoefficients(
            own.friction if self.friction is None else self.friction,
            own.restitution if self.restitution is None else self.restitution,
        )


@dataclass(frozen=True)
class LabThrow:
    """A throw of the lab.

    Attributes
    ----------
    shape
        A shape that was read, by its name, or a body that was.
    preset, bricks, seed
        As of `brickphys.throw`.
    table
        On which it is thrown.
    """

    shape: str | BodyFile
    preset: str
    bricks: int
    seed: int
    table: LabTable

    @cached_property
    def cell(self) -> ThrowCell:
        """What the throws have in common; InvalidValueError if they are impossible."""
        contact = self.table.contact
        return cell_of(
            self.shape,
            None,
            self.preset,
            self.table.surface,
            self.bricks,
            self.table.floor,
            friction=contact.friction,
            restitution=contact.restitution,
        )

    def result(self, tally: Tally, asked: int) -> Throws:
        """Return counts as the result of `brickphys.throw`."""
        cell = self.cell
        found = DropResult(tally, 0.0, asked, cell.body.scoring)
        return Throws(cell, self.table.surface.name, found, self.seed)

    def law(self, throws: Throws) -> Law:
        """Return the law of its throws; InvalidValueError if they make none."""
        return law_of_throws(throws, self.table.surface, self.table.files)


def difference_text(one: Throws, other: Throws, names: tuple[str, str]) -> str:
    """Return how much more often bodies score on the first of two tables than on the second; empty if none scores."""
    if not one.scoring:
        return ""
    more, (low, high) = sides_difference(one.result.tally, other.result.tally)
    text = (
        f"{names[0]} minus {names[1]}: {_points(more)} percentage points "
        f"(95 % interval {_points(low)} to {_points(high)})"
    )
    if low <= 0 <= high:
        return f"{text}: so many throws show no difference."
    first, second = (percent(throws.p_side or 0.0) for throws in (one, other))
    return f"{text}: the tables differ, {first} and {second}."


def _points(difference: float) -> str:
    return signed(100 * difference, 1)
