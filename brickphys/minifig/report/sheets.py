"""Sheets of figures as the command `sheet` shows them: the bricks of attack and defence, each with its reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.minifig.sheets.bricks import MOUNTED, WALL
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.sheets.fighter import (
    ATTACK,
    DEFENCE,
    DOWNWARD,
    HIGHER,
    REAR,
    Fighter,
    fighter,
)
from brickphys.rules.report.sheets import Paint
from brickphys.text import columns, counted, spoken

_SIDES = {"attack": ATTACK, "defence": DEFENCE}
REASONS = {
    "attack": {
        WALL: "fights from a wall or barricade",
        DOWNWARD: "stands a brick higher or more",
        REAR: "comes from behind the defender",
    },
    "defence": {
        HIGHER: "stands a brick higher or more",
        WALL: "stands behind a wall",
    },
}
"""The rows that depend on where figures stand (MF Resolving Combat)."""


@dataclass(frozen=True)
class FigureSheet:
    """A figure with its arms, on foot or on a horse.

    Attributes
    ----------
    name
        Its words, as `brickphys.minifig.sheets.fighter` reads them.
    sides
        The figure as an attacker and as a defender.
    """

    name: str
    sides: Mapping[str, Fighter]

    @property
    def figure(self) -> Fighter:
        """The figure as an attacker."""
        return self.sides["attack"]

    @property
    def is_mounted(self) -> bool:
        """Whether it rides."""
        return MOUNTED in self.figure.places

    @property
    def title(self) -> str:
        """Its words as a text: ``soldier with sword, shield``."""
        kind, *rest = self.name.split(",")
        return f"{kind} with {', '.join(rest)}" if rest else kind

    @property
    def about(self) -> str:
        """Its bricks, in a line."""
        sums = (f"{side} {one.total}" for side, one in self.sides.items())
        return ", ".join(
            [*sums, *(f"shoots ({arm.name})" for arm in self.figure.arms if arm.missile)]
        )

    @property
    def cost_points(self) -> None:
        """None: the book has no prices."""

    def marked(self, marks: Mapping[str, int]) -> "FigureSheet":
        """Raise InvalidValueError: nothing is marked."""
        raise InvalidValueError(f"{self.name} has nothing to mark: {', '.join(marks)}")

    def rows(self, side: str) -> list[tuple[str, int, str]]:
        """Return the rows of its attack or defence: name, bricks and reason (MF Resolving Combat)."""
        return [
            (row, bricks, self._reason(side, row))
            for row, bricks in self.sides[side].bricks.items()
        ]

    def more(self, side: str) -> list[tuple[str, int, str]]:
        """Return the rows that depend on where it stands, with the bricks that each of them adds."""
        one = self.sides[side]
        return [
            (row, fighter(f"{self.name},{row}", _SIDES[side]).total - one.total, reason)
            for row, reason in REASONS[side].items()
            if row not in one.places
        ]

    def _reason(self, side: str, row: str) -> str:
        """Return why it has the bricks of a row."""
        if row == MOUNTED:
            return "rides: doubles the rows above" if side == "attack" else "rides"
        given = [arm.name for arm in self.figure.arms if row in getattr(arm, side)]
        return ", ".join(given) or REASONS[side].get(row, self.figure.kind.name)

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield the names and values of its numbers."""
        rows, figure = charts().move_in, self.figure
        level = figure.experience
        yield "base", f"{charts().colours[level]}: experience adds {level} to its score"
        yield "holds", f"{sum(not arm.is_worn for arm in figure.arms)} in {figure.kind.hands} hands"
        if self.is_mounted:
            late, pulls = rows["cavalry"] - rows["mounting"], rows["pulling"]
            yield (
                "moves",
                f"{rows['cavalry']:g} in; {late:g} if it mounts first, {pulls:g} with a wagon",
            )
        else:
            pushes = f"; {rows['pushing']:g} with a wagon" * (figure.kind.hands > 0)
            yield "moves", f"{rows[figure.kind.move]:g} in{pushes}"
        for arm in figure.arms:
            if arm.missile:
                row = charts().missiles[arm.missile]
                reloads = "; a round to reload" * arm.reloads
                text = f"knocks over, or {counted(row.bricks, 'brick')}"
                yield f"{arm.name}", f"{row.weapon.range_in:g} in: {text}{reloads}"

    def text(self, paint: Paint) -> str:
        """Return the numbers, and each row of attack and defence with its reason."""
        lines = [f"{self.name}: {self.about}", *columns(self.numbers(), "  ")]
        for side, one in self.sides.items():
            table = [(spoken(row), f"{bricks}", why) for row, bricks, why in self.rows(side)]
            table += [(spoken(row), f"+{n}", f"where it {why}") for row, n, why in self.more(side)]
            lines += ["", f"{side}, {counted(one.total, 'brick')}:", *columns(table, "  ")]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON; ``more`` are the bricks that a place adds."""
        sides = {
            side: {
                "bricks": dict(one.bricks),
                "more": {row: bricks for row, bricks, _ in self.more(side)},
            }
            for side, one in self.sides.items()
        }
        return {
            "name": self.name,
            "kind": self.figure.kind.name,
            "arms": [arm.name for arm in self.figure.arms],
            "mounted": self.is_mounted,
            "experience": self.figure.experience,
            **sides,
        }


def figure_sheet(words: str) -> FigureSheet:
    """Return the sheet of a figure.

    Parameters
    ----------
    words
        Its kind, its arms, ``mounted`` and the colour of its base, with commas between: ``peasant,spear,mounted``.
    """
    return FigureSheet(words, {name: fighter(words, side) for name, side in _SIDES.items()})


def usual_sheets() -> list[FigureSheet]:
    """Return the sheets of all kinds, and of a soldier with each arm and on a horse."""
    armed = (f"soldier,{word}" for word in (*charts().arms, MOUNTED))
    return [*map(figure_sheet, (*charts().kinds, *armed))]
